"""What answers rest on: beside scikit-learn's answer, and with features that are planted."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.inspection import permutation_importance

from glocalx.blackbox.python_object import PythonBlackBox
from glocalx.questions.reliance import (
    box_reliance,
    iter_box_reliance,
    rules_reliance,
    shuffles,
)
from glocalx.questions.reliance_said import pair_sentence, unnamed_sentence
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference

RANDOM = np.random.default_rng(0)
SIZE = 400
SECRET = RANDOM.normal(size=SIZE)
TABLE = pd.DataFrame(
    {
        "known": RANDOM.normal(size=SIZE).round(3),
        "secret": SECRET.round(3),
        "proxy": (SECRET + RANDOM.normal(scale=0.1, size=SIZE)).round(3),
        "job": pd.array(RANDOM.choice(["a", "b", "c"], SIZE), dtype="str"),
    }
)
SCHEMA = Schema.of(TABLE, ["no", "yes"])


class Planted:
    """Says yes by `known`, and by `secret` where that is extreme; never looks at the rest."""

    classes_ = np.array(["no", "yes"])

    def predict_proba(self, frame: pd.DataFrame) -> np.ndarray:
        yes = np.where((frame["known"] > 0) | (frame["secret"] > 1.2), 0.9, 0.2)
        return np.column_stack([1 - yes, yes])

    def predict(self, frame: pd.DataFrame) -> np.ndarray:
        return self.classes_[np.argmax(self.predict_proba(frame), axis=1)]


BOX = PythonBlackBox(Planted(), SCHEMA, name="planted")


@pytest.fixture(scope="module")
def planted():
    return box_reliance(BOX, TABLE, SCHEMA)


def test_it_agrees_with_permutation_importance():
    """Accuracy lost against the model's own answers is the share of answers that change."""
    numbers = TABLE.drop(columns="job")
    target = (numbers["known"] + numbers["secret"] ** 2 > 0.5).astype(str)
    model = RandomForestClassifier(20, random_state=0).fit(numbers, target)
    schema = Schema.of(numbers, target)
    mine = box_reliance(PythonBlackBox(model, schema, name="forest"), numbers, schema)
    theirs = permutation_importance(
        model, numbers, model.predict(numbers), scoring="accuracy", n_repeats=20, random_state=0
    )
    for name, mean, spread in zip(
        numbers.columns, theirs.importances_mean, theirs.importances_std, strict=True
    ):
        found = mine.of(name)
        assert found.share == pytest.approx(mean, abs=4 * spread / np.sqrt(20) + 0.005)
        assert found.low - 0.02 <= mean <= found.high + 0.02
    order = np.argsort(-theirs.importances_mean)
    assert [each.feature for each in mine.features] == numbers.columns[order].tolist()


def test_a_feature_that_only_the_model_uses_is_flagged_and_a_proxy_is_not(planted):
    assert {each.feature for each in planted.features if each.is_used} == {"known", "secret"}
    assert [each.feature for each in planted.unnamed(["known", "proxy"])] == ["secret"]
    assert planted.of("proxy").share == 0
    assert planted.idle(["known", "proxy"]) == ("proxy",)
    said = unnamed_sentence(planted, ["known"], str.title)
    assert said.startswith("The model also uses Secret; no rule names it.")
    assert "roxy" not in said
    assert unnamed_sentence(planted, ["known", "secret"]) == ""
    other = unnamed_sentence(replace(planted, stand_in=True), ["known"])
    assert other.startswith("The stand-in for the model also uses secret;")
    two = unnamed_sentence(planted, [])
    assert two.startswith("The model also uses known;")
    assert "The same holds for secret (" in two


def test_by_how_much_probabilities_move(planted):
    known = planted.of("known")
    dealt = TABLE["known"].to_numpy()[shuffles(SIZE, 0)[:4]]  # a mean is asked of the first
    alone = TABLE["secret"].to_numpy() <= 1.2
    flips = ((dealt > 0) != (TABLE["known"].to_numpy() > 0)) & alone
    assert known.moved == pytest.approx(0.7 * flips.mean())  # from 0.9 to 0.2, or back
    assert planted.of("job").moved == 0

    class OnlyLabels:
        classes_ = Planted.classes_

        def predict(self, frame: pd.DataFrame) -> np.ndarray:
            return Planted().predict(frame)

    quiet = box_reliance(PythonBlackBox(OnlyLabels(), SCHEMA, name="quiet"), TABLE, SCHEMA)
    assert np.isnan(quiet.of("known").moved)
    assert quiet.of("known").share == known.share
    assert quiet.to_dict()["features"][0]["moved"] is None


def test_the_share_of_a_fair_coin_is_known():
    """Half of the records say yes: a shuffled value is on the other side in half the cases."""
    table = pd.DataFrame({"x": np.arange(200) % 2})
    schema = Schema.of(table, ["no", "yes"])

    class Coin:
        classes_ = Planted.classes_

        def predict(self, frame: pd.DataFrame) -> np.ndarray:
            return np.where(frame["x"] == 1, "yes", "no")

    (x,) = box_reliance(PythonBlackBox(Coin(), schema, name="coin"), table, schema).features
    assert x.share == pytest.approx(0.5, abs=0.03)
    assert x.low < x.share < x.high


def test_rules_are_measured_alike_and_otherwise_counts():
    records = Records(SCHEMA, TABLE)
    reference = Reference(records, BOX.labels(TABLE).tolist())
    theory = RankedTheory.of([SCHEMA.rule({"known": (0.0, np.inf)}, "yes")], reference)
    theory = RankedTheory(theory.schema, theory.ranked, "no")
    found = rules_reliance(theory, TABLE)
    assert [each.feature for each in found.features if each.share] == ["known"]
    above = float((TABLE["known"] >= 0).mean())
    # yes becomes no and no, by “otherwise”, becomes yes
    assert found.of("known").share == pytest.approx(2 * above * (1 - above), abs=0.03)


def test_two_features_that_matter_only_together():
    table = pd.DataFrame(RANDOM.integers(0, 2, (300, 3)), columns=["a", "b", "c"])
    schema = Schema.of(table, ["no", "yes"])

    class Xor:
        classes_ = Planted.classes_

        def predict(self, frame: pd.DataFrame) -> np.ndarray:
            both = (frame["a"] ^ frame["b"]) == 1
            return np.where(both, "yes", np.where(frame["c"] > 5, "yes", "no"))

    found = box_reliance(PythonBlackBox(Xor(), schema, name="xor"), table, schema)
    (pair,) = found.pairs
    assert set(pair.features) == {"a", "b"}
    assert pair.only_both == 0  # either alone turns it, both together do not
    orders, (first, second) = (
        shuffles(300, 0),
        (table[each].to_numpy() for each in pair.features),
    )
    both = (first[orders[:3]] != first) & (second[orders[3:6]] != second)
    assert pair.only_one == pytest.approx(both.mean())
    assert pair.only_one == pytest.approx(0.25, abs=0.03)
    assert pair_sentence(pair).startswith("a and b matter together: for 0.0 % of the records")


def test_one_feature_after_the_other_and_the_same_each_time(planted):
    *each, whole = iter_box_reliance(BOX, TABLE, SCHEMA)
    assert [one.feature for one in each] == list(SCHEMA.names)
    assert whole == planted
    assert box_reliance(BOX, TABLE, SCHEMA, seed=1) != planted
