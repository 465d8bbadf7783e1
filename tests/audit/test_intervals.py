"""Intervals and tests against scipy's answers."""

import math
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import tost_proportions_2indep

from glocalx.audit.intervals import (
    UNDEFINED,
    Estimate,
    difference_p_value,
    equivalence_p_value,
    holm,
    mean_difference,
    share,
    share_difference,
    share_ratio,
)

sizes = st.integers(1, 400)
shares = sizes.flatmap(lambda size: st.tuples(st.integers(0, size), st.just(size)))
levels = st.sampled_from([0.5, 0.9, 0.95, 0.99])
p_values = st.lists(st.floats(0, 1), max_size=12)


def wilson(hits, size, level=0.95):
    return stats.binomtest(hits, size).proportion_ci(level, method="wilson")


@given(shares, levels)
def test_wilson_is_scipys(counts, level):
    hits, size = counts
    expected, found = wilson(hits, size, level), share(hits, size, level)
    assert share(hits, size) == share(hits, size, 0.95)
    assert found.value == hits / size
    assert found.low == pytest.approx(expected.low, abs=1e-12)
    assert found.high == pytest.approx(expected.high, abs=1e-12)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 10, 99, 10**6, 10**9])
def test_an_interval_ends_at_0_only_for_no_hits_and_at_1_only_for_no_misses(size):
    assert (share(0, size).low, share(size, size).high) == (0, 1)
    assert share(1, size).low > 0
    assert share(size - 1, size).high < 1
    full, none = share_difference(size, size, 0, size), share_difference(0, size, size, size)
    assert (full.value, full.high, none.value, none.low) == (1, 1, -1, -1)
    assert share_ratio(size, size, size, size) == Estimate(1, 1, 1)


@given(shares, shares)
def test_newcombe_holds_the_difference_and_turns_round(one, other):
    found, turned = share_difference(*one, *other), share_difference(*other, *one)
    assert -1 <= found.low <= found.value <= found.high <= 1
    assert found.value == pytest.approx(one[0] / one[1] - other[0] / other[1])
    assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low))


@given(shares, shares, levels)
def test_newcombe_is_built_from_scipys_wilson_intervals(one, other, level):
    found = share_difference(*one, *other, level)
    mine, theirs = wilson(*one, level), wilson(*other, level)
    a, b = one[0] / one[1], other[0] / other[1]
    assert found.low == pytest.approx(a - b - math.hypot(a - mine.low, theirs.high - b), abs=1e-12)
    assert found.high == pytest.approx(a - b + math.hypot(mine.high - a, b - theirs.low), abs=1e-12)
    assert share_difference(*one, *other) == share_difference(*one, *other, 0.95)


def test_newcombe_as_published():
    # Newcombe (1998), Statistics in Medicine 17, 873: 56/70 − 48/80, method 10.
    found = share_difference(56, 70, 48, 80)
    assert (round(found.low, 4), round(found.high, 4)) == (0.0524, 0.3339)


@given(shares, shares, levels)
def test_the_ratio_is_katzs(one, other, level):
    found = share_ratio(*one, *other, level)
    if not other[0]:
        assert math.isnan(found.value)
        return
    assert found.value == pytest.approx((one[0] / one[1]) / (other[0] / other[1]))
    if one[0]:
        expected = stats.contingency.relative_risk(*one, *other).confidence_interval(level)
        assert found.low == pytest.approx(expected.low)
        assert found.high == pytest.approx(expected.high)
    else:
        assert math.isnan(found.low)


some_numbers = st.lists(st.floats(-50, 50), min_size=2)


@given(some_numbers, some_numbers, levels)
def test_the_difference_of_means_is_welchs(one, other, level):
    parts = [(len(x), float(np.mean(x)), float(np.std(x, ddof=1))) for x in (one, other)]
    found = mean_difference(*parts, level)
    assert found.value == pytest.approx(np.mean(one) - np.mean(other))
    if min(deviation for *_, deviation in parts) > 1e-6:  # else scipy warns
        expected = stats.ttest_ind(one, other, equal_var=False).confidence_interval(level)
        assert found.low == pytest.approx(expected.low, rel=1e-6, abs=1e-9)
        assert found.high == pytest.approx(expected.high, rel=1e-6, abs=1e-9)


@given(shares, shares)
def test_p_values_are_scipys(one, other):
    found = difference_p_value(*one, *other)
    table = np.array([[one[0], one[1] - one[0]], [other[0], other[1] - other[0]]])
    if not table.sum(axis=0).all():
        assert found == 1
    elif table.sum(axis=1).min() * table.sum(axis=0).min() < 5 * table.sum():
        assert found == pytest.approx(stats.fisher_exact(table).pvalue)
    else:
        expected = stats.chi2_contingency(table, correction=False).pvalue
        assert found == pytest.approx(expected, abs=1e-12)


