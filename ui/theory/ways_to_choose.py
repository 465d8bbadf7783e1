"""The ways to choose rules: what there is to choose, and what a condition must earn; in words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from glocalx.pipeline.settings import SelectionSettings
from glocalx.selection import DEFAULT_PRICE, FEW_RULES, STEADY_IS, records_to_earn
from glocalx.words.figures import trimmed
from glocalx.words.phrases import counted
from glocalx.workspace.run import Run
from ui.address import FREE
from ui.opened import (
    alpha_places_of,
    budget_path_of,
    explained_of,
    merged_rules_of,
    theory_of,
)
from ui.terms import with_terms

MOST_BUDGET = 60  # nobody reads more; the paper's two ways go further


@dataclass(frozen=True, slots=True)
class Room:
    """What can be chosen in one way: from `low` to `high` in steps."""

    low: float
    high: float
    step: float

    @property
    def is_empty(self) -> bool:
        return not self.low < self.high

    def fit(self, value: float) -> float:
        """The choice that is nearest, upwards to a whole step."""
        inside = min(max(value, self.low), self.high)
        steps = math.ceil((inside - self.low) / self.step - 1e-9)
        return min(self.low + self.step * steps, self.high)


def room_of(run: Run, chosen: SelectionSettings) -> Room:
    """What can be chosen in the way of this choice; the merge stage must be done."""
    if chosen.by == "budget":
        return Room(1, min(max(len(budget_path_of(run, chosen)), 1), MOST_BUDGET), 1)
    if chosen.by == "alpha":
        outcomes = len(explained_of(run).schema.outcomes)
        return Room(outcomes, outcomes * _most_of_an_outcome(run, chosen, outcomes), outcomes)
    return Room(0.0, 100.0, 0.5)


def _most_of_an_outcome(run: Run, chosen: SelectionSettings, outcomes: int) -> int:
    """How many places alpha can fill for each outcome, at most."""
    if not chosen.together:
        return max(Counter(rule.outcome for rule in merged_rules_of(run)).values(), default=1)
    most = outcomes * math.ceil(MOST_BUDGET / outcomes)
    return math.ceil(alpha_places_of(run, chosen.restrictions, most) / outcomes)


def fitting(run: Run, chosen: SelectionSettings) -> SelectionSettings:
    """The choice, made to fit what there is."""
    return replace(chosen, value=room_of(run, chosen).fit(chosen.value))


WAYS_HELP = with_terms(
    f"""\
**Budget**: at most so many rules, chosen because they agree best with the black box *together*,
from every rule of the hierarchy; where these are fewer than {FEW_RULES}, also from each of them
without one of its conditions. What a condition must earn is a choice of its own.

**Alpha** and **alpha quantile**: the filters of the GLocalX paper, which keep for each outcome the
rules that tell it best. Alpha takes them together or, as in the paper, one by one.""",
    *("Budget", "Alpha", "Alpha quantile", "Rule fidelity"),
)
TAKEN_HELP = with_terms(
    """\
**Together**: the rules of an outcome count as one, and each time the rule is taken that makes them
tell the outcome better; from every rule of the hierarchy. Then conditions and rules go without
which all of them agree no less with the black box. “Otherwise” is the most common answer to the
records that no rule covers.

