"""The words that announce a secret, in the languages people use them in, and words that say none follows."""

from __future__ import annotations

PASSWORD = tuple(
    """password passwort passphrase passcode passwd kennwort contraseña contrasena mot_de_passe mdp senha palavra-passe
    wachtwoord parola_d'ordine hasło пароль パスワード パスコード 暗証番号 密码 密碼 口令 비밀번호 wlan-schlüssel
    netzwerkschlüssel wifi-key wifi_key wi-fi_key wlan-key wpa_key wpa2_key clave_del_wifi clave_wifi clé_wifi
    clé_du_wifi code_wifi pgpassword mysql_pwd""".split()
)
"""A value after one of these may be any word. `_` stands for a space or itself."""
SHORT_PASSWORD = tuple("pass pw pwd psk pswd clave passw".split())
"""Short or ambiguous: only a value with letters and digits or with signs counts."""
KEY = tuple(
    """api_key api-key apikey access_key accesskey access-key secret_key secretkey secret-key auth_key authkey
    license_key licence_key lizenzschlüssel api-schlüssel clave_de_api clave_api clé_api chave_de_api
    signing_key encryption_key apiキー 密钥 account_key master_key private_key privatekey client_secret
    clientsecret shared_secret app_secret secret token tokens jeton api-token credential key schlüssel""".split()
)
"""Only a value that looks generated counts."""
LOGIN = tuple("login logins credentials creds zugangsdaten anmeldedaten credenciales identifiants credenciais".split())
"""A name and a value with letters and digits may follow."""
PIN = tuple(
    "pin puk pincode pinコード cvv cvc tan otp geheimzahl nip 暗証番号 验证码 驗證碼 認証コード 認証番号".split()
)
"""Only digits count."""
CODE = tuple("code codes código codigo códigos codice combination kombination combinación combinaison combinação combo"
             " digicode keypad clave コード".split())  # fmt: skip
"""Only a short value with digits counts, beside a word of CODE_OF."""
OPENS = ("opens with", "open with", "set to", "unlocks with", "öffnet mit", "se abre con", "s'ouvre avec")
"""A number after one of these is a code where a lock or safe stands before it."""
SEED = tuple(
    """seed_phrase seed_words recovery_phrase recovery_words backup_phrase secret_phrase mnemonic wallet_words
    wiederherstellungsphrase seed-phrase frase_semilla frase_de_recuperación phrase_de_récupération
    frase_de_recuperação 助记词 シードフレーズ リカバリーフレーズ""".split()
)
"""Twelve to twenty-four small words after one of these are a wallet's seed."""

CODE_OF = (
    r"gate|door|garage|entry|entrance|access|alarm|safe|lock|locker|vault|building|key\s?box|lockbox|room|garden|house|shed"
    r"|cellar|gym|security|unlock|verification|one-time|sms|2fa|mfa|recovery|backup|voicemail|front|elevator|lift|bike|flat"
    r"|apartment|office|server\s?room|parking|tür|haus|keller|zugang|tresor|schloss|eingang|tor\b|garagen?|sicherheit|büro"
    r"|porte|portail|immeuble|salle|entrée|coffre|cadenas|accès|portillon|bâtiment|résidence|puerta|portal|portón|entrada"
    r"|caja\sfuerte|candado|acceso|edificio|casa|oficina|portão|porta\b|cofre|cadeado|acesso|prédio|suitcase|luggage"
    r"|玄関|ドア|金庫|ロッカー|鍵|部屋|入口|门|保险|锁|门禁"
)
NO_CODE = (
    r"error|exit|status|zip|postal|post|area|country|source|qr|promo|discount|coupon|voucher|product|item|order|booking|response"
    r"|return|http|currency|language|dress|rabatt|gutschein|postleit|fehler|reference|color|colour|bar|test|dead|legacy|python"
    r"|gültig|claude|vs|this|that|the\sfollowing|erreur|postale?|of"
)
NO_KEY = (
    r"primary|foreign|cache|partition|sort|public|session|routing|idempotency|dedupe|map|dict|object|hash|page|cursor|sync"
    r"|continuation|next|sequence|row|column|index|sort|shift|ctrl|enter|input|output|prompt|total|max|completion"
)
NO_VALUE = frozenset(
    """a an the in on at to of for by with from as it its this that these those not no never only also always
    again already and or but if when where what who how why there here same mine yours ours his hers theirs
    one two both all any some wrong right correct incorrect invalid valid required missing empty needed
    optional hashed encrypted stored set reset changed rotated weak strong safe secure insecure known unknown
    new old different ok okay fine good bad short long simple hard easy secret hidden visible below above
    attached private public unsafe leaked broken outdated default plaintext plain text string case sensitive
    alphanumeric numeric random unique temporary permanent shared personal ready gone dead managed kept under
    inside behind like still now just very too so up out off down back password passwords passwort kennwort
    contraseña senha token key secrets vault bitwarden keepass 1password lastpass keychain env todo tbd
    protected useless obvious important pretty really stupid terrible literally probably maybe nothing
    something anything everything falsch richtig korrekt geheim abgelaufen sicher unsicher notwendig
    erforderlich nötig ungültig gültig leer neu alt gleich dasselbe nicht ein eine der die das mein dein im
    in auf zu zum bei unter noch schon nur auch immer nie weg da hier kein incorrecta correcta incorrecto
    correcto obligatoria obligatorio válida inválida segura débil la el los una un muy igual nueva vieja en
    por para siempre nunca no sí ya está mala corta larga incorrect obligatoire requis requise valide
    invalide faible fort sûr trop le les une des dans sur pour par toujours jamais pas oublié perdu expiré
    nouveau bon mauvais mon ton son à au incorreta correta obrigatória inválido fraca forte muito nova velha
    errada certa na em com sempre minha sua uma strings words values minimum maximum least most min max
    length characters chars confirm confirmation repeat again field hint manager policy login username user
    email""".split()
)
"""Words after "the password is" that tell about it and are not it."""
NO_VALUE_ENDS = (
    "ed",
    "ing",
    "able",
    "ible",
    "bar",
    "lich",
    "ado",
    "ada",
    "ido",
    "ida",
    "ée",
    "ible",
    "tion",
    "ung",
    "ly",
)
NO_SEED = frozenset(
    """the and for are was were with from your you has have had not but our this that they them then when will
    would can could should into about them his her its which what please keep store write never share""".split()
)
