"""Records as small whole numbers, and back.

Every value becomes its place among the values of its column: numbers in ascending order,
categories in the order of the domain. Neighbours are then drawn and trees are grown on whole
numbers, which 32-bit trees hold exactly, and every threshold lies half-way between two values
that occur. For a tree, categories are expanded to one column each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.errors import GLocalXError
from glocalx.rules.rule import Interval, Premise, Rule
from glocalx.rules.schema import Feature, Schema

Codes: TypeAlias = npt.NDArray[np.int32]
Expanded: TypeAlias = npt.NDArray[np.float32]

_NUMBER = -1  # in the place of a category: the column of a number is handed on as it is


class Branch(NamedTuple):
    """One turn on the way down a tree: `code <= cut` if `below`, else `code > cut`.

    The codes are those of one expanded column. The column of a category holds 1 where the record
    has it, so that `below` with the cut 0 reads "is not this category".
    """

    column: int
    cut: int
    below: bool


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
        self.values = tuple(_values(feature, together) for feature in schema.features)
        self._texts = tuple(
            pd.array(list(feature.categories), dtype="str") if feature.is_categorical else None
            for feature in schema.features
        )
        self._whole = tuple(
            all(pd.api.types.is_integer_dtype(frame[name].dtype) for frame in together)
            for name in schema.names
        )
        columns = [pair for place in range(len(self.values)) for pair in self._columns_of(place)]
        self._source = np.array([place for place, _ in columns], dtype=np.intp)
        self._category = np.array([category for _, category in columns], dtype=np.int32)

    def _columns_of(self, place: int) -> list[tuple[int, int]]:
        if not self.schema.features[place].is_categorical:
            return [(place, _NUMBER)]
        seen = self.values[place].tolist()
        return [(place, code) for code in (seen[1:] if len(seen) == 2 else seen)]

    def encode(self, frame: pd.DataFrame) -> Codes:
        """One row of codes per record."""
        columns = [
            _codes(feature, values, frame[feature.name])
            for feature, values in zip(self.schema.features, self.values, strict=True)
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
        texts = self._texts[place]
        if texts is not None:
            return texts.take(codes)
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
        wide = codes[:, self._source]
        numbers = self._category == _NUMBER
        return np.where(numbers, wide, wide == self._category).astype(np.float32)

    def feature_of(self, branch: Branch) -> int:
        """The place of the feature that a branch speaks of."""
        return int(self._source[branch.column])

    def premises(self, branches: Sequence[Branch]) -> dict[str, Premise]:
        """What the branches say together, feature by feature."""
        by_feature: dict[int, list[Branch]] = {}
        for branch in branches:
            by_feature.setdefault(self.feature_of(branch), []).append(branch)
        return {
            self.schema.names[place]: self._premise(place, own) for place, own in by_feature.items()
        }

    def rule(self, branches: Sequence[Branch], outcome: str) -> Rule:
        """The canonical rule of these branches."""
        return self.schema.rule(self.premises(branches), outcome)

    def _premise(self, place: int, branches: list[Branch]) -> Premise:
        feature = self.schema.features[place]
        if feature.is_categorical:
            allowed = self.allowed_codes(place, branches)
            return feature.allowed(feature.categories[code] for code in allowed)
        low, high = -np.inf, np.inf
        above = [branch.cut for branch in branches if not branch.below]
        below = [branch.cut for branch in branches if branch.below]
        if above:
            low = feature.above(self._edge(place, max(above))).low
        if below:
            high = feature.at_most(self._edge(place, min(below))).high
        return Interval(low, high)

    def allowed_codes(self, place: int, branches: Sequence[Branch]) -> set[int]:
        """The categories that take all of these branches, which speak of one feature."""
        allowed = set(range(len(self.schema.features[place].categories)))
        for branch in branches:
            category = {int(self._category[branch.column])}
            allowed = allowed - category if branch.below else allowed & category
        return allowed

    def _edge(self, place: int, cut: int) -> float:
        """Half-way between the value with this code and the next."""
        below, above = map(float, self.values[place][cut : cut + 2])
        middle = below / 2 + above / 2
        return middle if below <= middle < above else below


def _values(feature: Feature, frames: list[pd.DataFrame]) -> npt.NDArray[Any]:
    """The values that occur: sorted numbers, or the codes of the categories."""
    if feature.is_categorical:
        codes = [_category_codes(feature, frame[feature.name]) for frame in frames]
        return np.unique(np.concatenate(codes))
    return np.unique(np.concatenate([_numbers(feature, frame[feature.name]) for frame in frames]))


def _codes(feature: Feature, values: npt.NDArray[Any], column: pd.Series[Any]) -> npt.NDArray[Any]:
    if feature.is_categorical:
        return _category_codes(feature, column)
    return np.searchsorted(values, _numbers(feature, column))


def _numbers(feature: Feature, column: pd.Series[Any]) -> npt.NDArray[np.float64]:
    numbers = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    strange = np.flatnonzero(~np.isfinite(numbers))
    if strange.size:
        raise GLocalXError(
            f"The column “{feature.name}” should hold numbers, but row {strange[0] + 1:,} holds "
            f"“{column.iloc[strange[0]]}”. Correct the value or leave the record out."
        )
    return numbers + 0.0  # one zero: −0.0 and 0.0 are the same number


def _category_codes(feature: Feature, column: pd.Series[Any]) -> npt.NDArray[Any]:
    values, distinct = pd.factorize(column)
    places = pd.Index(feature.categories).get_indexer(pd.Index([str(each) for each in distinct]))
    codes = np.append(places, -1)[values]
    strange = np.flatnonzero(codes < 0)
    if strange.size:
        raise GLocalXError(
            f"The column “{feature.name}” holds “{column.iloc[strange[0]]}” in row "
            f"{strange[0] + 1:,}, which is none of its categories. Correct the value or leave the "
            "record out."
        )
    return codes
