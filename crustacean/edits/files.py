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
from pathlib import Path

from crustacean.errors import WorkspaceError

_AT_FDCWD = -100
_EXCHANGE = 2  # RENAME_EXCHANGE of renameat2 (Linux) and RENAME_SWAP of renamex_np (macOS)
TEMPORARY = ".crab-tmp"


def digest(data: bytes | None) -> str:
    """16 hex digits that stand for a file's bytes; "" for a file that is not there."""
    return "" if data is None else hashlib.blake2b(data, digest_size=8).hexdigest()


def read(path: Path) -> bytes | None:
    """All bytes of a file, None where there is none. Raises WorkspaceError where it can't be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as err:
        raise WorkspaceError(f"{path} can't be read: {err.strerror}", "check its permissions") from err


def fsync_folder(folder: Path) -> None:
    """Make the names in a folder durable; file systems that can't do this for a folder are left to themselves."""
    with contextlib.suppress(OSError):
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def write_beside(path: Path, data: bytes) -> Path:
    """Write `data`, fsynced, to a temporary file beside `path` with its permissions; returns the temporary path.

    Raises OSError (no space, read-only folder) with nothing left behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temp = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}{TEMPORARY}")
    try:
        mode = path.stat().st_mode & 0o7777
    except FileNotFoundError:
        mode = 0o666
    try:
        fd = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(fd, "wb") as out:
            if path.exists():
                os.fchmod(out.fileno(), mode)
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
    except OSError:
        temp.unlink(missing_ok=True)
        raise
    return temp


def exchange(a: Path, b: Path) -> bool:
    """Swap two names atomically. False where the system can't."""
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
    if not os.path.lexists(path):
        try:
            os.link(temp, path)
        except FileExistsError:
            return install(temp, path)
        except OSError as err:
            if err.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS):
                raise
            os.rename(temp, path)  # a file system without hard links
            return None
        temp.unlink()
        return None
    if not exchange(temp, path):
        old = temp.with_name(temp.name + "-old")
        os.link(path, old)
        os.replace(temp, path)
        os.rename(old, temp)
    return read(temp)


def take_away(path: Path, aside: Path) -> bytes | None:
    """Rename `path` to `aside` and return its bytes, None where it was not there."""
    try:
        os.rename(path, aside)
    except FileNotFoundError:
        return None
    return read(aside)


def prune_folders(folder: Path, stop: Path) -> None:
    """Remove `folder` and its parents as long as they are empty, up to and without `stop`."""
    while folder != stop and stop in folder.parents:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent
