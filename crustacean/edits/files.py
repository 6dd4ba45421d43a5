"""Bytes on disk: read whole, hash, write beside, exchange. Nothing here knows entries.

A file is replaced by writing a temporary file beside it, fsync, and an atomic exchange of the two names, so that the
old inode is still there to be looked at: whoever saved in the meantime is found, never overwritten unseen.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import hashlib
import os
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from crustacean.errors import WorkspaceError

_AT_FDCWD = -100
_EXCHANGE = 2  # RENAME_EXCHANGE of renameat2 (Linux) and RENAME_SWAP of renamex_np (macOS)
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)
TEMPORARY = ".crab-tmp"
QUIET = 0.02
"""Seconds between two looks at a file that somebody may be in the middle of saving."""
PATIENCE = 30
"""Looks until a file that keeps changing is taken as it is."""
STILL = 10
"""Looks that a file must stand still for where it seems to be saved by halves."""


def digest(data: bytes | None) -> str:
    """16 hex digits that stand for a file's bytes; "" for a file that is not there."""
    return "" if data is None else hashlib.blake2b(data, digest_size=8).hexdigest()


def read(path: Path) -> bytes | None:
    """All bytes of a file, None where there is none. Raises WorkspaceError where it can't be read."""
    return read_with_stat(path)[0]


def read_with_stat(path: Path) -> tuple[bytes | None, os.stat_result | None]:
    """All bytes of a file and the stat that belongs to them; (None, None) where there is none. Where it changes while
    it is read, the stat is None. Raises WorkspaceError where it can't be read."""
    try:
        with path.open("rb") as file:
            before = os.fstat(file.fileno())
            data = file.read()
            after = os.fstat(file.fileno())
    except (FileNotFoundError, NotADirectoryError):
        return None, None
    except OSError as err:
        raise WorkspaceError(f"{path} can't be read: {err.strerror}", "check its permissions") from err
    same = (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size) and len(data) == after.st_size
    return data, after if same else None


def settled(path: Path, before: bytes = b"") -> bytes | None:
    """As `read`, but of a file that somebody is saving right now: looks again until it stands still for a moment, for
    longer where it looks like the beginning of something (of `before`, or a line without its end)."""
    data, still = read(path), 0
    for _ in range(PATIENCE):
        time.sleep(QUIET)
        again = read(path)
        still = still + 1 if again == data else 0
        data = again
        begun = data is not None and data != before and (before.startswith(data) or not data.endswith(b"\n"))
        if still >= (STILL if begun else 1):
            break
    return data


def young(stat: os.stat_result | None) -> bool:
    """Whether somebody may be in the middle of saving a file with this stat (None: it changed while it was read)."""
    return stat is None or abs(time.time() - stat.st_mtime) < QUIET


def fsync_folder(folder: Path) -> None:
    """Make the names in a folder durable; file systems that can't do this for a folder are left to themselves."""
    with contextlib.suppress(OSError):
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def _mark(path: Path) -> str:
    return hashlib.blake2b(path.name.encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()


def temporary(path: Path) -> Path:
    """A free name beside `path` that `temporaries` finds again."""
    return path.with_name(f".{_mark(path)}.{secrets.token_hex(4)}{TEMPORARY}")


def temporaries(path: Path) -> Iterator[Path]:
    """Temporary files of `path` that somebody left behind, by name."""
    if path.parent.is_dir():
        yield from sorted(path.parent.glob(f".{_mark(path)}.*{TEMPORARY}"))


def write_beside(path: Path, data: bytes) -> Path:
    """Write `data`, fsynced, to a temporary file beside `path` with its permissions; returns the temporary path.

    Raises OSError (no space, read-only folder) with no file left behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temp = temporary(path)
    try:
        mode = path.stat().st_mode & 0o7777
    except FileNotFoundError:
        mode = None
    try:
        fd = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with os.fdopen(fd, "wb") as out:
            if mode is not None:
                os.fchmod(out.fileno(), mode)
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
    except OSError:
        with contextlib.suppress(OSError):
            temp.unlink(missing_ok=True)
        raise
    return temp


def exchange(a: Path, b: Path) -> bool:
    """Swap two names atomically. False where the system can't. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    first, second = os.fsencode(a), os.fsencode(b)
    if sys.platform == "darwin":
        call = getattr(libc, "renamex_np", None)
        code = call(first, second, _EXCHANGE) if call else -1
    else:
        call = getattr(libc, "renameat2", None)
        code = call(_AT_FDCWD, first, _AT_FDCWD, second, _EXCHANGE) if call else -1
    if code == 0:
        return True
    number = ctypes.get_errno() if call else errno.ENOSYS
    if number in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):
        return False
    raise OSError(number, os.strerror(number), str(b))


def install(temp: Path, path: Path) -> bytes | None:
    """Put the file `temp` at `path` and return the bytes that stood there, None where nothing did.

    The old inode keeps its bytes under the name `temp` (None case: `temp` is gone), so a late save into it can still
    be seen. Raises OSError; then `path` is as it was.
    """
    while True:
        if not os.path.lexists(path):
            if _link_new(temp, path):
                return None
            continue
        try:
            if not exchange(temp, path):
                return _replace(temp, path)
        except FileNotFoundError:
            if not temp.exists():
                raise
            continue  # it went away between the look and the exchange
        return read(temp)


def _link_new(temp: Path, path: Path) -> bool:
    """Give a new file its name; False where another one has taken it."""
    try:
        os.link(temp, path)
    except FileExistsError:
        return False
    except OSError as err:
        if err.errno not in _NO_LINKS:
            raise
        temp.rename(path)
        return True
    temp.unlink()
    return True


def _replace(temp: Path, path: Path) -> bytes | None:
    """Without an exchange: the old inode is kept by a hard link, or, where there are none either, its bytes are."""
    old = temporary(path)
    try:
        os.link(path, old)
    except OSError as err:
        if err.errno not in _NO_LINKS:
            raise
        data = read(path)
        temp.replace(path)
        return data
    temp.replace(path)
    old.rename(temp)
    return read(temp)


def take_away(path: Path, aside: Path) -> bytes | None:
    """Rename `path` to `aside` and return its bytes, None where it was not there."""
    try:
        path.rename(aside)
    except FileNotFoundError:
        return None
    return read(aside)


def put_back(aside: Path, path: Path) -> bool:
    """Give `aside` the name `path` again unless that is taken by now; whether it was free. Needs no space."""
    try:
        os.link(aside, path)
    except FileExistsError:
        return False
    except OSError as err:
        if err.errno not in _NO_LINKS:
            raise
        if os.path.lexists(path):
            return False
        aside.rename(path)
        return True
    aside.unlink()
    return True


def prune_folders(folder: Path, stop: Path, keep: tuple[str, ...] = ()) -> None:
    """Remove `folder` and its parents as long as they are empty, up to and without `stop` and the folders in `keep`
    (relative to `stop`)."""
    while folder != stop and stop in folder.parents and folder.relative_to(stop).as_posix() not in keep:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent
