"""The language of a text, by its script and its most frequent words."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

_SAMPLE = 20_000
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_MARKUP = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{1,200}`|https?://\S+|<[^<>\n]{1,200}>", re.DOTALL)
_LEAST = 1.0
_LEAD = 1.25

# Function words, each worth 1 divided by the number of languages here that have it.
_FREQUENT = {
    "en": """the of and to is that it for was on are with as be this have from at not but by they you we his her she he
        had or an will would there their what which when who can if has more do does did about i my me your our us
        it's don't i'm let's how please just like should could been were in a so no than then""",
    "de": """der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er
        hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur
        bis mehr durch man ich wir ihr du mir mich dich uns kein keine bitte heute morgen immer jetzt schon was wann
        wo warum""",
    "es": """de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin
        sobre este ya entre cuando todo esta ser son dos también fue había era muy años hasta desde está mi porque
        qué yo nos hay quiero tengo el los las gracias hoy mañana ahora siempre nunca así""",
    "fr": """de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec son ou
        aux mais comme nous cette ont je on été leur elle deux même être fait sa ses tout vous j'ai c'est n'est d'un
        d'une qu'il l'a moi toi mon ma mes ton ta tes très aussi toujours jamais oui non merci demain quand où
        pourquoi""",
    "pt": """de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu
        sua ou ser quando muito há nos já está eu também só pelo pela até isso ela entre era depois sem mesmo aos
        ter seus quem nas me esse eles você essa num nem minha meu obrigado hoje amanhã agora sempre nunca são""",
    "it": """di e il la che in un a per è una sono non si con le dei da del i nel al più come anche ma lo della ha su
        gli alla questo delle essere se o ci mi ho hai abbiamo molto quando perché dove cosa io noi voi loro mio mia
        grazie oggi domani sempre mai così dopo""",
    "nl": """de het een en van in is dat op te zijn met voor niet aan er maar om ook als dan naar bij nog uit door over
        ze hij je ik we wij jullie mijn jouw zijn haar ons onze geen wel al zo kan moet wordt werd was heb heeft
        hebben had dit die deze waar wanneer wat wie hoe graag alsjeblieft vandaag morgen altijd nooit""",
}
_MARKS = {"ñ": "es", "¿": "es", "¡": "es", "ß": "de", "ã": "pt", "õ": "pt", "œ": "fr", "ù": "fr", "ò": "it", "ì": "it"}
_SCRIPTS = (
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
)
_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_UKRAINIAN = re.compile(r"[іїєґ]", re.IGNORECASE)


def _weights() -> dict[str, list[tuple[str, float]]]:
    owners: dict[str, set[str]] = {}
    for code, words in _FREQUENT.items():
        for word in words.split():
            owners.setdefault(word, set()).add(code)
    return {word: [(code, 1 / len(codes)) for code in codes] for word, codes in owners.items()}


_WEIGHTS = _weights()


def language(text: str) -> str:
    """The ISO 639-1 code of the language most of the text is in: en de es fr pt it nl by frequent words, ja zh ko ru uk
    el ar he th hi by script. "" where that can't be told (no words, code, too short). Looks at the first 20,000
    characters; code spans, fences, links and tags don't count."""
    sample = _MARKUP.sub(" ", text[:_SAMPLE])
    words = _WORD.findall(sample)
    letters = sum(map(len, words))
    if not letters:
        return ""
    if not sample.isascii() and (code := _by_script(sample, letters)):
        return code
    return _by_words(words, sample)


def _by_script(sample: str, letters: int) -> str:
    kana, han = len(_KANA.findall(sample)), len(_HAN.findall(sample))
    # One CJK sign says about as much as three letters, so a text with names in Latin letters is still Japanese.
    if 3 * (kana + han) > letters - kana - han:
        return "ja" if kana * 8 > han else "zh"
    for code, pattern in _SCRIPTS:
        if 2 * len(pattern.findall(sample)) > letters:
            return "uk" if code == "ru" and _UKRAINIAN.search(sample) else code
    return ""


def _by_words(words: list[str], sample: str) -> str:
    score: defaultdict[str, float] = defaultdict(float)
    for word, times in Counter(w.lower().replace("’", "'") for w in words).items():
        for code, weight in _WEIGHTS.get(word, ()):
            score[code] += weight * times
    for mark, code in _MARKS.items():
        if times := sample.count(mark):
            score[code] += 1.5 * times
    if not score:
        return ""
    best = max(score, key=lambda code: score[code])
    second = max((points for code, points in score.items() if code != best), default=0.0)
    return best if score[best] >= _LEAST and score[best] >= _LEAD * second else ""
