"""Files and zip archives as they are brought: what can go wrong in opening them is said here."""

from __future__ import annotations

import io
import lzma
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from glocalx.errors import GLocalXError

_BROKEN_ZIP = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, KeyError, ValueError, OSError),
    *(NotImplementedError, RuntimeError),  # a method or a password that is not supported
)


def read_bytes(path: Path) -> bytes:
    """The content of a file that a person named."""
    if path.exists() and not path.is_file():
        raise GLocalXError(f"“{path}” cannot be read: it is not a file. Choose a file.")
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise GLocalXError(f"There is no file “{path}”. Check the name.") from None
    except OSError as error:
        reason = error.strerror or "it cannot be opened"
        raise GLocalXError(f"“{path}” cannot be read: {reason}. Choose a file.") from None


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    with beside(path) as new:
        new.write_text(text, encoding="utf-8")


@contextmanager
def beside(path: Path) -> Iterator[Path]:
    """Where to write instead: put in place afterwards, so that a killed process leaves the old
    file whole. Where writing fails nothing is left of it.
    """
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield new
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def sweep_beside(folder: Path) -> None:
    """Remove what killed processes were writing beside files."""
    for left in folder.glob(".*"):
        writer = left.name.rpartition(".")[2]
        if writer.isdecimal() and not process_lives(int(writer)):
            left.unlink(missing_ok=True)


def process_lives(number: int) -> bool:
    """Whether there is such a process, whoever it belongs to."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is somebody else's
        return True
    return True


def written_when(path: Path) -> tuple[int, int, int] | None:
    """Differs as soon as a file has been written again; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


@contextmanager
def opened_zip(data: bytes, broken: str) -> Iterator[zipfile.ZipFile]:
    """A zip archive; `broken` is what to say where it, or a part that is read, is not whole."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield archive
    except GLocalXError:
        raise
    except _BROKEN_ZIP:
        raise GLocalXError(broken) from None


def zip_names(data: bytes) -> frozenset[str]:
    """The names of the parts of a zip archive; none where it is not a whole one.

    Examples
    --------
    >>> zip_names(b"age,job")
    frozenset()
    """
    try:
        with opened_zip(data, "") as archive:
            return frozenset(archive.namelist())
    except GLocalXError:
        return frozenset()
