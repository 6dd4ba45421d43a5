"""Programs as models: real processes, no shell."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crustacean.errors import ModelError
from crustacean.models.command import PRESETS, connect
from crustacean.models.failures import CostlyReply
from crustacean.models.protocol import Request
from crustacean.models.render import as_text
from crustacean.models.settings import ModelSettings
from tests.models.conftest import KEY, REPLY

Make = Callable[..., ModelSettings]
Ask = Callable[..., Request]
Program = Callable[..., str]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A command line that runs Python code as a program."""

    def make(code: str, name: str = "model") -> str:
        file = tmp_path / f"{name}.py"
        file.write_text(f"import json, os, sys, time, subprocess, signal\n{code}\n")
        return f"'{sys.executable}' -I '{file}'"

    return make


def gone(pid: int) -> bool:
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if Path(f"/proc/{pid}/stat").exists() and " Z " in Path(f"/proc/{pid}/stat").read_text():
            return True
        time.sleep(0.02)
    return False


def test_the_prompt_comes_on_stdin_and_the_reply_from_stdout(program: Program, settings: Make, ask: Ask) -> None:
    line = program(f"text = sys.stdin.read(); print('Read', len(text), 'signs.'); print({json.dumps(REPLY)!r})")
    reply = connect(line, settings()).reply(ask())
    assert reply.data == REPLY
    assert reply.usage.calls == 1 and reply.usage.input > 100 and reply.usage.output > 10
    assert reply.usage.cost is None


def test_a_fenced_reply_between_prose_is_found(program: Program, settings: Make, ask: Ask) -> None:
    body = f"Sure! An example: {{}}.\n```json\n{json.dumps(REPLY, indent=2)}\n```\nAnything else?"
    assert connect(program(f"print({body!r})"), settings()).reply(ask()).data == REPLY


def test_the_program_reads_the_whole_request(program: Program, settings: Make, ask: Ask, tmp_path: Path) -> None:
    out = tmp_path / "seen"
    line = program(f"open({str(out)!r}, 'w').write(sys.stdin.read()); print('{{\"edits\": []}}')")
    request = ask(
        system=("crab-job:xyz\n\nStatic.",), prompt="t1 caf\u00e9 \ud800", messages=(("old", "no such turn"),)
    )
    connect(line, settings()).reply(request)
    assert out.read_text() == as_text(request)
    assert out.read_text().startswith("crab-job:xyz\n\nStatic.\n\nt1 caf\u00e9 \ufffd\n")


def test_it_runs_as_a_job_in_its_own_directory(program: Program, settings: Make, ask: Ask, tmp_path: Path) -> None:
    code = """
seen = {"cwd": os.getcwd(), "job": os.environ.get("CRAB_JOB"), "nested": os.environ.get("CLAUDECODE"),
        "more": os.environ.get("MORE"), "group": os.getpgid(0) == os.getpid()}
print(json.dumps({"edits": [seen]}))
"""
    given = settings(directory=tmp_path / "a" / "jobs", env={"CLAUDECODE": "1", "MORE": "x", "PATH": "/usr/bin:/bin"})
    seen = connect(program(code), given).reply(ask()).data["edits"][0]
    assert seen == {"cwd": str(tmp_path / "a" / "jobs"), "job": "1", "nested": None, "more": "x", "group": True}


def test_nothing_is_a_shell(program: Program, settings: Make, ask: Ask, tmp_path: Path) -> None:
    line = program("print(json.dumps({'edits': sys.argv[1:]}))") + " '$HOME' `id` '; rm -rf x' \"a b\" *"
    assert connect(line, settings()).reply(ask()).data["edits"] == ["$HOME", "`id`", "; rm -rf x", "a b", "*"]


def test_a_program_that_fails_shows_its_status_and_its_last_words(program: Program, settings: Make, ask: Ask) -> None:
    line = program(
        "print('{\"edits\": []}'); sys.stderr.write('long story\\nNot logged in \\x1b[0m\\n\\n'); sys.exit(3)"
    )
    with pytest.raises(ModelError, match=r"ended with status 3: Not logged in \[0m$"):
        connect(line, settings()).reply(ask())


def test_a_program_ended_by_a_signal_says_so(program: Program, settings: Make, ask: Ask) -> None:
    with pytest.raises(ModelError, match="ended by signal 9"):
        connect(program("os.kill(os.getpid(), 9)"), settings()).reply(ask())


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("pass", "printed nothing"),
        ("print('I would rather not.')", "not the JSON object"),
        ("print('{}')", "not the JSON object"),
    ],
)
def test_a_reply_that_can_not_be_used_says_why(
    program: Program, settings: Make, ask: Ask, code: str, words: str
) -> None:
    with pytest.raises(CostlyReply, match=words) as caught:
        connect(program(code), settings()).reply(ask())
    assert caught.value.usage.calls == 1


