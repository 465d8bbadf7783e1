"""What `glocalx audit` leaves as evidence, and how `--verify` checks it."""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from glocalx.audit import Audit, audit_tables, json_ready
from glocalx.audit.as_tables import Row
from glocalx.audit.classifier_audit import classifier_tables
from glocalx.audit.recount import (
    ASKS_THE_MODEL,
    COUNTED,
    RECORDS,
    Counted,
    iter_record_csv,
    iter_record_rows,
)
from glocalx.audit.source import Fill, Source
from glocalx.audit.streaming import DrawnRecords
from glocalx.cli.output import print_json, print_lines
from glocalx.errors import GLocalXError
from glocalx.export import table_to_csv
from glocalx.file_bytes import opened_zip, read_bytes
from glocalx.files import read_theory
from glocalx.report.chain import (
    EVIDENCE,
    asked_of,
    count_figures,
    evidence_text,
    fingerprint,
    iter_changed,
    iter_differences,
    read_evidence,
)
from glocalx.report.facts import Prepared
from glocalx.report.report import program_versions
from glocalx.words.phrases import counted, shown

MOST_RECORDS = 1_000_000
"""More are written only if they are asked for: the file would be larger than most tables."""

TOO_MANY = f"there are more than {MOST_RECORDS:,} records. Give --records to have it written."
MOST_SHOWN = 20
_INPUTS = {"table": "table", "rules": "theory", "model": "model"}
_NOT_REPEATED = {"command", "out", "json", "verify", *_INPUTS.values()}


def add_evidence_options(parser: argparse.ArgumentParser) -> None:
    """Options for what is handed over with an audit."""
    group = parser.add_argument_group("evidence")
    group.add_argument("--prepared-by", metavar="NAME", help="who prepared the report")
    group.add_argument("--purpose", metavar="TEXT", help="for what, and for whom, it was prepared")
    group.add_argument(
        "--identifier", metavar="COLUMN", help="the column by which people tell records apart"
    )
    group.add_argument(
        "--records",
        action="store_true",
        help=f"write {RECORDS} also for more than {MOST_RECORDS:,} records",
    )
    group.add_argument(
        "--verify",
        type=Path,
        metavar="DIR",
        help="repeat the audit of this folder, or of the ZIP of a page, from its files, and say "
        "whether every figure is the same; needs nothing else",
    )


def write_records(
    folder: Path,
    source: Source,
    audit: Audit,
    options: argparse.Namespace,
    drawn: DrawnRecords | None,
) -> None:
    """Write a row for each record, unless there are too many."""
    (folder / RECORDS).unlink(missing_ok=True)
    if audit.records > MOST_RECORDS and not options.records:
        return
    parts = (
        iter_record_rows(source, audit, identifier=options.identifier)
        if drawn is None
        else iter_record_rows(source, audit, identifiers=drawn.identifiers, places=drawn.places)
    )
    with (folder / RECORDS).open("w", encoding="utf-8-sig", newline="") as file:
        file.writelines(iter_record_csv(parts))


def written_lines(folder: Path) -> list[str]:
    """Where everything is, and what to keep apart from it."""
    left_out = [] if (folder / RECORDS).exists() else [f"{RECORDS} was left out: {TOO_MANY}"]
    return [
        *left_out,
        f"Written to {folder}: start with report.html. “glocalx audit --verify {folder}” makes it "
        "again and says whether every figure is the same.",
        f"Keep this apart from the files: {EVIDENCE} has the SHA-256 "
        f"{fingerprint(folder / EVIDENCE)}.",
    ]


def write_evidence(
    folder: Path,
    written: list[str],
    audit: Audit,
    fills: Mapping[str, Fill],
    options: argparse.Namespace,
    made: datetime,
) -> None:
    """Copy the rules and name every file that was written by its SHA-256."""
    (folder / "theory.json").write_bytes(options.theory.read_bytes())
    inputs = {name: _input(folder, options, given) for name, given in _INPUTS.items()}
    repeated = {
        name: str(value) if isinstance(value, Path) else value
        for name, value in vars(options).items()
        if name not in _NOT_REPEATED
    }
    there = [name for name in (*written, "theory.json", RECORDS) if (folder / name).exists()]
    files = {name: fingerprint(folder / name) for name in there}
    text = evidence_text(
        made=made.isoformat(),
        inputs=inputs,
        files=files,
        asked=asked_of(audit, Prepared(options.prepared_by, options.purpose), fills),
        options=repeated,
    )
    (folder / EVIDENCE).write_text(text, encoding="utf-8")


