"""`glocalx merge`: local rules and a table in, a global theory out."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from glocalx.cli.options import (
    add_road_options,
    checked_folder,
    merge_settings,
    selection_settings,
)
from glocalx.cli.output import (
    DRAWN_NOTE,
    print_json,
    print_lines,
    result_lines,
    seconds_of,
    summarise,
    unseen_notes,
)
from glocalx.cli.steering import (
    SteeringOptions,
    add_steering_options,
    steering_facts,
    steering_lines,
)
from glocalx.errors import GLocalXError
from glocalx.files import read_rules, schema_of_rules, write_hierarchy, write_theory
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.iterate import iter_merges
from glocalx.pipeline.theories import chosen_theory, without_barred
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema, outcome_text
from glocalx.rules.scoring import Reference
from glocalx.steering import iter_steered
from glocalx.synthetic import FeatureDistribution, synthetic_reference
from glocalx.table import Choices, Table, read_table
from glocalx.words.phrases import counted, listing
from glocalx.words.wording import Wording


def add_to(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "merge",
        help="merge local rules into a global theory",
        description="Merge local rules step by step and choose a handful that answer like the "
        "black box.",
    )
    parser.add_argument("rules", type=Path, metavar="RULES.json", help="local rules")
    parser.add_argument("data", type=Path, metavar="DATA.csv", help="the explained records")
    parser.add_argument(
        "--labels", required=True, metavar="COLUMN", help="the column of black-box labels"
    )
    parser.add_argument("--test", type=Path, metavar="DATA2.csv", help="held-out records")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write theory and hierarchy here")
    add_road_options(parser)
    add_steering_options(parser)


def run(options: argparse.Namespace) -> None:
    settings = merge_settings(options)
    folder = checked_folder(options.out) if options.out else None
    known = schema_of_rules(options.rules)
    given = _labelled(options.data, options.labels, known)
    rules, schema = read_rules(options.rules, schema=known or Schema.of(given.frame, given.labels))
    if given.fills:
        schema = schema.with_fills(given.fills)
    known_records = Records(schema, given.frame)
    reference = held_out = Reference(known_records, given.labels)
    if options.synthetic:
        distribution = FeatureDistribution(given.frame, schema)
        reference = synthetic_reference(distribution, rules, len(given.frame), seed=options.seed)
    if options.test:
        others = _labelled(options.test, options.labels, schema if known else None)
        held_out = Reference(Records(schema, others.frame), others.labels)

    asked = SteeringOptions(options, schema)
    restrictions = asked.restrictions()
    asked.check()
    rules = without_barred(rules, restrictions.barred)
    hierarchy = Hierarchy.start(rules, reference, settings)
    seconds = seconds_of(
        iter_merges(hierarchy, reference),
        lambda step: step.progress,
        lambda step: f"{step.theories_left:,} theories, {step.rules_left:,} rules",
        quiet=options.json,
    )
    chosen = selection_settings(options)
    plain = chosen_theory(hierarchy, reference, chosen)
    theories = list(iter_steered(hierarchy, reference, asked.steering(plain), chosen.to_options()))
    theory = theories[-1][1]
    if folder:
        write_hierarchy(folder / "hierarchy.json", hierarchy, schema)
        write_theory(folder / "theory.json", theory)
    wording = Wording(schema, reference.records)
    summary = summarise(seconds, hierarchy, theory, held_out, wording)
    summary |= steering_facts(theories, wording, reference, held_out)
    notes = [*given.notes, *unseen_notes(known_records, options.data.name)]
    if options.json:
        print_json({**summary, "notes": notes})
        return
    lines = [
        *([DRAWN_NOTE] if options.synthetic else []),
        *result_lines(summary, theory, _judged_on(options)),
        *steering_lines(summary, theory),
        *(f"Note: {note}" for note in notes),
    ]
    if folder:
        lines.append(f"Written to {folder}: theory.json, hierarchy.json.")
    print_lines(lines)


def _judged_on(options: argparse.Namespace) -> str:
    if options.test:
        return "held-out records"
    if options.synthetic:
        return "the records of the table, which it was not made on"
    return "the records it was made on (give --test)"


@dataclass(frozen=True, slots=True, eq=False)
class _Labelled:
    """The records of a file, their labels, what was repaired, and what was put into gaps."""

    frame: pd.DataFrame
    labels: list[str]
    notes: list[str] = field(default_factory=list)
    fills: dict[str, float | str] = field(default_factory=dict)


def _labelled(path: Path, column: str, schema: Schema | None) -> _Labelled:
    """The records of a file.

    Where the rules say what the columns are, the file is read as these; else, for rules by
    column number, every column that holds nothing but numbers is one of numbers. Rules of earlier
    versions know neither gaps nor what fills them: their records are filled, as they were then.
    """
    raw = read_table(path)
    if column not in raw.columns:
        raise GLocalXError(
            f"The file “{path.name}” has no column “{column}” for the labels. "
            f"It has: {listing(raw.columns)}."
        )
    cells = raw.cells.to_pandas()
    texts = cells[column].astype(str).str.strip()
    missing = int((cells[column].isna() | (texts == "")).sum())
    if missing:
        raise GLocalXError(
            f"The column “{column}” of “{path.name}” has {counted(missing, 'empty label')}. "
            "Fill them or remove these rows."
        )
    labels = [_label(text) for text in texts]
    if schema is None:
        return _Labelled(cells.drop(columns=column).apply(_numbers_where_all_are), labels)
    absent = [name for name in schema.names if name not in raw.columns]
    if absent:
        raise GLocalXError(
            f"“{path.name}” lacks the column “{absent[0]}” that the rules were made for. "
            "Use their own table."
        )
    table = Table.of(raw, choices=_as_in(schema, raw.columns))
    fills = {
        each.name: each.fill
        for each in table.features
        if each.fill is not None and schema[each.name].can_be(each.fill)
    }
    return _Labelled(table.frame, labels, [each.sentence for each in table.findings], fills)


def _as_in(schema: Schema, columns: tuple[str, ...]) -> Choices:
    """Every column of the schema a feature of its kind, every other one set aside."""
    says = any(each.gaps or each.fill is not None for each in schema.features)
    return Choices(
        gaps="keep" if says else "fill",
        kinds={feature.name: feature.kind for feature in schema.features},
        roles={name: "feature" if name in schema else "ignored" for name in columns},
    )


def _numbers_where_all_are(column: pd.Series[Any]) -> pd.Series[Any]:
    """A column of numbers that were read as text, as numbers; any other column as it is."""
    known = column.replace("", None)
    numbers = pd.to_numeric(known, errors="coerce")
    return numbers if (numbers.notna() | known.isna()).all() else column


def _label(text: str) -> str:
    """1.0 and 1 are one label."""
    try:
        return outcome_text(float(text))
    except ValueError:
        return text
