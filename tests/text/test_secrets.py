from __future__ import annotations

import json
import random
import string
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crustacean.errors import WorkspaceError
from crustacean.text.secrets import find, redact
from tests.conftest import shared_folder

DICE = random.Random(7)
BASE62 = string.ascii_letters + string.digits


def made(prefix: str, length: int, alphabet: str = BASE62, suffix: str = "") -> str:
    """A token of a provider's form that was never anybody's; a digit and both cases are sure to be in it."""
    body = "".join(DICE.choice(alphabet) for _ in range(length - 3))
    return prefix + body[:4] + ("a7f" if alphabet == "0123456789abcdef" else "aF7") + body[4:] + suffix


HEX = "0123456789abcdef"
PROVIDERS = [
    ("anthropic-key", made("sk-ant-" + "api03-", 80)),
    ("api-key", made("sk-" + "proj-", 48)),
    ("api-key", made("sk-", 48)),
    ("github-token", made("gh" + "p_", 36)),
    ("github-token", made("github_" + "pat_11ABCDEFG0", 60)),
    ("gitlab-token", made("glpat" + "-", 20)),
    ("slack-token", made("xox" + "b-123456789012-1234567890123-", 24)),
    ("slack-webhook", made("hooks.slack" + ".com/services/T00000000/B00000000/", 24)),
    ("stripe-key", made("sk_" + "live_", 24)),
    ("google-key", made("AI" + "za", 35)),
    ("aws-key", made("AK" + "IA", 16, string.ascii_uppercase).upper()),
    ("telegram-token", made("123456789" + ":AA", 33)),
    ("npm-token", made("np" + "m_", 36)),
    ("pypi-token", made("py" + "pi-AgEIcHlwaS5vcmc", 80)),
    ("huggingface-token", made("h" + "f_", 34)),
    ("sendgrid-key", made("S" + "G.", 22) + made(".", 43)),
    ("discord-token", made("M", 23) + made(".", 6) + made(".", 27)),
    ("mailchimp-key", made("", 32, HEX, "-us6")),
    ("jwt", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + made("", 43)),
    ("high-entropy", made("", 40)),
    ("recovery-key", "-".join(str(123456 + 111 * n) for n in range(8))),
]
KEY_LINES = "\n".join(made("", 64) for _ in range(4))
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{KEY_LINES}\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(("kind", "token"), PROVIDERS, ids=[kind for kind, _ in PROVIDERS])
@pytest.mark.parametrize("frame", ["{}", "Use {} please", "(`{}`)", 'x = "{}"\n', "token {}."])
def test_a_provider_s_token_is_found_whole(kind: str, token: str, frame: str) -> None:
    text = frame.format(token)
    assert [text[s.start : s.stop] for s in find(text)] == [token]
    assert redact(text) == (frame.format(f"[redacted:{find(text)[0].kind}]"), [find(text)[0].kind])
    if frame == "{}":
        assert find(text)[0].kind == kind


PASSWORDS = """password: §|Password is §|the wifi password is §|The password for the NAS is §|DB_PASSWORD=§
"password": "§"|pass: §|my pw: §|--password §|§ is the wifi password|use § as the password|**Password:** §
- Password: `§`|the password's §|The admin password was changed to §|password (staging): §|The password I use is §
user bob, pw §|creds are app / §|Passwort: §|Das Passwort lautet §|Das WLAN-Passwort ist §.
Mein Passwort für Netflix ist §|Kennwort fürs Portal ist §|la contraseña es §|La contraseña del wifi es §|clave: §
mot de passe : §|le mot de passe du wifi est §, ok|MDP: §|a senha é §|A senha do wifi é §
パスワードは§です|パスワード：§|密码是§|密码：§
wachtwoord: §|la password del wifi è §|{\\"password\\":\\"§\\"}|spring.datasource.password=§
curl -u bob:§ https://example.com|mysql -u root -p§|postgres://app:§@db:5432/x|redis://:§@cache:6379
https://user:§@example.com/path""".replace("\n", "|").split("|")


