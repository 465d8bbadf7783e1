"""Columns that tell the answer alone are named; those that merely help are not."""

import numpy as np
import pandas as pd
import pytest

from glocalx.blackbox.giveaways import find_giveaways
from glocalx.rules.schema import Schema
from glocalx.table.samples import load_sample

RNG = np.random.default_rng(0)
SIZE = 600
SCORE = RNG.normal(size=SIZE)
LABELS = np.where(SCORE > 0.4, "yes", "no").astype(object)


def found(labels=LABELS, **columns):
    frame = pd.DataFrame(columns)
    schema = Schema.of(frame, ["no", "yes", "maybe"])
    return [each.feature for each in find_giveaways(frame, labels, schema)]


def noisy(share: float) -> np.ndarray:
    """The labels, but for a share of them."""
    return np.where(RNG.random(SIZE) < share, "no", LABELS).astype(object)


def test_a_score_a_copy_and_a_code_are_named_and_help_is_not():
    columns = {
        "score": SCORE,
        "copy": noisy(0.0),
        "code": np.where(LABELS == "yes", RNG.choice(["A1", "A2"], SIZE), "B7"),
        "late": np.where(LABELS == "yes", SCORE, np.nan),
        "helps": SCORE + RNG.normal(size=SIZE),
        "chance": RNG.normal(size=SIZE),
        "often": noisy(0.2),
    }
    assert set(found(**columns)) == {"score", "copy", "code", "late"}


def test_an_identifier_tells_nothing_about_others():
    assert found(name=[f"person {i}" for i in range(SIZE)]) == []


def test_a_rare_outcome_is_not_told_by_guessing():
    """Always “no” is right for 99 of 100, and no column is needed for that."""
    rare = np.where(np.arange(SIZE) % 100 == 0, "yes", "no").astype(object)
    assert found(rare, constant=["x"] * SIZE, chance=RNG.normal(size=SIZE)) == []
    told = np.where(rare == "yes", 5.0, 1.0)
    assert found(rare, told=told, chance=RNG.normal(size=SIZE)) == ["told"]


def test_one_answer_or_few_records_have_no_giveaway():
    assert found(np.array(["no"] * SIZE, dtype=object), score=SCORE) == []
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0]})
    schema = Schema.of(frame, ["no", "yes"])
    assert find_giveaways(frame, np.array(["no", "yes", "yes"]), schema) == ()


@pytest.mark.parametrize("name", ["compas", "german"])
def test_samples_have_none(name):
    table = load_sample(name)
    assert find_giveaways(table.frame, table.target, table.schema()) == ()
