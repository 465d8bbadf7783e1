"""Rules, and the black box where it is at hand, on records that came later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from glocalx.blackbox.base import BlackBox, Labels
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.rule import is_missing

RULES_SAY, DECIDING, MODEL_SAYS, DIFFER = "rules say", "deciding rule", "model says", "they differ"


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """What is said of some records.

    Parameters
    ----------
    first
        The number of the first of them, counted from 1.
    deciding
        The number of the rule that decides, from 1; 0 where none applies.
    model
        What the black box says; None where it was not asked.
    frame
        The records, as the black box gets them.
    """

    first: int
    rules: Labels
    deciding: np.ndarray
    model: Labels | None
    frame: pd.DataFrame

    @property
    def differing(self) -> int:
        """On how many of them rules and black box differ."""
        return 0 if self.model is None else int(np.count_nonzero(self.rules != self.model))

    def table(self) -> pd.DataFrame:
        """One row for each record, ready for a file."""
        numbers = np.arange(self.first, self.first + len(self.rules))
        deciding = pd.array(self.deciding, dtype="Int64")
        deciding[self.deciding == 0] = pd.NA
        made = pd.DataFrame({"record": numbers, RULES_SAY: self.rules, DECIDING: deciding})
        if self.model is None:
            return made
        differ = np.where(self.rules != self.model, "yes", "no")
        return made.assign(**{MODEL_SAYS: self.model, DIFFER: differ})


def iter_applied(
    theory: RankedTheory, frames: Iterable[pd.DataFrame], black_box: BlackBox | None = None
) -> Iterator[Applied]:
    """What the rules, and the black box, say of records that come in parts.

    `frames`: the records, in the features of the theory; the black box needs all that it reads.
    Where a feature has a value that stands in for missing ones, the black box gets that.
    """
    first = 1
    for frame in frames:
        seen = filled(frame, theory)
        said, deciding = decided(theory, frame)
        model = None
        if black_box is not None:
            model = np.asarray(black_box.labels(seen), dtype=object)
        yield Applied(first, said, deciding, model, seen)
        first += len(frame)


def decided(theory: RankedTheory, frame: pd.DataFrame) -> tuple[Labels, np.ndarray]:
    """For each record the rules' answer, and the number of the rule that decides; 0: none."""
    deciding = theory.deciding(frame)
    return np.array(theory.outcomes, dtype=object)[deciding], deciding + 1


def filled(frame: pd.DataFrame, theory: RankedTheory) -> pd.DataFrame:
    """The records as the black box gets them: whole numbers as such, with what stands in."""
    columns = {}
    for feature in theory.schema.features:
        if feature.name not in frame:
            continue
        column = frame[feature.name]
        if feature.fill is not None:
            column = column.where(~column.map(is_missing), feature.fill)
        if feature.is_whole and not column.isna().any():
            column = column.astype(np.int64)
        columns[feature.name] = column
    return pd.DataFrame(columns)
