"""Where changes are searched: records as codes, how far apart they are, what may change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.spatial.distance import cdist

from glocalx.extraction.encoding import Encoding
from glocalx.questions.permissions import Permissions
from glocalx.rules.codes import Coded, Codes
from glocalx.rules.schema import Feature, Schema

Distances: TypeAlias = npt.NDArray[np.float64]


class Space:
    """The background and some records in one code, and the moves between them.

    Parameters
    ----------
    schema
        The features that the black box reads.
    background
        Real records; new values are taken from these.
    frame
        The records that are asked about. A category that the background does not have stays what
        it is and is never proposed.
    """

    def __init__(
        self,
        schema: Schema,
        background: pd.DataFrame,
        frame: pd.DataFrame,
        permissions: Permissions,
    ) -> None:
        self.schema = _with_new_categories(schema, frame)
        self.encoding = Encoding(self.schema, [background, frame])
        self.background = self.encoding.encode(background)
        self.records = self.encoding.encode(frame)
        self.gaps = self.encoding.gap_codes
        self.ways = [permissions.way(name) for name in self.schema.names]
        self._seen: dict[int, Codes] = {}
        self._categorical = np.array([each.is_categorical for each in self.schema.features])

    @cached_property
    def _scaled(self) -> list[npt.NDArray[np.float64]]:
        """For each feature its values in units of its spread; a gap stands in the middle."""
        return [
            np.empty(0)
            if feature.is_categorical
            else self._in_spreads(place, np.asarray(values, dtype=np.float64))
            for place, (feature, values) in enumerate(
                zip(self.schema.features, self.encoding.values, strict=True)
            )
        ]

    def _in_spreads(self, place: int, values: npt.NDArray[np.float64]) -> Distances:
        numbers = values[self.background[:, place]]
        known = numbers[np.isfinite(numbers)]
        middle = float(np.median(known)) if known.size else 0.0
        spread = float(np.std(known)) if known.size else 0.0
        return np.where(np.isnan(values), middle, values) / (spread if spread > 0 else 1.0)

    def moves(self, one: Codes, other: Codes) -> Distances:
        """How far apart records are, row by row and feature by feature.

        Numbers: the difference in units of the column's spread (its standard deviation). Another
        category, or a value where there was none: 1, and for a number what it is off the middle.
        """
        apart: Distances = ((one == self.gaps) != (other == self.gaps)).astype(np.float64)
        for place, scaled in enumerate(self._scaled):
            if self._categorical[place]:
                apart[:, place] = one[:, place] != other[:, place]
            else:
                apart[:, place] += np.abs(scaled[one[:, place]] - scaled[other[:, place]])
        return apart

    def _points(self, codes: Codes) -> tuple[Distances, Distances]:
        """Numbers and marks of their gaps, and categories: what distances are measured on."""
        numeric = np.flatnonzero(~self._categorical)
        lacking = numeric[self.gaps[numeric] >= 0]
        numbers = [self._scaled[place][codes[:, place]] for place in numeric]
        marks = [(codes[:, place] == self.gaps[place]).astype(np.float64) for place in lacking]
        points = np.column_stack([*numbers, *marks]) if numbers else np.empty((len(codes), 0))
        return points, codes[:, self._categorical].astype(np.float64)

    @cached_property
    def _real_points(self) -> tuple[Distances, Distances]:
        return self._points(self.background)

    def to_background(self, codes: Codes) -> Distances:
        """For each record a row of its distances to all real ones."""
        (points, texts), (real_points, real_texts) = self._points(codes), self._real_points
        apart = np.zeros((len(codes), len(self.background)))
        if points.shape[1]:
            apart += cdist(points, real_points, "cityblock")
        if texts.shape[1]:
            apart += texts.shape[1] * cdist(texts, real_texts, "hamming")
        return apart

    def allowed(self, records: Codes, changed: Codes) -> npt.NDArray[np.bool_]:
        """For each cell whether it may take its new value; a gap is never a change."""
        fine: npt.NDArray[np.bool_] = changed != self.gaps
        for place, way in enumerate(self.ways):
            before, after = records[:, place], changed[:, place]
            lacking = before == self.gaps[place]
            if way == "never":
                fine[:, place] = False
            elif way == "up":
                fine[:, place] &= (after > before) | lacking
            elif way == "down":
                fine[:, place] &= (after < before) | lacking
        return np.asarray(fine | (records == changed))

    def projected(self, records: Codes, wanted: Codes) -> Codes:
        """The wanted records with the values of the records where these may not change."""
        return np.where(self.allowed(records, wanted), wanted, records).astype(np.int32)

    def seen(self, place: int) -> Codes:
        """The values of a feature that real records have, in order."""
        if place not in self._seen:
            codes = np.unique(self.background[:, place])
            self._seen[place] = np.asarray(codes[codes != self.gaps[place]])
        return self._seen[place]

    def options(self, place: int, most: int) -> Codes:
        """A few values of a feature that stand for all: quantiles, or the commonest categories."""
        seen = self.background[:, place]
        seen = seen[seen != self.gaps[place]]
        if not seen.size or self.ways[place] == "never":
            return np.empty(0, dtype=np.int32)
        if self._categorical[place]:
            counts = np.bincount(seen)
            common = np.argsort(-counts, kind="stable")[: max(most, 2)]
            return np.sort(common[counts[common] > 0]).astype(np.int32)
        wanted = np.linspace(0.02, 0.98, max(most, 2))
        return np.unique(np.quantile(seen, wanted, method="nearest")).astype(np.int32)

    def codes_of(self, values: Mapping[str, Any], record: Codes) -> Codes | None:
        """A record with some of its values changed; None where a value is not seen anywhere."""
        changed = record.copy()
        for place, feature in enumerate(self.schema.features):
            if feature.name in values:
                code = self._code(place, feature, values[feature.name])
                if code is None:
                    return None
                changed[place] = code
        return changed

    def _code(self, place: int, feature: Feature, value: Any) -> int | None:
        if feature.is_categorical:
            return feature.categories.index(value) if value in feature.domain else None
        known = self.encoding.values[place]
        at = int(np.searchsorted(known, float(value)))
        return at if at < len(known) and known[at] == value else None


def _with_new_categories(schema: Schema, frame: pd.DataFrame) -> Schema:
    """The schema with the categories that only these records have, and gaps that only they have."""
    features = []
    for feature in schema.features:
        column = frame[feature.name]
        known = feature
        if column.isna().any() and not feature.gaps:
            known = replace(known, gaps=True)
        if feature.is_categorical:
            strange = [text for text in Coded.of(column).texts if text not in feature.domain]
            if strange:
                known = replace(known, categories=(*feature.categories, *strange))
        features.append(known)
    return replace(schema, features=tuple(features))
