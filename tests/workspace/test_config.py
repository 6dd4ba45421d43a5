from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crustacean.errors import UsageError, WorkspaceError
from crustacean.workspace import config, edit_config, shipped
from crustacean.workspace.config import Config, Limits, Models, Owner, Sources

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
LISTS = st.lists(WORDS, max_size=5)


def written(root: Path, text: str) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    (root / "crab.toml").write_bytes(text.encode())
    return root


def loaded(root: Path, text: str) -> Config:
    return config.load(written(root, text))


def test_an_empty_file_means_the_defaults(tmp_path: Path) -> None:
    got = loaded(tmp_path, 'timezone = "Europe/Madrid"')
    assert got == Config(timezone=got.timezone)
    assert got.timezone.key == "Europe/Madrid"
    assert (got.git_commit, got.models.default, got.sources.include) == ("daily", "offline", ())


def test_every_setting_is_read(tmp_path: Path) -> None:
    got = loaded(
        tmp_path,
        """
        timezone = "Asia/Tokyo"
        [owner]
        name = "Ana"
        ids = ["4002", 1001]
        [sources]
        include = ["openclaw"]
        exclude = ["dir:~/work/**"]
        never = ["gift"]
        private = ["~/secret"]
        cron = "off"
        [models]
        default = "anthropic:x"
        timeout_s = 60
        [models.stages]
        collect = "openai:y"
        [models.base_url]
        openai = "http://127.0.0.1:1/v1"
        [models.key_env]
        openai = "KEY"
        [models.key_cmd]
        anthropic = "pass show a"
        [models.key_file]
        other = "~/k"
        [models.prices]
        "openai:y" = [1, 2.5]
        [models.presets]
        mine = ["prog", "-x"]
        [budget]
        run_tokens = 1000
        run_cost = 0
        month_cost = 2.5
        [collect]
        batch_tokens = 5000
        [apply]
        collect = "review"
        [git]
        commit = "run"
        [secrets]
        patterns = ["ACME-[0-9]{6}"]
        """,
    )
    assert got == Config(
        timezone=got.timezone,
        owner=Owner("Ana", frozenset({"4002", "1001"})),
        sources=Sources(("openclaw",), ("dir:~/work/**",), ("gift",), ("~/secret",), "off"),
        models=Models(
            "anthropic:x",
            {"collect": "openai:y"},
            {"openai": "http://127.0.0.1:1/v1"},
            {"openai": "KEY"},
            {"anthropic": "pass show a"},
            {"other": "~/k"},
            60.0,
            {"openai:y": (1.0, 2.5)},
            {"mine": ("prog", "-x")},
        ),
        budget=Limits(1000, 0.0, 2.5),
        git_commit="run",
        apply={"collect": "review"},
        secret_patterns=("ACME-[0-9]{6}",),
        batch_tokens=5000,
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("timezone = \n[owner]", "line 1"),
        ('\n[owner]\nids = "4002"', "line 3: owner.ids is not a list of strings"),
        ("[owner]\nids = [true]", "line 2: owner.ids is not a list of strings"),
        ("owner = 3", "line 1: owner is not a table"),
        ('sources = "openclaw"', "line 1: sources is not a table"),
        ('[sources]\ncron = "sometimes"', "line 2: sources.cron is not report or off"),
        ('timezone = "Mars/Olympus"', "line 1: timezone is not a time zone that is known (Mars/Olympus)"),
        ('timezone = "../../etc/passwd"', "timezone is not a time zone"),
        ('timezone = "Europe"', "timezone is not a time zone"),
        ("[models]\ntimeout_s = 0", "line 2: models.timeout_s is not a number above 0"),
        ("[models]\ntimeout_s = inf", "models.timeout_s is not a number above 0"),
        ('[models]\nprices = {"x:y" = [1]}', "models.prices.x:y is not two numbers"),
        ('[models.prices]\n"x:y" = [nan, 1]', "line 2: models.prices.x:y is not two numbers"),
        ('[models.presets]\nmine = "prog"', "line 2: models.presets.mine is not a list of strings"),
        ("[budget]\nmonth_cost = nan", "line 2: budget.month_cost is not an amount"),
        ("[budget]\nrun_cost = -1", "line 2: budget.run_cost is not an amount"),
        ("[budget]\nrun_tokens = 1.5", "line 2: budget.run_tokens is not a whole number above 0"),
        ('[apply]\ncollect = "ask"', "line 2: apply.collect is not auto or review"),
        ("[git]\ncommit = true", "line 2: git.commit is not a string"),
        ('[secrets]\npatterns = ["["]', "line 2: secrets.patterns is not a list of regular expressions"),
        ("x = " + "[" * 5000, "crab.toml"),
    ],
)
def test_what_is_wrong_is_named_with_file_line_and_key(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(WorkspaceError) as caught:
        loaded(tmp_path, text)
    assert said in caught.value.message
    assert str(tmp_path / "crab.toml") in caught.value.message
    assert caught.value.hint
    assert "\n" not in caught.value.message


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    (tmp_path / "crab.toml").write_bytes(b'[owner]\nname = "\xff"')
    with pytest.raises(WorkspaceError, match="not UTF-8 at byte 16"):
        config.load(tmp_path)


def test_a_missing_file_leads_to_init(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="is missing") as caught:
        config.load(tmp_path)
    assert "crab init" in caught.value.hint


def test_a_folder_in_its_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "crab.toml").mkdir()
    with pytest.raises(WorkspaceError, match="can't be read"):
        config.load(tmp_path)


