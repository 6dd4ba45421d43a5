from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from crustacean.errors import UsageError
from crustacean.transcripts import sources
from crustacean.transcripts.session import Session, Speaker
from crustacean.workspace.config import Sources
from tests.transcripts.claude_files import Log

CODE = Session("claude-code", "main", "3f2a", "3f2a", "main", Path("/s/3f2a.jsonl"), directory="/home/ana/work/shop")
CHAT = Session("openclaw", "main", "9b", "agent:main:main", "main", Path("/s/x.sqlite"))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with one store of Claude Code, and no other client."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CLAUDE_CONFIG_DIR", "OPENCLAW_STATE_DIR", "OPENCLAW_HOME", "OPENCLAW_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    log = Log()
    log.user("u1", "hello")
    log.write(tmp_path / ".claude" / "projects" / "-home-ana")
    return tmp_path


def chosen(*include: str, exclude: tuple[str, ...] = (), only: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    pairs = sources.chosen(Sources(include=include, exclude=exclude), only)
    return [(reader.client, sources.shown(root)) for reader, root in pairs]


def test_the_stores_of_this_machine_are_found_by_stat_alone(home: Path) -> None:
    (store,) = sources.found(home, {})
    file = next((home / ".claude").rglob("*.jsonl"))
    assert (store.client, store.root, store.rule) == ("claude-code", home / ".claude", "claude-code")
    assert (store.sessions, store.bytes) == (1, file.stat().st_size)
    assert isinstance(store.first, date) and store.first == store.last
    file.chmod(0)
    assert sources.found(home, {}) == [store]


def test_of_two_stores_of_a_client_each_has_its_own_rule(home: Path) -> None:
    log = Log()
    log.user("u1", "hello")
    log.write(home / ".config" / "claude" / "projects" / "-home-ana")
    assert [s.rule for s in sources.found(home, {})] == ["~/.claude", "~/.config/claude"]


def test_a_store_without_sessions_is_not_worth_a_question(home: Path) -> None:
    next((home / ".claude").rglob("*.jsonl")).unlink()
    assert sources.found(home, {}) == []


def test_nothing_is_read_that_nobody_chose(home: Path) -> None:
    assert chosen() == []


@pytest.mark.parametrize(
    "include",
    ["claude-code", "~/.claude", "claude-code:main", "dir:~/work", "session:3f*", "~/.claude/projects/-home-ana"],
)
def test_a_rule_leads_to_the_stores_in_which_what_it_means_may_lie(home: Path, include: str) -> None:
    root = include if include.startswith("~") else "~/.claude"
    assert chosen(include) == [("claude-code", root)]


def test_a_store_that_several_rules_mean_is_read_once(home: Path) -> None:
    (home / "link").symlink_to(home / ".claude")
    assert chosen("claude-code", "~/.claude", "~/link", "dir:~/x") == [("claude-code", "~/.claude")]


def test_the_sources_of_one_run_take_the_place_of_the_chosen_ones(home: Path) -> None:
    assert chosen("openclaw", only=("claude-code",)) == [("claude-code", "~/.claude")]


def test_an_excluded_client_is_not_even_opened(home: Path) -> None:
    assert chosen("claude-code", exclude=("claude-code",)) == []


def test_a_chosen_path_that_is_gone_is_named_and_holds_nothing(home: Path) -> None:
    ((reader, root),) = sources.chosen(Sources(include=("~/gone",)), ())
    assert (root, list(reader.files(root))) == (home / "gone", [])


@pytest.mark.parametrize(
    ("include", "exclude", "code", "chat"),
    [
        (("claude-code", "openclaw"), (), True, True),
        (("claude-code", "openclaw"), ("openclaw",), True, False),
        (("claude-code", "openclaw"), ("~/work/shop",), False, True),
        (("claude-code", "openclaw"), ("dir:~/work/**",), False, True),
        (("claude-code", "openclaw"), ("session:agent:main:*",), True, False),
        (("dir:~/work", "openclaw:main"), (), True, True),
        (("dir:~/play", "openclaw"), (), False, True),
        (("openclaw:work", "claude-code"), (), True, False),
        (("/s/x.sqlite", "claude-code"), (), True, True),
    ],
)
def test_a_session_is_read_where_a_rule_means_it_and_none_excludes_it(
    home: Path, include: tuple[str, ...], exclude: tuple[str, ...], code: bool, chat: bool
) -> None:
    settings = Sources(include=include, exclude=exclude)
    here = replace(CODE, directory=f"{home}/work/shop")
    assert (sources.allowed(here, settings), sources.allowed(CHAT, settings)) == (code, chat)


def test_a_store_named_for_one_run_is_not_held_back_by_the_rules_of_other_clients(home: Path) -> None:
    assert sources.allowed(CODE, Sources(include=("openclaw:work",)))


def test_an_excluded_person_is_passed_over_in_a_session_of_several(home: Path) -> None:
    settings = Sources(include=("openclaw",), exclude=("peer:4002",))
    assert sources.allowed(CHAT, settings, Speaker("person", "4001"))
    assert not sources.allowed(CHAT, settings, Speaker("person", "4002"))


def test_a_rule_in_the_settings_that_is_none_is_an_error_and_not_ignored(home: Path) -> None:
    with pytest.raises(UsageError, match="opnclaw is no source"):
        sources.allowed(CODE, Sources(exclude=("opnclaw",)))


def test_a_path_to_include_must_hold_sessions(home: Path) -> None:
    (home / "empty").mkdir()
    assert sources.rule("./.claude") == "~/.claude"
    assert sources.rule("./gone", must_exist=False) == "~/gone"
    with pytest.raises(UsageError, match="does not exist"):
        sources.rule("./gone")
    with pytest.raises(UsageError, match="holds no sessions"):
        sources.rule("./empty")


@pytest.mark.parametrize(
    ("private", "directory", "name"),
    [
        ((), "~/work/shop", None),
        (("~/work/shop",), "~/work/shop", "shop"),
        (("~/work/shop/",), "~/work/shop/api/src", "shop"),
        (("~/work/shop",), "~/work/shops", None),
        (("~/work", "~/work/shop"), "~/work/shop/api", "shop"),
        (("~/work/shop", "/srv/shop"), "~/work/shop", "~/work/shop"),
        (("~/clients/*",), "~/clients/acme/site", "~/clients/acme"),
        (("~/clients/**",), "~/clients/acme/site", "~/clients"),
    ],
)
def test_a_session_in_a_private_directory_belongs_to_its_project(
    home: Path, private: tuple[str, ...], directory: str, name: str | None
) -> None:
    session = replace(CODE, directory=directory.replace("~", str(home)))
    assert sources.private_project(session, Sources(private=private)) == name


def test_a_session_without_a_directory_is_of_no_project(home: Path) -> None:
    assert sources.private_project(CHAT, Sources(private=("/",))) is None
