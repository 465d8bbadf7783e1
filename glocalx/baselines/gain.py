"""Which question tells most about the outcome: gain ratio, as C4.5 and Trepan use it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from glocalx.baselines.items import Counts, entropy
from glocalx.rules.rule import Premise
from glocalx.rules.schema import Feature, Schema

Matrix = npt.NDArray[np.float64]
"""One row for each record, one column for each feature: numbers, and places of categories.

A missing number is NaN, the place of a missing category that after all others.
"""


@dataclass(frozen=True, slots=True)
class Question:
    """A premise that parts records in two, and the premise of those who do not satisfy it.

    Parameters
    ----------
    place
        Of the feature in the schema.
    gain
        Bits of entropy that the answer saves.
    ratio
        The gain, divided by the bits that the answer itself takes.
    """

    place: int
    yes: Premise
    no: Premise
    gain: float
    ratio: float


def best_question(
    schema: Schema, rows: Matrix, outcomes: npt.NDArray[np.integer], least: int
) -> Question | None:
    """The question with the highest gain ratio; None where none tells anything.

    Each feature offers the question that gains most. As in C4.5, only those that gain at least
    the average are compared by ratio, which alone would favour questions that part off a few.

    Parameters
    ----------
    rows, outcomes
        Records, and the place of the outcome of each.
    least
        So many records must be on either side.
    """
    offers = [
        offer
        for place, feature in enumerate(schema.features)
        if (offer := _offer(feature, place, rows[:, place], outcomes, least)) is not None
    ]
    if not offers:
        return None
    average = sum(offer.gain for offer in offers) / len(offers)
    return max(
        (offer for offer in offers if offer.gain >= average * (1 - 1e-9)),
        key=lambda offer: offer.ratio,
    )


def _offer(
    feature: Feature,
    place: int,
    values: npt.NDArray[np.float64],
    outcomes: npt.NDArray[np.integer],
    least: int,
) -> Question | None:
    distinct, codes = np.unique(values, return_inverse=True)
    kinds = int(outcomes.max()) + 1
    counts = np.bincount(codes * kinds + outcomes, minlength=len(distinct) * kinds)
    counts = counts.reshape(-1, kinds)
    inside = counts if feature.is_categorical else _lower_sides(distinct, counts)
    gains, bits = _gains(inside, counts.sum(axis=0), least)
    if not gains.size or gains.max() <= 1e-12:
        return None
    best = int(np.argmax(gains))
    yes, no = _sides(feature, distinct, best)
    return Question(place, yes, no, float(gains[best]), float(gains[best] / bits[best]))


def _lower_sides(distinct: Matrix, counts: Counts) -> Counts:
    """The outcomes up to each number; where some are missing, without these and then with them."""
    lower: Counts = counts.cumsum(axis=0)[:-1]
    return np.concatenate([lower, lower[:-1] + counts[-1]]) if np.isnan(distinct[-1]) else lower


def _gains(inside: Counts, whole: Counts, least: int) -> tuple[Matrix, Matrix]:
    """For each question its gain, and the bits of its answer; gain 0 where a side is too small."""
    outside = whole - inside
    sizes = np.stack([inside.sum(axis=1), outside.sum(axis=1)], axis=1)
    size = whole.sum()
    left = (entropy(inside) * sizes[:, 0] + entropy(outside) * sizes[:, 1]) / size
    gains = np.where(sizes.min(axis=1) >= least, entropy(whole) - left, 0.0)
    return gains, entropy(sizes)


def _sides(feature: Feature, distinct: Matrix, best: int) -> tuple[Premise, Premise]:
    lacking = feature.gaps
    if feature.is_categorical:
        chosen = frozenset(feature.categories[int(distinct[best]) :][:1])  # none: it is missing
        others = feature.domain - chosen
        known = bool(chosen)
        return feature.allowed(chosen, not known), feature.allowed(others, lacking and known)
    last = len(distinct) - 1 - bool(np.isnan(distinct[-1]))
    below, with_missing = (best - last - 1, True) if best > last else (best, False)
    if below == last:
        return feature.interval(-math.inf, math.inf), feature.only_missing
    edge = float(distinct[below] / 2 + distinct[below + 1] / 2)
    edge = math.nextafter(edge if edge < distinct[below + 1] else float(distinct[below]), math.inf)
    return (
        feature.interval(-math.inf, edge, with_missing),
        feature.interval(edge, math.inf, lacking and not with_missing),
    )