def _input(folder: Path, options: argparse.Namespace, given: str) -> dict[str, str] | None:
    path: Path | None = getattr(options, given, None)
    if path is None:
        return None
    here, there = folder.resolve(), path.resolve()
    place = os.path.relpath(there, here) if there.anchor == here.anchor else str(there)
    return {"name": path.name, "path": place, "sha256": fingerprint(path)}


def verify(
    options: argparse.Namespace,
    repeat: Callable[[argparse.Namespace, Path, datetime], Audit],
) -> int:
    """Say whether the folder is what was written, and whether the audit gives it again."""
    with _unpacked(options.verify) as folder:
        evidence = read_evidence(folder)
        broken = [*_changed_inputs(folder, evidence), *iter_changed(folder, evidence)]
        figures = 0
        if evidence["options"] is None:
            found, figures = _recounted(folder) if COUNTED in evidence["files"] else ([], 0)
            broken += found
        else:
            with tempfile.TemporaryDirectory(prefix="glocalx-") as made:
                again = Path(made)
                asked = _asked_again(folder, evidence, again, options)
                repeat(asked, again, datetime.fromisoformat(evidence["made"]))
                broken += _not_the_same(folder, again, evidence)
                figures = sum(
                    count_figures(json.loads(path.read_bytes())) for path in again.glob("*.json")
                )
        if options.json:
            print_json({"same": not broken, "figures": figures, "differences": broken})
        else:
            print_lines([*_verdict(evidence, broken, figures), *_other_versions(evidence, folder)])
    return 1 if broken else 0


@contextmanager
def _unpacked(given: Path) -> Iterator[Path]:
    """The folder itself, or the files of a ZIP for as long as they are looked at."""
    if not given.is_file():
        yield given
        return
    broken = f"{shown(given.name)} is no ZIP of an audit. Give that, or the folder it wrote."
    with tempfile.TemporaryDirectory(prefix="glocalx-") as folder:
        with opened_zip(read_bytes(given), broken) as archive:
            for name in archive.namelist():
                if Path(name).name == name:  # nothing of ours lies in a folder
                    (Path(folder) / name).write_bytes(archive.read(name))
        yield Path(folder)


def _verdict(evidence: dict[str, Any], broken: list[str], figures: int) -> list[str]:
    if broken:
        more = len(broken) - MOST_SHOWN
        return [
            f"Not the same: {counted(len(broken), 'difference')}.",
            *broken[:MOST_SHOWN],
            *([f"And {more:,} more."] if more > 0 else []),
        ]
    files = counted(len(evidence["files"]), "file")
    if evidence["options"] is None and not figures:
        return [
            f"The {files} are those that were written.",
            "They hold no records, so here nothing was counted: whoever has the table may do so.",
        ]
    if evidence["options"] is None:
        return [
            f"The same: the {files} are those that were written, and counted again from "
            f"{COUNTED} and theory.json all {figures:,} figures of the audit are the same.",
            "Not counted again: flips, which need the model; and what report.html, report.json and "
            "held_out.csv tell of the run, its table and its model besides. Of these the SHA-256 "
            "was checked.",
        ]
    named = [name for name, given in evidence["inputs"].items() if given is not None]
    return [
        f"The same: {' and '.join(named)} are those that were audited, the {files} are those that "
        f"were written, and counted again all {figures:,} figures are the same."
    ]


