"""Do the rules cut where the model does? Their cuts beside the best ones for a curve.

The premises of rules on a feature part its values into groups: two values are in the same group if
every premise holds for both or for neither. A group's values stand for one level. How much of a
curve's movement such levels catch is its explained variance, each value weighted by its records;
beside it stands what as many groups could catch at best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from glocalx.questions.curves import CurveStop, FeatureCurve, Levels, cuts_of, premises_on
from glocalx.rules.rule import Premise, Rule
from glocalx.words.figures import percent
from glocalx.words.phrases import enumeration
from glocalx.words.wording import Wording

Say: TypeAlias = Callable[[object], str]

_FLAT = 0.02  # a curve that moves less says little
_SINGLES_MOVE = 0.2  # single records that move more than this while their mean does not are told of
_WELL, _PARTLY = 0.8, 0.5  # of what could be caught at best


@dataclass(frozen=True, slots=True)
class CutMatch:
    """The rules' groups of values beside the best ones.

    Parameters
    ----------
    groups
        How many groups the rules make of the values along the curve; 1: they part none.
    caught, best
        How much of the curve's movement these groups, and as many best ones, catch. 1: all of it.
    between
        Where the best groups part numbers: the two neighbouring values of each place.
    """

    groups: int
    caught: float
    best: float
    between: tuple[tuple[float, float], ...] = ()

    @property
    def ratio(self) -> float:
        """What is caught of what could be."""
        return self.caught / self.best if self.best > 0 else 1.0


def match_cuts(curve: FeatureCurve, premises: Sequence[Premise]) -> CutMatch:
    """Hold what rules ask of a feature against the curve along it.

    “Missing” is a group of its own for both sides, so it is left out.
    """
    stops = curve.known
    if not stops:
        return CutMatch(1, 0.0, 0.0)
    levels = np.array([stop.levels for stop in stops])
    weights = np.maximum([stop.weight for stop in stops], 1e-12)
    held = [tuple(stop.value in each for each in premises) for stop in stops]  # type: ignore[operator]
    numeric = not isinstance(stops[0].value, str)
    if numeric:
        order = np.arange(len(stops))
        own = np.cumsum([0, *(a != b for a, b in pairwise(held))])
    else:
        order = np.argsort(levels[:, curve.outcomes.index(curve.focus)], kind="stable")
        kinds = {each: place for place, each in enumerate(dict.fromkeys(held))}
        own = np.array([kinds[each] for each in held])
    groups = int(own.max()) + 1
    whole = _left(levels, weights, np.zeros(len(stops), dtype=np.intp))
    best = np.empty(len(stops), dtype=np.intp)
    best[order] = _best_groups(levels[order], weights[order], groups)
    if whole <= 1e-12:
        return CutMatch(groups, 0.0, 0.0)
    between = tuple(
        (float(a.value), float(b.value))  # type: ignore[arg-type]
        for a, b, one, other in zip(stops, stops[1:], best, best[1:], strict=False)
        if numeric and one != other
    )
    caught, most = (1 - _left(levels, weights, each) / whole for each in (own, best))
    return CutMatch(groups, max(caught, 0.0), max(most, 0.0), between)


def _left(levels: Levels, weights: Levels, groups: npt.NDArray[np.intp]) -> float:
    """The squared distance to the mean of the own group, weighted."""
    left = 0.0
    for group in np.unique(groups):
        mine = groups == group
        middle = np.average(levels[mine], axis=0, weights=weights[mine])
        left += float(np.sum(weights[mine, None] * (levels[mine] - middle) ** 2))
    return left


def _best_groups(levels: Levels, weights: Levels, groups: int) -> npt.NDArray[np.intp]:
    """The runs of values that leave least, so many of them; exact, by dynamic programming."""
    size = len(levels)
    counts, sums, squares = (
        np.concatenate([np.zeros((1, each.shape[1])), np.cumsum(each, axis=0)])
        for each in (weights[:, None], weights[:, None] * levels, weights[:, None] * levels**2)
    )
    start, end = np.arange(size)[:, None], np.arange(size + 1)[None, :]
    some = np.maximum((counts[end] - counts[start])[..., 0], 1e-12)
    lone = (squares[end] - squares[start]).sum(axis=2)
    lone = lone - ((sums[end] - sums[start]) ** 2).sum(axis=2) / some
    least = np.full((groups + 1, size + 1), np.inf)
    began = np.zeros((groups + 1, size + 1), dtype=np.intp)
    least[0, 0] = 0.0
    for count in range(1, groups + 1):
        for last in range(count, size + 1):
            starts = np.arange(count - 1, last)
            left = least[count - 1, starts] + lone[starts, last]
            at = int(np.argmin(left))
            least[count, last], began[count, last] = left[at], starts[at]
    found = np.zeros(size, dtype=np.intp)
    last = size
    for count in range(groups, 0, -1):
        first = int(began[count, last])
        found[first:last] = count - 1
        last = first
    return found


def curve_sentences(
    curve: FeatureCurve,
    premises: Sequence[Premise],
    *,
    name: Say = str,
    value: Say = str,
    outcome: Say = str,
) -> list[str]:
    """What the curve shows, and whether the rules cut where the model does.

    `premises`: what the rules ask of the feature; `name`, `value`, `outcome`: how it, its values
    and the outcomes are said.
    """
    called = name(curve.feature)
    if len(curve.stops) < 2:
        return [f"Every record has the same value of {called}: there is nothing to move."]
    said = [_moves(curve, called, value, outcome)]
    if curve.move < _FLAT and curve.single_move >= _SINGLES_MOVE:
        said.append(
            "Single records do move, by up to "
            f"{100 * curve.single_move:.0f} points, up and down: the mean hides it."
        )
    if not premises:
        said.append(f"No rule names {called}.")
        return said
    if curve.move >= _FLAT:
        said.append(_cut(curve, premises, called, value))
    return said


def curve_told(curve: FeatureCurve, rules: Iterable[Rule], wording: Wording) -> str:
    """The same as plain text, of the rules that are shown."""
    said = curve_sentences(
        curve,
        premises_on(rules, curve.feature),
        name=lambda each: wording.name(str(each)),
        value=lambda each: wording.value(curve.feature, each),
        outcome=lambda each: wording.outcome(str(each)),
    )
    return " ".join(said)


def _moves(curve: FeatureCurve, called: str, value: Say, outcome: Say) -> str:
    what = (
        f"the mean probability of {outcome(curve.focus)}"
        if curve.is_probability
        else f"the share of answers {outcome(curve.focus)}"
    )
    levels = curve.focused
    low, high = int(np.argmin(levels)), int(np.argmax(levels))
    if curve.move < _FLAT:
        return (
            f"Whatever the value of {called}, {what} stays about the same: "
            f"{percent(float(levels[low]))} to {percent(float(levels[high]))}."
        )
    return (
        f"With {called} moved and all else as it was, {what} lies between "
        f"{percent(float(levels[low]))} ({_at(curve.stops[low], value)}) and "
        f"{percent(float(levels[high]))} ({_at(curve.stops[high], value)})."
    )


def _at(stop: CurveStop, value: Say) -> str:
    if stop.value is None:
        return "where it is missing"
    return f"{'for' if isinstance(stop.value, str) else 'at'} {value(stop.value)}"


def _cut(curve: FeatureCurve, premises: Sequence[Premise], called: str, value: Say) -> str:
    match, cuts = match_cuts(curve, premises), cuts_of(premises)
    if match.groups < 2:
        return f"The rules name {called}, but part none of the values that are looked at here."
    if cuts:
        where = f"The rules cut at {enumeration([value(each) for each in cuts])}"
    else:
        where = f"The rules part its values into {match.groups} groups"
    caught, best = percent(match.caught), percent(match.best)
    figures = f"levels between them catch {caught} of how the curve moves"
    if match.ratio >= _WELL:
        return f"{where}, which is where the model does: {figures}; at best it could be {best}."
    told = f"{figures}; as many best ones would catch {best}"
    if match.between:
        places = [f"between {value(low)} and {value(high)}" for low, high in match.between[:4]]
        told += f", cut {enumeration(places)}"
    if match.ratio >= _PARTLY:
        return f"{where}, only in part where the model does: {told}."
    return f"{where}, which is not where the curve moves most: {told}."
