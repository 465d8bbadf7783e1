"""Records as small whole numbers, and back.

Every value becomes its place among the values of its column: numbers in ascending order,
categories in the order of the domain. Neighbours are then drawn and trees are grown on whole
numbers, which 32-bit trees hold exactly, and every threshold lies half-way between two values
that occur. A missing value has the code after all others. For a tree, categories are expanded to
one column each, and numbers with gaps to two (see :class:`glocalx.rules.branches.TreeColumns`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.errors import GLocalXError
from glocalx.rules.branches import Branch, TreeColumns, shortest_between
from glocalx.rules.codes import NO_CODE, Coded, Codes, numbers_of, texts_of
from glocalx.rules.coverage import UNSEEN
from glocalx.rules.rule import Premise, Rule
from glocalx.rules.schema import Feature, Schema

Expanded: TypeAlias = npt.NDArray[np.float32]


class Encoding:
    """Turns frames of one schema into codes and back.

    `frames`: the frames whose values there are; only these can be encoded.

    Attributes
    ----------
    values
        For each feature the numbers, or the codes of the categories, that occur; NaN comes last.
    gap_codes
        For each feature the code of a missing value, `NO_CODE` where none is missing.
    """

    def __init__(self, schema: Schema, frames: Iterable[pd.DataFrame]) -> None:
        self.schema = schema
        together = list(frames)
        self.values = tuple(
            np.unique(np.concatenate([_values(each, frame[each.name]) for frame in together]))
            for each in schema.features
        )
        self._whole = tuple(
            all(pd.api.types.is_integer_dtype(frame[name].dtype) for frame in together)
            for name in schema.names
        )
        self._texts = tuple(texts_of((*each.categories, None)) for each in schema.features)
        self.gap_codes = np.array(list(map(_gap_code, schema.features, self.values)), np.int32)
        gaps = (self.gap_codes >= 0).tolist()
        seen = [
            values[: len(values) - lacking].tolist()
            for values, lacking in zip(self.values, gaps, strict=True)
        ]
        self._columns = TreeColumns(schema, seen, gaps)
        self._parted = [
            lacking and not feature.is_categorical
            for lacking, feature in zip(gaps, schema.features, strict=True)
        ]

    def encode(self, frame: pd.DataFrame) -> Codes:
        """One row of codes per record."""
        columns = [
            values if feature.is_categorical else np.searchsorted(known, values)
            for feature, known in zip(self.schema.features, self.values, strict=True)
            for values in [_values(feature, frame[feature.name])]
        ]
        return np.column_stack(columns).astype(np.int32)

    def decode(self, codes: Codes) -> pd.DataFrame:
        """The records of these codes."""
        columns = {
            name: self._decoded(place, codes[:, place])
            for place, name in enumerate(self.schema.names)
        }
        return pd.DataFrame(columns, copy=False)

    def _decoded(self, place: int, codes: Codes) -> Any:
        if self.schema.features[place].is_categorical:
            return self._texts[place].take(codes)
        numbers = self.values[place][codes]
        return numbers.astype(np.int64) if self._whole[place] else numbers

    def value(self, place: int, code: int) -> float | str | None:
        """The value behind one code, None where it is missing."""
        feature = self.schema.features[place]
        if code == self.gap_codes[place]:
            return None
        if feature.is_categorical:
            return feature.categories[code]
        return float(self.values[place][code])

    def expand(self, codes: Codes) -> Expanded:
        """What a tree sees: numbers as they are, one column per category."""
        columns = [
            (np.where(column == gap, -1, column), column) if parted else column
            for column, gap, parted in zip(codes.T, self.gap_codes, self._parted, strict=True)
        ]
        return self._columns.matrix(columns, len(codes))

    def feature_of(self, branch: Branch) -> int:
        """The place of the feature that a branch speaks of."""
        return self._columns.feature_of(branch)

    def premises(self, branches: Iterable[Branch]) -> dict[str, Premise]:
        """What the branches say together, feature by feature."""
        return self._columns.premises(branches, self._first_above)

    def rule(self, branches: Sequence[Branch], outcome: str) -> Rule:
        """The canonical rule of these branches."""
        return self.schema.rule(self.premises(branches), outcome)

    def _first_above(self, place: int, cut: float) -> float:
        """Between the value with this code and the next: half-way, or the shortest number."""
        if self._parted[place] and not 0 <= cut < self.gap_codes[place] - 1:
            return math.copysign(math.inf, cut)
        below, above = map(float, self.values[place][int(cut) : int(cut) + 2])
        if not self.schema.features[place].is_whole:
            return shortest_between(below, above)
        middle = below / 2 + above / 2
        return math.nextafter(middle if below <= middle < above else below, math.inf)


def _values(feature: Feature, column: pd.Series[Any]) -> npt.NDArray[Any]:
    """Numbers, or the codes of categories; only where the feature has gaps may one be missing."""
    if not feature.is_categorical:
        return numbers_of(feature, column, known=True) + 0.0  # one zero: −0.0 is 0.0
    codes = Coded.of(column).among(feature.categories, outside=UNSEEN)
    strange = np.flatnonzero(codes < (NO_CODE if feature.gaps else 0))
    if strange.size:
        raise GLocalXError(
            f"The column “{feature.name}” holds “{column.iloc[strange[0]]}” in row "
            f"{strange[0] + 1:,}, which is none of its categories. Correct the value or leave the "
            "record out."
        )
    if feature.gaps:
        codes[codes == NO_CODE] = len(feature.categories)
    return codes


def _gap_code(feature: Feature, values: npt.NDArray[Any]) -> int:
    """The code of a missing value; the values that occur are in order, a missing one last."""
    last = values[-1]
    if feature.is_categorical:
        return int(last) if last == len(feature.categories) else NO_CODE
    return len(values) - 1 if np.isnan(last) else NO_CODE
