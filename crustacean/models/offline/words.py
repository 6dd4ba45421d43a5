"""Word lists of English that several rules share, and the small questions about words they answer."""

from __future__ import annotations

import re
from functools import lru_cache

ADVERBS = frozenset(
    """also really always never usually often still just currently honestly only already definitely actually
    generally normally typically sometimes rarely finally recently probably simply even both all now mostly
    basically absolutely certainly sadly luckily soon totally quite fully strongly occasionally ever hardly
    kinda truly initially originally previously deeply clearly personally""".split()
)
MODALS = frozenset(
    """will would can could should shall must may might cannot can't won't wouldn't couldn't shouldn't mustn't
    mightn't 'll ought""".split()
)
IRREGULAR_PAST = frozenset(
    """was were had did went got made said told took came saw knew thought gave found left felt brought bought
    became began kept held wrote stood heard meant met paid sent built spent lost won sold taught caught chose
    drove ate spoke broke grew drew flew fell rose wore threw forgot slept swam ran sat understood led fought
    sang hid bit woke shook stuck swore didn't couldn't wasn't weren't hadn't wouldn't used booked ordered
    dropped hired quit promised""".split()
)
NOT_PAST = frozenset("need feed breed embed speed proceed exceed succeed bleed shed wed seed indeed".split())
IRREGULAR_THIRD = {
    "am": "is", "are": "is", "were": "was", "have": "has", "do": "does", "don't": "doesn't", "haven't": "hasn't",
    "aren't": "isn't", "weren't": "wasn't", "go": "goes", "be": "is", "dont": "doesn't", "ain't": "isn't",
}  # fmt: skip

COMMON_VERBS = frozenset(
    """live work like love hate want use need keep have run do go take prefer read write drink eat play think plan
    try start stop make get give see know buy sell pay pack ship open close move meet call help teach study
    train grow bake cook build design manage lead own rent drive ride cycle swim walk fly travel learn speak
    decide agree aim switch store deploy publish release support treat accept reject require allow deliver
    supply print visit arrive come leave return join host send bring pick choose order book cancel add remove
    change replace rename review approve sign hire serve offer cost weigh measure contain hold handle count
    report expect remember forget feel hope wish believe suggest mean turn stay stand sit sleep wake wait finish
    end begin become belong happen matter depend avoid skip plant water collect commit merge test avoid follow
    recommend supply annotate approve review switch track bill charge invoice""".split()
)
TASK_VERBS = frozenset(
    """run check fix write translate show make add delete remove summarise summarize read open kill start stop list
    find look search compare explain draft create generate update install build deploy publish push pull commit
    merge rename move copy send email mail reply answer tell give help convert calculate compute count sort test
    retry try rerun restart reboot print format clean rewrite shorten expand improve review refactor implement
    debug play pause set turn close put get fetch download upload book schedule order buy reserve cancel call
    text ping report save store note remember remind keep use avoid do go let ignore skip leave drop revert undo
    change replace switch verify confirm plan prepare suggest recommend propose proofread paraphrase describe
    describe extract parse plot draw design delete squash tag log post share attach include exclude enable
    disable lower raise increase decrease round split join combine ask wait continue proceed hold pick choose
    decide think guess imagine pretend act stick water feed bring prefer talk treat assume trust repeat quiz
    teach challenge mark highlight address name label spell say speak mention quote cite warn notify forget
    don't never always please stop link trim cut crop resize scan analyse analyze inspect watch monitor
    investigate examine connect sync back research archive collect file forward redo rotate rank see take come
    pass kill stage cherry-pick rebase""".split()
)
FINITE = frozenset(
    """is are was were am be been has have had do does did will would can could should shall must may might isn't
    aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't won't wouldn't can't couldn't shouldn't
    cannot mustn't needs wants says goes comes gets makes takes costs runs""".split()
)
STOPWORDS = frozenset(
    """a an the and or but if then else so of to in on at for from by with about into over under after before
    between than as is are was were be been being am do does did have has had having will would can could should
    shall may might must not no nor only own same too very just also there here when where why how what which
    who whom this that these those it its he she they them his her hers their theirs we us our ours you your
    yours i me my mine myself any all each every some most more less few many much other another such again once
    now still already yet ever never always please thanks ok okay yes up out off down back until till since
    while because though although per via let lets let's get got make made want wants wanted like likes need
    needs asks ask user the-user one two three ten lot new really both don't doesn't didn't isn't aren't wasn't
    weren't won't can't couldn't wouldn't shouldn't it's that's there's i'm i've i'll i'd he's she's they're
    we're we've we'll you're from on instead rather""".split()
)
DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
MONTHS = "january february march april may june july august september october november december".split()
CALENDAR = frozenset(DAYS) | frozenset(MONTHS) | frozenset(d + "s" for d in DAYS)

DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)
DATE = (
    rf"(?:\b{DAY}\b|\b\d{{1,2}}(?:st|nd|rd|th)?(?:\s?[-–]\s?\d{{1,2}}(?:st|nd|rd|th)?)?(?: of)? {MONTH}\b"
    rf"|\b{MONTH} \d{{1,2}}\b|\b\d{{4}}-\d\d-\d\d\b|\b(?:the|on|by|from|until) \d{{1,2}}(?:st|nd|rd|th)\b|\btomorrow\b"
    rf"|\btonight\b|\b(?:next|this|coming) (?:week|weekend|month|year|{DAY}|spring|summer|autumn|fall|winter)\b"
    rf"|\b(?:in|from|by|until|since|before|after|of) {MONTH}\b|\bin (?:\d{{1,3}}|two|three|four|six|a few) "
    rf"(?:days|weeks|months|years)\b|\b\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?\b)"
)
UNIT = (
    r"(?:eur|euros?|usd|gbp|chf|dollars?|pounds?|kg|g|grams?|kilos?|km|m|cm|mm|miles?|metres?|meters?|litres?"
    r"|liters?|l|ml"
    r"|hours?|hrs?|h|days?|weeks?|months?|years?|percent|watts?|w|kwp?|kwh|volts?|degrees|people|persons|guests|pieces"
    r"|sacks?|boxes|bottles?|cartons?|copies|pages|loaves|seats|rooms?|threads|square|times|tons?|tonnes?|requests"
    r"|users"
    r"|db|francs?|crowns?|yen|gb|mb|tb|ms|seconds|minutes|mins?)"
)
COUNT = r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred)"
QUANTITY = (
    rf"(?:\b\d[\d.,]* [a-z]{{3,}}s\b|\b{COUNT} (?:\w+ )?[a-z]+s\b"
    rf"|\b{COUNT} (?:per|a|an|each|percent)\b|[€$£]\s?\d[\d.,]*k?"
    rf"|\b\d[\d.,]*\s?(?:[€$£%²°]|{UNIT}\b)|\b\d+(?:[.,]\d+)?k\b|\b\d{{1,2}}:\d\d\b)"
)

KIN = (
    r"(?:wife|husband|partner|spouse|girlfriend|boyfriend|fianc[ée]e?|sister|brother|mother|father|mum|mom|dad|son"
    r"|daughter|aunt|uncle|cousin|niece|nephew|grand(?:ma|pa|mother|father|son|daughter|parents)|[a-z]+-in-law|kids?"
    r"|child(?:ren)?|baby|twins|friend|neighbou?r|flatmate|roommate|housemate|boss|manager|colleague|coworker|co-worker"
    r"|assistant|intern|mentor|teacher|tutor|coach|doctor|dentist|therapist|physio|surgeon|vet|lawyer|accountant"
    r"|landlord|landlady|tenant|client|customer|supplier|contractor|plumber|electrician|architect|designer|editor"
    r"|publisher|agent|cofounder|co-founder|business partner|team ?lead|supervisor|advisor|dog|cat|horse|parrot|puppy)"
)

WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def words(text: str) -> list[str]:
    """The words of a text in lower case; hyphens and apostrophes inside a word belong to it."""
    return [w.replace("’", "'") for w in WORD.findall(text.lower())]


@lru_cache(maxsize=8192)
def content(text: str) -> frozenset[str]:
    """What a text is about: its words without stop words, plurals cut; for Chinese and Japanese its character pairs."""
    runs = "".join(c if CJK.match(c) else " " for c in text).split()
    pairs = {run[i : i + 2] for run in runs for i in range(max(1, len(run) - 1))}
    return frozenset(pairs) | {stem(w) for w in words(text) if w not in STOPWORDS and not CJK.search(w) and len(w) > 1}


def stem(word: str) -> str:
    """A word without its plural or third-person ending: enough to see that "delivers" and "deliver" are one."""
    word = word.removesuffix("'s")
    for ending, rest in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return (word[: -len(ending)] + rest).rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word


def third_person(verb: str) -> str:
    """The form of a verb after a name: "want" gives "wants"; past forms and modals stay as they are."""
    low = verb.lower()
    if low in IRREGULAR_THIRD:
        return IRREGULAR_THIRD[low]
    if low in MODALS or low in IRREGULAR_PAST or (low.endswith("ed") and low not in NOT_PAST) or "'" in low:
        return verb
    if low.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def is_verb(word: str) -> bool:
    """Whether a word, as it stands, is surely a verb form in this small vocabulary."""
    low = word.lower()
    if low in FINITE or low in MODALS or low in IRREGULAR_PAST or low.endswith(("n't", "'ll", "'ve", "'re", "'m")):
        return True
    base = low.removesuffix("s")
    return low in COMMON_VERBS or base in COMMON_VERBS or base.removesuffix("e") in COMMON_VERBS


_CLAUSE_VERB = re.compile(
    r"\b(?i:i|we|they|you|he|she|who) (?:[a-z]+ly |also |never |always |still |just |now )?[a-z]{2,}"
    r"|(?:[A-ZÀ-Þ][\w'-]+|\b(?:the|my|our|his|her|a) \w+) [a-z]{3,}s (?:the|a|an|in|to|on|for|with|at|it|up|out|over"
    r"|every|us|me|them|my|our|his|her|from|by|until|off|down|late|early)\b"
)


def has_verb(text: str) -> bool:
    """Whether a clause has a finite verb: "paper cards only" has none."""
    if _CLAUSE_VERB.search(text):
        return True
    for word in WORD.findall(text.replace("’", "'")):
        low = word.lower()
        if is_verb(low) or (low.endswith("ed") and low not in NOT_PAST and len(low) > 4):
            return True
        if low.endswith("'s") and low[:-2] in ("it", "that", "he", "she", "there", "what", "who", "here", "one"):
            return True
    return False
