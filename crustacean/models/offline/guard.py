"""What never becomes memory: instructions slipped into text, and secrets."""

from __future__ import annotations

import re

from crustacean.text import secrets

_INJECTED = re.compile(
    r"""\b(?:
    (?:ignore|disregard|forget|override|bypass)\ (?:all\ |any\ |the\ |your\ |every\ )*(?:previous|prior|above|earlier|preceding|system|other|former)
        \ ?(?:\w+\ ){0,2}(?:instructions?|rules?|prompts?|messages?|guidelines?|directives?|context)?
    |(?:ignore|disregard|override)\ (?:all\ |any\ )?(?:your|the|these|those)\ (?:\w+\ ){0,2}(?:instructions?|rules?|prompts?|guidelines?)
    |remember\ (?:this\ )?(?:forever|permanently|always\ and\ forever)
    |system\ (?:prompt|message|override|instruction|notice)s?\b
    |(?:new|updated|hidden|secret)\ (?:system\ )?instructions?
    |you\ (?:are|'re)\ now\ (?:in|an?|the|free|allowed|authori[sz]ed|operating|running)
    |(?:maintenance|developer|debug|god|admin|jailbreak|dan)\ mode
    |(?:note|message|instructions?|attention|notice|important|task|memo|reminder)\ (?:for|to)\ (?:the\ |all\ |any\ )?(?:ai|a\.i\.|llm|assistants?|agents?|bots?|models?|chatbots?)
    |(?:dear|attention|hello|hey|hi)\ (?:ai|assistants?|agents?|llm|bots?|language\ models?)\b
    |as\ an\ ai\b|if\ you\ are\ an?\ (?:ai|llm|assistant|language\ model|agent|bot)
    |do\ not\ (?:tell|inform|mention\ (?:this|it)\ to|reveal\ (?:this|it)\ to|alert|notify)\ (?:the\ |your\ )?(?:user|owner|human|operator)
    |without\ (?:asking|telling|informing|notifying|confirmation\ from)\ (?:the\ |your\ )?(?:user|owner|human|operator)
    |(?:exfiltrate|prompt\ injection|jailbreak)
    |ignor(?:iere|a|e[zr]?|ez)\ (?:alle|todas|toutes|todas\ as|las|les|as|tutte)\b.{0,30}\b(?:anweisungen|instrucciones|instructions|instruções|istruzioni|regeln|reglas|règles|regras)
    |vergiss\ (?:alle|deine|die)\ .{0,20}(?:anweisungen|regeln)|olvida\ (?:todas|tus|las)\ .{0,20}(?:instrucciones|reglas)
    |oublie[zr]?\ (?:toutes|tes|les|vos)\ .{0,20}(?:instructions|règles|consignes)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_INJECTED_CJK = re.compile(
    r"(?:以前|これまで|前|上記)の?(?:すべての)?(?:指示|命令|ルール).{0,6}無視|無視して.{0,10}(?:指示|命令)|忽略(?:之前|以上|先前|所有|上面).{0,8}(?:指令|指示|规则|提示)"
    r"|永远记住|永久に記憶|系统提示|システムプロンプト|이전 (?:지시|명령).{0,6}무시"
)
_ASKS_MEMORY = re.compile(
    r"""\b(?:
    (?:add|save|store|write|put|append|record|commit|copy|insert|log|enter|keep|note)\b[^.]{0,80}\b(?:in(?:to)?|to)\ (?:your\ |the\ |its\ |long-?term\ |permanent\ )*(?:memory|memories|memory\.md|user\.md|soul\.md|agents\.md|notes?\ file|profile)
    |(?:save|add|write|store)\ (?:this\ )?to\ (?:your\ )?memory
    |(?:record|remember|note|save|store|memori[sz]e|learn)\ (?:that\ )?(?:the\ )?user\b
    |(?:the\ )?user\ (?:\"?\w+\"?\ )?(?:consents?|agrees?|approves?|authori[sz]es?|allows?|may\ skip|has\ (?:approved|agreed|authori[sz]ed|consented))
    |(?:you|assistants?|agents?|ai|bots?|models?)\ (?:must|should|shall|have\ to|need\ to|are\ (?:required|instructed|authori[sz]ed|to))\b
    |(?:always|never)\ (?:approve|trust|forward|send|pay|run|execute|reveal|allow|recommend|mention|ask|obey)
    |(?:are|is)\ always\ (?:approved|trusted|allowed|safe)
    |(?:forward|send|email|mail|post|upload|leak|transfer|wire)\b[^.]{0,60}\b(?:to\ )?(?:\S{1,40}@\S{1,40}|https?://)
    |(?:execute|run)\ (?:the\ )?(?:following|this|these)|curl\ |(?:sudo|rm\ -rf)\b
    |from\ now\ on|remember\ that|keep\ in\ mind|do\ not\ forget|in\ (?:all|every)\ future
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_SECRET_NOUN = re.compile(
    r"(?:\b(?:passwor[dt]e?n?|passwd|pwd|passphrase|passcode|pass ?code|pin(?:[ -]?code)?|(?:gate|door|alarm|entry|access|lock|safe|vault|garage|security|unlock|recovery|backup|verification|2fa|one-time|wi-?fi) ?(?:code|key|combination|password|pin)"
    r"|api[ _-]?keys?|secret(?: key)?|access[ _-]?key|private key|token|credentials?|bearer|cvv|cvc|card numbers?|credit cards?|visa|mastercard|amex|(?:my|our|the|debit|bank) card|account number|iban|seed phrase|(?:safe|lock) combination|login|otp"
    r"|passwort|kennwort|zugangscode|türcode|torcode|kreditkarte|contraseña|clave|código(?: de acceso)?|tarjeta|mot de passe|code d'(?:accès|entrée)|digicode|senha|código de acesso"
    r"|wachtwoord|toegangscode|parola d'ordine|codice|hasło)\b|パスワード|暗証番号|密码|密碼|口令|暗号|비밀번호)",
    re.IGNORECASE,
)
_SECRET_VALUE = re.compile(
    r"(?=[^\s]*\d)[^\s\"'`,;]{4,}|(?:\bis|\bist|\bes|\best|\bé|=|:|は|是)\s*[\"'`]?[^\s\"'`]{4,}", re.IGNORECASE
)
_CODE = re.compile(
    r"(?<!zip )(?<!post )(?<!area )(?<!promo )(?<!error )(?<!source )(?<!dress )\b(?:code|codes|código|codice|kod|digicode|combination|combinación|kombination)\b.{0,30}?(?:\bis\b|\bist\b|\best\b|\bes\b|\bé\b|è|:|=|は|是)\s*\S*\d\S*",
    re.IGNORECASE,
)
_HUSH = re.compile(
    r"\b(?:don'?t (?:share|post|tell|leak|store|save|write)|do not (?:share|post|store)|keep (?:it|this|that) (?:secret|private|to yourself)|psst|chut|nicht weiter(?:sagen|geben)"
    r"|no lo compartas|ne (?:le )?(?:partage|répète)z? pas|não (?:compartilhe|conta)|secret)\b|内緒|秘密|保密|别说出去",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"(?<!\w)(?=\w*\d)(?=\S*[A-Za-z#*!$%]|\d{4,})[\w#*!$%@-]{4,}")
_REDACTED = re.compile(r"\[redacted:")


def injected(text: str, *, strict: bool) -> bool:
    """Whether a text tries to give the agent orders. strict: for text that nobody present said (a paste, a report of the
    agent, an untrusted turn), where a wish to be remembered is suspect too."""
    if _INJECTED.search(text) or _INJECTED_CJK.search(text):
        return True
    return strict and bool(_ASKS_MEMORY.search(text))


def secret(text: str) -> bool:
    """Whether a text holds a secret or the place where one was: such a sentence is not kept at all."""
    if _REDACTED.search(text) or secrets.find(text):
        return True
    if _CODE.search(text) or _HUSH.search(text) and _TOKEN.search(text):
        return True
    noun = _SECRET_NOUN.search(text)
    return bool(noun and _SECRET_VALUE.search(text, noun.end()))
