"""CPAR: a case worked by hand, and what must always hold."""

import math
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from glocalx.baselines import cpar
from glocalx.baselines.base import Task, reference_of
from glocalx.baselines.cpar import Cpar, fit_cpar
from glocalx.baselines.items import cut_points, entropy, item_masks, items_of
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Feature, Schema
from tests import plain
from tests.strategies import World, worlds

FRUIT = Schema(
    (
        Feature("colour", "categorical", ("green", "red", "yellow")),
        Feature("size", "categorical", ("big", "small")),
    ),
    ("apple", "pear"),
)


def _fruit() -> tuple[pd.DataFrame, list[str]]:
    """10 red apples, 4 green big apples, 2 green small pears, 8 yellow pears."""
    rows = [("red", "big", "apple")] * 6 + [("red", "small", "apple")] * 4
    rows += [("green", "big", "apple")] * 4 + [("green", "small", "pear")] * 2
    rows += [("yellow", "big", "pear")] * 4 + [("yellow", "small", "pear")] * 4
    frame = pd.DataFrame(rows, columns=["colour", "size", "kind"])
    return frame[["colour", "size"]], frame["kind"].tolist()


def test_the_rules_worked_by_hand():
    """Apples: 14 of 24, so an item of w apples and n pears gains w·[ln(w/(w+n)) − ln(14/24)].

    red: 10·[0 − ln .583] = 5.39, the best, and no pears are left: rule 1, its 10 apples weigh .3.
    Then the weights are 7 apples against 10 pears: red gains 3·ln(17/7) = 2.66; green
    4·[ln(4/6) − ln(7/17)] = 1.93; big 5.8·[ln(5.8/9.8) − ln(7/17)] = 2.10: red again, .9 for all
    its apples. Then 4.9 apples: green gains 4·[ln(4/6) − ln(4.9/14.9)] = 2.83, big
    4.54·[ln(4.54/8.54) − ln(4.9/14.9)] = 2.18: green, and within it big, which leaves no pear:
    rule 2. Its apples weigh 1.2, all together 2.1, above .7 (5 % of 14): red .9·ln(12.1/2.1)
    = 1.58; big 1.74·[ln(1.74/5.74) − ln(2.1/12.1)] = .97; green 1.2·[ln(1.2/3.2) −
    ln(2.1/12.1)] = .92: red, its apples weigh .27, all 1.47. Green 1.2·[ln(1.2/3.2) −
    ln(1.47/11.47)] = 1.29 and big 1.36·[ln(1.36/5.36) − ln(1.47/11.47)] = .93: green; then big
    gains 1.2·ln(3.2/1.2) = 1.18: rule 2 again, and .63 are left: enough.
    """
    frame, labels = _fruit()
    fitted = fit_cpar(Task(frame, labels, FRUIT))
    apples = [rule for rule in fitted.rules if rule.outcome == "apple"]
    assert apples == [
        FRUIT.rule({"colour": ["red"]}, "apple"),
        FRUIT.rule({"colour": ["green"], "size": ["big"]}, "apple"),
    ]
    accuracies = {each.rule: each.accuracy for each in fitted.theory.ranked}
    assert [accuracies[rule] for rule in apples] == [11 / 12, 5 / 6]
    assert FRUIT.rule({"colour": ["yellow"]}, "pear") in fitted.rules
    assert fitted.predict(Records(FRUIT, frame)).tolist() == labels


def test_rows_instead_of_weights_stop_earlier():
    """After rule 1 red gains 3·[0 − ln(14/24)] = 1.62, green 4·[ln(4/6) − ln(14/24)] = .53 only.

    The next time red gains .9·.539 = .49 and green .53 again: nothing above .7, so it ends.
    """
    frame, labels = _fruit()
    fitted = fit_cpar(Task(frame, labels, FRUIT), weighting="rows")
    apples = [rule for rule in fitted.rules if rule.outcome == "apple"]
    assert apples == [FRUIT.rule({"colour": ["red"]}, "apple")]
    assert fitted.name == "CPAR as in LUCS-KDD"


