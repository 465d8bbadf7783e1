"""Models that are trained here take gaps as they are, and use them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from glocalx.blackbox.frame_encoder import FrameEncoder
from glocalx.blackbox.predictions import StandIn
from glocalx.blackbox.presets import MODEL_KINDS, settings_grid
from glocalx.blackbox.threads import one_thread
from glocalx.blackbox.trained import train
from glocalx.rules.schema import Feature, Schema
from tests.lender import LENDER, applicants, lender_box

FRAME, OTHERS = applicants(1_500), applicants(500, seed=1)


def fitted(kind, frame: pd.DataFrame, schema: Schema = LENDER) -> Pipeline:
    """A model without the search for its settings."""
    grid = settings_grid(kind, "quick")
    pipeline = grid.pipeline(schema.features, grid.settings[0], len(frame), 0)
    with one_thread():
        return pipeline.fit(frame, lender_box().labels(frame))


@pytest.mark.parametrize("kind", MODEL_KINDS)
def test_every_model_learns_what_gaps_mean(kind):
    model = fitted(kind, applicants(6_000, seed=2) if kind == "mlp" else FRAME)  # it learns slowly
    with one_thread():
        answers = model.predict(OTHERS)
    assert np.mean(answers == lender_box().labels(OTHERS)) > 0.8
    silent, clerk = OTHERS["income"].isna(), OTHERS["job"] == "clerk"
    denied = [np.mean(answers[silent & who] == "deny") for who in (clerk, ~clerk)]
    assert denied[0] > 0.6 > 0.4 > denied[1]


@pytest.mark.parametrize("kind", MODEL_KINDS)
def test_a_model_of_complete_records_answers_for_gaps_too(kind):
    whole = FRAME.dropna().reset_index(drop=True)
    features = tuple(Feature(f.name, f.kind, f.categories) for f in LENDER.features)
    model = fitted(kind, whole, Schema(features, LENDER.outcomes))
    with one_thread():
        assert set(model.predict(OTHERS)) == {"accept", "deny"}


@pytest.mark.parametrize("kind", ["gb", "svm"])
def test_what_a_model_does_with_gaps_is_told(kind):
    few = FRAME[:200]
    note = train(kind, few, lender_box().labels(few), LENDER).notes[-1]
    assert ("the mean" if kind == "svm" else "down the branch") in note
    assert "“income”, “job” and “owner”" in note
    whole = few.dropna().reset_index(drop=True)
    features = tuple(Feature(f.name, f.kind, f.categories) for f in LENDER.features)
    schema = Schema(features, LENDER.outcomes)
    assert not train(kind, whole, lender_box().labels(whole), schema).notes


def test_scaled_numbers_are_those_of_scikit_learn():
    encoder = FrameEncoder(LENDER.features, scale=True).fit(FRAME)
    matrix = encoder.transform(OTHERS)
    imputer = SimpleImputer(add_indicator=True).fit(FRAME[["income"]])
    theirs = imputer.transform(OTHERS[["income"]])
    income = FRAME["income"].to_numpy()
    scaled = (theirs[:, 0] - np.nanmean(income)) / np.nanstd(income)
    np.testing.assert_allclose(matrix[:, 0], scaled, rtol=1e-4, atol=1e-6)
    ages = StandardScaler().fit(FRAME[["age"]]).transform(OTHERS[["age"]])[:, 0]
    np.testing.assert_allclose(matrix[:, 1], ages, rtol=1e-4, atol=1e-6)
    np.testing.assert_array_equal(matrix[:, 2], theirs[:, 1])


def test_a_missing_category_is_one_more_and_an_unseen_one_is_none():
    encoder = FrameEncoder(LENDER.features).fit(FRAME)
    rows = OTHERS[:4].copy()
    rows["job"] = pd.array(["missing", None, "king", "chief"], dtype="str")
    columns = encoder.transform(rows)[:, 2:6]
    assert columns.tolist() == [[0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0], [1, 0, 0, 0]]
    assert np.isnan(encoder.transform(OTHERS)[:, 0]).sum() == OTHERS["income"].isna().sum()


def test_a_column_without_any_value_does_no_harm():
    frame = FRAME.assign(income=np.nan)
    for scale in (True, False):
        encoder = FrameEncoder(LENDER.features, scale=scale).fit(frame)
        assert np.isfinite(encoder.transform(FRAME)[:, 1:]).all()


def test_a_stand_in_learns_gaps_too():
    few = FRAME[:300]
    box = StandIn.fit(few, lender_box().labels(few), LENDER)
    assert box.agreement > 0.85
    assert "missing" in box.notes[-1]
