"""All baselines by name, those of other packages only where these are installed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import pandas as pd

from glocalx.baselines.base import Labels, RuleSet, fit_union
from glocalx.baselines.cega import fit_cega
from glocalx.baselines.cfire import fit_cfire
from glocalx.baselines.cpar import CparSettings, fit_cpar
from glocalx.baselines.extras import fit_bayesian_list, fit_brcg, fit_ripper
from glocalx.baselines.tree import PRUNED_DEPTH, fit_tree
from glocalx.baselines.trepan import TrepanSettings, fit_trepan
from glocalx.blackbox.base import BlackBox
from glocalx.errors import GLocalXError
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema
from glocalx.words.phrases import listing, shown


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """What baselines are fitted on.

    Parameters
    ----------
    frame, labels, schema
        Clean records, their black-box labels, and what the columns are.
    seed
        For those that draw at random.
    most_rules
        For those that have a number of rules to keep to: the small tree, and Trepan.
    local_rules
        For the union, CEGA and CFIRE.
    black_box
        For Trepan, which asks it.
    """

    frame: pd.DataFrame
    labels: Labels
    schema: Schema
    seed: int = 0
    most_rules: int = 10
    local_rules: Sequence[Rule] = ()
    black_box: BlackBox | None = None

    @property
    def records(self) -> tuple[pd.DataFrame, Labels, Schema]:
        return self.frame, self.labels, self.schema


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


def _trepan(task: Task) -> RuleSet:
    if task.black_box is None:
        raise GLocalXError("Trepan asks the black box. Give a model, not predictions alone.")
    return fit_trepan(
        *task.records,
        black_box=task.black_box,
        settings=TrepanSettings(max_leaves=task.most_rules),
        seed=task.seed,
    )


FROM_LOCAL_RULES = ("union", "cega", "cfire")
"""Those that combine local rules, as the theory does."""
BASELINES: Mapping[str, Recipe] = {
    "tree": Recipe("Decision tree", lambda task: fit_tree(*task.records, seed=task.seed)),
    "pruned-tree": Recipe(
        "Pruned decision tree",
        lambda task: fit_tree(*task.records, max_depth=PRUNED_DEPTH, seed=task.seed),
    ),
    "small-tree": Recipe(
        "Tree of few leaves",
        lambda task: fit_tree(*task.records, max_leaves=task.most_rules, seed=task.seed),
    ),
    "cpar": Recipe("CPAR", lambda task: fit_cpar(*task.records)),
    "cpar-rows": Recipe(
        "CPAR as in LUCS-KDD",
        lambda task: fit_cpar(*task.records, settings=CparSettings(weighting="rows")),
    ),
    "union": Recipe(
        "Union of the local rules",
        lambda task: fit_union(*task.records, local_rules=task.local_rules),
    ),
    "cega": Recipe("CEGA", lambda task: fit_cega(*task.records, local_rules=task.local_rules)),
    "cfire": Recipe(
        "CFIRE",
        lambda task: fit_cfire(*task.records, local_rules=task.local_rules, seed=task.seed),
    ),
    "trepan": Recipe("Trepan", _trepan),
    "ripper": Recipe(
        "RIPPER",
        lambda task: fit_ripper(*task.records, seed=task.seed),
        ("wittgenstein",),
        two_outcomes=True,
    ),
    "brcg": Recipe(
        "BRCG",
        lambda task: fit_brcg(*task.records, seed=task.seed),
        ("aix360", "cvxpy"),
        two_outcomes=True,
    ),
    "bayesian-list": Recipe(
        "Bayesian rule list",
        lambda task: fit_bayesian_list(*task.records, seed=task.seed),
        ("imodels", "six"),
        two_outcomes=True,
    ),
}
"""Every baseline, in the order in which tables show them."""