def _plain_votes(fitted: Cpar, frame: pd.DataFrame) -> list[str]:
    """The prediction, record by record, as the paper tells it."""
    default = fitted.theory.default
    order = [default, *(each for each in fitted.theory.schema.outcomes if each != default)]
    answers = []
    for place in range(len(frame)):
        row = frame.iloc[place]
        means = []
        for outcome in order:
            votes = sorted(
                (
                    each.accuracy
                    for each in fitted.theory.ranked
                    if each.rule.outcome == outcome and plain.covers(each.rule, row)
                ),
                reverse=True,
            )[: cpar.VOTING_RULES]
            means.append(math.fsum(votes) / len(votes) if votes else 0.0)
        best = max(means)
        answers.append(next(o for o, m in zip(order, means, strict=True) if m > best - 1e-12))
    return answers


@settings(max_examples=25)
@given(worlds(max_rules=1, max_records=60))
def test_the_best_rules_of_each_outcome_vote(world: World):
    task = Task(world.frame, world.labels, world.schema)
    for weighting in cpar.NAMES:
        with patch.object(cpar, "LEAST_GAIN", 0.2), patch.object(cpar, "VOTING_RULES", 2):
            fitted = fit_cpar(task, weighting=weighting)
            records = Records(world.schema, world.frame)
            assert fitted.predict(records).tolist() == _plain_votes(fitted, world.frame)
            assert fit_cpar(task, weighting=weighting) == fitted


def test_no_rules_leave_everything_to_the_default():
    frame = pd.DataFrame({"colour": ["red"] * 5, "size": ["big"] * 5})
    fitted = fit_cpar(Task(frame, ["pear"] * 3 + ["apple"] * 2, FRUIT))
    assert fitted.size == 0
    assert fitted.theory.length == 0
    assert set(fitted.predict(Records(FRUIT, frame))) == {"pear"}


def test_some_of_the_rules_can_be_kept():
    frame, labels = _fruit()
    fitted = fit_cpar(Task(frame, labels, FRUIT))
    one = fitted.only(fitted.rules[:1])
    assert one.rules == fitted.rules[:1]
    assert one.name == "CPAR, 1 rule"
    assert one.theory.default == fitted.theory.default


def test_numbers_are_cut_where_outcomes_change():
    numbers = np.arange(40.0)
    thirds = np.digitize(numbers, [10, 25])
    assert cut_points(numbers, thirds % 2, 2) == [9.5, 24.5]
    assert cut_points(numbers, thirds, 3) == [9.5, 24.5]
    assert cut_points(np.zeros(10), np.arange(10) % 2, 2) == []
    noise = np.random.default_rng(0).integers(0, 2, 40)
    assert cut_points(numbers, noise, 2) == []


def test_the_price_of_a_cut_worked_by_hand():
    """A clean cut of 2 and 2 gains 1 bit and costs (log2 3 + log2 7 − 2)/4 = .598: made.

    Of 1 and 1 it costs log2 1 + log2 7 − 2 = .807 bits for 2 records, .404 each: made. Three
    records a, b, a gain .251 at best and cost (1 + log2 7 − 2·.918 + 1)/3 = .990: not made.
    """
    assert cut_points(np.arange(4.0), np.array([0, 0, 1, 1]), 2) == [1.5]
    assert cut_points(np.arange(2.0), np.array([0, 1]), 2) == [0.5]
    assert cut_points(np.arange(3.0), np.array([0, 1, 0]), 2) == []
    assert entropy(np.array([3, 1])) == pytest.approx(0.8112781)


@settings(max_examples=30)
@given(worlds(max_rules=1))
def test_each_record_has_one_item_of_each_feature(world: World):
    reference = reference_of(Task(world.frame, world.labels, world.schema))
    items = items_of(reference)
    masks = item_masks(items, reference)
    for name in {item.feature for item in items}:
        own = masks[[item.feature == name for item in items]]
        assert (own.sum(axis=0) == 1).all()