def test_a_timeout_ends_the_whole_process_group(program: Program, settings: Make, ask: Ask, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    code = f"""
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open({str(pids)!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
time.sleep(60)
"""
    start = time.monotonic()
    with pytest.raises(ModelError, match="did not answer within 1 s"):
        connect(program(code), settings(timeout=1.0)).reply(ask())
    assert time.monotonic() - start < 10
    assert all(gone(int(pid)) for pid in pids.read_text().split())


def test_a_child_left_behind_holds_nothing_up_and_is_ended(
    program: Program, settings: Make, ask: Ask, tmp_path: Path
) -> None:
    pids = tmp_path / "pids"
    code = f"""
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open({str(pids)!r}, "w").write(str(child.pid))
print('{{"edits": []}}')
"""
    start = time.monotonic()
    assert connect(program(code), settings(timeout=30.0)).reply(ask()).data == {"edits": []}
    assert time.monotonic() - start < 10
    assert gone(int(pids.read_text()))


def test_a_child_that_goes_on_writing_does_not_hold_up_either(program: Program, settings: Make, ask: Ask) -> None:
    code = """
subprocess.Popen([sys.executable, "-c", "while True: print(' ', flush=True)"])
print('{"edits": []}', flush=True)
"""
    assert connect(program(code), settings(timeout=30.0)).reply(ask()).data == {"edits": []}


def test_endless_output_is_stopped(program: Program, settings: Make, ask: Ask) -> None:
    with pytest.raises(CostlyReply, match="more than 4 MB"):
        connect(program("while True: print('x' * 65536)"), settings(timeout=30.0)).reply(ask())


def test_megabytes_both_ways_do_not_block(program: Program, settings: Make, ask: Ask) -> None:
    code = """
sys.stdout.write("y" * 1_000_000)
sys.stdout.flush()
n = len(sys.stdin.read())
sys.stderr.write("z" * 3_000_000)
print(json.dumps({"edits": [n]}))
"""
    reply = connect(program(code), settings(timeout=30.0)).reply(ask(prompt="a\n" + "b" * 3_000_000))
    assert reply.data["edits"][0] > 3_000_000


def test_a_program_that_reads_nothing_is_fine(program: Program, settings: Make, ask: Ask) -> None:
    line = program("sys.stdin.close(); os.close(0); print('{\"edits\": []}')")
    assert connect(line, settings()).reply(ask(prompt="a\n" + "b" * 3_000_000)).data == {"edits": []}


def test_a_program_that_closes_its_output_and_goes_on_is_waited_for(program: Program, settings: Make, ask: Ask) -> None:
    code = "print('{\"edits\": []}', flush=True); os.close(1); os.close(2); time.sleep(0.3); os._exit(0)"
    assert connect(program(code), settings()).reply(ask()).data == {"edits": []}


@pytest.mark.parametrize("name", ["no-such-program-here", "./model.py", "/nowhere/model", "/etc/passwd", "/"])
def test_a_program_that_is_not_there_is_named(settings: Make, ask: Ask, name: str) -> None:
    model = connect(name, settings())
    for attempt in (model.check, lambda: model.reply(ask())):
        with pytest.raises(ModelError, match="there is no such program") as caught:
            attempt()
        assert name in caught.value.message
        assert "PATH" in caught.value.hint


def test_a_file_that_is_no_program_says_so(settings: Make, ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "broken"
    file.write_bytes(b"\x00\x01")
    file.chmod(0o755)
    with pytest.raises(ModelError, match="can't be started"):
        connect(str(file), settings()).reply(ask())


@pytest.mark.parametrize("line", ["", "   ", "''"])
def test_no_program_is_refused_with_the_presets(settings: Make, line: str) -> None:
    with pytest.raises(ModelError, match="no program is named") as caught:
        connect(line, settings(presets={"mine": ("x",)}))
    for preset in ("claude", "codex", "llm", "mine"):
        assert f"command:{preset}" in caught.value.hint


def test_bad_quotes_are_refused(settings: Make) -> None:
    with pytest.raises(ModelError, match="no closing quotation"):
        connect("claude 'oops", settings())


def test_home_stands_for_itself_at_the_start(settings: Make, tmp_path: Path) -> None:
    (tmp_path / "judge").write_text("#!/bin/sh\n")
    (tmp_path / "judge").chmod(0o755)
    connect("~/judge", settings(env={"HOME": str(tmp_path)})).check()


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_its_name_alone(settings: Make, ask: Ask, tmp_path: Path, preset: str) -> None:
    fake = tmp_path / preset
    fake.write_text(
        f"#!{sys.executable} -I\nimport json, sys\nsys.stdin.read()\nprint(json.dumps({{'edits': sys.argv}}))\n"
    )
    fake.chmod(0o755)
    model = connect(preset, settings(env={"PATH": str(tmp_path)}))
    assert model.name == f"command:{preset}"
    assert model.reply(ask()).data["edits"][1:] == list(PRESETS[preset][1:])
    own = connect(f"{preset} --else", settings(env={"PATH": str(tmp_path)}))
    assert own.reply(ask()).data["edits"][1:] == ["--else"]


def test_a_person_s_preset_wins(program: Program, settings: Make, ask: Ask) -> None:
    given = settings(presets={"claude": (sys.executable, "-c", 'print(\'{"edits": ["mine"]}\')')})
    assert connect("claude", given).reply(ask()).data == {"edits": ["mine"]}


def test_a_price_is_by_the_full_name_or_the_line(program: Program, settings: Make, ask: Ask) -> None:
    assert connect("claude", settings()).price() is None
    assert connect("claude", settings(prices={"command:claude": (0.0, 0.0)})).price() == (0.0, 0.0)
    line = program("print('{\"edits\": []}')")
    usage = connect(line, settings(prices={line: (1.0, 2.0)})).reply(ask()).usage
    assert usage.cost == pytest.approx((usage.input + 2 * usage.output) / 1e6)


def test_no_error_holds_what_is_in_the_environment(program: Program, settings: Make, ask: Ask) -> None:
    with pytest.raises(ModelError) as caught:
        connect(program("sys.exit(1)"), settings()).reply(ask())
    assert KEY not in caught.value.message + caught.value.hint


def test_binary_output_is_no_crash(program: Program, settings: Make, ask: Ask) -> None:
    code = "sys.stdout.buffer.write(bytes(range(256)) * 50 + b'\\n{\"edits\": []}\\n\\xff')"
    answer: Any = connect(program(code), settings()).reply(ask()).data
    assert answer == {"edits": []}
