"""Applies corrections inside a conversation: the last value is kept, the one before it is not stated as current."""

from __future__ import annotations

import re

from crustacean.models.offline import days, words
from crustacean.models.offline.statement import Statement
from crustacean.models.offline.values import Value, renewed, values

_NOT = re.compile(
    r"\b(?:not|instead of|rather than|nicht|statt|anstatt|no|en vez de|en lugar de|sino|pas|au lieu d[eu']|não"
    r"|em vez d[eoa]|non|invece di|niet)\b(?P<old>[^,.;:!?]{1,40})",
    re.IGNORECASE,
)
_NOT_CJK = re.compile(r"(?:不是|而不是)(?P<a>[^，。,]{1,15})|(?P<b>[^、。,]{1,15})(?:ではなく|じゃなくて)")
_DROPPED = re.compile(
    r"\b(?P<what>[\w./-]+)(?: idea| plan| option)? (?:is|are) (?:out|off|dropped|cancel?led|off the table|dead)\b"
    r"|\b(?:forget|drop|scrap|ditch|scratch|cancel)(?: about)? (?:the |that |our |my )?(?P<what2>[\w./-]+)"
    r"|\b(?:rejected|dropped|decided against|ruled out|abandoned|scrapped) (?:the |that |our |my )?(?P<what4>[\w./-]+)"
    r"|\b(?:no|not) (?P<what3>[\w./-]+) (?:any ?more|after all)\b",
    re.IGNORECASE,
)
_SAID_IT_IS = re.compile(
    r"^i (?:said|told you|wrote|mentioned)(?: that)? (?P<claim>.{5,120}?)[;,.–—]+ (?:but |and )?(?:it's|it is|that's"
    r"|make it|they're|there are|it should be)(?: actually| now| really)? (?P<now>.{1,120})$",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?:no,? wait|wait,? no|scratch that)?[, ]*(?P<kept>\S.{3,}?),? make (?:it|that) .{1,40}$", re.IGNORECASE
)
_MAKE_IT = re.compile(r"\bmake (?:it|that)\b", re.IGNORECASE)
_CUE_WORDS = frozenset(
    words.stem(w)
    for w in """correct correction actually sorry wrong mistake mix mixed meant mean date day time number name right
    small quick change changed said told call called user not instead eur euros usd gbp kg km hours days per kilo that
    it come made have get""".split()
)
_PRICES = frozenset(words.stem(w) for w in "price cost costs fee rate charge preis precio prix preço prezzo".split())
_MONEY = frozenset("eur euro euros usd gbp chf sek nok dkk pln dollar dollars pounds € $ £".split())
_NEAR = 12
"""How many turns back a correction without a topic of its own may reach."""


def resolve(statements: list[Statement]) -> None:
    """Put new values into what they correct, mark what is overturned as gone. Statements come in order of talking."""
    for number, later in enumerate(statements):
        if later.gone or later.agent:
            continue
        earlier = [s for s in statements[:number] if not s.gone and later.order - s.order <= 60]
        _overturn(later, earlier)
        if later.correction or _negated(later.core):
            _correct(later, earlier)
        if later.fragment:
            later.gone = True


def _overturn(later: Statement, earlier: list[Statement]) -> None:
    for match in _DROPPED.finditer(later.core):
        what = next(g for g in match.groups() if g).lower().strip("-.")
        if what in words.STOPWORDS or len(what) < 3:
            continue
        for statement in earlier:
            if (
                what in words.words(statement.core)
                and statement.tag in ("decision", "plan", "idea", "promise", "reminder")
                and not statement.gone
            ):
                statement.gone = True


def _negated(text: str) -> list[Value]:
    """The values that a sentence says do not hold: "30, not 24" gives the 24."""
    spans = [(m.start("old"), m.end("old")) for m in _NOT.finditer(text)]
    for match in _NOT_CJK.finditer(text):
        spans.append(match.span("a") if match["a"] else match.span("b"))
    return [v for v in values(text) if any(a <= v.start < b for a, b in spans)]


def _correct(later: Statement, earlier: list[Statement]) -> None:
    old = _negated(later.core)
    new = [v for v in values(later.core) if v not in old and not (v.kind == "name" and v.start == 0)]
    if not new:
        return
    target = _target(later, old, new, earlier)
    if target is None:
        return
    replaced = False
    for kind in dict.fromkeys(v.kind for v in new):
        replaced |= _replace(target, kind, old, [v for v in new if v.kind == kind])
    if not replaced:
        return
    target.cite(later.labels)
    target.correction = True
    if target.due:
        target.due = days.due(target.text, target.local.date())
    target.why = "corrected later in the conversation"
    if _adds_nothing(later, target):
        later.gone = True
        target.importance = max(target.importance, later.importance)
    else:
        later.text = _ORDER.sub(r"\g<kept>.", _without_old(later.text, old))


