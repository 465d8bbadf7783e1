"""`glocalx reproduce`: the study of the paper, with our figures beside the printed ones."""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from glocalx.blackbox.presets import PRESETS
from glocalx.cli.options import checked_folder, processes
from glocalx.cli.output import print_lines
from glocalx.words.phrases import counted
from study.page import write_report
from study.plan import BLACK_BOXES, DATASETS, StudySettings, planned_cells
from study.results import Study
from study.running import CellDone, cells_left, iter_cells


def add_to(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "reproduce",
        help="the study of the paper",
        description="Train the black boxes of the paper on its tables, explain them, and write "
        "our figures beside those of the paper. Stopped, it goes on where it was.",
    )
    parser.add_argument(
        "--datasets", nargs="+", default=[], metavar="NAME", help=f"of {', '.join(DATASETS)}"
    )
    parser.add_argument(
        "--black-boxes",
        nargs="+",
        default=[],
        metavar="KIND",
        help=f"of {', '.join(BLACK_BOXES)}, for every data set (default: as the paper pairs them)",
    )
    parser.add_argument("--seeds", type=int, metavar="N", help="how many (default: 3; quick: 1)")
    parser.add_argument(
        "--preset",
        choices=PRESETS,
        help="of the black boxes: a grid search as in the paper (default), or one good setting",
    )
    parser.add_argument(
        "--same-labels",
        action="store_true",
        help="rivals learn from every record that the black box has labelled (default: from the "
        "explained ones, as in the paper)",
    )
    parser.add_argument(
        "--trials",
        type=int,
        metavar="N",
        help="how often each share of the local rules is drawn (default: 10)",
    )
    parser.add_argument("--quick", action="store_true", help="few records, in a minute or two")
    parser.add_argument(
        "--jobs", type=int, default=-1, metavar="N", help="processes (default: all)"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")


def run(options: argparse.Namespace) -> None:
    settings = StudySettings.quick() if options.quick else StudySettings()
    if options.preset:
        settings = replace(settings, preset=options.preset)
    if options.trials is not None:
        settings = replace(settings, trials=options.trials)
    settings = replace(settings, same_labels=options.same_labels)
    seeds = options.seeds if options.seeds is not None else (1 if options.quick else 3)
    cells = planned_cells(options.datasets, options.black_boxes, seeds)
    jobs = processes(options.jobs)
    folder = checked_folder(options.out)
    missing = cells_left(cells, settings, folder / "cells")
    _tell_start(sum(map(settings.expected_seconds, missing)), len(missing), jobs)
    begun = time.monotonic()
    for done in iter_cells(cells, settings, folder / "cells", jobs=jobs):
        _tell(done, time.monotonic() - begun, jobs)
    study = Study.read(folder / "cells", cells, settings)
    written = write_report(study, folder, _command(options))
    tables = len(written) - 2
    print_lines(
        [f"Written to {folder}: study.html, study.md, {counted(tables, 'table')} as CSV in tables."]
    )


def _tell_start(expected: float, missing: int, jobs: int) -> None:
    if missing:
        sys.stderr.write(
            f"{counted(missing, 'cell')} to work on with {counted(jobs, 'process', 'processes')}, "
            f"roughly {_duration(expected / min(jobs, missing))}. Stop at any time: the same "
            "command goes on from there.\n"
        )


def _tell(done: CellDone, seconds: float, jobs: int) -> None:
    """A line on standard error, in a log as on a terminal: the work takes long."""
    took = "was there already" if done.seconds is None else f"{done.seconds:,.0f} s"
    left = f", about {_duration(_seconds_left(done, seconds, jobs))} left"
    if done.done == done.total:
        left = ""
    sys.stderr.write(f"{done.done} of {done.total}  {done.cell.title}: {took}{left}\n")
    sys.stderr.flush()


def _seconds_left(done: CellDone, seconds: float, jobs: int) -> float:
    """As expected beforehand, until cells of this run show how fast this machine is."""
    if not done.expected_done:
        return done.expected_left / jobs
    return done.expected_left * seconds / done.expected_done


def _duration(seconds: float) -> str:
    """Roughly, as people say it.

    Examples
    --------
    >>> _duration(40), _duration(700)
    ('40 s', '12 min')
    """
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:,.0f} min"


def _command(options: argparse.Namespace) -> str:
    """The command to type for the same study, whatever the order of its options was."""
    words: list[str] = ["python -m glocalx reproduce"]
    words += ["--datasets", *options.datasets] if options.datasets else []
    words += ["--black-boxes", *options.black_boxes] if options.black_boxes else []
    words += ["--seeds", str(options.seeds)] if options.seeds is not None else []
    words += ["--preset", options.preset] if options.preset else []
    words += ["--trials", str(options.trials)] if options.trials is not None else []
    words += ["--same-labels"] if options.same_labels else []
    words += ["--quick"] if options.quick else []
    return " ".join([*words, "--out DIR"])
