"""Who may see an entry, and how far what it says is trusted (docs/entries.md).

An audience is a string: `main` (only the owner's main session), `shared` (everyone), or viewers that see it beside
main: `dm:PEER, group:ID`. `project:NAME` names sessions of a private project: alone, not even main sees it. `none` is
seen by no session: what comes of mixing two without a viewer in common, which only a private project can bring about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

MAIN: Final = "main"
SHARED: Final = "shared"
NONE: Final = "none"

_VIEWER = re.compile(r"(?:dm|group|project):[^\s,;]+\Z")
_UNFIT = re.compile(r"[,;%\x00-\x1f\x7f]|\s")

ORIGINS: Final = ("owner", "person", "agent", "unknown", "untrusted", "system")
"""Most trusted first; a person is written `person:NAME`."""


def viewers(audience: str | None) -> frozenset[str] | None:
    """The viewers of an audience, main among them where it sees it; None for everyone. Absent means main.

    Raises ValueError for what is no audience.
    """
    parts = {p.strip() for p in (audience or MAIN).split(",")} - {""}
    if SHARED in parts:
        return None
    if parts == {NONE}:
        return frozenset()
    for part in parts:
        if part != MAIN and not _VIEWER.match(part):
            raise ValueError(f"{part!r} is no audience")
    if not parts or any(p.startswith(("dm:", "group:")) for p in parts):
        parts.add(MAIN)
    return frozenset(parts)


def written(seen_by: frozenset[str] | None) -> str:
    """The canonical string of a set of viewers (None: everyone)."""
    if seen_by is None:
        return SHARED
    if not seen_by:
        return NONE
    others = sorted(seen_by - {MAIN})
    implied = not others or any(p.startswith(("dm:", "group:")) for p in others)
    if not others:
        return MAIN
    return ", ".join(others if implied or MAIN not in seen_by else [MAIN, *others])


def canonical(audience: str | None) -> str:
    """An audience in the one form that is compared and stored. What can't be read as one is `main`: a comment that a
    person mistyped must not show anything to anyone."""
    try:
        return written(viewers(audience))
    except ValueError:
        return MAIN


def _set(audience: str | None) -> frozenset[str] | None:
    return viewers(canonical(audience))


def intersect(*audiences: str | None) -> str:
    """The audience of what was made from sources of these audiences: those who may see all of them. `shared` for none
    given; `main` where nobody beside main is left; `none` where not even main is (a private project was among them)."""
    left: frozenset[str] | None = None
    for audience in audiences:
        seen_by = _set(audience)
        if seen_by is not None:
            left = seen_by if left is None else left & seen_by
    return written(left)


def widen(audience: str | None, viewer: str) -> str:
    """The audience with one more viewer (`shared`: everyone). Raises ValueError where `viewer` is none."""
    more, seen_by = viewers(viewer), _set(audience)
    return written(None if more is None or seen_by is None else seen_by | more)


def narrower(a: str | None, b: str | None) -> bool:
    """Whether everyone who may see `a` may see `b` (true of equal ones too)."""
    first, second = _set(a), _set(b)
    return second is None or (first is not None and first <= second)


def may_see(audience: str | None, viewer: str) -> bool:
    """Whether one viewer (`main`, `dm:4002`, `project:atlas`, `shared` for one without a name) may see it."""
    seen_by = _set(audience)
    return seen_by is None or viewer in seen_by


def viewer_of(kind: str, peer: str | None = None, private_project: str | None = None) -> str:
    """The viewer that a session is. kind: of transcripts.session, from the host program. peer: the other person's id in
    a dm, the group's id in a group. private_project: the name of the private project whose directory it ran in."""
    if private_project:
        return f"project:{_fit(private_project)}"
    if kind in ("dm", "group") and peer:
        return f"{kind}:{_fit(peer)}"
    return SHARED if kind == "group" else MAIN


def of_session(
    kind: str, peer: str | None = None, private_project: str | None = None, sender: str | None = None
) -> str:
    """The audience of what is said in a session. sender: the id of who said it, where that is not the owner (clients
    may put the dms of several people into the main session)."""
    viewer = viewer_of(kind, peer, private_project)
    if viewer == SHARED:
        return MAIN  # a group without an id: nobody can be named, so nobody is
    if viewer == MAIN and kind in ("main", "dm") and sender:
        return f"dm:{_fit(sender)}"
    return viewer


def _fit(name: str) -> str:
    # Percent-encoded, so that two ids never become one viewer.
    return _UNFIT.sub(lambda m: "".join(f"%{b:02X}" for b in m[0].encode()), name)


def rank(origin: str | None) -> int:
    """The place of an origin in ORIGINS; what is none counts as unknown."""
    kind, colon, name = (origin or "").partition(":")
    if colon:
        return ORIGINS.index("person" if kind == "person" and name else "unknown")
    return ORIGINS.index(kind if kind in ORIGINS and kind != "person" else "unknown")


def least(origins: Iterable[str | None]) -> str:
    """The least trusted of some origins; `unknown` for none. Of two persons the first by name: equally trusted."""
    known = [(rank(o), o or "") for o in origins]
    if not known:
        return "unknown"
    worst = max(n for n, _ in known)
    return min(o for n, o in known if n == worst) if ORIGINS[worst] == "person" else ORIGINS[worst]
