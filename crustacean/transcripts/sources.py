"""What may be read: the session stores on this machine, and which of them, and which sessions, a person chose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from pathlib import Path

from crustacean.errors import UsageError
from crustacean.transcripts import registry, rules
from crustacean.transcripts.rules import Rule
from crustacean.transcripts.session import Reader, Session, Speaker
from crustacean.workspace import config
from crustacean.workspace.config import Sources


@dataclass(frozen=True, slots=True)
class Found:
    """A store on this machine, by the stat of its files alone. rule: what includes it. sessions: its files.
    first, last: the days (UTC) of the file that was written longest ago, and of the one written last."""

    client: str
    root: Path
    rule: str
    sessions: int
    bytes: int
    first: date | None
    last: date | None


def found(home: Path, env: Mapping[str, str]) -> list[Found]:
    """The stores of all readers that hold anything. No file is opened."""
    out: list[Found] = []
    for name, reader in registry.readers().items():
        roots = reader.find(home, env)
        for root in roots:
            files = list(reader.files(root))
            if not files:
                continue
            days = [datetime.fromtimestamp(f.mtime_ns / 1e9, UTC).date() for f in files]
            rule = name if len(roots) == 1 else rules.shown(root, home)
            out.append(Found(name, root, rule, len(files), sum(f.size for f in files), min(days), max(days)))
    return out


def rule(text: str, must_exist: bool = True) -> str:
    """A rule as it is kept in crab.toml. must_exist: a path must be a store that some reader knows.
    Raises UsageError for a text that is no rule."""
    (made,) = _parsed([text])
    if made.kind == "path" and must_exist:
        path = Path(made.value)
        if not path.exists():
            raise UsageError(f"{path} does not exist", "`crab sources list` shows the stores that are here")
        if not any(reader.recognises(path) for reader in registry.readers().values()):
            names = ", ".join(registry.readers())
            raise UsageError(f"{path} holds no sessions that crab can read", f"the readers are {names}")
    return rules.written(made, config.home())


def chosen(settings: Sources, only: Sequence[str]) -> Iterator[tuple[Reader, Path]]:
    """The stores to read, each once for each reader. only: rules that take the place of `settings.include`, where there
    are any. A path that is gone is given too, with a reader that finds nothing in it. Raises UsageError for a text that
    is no rule."""
    readers = registry.readers()
    never = {r.value for r in _parsed(settings.exclude) if r.kind == "client"}
    seen: set[tuple[str, Path]] = set()
    for made in _parsed(only or settings.include):
        for name, root in _roots(made, readers):
            place = (name, _real(root))
            if place not in seen and name not in never:
                seen.add(place)
                yield readers[name], root


def allowed(session: Session, settings: Sources, speaker: Speaker | None = None) -> bool:
    """Whether a session of a chosen store may be read: no rule excludes it, and where includes name agents,
    directories, sessions or people, one of them (or its store as a whole) means it.

    speaker: of one turn, so that an excluded person is passed over in a session of several.
    """
    if any(made.matches(session, speaker) for made in _parsed(settings.exclude)):
        return False
    includes = _parsed(settings.include)
    if any(made.matches(session) for made in includes):
        return True
    return not any(_narrows(made, session) for made in includes)


def private_project(session: Session, settings: Sources) -> str | None:
    """The name of the private project in whose directory a session ran, None where it is none of those.

    The name is the directory's own; where another private directory could have the same, its path."""
    if session.directory is None:
        return None
    patterns = [str(rules.absolute(p, config.home(), Path("/"))) for p in settings.private]
    hits = [(hit, p) for p in patterns if (hit := rules.matched(session.directory, p)) is not None]
    if not hits:
        return None
    hit, pattern = max(hits, key=lambda h: len(h[0]))
    name = Path(hit).name
    alone = not set(pattern) & set("*?[") and [Path(p).name for p in patterns].count(name) == 1
    return name if alone and name else rules.shown(hit, config.home())


def shown(root: Path) -> str:
    """A store's path as a person reads it, `~/...` where it lies under the home."""
    return rules.shown(root, config.home())


def _parsed(texts: Sequence[str]) -> tuple[Rule, ...]:
    return _parsed_at(tuple(texts), config.home(), Path.cwd())


@lru_cache(maxsize=64)
def _parsed_at(texts: tuple[str, ...], home: Path, cwd: Path) -> tuple[Rule, ...]:
    return tuple(rules.parse(text, registry.readers(), home, cwd) for text in texts)


def _roots(made: Rule, readers: Mapping[str, Reader]) -> Iterator[tuple[str, Path]]:
    """Where the sessions that a rule includes may lie."""
    if made.kind == "path":
        root = Path(made.value)
        knowing = [name for name, reader in readers.items() if reader.recognises(root)]
        yield from ((name, root) for name in (knowing or list(readers)[:1]))
        return
    client = made.value.partition(":")[0] if made.kind in ("client", "agent") else None
    for name, reader in readers.items():
        if client in (None, name):
            yield from ((name, root) for root in reader.find(config.home(), config.env()))


def _narrows(made: Rule, session: Session) -> bool:
    """Whether an include means only some sessions of a store in which this one lies."""
    if made.kind == "agent":
        return Rule("client", made.value.partition(":")[0]).matches(session)
    return made.kind in ("dir", "session", "peer")


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path
