"""Changes that work: the black box is asked about each of them once more, by the test."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier

from glocalx.blackbox.python_object import PythonBlackBox
from glocalx.errors import GLocalXError
from glocalx.extraction.iterate import local_rules
from glocalx.questions.changes import ChangeFinder, FoundChanges
from glocalx.questions.permissions import Permissions
from glocalx.rules.schema import Schema
from tests.extraction.small_worlds import BANK, Stubborn, World, bank_box, customers, sample_world

PEOPLE = customers(400)
ASKED = customers(40, seed=1)


def as_rows(frame: pd.DataFrame, found: list[FoundChanges]) -> tuple[pd.DataFrame, list[str]]:
    """Every changed record, with the types of the table, and the answer that it should get."""
    records = frame.to_dict("records")
    rows = [each.applied(records[at]) for at, of in enumerate(found) for each in of.changes]
    wanted = [each.outcome for of in found for each in of.changes]
    return pd.DataFrame(rows, columns=frame.columns).astype(dict(frame.dtypes)), wanted


@pytest.fixture(scope="module")
def compas() -> World:
    return sample_world("compas")


def test_every_change_is_one_that_the_black_box_confirms(compas):
    asked = compas.frame[:60]
    finder = ChangeFinder(compas.box, compas.schema, compas.background)
    found = finder.found(asked)
    rows, wanted = as_rows(asked, found)
    assert compas.box.labels(rows).tolist() == wanted
    assert [each.outcome for each in found] == compas.box.labels(asked).tolist()
    assert all(of.changes for of in found)
    assert np.mean([len(of.changes[0].changes) for of in found]) < 1.5
    assert finder.asked / len(asked) < 150


@pytest.mark.parametrize("labels_only", [False, True])
def test_thirty_measurements_are_no_obstacle(labels_only):
    data = load_breast_cancer(as_frame=True)
    frame, target = data.data, data.target.astype(str)
    model = RandomForestClassifier(20, random_state=0).fit(frame[:400], target[:400])
    asked = frame[400:450].reset_index(drop=True)
    schema = Schema.of(frame, target)
    box = PythonBlackBox(OnlyLabels(model) if labels_only else model, schema, name="forest")
    finder = ChangeFinder(box, schema, frame[:400])
    found = finder.found(asked)
    rows, wanted = as_rows(asked, found)
    assert all(of.changes for of in found)
    assert box.labels(rows).tolist() == wanted
    assert np.mean([len(of.changes[0].changes) for of in found]) < 3.2
    assert finder.asked / len(asked) < 250


class OnlyLabels:
    """A model that tells no probabilities."""

    def __init__(self, model: RandomForestClassifier) -> None:
        self._model = model
        self.classes_ = model.classes_

    def predict(self, frame: pd.DataFrame) -> np.ndarray:
        return np.asarray(self._model.predict(frame))


def test_values_are_such_as_occur_and_whole_numbers_stay_whole():
    for of in ChangeFinder(bank_box(), BANK, PEOPLE).found(ASKED):
        for change in (each for one in of.changes for each in one.changes):
            assert change.after in set(PEOPLE[change.feature].tolist())
            assert change.after != change.before


def test_no_move_of_a_change_with_the_fewest_is_needless():
    box, records = bank_box(), ASKED.to_dict("records")
    for record, of in zip(records, ChangeFinder(box, BANK, PEOPLE).found(ASKED), strict=True):
        few = of.changes[0]
        for left in few.changes:
            without = few.applied(record) | {left.feature: record[left.feature]}
            row = pd.DataFrame([without]).astype(dict(ASKED.dtypes))
            assert box.labels(row)[0] == of.outcome


def test_a_number_moves_no_further_than_it_has_to():
    """One threshold, which is known: the nearest value beyond it that occurs is proposed."""
    young = ASKED[(ASKED["age"] < 25) & (ASKED["owner"] == "no")].reset_index(drop=True)
    young = young[~((young["amount"] > 10_000.5) & (young["job"] == "none"))].reset_index(drop=True)
    assert len(young)
    only_age = Permissions.of(dict.fromkeys(("amount", "job", "owner"), "never"))
    for of in ChangeFinder(bank_box(), BANK, PEOPLE, only_age).found(young):
        assert [change.after for change in of.changes[0].changes] == [25.0]
        assert of.changes[0].merits[:2] == ("fewest", "nearest")


def test_what_may_not_change_does_not():
    said = {"job": "never", "age": "up", "amount": "down"}
    moved = 0
    for of in ChangeFinder(bank_box(), BANK, PEOPLE, Permissions.of(said)).found(ASKED):
        for change in (each for one in of.changes for each in one.changes):
            moved += 1
            assert change.feature != "job"
            if change.feature == "age":
                assert change.after > change.before
            if change.feature == "amount":
                assert change.after < change.before
    assert moved


def test_where_nothing_may_change_nothing_is_found():
    never = Permissions.of(dict.fromkeys(BANK.names, "never"))
    assert all(not of.changes for of in ChangeFinder(bank_box(), BANK, PEOPLE, never).found(ASKED))
    assert not ChangeFinder(bank_box(Stubborn()), BANK, PEOPLE).found(ASKED[:2])[0].changes


def test_a_sensitive_feature_is_left_alone_unless_somebody_says_otherwise():
    quiet = Permissions.of({}, sensitive=["owner", "age"])
    for of in ChangeFinder(bank_box(), BANK, PEOPLE, quiet).found(ASKED):
        named = {change.feature for one in of.changes for change in one.changes}
        assert not named & {"owner", "age"}
    assert quiet.sentence() == "“owner” and “age” are left alone because they are sensitive."
    said = Permissions.of({"owner": "any", "age": "up"}, sensitive=["owner", "age"])
    assert said.sentence() == "“age” only goes up."
    assert said.way("owner") == "any"


def test_categories_have_no_up_and_no_down():
    with pytest.raises(GLocalXError, match="“job” holds categories, which have no up and down"):
        ChangeFinder(bank_box(), BANK, PEOPLE, Permissions.of({"job": "up"}))


class Gaps:
    """Says yes to whoever earns 50 or more, and to whoever says nothing."""

    classes_ = np.array(["no", "yes"])

    def predict(self, frame: pd.DataFrame) -> np.ndarray:
        return np.where(frame["pay"].isna() | (frame["pay"] >= 50), "yes", "no")


def test_nobody_is_told_to_withhold_a_value_and_a_gap_may_be_filled():
    random = np.random.default_rng(0)
    pay = random.integers(0, 100, 200).astype(float)
    pay[::5] = np.nan
    table = pd.DataFrame({"pay": pay, "age": random.integers(18, 80, 200)})
    schema = Schema.of(table, ["no", "yes"])
    box = PythonBlackBox(Gaps(), schema, name="pay")
    for record, of in zip(pay, ChangeFinder(box, schema, table).found(table), strict=True):
        (change,) = of.changes[0].changes
        assert change.feature == "pay"
        assert change.after is not None
        if np.isnan(record):
            assert change.before is None
            assert change.after < 50


def test_a_category_that_nobody_has_seen_stays_and_is_never_proposed():
    strange = ASKED[:5].assign(job=pd.array(["king"] * 5, dtype="str"))
    for of in ChangeFinder(bank_box(), BANK, PEOPLE).found(strange):
        for change in (each for one in of.changes for each in one.changes):
            assert change.after != "king"


def test_a_change_of_the_local_tree_is_tried_too():
    """Nothing else leads there: one value of one feature, which no quantile is."""
    table = pd.DataFrame({"code": np.arange(500), "age": np.arange(500) % 7})
    schema = Schema.of(table, ["no", "yes"])

    class Needle:
        def predict(self, frame: pd.DataFrame) -> np.ndarray:
            return np.where(frame["code"] == 123, "yes", "no")

    box = PythonBlackBox(Needle(), schema, outcomes=("no", "yes"), name="needle")
    background = table[table["code"] != 123]
    finder = ChangeFinder(box, schema, background)
    asked = table.iloc[[4, 123]]
    first, _ = finder.found(asked, [[{"code": 123.0}], []])
    assert [change.after for change in first.changes[0].changes] == [123.0]
    without, _ = finder.found(asked)
    assert not without.changes


def test_hints_of_local_rules_fit(compas):
    asked = compas.frame[:5]
    rules = local_rules(
        asked, compas.box, compas.schema, background=compas.background, records=range(5)
    )
    hints = [each.hints for each in rules]
    found = ChangeFinder(compas.box, compas.schema, compas.background).found(asked, hints)
    rows, wanted = as_rows(asked, found)
    assert compas.box.labels(rows).tolist() == wanted


def test_a_record_gets_the_same_whoever_is_asked_about_with_it(compas):
    finder = ChangeFinder(compas.box, compas.schema, compas.background)
    together = finder.found(compas.frame[:8])
    assert finder.found(compas.frame[3:4])[0] == together[3]
