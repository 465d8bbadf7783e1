"""`glocalx explain`: the whole way from a file to a theory."""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from glocalx.blackbox.predictions import StandIn
from glocalx.blackbox.presets import MODEL_KINDS
from glocalx.cli.options import (
    add_merge_options,
    add_selection_options,
    add_synthetic_option,
    checked_folder,
    merge_settings,
    pairs_from,
    processes,
    selection_settings,
)
from glocalx.cli.output import DRAWN_NOTE, print_json, print_lines, result_lines, summarise
from glocalx.cli.progress import with_progress
from glocalx.errors import GLocalXError
from glocalx.evaluation.verdict import verdict_on
from glocalx.extraction.settings import EXTRACTORS, ExtractionSettings
from glocalx.files import write_hierarchy, write_local_rules, write_rules, write_theory
from glocalx.pipeline.road import Road
from glocalx.pipeline.settings import (
    ALL,
    STAGES,
    BoxSettings,
    DataSettings,
    RuleSettings,
    RunSettings,
    Stage,
)
from glocalx.table import Role
from glocalx.table.samples import sample_names
from glocalx.words.wording import Wording

UNITS: dict[Stage, str] = {"model": "fits", "rules": "local rules", "merge": "merges"}


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
    jobs = processes(options.jobs)
    folder = checked_folder(options.out)
    road = Road(settings, jobs=jobs, cluster=options.cluster)
    seconds = dict(_iter_seconds(road, quiet=options.json))
    summary = _summary(road, seconds)
    lines = _lines(road, summary)
    _write(road, folder)
    (folder / "summary.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    if options.json:
        print_json(summary)
    else:
        files = "theory.json, hierarchy.json, local_rules.json, summary.txt"
        print_lines([*lines, f"Written to {folder}: {files}."])


def settings_from(options: argparse.Namespace) -> RunSettings:
    """What the options ask for."""
    _refuse_idle(options)
    rules = RuleSettings(
        extraction=ExtractionSettings(extractor=options.extractor),
        records=ALL if options.records is None else options.records,
        file=str(options.rules) if options.rules else None,
    )
    return RunSettings(
        data=_data(options),
        box=_box(options),
        rules=rules,
        merge=merge_settings(options),
        selection=selection_settings(options),
        synthetic=options.synthetic,
    )


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


def _data(options: argparse.Namespace) -> DataSettings:
    if options.predictions and options.predictions == options.target:
        raise GLocalXError("The target and the predictions are the same column. Name two columns.")
    sample = options.table in sample_names() and not Path(options.table).exists()
    if not sample and not options.target:
        raise GLocalXError("Say which column is to be explained with --target COLUMN.")
    named: list[tuple[str | None, Role]] = [
        (options.target, "target"),
        (options.predictions, "predictions"),
        *((name, "ignored") for name in options.ignore),
    ]
    return DataSettings(
        sample=options.table if sample else None,
        file=None if sample else options.table,
        name=Path(options.table).name,
        roles={column: role for column, role in named if column},
        most_rows=ALL,
        seed=options.seed,
    )


def _box(options: argparse.Namespace) -> BoxSettings:
    """What is asked: an opened model, a stand-in for predictions, or a model trained here."""
    if options.predictions:
        return BoxSettings(source="predictions")
    if not options.model:
        return BoxSettings(kind=options.train or "rf")
    return BoxSettings(
        source="model",
        file=str(options.model),
        name=options.model.name,
        trusted=tuple(options.trust),
        columns=tuple(options.model_columns) if options.model_columns else None,
        outcomes=pairs_from("--answer", options.answer, "1=yes") or None,
    )


def _iter_seconds(road: Road, *, quiet: bool) -> Iterator[tuple[Stage, float]]:
    """Go the whole way, showing how far it is; how long each stage took."""
    for stage in STAGES:
        begun = time.perf_counter()
        for _ in with_progress(
            road.iter_to(stage),
            lambda step: step.done / step.total if step.total else 1.0,
            lambda step: f"{step.done:,} of {step.total:,} {UNITS[step.stage]}",
            quiet=quiet,
        ):
            pass
        yield stage, time.perf_counter() - begun


def _summary(road: Road, seconds: dict[Stage, float]) -> dict[str, Any]:
    """What came out, as plain data."""
    labelled, split = road.labelled, road.split
    truth = split.table.true_label[split.parts.test]
    made_here = road.brought is None
    wording = Wording(labelled.schema, road.reference.records)
    verdict = verdict_on(road.theory, labelled.held_out)
    summary = {
        "seconds": round(seconds["merge"], 4),
        **summarise(road.hierarchy, road.theory, labelled.held_out, wording),
        "verdict": verdict.headline(wording.outcome),
        "verdict_evidence": verdict.evidence(wording.outcome),
        "kappa": None if math.isnan(verdict.kappa) else verdict.kappa,
        "found": {each.outcome: [each.found, each.given] for each in verdict.outcomes},
        "black_box_accuracy": float(np.mean(labelled.held_out.labels == truth)),
        "extraction_seconds": round(seconds["rules"], 4) if made_here else 0.0,
        "records": len(road.local_rules) if made_here else labelled.reference.size,
        "synthetic": road.settings.synthetic,
    }
    if isinstance(road.black_box, StandIn):
        summary["stand_in_agreement"] = road.black_box.agreement
    return summary


def _write(road: Road, folder: Path) -> None:
    schema = road.labelled.schema
    write_hierarchy(folder / "hierarchy.json", road.hierarchy, schema)
    if road.brought is None:
        write_local_rules(folder / "local_rules.json", road.local_rules, schema)
    else:
        write_rules(folder / "local_rules.json", road.brought, schema)
    write_theory(folder / "theory.json", road.theory)


def _lines(road: Road, summary: dict[str, Any]) -> list[str]:
    """The summary that a person reads."""
    table, box, held_out = road.split.table, road.black_box, road.labelled.held_out.size
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
    lines += [summary["verdict"], summary["verdict_evidence"]]
    lines += result_lines(summary, road.theory, f"{held_out:,} held-out records")
    lines += [f"Note: {finding.sentence}" for finding in table.findings]
    return lines
