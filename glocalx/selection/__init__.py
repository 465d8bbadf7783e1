"""From the hierarchy to the final theory: alpha, alpha_q or budget.

`alpha` and `alpha_q` go by rule fidelity, outcome by outcome: in the paper they rank the rules that
merging left one by one; `alpha` takes, unless told otherwise, rules of the whole hierarchy that are
faithful together, and leaves out what all of them are no worse without. `budget` looks at the
theory as a whole and at every rule in the hierarchy; where these are few, also at each of them
without one of its premises. Whatever chooses, conditions that keep next to nobody out are gone
before (:mod:`glocalx.rules.idle`).
"""

from __future__ import annotations

from glocalx.errors import GLocalXError
from glocalx.merging.hierarchy import Hierarchy
from glocalx.rules.idle import without_idle
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory
from glocalx.selection.budget import iter_budget, records_to_earn, select_budget
from glocalx.selection.candidates import (
    FEW_RULES,
    budget_candidates,
    pooled,
    with_wider,
)
from glocalx.selection.filters import (
    select_alpha,
    select_alpha_q,
    select_alpha_together,
    with_otherwise,
)
from glocalx.selection.pricing import iter_shorter, reading_curve, shortened
from glocalx.selection.steady import STEADY_IS, candidates_for, steady_rules

__all__ = [
    "DEFAULT_BUDGET",
    "DEFAULT_PRICE",
    "FEW_RULES",
    "STEADY_IS",
    "budget_candidates",
    "candidates_for",
    "iter_budget",
    "iter_shorter",
    "pooled",
    "reading_curve",
    "records_to_earn",
    "select",
    "select_alpha",
    "select_alpha_q",
    "select_alpha_together",
    "select_budget",
    "shortened",
    "steady_rules",
    "with_otherwise",
    "with_wider",
]

DEFAULT_BUDGET = 10
DEFAULT_PRICE = 0.03  # benchmarks/results/whole.md


def select(
    hierarchy: Hierarchy,
    reference: Reference,
    *,
    alpha: int | None = None,
    alpha_q: float | None = None,
    budget: int | None = None,
    conditions: int | None = None,
    price: float | None = None,
    together: bool = True,
    steady: bool = False,
) -> Theory:
    """The final theory; give one of alpha, alpha_q and budget, or none for a budget of 10 rules.

    Parameters
    ----------
    alpha, alpha_q
        See :mod:`glocalx.selection.filters`.
    budget
        At most so many rules, the best together.
    conditions
        With a budget: at most so many conditions in all, “how much to read”.
    price
        With a budget: what a condition has to earn, when its rule is chosen and to stay; see
        :func:`records_to_earn`. None: conditions are free.
    together
        With alpha: rules that are faithful together, from the whole hierarchy, less what does not
        help all of them, to be read with :func:`with_otherwise`. False, the paper's way: the
        rules left by merging, one by one.
    steady
        With a budget: from what many rules say, in few conditions that cut numbers at few places,
        so that another seed gives much the same theory; see :mod:`glocalx.selection.steady`.
    """
    given = [name for name in (alpha, alpha_q, budget) if name is not None]
    if len(given) > 1:
        raise GLocalXError("Choose one of alpha, alpha_q and budget, not several.")
    if steady and (alpha is not None or alpha_q is not None):
        raise GLocalXError("Steady rules are chosen with a budget alone, not with alpha.")
    if (alpha is not None or alpha_q is not None) and (conditions or price) is not None:
        raise GLocalXError("Conditions are counted and priced with a budget alone, not with alpha.")
    if alpha is not None and together:
        every = without_idle(hierarchy.every_rule(), reference)
        return shortened(select_alpha_together(every, reference, alpha), reference)
    if alpha is not None:
        return select_alpha(without_idle(hierarchy.rules(), reference), reference, alpha)
    if alpha_q is not None:
        return select_alpha_q(without_idle(hierarchy.rules(), reference), reference, alpha_q)
    chosen = select_budget(
        candidates_for(hierarchy, reference, steady=steady),
        reference,
        DEFAULT_BUDGET if budget is None else budget,
        price or 0.0,
    )
    if conditions is None and price is None:
        return chosen
    return shortened(chosen, reference, price=price or 0.0, conditions=conditions)
