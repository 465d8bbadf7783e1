"""The explained records drawn anew, merged and chosen again: which rules would there have been?

Local rules are not written again: a record that is drawn brings the rule that it has. So this
tells what the choice of records does, not what the chance in writing local rules adds to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt

from glocalx.extraction.local_rule import LocalRule
from glocalx.files.journals import ResampleLine
from glocalx.files.steering import fitting_steering
from glocalx.merging.iterate import merged
from glocalx.merging.search import MergeSettings
from glocalx.pipeline.settings import SelectionSettings
from glocalx.pipeline.theories import without_barred
from glocalx.rules.idle import without_idle
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.selection import (
    candidates_for,
    iter_budget,
    select_alpha,
    select_alpha_q,
    select_alpha_together,
    shortened,
)
from glocalx.steering import may_be_chosen, restricted

TEN = 10
MOST_RULES = 60  # of a budget that are kept
_STREAM = 0x5EED  # so that no other draw from the same seed is the same


class Resample(ResampleLine):
    """What came of one draw, and what is chosen of it."""

    def chosen(
        self, selection: SelectionSettings, reference: Reference, seed: int
    ) -> tuple[Rule, ...]:
        """The rules that would have been chosen; those by hand are none of them."""
        first = self.path[: int(selection.value)]
        price, most = selection.price, selection.conditions
        if selection.by == "budget" and price is None and most is None:
            return first
        drawn = reference.taken(drawn_places(reference.size, seed, self.number))
        if selection.by == "budget":
            return shortened(first, drawn, price=price or 0.0, conditions=most).rules
        if selection.by == "alpha" and selection.together:
            known = self.together or self.left  # resamples of earlier versions have only these
            taken = select_alpha_together(known, drawn, int(selection.value))
            return shortened(taken, drawn).rules
        steering = fitting_steering(selection.restrictions, reference.records.schema)
        rules = without_idle(may_be_chosen(self.left, steering), drawn)
        if selection.by == "alpha":
            return select_alpha(rules, drawn, int(selection.value)).rules
        return select_alpha_q(rules, drawn, selection.value).rules


def drawn_places(size: int, seed: int, number: int) -> npt.NDArray[np.int64]:
    """As many places as there are records, drawn with replacement."""
    return np.random.default_rng([seed, _STREAM, number]).integers(0, size, size)


def iter_resamples(
    local_rules: Sequence[LocalRule],
    reference: Reference,
    merge: MergeSettings,
    selection: SelectionSettings,
    *,
    seed: int = 0,
    start: int = 0,
    number: int = TEN,
    by_record: bool = True,
) -> Iterator[Resample]:
    """One resample after the other.

    Parameters
    ----------
    merge, selection
        As the theory was made: bars and directions hold here, too.
    by_record
        False where rules explain no record of these: then all of them are merged each time.
    """
    steering = fitting_steering(selection.restrictions, reference.records.schema)
    for place in range(start, number):
        places = drawn_places(reference.size, seed, place)
        drawn, there = reference.taken(places), set(places.tolist())
        rules = [each.rule for each in local_rules if not by_record or each.record in there]
        hierarchy = merged(without_barred(rules, selection.barred_from_start), drawn, merge)
        free = restricted(hierarchy, steering)
        candidates = candidates_for(free, drawn, steady=selection.steady)
        path = tuple(islice(iter_budget(candidates, drawn, selection.price or 0.0), MOST_RULES))
        every = without_idle(free.every_rule(), drawn)
        together = select_alpha_together(every, drawn, MOST_RULES * len(drawn.outcomes))
        yield Resample(place, path, hierarchy.rules().rules, together.rules)
