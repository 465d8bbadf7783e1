"""`glocalx apply`: what rules, and the model, say of other records, however many."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa  # type: ignore[import-untyped]
from pandas.api.types import is_numeric_dtype
from pyarrow.csv import CSVWriter  # type: ignore[import-untyped]
from pyarrow.parquet import ParquetWriter  # type: ignore[import-untyped]

from glocalx.audit import open_files
from glocalx.cli.asked_model import opened_model
from glocalx.cli.options import add_model_options
from glocalx.cli.output import print_json, print_lines
from glocalx.cli.questions import add_permission_options, changes_text, ways_from
from glocalx.errors import GLocalXError
from glocalx.export.csv import defused
from glocalx.files import read_sensitive, read_theory
from glocalx.questions.applied import Applied, iter_applied
from glocalx.questions.changes import ChangeFinder
from glocalx.questions.permissions import Permissions
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.theory import named_features
from glocalx.words.phrases import counted, listing, shown

ROWS = 100_000  # records at a time
ENDINGS = (".csv", ".parquet")
CHANGES = ("changes that work", "answer then")


def add_to(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "apply",
        help="what the rules say of other records, and the model beside them",
        description="For each record of a CSV or Parquet file of any size: what the rules of a "
        "theory say, which of them decides, what the model says if it is given, where they differ, "
        "and, for some records, changes after which the model says something else.",
    )
    parser.add_argument("theory", type=Path, metavar="THEORY.json")
    parser.add_argument("table", type=Path, metavar="TABLE", help="a CSV, TSV or Parquet file")
    parser.add_argument("--model", type=Path, metavar="FILE", help="an ONNX or skops file")
    add_model_options(parser)
    add_permission_options(parser)
    parser.add_argument(
        "--sensitive",
        action="append",
        default=[],
        metavar="COLUMN",
        help="a sensitive feature, which no change touches unless --may-change names it; those "
        "that the theory file knows need not be named",
    )
    parser.add_argument(
        "--changes",
        type=int,
        default=0,
        metavar="N",
        help="look for changes that work for the first N records (needs --model; default: 0)",
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="ends in .csv or .parquet"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace) -> None:
    if options.out.suffix.lower() not in ENDINGS:
        raise GLocalXError(f"“{options.out.name}” should end in {' or '.join(ENDINGS)}.")
    if options.changes and not options.model:
        raise GLocalXError("Changes that work are searched with the model. Give it as --model.")
    theory = read_theory(options.theory)
    permissions = _permissions(options, theory)
    used = named_features(theory.rules)
    names = [name for name in theory.schema.names if options.model or name in used]
    records = differing = changed = 0
    with open_files([options.table], theory.schema) as source, _writing(options.out) as write:
        box = None
        if options.model:
            first = next(source.iter_frames(names, ROWS), pd.DataFrame())
            box = opened_model(options, theory, first)
        frames = source.iter_frames(names, ROWS)
        finder: ChangeFinder | None = None
        for part in iter_applied(theory, frames, box):
            if options.changes and box is not None and finder is None:
                finder = ChangeFinder(box, theory.schema, part.frame, permissions)
            table = part.table()
            if options.changes:
                assert finder is not None  # there is a model
                found = _changes(finder, part, options.changes - records)
                for name, texts in zip(CHANGES, found, strict=True):
                    table[name] = pd.array(texts, dtype="str")
                changed += sum(text is not None for text in found[0])
            write(table)
            records += len(table)
            differing += part.differing
    told = {
        "records": records,
        "differing": differing if box is not None else None,
        "changes": changed if options.changes else None,
    }
    if options.json:
        print_json(told)
        return
    lines = [f"{counted(records, 'record')}, {counted(theory.size, 'rule')}."]
    if box is not None:
        lines.append(
            f"Rules and model agree on {records - differing:,} and differ on {differing:,}."
        )
    if options.changes:
        asked = min(options.changes, records)
        lines.append(
            f"Changes that work, each confirmed by the model: for {changed:,} of {asked:,}. New "
            f"values are taken from the file. {_left_alone(options, permissions)}".strip()
        )
    print_lines([*lines, f"Written to {options.out}."])


def _permissions(options: argparse.Namespace, theory: RankedTheory) -> Permissions:
    """What may change: what the options say, and no sensitive feature of the theory or options."""
    said = ways_from(options)
    strange = [name for name in (*options.sensitive, *said) if name not in theory.schema]
    if strange:
        raise GLocalXError(
            f"{shown(strange[0])} is no feature of the theory. It has: "
            f"{listing(theory.schema.names)}."
        )
    known = read_sensitive(options.theory) or ()
    return Permissions.of(said, dict.fromkeys((*known, *options.sensitive))).checked(theory.schema)


def _left_alone(options: argparse.Namespace, permissions: Permissions) -> str:
    """Which features were left alone; that nobody said which are sensitive, where nobody did."""
    said = permissions.sentence()
    if not options.sensitive and read_sensitive(options.theory) is None:
        said += " The theory does not say which features are sensitive: name them with --sensitive."
    return said.strip()


def _changes(
    finder: ChangeFinder, part: Applied, left: int
) -> tuple[list[str | None], list[str | None]]:
    """For each record the change with the fewest features, and the answer after it."""
    frame = part.frame[: max(left, 0)].reset_index(drop=True)
    found = [each.changes[0] if each.changes else None for each in finder.iter_found(frame)]
    rest: list[str | None] = [None] * (len(part.frame) - len(frame))
    texts = [None if each is None else changes_text(each) for each in found]
    answers = [None if each is None else each.outcome for each in found]
    return [*texts, *rest], [*answers, *rest]


@contextmanager
def _writing(path: Path) -> Iterator[Any]:
    """A function that writes tables below each other; the file begins with the first."""
    opened: list[Any] = []
    columns: list[Any] = []

    def write(table: pd.DataFrame) -> None:
        arrow = pa.Table.from_pandas(_plain(table, path), preserve_index=False)
        if not opened:
            kind = CSVWriter if path.suffix.lower() == ".csv" else ParquetWriter
            opened.append(kind(str(path), arrow.schema))
            columns.append(arrow.schema)
        opened[0].write_table(arrow.cast(columns[0]))  # an empty part does not know its types

    try:
        yield write
    except OSError as error:
        raise GLocalXError(
            f"“{path}” cannot be written: {error.strerror or error}. Give another file as --out."
        ) from None
    finally:
        for writer in opened:
            writer.close()


def _plain(table: pd.DataFrame, path: Path) -> pd.DataFrame:
    """Texts as texts; in CSV none that a spreadsheet takes for a formula."""
    made = {}
    for name in table:
        column = table[name]
        if not is_numeric_dtype(column):
            column = column.astype("str")
            if path.suffix.lower() == ".csv":
                column = column.map({text: defused(text) for text in column.dropna().unique()})
        made[name] = column
    return pd.DataFrame(made)
