"""A table, a black box and its local rules: what ways to a theory are compared on."""

from __future__ import annotations

import pickle
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from benchmarks.unseen_tables import TABLES, TARGET, written
from glocalx.extraction.settings import ExtractionSettings
from glocalx.pipeline.road import Road
from glocalx.pipeline.settings import ALL, BoxSettings, DataSettings, RuleSettings, RunSettings
from glocalx.pipeline.theories import labelled_reference
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference

T = TypeVar("T")
EXTRACTION = ExtractionSettings(counterfactuals=0)
FOLDS = 3


@dataclass(frozen=True, slots=True)
class Cell:
    """Local rules with the records that they are merged on and judged by.

    Parameters
    ----------
    rules
        One for each explained record.
    explained, labelled
        The explained records, and all that the black box has labelled.
    judge
        Records that had no part in anything.
    """

    rules: Sequence[Rule]
    explained: Reference
    labelled: Reference
    judge: Reference


def road_of(table: str, kind: Any, seed: int, most: int) -> Road:
    """The road of one of the samples (most: explained records) or of the unseen tables (most:
    records in all); rules are yet to be made.
    """
    box = BoxSettings(kind=kind)
    if table not in {each.name for each in TABLES}:
        data = DataSettings(sample=table, seed=seed, most_rows=ALL, gaps="keep")
        return Road(RunSettings(data, box, RuleSettings(EXTRACTION, records=most)))
    path = written(table, most, Path(_folder().name))
    data = DataSettings(
        file=path.name,
        name=path.name,
        roles={TARGET: "target"},
        seed=seed,
        train=0.45,
        explain=0.30,
        gaps="keep",
    )
    return Road(RunSettings(data, box, RuleSettings(EXTRACTION)), path.parent)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


def cell_of(road: Road) -> Cell:
    """Judged on held-out records."""
    labelled = road.labelled
    return Cell(road.rules, labelled.reference, labelled_reference(labelled), labelled.held_out)


def iter_folds(road: Road) -> Iterator[Cell]:
    """Judged on explained records that had no part; the held-out ones are not looked at.

    Background records stay in: they are no judges, as the black box was trained on them.
    """
    labelled = road.labelled
    explained, seed = labelled.reference, road.settings.data.seed
    frame, made = labelled.split.explain, _by_record(road)
    folds = np.random.default_rng((seed, 5)).permutation(explained.size) % FOLDS
    for fold in range(FOLDS):
        inside, outside = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        parts = [
            Reference(Records(labelled.schema, frame.iloc[places]), explained.labels[places])
            for places in (inside, outside)
        ]
        split = replace(labelled.split, explain=frame.iloc[inside].reset_index(drop=True))
        known = replace(labelled, split=split, reference=parts[0])
        rules = [made[place] for place in inside if place in made]
        yield Cell(rules, parts[0], labelled_reference(known), parts[1])


def _by_record(road: Road) -> dict[int, Rule]:
    return {local.record: local.rule for local in road.local_rules}


def kept_cells() -> Path | None:
    """The folder that `--cells` names, if it does: cells are kept there for a second run."""
    return Path(sys.argv[sys.argv.index("--cells") + 1]) if "--cells" in sys.argv else None


def folds_of(table: str, kind: str, seed: int, most: int) -> list[Cell]:
    """The cells of :func:`iter_folds`, made or kept."""
    return kept(f"{table}-{kind}", lambda: list(iter_folds(road_of(table, kind, seed, most))))


def held_out_of(table: str, kind: str, seed: int, most: int) -> Cell:
    """That of :func:`cell_of`, made or kept."""
    name = f"{table}-{kind}-held-out-{seed}"
    return kept(name, lambda: [cell_of(road_of(table, kind, seed, most))])[0]


def kept(name: str, make: Callable[[], T]) -> T:
    """What is made, or was made and kept under this name."""
    folder = kept_cells()
    path = folder / f"{name}.pickle" if folder else None
    if path is not None and path.exists():
        found: T = pickle.loads(path.read_bytes())
        return found
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nets that have not converged are black boxes, too
        made = make()
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(made))
    return made


def conditions(rules: Sequence[Rule] | pd.Series) -> int:
    """How much there is to read."""
    return sum(map(len, rules))
