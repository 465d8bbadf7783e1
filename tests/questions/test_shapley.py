"""Shapley values: what the package is asked, and, where it is installed, what it must answer."""

import itertools
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from glocalx.blackbox.python_object import PythonBlackBox
from glocalx.errors import GLocalXError
from glocalx.questions import shapley
from glocalx.questions.shapley import is_installed, shapley_values
from glocalx.rules.schema import Schema

RANDOM = np.random.default_rng(2)
TABLE = pd.DataFrame(
    {
        "x": RANDOM.integers(0, 10, 30),
        "job": pd.array(RANDOM.choice(["a", "b"], 30), dtype="str"),
        "idle": RANDOM.normal(size=30).round(2),
    }
)
SCHEMA = Schema.of(TABLE, ["no", "yes"])


class Adding:
    """Each feature adds its own part, and no two go together; `idle` adds nothing."""

    classes_ = np.array(["no", "yes"])

    def predict_proba(self, frame: pd.DataFrame) -> np.ndarray:
        yes = 0.05 * frame["x"].to_numpy() + 0.3 * (frame["job"] == "b").to_numpy()
        return np.column_stack([1 - yes, yes])

    def predict(self, frame: pd.DataFrame) -> np.ndarray:
        return self.classes_[np.argmax(self.predict_proba(frame), axis=1)]


BOX = PythonBlackBox(Adding(), SCHEMA, name="adding")
RECORD = pd.DataFrame({"x": [9], "job": pd.array(["b"], dtype="str"), "idle": [0.0]})
EXPECTED = {
    "x": 0.05 * (9 - TABLE["x"].mean()),
    "job": 0.3 * (1 - (TABLE["job"] == "b").mean()),
    "idle": 0.0,
}


def exact(level, masker, seed):
    """In the place of the package's explainer: the definition, over all orders."""

    def explain(rows, max_evals, silent):
        assert silent
        assert max_evals > 2 * rows.shape[1]
        orders = list(itertools.permutations(range(rows.shape[1])))
        values = np.zeros(rows.shape[1])
        for order in orders:
            mixed = masker.copy()
            before = level(mixed).mean()
            for place in order:
                mixed[:, place] = rows[0, place]
                after = level(mixed).mean()
                values[place] += (after - before) / len(orders)
                before = after
        return SimpleNamespace(values=values[None], base_values=np.array([level(masker).mean()]))

    return explain


def check(found):
    assert found.outcome == "yes"
    assert dict(found.values) == pytest.approx(EXPECTED)
    assert [name for name, _ in found.values] == sorted(EXPECTED, key=lambda k: -EXPECTED[k])
    assert found.level == pytest.approx(0.75)
    assert found.base == pytest.approx(0.75 - sum(EXPECTED.values()))


def test_the_black_box_is_asked_about_real_records_with_values_of_this_one(monkeypatch):
    fake = SimpleNamespace(
        maskers=SimpleNamespace(Independent=lambda others, max_samples: others),
        PermutationExplainer=exact,
    )
    monkeypatch.setattr(shapley, "is_installed", lambda: True)
    monkeypatch.setattr(shapley, "import_module", lambda name: fake)
    check(shapley_values(BOX, RECORD, SCHEMA, TABLE))


def test_without_the_package_one_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(shapley, "is_installed", lambda: False)
    with pytest.raises(GLocalXError, match="requirements-shapley"):
        shapley_values(BOX, RECORD, SCHEMA, TABLE)


@pytest.mark.skipif(not is_installed(), reason="pip install -r requirements-shapley.txt")
def test_the_package_agrees_where_features_only_add():
    state = np.random.get_state()[1].tolist()
    found = shapley_values(BOX, RECORD, SCHEMA, TABLE)
    check(found)
    assert found == shapley_values(BOX, RECORD, SCHEMA, TABLE)
    assert np.random.get_state()[1].tolist() == state
