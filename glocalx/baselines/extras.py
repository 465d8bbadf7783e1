"""Rule learners of other packages: RIPPER, BRCG and Bayesian rule lists.

They tell two outcomes apart. Numbers are cut by entropy beforehand, as for CPAR, so that what a
package finds can be read back exactly instead of from rounded texts. Each is there only where
its package is installed.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd

from glocalx.baselines.base import RuleSet, Task, rarer_outcome, reference_of
from glocalx.baselines.items import Item, half_items_of, item_masks, items_of, rule_of
from glocalx.rules.scoring import Reference

BRL_STEPS = 5000
"""Of the search for a rule list; the package's own 50,000 take ten times as long."""


def fit_ripper(task: Task) -> RuleSet:
    """RIPPER (Cohen 1995) by the package `wittgenstein`: rules for the rarer outcome.

    Where no rule applies, the other outcome decides.
    """
    reference = reference_of(task)
    outcome = rarer_outcome(reference, "RIPPER")
    items = items_of(reference)
    with _undisturbed(task.seed):
        model = import_module("wittgenstein").RIPPER(random_state=task.seed)
        table = _item_table(items, reference).assign(outcome=reference.labels == outcome)
        model.fit(table, class_feat="outcome", pos_class=True)
    found = [[items[int(test.val)] for test in rule.conds] for rule in model.ruleset_.rules]
    rules = [rule_of(chosen, outcome, task.schema) for chosen in found]
    return RuleSet.of("RIPPER", rules, reference)


def fit_brcg(task: Task) -> RuleSet:
    """Boolean rules by column generation (Dash et al. 2018) by the package `aix360`.

    Rules for the rarer outcome; where none applies, the other decides. Nothing in it is random.
    """
    reference = reference_of(task)
    outcome = rarer_outcome(reference, "BRCG")
    items = half_items_of(reference)
    with _undisturbed(task.seed):
        learner = import_module("aix360.algorithms.rbm").BooleanRuleCG
        model = learner(solver="CLARABEL", silent=True)  # ECOS, its default, does not come with it
        positive = pd.Series((reference.labels == outcome).astype(int))
        model.fit(_binary_table(items, reference), positive)
    chosen = model.z.loc[:, model.w > 0.5].to_numpy().T
    rules = [
        rule_of((items[place] for place in np.flatnonzero(column)), outcome, task.schema)
        for column in chosen
    ]
    return RuleSet.of("BRCG", rules, reference)


def fit_bayesian_list(task: Task) -> RuleSet:
    """Bayesian rule list (Letham et al. 2015) by the package `imodels`.

    The rules decide in the order of the list; the end of the list is the default.
    """
    reference = reference_of(task)
    outcome = rarer_outcome(reference, "A Bayesian rule list")
    other = reference.majority
    items = items_of(reference)  # half-lines overlap: on Adult they took over 4 minutes
    with _undisturbed(task.seed):
        learner = import_module("imodels").BayesianRuleListClassifier
        model = learner(max_iter=BRL_STEPS, random_state=task.seed)
        matrix = item_masks(items, reference).T.astype(int)
        names = [f"item {place}" for place in range(len(items))]
        model.fit(matrix, (reference.labels == outcome).astype(int), feature_names=names)
    said = [outcome if share > 0.5 else other for share in model.theta]
    rules = [
        rule_of((items[int(name.removeprefix("X_"))] for name in itemset), answer, task.schema)
        for itemset, answer in zip(model.final_itemsets, said, strict=True)
        if not isinstance(itemset, str)  # the end of the list is the text “null”
    ]
    return RuleSet.in_order("Bayesian rule list", rules, said[-1], reference)


@contextmanager
def _undisturbed(seed: int) -> Iterator[None]:
    """Packages that use the random numbers of the whole process find and leave them in order."""
    before: Any = random.getstate(), np.random.get_state()
    random.seed(seed)
    np.random.seed(seed % 2**32)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what the packages use, which nobody here can mend
            yield
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])


def _item_table(items: tuple[Item, ...], reference: Reference) -> pd.DataFrame:
    """For each feature the number, as text, of the one item that a record has."""
    masks = item_masks(items, reference)
    columns: dict[str, Any] = {}
    for place, item in enumerate(items):
        column = columns.setdefault(item.feature, np.full(reference.size, "", dtype=object))
        column[masks[place]] = str(place)
    return pd.DataFrame({f"feature {n}": column for n, column in enumerate(columns.values())})


def _binary_table(items: tuple[Item, ...], reference: Reference) -> pd.DataFrame:
    """A column of 0 and 1 for each item, named in three levels as the package wants it."""
    table = pd.DataFrame(item_masks(items, reference).T.astype(int))
    names = [(item.feature, "item", place) for place, item in enumerate(items)]
    table.columns = pd.MultiIndex.from_tuples(names, names=["feature", "operation", "value"])
    return table
