"""What the answers rest on, measured by asking: a column's values are dealt out anew.

Where the black box never looks at a column, no answer changes, whatever the column goes along with
in the table. Columns that say the same can stand in for each other, so a small share does not mean
that a column says little.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.blackbox.base import BlackBox, stands_in
from glocalx.questions.curves import drawn_rows
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.codes import Coded
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.theory import named_features

Orders: TypeAlias = npt.NDArray[np.intp]
Answer: TypeAlias = Callable[[pd.DataFrame], npt.NDArray[Any]]

TIMES = 20
_MOST_RECORDS = 1_000
_MOST_ROWS = 400_000  # that the black box is asked about for all features
_FEWEST_RECORDS = 200
_ROWS_PER_CALL = 50_000
_MOVED_TIMES = 4  # of the shuffles, how many probabilities are asked for: a mean needs fewer
_CHANCE = 0.05  # intervals hold what 95 of 100 shuffles give


@dataclass(frozen=True, slots=True)
class FeatureReliance:
    """How much answers rest on one feature.

    Parameters
    ----------
    share
        Of the records, how many get another answer when the feature's values are dealt out anew;
        the mean over all shuffles. 0: no answer rests on it.
    low, high
        Between which 95 of 100 shuffles lie.
    moved
        By how much the probability of the answer given moves, on average; NaN without any.
    """

    feature: str
    share: float
    low: float
    high: float
    moved: float = math.nan

    @property
    def is_used(self) -> bool:
        """Whether some answers change in nearly every shuffle."""
        return self.low > 0


@dataclass(frozen=True, slots=True)
class PairReliance:
    """Two features that matter together otherwise than apart.

    Parameters
    ----------
    only_both
        Share of the records whose answer changes if both are dealt out anew, and not if either is.
    only_one
        Share of the records whose answer changes if either is dealt out anew, and not if both are.
    """

    features: tuple[str, str]
    only_both: float
    only_one: float

    @property
    def interplay(self) -> float:
        """Share of the records to which both together do something else than each alone."""
        return self.only_both + self.only_one


@dataclass(frozen=True, slots=True)
class Reliance:
    """What the answers of a black box, or of rules, rest on.

    Parameters
    ----------
    records, times
        How many records were asked about, and how often each column was dealt out anew.
    features
        The one on which most rests first.
    pairs
        Of the features on which most rests, the two that most differ together from each alone.
    stand_in
        Whether a stand-in was asked, because only answers of the black box are known.
    """

    records: int
    times: int
    features: tuple[FeatureReliance, ...]
    pairs: tuple[PairReliance, ...] = ()
    stand_in: bool = False

    @property
    def whose(self) -> str:
        """Who was asked, at the beginning of a sentence."""
        return "The stand-in for the model" if self.stand_in else "The model"

    def of(self, feature: str) -> FeatureReliance:
        """One feature; one that was never asked about changes nothing."""
        found = (each for each in self.features if each.feature == feature)
        return next(found, FeatureReliance(feature, 0.0, 0.0, 0.0))

    def unnamed(self, named: Collection[str]) -> tuple[FeatureReliance, ...]:
        """The features that are used and not among those named."""
        return tuple(each for each in self.features if each.is_used and each.feature not in named)

    def idle(self, named: Collection[str]) -> tuple[str, ...]:
        """The features that are named and change no answer at all."""
        return tuple(name for name in named if not self.of(name).high)

    def to_dict(self) -> dict[str, object]:
        """As JSON holds it."""
        features = [
            {key: None if value != value else value for key, value in asdict(each).items()}
            for each in self.features
        ]
        pairs = [asdict(each) | {"features": list(each.features)} for each in self.pairs]
        counts = {"records": self.records, "times": self.times}
        whom = {"stand_in": True} if self.stand_in else {}
        return {**counts, **whom, "features": features, "pairs": pairs}


def iter_box_reliance(
    black_box: BlackBox, frame: pd.DataFrame, schema: Schema, *, seed: int = 0
) -> Iterator[FeatureReliance | Reliance]:
    """What the black box's answers rest on: one feature after the other, at last all of them.

    Parameters
    ----------
    frame
        Records, best held-out ones; where there are very many, some of them are drawn.
    seed
        Of the shuffles; the same shuffles are used for every feature.
    """
    asked = _drawn(frame, schema, seed)
    orders = shuffles(len(asked), seed)
    base = np.asarray(black_box.labels(asked), dtype=object)
    shares = black_box.probabilities(asked)
    own = _own_shares(shares, base, black_box.outcomes)
    found = []
    for name in schema.names:
        labels = _answers(black_box.labels, asked, {name: orders})
        moved = math.nan
        if own is not None:
            moved = _moved(black_box, _iter_dealt(asked, {name: orders[:_MOVED_TIMES]}), base, own)
        found.append(_reliance(name, labels != base, moved))
        yield found[-1]
    ordered = _ordered(found)
    pairs = _pairs(black_box.labels, asked, base, ordered, orders)
    yield Reliance(len(asked), TIMES, ordered, pairs, stands_in(black_box))


def box_reliance(
    black_box: BlackBox, frame: pd.DataFrame, schema: Schema, *, seed: int = 0
) -> Reliance:
    """The same, all at once."""
    *_, whole = iter_box_reliance(black_box, frame, schema, seed=seed)
    assert isinstance(whole, Reliance)
    return whole


def rules_reliance(theory: RankedTheory, frame: pd.DataFrame, *, seed: int = 0) -> Reliance:
    """What the rules' answers rest on, in the same measure and with the same shuffles.

    Records that no rule covers count like all others: there “otherwise” decides.
    """
    schema = theory.schema
    asked = _drawn(frame, schema, seed)
    orders = shuffles(len(asked), seed)

    def answer(rows: pd.DataFrame) -> npt.NDArray[Any]:
        return theory.predict(Records(schema, rows))

    base, found = answer(asked), []
    named = named_features(theory.rules)
    for name in schema.names:
        if name in named:
            labels = _answers(answer, asked, {name: orders})
            found.append(_reliance(name, labels != base))
        else:
            found.append(FeatureReliance(name, 0.0, 0.0, 0.0))
    return Reliance(len(asked), TIMES, _ordered(found))


def _drawn(frame: pd.DataFrame, schema: Schema, seed: int) -> pd.DataFrame:
    """The records that are asked about: all, or as many as can be asked about in some seconds."""
    room = _MOST_ROWS // max(len(schema.names) * TIMES, 1)
    return drawn_rows(frame, min(_MOST_RECORDS, max(room, _FEWEST_RECORDS)), (seed, 1))


def shuffles(records: int, seed: int) -> Orders:
    """How the values are dealt out, one row for each time."""
    random = np.random.default_rng([seed, 2])
    return np.stack([random.permutation(records) for _ in range(TIMES)])


def _answers(
    answer: Answer, frame: pd.DataFrame, dealt: Mapping[str, Orders]
) -> npt.NDArray[np.object_]:
    """For each shuffle a row of answers."""
    said = [np.asarray(answer(part), dtype=object) for part in _iter_dealt(frame, dealt)]
    return np.concatenate(said).reshape(-1, len(frame))


def _iter_dealt(frame: pd.DataFrame, dealt: Mapping[str, Orders]) -> Iterator[pd.DataFrame]:
    """The records once for each shuffle, one below the other, in parts of some thousand.

    `dealt`: the features whose values are dealt out, each with its own shuffles.
    """
    size = max(len(frame), 1)
    step = max(_ROWS_PER_CALL // size, 1)
    times = min(map(len, dealt.values()))
    for start in range(0, times, step):
        count = min(step, times - start)
        repeated = frame.iloc[np.tile(np.arange(size), count)].reset_index(drop=True)
        for name, orders in dealt.items():
            places = orders[start : start + count].ravel()
            repeated[name] = frame[name].take(places).reset_index(drop=True)
        yield repeated


def _reliance(
    name: str, changed: npt.NDArray[np.bool_], moved: float = math.nan
) -> FeatureReliance:
    shares = changed.mean(axis=1)
    low, high = np.quantile(shares, [_CHANCE / 2, 1 - _CHANCE / 2])
    return FeatureReliance(name, float(shares.mean()), float(low), float(high), moved)


def _ordered(found: Sequence[FeatureReliance]) -> tuple[FeatureReliance, ...]:
    def weight(each: FeatureReliance) -> tuple[float, float, str]:
        return -each.share, -each.moved if each.moved == each.moved else 0.0, each.feature

    return tuple(sorted(found, key=weight))


def _moved(
    black_box: BlackBox,
    dealt: Iterator[pd.DataFrame],
    base: npt.NDArray[Any],
    own: npt.NDArray[np.float64],
) -> float:
    """By how much the probability of the answer given moves, on average."""
    moves = []
    for part in dealt:
        given = black_box.probabilities(part)
        after = _own_shares(given, np.resize(base, len(part)), black_box.outcomes)
        assert after is not None  # it gave some before
        moves.append(np.abs(after - np.resize(own, len(part))))
    return float(np.mean(np.concatenate(moves)))


def _own_shares(
    shares: npt.NDArray[np.float64] | None, labels: npt.NDArray[Any], outcomes: Sequence[str]
) -> npt.NDArray[np.float64] | None:
    """The probability of the label that each record has."""
    if shares is None:
        return None
    return np.asarray(shares[np.arange(len(labels)), Coded.of(labels).among(outcomes)])


_PAIRED, _PAIR_TIMES, _MOST_PAIRS = 5, 3, 3


def _pairs(
    answer: Answer,
    frame: pd.DataFrame,
    base: npt.NDArray[Any],
    ordered: Sequence[FeatureReliance],
    orders: Orders,
) -> tuple[PairReliance, ...]:
    """Each two of the features on which most rests; each is dealt out by an order of its own."""
    names = [each.feature for each in ordered if each.is_used][:_PAIRED]
    if len(names) < 2:
        return ()
    one, other = orders[:_PAIR_TIMES], orders[_PAIR_TIMES : 2 * _PAIR_TIMES]

    def changed(dealt: Mapping[str, Orders]) -> npt.NDArray[np.bool_]:
        return np.asarray(_answers(answer, frame, dealt) != base)

    first = {name: changed({name: one}) for name in names}
    second = {name: changed({name: other}) for name in names}
    found = []
    for name, mate in combinations(names, 2):
        both, either = changed({name: one, mate: other}), first[name] | second[mate]
        only_both, only_one = float(np.mean(both & ~either)), float(np.mean(either & ~both))
        found.append(PairReliance((name, mate), only_both, only_one))
    found.sort(key=lambda each: (-each.interplay, each.features))
    return tuple(each for each in found if each.interplay > 0)[:_MOST_PAIRS]
