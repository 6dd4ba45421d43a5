"""One file on its way to the disk: put in place, or taken away, with an eye on whoever saves it at the same moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from crustacean.edits import files, merge3
from crustacean.errors import WorkspaceError


@dataclass(slots=True)
class Step:
    """A file of an apply. before, after: the bytes that were planned, None for no file.

    temp: where the new bytes wait. placed: what was last put in place. old: inodes that stood there, with the bytes
    they had when they were last looked at. done: whether the file has been touched.
    """

    path: str
    real: Path
    before: bytes | None
    after: bytes | None
    temp: Path | None = None
    placed: bytes | None = None
    old: list[tuple[Path, bytes]] = field(default_factory=list)
    done: bool = False


def prepare(step: Step) -> None:
    """Write the new bytes beside the file. Raises OSError, and WorkspaceError where they can't be read back."""
    if step.after is None:
        return
    step.temp = files.write_beside(step.real, step.after)
    if files.read(step.temp) != step.after:
        raise WorkspaceError(
            f"nothing was changed: {step.path} could not be read back as it was written", "check the disk"
        )


def install(step: Step, keep: Callable[[bytes], None]) -> None:
    """Put the file in place, or take it away. What somebody saved in the last moment is merged in, never overwritten.

    keep: makes bytes durable, as the base against which a later save is merged. Raises OSError.
    """
    if step.after is None:
        _remove(step)
    else:
        _place(step, keep)
    files.fsync_folder(step.real.parent)


def _place(step: Step, keep: Callable[[bytes], None]) -> None:
    temp, expected, goal = step.temp, step.before, step.after
    if temp is None or goal is None:
        raise ValueError(f"{step.path} is not prepared")
    while True:
        found = files.install(temp, step.real)
        step.done, step.placed = True, goal
        if found is not None and temp.exists():
            step.old.append((temp, found))
        if found == expected:
            return
        if step.old and step.old[-1][0] == temp:
            found = files.settled(temp, expected or b"") or b""
            keep(found)
            step.old[-1] = (temp, found)
        merged = merge3.merge(expected or b"", found or b"", goal)
        if merged == goal:
            return
        temp, expected, goal = files.write_beside(step.real, merged), goal, merged


def _remove(step: Step) -> None:
    aside = files.temporary(step.real)
    found = files.take_away(step.real, aside)
    step.done = True
    if found is None:
        return
    if found != step.before and files.put_back(aside, step.real):
        step.done = False  # somebody still writes here: the file stays, the moved lines in it too
        return
    step.old.append((aside, found))


def take_back(steps: list[Step]) -> None:
    """Undo what was done, without needing space: the old inodes are still beside the files. What somebody saved over
    ours meanwhile stays. Raises OSError."""
    for step in reversed(steps):
        if step.done:
            _take_back(step)
        for temp in files.temporaries(step.real):
            temp.unlink(missing_ok=True)


def _take_back(step: Step) -> None:
    if step.after is None:
        if step.old:
            files.put_back(step.old[0][0], step.real)
        return
    if any(data != step.after for _, data in step.old[1:]):
        return  # a person's save stands on ours: it can't be told apart without writing
    if step.old:
        aside = step.old[0][0]
        if files.exchange(aside, step.real):
            if files.read(aside) != step.placed:
                files.exchange(aside, step.real)
        elif files.read(step.real) == step.placed:
            aside.replace(step.real)
        return
    aside = files.temporary(step.real)
    if files.take_away(step.real, aside) not in (step.placed, None):
        files.put_back(aside, step.real)
