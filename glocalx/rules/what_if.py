"""One record and the rules: what it lacks for a rule, and the smallest change of the answer.

A record is a mapping from features to values: numbers, and texts for categories; a missing value
is None or NaN. What a theory says depends only on which rules allow each value, so the values seen
in a table fall into a few groups for each feature, and the search through these is exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import and_, or_
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from glocalx.rules.classifier import RankedTheory, RecordExplanation
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Interval, Premise, Rule, is_missing
from glocalx.rules.schema import Schema
from glocalx.rules.theory import named_features

Record: TypeAlias = Mapping[str, Any]
MOST_FEATURES = 3


@dataclass(frozen=True, slots=True)
class ValueChange:
    """Another value for one feature of a record."""

    feature: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Flip:
    """Changes after which a theory gives a record another answer.

    Parameters
    ----------
    changes
        One for each feature that changes, in the order of the table.
    outcome
        What the theory says then.
    deciding
        The place (from 0) of the rule that decides then, None where the default does.
    """

    changes: tuple[ValueChange, ...]
    outcome: str
    deciding: int | None


def missed(rule: Rule, record: Record) -> tuple[str, ...]:
    """The features on which a record does not satisfy a rule; none: the rule covers it."""
    return tuple(name for name, premise in rule.premises if record[name] not in premise)


def as_seen(record: Record, schema: Schema) -> Record:
    """The record as rules see it: with what stands in for missing values."""
    lacking = {name: fill for name, fill in schema.fills.items() if is_missing(record.get(name))}
    return {**record, **lacking} if lacking else record


def explain_values(theory: RankedTheory, record: Record) -> RecordExplanation:
    """Which rules cover a record and what the theory says, as for a record of a table."""
    seen = as_seen(record, theory.schema)
    covering = tuple(i for i, rule in enumerate(theory.rules) if not missed(rule, seen))
    outcome = theory.rules[covering[0]].outcome if covering else theory.default
    return RecordExplanation(outcome, covering)


def nearly_covering(
    theory: RankedTheory, record: Record, most: int = 3
) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The rules that lack least: their places and the features that stand in the way."""
    seen = as_seen(record, theory.schema)
    lacking = [(place, missed(rule, seen)) for place, rule in enumerate(theory.rules)]
    near = [(place, names) for place, names in lacking if names]
    return tuple(sorted(near, key=lambda each: (len(each[1]), each[0]))[:most])


def smallest_flips(
    theory: RankedTheory,
    seen: Records,
    record: Record,
    *,
    most_features: int = MOST_FEATURES,
    most: int = 3,
) -> tuple[Flip, ...]:
    """The smallest changes of a record after which the theory gives another answer.

    Fewest features first, and none with more than the smallest number. Among these the nearest:
    a number moves past as few of the seen records as it can, a category goes to a common one.
    No value becomes missing: nobody is told to withhold one. A missing number starts in the middle
    of the seen ones. Each set of features is named once. Features that no rule names never change.

    Parameters
    ----------
    seen
        New values are taken from these records. Whether a record with all of them could exist is
        not known.
    most_features
        Larger changes are not looked for; nothing is returned where no smaller one is enough.
    most
        How many to return.

    Examples
    --------
    >>> import pandas as pd
    >>> from glocalx.rules.schema import Schema
    >>> from glocalx.rules.scoring import Reference
    >>> people = pd.DataFrame({"age": [20, 30, 40, 50]})
    >>> schema = Schema.of(people, ["no", "yes"])
    >>> records = Records(schema, people)
    >>> reference = Reference(records, ["no", "no", "no", "yes"])
    >>> theory = RankedTheory.of([schema.rule({"age": (45, math.inf)}, "yes")], reference)
    >>> smallest_flips(theory, records, {"age": 20})
    (Flip(changes=(ValueChange(feature='age', before=20, after=50.0),), outcome='yes', deciding=0),)
    """
    now = explain_values(theory, record).outcome
    judge, known = _Judge.of(theory, now), as_seen(record, theory.schema)
    named = named_features(theory.rules)
    options = [
        _options(theory, judge, seen, name, known[name])
        for name in theory.schema.names
        if name in named
    ]
    for size in range(1, most_features + 1):
        found = [best for best in _best_of_each(options, size, judge) if best is not None]
        if found:
            found.sort(key=lambda moves: sum(move.cost for move in moves))
            return tuple(_flip(theory, record, moves) for moves in found[:most])
    return ()


@dataclass(frozen=True, slots=True)
class _Move:
    """Another value for a feature: the rules that allow it, one bit for each, and how far it is."""

    feature: str
    value: Any
    allowing: int
    cost: float


