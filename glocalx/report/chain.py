"""A chain of evidence: which files an audit was made from and wrote, so that both can be checked.

`evidence.json` names every file by its SHA-256, says what was asked, by whom and for what, and what
stood in for missing values. Who repeats the audit from these files gets the same figures, or is
told which differ.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from glocalx.audit import Audit
from glocalx.audit.comparison import BAND, SIGNIFICANT
from glocalx.audit.intervals import LEVEL
from glocalx.errors import GLocalXError
from glocalx.report.facts import Prepared
from glocalx.words.phrases import shown

EVIDENCE = "evidence.json"
KIND = "glocalx/evidence"
VERSION = 1


def fingerprint(path: Path) -> str:
    """The SHA-256 of a file.

    Raises
    ------
    GLocalXError
        Where it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise GLocalXError(
            f"{shown(path.name)} cannot be read: {error.strerror}. Check that it is there."
        ) from None


def asked_of(
    audit: Audit, prepared: Prepared, fills: Mapping[str, float | str]
) -> dict[str, object]:
    """The question, its bounds, who prepared it and for what, what stood in for missing values."""
    return {
        "prepared_by": prepared.by,
        "purpose": prepared.purpose,
        "question": audit.settings.question(audit.title),
        "bounds": {
            "enough_records": audit.settings.enough,
            "significance": SIGNIFICANT,
            "interval_level": LEVEL,
            "ratio_band": list(BAND),
            "tolerance": audit.settings.tolerance,
        },
        "fills": dict(fills),
    }


def evidence_text(
    *,
    made: str,
    inputs: Mapping[str, Mapping[str, str] | None],
    files: Mapping[str, str],
    asked: Mapping[str, object],
    options: Mapping[str, object] | None,
) -> str:
    """What `evidence.json` holds.

    Parameters
    ----------
    made
        When the audit was made.
    inputs
        The table, the rules and the model: name, SHA-256, and where they were, if that is known.
    files
        The SHA-256 of every file that was written.
    asked
        See :func:`asked_of`.
    options
        With which the command repeats the audit; None where it was not made by the command.
    """
    document = {
        "format": KIND,
        "version": VERSION,
        "made": made,
        **asked,
        "inputs": inputs,
        "files": dict(sorted(files.items())),
        "options": options,
    }
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def read_evidence(folder: Path) -> dict[str, Any]:
    """What `evidence.json` of a folder says.

    Raises
    ------
    GLocalXError
        Where there is none, or something else.
    """
    path = folder / EVIDENCE
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise GLocalXError(
            f"There is no {shown(EVIDENCE)} in {shown(folder)}. Give a folder that an audit wrote."
        ) from None
    except ValueError:
        document = None
    if not _is_evidence(document):
        raise GLocalXError(
            f"{shown(path)} does not say what was audited. Give a folder that an audit wrote."
        )
    return {"options": None, **document}


def _is_evidence(document: object) -> bool:
    if not isinstance(document, dict) or document.get("format") != KIND:
        return False
    files, inputs = document.get("files"), document.get("inputs")
    plain = isinstance(files, dict) and all(Path(name).name == name for name in files)
    if not plain or not isinstance(inputs, dict) or document.get("version") != VERSION:
        return False
    options = document.get("options")
    if not isinstance(options, dict):
        return options is None
    try:
        datetime.fromisoformat(str(document.get("made")))
    except ValueError:
        return False
    return isinstance(inputs.get("rules"), dict)


def iter_changed(folder: Path, evidence: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each file of the folder that is no longer what was written."""
    for name, before in evidence["files"].items():
        path = folder / name
        if not path.is_file():
            yield f"{shown(name)} is missing."
        elif fingerprint(path) != before:
            yield f"{shown(name)} was changed after the audit wrote it."


def iter_differences(before: object, after: object, place: str = "") -> Iterator[str]:
    """A sentence for each place in which two JSON values differ.

    Examples
    --------
    >>> list(iter_differences({"groups": [{"n": 3}]}, {"groups": [{"n": 4}]}))
    ['groups › 1 › n: 3 in the file, 4 when counted again.']
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for name in {**before, **after}:
            inner = f"{place} › {name}" if place else str(name)
            yield from iter_differences(before.get(name), after.get(name), inner)
    elif isinstance(before, list) and isinstance(after, list):
        if len(before) != len(after):
            yield f"{place}: {len(before):,} rows in the file, {len(after):,} when counted again."
        for number, (one, other) in enumerate(zip(before, after, strict=False), start=1):
            yield from iter_differences(one, other, f"{place} › {number}")
    elif before != after or type(before) is not type(after):
        said = [json.dumps(each, ensure_ascii=False) for each in (before, after)]
        yield f"{place}: {said[0]} in the file, {said[1]} when counted again."


def count_figures(value: object) -> int:
    """How many numbers a JSON value holds.

    Examples
    --------
    >>> count_figures({"a": [1, 2.5, "x", True, None]})
    2
    """
    if isinstance(value, dict):
        return sum(map(count_figures, value.values()))
    if isinstance(value, list):
        return sum(map(count_figures, value))
    return int(isinstance(value, int | float) and not isinstance(value, bool))
