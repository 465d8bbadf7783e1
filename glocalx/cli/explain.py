"""`glocalx explain`: the whole way from a file to a theory."""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np

from glocalx.blackbox.giveaways import find_giveaways
from glocalx.blackbox.predictions import StandIn
from glocalx.blackbox.presets import MODEL_KINDS
from glocalx.cli.options import (
    add_road_options,
    checked_folder,
    merge_settings,
    pairs_from,
    processes,
    selection_settings,
)
from glocalx.cli.output import (
    DRAWN_NOTE,
    print_json,
    print_lines,
    result_lines,
    seconds_of,
    summarise,
)
from glocalx.errors import GLocalXError
from glocalx.evaluation.verdict import enough_rules, enough_said, verdict_on
from glocalx.extraction.settings import EXTRACTORS, ExtractionSettings
from glocalx.files import write_hierarchy, write_local_rules, write_rules, write_theory
from glocalx.merging.search import BY_THE_WHOLE
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
from glocalx.pipeline.target_bands import target_bands
from glocalx.rules.classifier import RankedTheory
from glocalx.selection import iter_budget
from glocalx.table import Gaps, Role
from glocalx.table.samples import sample_names
from glocalx.words.phrases import judged_on, listing
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
        "--bands",
        nargs="+",
        metavar="CUT",
        help="outcomes that are numbers, cut there (180000 250000) or into so many equal parts "
        "(3 parts)",
    )
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="COLUMN",
        help="a column that no rule may speak of; may be given several times",
    )
    parser.add_argument(
        "--gaps",
        choices=get_args(Gaps),
        default="keep",
        help="missing values: keep them as they are (default), or fill in the mean or the most "
        "frequent value before the black box is asked",
    )
    box = parser.add_mutually_exclusive_group()
    box.add_argument("--model", type=Path, metavar="FILE", help="an ONNX or skops file")
    box.add_argument("--predictions", metavar="COLUMN", help="a column of answers, and no model")
    box.add_argument("--train", choices=MODEL_KINDS, help="train one here")
    parser.add_argument(
        "--seen",
        metavar="COLUMN",
        help="a column that says which records the model was trained on (train or test, yes or "
        "no): only others are held out",
    )
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
    parser.add_argument(
        "--rename",
        action="append",
        default=[],
        metavar="INPUT=COLUMN",
        help="what the table calls an input of the model, where that is not found",
    )
    parser.add_argument("--extractor", choices=EXTRACTORS, default="neighbourhood")
    parser.add_argument("--records", type=int, metavar="N", help="explain N records (default: all)")
    parser.add_argument("--rules", type=Path, metavar="FILE", help="local rules made elsewhere")
    parser.add_argument(
        "--reference",
        choices=("explained", "labelled"),
        default=BY_THE_WHOLE.reference,
        help="merge and choose on the explained records, or on all that the black box labelled",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--jobs", type=int, default=-1, metavar="N", help="processes (default: all)")
    where.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    add_road_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    settings = settings_from(options)
    jobs = processes(options.jobs)
    folder = checked_folder(options.out)
    road = Road(settings, jobs=jobs, cluster=options.cluster)
    seconds: dict[Stage, float] = {}
    for stage in STAGES:
        seconds[stage] = _seconds(road, stage, quiet=options.json)
        if stage == "model":  # before the long work begins
            told = _giveaways_told(road)
            if not options.json:
                sys.stderr.writelines(f"{sentence}\n" for sentence in told)
    summary = _summary(road, seconds) | {"giveaways": told}
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
    data = _data(options)
    if options.bands:
        data = replace(data, bands=target_bands(" ".join(options.bands), data))
    settings = RunSettings(
        data=data,
        rules=rules,
        merge=merge_settings(options),
        selection=selection_settings(options),
        synthetic=options.synthetic,
    )
    return settings.with_box(_box(options))


def _refuse_idle(options: argparse.Namespace) -> None:
    """Options that would do nothing are a misunderstanding."""
    if options.records is not None and options.records < 1:
        raise GLocalXError("Explain at least 1 record.")
    idle = []
    if not options.model and not options.predictions:
        idle += [("--seen", options.seen)]
    if not options.model:
        idle += [("--answer", options.answer), ("--model-columns", options.model_columns)]
        idle += [("--rename", options.rename), ("--trust", options.trust)]
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
        (options.seen, "seen"),
        *((name, "ignored") for name in options.ignore),
    ]
    return DataSettings(
        sample=options.table if sample else None,
        file=None if sample else options.table,
        name=Path(options.table).name,
        roles={column: role for column, role in named if column},
        most_rows=ALL,
        seed=options.seed,
        gaps=options.gaps,
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
        renamed=pairs_from("--rename", options.rename, "dti=Debt") or None,
        outcomes=pairs_from("--answer", options.answer, "1=yes") or None,
    )


