"""A cell on the road: its records, its black box with what it says, and the local rules."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.blackbox.base import Labels
from glocalx.blackbox.trained import TrainedBlackBox
from glocalx.pipeline.road import Road
from glocalx.pipeline.settings import ALL, BoxSettings, DataSettings, RuleSettings, RunSettings
from glocalx.pipeline.tables import SplitTable, open_table, split_table
from glocalx.pipeline.theories import labelled_records
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from study.plan import StudyCell, StudySettings

SHARES = {"diva": (0.6, 0.2)}  # to train on, to explain; as in the paper
USUAL_SHARES = (0.70, 0.21)


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedCell:
    """Everything that the measurements of a cell share.

    Parameters
    ----------
    cell, settings
        What it is.
    road
        From its table to one local rule for each record of `X_le`, and on to the hierarchy.
    seconds
        How long training and the local rules took.
    """

    cell: StudyCell
    settings: StudySettings
    road: Road
    seconds: Mapping[str, float]

    @classmethod
    def of(cls, cell: StudyCell, settings: StudySettings) -> ExplainedCell:
        """Open, split, train, ask, and make the local rules."""
        chosen = _run_settings(cell, settings)
        split = split_table(open_table(chosen.data), chosen.data)
        road = Road(chosen, split=_fewer(split, settings))
        begun = time.perf_counter()
        _ = road.labelled
        trained = time.perf_counter()
        _ = road.local_rules
        made = time.perf_counter()
        seconds = {"training": trained - begun, "local rules": made - trained}
        return cls(cell, settings, road, seconds)

    @property
    def schema(self) -> Schema:
        return self.road.labelled.schema

    @property
    def box(self) -> TrainedBlackBox:
        box = self.road.black_box
        assert isinstance(box, TrainedBlackBox)  # every cell trains its own
        return box

    @property
    def train(self) -> pd.DataFrame:
        """`X_bb`."""
        return self.road.split.train

    @property
    def train_truth(self) -> npt.NDArray[Any]:
        """The true labels of `X_bb`."""
        return self.road.split.table.target[self.road.split.parts.train]

    @property
    def explain(self) -> pd.DataFrame:
        """`X_le`."""
        return self.road.split.explain

    @property
    def reference(self) -> Reference:
        """`X_le` with its black-box labels."""
        return self.road.labelled.reference

    @property
    def known(self) -> Reference:
        """What people's rules are merged and chosen on: every record that has a label."""
        return self.road.reference

    @property
    def labels_for_rivals(self) -> tuple[pd.DataFrame, Labels]:
        """What rivals learn from: `X_le`, or every record that the black box has labelled."""
        if self.settings.same_labels:
            return labelled_records(self.road.labelled)
        return self.explain, self.reference.labels

    @property
    def held_out(self) -> Reference:
        """`X_ts` with its black-box labels; nothing is chosen on these."""
        return self.road.labelled.held_out

    @property
    def truth(self) -> npt.NDArray[Any]:
        """The true labels of `X_ts`."""
        return self.road.split.table.target[self.road.split.parts.test]

    @property
    def rules(self) -> list[Rule]:
        return self.road.rules


def _run_settings(cell: StudyCell, settings: StudySettings) -> RunSettings:
    train, explain = SHARES.get(cell.dataset, USUAL_SHARES)
    return RunSettings(
        data=DataSettings(
            sample=cell.dataset, most_rows=ALL, train=train, explain=explain, seed=cell.seed
        ),
        box=BoxSettings(kind=cell.black_box, preset=settings.preset_of(cell)),
        rules=RuleSettings(replace(settings.extraction, counterfactuals=0), records=ALL),
        merge=settings.merging,
    )


def _fewer(split: SplitTable, settings: StudySettings) -> SplitTable:
    """Fewer records to train on and to explain, where asked for."""
    generator = np.random.default_rng(split.parts.seed)
    train, explain = (
        places
        if most is None or most >= len(places)
        else np.sort(generator.choice(places, most, replace=False))
        for places, most in (
            (split.parts.train, settings.most_train),
            (split.parts.explain, settings.most_explained),
        )
    )
    parts = replace(split.parts, train=train, explain=explain)
    return SplitTable.of(split.table, parts, split.positive)
