"""`glocalx merge`: local rules and a table in, a global theory out."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import pandas as pd

from glocalx.classifier import RankedTheory
from glocalx.cli.output import print_json, print_lines, result_lines, summarise
from glocalx.cli.progress import with_progress
from glocalx.coverage import Records
from glocalx.errors import GLocalXError
from glocalx.files import read_rules, write_hierarchy, write_theory
from glocalx.hierarchy import Hierarchy
from glocalx.merges import iter_merges
from glocalx.schema import Schema, outcome_text
from glocalx.scoring import Reference
from glocalx.search import MergeSettings
from glocalx.selection import select
from glocalx.table import read_table
from glocalx.wording import Wording


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
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object on standard output"
    )
    add_merge_options(parser)
    add_selection_options(parser)
    parser.set_defaults(run=run)


def add_merge_options(parser: argparse.ArgumentParser) -> None:
    """Options that steer the merge, named as in MergeSettings."""
    default = MergeSettings()
    group = parser.add_argument_group("merging")
    group.add_argument("--batch-size", type=int, default=default.batch_size, metavar="N")
    group.add_argument("--seed", type=int, default=default.seed, metavar="N")
    group.add_argument("--fidelity-weight", type=float, default=default.fidelity_weight)
    group.add_argument("--complexity-weight", type=float, default=default.complexity_weight)
    group.add_argument("--bic-on", choices=("all", "batch"), default=default.bic_on)
    group.add_argument("--patience", type=int, default=default.patience, metavar="N")
    group.add_argument("--shards", type=int, default=default.shards, metavar="N")


def add_selection_options(parser: argparse.ArgumentParser) -> None:
    """The three ways to choose the final theory; none: a budget of 10."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--alpha", type=int, metavar="K", help="the K rules of highest fidelity")
    group.add_argument("--alpha-q", type=float, metavar="Q", help="rules from percentile Q up")
    group.add_argument("--budget", type=int, metavar="K", help="the best K rules together")


def settings_from(options: argparse.Namespace) -> MergeSettings:
    return MergeSettings(
        batch_size=options.batch_size,
        seed=options.seed,
        fidelity_weight=options.fidelity_weight,
        complexity_weight=options.complexity_weight,
        bic_on=options.bic_on,
        patience=options.patience,
        shards=options.shards,
    )


def run(options: argparse.Namespace) -> None:
    frame, labels = _labelled(options.data, options.labels)
    rules, schema = read_rules(options.rules, schema=Schema.of(frame, labels))
    reference = Reference(Records(schema, frame), labels)
    held_out = reference
    if options.test:
        frame, labels = _labelled(options.test, options.labels)
        held_out = Reference(Records(schema, frame), labels)

    hierarchy = Hierarchy.start(rules, reference, settings_from(options))
    seconds = merge_with_progress(hierarchy, reference, quiet=options.json)
    theory = selected(hierarchy, reference, options)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        write_theory(options.out / "theory.json", theory)
        write_hierarchy(options.out / "hierarchy.json", hierarchy, schema)
    wording = Wording(schema, reference.records)
    summary = {
        "seconds": round(seconds, 4),
        **summarise(hierarchy, theory, held_out, wording),
    }
    if options.json:
        print_json(summary)
        return
    judged_on = "held-out records" if options.test else "the records it was made on (give --test)"
    lines = result_lines(summary, theory, judged_on)
    if options.out:
        lines.append(f"Written to {options.out}: theory.json, hierarchy.json.")
    print_lines(lines)


def selected(
    hierarchy: Hierarchy, reference: Reference, options: argparse.Namespace
) -> RankedTheory:
    """The final theory as the options ask for it."""
    chosen = select(
        hierarchy,
        reference,
        alpha=options.alpha,
        alpha_q=options.alpha_q,
        budget=options.budget,
    )
    return RankedTheory.of(chosen, reference)


def merge_with_progress(hierarchy: Hierarchy, reference: Reference, *, quiet: bool) -> float:
    """Merge to the end; the seconds it took."""
    begun = time.perf_counter()
    steps = iter_merges(hierarchy, reference)
    for _ in with_progress(
        steps,
        lambda step: step.progress,
        lambda step: f"{step.theories_left:,} theories, {step.rules_left:,} rules",
        quiet=quiet,
    ):
        pass
    return time.perf_counter() - begun


def _labelled(path: Path, column: str) -> tuple[pd.DataFrame, list[str]]:
    """The records of a file and their labels."""
    cells = read_table(path).cells.to_pandas()
    if column not in cells.columns:
        raise GLocalXError(
            f"The file “{path.name}” has no column “{column}” for the labels. "
            f"It has: {', '.join(cells.columns[:12])}."
        )
    texts = cells[column].astype(str).str.strip()
    missing = int((cells[column].isna() | (texts == "")).sum())
    if missing:
        raise GLocalXError(
            f"The column “{column}” of “{path.name}” has {missing:,} empty "
            f"{'label' if missing == 1 else 'labels'}. Fill them or remove these rows."
        )
    frame = cells.drop(columns=column).apply(_numbers_where_all_are)
    return frame, [_label(text) for text in texts]


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