def _seconds(road: Road, stage: Stage, *, quiet: bool) -> float:
    """Go through a stage, showing how far it is; how long it took."""
    return seconds_of(
        road.iter_to(stage),
        lambda step: step.done / step.total if step.total else 1.0,
        lambda step: f"{step.done:,} of {step.total:,} {UNITS[step.stage]}",
        quiet=quiet,
    )


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
        **verdict.to_dict(wording.outcome),
        "enough_rules": _enough(road),
        "black_box_accuracy": float(np.mean(labelled.held_out.labels == truth)),
        "extraction_seconds": round(seconds["rules"], 4) if made_here else 0.0,
        "records": len(road.local_rules) if made_here else labelled.reference.size,
        "synthetic": road.settings.synthetic,
    }
    if isinstance(road.black_box, StandIn):
        summary["stand_in_agreement"] = road.black_box.agreement
    return summary


def _giveaways_told(road: Road) -> list[str]:
    """A sentence for each column that alone tells the answer, and the option that leaves it out."""
    brought = road.settings.box.source == "model"  # it reads the column, so it has to get it
    return [
        each.sentence + ("" if brought else f" (--ignore {shlex.quote(each.feature)})")
        for each in find_giveaways(
            road.labelled.split.explain, road.labelled.reference.labels, road.labelled.schema
        )
    ]


def _enough(road: Road) -> int | None:
    """From how many rules on nothing is gained; None where they were not chosen by budget."""
    theory, held_out = road.theory, road.labelled.held_out
    if road.settings.selection.by != "budget" or not theory.size:
        return None
    path = list(iter_budget(theory.rules, road.reference))  # as they were chosen, one by one
    fewer = (RankedTheory.of(path[:size], road.reference) for size in range(1, len(path) + 1))
    return enough_rules(
        {each.size: each.predict(held_out.records) == held_out.labels for each in fewer}
    )


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
        f"{judged_on(held_out, road.settings.unseen)}. The rules explain it, mistakes included.",
    ]
    if isinstance(box, StandIn):
        lines.append(
            f"There is no model, only its answers: a stand-in was asked, which agrees with them "
            f"on {box.agreement:.1%} of {box.judged:,} held-out records."
        )
    elif not road.settings.box.is_trained_here:
        lines += getattr(box, "notes", ())
    if road.labelled.unread:
        lines.append(f"Not read by the model, so in no rule: {listing(road.labelled.unread, 20)}.")
    if summary["synthetic"]:
        lines.append(DRAWN_NOTE)
    lines += [summary["verdict"], summary["verdict_evidence"]]
    if summary["kappa"] is not None:
        lines.append(
            f"Cohen’s kappa is {summary['kappa']:.2f}: 1 is always, 0 no more than chance."
        )
    if summary["enough_rules"] is not None:
        lines.append(enough_said(summary["enough_rules"], summary["size"]))
    lines += result_lines(summary, road.theory, f"{held_out:,} held-out records")
    lines += [f"Note: {sentence}" for sentence in summary["giveaways"]]
    lines += [f"Note: {finding.sentence}" for finding in table.findings]
    return lines
