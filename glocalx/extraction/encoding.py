"""Records as small whole numbers, and back.

Every value becomes its place among the values of its column: numbers in ascending order,
categories in the order of the domain. Neighbours are then drawn and trees are grown on whole
numbers, which 32-bit trees hold exactly, and every threshold lies half-way between two values
that occur. For a tree, categories are expanded to one column each.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.errors import GLocalXError
from glocalx.rules.branches import Branch, premises_of, tree_columns
from glocalx.rules.codes import Coded, Codes, numbers_of, texts_of
from glocalx.rules.rule import Premise, Rule
from glocalx.rules.schema import Feature, Schema

Expanded: TypeAlias = npt.NDArray[np.float32]


class Encoding:
    """Turns clean frames of one schema into codes and back.

    Parameters
    ----------
    schema
        What the columns are.
    frames
        The frames whose values there are; only these can be encoded.
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
        self._texts = tuple(texts_of(feature.categories) for feature in schema.features)
        self._columns = tree_columns(schema, [values.tolist() for values in self.values])

    def encode(self, frame: pd.DataFrame) -> Codes:
        """One row of codes per record."""
        columns = [
            values if feature.is_categorical else np.searchsorted(known, values)
            for feature, known in zip(self.schema.features, self.values, strict=True)
            for values in [_values(feature, frame[feature.name])]
        ]
        return np.column_stack(columns).astype(np.int32)

    def decode(self, codes: Codes) -> pd.DataFrame:
        """The records of these codes, as a clean frame."""
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

    def value(self, place: int, code: int) -> float | str:
        """The value behind one code."""
        feature = self.schema.features[place]
        if feature.is_categorical:
            return feature.categories[code]
        return float(self.values[place][code])

    def expand(self, codes: Codes) -> Expanded:
        """What a tree sees: numbers as they are, one column per category."""
        return self._columns.matrix(list(codes.T), len(codes))

    def feature_of(self, branch: Branch) -> int:
        """The place of the feature that a branch speaks of."""
        return self._columns.columns[branch.column][0]

    def premises(self, branches: Iterable[Branch]) -> dict[str, Premise]:
        """What the branches say together, feature by feature."""
        return premises_of(branches, self.schema, self._columns, self._first_above)

    def rule(self, branches: Sequence[Branch], outcome: str) -> Rule:
        """The canonical rule of these branches."""
        return self.schema.rule(self.premises(branches), outcome)

    def _first_above(self, place: int, cut: float) -> float:
        """Just above half-way between the value with this code and the next."""
        below, above = map(float, self.values[place][int(cut) : int(cut) + 2])
        middle = below / 2 + above / 2
        return math.nextafter(middle if below <= middle < above else below, math.inf)


def _values(feature: Feature, column: pd.Series[Any]) -> npt.NDArray[Any]:
    """Numbers, or the codes of categories; every record must have one."""
    if not feature.is_categorical:
        return numbers_of(feature, column, gaps=False) + 0.0  # one zero: −0.0 is 0.0
    codes = Coded.of(column).among(feature.categories)
    strange = np.flatnonzero(codes < 0)
    if strange.size:
        raise GLocalXError(
            f"The column “{feature.name}” holds “{column.iloc[strange[0]]}” in row "
            f"{strange[0] + 1:,}, which is none of its categories. Correct the value or leave the "
            "record out."
        )
    return codes
