"""Files in and out: read whole, write whole or not at all, append one line that nothing can tear.

It knows nothing of what is in the files; a secret that diptych was given is in none that it writes.
"""

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from diptych.errors import DiptychError
from diptych.secrets import masked, masked_bytes

LARGEST = 256_000_000
"""Bytes of a file that is read whole; logs, which may be larger, are read as streams."""


def read_bytes(path: str | Path) -> bytes:
    """Return the bytes of a file; a `DiptychError` names a file that cannot be read, or that is beyond all size."""
    try:
        with open(path, "rb") as handle:
            status = os.fstat(handle.fileno())
            if status.st_size > LARGEST:
                raise DiptychError(f"of more than {LARGEST // 10**6} MB", where=str(path), hint="give a smaller file")
            if stat.S_ISREG(status.st_mode):
                return handle.read()
            data = handle.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error
    if len(data) > LARGEST:
        raise DiptychError("gives no end of bytes", where=str(path), hint="give a file, or a pipe of at most 256 MB")
    return data


def read_text(path: str | Path) -> str:
    """Return a file's text, a byte order mark dropped; bytes that are no UTF-8 are named by their place."""
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DiptychError(
            "not UTF-8 text", where=f"{path}@{error.start}", hint="save the file as UTF-8 and try again"
        ) from error


def sha256(data: bytes) -> str:
    """Return the hex sha256 of bytes."""
    import hashlib  # costs two thirds of an interpreter's start: paid only where a digest is wanted

    return hashlib.sha256(data).hexdigest()


def sha256_file(path: str | Path) -> str:
    """Return the hex sha256 of a file, read in blocks of 1 MiB."""
    import hashlib

    digest = hashlib.sha256()
    try:
        with open(path, "rb", buffering=0) as handle:
            while block := handle.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise unreadable(path, error) from error
    return digest.hexdigest()


def write_text(path: str | Path, text: str) -> bool:
    """Write a file whole or not at all; return whether its text changed."""
    return write_bytes(path, utf8(text))


def utf8(text: str) -> bytes:
    """Return a text as UTF-8; half of a pair, as in the name of a file that is no UTF-8, becomes a question mark."""
    return text.encode("utf-8", "replace")


def write_bytes(path: str | Path, data: bytes, *, durable: bool = True) -> bool:
    """Write a file whole or not at all; return whether its bytes changed.

    The draft stands beside the target under a name that no other process or machine has, and is renamed into place
    only when all of it is on disk (what can be made again need not be `durable`, and does not wait for that). A link
    is written through, and the file keeps its mode. What is no file (`/dev/stdout`, a pipe) is written to, and never
    replaced.
    """
    target, data = local_path(path), masked_bytes(data)
    if is_stream(target):
        return write_stream(target, data)
    try:
        target = os.path.realpath(target)
        with open(target, "rb") as handle:
            mode: int | None = stat.S_IMODE(os.fstat(handle.fileno()).st_mode)
            if handle.read() == data:
                return False
    except (OSError, ValueError):
        mode = None  # not there yet, or not readable: writing it will say so
    replace_file(target, (data,), mode, durable=durable)
    return True


def replace_file(
    target: str, parts: Iterable[bytes], mode: int | None = None, *, durable: bool = True, keep_same: bool = False
) -> bool:
    """Write a file whole or not at all, one part after the other: none of them has to be held for it.

    Return whether it was written; with `keep_same` one that holds the same bytes already is not touched.
    """
    draft = draft_of(target)
    try:
        make_folders(os.path.dirname(target) or ".")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as handle:
            handle.writelines(masked_bytes(part) for part in parts)
            handle.flush()
            if durable:
                os.fsync(handle.fileno())
            if mode is not None:
                os.fchmod(handle.fileno(), mode)
        if keep_same and is_same(draft, target):
            remove(draft)
            return False
        os.replace(draft, target)
    except (OSError, ValueError) as error:
        remove(draft)
        raise unwritable(target, error) from error
    except BaseException:  # Ctrl-C in mid-write: no draft is left behind
        remove(draft)
        raise
    return True


def is_same(path: str, other: str) -> bool:
    """Say whether two files are there and hold the same bytes."""
    import filecmp

    try:
        return filecmp.cmp(path, other, shallow=False)
    except OSError:
        return False


def write_new(path: str, data: bytes) -> None:
    """Write a file into a folder that nobody looks into yet: in one go under its own name, a third of the calls.

    Who is killed in the middle leaves a part of it, so its name must be known to who comes after.
    """
    data = masked_bytes(data)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            if os.write(descriptor, data) < len(data):
                raise OSError(28, "no space left on device")
        finally:
            os.close(descriptor)
    except FileExistsError:
        write_bytes(path, data, durable=False)
    except OSError as error:
        remove(path)
        raise unwritable(path, error) from error


def make_folder(path: str) -> bool:
    """Make a folder, with those above it; return whether it is new."""
    try:
        try:
            os.mkdir(path)
        except FileNotFoundError:
            make_folders(path)
    except FileExistsError:
        return False
    except OSError as error:
        raise unwritable(path, error) from error
    return True