def _target(later: Statement, old: list[Value], new: list[Value], earlier: list[Statement]) -> Statement | None:
    """The statement that is corrected: one with the old value, else the nearest about the same thing with another value
    of the same kind."""
    changed = {words.stem(w) for v in new + old if v.kind not in ("name", "path") for w in words.words(v.text)}
    topic = _topic(later.core) - changed
    aimless = not topic or _pronoun(later.core) or bool(_MAKE_IT.search(later.core))
    best: tuple[float, Statement] | None = None
    for distance, statement in enumerate(reversed(earlier)):
        its = values(statement.text)
        shared = len(topic & _topic(statement.text))
        # "the price is 13.90" is about whatever was said to cost something, though no word of it comes again.
        shared += bool(topic & _PRICES) and any(v.unit in _MONEY for v in its)
        has_old = any(_same(o, v) for o in old for v in its)
        if not has_old:
            near = aimless and not old and later.order - statement.order <= _NEAR
            if not later.correction or not (shared or near) or not any(_replaces(n, v) for n in new for v in its):
                continue
        score = min(shared, 3) + (3 if has_old else 1) - 0.05 * distance
        if best is None or score > best[0]:
            best = (score, statement)
    return best[1] if best else None


def self_corrected(text: str) -> str:
    """ "I said the workshop has 20 seats; it's 24, I miscounted" as "the workshop has 24 seats, I miscounted".

    Any other text comes back unchanged.
    """
    match = _SAID_IT_IS.match(text)
    if not match or not words.has_verb(match["claim"]):
        return text
    fresh = next((v for v in values(match["now"]) if v.kind != "name"), None)
    stale = [v for v in values(match["claim"]) if fresh is not None and v.kind == fresh.kind]
    if fresh is None or len(stale) != 1:
        return text
    claim = match["claim"]
    put = claim[: stale[0].start] + renewed(stale[0], fresh) + claim[stale[0].stop :]
    rest = match["now"][fresh.stop :].lstrip()
    return f"{put}{'' if rest[:1] in ',.;' or not rest else ' '}{rest}"


def _topic(text: str) -> set[str]:
    return {w for w in words.content(text) if w not in _CUE_WORDS and not w.isdigit() and w not in words.CALENDAR}


def _pronoun(text: str) -> bool:
    return bool(re.match(r"(?:\w+,? ){0,3}(?:it|they|that|this|he|she)(?:'s|'re| is| are| was)\b", text, re.IGNORECASE))


def _same(a: Value, b: Value) -> bool:
    return (
        a.kind == b.kind
        and a.plain == b.plain
        and (a.kind != "amount" or not a.unit or not b.unit or a.unit == b.unit or a.unit[:3] == b.unit[:3])
    )


def _replaces(new: Value, old: Value) -> bool:
    """Whether a new value can stand in the place of an old one: of one kind, another value, and the same unit."""
    if new.kind != old.kind or new.plain == old.plain or new.kind == "name":
        return False
    return not (new.kind == "amount" and new.unit and old.unit and new.unit[:3] != old.unit[:3])


def _replace(target: Statement, kind: str, old: list[Value], new: list[Value]) -> bool:
    its = [v for v in values(target.text) if v.kind == kind]
    named = [v for v in its if any(_same(o, v) for o in old)]
    if named and new:
        spot, value = named[0], new[0]
    else:
        pairs = [(v, n) for v in its for n in new if _replaces(n, v)]
        if len({v.start for v, _ in pairs}) != 1 and not (kind == "amount" and pairs):
            return False
        spot, value = pairs[0]
        if any(n.plain == v.plain for v in its for n in new):
            return False
    target.text = target.text[: spot.start] + renewed(spot, value) + target.text[spot.stop :]
    target.core = target.core.replace(spot.text, renewed(spot, value), 1)
    return True


def _adds_nothing(later: Statement, target: Statement) -> bool:
    """Whether a correction says no more than the statement it has been put into."""
    own, its = _topic(later.core), _topic(target.text)
    names = {v.plain for v in values(later.core) if v.kind in ("name", "path")} - {v.plain for v in values(target.text)}
    firsts = {w for n in names for w in words.words(n)} - set(words.words(target.text))
    extra = own - its - {w for o in _negated(later.core) for w in words.words(o.text)}
    return (not (firsts & extra) and len(extra) * 2 <= len(own)) or not own


def _without_old(text: str, old: list[Value]) -> str:
    """ "30, not 24" without ", not 24": what it replaced is told by the statement it corrected."""
    for value in old:
        text = re.sub(
            rf",? (?:and )?(?:not|no|nicht|pas|não|non) (?:the |on |at |in )?{re.escape(value.text)}(?=[.,;:!? ]|$)",
            "",
            text,
            count=1,
            flags=re.IGNORECASE,
        )
    return text