@pytest.mark.parametrize("frame", PASSWORDS)
def test_a_password_is_known_by_the_words_around_it(frame: str) -> None:
    text, kinds = redact(frame.replace("§", "hunter2x7"))
    assert "hunter2x7" not in text
    assert len(kinds) == 1


@pytest.mark.parametrize(
    ("frame", "secret"),
    [
        ("The wifi password is §.", "bluebird"),
        ("Passwort: §", "rotkehlchen"),
        ("senha: §\n", "bemtevi"),
        ("DB_PASSWORD=§", "swordfish"),
        ("wifi password is §", "correct horse battery staple"),
        ("password: §", "Sommer2024!"),
        ("password is §", "Tr0ub4dor&3"),
        ('password = "§"', "don't4get"),
        ("mongodb+srv://bob:§@c.mongodb.net", "p@ss1"),
        ("staging db password is § if anyone needs it", "hunter-fake-2291"),
        ("license key: §", "A1B2C-D3E4F-G5H6I-J7K8L"),
        ("api_key=§", made("", 32)),
        ("my api key is §", made("", 32, HEX)),
        ("Authorization: Bearer §", made("", 32)),
        ("client_secret=§", made("", 24)),
        ("my token: §", "tok_FAKE_88121abc"),
        ("card § exp 09/27", "4111 1111 1111 1111"),
        ("cvv §", "921"),
    ],
)
def test_other_values_are_taken_whole(frame: str, secret: str) -> None:
    text, kinds = redact(frame.replace("§", secret))
    assert text == frame.replace("§", f"[redacted:{kinds[0]}]")


CODES = """PIN: §|the PIN is §|My PIN for the Visa is §|Die PIN lautet §|PIN-Code: §|el PIN es §|le code PIN est §
o PIN é §|暗証番号は§です|§ is my PIN|door code is §|gate code: §|The code for the front door is §|Der Türcode ist §
Zugangscode: §|Der Code für die Haustür lautet §|el código de la puerta es §|código del portal: §
o código do portão é §|digicode: §|le code de la porte est §|code d'entrée : §|玄関のコードは§です|safe combination is §
my locker combination: §|§ is the gate code|verification code: §|The garage keypad code is §.
Die Kombination vom Fahrradschloss ist §|La clave de la caja fuerte: §|The key box opens with §
luggage lock is set to §|验证码：§""".replace("\n", "|").split("|")


@pytest.mark.parametrize("frame", CODES)
def test_pins_and_door_codes_are_known_by_the_words_around_them(frame: str) -> None:
    text, kinds = redact(frame.replace("§", "4417"))
    assert "4417" not in text
    assert kinds in (["pin"], ["code"], ["password"])


SEED = "legal winner thank year wave sausage worth useful legal winner thank yellow"


@pytest.mark.parametrize(
    "frame", ["seed phrase: {}", "my recovery phrase is {}.", "mnemonic:\n{}", "Seed phrase (write down):\n\n{}"]
)
def test_a_wallet_s_words_go_as_one(frame: str) -> None:
    numbered = "\n".join(f"{n}. {word}" for n, word in enumerate(SEED.split(), 1))
    assert redact(frame.format(SEED))[1] == ["seed-phrase"]
    assert redact(frame.format(numbered))[1] == ["seed-phrase"]


def test_a_private_key_goes_from_begin_to_end() -> None:
    assert redact(f"before\n{PEM}\nafter") == ("before\n[redacted:private-key]\nafter", ["private-key"])
    escaped = PEM.replace("\n", "\\n")
    assert redact(f'"{escaped}\\n"') == ('"[redacted:private-key]\\n"', ["private-key"])
    cut_off = PEM[: PEM.rindex("\n-----END")]
    assert redact(f"{cut_off}\n\nThat was it.") == ("[redacted:private-key]\n\nThat was it.", ["private-key"])
    assert redact("It starts with -----BEGIN PRIVATE KEY----- and goes on")[1] == []


