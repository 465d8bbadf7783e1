import numpy as np
import pytest

from glocalx.blackbox.predictions import StandIn
from glocalx.errors import GLocalXError
from tests.blackbox.model_files import people, schema_of

FRAME, PREDICTIONS = people(600)
SCHEMA = schema_of(FRAME, PREDICTIONS)


def test_agreement_is_measured_on_records_that_were_not_used():
    box = StandIn.fit(FRAME, PREDICTIONS, SCHEMA, seed=2)
    assert box.is_stand_in
    assert box.judged == 180
    assert 0.85 < box.agreement <= 1.0
    assert box.model.trained_on == 420
    assert box.outcomes == ("accept", "deny")
    assert set(box.labels(FRAME)) == {"accept", "deny"}
    assert box.probabilities(FRAME).shape == (600, 2)


def test_random_predictions_are_seen_through():
    noise = np.random.default_rng(77).choice(["accept", "deny"], len(FRAME)).astype(object)
    box = StandIn.fit(FRAME, noise, SCHEMA)
    assert box.agreement < 0.65
    assert f"agrees with {box.agreement:.1%} of 180 predictions" in box.sentence
    assert box.notes[0] == box.sentence


def test_one_prediction_for_all_is_refused():
    with pytest.raises(GLocalXError, match="same label"):
        StandIn.fit(FRAME, ["accept"] * 600, SCHEMA)


def test_missing_predictions_are_counted():
    with pytest.raises(GLocalXError, match="1 of 600 records"):
        StandIn.fit(FRAME, [None, *PREDICTIONS[1:]], SCHEMA)