@dataclass(frozen=True, slots=True)
class _Options:
    """All moves on one feature that make a difference.

    `hopeful` is better than any of them: the rules for other answers that any move allows, and
    those for the present answer that every move allows.
    """

    allowing: int
    moves: tuple[_Move, ...]
    hopeful: int


@dataclass(frozen=True, slots=True)
class _Judge:
    """Tells from the rules that cover a record, one bit for each, whether the answer is another."""

    others: int
    default_differs: bool

    @classmethod
    def of(cls, theory: RankedTheory, now: str) -> _Judge:
        others = sum(1 << i for i, rule in enumerate(theory.rules) if rule.outcome != now)
        return cls(others, theory.default != now)

    def flips(self, covering: int) -> bool:
        first = covering & -covering  # the lowest bit is the rule that decides
        return bool(first & self.others) if covering else self.default_differs


def _options(theory: RankedTheory, judge: _Judge, seen: Records, name: str, value: Any) -> _Options:
    premises = [rule.premise(name) for rule in theory.rules]
    own = _allowing(premises, value)
    find = _categories if seen.schema[name].is_categorical else _numbers
    cheapest: dict[int, _Move] = {}
    for other, cost in find(premises, seen, name, value):
        allowing = _allowing(premises, other)
        if allowing != own and (allowing not in cheapest or cost < cheapest[allowing].cost):
            cheapest[allowing] = _Move(name, other, allowing, cost)
    moves = tuple(cheapest.values())
    any_allows = reduce(or_, (move.allowing for move in moves), 0)
    all_allow = reduce(and_, (move.allowing for move in moves), -1)
    hopeful = (any_allows & judge.others) | (all_allow & ~judge.others)
    return _Options(own, moves, hopeful)


def _allowing(premises: Sequence[Premise | None], value: Any) -> int:
    return sum(1 << i for i, each in enumerate(premises) if each is None or value in each)


def _numbers(
    premises: Sequence[Premise | None], seen: Records, name: str, value: Any
) -> Iterator[tuple[float, float]]:
    """Between each two thresholds of the rules the seen number that is nearest to the value."""
    numbers: npt.NDArray[np.float64] = np.sort(seen.values(name)[np.isfinite(seen.values(name))])
    ends = {end for each in premises if isinstance(each, Interval) for end in (each.low, each.high)}
    bounds = np.searchsorted(numbers, sorted(end for end in ends if math.isfinite(end)))
    middle = float(np.median(numbers)) if numbers.size else 0.0
    here = middle if is_missing(value) else float(value)
    place = int(np.searchsorted(numbers, here))
    for start, stop in zip([0, *bounds], [*bounds, len(numbers)], strict=True):
        if start < stop:
            nearest = min(max(place, start), stop - 1)
            yield float(numbers[nearest]), abs(nearest - place) / len(numbers)


def _categories(
    premises: Sequence[Premise | None], seen: Records, name: str, value: Any
) -> Iterator[tuple[str, float]]:
    codes = seen.values(name)
    counts = np.bincount(codes[codes >= 0], minlength=len(seen.schema[name].categories))
    for category, count in zip(seen.schema[name].categories, counts.tolist(), strict=True):
        if count and category != value:
            yield category, 1 - count / max(seen.size, 1)


def _best_of_each(
    options: Sequence[_Options], size: int, judge: _Judge
) -> Iterator[tuple[_Move, ...] | None]:
    """For each set of so many features the nearest change of all of them, None if none flips."""
    for chosen in combinations(range(len(options)), size):
        kept = (each.allowing for i, each in enumerate(options) if i not in chosen)
        found = _iter_flips(reduce(and_, kept, -1), [options[i] for i in chosen], judge)
        yield min(found, key=lambda moves: sum(move.cost for move in moves), default=None)


def _iter_flips(
    covering: int, options: Sequence[_Options], judge: _Judge
) -> Iterator[tuple[_Move, ...]]:
    """Every choice of one move for each that flips; branches without hope are left out."""
    if not options:
        yield ()
        return
    first, others = options[0], options[1:]
    hope = reduce(and_, (each.hopeful for each in others), -1)
    for move in first.moves:
        if judge.flips(covering & move.allowing & hope):
            for more in _iter_flips(covering & move.allowing, others, judge):
                yield (move, *more)


def _flip(theory: RankedTheory, record: Record, moves: Sequence[_Move]) -> Flip:
    changed = {**record, **{move.feature: move.value for move in moves}}
    then = explain_values(theory, changed)
    changes = tuple(ValueChange(m.feature, record[m.feature], m.value) for m in moves)
    return Flip(changes, then.outcome, then.deciding)