ORDINARY = """the password is wrong|password is required|The password is stored in the vault.|password: required
password: string;|password = os.environ['PW']|password=password|password: SecretStr|Forgot your password?
password: <your password>|password: ${DB_PASSWORD}|password: ****|the password is hashed with bcrypt
Password is case-sensitive|Das Passwort ist falsch.|la contraseña es incorrecta|le mot de passe est expiré
a senha é inválida
パスワードを変更しました|密码错误|password manager is 1Password|Passwords must be at least 8 characters
def login(user: str, password: str) -> bool:|tokens: 1200|max_tokens=4096|primary key: user_id_2024
key: claude-sonnet-4-5-20250929|session key agent:main:main|secret: the cake is a lie|token bucket algorithm
const token = await getToken2()|the key is under the mat|error code 403|exit code: 127|zip code 12345
Postleitzahl 20095|discount code SPRING2024|the code is 200 lines long|booking code ABC123|code: ELIFECYCLE
the combination of 3 items|code review at 1430|gate B42 at 18:05|room 9026B|pin 13 on the Arduino|PIN the message
pinned 2024 items|the pin is 3 mm long|commit 3f2a91c0d4e5b6a7c8d9e0f1a2b3c4d5e6f7a8b9
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855|550e8400-e29b-41d4-a716-446655440000
01ARZ3NDEKTSV4RRFFQ69G5FAV|toolu_01XFDUDYJgAACzvnptvVoYEL|2026-12-01T10:00:00.000Z
https://example.com/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit|http://localhost:3000/foo@bar
/usr/lib/python3.11/site-packages/detect_secrets/plugins/base.py|git clone git@github.com:a/b.git
integrity sha512-WNGcyQK7NPyJOPYiRkOTGvEqcGVwTVNZNbOmYrJQOSKrZ/HMHoKFzLdYAjlrrCz9AyDhKXdJQXaLFpuUZbP1xA==
"sourceHash":"MawKguWrHg5JNeNlTdfEbTKM1JL0hwpauwTKqtiFgk"|getUserAccountByIdAndTimestampV2WithRetries
Donaudampfschifffahrtsgesellschaftskapitän
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3vT0u7p4l4Qm2nq7o1Yl8jQ9vR3mXk0b2Zc5d6e7f8|order 4539578763621486123
epoch 1764590400000|phone +34 612 345 678|Invoice 2041|docker image sha256:abc|Authorization: Bearer <token>
Authorization: Bearer $TOKEN|sk-xxxxxxxxxxxxxxxxxxxxxxxx|sk-...|risk-adjusted-return-2024-analysis
recovery phrase is required|random seed 12345|etag: W/"33a64df551425fcc55e4d42a148795d9f25f89d4"|nextPageToken: CAUQAA
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="""


@pytest.mark.parametrize("text", ORDINARY.replace("\n", "|").split("|"))
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert redact(text) == (text, [])


def test_what_is_redacted_stays_so_and_announces_nothing() -> None:
    once = redact("password: hunter2x7 then user2x7 came")
    assert once == ("password: [redacted:password] then user2x7 came", ["password"])
    assert redact(once[0]) == (once[0], [])


def test_a_person_s_own_patterns_are_obeyed() -> None:
    assert redact("project Bluebird starts", [r"[Bb]luebird"]) == ("project [redacted:pattern] starts", ["pattern"])
    assert redact("a" * 9000 + " Bluebird", ["Bluebird"])[1] == ["pattern"]
    assert redact("abc", ["x*", ""]) == ("abc", [])
    assert redact("[redacted:pin] b", ["."]) == ("[redacted:pin] [redacted:pattern]", ["pattern"])


def test_a_pattern_that_is_none_is_named() -> None:
    with pytest.raises(WorkspaceError, match="secret_patterns") as caught:
        find("x", ["("])
    assert caught.value.hint


