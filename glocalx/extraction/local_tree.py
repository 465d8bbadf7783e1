"""A decision tree around one record, and the ways down it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.tree import DecisionTreeClassifier

from glocalx.extraction.encoding import Expanded
from glocalx.rules.branches import Branch, iter_ways

Labels = npt.NDArray[np.integer]
"""The places of the labels among the outcomes."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """The end of one way down: the way, the outcome there, and how many rows ended up in it."""

    branches: tuple[Branch, ...]
    label: int
    rows: int


class LocalTree:
    """A fully grown tree: its leaves hold one label each, so it needs no refit to be right.

    Rows that are equal get equal labels from a black box, and the explained record is among the
    rows, so its leaf has its label. (Trees with leaves of at least 5 rows gave rules that were no
    better: precision 0.962 against 0.959 on COMPAS, 0.950 against 0.954 on Adult.)

    `labels`: one per row, as a place among the outcomes.
    """

    def __init__(self, rows: Expanded, labels: Labels, seed: int) -> None:
        grown = DecisionTreeClassifier(random_state=seed).fit(rows, labels, check_input=False)
        tree = grown.tree_
        self._left: list[int] = tree.children_left.tolist()
        self._right: list[int] = tree.children_right.tolist()
        self._column: list[int] = tree.feature.tolist()
        self._cut: list[int] = np.floor(tree.threshold).astype(int).tolist()
        self._rows: list[int] = tree.n_node_samples.tolist()
        self._label: list[int] = grown.classes_[tree.value[:, 0, :].argmax(axis=1)].tolist()

    def path(self, record: Expanded) -> tuple[Branch, ...]:
        """The way that one expanded record takes."""
        codes = record.tolist()
        branches: list[Branch] = []
        node = 0
        while self._left[node] >= 0:
            column, cut = self._column[node], self._cut[node]
            below = codes[column] <= cut
            branches.append(Branch(column, cut, below))
            node = self._left[node] if below else self._right[node]
        return tuple(branches)

    def leaves(self) -> Iterator[Leaf]:
        """Every leaf, with the way to it."""
        for node, way in iter_ways(self._left, self._right, self._column, self._cut):
            yield Leaf(way, self._label[node], self._rows[node])
