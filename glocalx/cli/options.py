"""Options that several commands share, and their checks."""

from __future__ import annotations

import argparse
from pathlib import Path

from joblib import cpu_count

from glocalx.errors import GLocalXError
from glocalx.merging.search import MergeSettings
from glocalx.pipeline.settings import SelectionSettings


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


def add_synthetic_option(parser: argparse.ArgumentParser) -> None:
    """GLocalX*, where no records may be used to merge on."""
    parser.add_argument(
        "--synthetic",
        action="store_true",
        help="GLocalX*: merge on records drawn from the distribution of the features, not on the "
        "explained ones",
    )


def merge_settings(options: argparse.Namespace) -> MergeSettings:
    return MergeSettings(
        batch_size=options.batch_size,
        seed=options.seed,
        fidelity_weight=options.fidelity_weight,
        complexity_weight=options.complexity_weight,
        bic_on=options.bic_on,
        patience=options.patience,
        shards=options.shards,
    )


def selection_settings(options: argparse.Namespace) -> SelectionSettings:
    """The one way to choose that was given; none: a budget of 10."""
    if options.alpha is not None:
        return SelectionSettings("alpha", options.alpha)
    if options.alpha_q is not None:
        return SelectionSettings("alpha_q", options.alpha_q)
    return (
        SelectionSettings()
        if options.budget is None
        else SelectionSettings("budget", options.budget)
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