def test_unknown_settings_are_warned_of_and_do_no_harm(tmp_path: Path) -> None:
    got = loaded(
        tmp_path,
        'colour = "red"\n[git]\ncomit = "off"\n[hooks]\na = 1\n'
        '[apply]\ncolect = "review"\n[models.stages]\ntidy = "offline"',
    )
    assert got.git_commit == "daily"
    assert got.warnings == (
        "crab.toml: colour is not a setting of crab",
        "crab.toml: git.comit is not a setting of crab",
        "crab.toml: hooks is not a setting of crab",
        "crab.toml: models.stages.'tidy' is of no effect: there is no such stage",
        "crab.toml: apply.'colect' is of no effect: there is no such stage",
    )


def test_a_byte_order_mark_and_windows_line_ends_are_no_problem(tmp_path: Path) -> None:
    got = loaded(tmp_path, '\ufefftimezone = "UTC"\r\n[owner]\r\nname = "Ana"\r\n')
    assert got.owner.name == "Ana"


# Where the workspace is


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("CRAB_WORKSPACE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def test_the_workspace_is_the_one_named_then_the_variable_then_the_nearest_then_openclaws(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named, variable, near, usual = (
        written(p, "") for p in (tmp_path / "a", tmp_path / "b", tmp_path / "c", home / ".openclaw" / "workspace")
    )
    below = near / "memory" / "contacts"
    below.mkdir(parents=True)
    assert config.find_workspace(None, tmp_path) == usual
    assert config.find_workspace(None, below) == near
    monkeypatch.setenv("CRAB_WORKSPACE", str(variable))
    assert config.find_workspace(None, below) == variable
    assert config.find_workspace(str(named), below) == named
    assert config.find_workspace("../../../a", below).resolve() == named
    assert config.find_workspace("~/.openclaw/workspace", below) == usual
    assert config.find_workspace("~//.openclaw/workspace", below) == usual


def test_without_a_workspace_the_way_to_one_is_told(home: Path, tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="no workspace here") as caught:
        config.find_workspace(None, tmp_path)
    assert "crab init" in caught.value.hint
    for named in (str(tmp_path), "nowhere", "~nobody-at-all/x", "a\0b", "x" * 5000):
        with pytest.raises(WorkspaceError, match="not a workspace"):
            config.find_workspace(named, tmp_path)


