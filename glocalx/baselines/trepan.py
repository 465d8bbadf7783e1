"""Trepan (Craven and Shavlik 1996): a tree that is grown by asking the black box.

Where few records reach a node, more are drawn from a model of the records there, and the black
box labels them, so that questions deep in the tree rest on as many answers as the first. The
node whose records are answered worst, counted over all records, is split next. Questions are
simple: a number is at most so much, a category is this one (the authors also allow m-of-n).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.baselines.base import RuleSet, Task, outcome_codes, reference_of
from glocalx.baselines.gain import Matrix, Question, best_question
from glocalx.blackbox.base import BlackBox, checked_labels
from glocalx.errors import GLocalXError
from glocalx.rules.branches import both
from glocalx.rules.codes import NO_CODE, Coded, texts_of
from glocalx.rules.rule import Categories, Premise, Rule
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.scoring import Reference

SAMPLE = 1000
"""Labelled records that each node has at least, drawn ones included."""
LEAST_SIDE = 0.01
"""Share of a node's sample that either answer to a question must have."""
ENOUGH = 30
"""Values of a feature that make a model of it; with fewer, those of the node above serve."""

Places = npt.NDArray[np.integer]


def fit_trepan(task: Task) -> RuleSet:
    """Grow a tree on the answers of a black box, which is asked about the records that are drawn.

    It stops at `most_rules` leaves; leaves that turn out to agree are one rule in the end.
    """
    if task.black_box is None:
        raise GLocalXError("Trepan asks the black box. Give a model, not predictions alone.")
    if task.most_rules < 2:
        raise GLocalXError("A tree needs at least 2 leaves to tell anything apart.")
    reference = reference_of(task)
    grower = _Grower(reference, task.black_box, task.seed)
    name = f"Trepan of at most {task.most_rules} leaves"
    return RuleSet.of(name, _iter_rules(grower.tree(task.most_rules), task.schema), reference)


@dataclass(slots=True)
class _Node:
    """A place in the tree.

    Parameters
    ----------
    number
        In the order of making.
    premises
        What the way to it asks for.
    lineage
        The real records at this node, at the one above it, and so on up to the root.
    rows, outcomes
        The sample: real records and drawn ones, with the places of their labels.
    """

    number: int
    premises: dict[str, Premise]
    lineage: tuple[Places, ...]
    rows: Matrix
    outcomes: Places
    children: list[_Node] = field(default_factory=list)

    @property
    def label(self) -> int:
        return int(np.bincount(self.outcomes).argmax())

    @property
    def wrong(self) -> float:
        """How many real records the node would answer unlike the black box, by its sample."""
        share = float(np.mean(self.outcomes != self.label))
        return share * len(self.lineage[0])


class _Grower:
    """Grows a tree, asking the black box node by node."""

    def __init__(self, reference: Reference, black_box: BlackBox, seed: int) -> None:
        self._schema = reference.records.schema
        columns = [
            np.where(values == NO_CODE, len(feature.categories), values)
            if feature.is_categorical
            else values
            for feature in self._schema.features
            for values in [reference.records.values(feature.name)]
        ]
        self._real = np.column_stack(columns).astype(np.float64)
        self._outcomes = outcome_codes(reference)
        self._black_box = black_box
        self._seed = seed
        self._nodes = 0

    def tree(self, most_leaves: int) -> _Node:
        """The root of the grown tree."""
        root = self._node({}, (np.arange(len(self._real)),))
        waiting = [(-root.wrong, root.number, root)]
        leaves = 1
        while waiting and leaves < most_leaves:
            wrong, _, node = heapq.heappop(waiting)
            question = self._question(node) if wrong < 0 else None
            if question is None:
                continue
            node.children = [self._child(node, question, side) for side in (True, False)]
            for child in node.children:
                heapq.heappush(waiting, (-child.wrong, child.number, child))
            leaves += 1
        return root

    def _question(self, node: _Node) -> Question | None:
        least = max(1, int(LEAST_SIDE * len(node.rows)))
        return best_question(self._schema, node.rows, node.outcomes, least)

    def _child(self, node: _Node, question: Question, side: bool) -> _Node:
        feature = self._schema.features[question.place]
        premise = question.yes if side else question.no
        real = node.lineage[0]
        reaching = real[_satisfies(feature, premise, self._real[real, question.place])]
        together = both(node.premises.get(feature.name), premise)
        return self._node({**node.premises, feature.name: together}, (reaching, *node.lineage))

    def _node(self, premises: dict[str, Premise], lineage: tuple[Places, ...]) -> _Node:
        real = lineage[0]
        self._nodes += 1
        missing = SAMPLE - len(real)
        if missing <= 0:
            return _Node(self._nodes, premises, lineage, self._real[real], self._outcomes[real])
        drawn = self._drawn(premises, lineage, missing)
        return _Node(
            self._nodes,
            premises,
            lineage,
            np.concatenate([self._real[real], drawn]),
            np.concatenate([self._outcomes[real], self._asked(drawn)]),
        )

    def _drawn(
        self, premises: dict[str, Premise], lineage: tuple[Places, ...], count: int
    ) -> Matrix:
        """New records for a node: each feature by itself, from values of real records there."""
        generator = np.random.default_rng([self._seed, self._nodes])
        columns = [
            generator.choice(self._values(feature, place, premises, lineage), count)
            for place, feature in enumerate(self._schema.features)
        ]
        return np.column_stack(columns)

    def _values(
        self,
        feature: Feature,
        place: int,
        premises: dict[str, Premise],
        lineage: tuple[Places, ...],
    ) -> npt.NDArray[np.float64]:
        """The values of the nearest node that has enough of them that the premises allow."""
        premise = premises.get(feature.name)
        values: npt.NDArray[np.float64] = np.empty(0)
        for real in lineage:
            values = self._real[real, place]
            if premise is not None:
                values = values[_satisfies(feature, premise, values)]
            if len(values) >= ENOUGH:
                break
        return values

    def _asked(self, rows: Matrix) -> Places:
        outcomes = self._schema.outcomes
        frame = pd.DataFrame(
            {
                feature.name: _column(feature, rows[:, place])
                for place, feature in enumerate(self._schema.features)
            }
        )
        answers = self._black_box.labels(frame)
        labels = checked_labels(answers, len(frame), outcomes, self._black_box.name)
        return Coded.of(labels).among(outcomes)


def _satisfies(
    feature: Feature, premise: Premise, values: npt.NDArray[np.float64]
) -> npt.NDArray[np.bool_]:
    match premise:
        case Categories(allowed):
            places = [place for place, name in enumerate(feature.categories) if name in allowed]
            return np.isin(
                values, [*places, len(feature.categories)] if premise.missing else places
            )
    inside = (premise.low <= values) & (values < premise.high)
    return np.asarray(inside | np.isnan(values) if premise.missing else inside)


def _column(feature: Feature, values: npt.NDArray[np.float64]) -> object:
    if feature.is_categorical:
        return texts_of((*feature.categories, None)).take(values.astype(np.intp))
    whole = feature.is_whole and not feature.gaps
    return values.astype(np.int64) if whole else values


def _iter_rules(node: _Node, schema: Schema) -> Iterator[Rule]:
    """A rule for each leaf; a node below which all say the same is one leaf."""
    labels = set(_labels(node))
    if len(labels) > 1:
        for child in node.children:
            yield from _iter_rules(child, schema)
    else:
        yield schema.rule(node.premises, schema.outcomes[labels.pop()])


def _labels(node: _Node) -> Iterator[int]:
    if not node.children:
        yield node.label
    for child in node.children:
        yield from _labels(child)
