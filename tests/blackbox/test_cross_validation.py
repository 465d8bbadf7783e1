import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import PredefinedSplit, cross_val_score
from threadpoolctl import threadpool_limits

from glocalx.blackbox.presets import MODEL_KINDS, settings_grid
from glocalx.blackbox.trained import FOLDS, assigned_folds, best_setting, iter_scores
from tests.blackbox.model_files import people, schema_of

FRAME, TARGET = people(150)
SCHEMA = schema_of(FRAME, TARGET)
CODES = (TARGET == "deny").astype(np.intp)


@pytest.mark.parametrize("kind", MODEL_KINDS)
def test_scores_are_those_of_scikit_learn(kind):
    chosen, folds = settings_grid(kind, "quick"), assigned_folds(CODES, 0)
    mine = list(iter_scores(chosen, FRAME, CODES, folds, SCHEMA, seed=0, jobs=2))
    pipeline = chosen.pipeline(SCHEMA.features, chosen.settings[0], 100, seed=0)
    with threadpool_limits(1):  # threads that wait for each other take a minute on a busy machine
        theirs = cross_val_score(pipeline, FRAME, CODES, cv=PredefinedSplit(folds))
    assert mine == pytest.approx(theirs)


def test_the_first_of_the_best_settings_wins():
    assert best_setting([0.4, 0.5, 0.6, 0.2, 0.2, 0.8]) == (0, pytest.approx(0.5))
    assert best_setting([0.5] * 3 + [0.7] * 3 + [0.7] * 3) == (1, pytest.approx(0.7))


@given(st.lists(st.integers(0, 3), min_size=1, max_size=60).map(np.array), st.integers(0, 5))
def test_folds_hold_each_outcome_evenly(codes, seed):
    folds = assigned_folds(codes, seed)
    for code in np.unique(codes):
        counts = np.bincount(folds[codes == code], minlength=FOLDS)
        assert counts.max() - counts.min() <= 1
