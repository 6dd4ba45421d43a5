"""Running a program with bounds on its time and its output, and nothing left of it afterwards."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

_PIECE = 65_536
_STDERR_KEPT = 16_384
_GRACE = 1.0
_LOOK = 0.1

End = Literal["exit", "timeout", "overflow"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a program ended. status: as subprocess gives it, negative for a signal. out: stdout; err: the end of
    stderr."""

    end: End
    status: int
    out: bytes
    err: bytes


def run(
    argv: Sequence[str], given: bytes, *, env: Mapping[str, str], directory: Path | None, timeout: float, limit: int
) -> Outcome:
    """Run `argv` without a shell, in a session of its own, with `given` on its stdin.

    timeout in seconds; limit in bytes of stdout. When either is passed the whole process group is ended, and so is
    what a program leaves behind when it ends. Raises OSError where it can't be started.
    """
    process = subprocess.Popen(
        list(argv),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=directory,
        env=dict(env),
        start_new_session=True,
        bufsize=0,
    )
    with _ended(process):
        talk = _Talk(process, given, limit)
        end = talk.hold(time.monotonic() + timeout)
    return Outcome(end, process.returncode, bytes(talk.out), bytes(talk.err))


class _Talk:
    """The three pipes of a running program."""

    def __init__(self, process: subprocess.Popen[bytes], given: bytes, limit: int) -> None:
        self.process = process
        self.given = memoryview(given)
        self.limit = limit
        self.out = bytearray()
        self.err = bytearray()

    def hold(self, deadline: float) -> End:
        """Write and read until the program has ended and what it wrote has been read."""
        with selectors.DefaultSelector() as pipes:
            for stream, event in _streams(self.process):
                os.set_blocking(stream.fileno(), False)
                pipes.register(stream, event, stream)
            exited: float | None = None
            while pipes.get_map():
                now = time.monotonic()
                if exited is None and self.process.poll() is not None:
                    exited = now
                if exited is not None and (now > exited + _GRACE or not pipes.select(0)):
                    return "exit"
                if now >= deadline:
                    return "timeout"
                for key, _ in pipes.select(min(_LOOK, deadline - now)):
                    self._move(pipes, key)
                if len(self.out) > self.limit:
                    return "overflow"
        return self._wait(deadline)

    def _wait(self, deadline: float) -> End:
        try:
            self.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return "timeout"
        return "exit"

    def _move(self, pipes: selectors.BaseSelector, key: selectors.SelectorKey) -> None:
        stream: IO[bytes] = key.data
        try:
            done = self._write(key.fd) if stream is self.process.stdin else self._read(key.fd, stream)
        except BlockingIOError:
            return
        except (BrokenPipeError, ConnectionResetError):
            done = True
        if done:
            pipes.unregister(stream)
            stream.close()

    def _write(self, to: int) -> bool:
        if self.given:
            self.given = self.given[os.write(to, self.given[:_PIECE]) :]
        return not self.given

    def _read(self, source: int, stream: IO[bytes]) -> bool:
        piece = os.read(source, _PIECE)
        if stream is self.process.stdout:
            self.out += piece
        else:
            self.err += piece
            del self.err[:-_STDERR_KEPT]
        return not piece


def _streams(process: subprocess.Popen[bytes]) -> Iterator[tuple[IO[bytes], int]]:
    for stream, event in (
        (process.stdin, selectors.EVENT_WRITE),
        (process.stdout, selectors.EVENT_READ),
        (process.stderr, selectors.EVENT_READ),
    ):
        if stream is not None:
            yield stream, event


@contextmanager
def _ended(process: subprocess.Popen[bytes]) -> Iterator[None]:
    try:
        yield
    finally:
        _signal(process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
        _signal(process.pid, signal.SIGKILL)
        process.wait()
        for stream, _ in _streams(process):
            stream.close()


def _signal(group: int, number: signal.Signals) -> None:
    # PermissionError: what macOS says of a group of which only the dead are left.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
