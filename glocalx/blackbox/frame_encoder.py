"""A frame as the matrix of numbers that a model of scikit-learn takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin

from glocalx.rules.codes import NO_CODE, Coded, OneHot
from glocalx.rules.coverage import UNSEEN
from glocalx.rules.schema import Feature

MOST_CATEGORIES = 100  # a column of the matrix each; beyond that memory, not insight, is spent


class FrameEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # sklearn has no types
    """Numbers as they are or scaled, one column of 0 and 1 for each category.

    A category that was not there when the encoder was fitted gets 0 in every column. A missing
    category is one more category. A missing number stays missing for a model that takes it as it
    is; where numbers are scaled it becomes the mean, and one more column says so.

    Parameters
    ----------
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
        self.gaps_ = tuple(
            each.name for each in self.features if each.gaps or frame[each.name].hasnans
        )
        for feature in self.features:
            if feature.is_categorical:
                self._fit_categories(feature.name, frame[feature.name])
        numbers = self._numbers(frame)
        known = np.ma.masked_invalid(numbers) if np.isnan(numbers).any() else numbers
        self.mean_ = np.asarray(known.mean(axis=0))  # 0 where no number is known
        deviation = np.asarray(known.std(axis=0))
        self.deviation_ = np.where(deviation > 0, deviation, 1.0)
        return self

    def transform(self, frame: pd.DataFrame) -> npt.NDArray[np.float32]:
        numbers = self._numbers(frame)
        gaps = getattr(self, "gaps_", ())  # models of earlier versions know of none
        if self.scale:
            missing = np.isnan(numbers)
            numbers = np.where(missing, 0.0, (numbers - self.mean_) / self.deviation_)
            told = [name in gaps for name in self._number_names]
            numbers = np.hstack([numbers, missing[:, told]])
        codes, shown = [], []
        for name, categories in self.categories_.items():
            lacking = len(categories) if name in gaps else NO_CODE
            found = Coded.of(frame[name]).among(categories, outside=UNSEEN)
            codes.append(np.where(found == NO_CODE, lacking, np.maximum(found, NO_CODE)))
            shown.append(range(len(categories) + (name in gaps)))
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
        return frame[self._number_names].to_numpy(dtype=np.float64)

    @property
    def _number_names(self) -> list[str]:
        return [feature.name for feature in self.features if not feature.is_categorical]
