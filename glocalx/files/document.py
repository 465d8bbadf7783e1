"""What all files have in common: a kind, a version, a schema; and one sentence if broken."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.file_bytes import read_bytes, write_whole
from glocalx.rules.schema import Schema

VERSION = 1


def read_text(path: Path) -> str:
    """The text of a file."""
    return decoded(read_bytes(path), path.name)


def decoded(data: bytes, name: str) -> str:
    """The text in these bytes."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise GLocalXError(f"The file “{name}” is not text. Give a JSON file.") from None


def read_document(path: Path) -> Any:
    """The content of a JSON file, whatever it is."""
    text = read_text(path)
    try:
        return json.loads(text, object_pairs_hook=without_repeats)
    except GLocalXError as error:
        raise GLocalXError(
            f"The file “{path.name}” cannot be used: {uncapitalised(str(error))}"
        ) from None
    except (ValueError, RecursionError):
        raise GLocalXError(
            f"The file “{path.name}” is not JSON. Give a file that GLocalX wrote."
        ) from None


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of a JSON file; a name that stands there twice would lose one of its values."""
    made = dict(pairs)
    if len(made) < len(pairs):
        repeated = next(name for name, _ in pairs if sum(name == other for other, _ in pairs) > 1)
        raise GLocalXError(f"the name “{repeated}” stands twice in one place.")
    return made


def document_text(kind: str, schema: Schema, content: Mapping[str, Any]) -> str:
    """What stands in a file."""
    document = {"format": kind, "version": VERSION, "schema": schema.to_dict(), **content}
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def write_document(path: Path, text: str) -> None:
    """Write a file, whole or not at all."""
    try:
        write_whole(path, text)
    except OSError as error:
        raise GLocalXError(
            f"“{path}” cannot be written: {error.strerror}. Choose another folder."
        ) from None


def check_document(document: Any, kind: str) -> None:
    """Refuse a file of another kind or version."""
    found = document.get("format") if isinstance(document, dict) else None
    if found != kind:
        what = f"it is “{found}”" if isinstance(found, str) else "it is no GLocalX file"
        raise GLocalXError(f"{what}, and “{kind}” is needed here.")
    if document.get("version") != VERSION:
        raise GLocalXError(
            f"it is of version {document.get('version')} and this program reads version "
            f"{VERSION}. Write it again with this program."
        )


@contextmanager
def refusing(path: Path) -> Iterator[None]:
    """One sentence about the file for whatever is wrong in it."""
    try:
        yield
    except GLocalXError as error:
        raise GLocalXError(
            f"The file “{path.name}” cannot be used: {uncapitalised(str(error))}"
        ) from error
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise GLocalXError(
            f"The file “{path.name}” is damaged or incomplete. Write it again where it came from."
        ) from error


@contextmanager
def opened_document(path: Path, kind: str) -> Iterator[dict[str, Any]]:
    """The content of a file of this kind; one sentence for whatever is wrong in it."""
    document = read_document(path)
    with refusing(path):
        check_document(document, kind)
        yield document


def uncapitalised(sentence: str) -> str:
    """A sentence as the end of a longer one."""
    return sentence[:1].lower() + sentence[1:]


def number(value: Any) -> float:
    """A number from a file; anything else that JSON can hold is refused."""
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise GLocalXError(f"“{value}” stands where a number should.")
    return float(value)
