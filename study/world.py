"""What one cell works on: records, a trained black box, its labels, and the local rules."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.blackbox.trained import TrainedBlackBox, train
from glocalx.extraction.iterate import local_rules
from glocalx.extraction.local_rule import LocalRule
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.table import Table, split
from glocalx.table.samples import load_sample
from study.plan import Cell, StudySettings

SHARES = {"diva": (0.6, 0.2)}  # to train on, to explain; as in the paper
USUAL_SHARES = (0.70, 0.21)


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """Everything that the measurements of a cell share.

    Parameters
    ----------
    train, train_truth
        `X_bb` and its true labels.
    explain, reference
        `X_le`, and it with its black-box labels.
    held_out, truth
        `X_ts` with its black-box labels, and the true ones; nothing is chosen on these.
    local
        One local rule for each record of `X_le`.
    seconds
        How long training and the local rules took.
    """

    cell: Cell
    settings: StudySettings
    schema: Schema
    box: TrainedBlackBox
    train: pd.DataFrame
    train_truth: npt.NDArray[Any]
    explain: pd.DataFrame
    reference: Reference
    held_out: Reference
    truth: npt.NDArray[Any]
    local: tuple[LocalRule, ...]
    seconds: dict[str, float]

    @property
    def rules(self) -> list[Rule]:
        return [made.rule for made in self.local]


def prepare(cell: Cell, settings: StudySettings) -> World:
    """Open, split, train, ask, and write the local rules."""
    table = load_sample(cell.dataset)
    schema = table.schema()
    places = _places(table, cell, settings)
    frames = [table.frame.iloc[part].reset_index(drop=True) for part in places]
    begun = time.perf_counter()
    box = train(
        cell.black_box,
        frames[0],
        table.target[places[0]],
        schema,
        preset=settings.preset_of(cell),
        seed=cell.seed,
    )
    trained = time.perf_counter()
    local = local_rules(
        frames[1],
        box,
        schema,
        background=frames[0],
        settings=replace(settings.extraction, counterfactuals=0),
        seed=cell.seed,
    )
    made = time.perf_counter()
    return World(
        cell=cell,
        settings=settings,
        schema=schema,
        box=box,
        train=frames[0],
        train_truth=table.target[places[0]],
        explain=frames[1],
        reference=Reference(Records(schema, frames[1]), box.labels(frames[1])),
        held_out=Reference(Records(schema, frames[2]), box.labels(frames[2])),
        truth=table.target[places[2]],
        local=tuple(local),
        seconds={"training": trained - begun, "local rules": made - trained},
    )


def _places(table: Table, cell: Cell, settings: StudySettings) -> list[npt.NDArray[np.int64]]:
    """The records to train on, to explain and to test, fewer of them where asked for."""
    shares = SHARES.get(cell.dataset, USUAL_SHARES)
    parts = split(table, *shares, seed=cell.seed)
    generator = np.random.default_rng(cell.seed)
    places = [parts.train, parts.explain, parts.test]
    for place, most in ((0, settings.most_train), (1, settings.most_explained)):
        if most is not None and most < len(places[place]):
            places[place] = np.sort(generator.choice(places[place], most, replace=False))
    return places
