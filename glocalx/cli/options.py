"""Options that several commands share, and their checks."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path
from typing import Any

from joblib import cpu_count

from glocalx.errors import GLocalXError
from glocalx.merging.search import BY_THE_WHOLE, WEIGHTS, MergeSettings
from glocalx.pipeline.settings import SelectionSettings
from glocalx.selection import DEFAULT_BUDGET, DEFAULT_PRICE, STEADY_IS

FREE = -1  # the price on the command line with which conditions are free


def add_road_options(parser: argparse.ArgumentParser) -> None:
    """Options for the way from local rules to a theory; those that merge as in MergeSettings."""
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object on standard output"
    )
    parser.add_argument(
        "--synthetic",
        action="store_true",
        help="GLocalX*: merge on records drawn from the distribution of the features, not on the "
        "explained ones",
    )
    default = BY_THE_WHOLE
    merging = parser.add_argument_group("merging")
    merging.add_argument("--batch-size", type=int, default=default.batch_size, metavar="N")
    merging.add_argument("--seed", type=int, default=default.seed, metavar="N")
    merging.add_argument("--fidelity-weight", type=float, default=default.fidelity_weight)
    merging.add_argument(
        "--complexity-weight",
        type=float,
        help="default: "
        + ", ".join(f"{weight} with --bic-on {way}" for way, weight in WEIGHTS.items()),
    )
    merging.add_argument("--bic-on", choices=tuple(WEIGHTS), default=default.bic_on)
    merging.add_argument("--patience", type=int, default=default.patience, metavar="N")
    merging.add_argument("--shards", type=int, default=default.shards, metavar="N")
    choosing = parser.add_mutually_exclusive_group()
    choosing.add_argument("--alpha", type=int, metavar="K", help="K rules of high fidelity")
    choosing.add_argument("--alpha-q", type=float, metavar="Q", help="rules from percentile Q up")
    choosing.add_argument("--budget", type=int, metavar="K", help="the best K rules together")
    parser.add_argument(
        "--one-by-one",
        action="store_true",
        help="with --alpha: the K most faithful rules one by one, as in the paper (default: those "
        "that are faithful together)",
    )
    reading = parser.add_argument_group("how much to read, with a budget")
    reading.add_argument("--conditions", type=int, metavar="C", help="at most C conditions in all")
    reading.add_argument(
        "--price",
        type=float,
        metavar="P",
        help="what a condition has to earn: P times the root of the number of records, in records "
        f"(default: {DEFAULT_PRICE}; 0: only what earns nothing goes; −1: conditions are free)",
    )
    parser.add_argument(
        "--steady",
        action="store_true",
        help=f"with a budget: chosen from {STEADY_IS.replace('%', '%%')}, so that another seed "
        "gives much the same rules; best with --pool 3, and mostly less faithful",
    )


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """What a model from a file may need to be told."""
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


def said_of_model(options: argparse.Namespace) -> dict[str, Any]:
    """What the options say of the model, as :func:`glocalx.blackbox.model_file.open_model` asks."""
    return {
        "trusted": tuple(options.trust),
        "columns": tuple(options.model_columns) if options.model_columns else None,
        "renamed": pairs_from("--rename", options.rename, "dti=Debt") or None,
        "outcomes": pairs_from("--answer", options.answer, "1=yes") or None,
    }


def merge_settings(options: argparse.Namespace) -> MergeSettings:
    chosen = {
        each.name: getattr(options, each.name)
        for each in fields(MergeSettings)
        if hasattr(options, each.name)  # a command that is given all records has no reference
    }
    if options.complexity_weight is None:
        chosen["complexity_weight"] = WEIGHTS[options.bic_on]
    return MergeSettings(**chosen)


def selection_settings(options: argparse.Namespace) -> SelectionSettings:
    """The one way to choose that was given; none: a budget of 10."""
    if options.alpha is not None or options.alpha_q is not None:
        for name in ("price", "conditions", "steady"):
            if getattr(options, name) not in (None, False):
                raise GLocalXError(
                    f"“--{name}” goes with a budget. Leave it out, or give --budget."
                )
    if options.one_by_one and options.alpha is None:
        raise GLocalXError("“--one-by-one” goes with --alpha. Leave it out, or give --alpha.")
    if options.alpha is not None:
        return SelectionSettings("alpha", options.alpha, together=not options.one_by_one)
    if options.alpha_q is not None:
        return SelectionSettings("alpha_q", options.alpha_q)
    price = DEFAULT_PRICE if options.price is None else options.price
    return SelectionSettings(
        value=options.budget if options.budget is not None else DEFAULT_BUDGET,
        price=None if price == FREE else price,
        conditions=options.conditions,
        steady=options.steady,
    )


def pairs_from(option: str, given: list[str], example: str) -> dict[str, str]:
    """What was given as `NAME=VALUE`, several times, by name."""
    for pair in given:
        if "=" not in pair:
            raise GLocalXError(f"“{option} {pair}” says nothing. Write it as {example}.")
    return dict(pair.split("=", 1) for pair in given)


def processes(wanted: int) -> int:
    """How many processes to use: no more than there are cores; −1 for all of them."""
    if wanted == 0 or wanted < -1:
        raise GLocalXError("“--jobs” takes a number of processes, at least 1, or −1 for all cores.")
    cores: int = cpu_count()
    return cores if wanted == -1 else min(wanted, cores)


def checked_folder(path: Path) -> Path:
    """A folder that can be written to, made if need be, before any work is done."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / ".glocalx"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise GLocalXError(
            f"Nothing can be written to “{path}”: {error.strerror}. Give another folder as --out."
        ) from None
    return path