@pytest.mark.parametrize(
    ("variable", "zone"),
    [
        ("Europe/Lisbon", "Europe/Lisbon"),
        (":Asia/Tokyo", "Asia/Tokyo"),
        ("/usr/share/zoneinfo/America/Lima", "America/Lima"),
        ("/var/db/timezone/zoneinfo.default/posix/Europe/Rome", "Europe/Rome"),
    ],
)
def test_the_machines_time_zone_comes_from_its_environment(
    monkeypatch: pytest.MonkeyPatch, variable: str, zone: str
) -> None:
    monkeypatch.setenv("TZ", variable)
    assert config.system_zone() == zone


@pytest.mark.parametrize("variable", ["", "CET-1CEST,M3.5.0,M10.5.0/3", "../../etc", "Nowhere/None", "/"])
def test_a_time_zone_that_has_no_name_is_passed_over(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv("TZ", variable)
    assert config.known_zone(config.system_zone())


# Writing it


@given(owner=LISTS, name=WORDS, model=WORDS, sources=LISTS)
def test_the_first_settings_hold_what_they_were_given(
    tmp_path_factory: pytest.TempPathFactory, owner: list[str], name: str, model: str, sources: list[str]
) -> None:
    text = edit_config.first_settings(timezone="Asia/Tokyo", owner=owner, name=name, model=model, sources=sources)
    got = loaded(tmp_path_factory.getbasetemp() / "first", text)
    assert got.owner == Owner(name, frozenset(owner))
    assert got.sources.include == tuple(sources)
    assert got.models.default == (model or "offline")
    assert not got.warnings


def test_a_value_that_is_no_text_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="--name"):
        edit_config.first_settings(timezone="UTC", name="\udcff")


def test_the_shipped_settings_show_every_setting_and_its_default(tmp_path: Path) -> None:
    text = (shipped.folder("templates") / "crab.toml").read_text(encoding="utf-8")
    stock = loaded(tmp_path / "a", text)
    assert stock == Config(timezone=stock.timezone)
    # What is commented out, switched on: still valid, and nothing of Config is missing.
    lines = [line.removeprefix("# ") if _is_setting(line) else line for line in text.splitlines()]
    full = loaded(tmp_path / "b", "\n".join(lines))
    assert not full.warnings
    for part in ("models", "budget", "sources", "owner"):
        shown = tomllib.loads("\n".join(lines))[part]
        assert set(shown) == set(getattr(full, part).__dataclass_fields__), part
    assert full.apply and full.secret_patterns and full.batch_tokens == stock.batch_tokens
    assert full.models.timeout_s == stock.models.timeout_s
    assert full.sources == replace(stock.sources, cron="report")


def _is_setting(line: str) -> bool:
    rest = line.removeprefix("# ")
    return rest != line and (rest.startswith("[") or (" = " in rest and " " not in rest.split(" = ")[0]))


SETTINGS = """\
# mine
timezone = "UTC"   # where I live

[sources] # what
include = [
    "openclaw",  # the phone
    # the laptop
    "claude-code",
]
exclude = ["peer:7"]

[git]
commit = "run"
"""


def lines_changed(before: str, after: str) -> tuple[set[str], set[str]]:
    a, b = before.splitlines(), after.splitlines()
    return set(a) - set(b), set(b) - set(a)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_source_that_comes_or_goes_changes_its_own_line_alone(tmp_path: Path, newline: str) -> None:
    before = SETTINGS.replace("\n", newline)
    written(tmp_path, before)
    assert edit_config.change_sources(tmp_path, "include", lambda old: [*old, "~/x"])[-1] == "~/x"
    after = (tmp_path / "crab.toml").read_bytes().decode()
    assert lines_changed(before, after) == (set(), {'    "~/x",'})
    assert after.count(newline) == after.count("\n")
    edit_config.change_sources(tmp_path, "include", lambda old: [s for s in old if s != "~/x"])
    assert (tmp_path / "crab.toml").read_bytes().decode() == before
    edit_config.change_sources(tmp_path, "include", lambda old: old[1:])
    assert lines_changed(before, (tmp_path / "crab.toml").read_bytes().decode()) == (
        {'    "openclaw",  # the phone'},
        set(),
    )


