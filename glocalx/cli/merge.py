"""`glocalx merge`: local rules and a table in, a global theory out."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import pandas as pd

from glocalx.classifier import RankedTheory
from glocalx.cli.progress import with_progress
from glocalx.coverage import Records
from glocalx.errors import GLocalXError
from glocalx.files import read_rules, write_hierarchy, write_theory
from glocalx.hierarchy import Hierarchy, iter_merges
from glocalx.schema import Schema
from glocalx.scoring import Reference
from glocalx.search import MergeSettings
from glocalx.selection import select
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
    theory = RankedTheory.of(
        select(
            hierarchy,
            reference,
            alpha=options.alpha,
            alpha_q=options.alpha_q,
            budget=options.budget,
        ),
        reference,
    )
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        write_theory(options.out / "theory.json", theory)
        write_hierarchy(options.out / "hierarchy.json", hierarchy, schema)
    summary = summarise(hierarchy, theory, held_out, Wording(schema, reference.records))
    report({"seconds": round(seconds, 4), **summary}, held_out is not reference, options)


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


def summarise(
    hierarchy: Hierarchy, theory: RankedTheory, held_out: Reference, wording: Wording
) -> dict[str, Any]:
    """What came out, as plain data."""
    return {
        "distinct_rules": len(hierarchy.local_rules),
        "accepted": hierarchy.accepted,
        "rejected": hierarchy.rejected,
        "rules_left": hierarchy.rules().size,
        "size": theory.size,
        "length": theory.length,
        "fidelity": theory.fidelity(held_out),
        "rules": [wording.rule(rule) for rule in theory.rules],
    }


def report(summary: dict[str, Any], is_held_out: bool, options: argparse.Namespace) -> None:
    """Tell a person, or a program, what came out."""
    if options.json:
        sys.stdout.write(json.dumps(summary, ensure_ascii=False) + "\n")
        return
    where = "held-out records" if is_held_out else "the records it was made on (give --test)"
    lines = [
        f"{summary['distinct_rules']:,} distinct local rules, {summary['accepted']:,} merges, "
        f"{summary['rules_left']:,} rules left, in {summary['seconds']:.1f} s.",
        f"Theory of {summary['size']} rules, {summary['length']:.1f} conditions each, agrees with "
        f"the black box on {summary['fidelity']:.1%} of {where}.",
        *(f"{i:3}  {rule}" for i, rule in enumerate(summary["rules"], start=1)),
    ]
    if options.out:
        lines.append(f"Written to {options.out}: theory.json, hierarchy.json.")
    sys.stdout.write("\n".join(lines) + "\n")


def _labelled(path: Path, column: str) -> tuple[pd.DataFrame, list[str]]:
    """The records of a file and their labels."""
    try:
        frame = pd.read_csv(path)
    except FileNotFoundError:
        raise GLocalXError(f"There is no file “{path}”. Check the name.") from None
    except (ValueError, OSError) as error:
        raise GLocalXError(f"The file “{path.name}” cannot be read as a table: {error}.") from None
    if column not in frame.columns:
        raise GLocalXError(
            f"The file “{path.name}” has no column “{column}” for the labels. "
            f"It has: {', '.join(map(str, frame.columns[:12]))}."
        )
    missing = int(frame[column].isna().sum())
    if missing:
        raise GLocalXError(
            f"The column “{column}” of “{path.name}” has {missing:,} empty labels. "
            "Fill them or remove these rows."
        )
    return frame.drop(columns=column), list(frame[column])
