"""Counting records in memory, against pandas."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glocalx.audit.axis import Axis, check_number_of_groups, equal_ranks
from glocalx.audit.frame_source import FrameSource
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Feature, Schema
from tests.audit.audited import Audited, audits


@settings(max_examples=40)
@given(audits(gaps=True))
def test_cells_are_what_pandas_counts(work: Audited):
    source = work.source
    axes = [source.axis("tribe"), source.axis("age", [3, 7])]
    tally = source.tally(work.theory.rules, axes, numbers=["score", "pay"])
    assert tally.size == len(work.frame)
    for place, rule in enumerate(work.theory.rules):
        covered = work.covered(rule)
        assert tally.records(tally.covers[:, place]) == covered.sum()
        for name in ("score", "pay"):
            known, mean, deviation = tally.moments[name].of(tally.covers[:, place])
            values = work.frame.loc[covered, name].dropna()
            assert known == len(values)
            np.testing.assert_allclose(mean, values.mean() if known else np.nan, atol=1e-9)
            np.testing.assert_allclose(deviation, values.std() if known else np.nan, atol=1e-9)
    bands = pd.cut(work.frame["age"].astype(float), [-math.inf, 3, 7, math.inf], right=False)
    for tribe, name in enumerate(axes[0].groups):
        for band, interval in enumerate(bands.cat.categories):
            expected = ((work.frame["tribe"] == name) & (bands == interval)).sum()
            assert tally.records((tally.groups == [tribe, band]).all(axis=1)) == expected
    assert tally.records(tally.groups[:, 0] < 0) == work.frame["tribe"].isna().sum()
    assert tally.records(tally.black_box < 0) == pd.isna(work.black_box).sum()


@settings(max_examples=40)
@given(audits())
def test_the_deciding_rule_gives_the_prediction(work: Audited):
    tally = work.source.tally(work.theory.rules)
    given_ = tally.outcomes_of(tally.deciding(), work.theory.default)
    for place, outcome in enumerate(work.schema.outcomes):
        assert tally.records(given_ == place) == (work.predicted == outcome).sum()


@given(st.lists(st.integers(-5, 30), min_size=1, max_size=60), st.integers(2, 10))
def test_bands_are_of_about_the_same_size(values, parts):
    source = FrameSource(Schema((), ("a", "b")), pd.DataFrame({"x": values}))
    axis = source.axis("x", parts=parts)
    different = sorted(set(values))
    counts = source.tally((), [axis]).count
    assert len(counts) == len(axis.groups)  # no band is empty
    if len(different) <= 5:
        assert list(axis.edges) == different[1:]
    heaviest = max(values.count(value) for value in different)
    if len(different) > 5:
        assert max(counts) <= math.ceil(len(values) / parts) + 2 * heaviest


def test_ranks_cut_into_equal_parts():
    assert equal_ranks(9, 3) == [3, 6]
    assert equal_ranks(10, 3) == [4, 7]


def test_bands_are_stated_as_people_say_them():
    axis = Axis.of_bands(Feature("age", "integer"), [24.5, 45])
    assert axis.edges == (25, 45)
    assert axis.groups == ("age ≤ 24", "25 ≤ age < 45", "age ≥ 45")
    assert axis.group(-1) == "missing"
    assert Axis.of_bands(Feature("age", "integer"), []).groups == ("every age",)


def test_more_rules_than_bits_in_a_number():
    schema = Schema((Feature("x", "integer"),), ("a", "b"))
    rules = [schema.rule({"x": (place, place + 1)}, "a") for place in range(150)]
    source = FrameSource(schema, pd.DataFrame({"x": np.arange(200)}))
    tally = source.tally(rules)
    assert (tally.count @ tally.covers == 1).all()
    assert tally.count.max() == 50


def _source(**labels) -> FrameSource:
    schema = Schema((Feature("x", "integer"),), ("a", "b"))
    return FrameSource(schema, pd.DataFrame({"x": [1, 2], "sex": ["f", "m"]}), **labels)


def test_labels_have_to_fit():
    with pytest.raises(GLocalXError, match="3 labels for 2 records"):
        _source(black_box=["a", "b", "a"])
    with pytest.raises(GLocalXError, match="“c” is none of the outcomes"):
        _source(truth=["a", "c"])


def test_columns_have_to_be_there():
    with pytest.raises(GLocalXError, match="no column “race”"):
        _source().axis("race")
    with pytest.raises(GLocalXError, match="cannot have bands"):
        _source().axis("sex", [1])
    with pytest.raises(GLocalXError, match="ends at no number"):
        _source().axis("x", [math.nan])
    other = Schema((Feature("y", "integer"),), ("a", "b"))
    with pytest.raises(GLocalXError, match="Rule 1 speaks of “y”"):
        _source().tally([other.rule({"y": (0, 1)}, "a")])
    with pytest.raises(GLocalXError, match="no records"):
        FrameSource(other, pd.DataFrame({"y": []}))


def test_categories_that_the_rules_do_not_know_are_groups_and_counted():
    schema = Schema((Feature("job", "categorical", ("clerk",)),), ("a", "b"))
    source = FrameSource(schema, pd.DataFrame({"job": ["clerk", "chief", None]}))
    assert source.axis("job").groups == ("chief", "clerk")
    assert source.unseen(["job"]) == {"job": 1}
    assert source.gaps(["job"]) == {"job": 1}


def test_too_many_groups_are_refused():
    axis = Axis.of_bands(Feature("x", "numeric"), range(40))
    with pytest.raises(GLocalXError, match="1,681 groups"):
        check_number_of_groups([axis, axis])
