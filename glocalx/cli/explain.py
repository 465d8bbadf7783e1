"""`glocalx explain`: the whole way from a file to a theory."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from glocalx.blackbox.base import BlackBox, Labels
from glocalx.blackbox.check import check_black_box
from glocalx.blackbox.opening import open_model
from glocalx.blackbox.predictions import StandIn
from glocalx.blackbox.presets import MODEL_KINDS, ModelKind
from glocalx.blackbox.trained import train
from glocalx.cli.merge import merge_with_progress, selected
from glocalx.cli.options import (
    add_merge_options,
    add_selection_options,
    add_synthetic_option,
    checked_folder,
    pairs_from,
    processes,
    settings_from,
)
from glocalx.cli.output import DRAWN_NOTE, print_json, print_lines, result_lines, summarise
from glocalx.cli.progress import with_progress
from glocalx.errors import GLocalXError
from glocalx.extraction.iterate import iter_local_rules
from glocalx.extraction.local_rule import LocalRule
from glocalx.extraction.settings import EXTRACTORS, ExtractionSettings
from glocalx.files import (
    read_rules,
    write_hierarchy,
    write_local_rules,
    write_rules,
    write_theory,
)
from glocalx.merging.hierarchy import Hierarchy
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.synthetic import FeatureDistribution, synthetic_reference
from glocalx.table import Role, Split, Table, read_table, split
from glocalx.table.samples import load_sample, sample_names
from glocalx.words.wording import Wording


def add_to(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "explain",
        help="the whole way from a table to a theory",
        description="Ask a black box about the records of a table, write one local rule for each, "
        "merge them, and choose a handful that answer like the black box.",
    )
    parser.add_argument(
        "table", metavar="TABLE", help=f"a file, or a sample: {', '.join(sample_names())}"
    )
    parser.add_argument("--target", metavar="COLUMN", help="the outcome (known for samples)")
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="COLUMN",
        help="a column that no rule may speak of; may be given several times",
    )
    box = parser.add_mutually_exclusive_group()
    box.add_argument("--model", type=Path, metavar="FILE", help="an ONNX or skops file")
    box.add_argument("--predictions", metavar="COLUMN", help="a column of answers, and no model")
    box.add_argument("--train", choices=MODEL_KINDS, help="train one here")
    parser.add_argument(
        "--trust", action="append", default=[], metavar="TYPE", help="a type in a skops file"
    )
    parser.add_argument(
        "--answer",
        action="append",
        default=[],
        metavar="ANSWER=OUTCOME",
        help="what an answer of the model means, such as 1=yes; once for each answer",
    )
    parser.add_argument(
        "--model-columns",
        nargs="+",
        metavar="COLUMN",
        help="the columns of a model that takes a matrix, in its order",
    )
    parser.add_argument("--extractor", choices=EXTRACTORS, default="neighbourhood")
    parser.add_argument("--records", type=int, metavar="N", help="explain N records (default: all)")
    parser.add_argument("--rules", type=Path, metavar="FILE", help="local rules made elsewhere")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--jobs", type=int, default=-1, metavar="N", help="processes (default: all)")
    where.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_synthetic_option(parser)
    add_merge_options(parser)
    add_selection_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    settings = settings_from(options)
    options.jobs = processes(options.jobs)
    _refuse_idle(options)
    folder = checked_folder(options.out)
    table = _open(options)
    parts = split(table, seed=options.seed)
    frames = [
        table.frame.iloc[part].reset_index(drop=True)
        for part in (parts.train, parts.explain, parts.test)
    ]
    box = _black_box(options, table, parts, frames[0])
    schema = table.schema(_outcomes(table, box))
    explain_labels, test_labels = _labels(table, parts, box, frames)
    held_out = Reference(Records(schema, frames[2]), test_labels)

    rules, local, extraction_seconds = _local_rules(options, schema, box, frames)
    if options.synthetic:
        reference = _drawn(options.seed, schema, box, frames[1], local or rules)
    else:
        reference = Reference(Records(schema, frames[1]), explain_labels)
    hierarchy = Hierarchy.start(rules, reference, settings)
    seconds = merge_with_progress(hierarchy, reference, quiet=options.json)
    theory = selected(hierarchy, reference, options)
    summary = {
        "seconds": round(seconds, 4),
        **summarise(hierarchy, theory, held_out, Wording(schema, reference.records)),
        "black_box_accuracy": float(np.mean(test_labels == table.true_label[parts.test])),
        "extraction_seconds": round(extraction_seconds, 4),
        "records": len(local) or reference.size,
        "synthetic": options.synthetic,
    }
    if isinstance(box, StandIn):
        summary["stand_in_agreement"] = box.agreement
    lines = _lines(summary, theory, table, box, held_out.size)
    write_hierarchy(folder / "hierarchy.json", hierarchy, schema)
    if local:
        write_local_rules(folder / "local_rules.json", local, schema)
    else:
        write_rules(folder / "local_rules.json", rules, schema)
    write_theory(folder / "theory.json", theory)
    (folder / "summary.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    if options.json:
        print_json(summary)
    else:
        files = "theory.json, hierarchy.json, local_rules.json, summary.txt"
        print_lines([*lines, f"Written to {folder}: {files}."])


def _refuse_idle(options: argparse.Namespace) -> None:
    """Options that would do nothing are a misunderstanding."""
    idle = []
    if not options.model:
        idle += [("--answer", options.answer), ("--model-columns", options.model_columns)]
        idle += [("--trust", options.trust)]
    if options.rules:
        idle += [("--records", options.records), ("--cluster", options.cluster)]
    for name, given in idle:
        if given:
            other = "--rules" if name in ("--records", "--cluster") else "no --model"
            raise GLocalXError(f"“{name}” does nothing with {other}. Leave one of them out.")


def _open(options: argparse.Namespace) -> Table:
    if options.predictions and options.predictions == options.target:
        raise GLocalXError("The target and the predictions are the same column. Name two columns.")
    if options.table in sample_names() and not Path(options.table).exists():
        table = load_sample(options.table)
        named: list[tuple[str | None, Role]] = [
            (options.target, "target"),
            (options.predictions, "predictions"),
        ]
    else:
        if not options.target:
            raise GLocalXError("Say which column is to be explained with --target COLUMN.")
        raw = read_table(Path(options.table))
        table = Table.of(raw, target=options.target, predictions=options.predictions)
        named = []
    named += [(name, "ignored") for name in options.ignore]
    for column, role in named:
        if column:
            table = table.with_role(column, role)
    return table


def _black_box(
    options: argparse.Namespace, table: Table, parts: Split, train_frame: pd.DataFrame
) -> BlackBox:
    """What is asked: an opened model, a stand-in for predictions, or a model trained here."""
    schema = table.schema()
    box: BlackBox
    if options.model:
        try:
            data = options.model.read_bytes()
        except OSError as error:
            raise GLocalXError(
                f"The model “{options.model}” cannot be read: {error.strerror}. Check the name."
            ) from None
        box = open_model(
            options.model.name,
            data,
            schema,
            trusted=options.trust,
            columns=options.model_columns,
            outcomes=pairs_from("--answer", options.answer, "1=yes") or None,
            sample=train_frame,
        )
        check_black_box(box, table.frame.iloc[parts.explain], table.target[parts.explain])
    elif table.predictions is not None:
        known = table.schema(table.predictions)
        answers = table.predictions[parts.train]
        box = StandIn.fit(train_frame, answers, known, options.seed, options.jobs)
    else:
        kind: ModelKind = options.train or "rf"
        target = table.target[parts.train]
        box = train(kind, train_frame, target, schema, seed=options.seed, jobs=options.jobs)
    return box


def _outcomes(table: Table, box: BlackBox) -> tuple[str, ...]:
    return (*box.outcomes, *(() if table.predictions is None else table.predictions))


def _labels(
    table: Table, parts: Split, box: BlackBox, frames: list[pd.DataFrame]
) -> tuple[Labels, Labels]:
    """What the black box says of the explained and the test records: given, or asked for."""
    given = table.predictions
    if given is not None:
        return given[parts.explain], given[parts.test]
    return box.labels(frames[1]), box.labels(frames[2])


def _local_rules(
    options: argparse.Namespace, schema: Schema, box: BlackBox, frames: list[pd.DataFrame]
) -> tuple[list[Rule], list[LocalRule], float]:
    """The rules to merge; where they were made here, with all that is known about them."""
    if options.rules:
        rules, _ = read_rules(options.rules, schema=schema)
        return rules, [], 0.0
    train_frame, explain_frame, _ = frames
    begun = time.perf_counter()
    blocks = iter_local_rules(
        explain_frame,
        box,
        schema,
        background=train_frame,
        settings=ExtractionSettings(extractor=options.extractor),
        seed=options.seed,
        records=_chosen(options.records, len(explain_frame), options.seed),
        jobs=options.jobs,
        cluster=options.cluster,
    )
    local = [
        rule
        for block in with_progress(
            blocks,
            lambda block: block.share,
            lambda block: f"{block.done:,} of {block.total:,} local rules",
            quiet=options.json,
        )
        for rule in block.rules
    ]
    return [made.rule for made in local], local, time.perf_counter() - begun


def _drawn(
    seed: int,
    schema: Schema,
    box: BlackBox,
    frame: pd.DataFrame,
    rules: Sequence[LocalRule] | Sequence[Rule],
) -> Reference:
    """Records to merge on that are nobody's; a stand-in does not answer for the black box."""
    asked = None if isinstance(box, StandIn) else box
    distribution = FeatureDistribution(frame, schema)
    return synthetic_reference(distribution, rules, len(frame), black_box=asked, seed=seed)