**One by one**, as in the paper: those of the merged rules that tell the outcome best alone, which
are often much the same rule. “Otherwise” is the most common answer of all.""",
    *("Alpha", "Rule fidelity"),
)


def nothing_to_choose(run: Run, chosen: SelectionSettings) -> str:
    by = chosen.by
    if by == "budget" and not budget_path_of(run, chosen):
        return (
            "There is nothing to choose: no rule agrees with the black box more often than its "
            "most common answer does."
        )
    if by == "budget":
        return "There is nothing to choose: after one rule, more would not help."
    if by == "alpha" and chosen.together:
        return "There is nothing to choose: after one rule for each outcome, more would not help."
    if len(merged_rules_of(run)) == 1:
        return "There is nothing to choose: only one rule is left."
    return "There is nothing to choose: no outcome has more than one rule, so all are kept."


def in_words(run: Run, chosen: SelectionSettings) -> str:
    """What the choice means, in a sentence."""
    if chosen.by == "budget":
        return _budget_in_words(run, chosen)
    if chosen.by == "alpha":
        each = int(chosen.value) // len(explained_of(run).schema.outcomes)
        said = f"Up to {counted(each, 'rule')} for each outcome: those that"
        if not chosen.together:
            return f"{said} alone tell it best."
        return (
            f"{said} together tell it best, less what does not help all of them. Places that an "
            "outcome leaves go to the others."
        )
    left, total = 100 - chosen.value, len(merged_rules_of(run))
    if chosen.value == 0:
        return f"Keeps all {counted(total, 'merged rule')}."
    if left == 0:
        return "Keeps, for each outcome, only the rule that alone tells it best."
    return f"Keeps, for each outcome, about the best {left:g} % of the {total:,} merged rules."


def _budget_in_words(run: Run, chosen: SelectionSettings) -> str:
    most = len(budget_path_of(run, chosen))
    priced = chosen.price is not None
    said = (
        f"The rules that agree best together. On the {_records(run)}, more than "
        f"{counted(most, 'rule')} would not {'earn their conditions' if priced else 'help'}."
    )
    left = theory_of(run, replace(chosen, steering=chosen.restrictions)).size
    if left < chosen.value:
        said += f" Of {int(chosen.value)}, {left} are left: with these, the rest earns too little."
    return said


def _records(run: Run) -> str:
    return f"{explained_of(run).reference_name}s"


def slider_help(run: Run, chosen: SelectionSettings) -> str:
    by = chosen.by
    if by == "budget":
        return (
            "One rule after the other is added, each time the one that raises agreement on the "
            f"{_records(run)} most. The choice is among all rules that ever were in the "
            "hierarchy, also those that later merges replaced; where these are fewer than "
            f"{FEW_RULES}, each of them without one of its conditions is a candidate, too."
        )
    if by == "alpha" and chosen.together:
        return (
            "One rule after the other is taken, each time the one that makes the rules of its "
            f"outcome tell it better from the rest, on the {_records(run)}, as long as one does."
        )
    if by == "alpha":
        return (
            "Merged rules are ranked by how well each alone tells its outcome from the rest. The "
            "best are kept, equally many for each outcome; an outcome with fewer rules gives all."
        )
    return (
        "Merged rules of an outcome are ranked by how well each alone tells it from the rest. "
        "At the 90th percentile those stay that are at least as good as 90 of 100 of them: the "
        "higher, the fewer."
    )


PRICES = (None, 0.01, 0.02, DEFAULT_PRICE, 0.04, 0.06, 0.1, 0.2)
PRICE_HELP = with_terms(
    """\
Fewer conditions are quicker to read, and each one that is left out may cost some agreement with
the black box. The higher the price, the less there is to read. It counts when a rule is chosen,
and again when all are there: what does not earn its price then is left out, a condition or a
whole rule. Rules that were pinned, changed or written by hand stay as they are.""",
    "Price of a condition",
)


STEADY_HELP = with_terms(
    """\
Local rules cut a number wherever their neighbours happened to lie, so another seed gives other
rules. Here every end of an interval is moved to the nearest of few cuts, the same for every seed,
before rules are chosen. See *Another seed, other rules* in the file docs/differences.md.""",
    "Budget",
)


STEADY_COSTS = "mostly for one or two points of fidelity"
MAY_CHANGE_SAID = (
    "Another seed would say much of this in other rules. Turn this on for rules that it would "
    f"give, too, {STEADY_COSTS}."
)
STEADY_SAID = (
    f"Chosen from {STEADY_IS}. Another seed then gives much the same rules, {STEADY_COSTS}."
)


def steady_switch(run: Run, chosen: SelectionSettings, on_change: Callable[[Run], None]) -> None:
    """Whether rules are chosen that another seed is likely to give, too, and what that costs."""
    st.toggle(
        "Rules that stay",
        key="theory_steady",
        help=STEADY_HELP,
        on_change=on_change,
        args=(run,),
    )
    st.caption(STEADY_SAID if chosen.steady else MAY_CHANGE_SAID)


def price_text(price: float | None) -> str:
    """A price as an address has it."""
    return FREE if price is None else f"{price:g}"


def price_from(text: str) -> float | None:
    """The inverse of :func:`price_text`."""
    return None if text == FREE else float(text)


def price_slider(run: Run, chosen: SelectionSettings, on_change: Callable[[Run], None]) -> None:
    """What a condition must earn, in steps from nothing up, and in a sentence what that does."""
    prices = sorted({*PRICES, chosen.price}, key=lambda price: -1.0 if price is None else price)
    st.select_slider(
        "What a condition must earn",
        [price_text(price) for price in prices],
        format_func=lambda text: records_said(run, price_from(text)),
        key="theory_price",
        help=PRICE_HELP,
        on_change=on_change,
        args=(run,),
    )
    st.caption(price_said(run, chosen.price))


def price_said(run: Run, price: float | None) -> str:
    """What the price does, in a sentence."""
    if price is None:
        return "Free: the chosen rules keep every condition, whatever it earns."
    if not price:
        return "A condition stays if the rules agree less often with the black box without it."
    facts = explained_of(run)
    return (
        "A condition stays if it makes the rules agree with the black box on at least "
        f"{records_said(run, price)} more, of {facts.reference.size:,} {facts.reference_name}s."
    )


def records_said(run: Run, price: float | None) -> str:
    """What a condition has to earn at a price, in records."""
    if price is None:
        return FREE
    records = records_to_earn(price, explained_of(run).reference)
    said = trimmed(records, 1 if records >= 1 else 2)
    return f"{said} record{'' if said == '1' else 's'}"
