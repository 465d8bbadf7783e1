"""All baselines by name, those of other packages only where these are installed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec

from glocalx.baselines.base import RuleSet, Task, fit_union
from glocalx.baselines.cega import fit_cega
from glocalx.baselines.cfire import fit_cfire
from glocalx.baselines.cpar import fit_cpar
from glocalx.baselines.extras import fit_bayesian_list, fit_brcg, fit_ripper
from glocalx.baselines.tree import PRUNED_DEPTH, fit_tree
from glocalx.baselines.trepan import fit_trepan
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Schema
from glocalx.words.phrases import listing, shown


@dataclass(frozen=True, slots=True)
class Recipe:
    """A baseline that can be fitted.

    `two_outcomes`: whether it can tell only two outcomes apart.
    """

    title: str
    fit: Callable[[Task], RuleSet]
    packages: tuple[str, ...] = ()
    two_outcomes: bool = False

    @property
    def is_installed(self) -> bool:
        return all(find_spec(package) is not None for package in self.packages)


def available_baselines(schema: Schema | None = None) -> dict[str, Recipe]:
    """The baselines that can be fitted here, and with the outcomes of `schema` where given."""
    several = schema is not None and len(schema.outcomes) > 2
    return {
        key: recipe
        for key, recipe in BASELINES.items()
        if recipe.is_installed and not (several and recipe.two_outcomes)
    }


def fit_baseline(key: str, task: Task) -> RuleSet:
    """Fit the baseline with this key.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [20, 30, 40, 50]})
    >>> labels = ["no", "no", "yes", "yes"]
    >>> fit_baseline("tree", Task(frame, labels, Schema.of(frame, labels))).size
    2
    """
    recipe = BASELINES.get(key)
    if recipe is None:
        raise GLocalXError(
            f"There is no baseline {shown(key)}. There are: {listing(BASELINES, most=20)}."
        )
    if not recipe.is_installed:
        raise GLocalXError(
            f"{recipe.title} needs {listing(recipe.packages)} to be installed. Install it, or "
            f"choose one of {listing(available_baselines(), most=20)}."
        )
    return recipe.fit(task)


FROM_LOCAL_RULES = ("union", "cega", "cfire")
"""Those that combine local rules, as the theory does."""
BASELINES: Mapping[str, Recipe] = {
    "tree": Recipe("Decision tree", fit_tree),
    "pruned-tree": Recipe("Pruned decision tree", partial(fit_tree, max_depth=PRUNED_DEPTH)),
    "small-tree": Recipe(
        "Tree of few leaves", lambda task: fit_tree(task, max_leaves=task.most_rules)
    ),
    "cpar": Recipe("CPAR", fit_cpar),
    "cpar-rows": Recipe("CPAR as in LUCS-KDD", partial(fit_cpar, weighting="rows")),
    "union": Recipe("Union of the local rules", fit_union),
    "cega": Recipe("CEGA", fit_cega),
    "cfire": Recipe("CFIRE", fit_cfire),
    "trepan": Recipe("Trepan", fit_trepan),
    "ripper": Recipe("RIPPER", fit_ripper, ("wittgenstein",), two_outcomes=True),
    "brcg": Recipe("BRCG", fit_brcg, ("aix360", "cvxpy"), two_outcomes=True),
    "bayesian-list": Recipe(
        "Bayesian rule list", fit_bayesian_list, ("imodels", "six"), two_outcomes=True
    ),
}
"""Every baseline, in the order in which tables show them."""
