"""Bars of features against numpy, pandas and the rules' own coverage."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.rules.coverage import Records, mask_of
from glocalx.rules.rule import Interval
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.spread import category_bars, histogram
from tests.plots.drawn import compas

numbers = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=80).map(np.array)


def test_it_counts_as_numpy_does_where_nothing_is_cut_off():
    values = np.random.default_rng(0).uniform(0, 1, 500)
    bars = histogram(values, whole=False)
    assert bars.counts.tolist() == np.histogram(values, bars.edges)[0].tolist()
    assert (bars.below, bars.above) == (0, 0)


@given(numbers)
def test_every_known_number_is_in_a_bar(values):
    with_gap = np.append(values, math.nan)
    assert histogram(with_gap, whole=False).counts.sum() == values.size
    assert histogram(np.floor(with_gap), whole=True).counts.sum() == values.size


def test_a_far_tail_is_put_into_the_last_bar():
    values = np.array([*range(100), 10_000.0])
    bars = histogram(values, whole=True)
    assert bars.high < 200
    assert bars.above == 1
    assert bars.counts.sum() == 101


def test_but_not_if_a_premise_ends_out_there():
    values = np.array([*range(100), 10_000.0])
    assert histogram(values, whole=True, bounds=[9_000, math.inf]).high > 9_000


@pytest.mark.parametrize(("low", "high"), [(20, 33), (-math.inf, 25), (40, math.inf)])
def test_bars_inside_hold_the_records_of_the_premise(low, high):
    records = compas().records
    bars = histogram(records.values("age"), whole=True, bars=200)  # a bar for each age
    premise = Interval(low, high)
    covered = mask_of(records.satisfying("age", premise), records.size)
    cut_off = int((records.values("age")[covered] > bars.high).sum())
    inside = bars.counts[bars.inside(premise)].sum()
    assert inside == covered.sum() or inside == covered.sum() + cut_off


@pytest.mark.parametrize("values", [[], [math.nan], [3.0], [2.5, 2.5]])
@pytest.mark.parametrize("whole", [True, False])
def test_columns_without_spread_still_have_bars(values, whole):
    bars = histogram(np.array(values, dtype=float), whole)
    assert bars.high > bars.low


def test_categories_as_pandas_counts_them():
    run = compas()
    expected = run.frame["race"].value_counts().to_dict()
    bars = category_bars(run.records, run.schema["race"])
    assert {bar.values[0]: bar.count for bar in bars} == expected
    assert [bar.count for bar in bars] == sorted(expected.values(), reverse=True)


def test_many_categories_are_put_together_and_none_is_lost():
    names = [f"c{i:02}" for i in range(30)]
    schema = Schema((Feature("city", "categorical", tuple(names)),), ("a", "b"))
    records = Records(schema, pd.DataFrame({"city": names + names[:5]}))
    bars = category_bars(records, schema["city"], most=8)
    assert len(bars) == 8
    assert sum(bar.count for bar in bars) == 35
    assert sorted(name for bar in bars for name in bar.values) == names
    half = schema["city"].allowed(bars[-1].values[:5])
    assert 0 < bars[-1].held_by(half) < 1
