"""A clean frame as the matrix of numbers that a model of scikit-learn takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin

from glocalx.rules.codes import Coded, OneHot
from glocalx.rules.schema import Feature

MOST_CATEGORIES = 100  # a column of the matrix each; beyond that memory, not insight, is spent


class FrameEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # sklearn has no types
    """Numbers as they are or scaled, one column of 0 and 1 for each category.

    A category that was not there when the encoder was fitted gets 0 in every column.

    Parameters
    ----------
    features
        The columns to take.
    scale
        Bring numbers to mean 0 and standard deviation 1.
    most_categories
        Of a feature with more categories than this, the most frequent ones are kept.
    """

    def __init__(
        self,
        features: tuple[Feature, ...] = (),
        scale: bool = False,
        most_categories: int = MOST_CATEGORIES,
    ) -> None:
        self.features = features
        self.scale = scale
        self.most_categories = most_categories

    def fit(self, frame: pd.DataFrame, y: object = None) -> FrameEncoder:
        self.categories_: dict[str, tuple[str, ...]] = {}
        self.dropped_: dict[str, int] = {}
        for feature in self.features:
            if feature.is_categorical:
                self._fit_categories(feature.name, frame[feature.name])
        numbers = self._numbers(frame)
        self.mean_ = numbers.mean(axis=0)
        deviation = numbers.std(axis=0)
        self.deviation_ = np.where(deviation > 0, deviation, 1.0)
        return self

    def transform(self, frame: pd.DataFrame) -> npt.NDArray[np.float32]:
        numbers = self._numbers(frame)
        if self.scale:
            numbers = (numbers - self.mean_) / self.deviation_
        kept = self.categories_.items()
        codes = [Coded.of(frame[name]).among(categories) for name, categories in kept]
        shown = [range(len(categories)) for _, categories in kept]
        return OneHot([*(None for _ in numbers.T), *shown]).matrix([*numbers.T, *codes], len(frame))

    def _fit_categories(self, name: str, column: pd.Series[Any]) -> None:
        coded = Coded.of(column)
        counts, texts = coded.counts(), coded.texts
        frequent = sorted(range(len(texts)), key=lambda place: (-counts[place], texts[place]))
        kept = sorted(texts[place] for place in frequent[: self.most_categories])
        self.categories_[name] = tuple(kept)
        if len(texts) > len(kept):
            self.dropped_[name] = len(texts) - len(kept)

    def _numbers(self, frame: pd.DataFrame) -> npt.NDArray[np.float64]:
        names = [feature.name for feature in self.features if not feature.is_categorical]
        return frame[names].to_numpy(dtype=np.float64)
