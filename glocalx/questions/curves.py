"""Curves: how the black box's answer moves along one feature, all else as it is.

Every record is given the same value, then the next; the mean of what the black box says is the
partial dependence, and what it says of one record is that record's own curve. Values are taken from
real records, and “missing” is one of them only where real records lack the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.blackbox.base import BlackBox
from glocalx.errors import GLocalXError
from glocalx.rules.rule import Interval, Premise, Rule, is_missing
from glocalx.rules.schema import Feature, Schema
from glocalx.words.phrases import shown

Levels: TypeAlias = npt.NDArray[np.float64]

_MOST_STOPS = 24  # values along a number, besides those next to a cut
_MOST_CATEGORIES = 12
_MOST_ROWS, _MOST_RECORDS, _FEWEST_RECORDS = 8_000, 300, 60
_SINGLES = 6
_ENDS = (0.01, 0.99)  # quantiles between which a number is looked at


@dataclass(frozen=True, slots=True)
class CurveStop:
    """One value, given to every record.

    Parameters
    ----------
    value
        A number or a category; None: missing.
    weight
        Share of the real records whose own value is this one, or nearest to it.
    levels
        For each outcome what the black box says of all records with this value: the mean
        probability, or the share of answers.
    singles
        The same of a few single records, for the outcome in focus.
    """

    value: float | str | None
    weight: float
    levels: tuple[float, ...]
    singles: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class FeatureCurve:
    """How answers move along one feature.

    Parameters
    ----------
    outcomes
        In the order of the levels.
    focus
        The outcome whose level moves most.
    is_probability
        Whether levels are mean probabilities; else shares of answers.
    stops
        Numbers in order, categories the commonest first; “missing” is the last.
    left_out
        Share of the real records that have a category which is too rare to be shown.
    """

    feature: str
    outcomes: tuple[str, ...]
    focus: str
    is_probability: bool
    records: int
    stops: tuple[CurveStop, ...]
    left_out: float = 0.0

    @property
    def levels(self) -> Levels:
        """A row for each stop, a column for each outcome."""
        return np.array([stop.levels for stop in self.stops])

    @property
    def focused(self) -> Levels:
        """For each stop the level of the outcome in focus."""
        return np.asarray(self.levels[:, self.outcomes.index(self.focus)])

    @property
    def known(self) -> tuple[CurveStop, ...]:
        """The stops that are values, without “missing”."""
        return tuple(stop for stop in self.stops if stop.value is not None)

    @property
    def move(self) -> float:
        """From the lowest to the highest level of the outcome in focus."""
        return float(np.ptp(self.focused)) if self.stops else 0.0

    @property
    def single_move(self) -> float:
        """The same for the single record that moves most."""
        singles = np.array([stop.singles for stop in self.stops])
        return float(np.ptp(singles, axis=0).max()) if singles.size else 0.0

    def to_dict(self) -> dict[str, object]:
        """As JSON holds it."""
        return {
            "feature": self.feature,
            "measure": "mean probability" if self.is_probability else "share of answers",
            "records": self.records,
            "stops": [
                {"value": each.value, **dict(zip(self.outcomes, each.levels, strict=True))}
                for each in self.stops
            ],
        }


def premises_on(rules: Iterable[Rule], feature: str) -> tuple[Premise, ...]:
    """What rules ask of a feature, each once."""
    found = (rule.premise(feature) for rule in rules)
    return tuple(dict.fromkeys(premise for premise in found if premise is not None))


def cuts_of(premises: Iterable[Premise]) -> tuple[float, ...]:
    """The numbers at which premises begin or end.

    Examples
    --------
    >>> cuts_of([Interval(3, 8), Interval(8, float("inf"))])
    (3, 8)
    """
    ends = {
        end
        for each in premises
        if isinstance(each, Interval) and not each.is_only_missing
        for end in (each.low, each.high)
    }
    return tuple(sorted(end for end in ends if np.isfinite(end)))


def feature_curve(
    black_box: BlackBox,
    frame: pd.DataFrame,
    schema: Schema,
    feature: str,
    *,
    cuts: Iterable[float] = (),
    preferred: str | None = None,
    seed: int = 0,
) -> FeatureCurve:
    """Ask along a feature, in a few calls.

    Parameters
    ----------
    frame
        Real records; where there are many, some of them are drawn. Values come from all.
    cuts
        Numbers that are looked at closely: the next real values on either side.
    preferred
        The outcome in focus where several move as much, as two always do.
    """
    if not len(frame):
        raise GLocalXError(f"There are no records along which {shown(feature)} could be moved.")
    column = frame[feature].reset_index(drop=True)
    places, weights = _stops(column, schema[feature], cuts)
    most = int(np.clip(_MOST_ROWS // max(len(places), 1), _FEWEST_RECORDS, _MOST_RECORDS))
    asked = drawn_rows(frame, most, (seed, 3))
    answers, is_probability = _answers(black_box, asked, column, places)
    levels = answers.mean(axis=1)
    focus = _focus(levels, black_box.outcomes, preferred)
    singles = _singles(answers[:, :, focus])
    stops = tuple(
        CurveStop(
            _value(column.iloc[place], schema[feature]),
            float(weight),
            tuple(level.tolist()),
            tuple(answers[at, singles, focus].tolist()),
        )
        for at, (place, weight, level) in enumerate(zip(places, weights, levels, strict=True))
    )
    outcomes = tuple(black_box.outcomes)
    left_out = max(0.0, 1.0 - float(np.sum(weights)))
    return FeatureCurve(
        feature,
        outcomes,
        outcomes[focus],
        is_probability,
        len(asked),
        stops,
        left_out if left_out > 1e-9 else 0.0,
    )


def _value(value: object, feature: Feature) -> float | str | None:
    if is_missing(value):
        return None
    return str(value) if feature.is_categorical else float(value)  # type: ignore[arg-type]


def _stops(
    column: pd.Series, feature: Feature, cuts: Iterable[float]
) -> tuple[list[int], list[float]]:
    """A record for each value that is looked at, and the share of records that it stands for."""
    lacking = np.flatnonzero(column.map(is_missing).to_numpy(dtype=bool))
    found = _categories(column) if feature.is_categorical else _numbers(column, tuple(cuts))
    if len(lacking):
        found.append((int(lacking[0]), len(lacking)))
    return [place for place, _ in found], [count / len(column) for _, count in found]


def _categories(column: pd.Series) -> list[tuple[int, int]]:
    known = column[~column.map(is_missing)]
    counts = known.astype(str).value_counts()
    common = sorted(counts.items(), key=lambda each: (-int(each[1]), str(each[0])))
    texts = known.astype(str).to_numpy()
    rows = known.index.to_numpy()
    return [
        (int(rows[np.argmax(texts == text)]), int(count))
        for text, count in common[:_MOST_CATEGORIES]
    ]


def _numbers(column: pd.Series, cuts: tuple[float, ...]) -> list[tuple[int, int]]:
    values = column.to_numpy(dtype=np.float64)
    rows = np.flatnonzero(~np.isnan(values))
    if not len(rows):
        return []
    known = values[rows]
    distinct, first = np.unique(known, return_index=True)
    chosen = np.arange(len(distinct))
    if len(distinct) > _MOST_STOPS:
        quantiles = np.quantile(known, np.linspace(*_ENDS, _MOST_STOPS), method="nearest")
        above = np.searchsorted(distinct, np.asarray(cuts, dtype=np.float64))
        beside = np.append(above, above - 1)
        beside = beside[(beside >= 0) & (beside < len(distinct))]
        chosen = np.unique(np.append(np.searchsorted(distinct, quantiles), beside))
    stops = distinct[chosen]
    nearest = np.searchsorted((stops[1:] + stops[:-1]) / 2, known)
    counts = np.bincount(nearest, minlength=len(stops))
    return list(zip(rows[first[chosen]].tolist(), counts.tolist(), strict=True))


def drawn_rows(frame: pd.DataFrame, most: int, seed: Sequence[int]) -> pd.DataFrame:
    """All records, or so many of them, drawn at random, in their order."""
    if len(frame) <= most:
        return frame.reset_index(drop=True)
    rows = np.random.default_rng(seed).choice(len(frame), most, replace=False)
    return frame.iloc[np.sort(rows)].reset_index(drop=True)


def _answers(
    black_box: BlackBox, asked: pd.DataFrame, column: pd.Series, places: list[int]
) -> tuple[Levels, bool]:
    """What is said of each record with each value: stops, records, outcomes."""
    size = len(asked)
    rows = asked.iloc[np.tile(np.arange(size), len(places))].reset_index(drop=True)
    rows[column.name] = column.take(np.repeat(places, size)).reset_index(drop=True)
    levels, is_probability = levels_of(black_box, rows)
    return levels.reshape(len(places), size, len(black_box.outcomes)), is_probability


def levels_of(black_box: BlackBox, rows: pd.DataFrame) -> tuple[Levels, bool]:
    """For each row and outcome the probability, or 1 and 0 where there is none; and which it is."""
    said = black_box.probabilities(rows)
    if said is not None:
        return np.asarray(said, dtype=np.float64), True
    labels = np.asarray(black_box.labels(rows), dtype=object)
    return np.equal.outer(labels, np.array(black_box.outcomes, dtype=object)).astype(float), False


def _focus(levels: Levels, outcomes: tuple[str, ...], preferred: str | None) -> int:
    moves = np.ptp(levels, axis=0)
    most = np.flatnonzero(moves >= moves.max() - 1e-9).tolist()
    return next((place for place in most if outcomes[place] == preferred), most[-1])


def _singles(levels: Levels) -> npt.NDArray[np.intp]:
    """A few records that stand for all: evenly apart if ordered by how high their curves lie."""
    order = np.argsort(levels.mean(axis=0), kind="stable")
    count = min(_SINGLES, len(order))
    return np.asarray(order[((np.arange(count) + 0.5) * len(order) / count).astype(np.intp)])
