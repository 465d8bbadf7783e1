"""Decision trees as rules: one for each leaf.

The leaves of a tree share no record, so the rules say what the tree says in whatever order they
are asked; they are scikit-learn's trees, on the table's own columns.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.tree import DecisionTreeClassifier

from glocalx.baselines.base import RuleSet, Task, outcome_codes, reference_of
from glocalx.errors import GLocalXError
from glocalx.rules.branches import TreeColumns, iter_ways, shortest_between
from glocalx.rules.codes import NO_CODE
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.words.phrases import counted

PRUNED_DEPTH = 4
"""The paper's pruned tree."""
MISSING = (-1e30, 1e30)
"""Where a missing number stands in each of its two columns: beyond what people count or measure."""
_FARTHEST = 1e29  # a cut beyond lies half-way to a missing number


def fit_tree(task: Task, *, max_depth: int | None = None, max_leaves: int | None = None) -> RuleSet:
    """A decision tree, fully grown unless told otherwise.

    Parameters
    ----------
    max_depth
        Tests on the way to a leaf; 4 is the paper's pruned tree.
    max_leaves
        The tree of at most so many leaves, the best split first: the fair rival of a theory of
        so many rules.

    Examples
    --------
    >>> import pandas as pd
    >>> from glocalx.rules.schema import Schema
    >>> people = pd.DataFrame({"age": [20, 30, 40, 50], "job": ["clerk", "chief"] * 2})
    >>> labels = ["no", "no", "yes", "yes"]
    >>> tree = fit_tree(Task(people, labels, Schema.of(people, labels)))
    >>> tree.name, tree.size, tree.theory.length
    ('tree', 2, 1.0)
    """
    _check(max_depth, max_leaves)
    reference, columns = reference_of(task), TreeColumns(task.schema)
    grown = grow(reference, columns, max_depth=max_depth, max_leaves=max_leaves, seed=task.seed)
    rules = iter_leaf_rules(grown, columns, reference.records)
    return RuleSet.of(_name(max_depth, max_leaves), rules, reference)


def grow(
    reference: Reference,
    columns: TreeColumns,
    *,
    max_depth: int | None = None,
    max_leaves: int | None = None,
    seed: int = 0,
) -> DecisionTreeClassifier:
    """The tree itself; its classes are places among the outcomes of the schema.

    `seed`: decides between equally good splits.
    """
    tree = DecisionTreeClassifier(max_depth=max_depth, max_leaf_nodes=max_leaves, random_state=seed)
    return tree.fit(tree_matrix(columns, reference.records), outcome_codes(reference))


def tree_matrix(columns: TreeColumns, records: Records) -> npt.NDArray[np.float32]:
    """Records as a tree sees them; a category outside the domain is 0 in every column.

    A missing number lies far below all others, and far above.
    """
    values: list[Any] = []
    for feature in records.schema.features:
        column = records.values(feature.name)
        if feature.is_categorical:
            missing = len(feature.categories) if feature.gaps else NO_CODE
            values.append(np.where(column == NO_CODE, missing, np.maximum(column, NO_CODE)))
        elif feature.gaps:
            values.append(tuple(np.where(np.isnan(column), end, column) for end in MISSING))
        else:
            values.append(column)
    return columns.matrix(values, records.size)


def iter_leaf_rules(
    grown: DecisionTreeClassifier, columns: TreeColumns, records: Records
) -> Iterator[Rule]:
    """A rule for each leaf, from left to right.

    On numbers with decimals a threshold is the shortest number between the same two values of the
    records that the tree was grown on.
    """
    tree, schema = grown.tree_, records.schema
    parted = (tree.children_left, tree.children_right, tree.feature, tree.threshold)
    for node, way in iter_ways(*(each.tolist() for each in parted)):
        outcome = schema.outcomes[grown.classes_[tree.value[node, 0].argmax()]]
        premises = columns.premises(way, partial(_first_above, records))
        yield schema.rule(premises, outcome)


def _first_above(records: Records, place: int, cut: float) -> float:
    feature, edge = records.schema.features[place], first_above(cut)
    if feature.gaps and abs(cut) > _FARTHEST:
        return math.copysign(math.inf, cut)
    if feature.is_whole:
        return edge
    values = records.values(feature.name)
    return shortest_between(values[values < edge].max(), values[values >= edge].min())


def first_above(threshold: float) -> float:
    """The smallest 64-bit number that lies above `threshold` once it is rounded to 32 bits.

    Trees of scikit-learn see numbers in 32 bits, so this is where a split really falls.

    Examples
    --------
    >>> first_above(2.5) > 2.5, float(np.float32(first_above(2.5))) > 2.5
    (True, True)
    >>> float(np.float32(math.nextafter(first_above(2.5), 0))) > 2.5
    False
    """
    above = np.float32(threshold)
    if float(above) <= threshold:
        above = np.nextafter(above, np.float32(math.inf))
    below = np.nextafter(above, np.float32(-math.inf))
    middle = (float(below) + float(above)) / 2  # exact: both have few digits
    return middle if np.float32(middle) == above else math.nextafter(middle, math.inf)


def _check(max_depth: int | None, max_leaves: int | None) -> None:
    if max_depth is not None and max_depth < 1:
        raise GLocalXError(f"A tree of depth {max_depth} asks nothing. Give at least 1.")
    if max_leaves is not None and max_leaves < 2:
        raise GLocalXError(
            f"A tree of {counted(max_leaves, 'leaf', 'leaves')} tells nothing apart. "
            "Give at least 2."
        )


def _name(max_depth: int | None, max_leaves: int | None) -> str:
    parts = []
    if max_depth is not None:
        parts.append(f"of depth {max_depth}")
    if max_leaves is not None:
        parts.append(f"of at most {max_leaves} leaves")
    return " ".join(["tree", *parts])