def make_folders(path: str) -> None:
    """Make a folder with those above it, where they are not there; an `OSError` where that cannot be."""
    try:
        os.makedirs(path, exist_ok=True)
    except RecursionError as error:  # it calls itself once a folder
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), path) from error


def draft_of(target: str) -> str:
    """Return a name beside a file for what is not yet whole: hidden, and of this one write."""
    folder, name = os.path.split(target)
    return os.path.join(folder, f".{name[:100]}.{os.urandom(6).hex()}{DRAFT}")


DRAFT = ".draft"


def remove_drafts(folder: str | Path) -> None:
    """Remove what writes that were killed left in a folder and below; for who holds the folder's lock."""
    for place, _, names in os.walk(folder):
        for name in names:
            if name.startswith(".") and name.endswith(DRAFT):
                remove(os.path.join(place, name))


@contextmanager
def locked(path: str | Path, *, wait: float = 30.0) -> Iterator[None]:
    """Hold a lock file while a block runs; where somebody else holds it longer than `wait` seconds: a `DiptychError`.

    The system gives it back when its process ends, however it ends.
    """
    import filelock

    lock = filelock.FileLock(path, timeout=wait, mode=0o666)
    try:
        make_folders(os.path.dirname(os.fspath(path)) or ".")
        lock.acquire()
    except filelock.Timeout as error:
        raise DiptychError(
            "somebody else is writing here", where=os.path.dirname(os.fspath(path)) or ".", hint="wait until it is done"
        ) from error
    except (OSError, NotImplementedError) as error:
        raise unwritable(path, error) from error
    try:
        yield
    finally:
        remove(path)  # while it is held: who waits for it looks whether it is still there
        lock.release()


def lock_of(path: str | Path) -> str:
    """Return the lock file of one file that is written over a long time: hidden, beside it."""
    folder, name = os.path.split(local_path(path))
    return os.path.join(folder, f".{name[:100]}.lock")


def local_path(path: str | Path) -> str:
    """Return a path of this machine; an address is an error: nothing of ours writes to one."""
    import re

    target = os.fspath(path)
    if re.search(r"(?:^|/)[A-Za-z][A-Za-z0-9+.\-]*://", target):
        raise DiptychError(
            "is an address, and diptych writes to folders of this machine alone",
            where=target,
            hint="write to a folder, and copy it there with the tool of that place",
        )
    return target


def file_or_new(path: str | Path) -> str:
    """Return a path of this machine where a file is or can be made; a pipe or a device is an error."""
    target = local_path(path)
    if is_stream(target):
        raise DiptychError("is no file", where=target, hint="name a file: what is written is looked up there again")
    return target


def is_stream(path: str) -> bool:
    """Say whether a path is there and is neither a file nor a folder."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def write_stream(path: str, data: bytes) -> bool:
    """Write to a pipe or a device."""
    try:
        with open(path, "wb") as handle:
            handle.write(data)
    except OSError as error:
        raise unwritable(path, error) from error
    return True


def append_line(path: str | Path, line: str) -> None:
    """Append one line to a file that others append to as well; the line is never torn or lost."""
    append_block(path, line.rstrip("\n") + "\n")


def append_block(path: str | Path, block: str, *, unless: str | None = None) -> bool:
    """Append a text in one piece to a file that others append to as well; return whether it was.

    One lock, one write: a line break is put first where the last writer was cut off in the middle of
    a line, and a write that the disk could not take is taken back. Where the file already holds the text
    `unless`, nothing is written: looked up under the same lock, so that two writers do not both add it.
    """
    import fcntl

    target = file_or_new(path)
    data = utf8(masked(block))
    try:
        make_folders(os.path.dirname(target) or ".")
        descriptor = os.open(target, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    except OSError as error:
        raise unwritable(target, error) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        size = os.fstat(descriptor).st_size
        if unless is not None and utf8(unless) in os.pread(descriptor, size, 0):
            return False
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            data = b"\n" + data
        try:
            written = os.write(descriptor, data)
            if written < len(data):
                os.ftruncate(descriptor, size)
                raise OSError(28, "no space left on device")
            os.fsync(descriptor)
        except OSError as error:
            raise unwritable(target, error) from error
    finally:
        os.close(descriptor)
    return True


def remove(path: str | Path) -> None:
    """Remove a file that may not be there."""
    try:
        os.remove(path)
    except (OSError, ValueError):
        pass


def unreadable(path: str | Path, error: Exception) -> DiptychError:
    """Return the mendable error for a file that cannot be read."""
    return DiptychError(
        f"cannot be read ({getattr(error, 'strerror', None) or error})",
        where=str(path),
        hint="check the path and its permissions",
    )


def unwritable(path: str | Path, error: Exception) -> DiptychError:
    """Return the mendable error for a file that cannot be written."""
    return DiptychError(
        f"cannot be written ({getattr(error, 'strerror', None) or error})",
        where=str(path),
        hint="free some room or choose another place; nothing half-written was left",
    )
