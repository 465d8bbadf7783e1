"""Decision trees as rules: one for each leaf.

The leaves of a tree share no record, so the rules say what the tree says in whatever order they
are asked; they are scikit-learn's trees, on the table's own columns.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
from sklearn.tree import DecisionTreeClassifier

from glocalx.baselines.base import Labels, RuleSet, outcome_places, reference_of
from glocalx.baselines.one_hot import OneHot, Turn
from glocalx.errors import GLocalXError
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.words.phrases import counted

PRUNED_DEPTH = 4
"""The paper's pruned tree."""


def fit_tree(
    frame: pd.DataFrame,
    labels: Labels,
    schema: Schema,
    *,
    max_depth: int | None = None,
    max_leaves: int | None = None,
    seed: int = 0,
) -> RuleSet:
    """A decision tree, fully grown unless told otherwise.

    Parameters
    ----------
    frame, labels, schema
        Clean records, their labels (the black box's, to explain it), and what the columns are.
    max_depth
        Tests on the way to a leaf; 4 is the paper's pruned tree.
    max_leaves
        The tree of at most so many leaves, the best split first: the fair rival of a theory of
        so many rules.
    seed
        Decides between equally good splits.

    Examples
    --------
    >>> people = pd.DataFrame({"age": [20, 30, 40, 50], "job": ["clerk", "chief"] * 2})
    >>> tree = fit_tree(people, ["no", "no", "yes", "yes"], Schema.of(people, ["no", "yes"]))
    >>> tree.name, tree.size, tree.length
    ('tree', 2, 1.0)
    """
    _check(max_depth, max_leaves)
    reference = reference_of(frame, labels, schema)
    columns = OneHot(schema)
    grown = grow(reference, columns, max_depth=max_depth, max_leaves=max_leaves, seed=seed)
    return RuleSet.of(_name(max_depth, max_leaves), iter_leaf_rules(grown, columns), reference)


def grow(
    reference: Reference,
    columns: OneHot,
    *,
    max_depth: int | None = None,
    max_leaves: int | None = None,
    seed: int = 0,
) -> DecisionTreeClassifier:
    """The tree itself; its classes are places among the outcomes of the schema."""
    tree = DecisionTreeClassifier(max_depth=max_depth, max_leaf_nodes=max_leaves, random_state=seed)
    return tree.fit(columns.matrix(reference.records), outcome_places(reference))


def iter_leaf_rules(grown: DecisionTreeClassifier, columns: OneHot) -> Iterator[Rule]:
    """A rule for each leaf, from left to right."""
    tree = grown.tree_
    waiting: list[tuple[int, tuple[Turn, ...]]] = [(0, ())]
    while waiting:
        node, way = waiting.pop()
        if tree.children_left[node] < 0:
            place = grown.classes_[tree.value[node, 0].argmax()]
            yield columns.rule(way, columns.schema.outcomes[place])
            continue
        column, threshold = int(tree.feature[node]), float(tree.threshold[node])
        waiting.append((tree.children_right[node], (*way, Turn(column, threshold, False))))
        waiting.append((tree.children_left[node], (*way, Turn(column, threshold, True))))


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
