"""Trepan: what it asks, what it finds, and that it keeps to its limits."""

from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest

from glocalx.baselines import trepan
from glocalx.baselines.base import Task
from glocalx.baselines.gain import best_question
from glocalx.baselines.trepan import fit_trepan
from glocalx.errors import GLocalXError
from glocalx.rules.coverage import Records, mask_of
from glocalx.rules.rule import Interval
from glocalx.rules.schema import Feature, Schema
from tests.extraction.small_worlds import BANK, bank_box, customers


class Counting:
    """Passes questions on, and keeps them."""

    name = "counting"
    outcomes = BANK.outcomes

    def __init__(self) -> None:
        self.asked: list[pd.DataFrame] = []

    def labels(self, frame: pd.DataFrame) -> np.ndarray:
        self.asked.append(frame)
        return bank_box().labels(frame)

    def probabilities(self, frame: pd.DataFrame) -> None:
        return None


def _fit(rows: int = 400, seed: int = 0, leaves: int = 10, sample: int = trepan.SAMPLE):
    frame = customers(rows)
    box = Counting()
    task = Task(frame, bank_box().labels(frame), BANK, seed, leaves, black_box=box)
    with patch.object(trepan, "SAMPLE", sample):
        return fit_trepan(task), box, frame


def test_it_finds_what_the_black_box_does():
    made, _, _ = _fit()
    held_out = customers(2_000, seed=1)
    predicted = made.predict(Records(BANK, held_out))
    assert np.mean(predicted == bank_box().labels(held_out)) > 0.97


def test_asking_helps_where_records_are_few():
    held_out = customers(2_000, seed=1)
    truth, records = bank_box().labels(held_out), Records(BANK, held_out)
    asked, _, _ = _fit(rows=60)
    alone, _, _ = _fit(rows=60, sample=10)
    assert np.mean(asked.predict(records) == truth) > np.mean(alone.predict(records) == truth)


def test_each_node_has_its_sample_and_drawn_records_are_made_of_observed_values():
    _, box, frame = _fit(rows=400, sample=500)
    assert len(box.asked[0]) == 100
    for drawn in box.asked:
        assert len(drawn) <= 500
        assert [str(kind) for kind in drawn.dtypes] == [str(kind) for kind in frame.dtypes]
        for name in frame.columns:
            assert set(drawn[name]) <= set(frame[name])


def test_nothing_is_asked_where_records_suffice():
    _, box, _ = _fit(rows=400, sample=10, leaves=2)
    assert all(len(drawn) < 10 for drawn in box.asked)


@pytest.mark.parametrize("leaves", [2, 3, 10])
def test_leaves_share_no_record_and_are_at_most_so_many(leaves: int):
    made, _, frame = _fit(leaves=leaves)
    assert made.size <= leaves
    records = Records(BANK, frame)
    covered = [mask_of(records.coverage(rule), records.size) for rule in made.rules]
    assert (np.sum(covered, axis=0) == 1).all()


def test_same_seed_same_tree():
    assert _fit(rows=80, seed=5)[0] == _fit(rows=80, seed=5)[0]


def test_one_label_needs_no_question():
    frame = customers(50)
    with patch.object(trepan, "SAMPLE", 10):
        made = fit_trepan(Task(frame, ["ask"] * 50, BANK, black_box=bank_box()))
    assert [len(rule) for rule in made.rules] == [0]


def test_the_question_with_the_best_ratio_worked_by_hand():
    """“x ≤ 1.5” parts 2 and 2 and gains 1 bit of 1; the letters, 1 and 3, gain .311 of .811."""
    schema = Schema((Feature("x", "numeric"), Feature("c", "categorical", ("u", "v"))), ("a", "b"))
    rows = np.array([[0, 0], [1, 1], [2, 1], [3, 1]], dtype=float)
    asked = best_question(schema, rows, np.array([0, 0, 1, 1]), least=1)
    assert asked is not None
    assert (asked.place, asked.gain, asked.ratio) == (0, 1.0, 1.0)
    assert isinstance(asked.yes, Interval)
    assert 1.5 in asked.yes
    assert 1.5 not in asked.no
    assert best_question(schema, rows, np.array([0, 0, 0, 0]), least=1) is None
    letters = best_question(schema, rows[:, [1, 1]], np.array([0, 0, 1, 1]), least=1)
    assert letters is not None
    assert letters.gain == pytest.approx(0.3112781)
    assert letters.ratio == pytest.approx(0.3112781 / 0.8112781)
    assert best_question(schema, rows, np.array([0, 0, 1, 1]), least=3) is None


def test_a_single_leaf_tells_nothing_apart():
    with pytest.raises(GLocalXError, match="at least 2 leaves"):
        _fit(leaves=1)
