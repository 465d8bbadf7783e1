"""`glocalx explain`: the whole way from a file to a theory."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from glocalx.blackbox.presets import MODEL_KINDS
from glocalx.cli.distribution import explain_distribution
from glocalx.cli.options import (
    add_model_options,
    add_road_options,
    checked_folder,
    merge_settings,
    processes,
    said_of_model,
    selection_settings,
)
from glocalx.cli.output import hand_over, seconds_of
from glocalx.cli.questions import (
    FILE,
    add_change_options,
    giveaways_told,
    permissions_of,
    rests_on,
    ways_from,
    write_changes,
)
from glocalx.cli.steering import (
    SteeringOptions,
    add_steering_options,
    steady,
    steer_road,
)
from glocalx.cli.summary import summary_lines, summary_of
from glocalx.errors import GLocalXError
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
from glocalx.table import Gaps, Role
from glocalx.table.samples import sample_names

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
        "table",
        nargs="?",
        metavar="TABLE",
        help=f"a file, or a sample: {', '.join(sample_names())}",
    )
    parser.add_argument(
        "--distribution",
        type=Path,
        metavar="FILE",
        help="in the place of a table: how each feature is distributed (JSON or CSV), for those "
        "who may not see the records; with --model",
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
    parser.add_argument(
        "--drawn",
        action="store_true",
        help="GLocalX*: explain records drawn from the distribution of the features, in the place "
        "of the table’s own",
    )
    box = parser.add_mutually_exclusive_group()
    box.add_argument("--model", type=Path, metavar="FILE", help="an ONNX or skops file")
    box.add_argument(
        "--predictions",
        metavar="COLUMN",
        help="a column of answers, and no "
        "model; the same column as --target: explain the labels of a small table as they are",
    )
    box.add_argument("--train", choices=MODEL_KINDS, help="train one here")
    parser.add_argument(
        "--seen",
        metavar="COLUMN",
        help="a column that says which records the model was trained on (train or test, yes or "
        "no): only others are held out",
    )
    add_model_options(parser)
    parser.add_argument("--extractor", choices=EXTRACTORS, default="neighbourhood")
    parser.add_argument("--records", type=int, metavar="N", help="explain N records (default: all)")
    parser.add_argument(
        "--pool",
        type=int,
        metavar="N",
        help="explain each record N times, each time from another seed, and merge and choose from "
        "all these rules: the theory depends less on the seed (default: once)",
    )
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
    add_change_options(parser)
    add_road_options(parser)
    add_steering_options(parser, resamples=True)


def run(options: argparse.Namespace) -> None:
    if options.distribution is not None:
        explain_distribution(options)
        return
    if options.table is None:
        raise GLocalXError("Give a table: a file, or the name of a sample.")
    settings = settings_from(options)
    jobs = processes(options.jobs)
    folder = checked_folder(options.out)
    road = Road(settings, jobs=jobs, cluster=options.cluster)
    seconds: dict[Stage, float] = {}
    for stage in STAGES:
        seconds[stage] = _seconds(road, stage, quiet=options.json)
        if stage == "model":  # before the long work begins
            told = giveaways_told(road)
            permissions_of(road)
            if not options.json:
                sys.stderr.writelines(f"{sentence}\n" for sentence in told)
            asked = SteeringOptions(options, road.labelled.schema)
            road.steer(asked.restrictions())
            asked.check()
    steered = steer_road(road, asked)
    if options.resamples:
        _seconds(road, "resamples", quiet=options.json)
        road.theory = steady(road)
    changes = write_changes(road, folder, options.changes)
    summary = summary_of(road, seconds) | {"giveaways": told, "changes": changes}
    summary |= rests_on(road) | steered
    lines = summary_lines(road, summary)
    _write(road, folder)
    hand_over(folder, summary, lines, [FILE] if changes else [], json=options.json)


def settings_from(options: argparse.Namespace) -> RunSettings:
    """What the options ask for."""
    _refuse_idle(options)
    rules = RuleSettings(
        extraction=ExtractionSettings(extractor=options.extractor),
        records=ALL if options.records is None else options.records,
        file=str(options.rules) if options.rules else None,
        pool=None if options.pool == 1 else options.pool,
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
        idle += [("--pool", options.pool)]
    for name, given in idle:
        if given:
            other = "--rules" if name in ("--records", "--cluster", "--pool") else "no --model"
            raise GLocalXError(f"“{name}” does nothing with {other}. Leave one of them out.")


def _data(options: argparse.Namespace) -> DataSettings:
    sample = options.table in sample_names() and not Path(options.table).exists()
    if not sample and not options.target:
        raise GLocalXError("Say which column is to be explained with --target COLUMN.")
    named: list[tuple[str | None, Role]] = [
        (options.target, "target"),
        (None if _labels_given(options) else options.predictions, "predictions"),
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
        may_change=ways_from(options),
        drawn=options.drawn or None,
    )


def _labels_given(options: argparse.Namespace) -> bool:
    """Whether the outcomes themselves are to be explained, and nothing is to be held out."""
    return bool(options.predictions) and options.predictions == options.target


def _box(options: argparse.Namespace) -> BoxSettings:
    """What is asked: an opened model, a stand-in for predictions, or a model trained here."""
    if options.predictions:
        return BoxSettings(source="labels" if _labels_given(options) else "predictions")
    if not options.model:
        return BoxSettings(kind=options.train or "rf")
    return BoxSettings(
        source="model",
        file=str(options.model),
        name=options.model.name,
        **said_of_model(options),
    )


def _seconds(road: Road, stage: Stage, *, quiet: bool) -> float:
    """Go through a stage, showing how far it is; how long it took."""
    return seconds_of(
        road.iter_to(stage),
        lambda step: step.done / step.total if step.total else 1.0,
        lambda step: f"{step.done:,} of {step.total:,} {UNITS.get(step.stage, step.stage)}",
        quiet=quiet,
    )


def _write(road: Road, folder: Path) -> None:
    schema = road.labelled.schema
    write_hierarchy(folder / "hierarchy.json", road.hierarchy, schema)
    if road.brought is None:
        write_local_rules(folder / "local_rules.json", road.local_rules, schema)
    else:
        write_rules(folder / "local_rules.json", road.brought, schema)
    write_theory(folder / "theory.json", road.theory, road.split.table.sensitive)
