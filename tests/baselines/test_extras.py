"""Rule learners of other packages: what is read back answers as the package's own model does.

Each test needs its package: `pip install -r requirements-baselines.txt`.
"""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from glocalx.baselines import Task, extras
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from tests.extraction.small_worlds import BANK, bank_box, customers

TWO = Schema(BANK.features, ("accept", "deny"))


@pytest.mark.parametrize(
    ("package", "learner", "fit"),
    [
        ("wittgenstein", "RIPPER", extras.fit_ripper),
        ("aix360.algorithms.rbm", "BooleanRuleCG", extras.fit_brcg),
        ("imodels", "BayesianRuleListClassifier", extras.fit_bayesian_list),
    ],
)
def test_rules_answer_as_the_package_does(monkeypatch, package, learner, fit):
    module = pytest.importorskip(package)
    fitted = []

    class Recorded(getattr(module, learner)):
        def fit(self, table, *rest, **named):
            fitted.append((self, table))
            return super().fit(table, *rest, **named)

    stand_in = SimpleNamespace(**{learner: Recorded})
    monkeypatch.setattr(extras, "import_module", lambda name: stand_in)
    frame = customers(400)
    labels = np.where(bank_box().labels(frame) == "accept", "accept", "deny")
    made = fit(Task(frame, labels, TWO))

    model, table = fitted[0]
    if isinstance(table, pd.DataFrame):
        table = table.drop(columns="outcome", errors="ignore")
    theirs = np.where(np.asarray(model.predict(table), dtype=bool), "deny", "accept")
    assert made.size > 0
    np.testing.assert_array_equal(made.predict(Records(TWO, frame)), theirs)