def _recounted(folder: Path) -> tuple[list[str], int]:
    """What differs when the audit of a page is counted again, and how many figures were."""
    texts = [folder / name for name in (COUNTED, "theory.json", "audit.json", RECORDS)]
    absent = [path.name for path in texts if not path.is_file()]
    if absent:
        return [f"Nothing could be counted again without {shown(absent[0])}."], 0
    theory = read_theory(folder / "theory.json")
    counted_from = Counted.from_json(texts[0].read_text(encoding="utf-8"))
    audit, classifier = counted_from.audits(theory)
    tables = {**audit_tables(audit), **classifier_tables(classifier)}
    again = json.loads(json.dumps({**json_ready(audit), **tables}))
    try:
        before = dict(json.loads(texts[2].read_bytes()))
        said = [rule["text"] for rule in before["rules"]]
    except (KeyError, TypeError, ValueError):
        return [f"{texts[2].name} does not hold an audit any more."], 0
    for row, text in zip(again["rules"], said, strict=False):
        row["text"] = text  # how a rule reads is no figure
    again |= {name: before.get(name) for name in ASKS_THE_MODEL}
    broken = [f"audit.json: {each}" for each in iter_differences(before, again)]
    for name in tables:
        path = folder / f"{name}.csv"
        rows: list[Row] = again[name] or []
        if path.is_file() and path.read_bytes() != f"\ufeff{table_to_csv(rows)}".encode():
            broken.append(f"{path.name} is not what is counted again.")
    if texts[3].read_bytes() != counted_from.record_file(audit):
        broken.append(f"{RECORDS} is not what is counted again.")
    left_out = dict.fromkeys(ASKS_THE_MODEL)
    return broken, count_figures({**again, **left_out})


def _other_versions(evidence: dict[str, Any], folder: Path) -> list[str]:
    then = (evidence["options"] or {}).get("versions", {})
    if not then and (folder / "report.json").is_file():
        then = json.loads((folder / "report.json").read_bytes()).get("versions", {})
    other = [f"{name} {now}" for name, now in program_versions().items() if then.get(name) != now]
    return [f"Checked with other versions than then: {', '.join(other)}."] if other else []


def _changed_inputs(folder: Path, evidence: dict[str, Any]) -> Iterator[str]:
    for name, given in evidence["inputs"].items():
        if given is not None and evidence["options"] is not None:
            path = _found(folder, name, given)
            if fingerprint(path) != given["sha256"]:
                yield f"The {name}, {shown(path.name)}, changed after the audit was made."


def _found(folder: Path, name: str, given: dict[str, str]) -> Path:
    """Where a file is now: the rules in the folder, the others where they were, or in it, too."""
    places = [folder / "theory.json"] if name == "rules" else []
    places += [folder / given["path"], folder / Path(given["name"]).name]
    for place in places:
        if place.is_file():
            return place
    raise GLocalXError(
        f"The {name}, {shown(given['name'])}, is not where it was. Put it into {shown(folder)}."
    )


def _asked_again(
    folder: Path, evidence: dict[str, Any], again: Path, options: argparse.Namespace
) -> argparse.Namespace:
    """What was asked then; an option that there was not yet is left as it is."""
    found = {
        given: _found(folder, name, evidence["inputs"][name])
        if evidence["inputs"].get(name) is not None
        else None
        for name, given in _INPUTS.items()
    }
    rest = {"out": again, "json": True, "verify": None}
    called = {"called": evidence["inputs"]["rules"]["name"], "versions": {}}
    return argparse.Namespace(**{**vars(options), **called, **evidence["options"], **found, **rest})


def _not_the_same(folder: Path, again: Path, evidence: dict[str, Any]) -> Iterator[str]:
    """What the repeated audit wrote otherwise."""
    for name in evidence["files"]:
        before, after = folder / name, again / name
        if not before.is_file():
            continue  # said already
        if not after.is_file():
            yield f"{shown(name)} is not written when the audit is repeated."
        elif before.read_bytes() != after.read_bytes():
            yield from _said(name, before.read_bytes(), after.read_bytes())


def _said(name: str, before: bytes, after: bytes) -> Iterator[str]:
    if name.endswith(".json"):
        try:
            found = list(iter_differences(json.loads(before), json.loads(after)))
        except ValueError:
            found = ["not JSON any more."]
        yield from (f"{name}: {each}" for each in found or ["written otherwise."])
        return
    lines = zip(before.splitlines(), after.splitlines(), strict=False)
    number = next((i for i, (one, other) in enumerate(lines, start=1) if one != other), None)
    where = "it has another length" if number is None else f"line {number:,} is another"
    yield f"{name}: {where} when the audit is repeated."