def _chosen(wanted: int | None, size: int, seed: int) -> list[int] | None:
    if wanted is None or wanted >= size:
        return None
    if wanted < 1:
        raise GLocalXError("Explain at least 1 record.")
    return sorted(np.random.default_rng(seed).choice(size, wanted, replace=False).tolist())


def _lines(
    summary: dict[str, Any], theory: RankedTheory, table: Table, box: BlackBox, held_out: int
) -> list[str]:
    """The summary that a person reads."""
    lines = [
        f"{table.size:,} records of “{table.raw.name}”, {len(table.features)} features, explained "
        f"with {summary['records']:,} local rules in {summary['extraction_seconds']:.1f} s.",
        f"Black box: {box.name}, right on {summary['black_box_accuracy']:.1%} of "
        f"{held_out:,} held-out records. The rules explain it, mistakes included.",
    ]
    if isinstance(box, StandIn):
        lines.append(
            f"There is no model, only its answers: a stand-in was asked, which agrees with them "
            f"on {box.agreement:.1%} of {box.judged:,} held-out records."
        )
    if summary["synthetic"]:
        lines.append(DRAWN_NOTE)
    lines += result_lines(summary, theory, f"{held_out:,} held-out records")
    lines += [f"Note: {finding.sentence}" for finding in table.findings]
    return lines