@given(p_values)
def test_holm_is_monotone_and_no_milder_than_bonferroni_is_strict(values):
    found = holm(values)
    order = np.argsort(values, kind="stable")
    ranked = np.array(found)[order]
    assert (np.diff(ranked) >= 0).all()
    assert all(
        p <= q <= min(1, len(values) * p) or q == p for p, q in zip(values, found, strict=True)
    )


@given(p_values, st.floats(0.001, 0.2))
def test_holm_rejects_what_its_definition_rejects(values, level):
    """Step down through the sorted p-values until one is too large."""
    rejected = set()
    for rank, place in enumerate(np.argsort(values, kind="stable")):
        if values[place] * (len(values) - rank) > level:
            break
        rejected.add(int(place))
    assert {place for place, value in enumerate(holm(values)) if value <= level} == rejected


def test_welch_as_scipy_does_it_with_few_values():
    for one, other in [([1.0, 2.0, 4.0], [2.0, 7.0]), ([2.0, 7.0], [1.0, 2.0, 4.0])]:
        parts = [(len(x), float(np.mean(x)), float(np.std(x, ddof=1))) for x in (one, other)]
        expected = stats.ttest_ind(one, other, equal_var=False).confidence_interval()
        found = mean_difference(*parts)
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_what_is_undefined_stays_undefined():
    assert not UNDEFINED.is_defined
    assert math.isnan(share(0, 0).value)
    for one, other in [((0, 0), (1, 2)), ((1, 2), (0, 0))]:
        np.testing.assert_equal(astuple(share_difference(*one, *other)), astuple(UNDEFINED))
        assert math.isnan(share_ratio(*one, *other).value)
        assert math.isnan(difference_p_value(*one, *other))
    assert math.isnan(share_ratio(1, 2, 0, 2).value)
    nobody, one_of_them, two = (0, math.nan, math.nan), (1, 3.0, math.nan), (2, 1.0, 1.0)
    for parts in [(nobody, two), (two, nobody), (nobody, one_of_them), ((0, 0.0, 0.0), two)]:
        assert not mean_difference(*parts).is_defined
    for parts in [(one_of_them, two), (two, one_of_them)]:
        found = mean_difference(*parts)
        assert abs(found.value) == 2
        assert math.isnan(found.low)
        assert math.isnan(found.high)
    np.testing.assert_equal(holm([math.nan, 0.5]), [math.nan, 0.5])


def test_an_estimate_holds_both_its_ends_and_scales_as_a_whole():
    estimate = Estimate(0.25, 0.125, 0.5)
    held = [value for value in (0, 0.125, 0.25, 0.5, 0.75) if estimate.holds(value)]
    assert held == [0.125, 0.25, 0.5]
    assert estimate.scaled(100) == Estimate(25, 12.5, 50)
    assert not UNDEFINED.holds(0)


def test_fishers_test_where_fewer_than_five_are_expected():
    """Ten hits among twice 50 records: five are expected in each. With nine, fewer are."""
    cases = [((3, 50), (7, 50), False), ((2, 50), (7, 50), True)]
    cases += [((3, 10), (20, 200), True), ((20, 200), (3, 10), True), ((1, 2), (0, 18), True)]
    cases += [((47, 50), (43, 50), False), ((47, 50), (44, 50), True)]  # misses count as hits do
    for one, other, exact in cases:
        table = [[one[0], one[1] - one[0]], [other[0], other[1] - other[0]]]
        expected = (
            stats.fisher_exact(table).pvalue
            if exact
            else stats.chi2_contingency(table, correction=False).pvalue
        )
        assert difference_p_value(*one, *other) == pytest.approx(expected)


def test_no_spread_is_no_doubt():
    found = mean_difference((3, 2.0, 0.0), (3, 1.0, 0.0))
    assert (found.low, found.value, found.high) == (1, 1, 1)


@st.composite
def two_shares(draw: st.DrawFn) -> tuple[int, int, int, int]:
    sizes = [draw(st.integers(30, 400)) for _ in range(2)]
    hits = [draw(st.integers(0, size)) for size in sizes]
    return hits[0], sizes[0], hits[1], sizes[1]


@settings(max_examples=60)
@given(two_shares(), st.floats(0.01, 0.3))
def test_equivalence_is_statsmodels(counts, tolerance):
    hits, size, other_hits, other_size = counts
    with np.errstate(all="ignore"):  # it also works out ratios, which may be undefined
        expected = tost_proportions_2indep(
            *(hits, size, other_hits, other_size, -tolerance, tolerance),
            compare="diff",
            method="agresti-caffo",
        ).pvalue
    assert equivalence_p_value(*counts, tolerance) == pytest.approx(expected, abs=1e-12)


def test_of_an_empty_group_nothing_is_said_to_be_equal():
    assert math.isnan(equivalence_p_value(0, 0, 1, 9, 0.05))
    assert math.isnan(equivalence_p_value(1, 9, 0, 0, 0.05))
