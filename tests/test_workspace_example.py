"""The example workspace is what crab itself would have left: every file parses, every comment is one of crab's, and the
facts, days and ids in it agree with each other."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from datetime import date
from functools import cache
from pathlib import Path

import pytest

from crustacean.edits import trash
from crustacean.text.language import language
from crustacean.text.normalise import normalise
from crustacean.workspace import audience, config, daily, layout, rewrite
from crustacean.workspace.document import Document, parse
from crustacean.workspace.entries import Entry, entry_id
from crustacean.workspace.meta import Meta, parse_meta

ROOT = Path(__file__).parents[1] / "workspace-example"
FILES = sorted(p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*") if p.is_file() and ".crab" not in p.parts)
MEMORY = [p for p in FILES if layout.is_memory(p)]
OTHERS = {"archive/trash/2026-03.md", "crab.toml", "projects/harbourlog/brief.md", "skills/tide-today/SKILL.md"}
BARE = (layout.MEMORY, *layout.FOUNDATION)
FIRST, LAST = date(2026, 2, 23), date(2026, 3, 29)

COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
SESSION = r"(?:openclaw|claude-code):[a-z]+/[0-9a-f]{8}-[0-9a-f]{4}"
SRC = re.compile(rf"{SESSION}#\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*(?:, {SESSION}#\d+(?:-\d+)?)*")
DATED = re.compile(
    r"(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday), (\d{1,2})(?: (February|March|April))?(?: 2026)?\b"
)
MONTHS = {"February": 2, "March": 3, "April": 4}


def believe(path: str, computed: str, claimed: str | None) -> str:
    return claimed or computed


@cache
def document(path: str) -> Document:
    return parse(path, (ROOT / path).read_bytes(), believe)


def all_entries() -> list[Entry]:
    return [e for path in MEMORY for e in document(path).entries if normalise(e.text)]


def by_id() -> dict[str, Entry]:
    return {e.id: e for e in all_entries()}


def metas(path: str) -> list[Meta]:
    found = document(path)
    return [h.meta for h in found.headings] + [e.meta for e in found.entries]


def test_every_file_is_memory_or_known_not_to_be() -> None:
    assert set(FILES) - set(MEMORY) == OTHERS
    assert not any(p.startswith((layout.LEDGER_DIR, layout.STATE_DIR)) for p in FILES)
    for path in FILES:
        assert layout.safe(path) == path


def test_it_is_lived_in() -> None:
    days = sorted(filter(None, map(layout.day_of, MEMORY)))
    assert days[0] >= FIRST and days[-1] <= LAST and (days[-1] - days[0]).days >= 30 and len(days) >= 20
    folders = Counter(p.rpartition("/")[0] for p in MEMORY)
    for folder in layout.FOLDERS:
        if folder.startswith("memory/") and folder != layout.SYSTEM_DIR:
            assert folders[folder], folder
    assert folders["memory/projects"] == 2 and folders["memory/groups"] == 1 and folders["memory/contacts"] >= 3
    assert {"knowledge/topics", "knowledge/procedures", "archive/digests", "archive/superseded"} <= set(folders)
    assert layout.LOG in MEMORY and layout.SELF in MEMORY and set(BARE) <= set(MEMORY)
    assert any(language(" ".join(e.text for e in document(p).entries)) == "es" for p in MEMORY if layout.day_of(p))


def test_the_settings_are_read_without_a_warning() -> None:
    settings = config.load(ROOT)
    assert settings.timezone.key == "Europe/Madrid" and settings.owner.ids == {"3301"} and not settings.warnings
    assert settings.models.default == "offline" and settings.budget.month_cost == 5.0
    assert tomllib.loads((ROOT / "crab.toml").read_text()).keys() >= {"owner", "sources"}


@pytest.mark.parametrize("path", [p for p in FILES if p.endswith(".md")])
def test_every_file_parses(path: str) -> None:
    found = document(path)
    assert found.problem is None and found.newline == "\n" and found.data.endswith(b"\n") and not found.bom
    assert found.headings[0].level == 1 and found.entries
    assert sum(h.level == 1 for h in found.headings) == 1


@pytest.mark.parametrize("path", MEMORY)
def test_every_comment_is_crabs_and_in_its_form(path: str) -> None:
    comments = COMMENT.findall(document(path).data.decode())
    if path in BARE:
        assert all(parse_meta(c) is None for c in comments), "agents read these files raw"
        return
    read = [c for c in comments if (meta := parse_meta(c)) and not meta.other and meta.render() == c]
    others = [c for c in comments if c not in read]
    assert others == (
        ["<!-- What waits for a person. `crab show RUN` has the details of each run. -->"]
        if path == layout.REVIEW
        else []
    )
    assert Counter(read) == Counter(m.render() for m in metas(path) if m != Meta())


def test_no_id_stands_twice() -> None:
    assert [i for i, n in Counter(e.id for e in all_entries()).items() if n > 1] == []


@pytest.mark.parametrize("path", MEMORY)
def test_values_are_what_they_claim_to_be(path: str) -> None:
    for meta in metas(path):
        assert meta.src is None or SRC.fullmatch(meta.src), meta.src
        assert meta.audience is None or audience.canonical(meta.audience) == meta.audience
        assert meta.origin in (None, "owner", "agent") or audience.rank(meta.origin) == 1
        assert meta.observed is None or FIRST <= date.fromisoformat(meta.observed) <= LAST
        for day in (meta.due, meta.expires):
            assert day is None or date(2026, 3, 1) <= date.fromisoformat(day) <= date(2026, 4, 30)
        assert meta.project is None or f"memory/projects/{meta.project}.md" in MEMORY


@pytest.mark.parametrize("path", [p for p in MEMORY if layout.day_of(p)])
def test_a_days_log_is_in_order_and_says_where_each_line_is_from(path: str) -> None:
    found, day = document(path), layout.day_of(path)
    assert day is not None and found.headings[0].text == day.isoformat()
    topics = [h for h in found.headings if h.level == 3]
    clocks = [daily.clock_of(h) or "" for h in topics]
    assert len(topics) == len(found.headings) - 1 and all(clocks) and clocks == sorted(clocks)
    for entry in found.entries:
        assert entry.effective.src and entry.effective.origin and entry.effective.audience and entry.tag
    for topic in topics:
        assert topic.meta.src and topic.meta.origin and topic.meta.audience


def test_positions_in_a_session_rise_with_time() -> None:
    last: dict[str, int] = {}
    for path in sorted((p for p in MEMORY if layout.day_of(p)), key=lambda p: str(layout.day_of(p))):
        for heading in document(path).headings[1:]:
            session, _, places = (heading.meta.src or "").partition("#")
            start, _, stop = places.partition("-")
            assert int(start) > last.get(session, 0), heading.text
            last[session] = int(stop or start)
            for entry in document(path).entries:
                own, _, place = (entry.meta.src or "").partition("#")
                if entry.heading == heading.path and own:
                    assert own == session and int(start) <= int(place) <= last[session]


def test_what_was_promoted_names_its_evidence() -> None:
    known = by_id()
    promoted = [e for e in all_entries() if e.meta.from_]
    assert len(promoted) > 40
    for entry in promoted:
        sources = [known[i] for i in entry.meta.from_]
        assert all(layout.day_of(s.path) for s in sources)
        if not entry.path.startswith(("archive/", "memory/reminders/", "memory/lists/")):
            assert entry.effective.observed == max(s.birth for s in sources), entry.text
        seen = audience.intersect(*(s.effective.audience for s in sources))
        assert audience.narrower(entry.effective.audience, seen), entry.text
        assert audience.rank(entry.effective.origin) >= audience.rank(
            audience.least(s.effective.origin for s in sources)
        )


def test_what_was_replaced_stays_and_says_by_what() -> None:
    known = by_id()
    replaced = [e for e in all_entries() if e.meta.superseded and layout.day_of(e.path)]
    assert len(replaced) >= 3
    for entry in replaced:
        day, _, new = (entry.meta.superseded or "").partition(" by ")
        assert known[new].birth > entry.birth and date.fromisoformat(day) >= date.fromisoformat(known[new].birth)
    kept = document("archive/superseded/2026-03.md").entries
    for entry in kept:
        home = entry.heading[-1]
        assert home in MEMORY and entry.meta.superseded and entry.meta.observed
        assert entry.id == entry_id(entry.meta.observed, layout.subject_of(home), "", entry.text), "the id it had there"
        assert entry.text not in (ROOT / home).read_text()
    assert len(kept) >= 3


def test_what_went_into_the_trash_can_be_read() -> None:
    (gone,) = [g for g, _, _ in trash.sections((ROOT / "archive/trash/2026-03.md").read_bytes())]
    assert gone.path in MEMORY and gone.why == "said twice"
    assert gone.heading in {h.path for h in document(gone.path).headings}
    (entry,) = parse(gone.path, gone.block.encode()).entries
    assert entry.id == gone.id


@pytest.mark.parametrize("path", FILES)
def test_weekdays_and_links_are_right(path: str) -> None:
    text = (ROOT / path).read_text()
    for name, day, month in DATED.findall(text):
        if month:
            assert date(2026, MONTHS[month], int(day)).strftime("%A") == name, f"{name}, {day} {month}"
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", text):
        assert ((ROOT / path).parent / target).is_file(), target


def test_sums_agree() -> None:
    boat = (ROOT / "memory/projects/golondrina.md").read_text()
    assert (
        sum(map(int, re.findall(r"^\| [^|]+ \| (\d+) \|", boat, re.MULTILINE))) == 658 and "658 EUR are spent" in boat
    )
    logs = " ".join(document(p).data.decode() for p in MEMORY if layout.day_of(p))
    assert [int(n) for n in re.findall(r"(\d+)(?: copper)? rivets", logs)] == [138, 274, 412]
    assert 150 + 230 == 380 and "deposit of 150 EUR" in logs and "remaining 230 EUR" in logs


@pytest.mark.parametrize("path", [p for p in MEMORY if p not in BARE])
def test_crab_would_write_the_same_bytes(path: str) -> None:
    found = document(path)
    for entry in found.entries:
        if entry.meta != Meta():
            assert rewrite.annotate(found, entry, entry.effective).data == found.data, entry.text