def test_a_list_that_stays_the_same_leaves_the_file_alone(tmp_path: Path) -> None:
    path = written(tmp_path, SETTINGS) / "crab.toml"
    stamp = path.stat()
    edit_config.change_sources(tmp_path, "include", lambda old: old)
    assert path.stat().st_mtime_ns == stamp.st_mtime_ns
    assert path.stat().st_ino == stamp.st_ino


def test_a_settings_file_without_sources_gets_them(tmp_path: Path) -> None:
    written(tmp_path, '# mine\ntimezone = "UTC"\n')
    edit_config.change_sources(tmp_path, "exclude", lambda old: ["peer:7"])
    assert config.load(tmp_path).sources.exclude == ("peer:7",)
    assert (tmp_path / "crab.toml").read_text().startswith('# mine\ntimezone = "UTC"\n')


def test_the_files_mode_stays(tmp_path: Path) -> None:
    path = written(tmp_path, SETTINGS) / "crab.toml"
    path.chmod(0o640)
    edit_config.change_sources(tmp_path, "include", lambda old: ["x"])
    assert path.stat().st_mode & 0o7777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[sources\n", "crab.toml"),
        ("[sources]\ninclude = 3\n", "not a list"),
        ("sources = {include = []}\n", "write it as"),
        ("[sources]\ninclude = [{a = 1}]\n", "by hand|not a list"),
    ],
)
def test_settings_that_cant_be_changed_are_left_as_they_are(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text) / "crab.toml"
    with pytest.raises(WorkspaceError) as caught:
        edit_config.change_sources(tmp_path, "include", lambda old: [*old, "x"])
    assert any(s in f"{caught.value.message} {caught.value.hint}" for s in said.split("|"))
    assert path.read_text() == text


def test_a_settings_file_that_is_a_symlink_is_not_written_through(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text(SETTINGS)
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "crab.toml").symlink_to(real)
    assert config.load(tmp_path / "w").git_commit == "run"
    with pytest.raises(WorkspaceError, match="symlink"):
        edit_config.change_sources(tmp_path / "w", "include", lambda old: [])
    assert real.read_text() == SETTINGS


COMMENT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=8).map(lambda s: f"#{s}")


@given(
    before=st.lists(st.tuples(WORDS, COMMENT), max_size=4),
    after=LISTS,
    newline=st.sampled_from(["\n", "\r\n"]),
    many=st.booleans(),
)
def test_whatever_the_list_becomes_the_rest_of_the_file_stays(
    tmp_path_factory: pytest.TempPathFactory,
    before: list[tuple[str, str]],
    after: list[str],
    newline: str,
    many: bool,
) -> None:
    root = tmp_path_factory.getbasetemp() / "any"
    quoted = [(edit_config.tomlkit.string(word).as_string(), comment) for word, comment in before]
    inner = (
        newline.join(f"  {word}, {comment}" for word, comment in quoted) if many else ", ".join(w for w, _ in quoted)
    )
    listed = f"[{newline}{inner}{newline}]" if many and quoted else f"[{inner}]"
    head, tail = f"# a{newline}[sources] # b{newline}include = ", f" # c{newline}never = ['x']{newline}"
    written(root, head + listed + tail)
    assert edit_config.change_sources(root, "include", lambda old: after) == after
    text = (root / "crab.toml").read_bytes().decode()
    assert tomllib.loads(text)["sources"] == {"include": after, "never": ["x"]}
    assert text.startswith(head) and text.endswith(tail)
    assert (text == head + listed + tail) == ([w for w, _ in before] == after)
