"""Labels of a small table: the nearest record answers, and that can be checked by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from glocalx.blackbox.base import stands_in
from glocalx.blackbox.nearest import NearestRecord
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Feature, Schema

SCHEMA = Schema(
    (Feature("age", "numeric"), Feature("job", "categorical", ("chief", "clerk"))), ("no", "yes")
)
FRAME = pd.DataFrame({"age": [20.0, 30.0, 40.0], "job": ["clerk", "chief", "clerk"]})


def test_every_record_of_the_table_keeps_its_label():
    box = NearestRecord.of(FRAME, ["no", "yes", "yes"], SCHEMA)
    assert box.labels(FRAME).tolist() == ["no", "yes", "yes"]
    assert (box.outcomes, box.contradicted) == (("no", "yes"), 0)
    assert len(box.notes) == 1
    assert stands_in(box)


def test_a_number_counts_as_a_share_of_its_range_and_a_category_as_one():
    box = NearestRecord.of(FRAME, ["no", "yes", "yes"], SCHEMA)
    asked = pd.DataFrame({"age": [29.0, 31.0, 21.0], "job": ["clerk", "clerk", "chief"]})
    # 9/20 and 11/20 against 1 more for the other job; 9/20 against 1/20 + 1
    assert box.labels(asked).tolist() == ["no", "yes", "yes"]


def test_of_equally_near_records_the_first_answers_and_twins_are_counted():
    twins = pd.DataFrame({"age": [20.0, 20.0, 40.0], "job": ["clerk"] * 3})
    box = NearestRecord.of(twins, ["yes", "no", "no"], SCHEMA)
    assert box.labels(twins.iloc[[1]]).tolist() == ["yes"]
    assert box.labels(pd.DataFrame({"age": [30.0], "job": ["clerk"]})).tolist() == ["yes"]
    assert box.contradicted == 1
    assert "1 record is like another one" in box.notes[1]


def test_missing_values_and_categories_that_nobody_has():
    frame = FRAME.assign(age=[20.0, np.nan, 40.0], job=["clerk", None, "clerk"])
    box = NearestRecord.of(frame, ["no", "yes", "no"], SCHEMA)
    asked = pd.DataFrame({"age": [np.nan, 39.0, np.nan], "job": ["king", "king", None]})
    assert box.labels(asked).tolist() == ["yes", "no", "yes"]


def test_one_outcome_alone_explains_nothing():
    with pytest.raises(GLocalXError, match="nothing to explain"):
        NearestRecord.of(FRAME, ["no"] * 3, SCHEMA)