PIECES = [
    "password", "Passwort", "pin", "door code", "key", "api_key", "token", "seed phrase", "is", "for", "the", ":",
    "=", " ", "\n", "\\n", '"', "'", "**", "[redacted:password]", "[redacted:", "]", "hunter2x7", "4417#",
    PROVIDERS[5][1], PROVIDERS[11][1], PROVIDERS[19][1], "eyJhbGciOiJIUzI1NiJ9", ".", "://", "user", "@", "host", PEM,
    PEM[:40], "A" * 40, "4111 1111 1111 1111", SEED, "swordfish", "backup codes", "a1b2-c3d4 e5f6-a7b8", "Bearer",
    " -u ", "/", "-", "_", ",", "は", "パスワード", "?sig=", "is my password",
]  # fmt: skip
MIXED = st.lists(st.sampled_from(PIECES), max_size=24).flatmap(
    lambda pieces: st.sampled_from(["", " ", "\n"]).map(lambda joint: joint.join(pieces))
)


@settings(max_examples=300, deadline=None)
@given(MIXED | st.text(max_size=200), st.sampled_from([(), ("ed",), (r"\w+", "act"), (".",)]))
def test_redacting_twice_changes_nothing_more(text: str, patterns: tuple[str, ...]) -> None:
    redacted, kinds = redact(text, patterns)
    assert redact(redacted, patterns) == (redacted, [])
    assert redacted.count("[redacted:") >= len(kinds)


@settings(max_examples=200, deadline=None)
@given(MIXED)
def test_secrets_stand_in_order_and_apart(text: str) -> None:
    found = find(text)
    assert all(0 <= s.start < s.stop <= len(text) for s in found)
    assert all(a.stop <= b.start for a, b in pairwise(found))


HOSTILE = [
    "a", "1", " ", "-", "_", ".", "'", '"', "/", "\\", "\0", "AC", "aB1", "password ", "password: ",
    "password for a ", "pin 1234 ", "door code ", "key=a1b2c3d4e5f6g7h8 ", "sk-", "sk-a1b2c3d4e5f6g7h8i9", "eyJ",
    "eyJaaaaaaaaaa.", "://a:b", "://a:b@", "mnemonic abc ", "-----BEGIN RSA PRIVATE KEY-----", ":AA", "123456789:AA",
    "Private-Lines: 1\n", "xoxb-1-", "[redacted:password] ", '{"password":"', "a1b2c is the password ",
    "İpassword: a1b2", " -u a:b", "a1b2-c3d4 ", "4111 1111 1111 1111 ", "cloudant1key:", "softlayer1api-key:",
    "//a1/:_authToken=", "passphrase is abc def ghi jkl ",
]  # fmt: skip


@pytest.mark.parametrize("head", ["", "-----BEGIN RSA PRIVATE KEY-----\n"])
@pytest.mark.parametrize("unit", HOSTILE)
def test_time_grows_with_the_length_and_not_faster(unit: str, head: str) -> None:
    def seconds(size: int) -> float:
        text = head + unit * (size // len(unit))
        start = time.process_time()
        find(text)
        return time.process_time() - start

    find("warm a1b2c3d4e5f6a1b2c3d4e5f6")
    small = min(seconds(10_000) for _ in range(2))
    assert seconds(80_000) < 8 * small * 3 + 0.05


def test_what_the_shared_dialogues_call_secret_goes_and_nothing_else() -> None:
    path = shared_folder() / "datasets" / "collect.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.is_file() else [DIALOGUE]
    for row in rows:
        told = {s["turn"] for s in row["secrets"]}
        for turn in row["turns"]:
            text, kinds = redact(turn["text"])
            assert bool(kinds) == (turn["turn"] in told), turn["text"]
            assert not any(s["value"] in text for s in row["secrets"] if s["turn"] == turn["turn"])
        assert not any(find(item["text"]) for item in row["gold"])


DIALOGUE = {
    "turns": [
        {"turn": 0, "text": "The shed code is 4471#, please keep it to yourself."},
        {"turn": 1, "text": "Noted: the fair is on 14 September in hall 12."},
    ],
    "secrets": [{"turn": 0, "value": "4471#"}],
    "gold": [{"text": "The fair is on 14 September in hall 12."}],
}
