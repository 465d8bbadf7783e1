"""Friedman and Nemenyi against scipy, a published table and values worked by hand."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from glocalx.errors import GLocalXError
from study.ranks import friedman

TABLES = st.integers(2, 12)


@settings(max_examples=40)
@given(st.integers(3, 6), TABLES, st.integers(0, 2**16))
def test_the_statistic_is_that_of_scipy_ties_included(methods: int, tables: int, seed: int):
    scores = np.random.default_rng(seed).integers(0, 6, (methods, tables)) / 5
    found = friedman({f"m{n}": row.tolist() for n, row in enumerate(scores)})
    level = all(len(set(column)) == 1 for column in scores.T)
    if level:
        assert (found.statistic, found.p) == (0.0, 1.0)
        return
    theirs = stats.friedmanchisquare(*(-scores))
    assert found.statistic == pytest.approx(theirs.statistic)
    assert found.p == pytest.approx(theirs.pvalue)
    ranks = stats.rankdata(-scores, axis=0).mean(axis=1)
    assert found.ranks == pytest.approx({f"m{n}": rank for n, rank in enumerate(ranks)})
    assert list(found.ranks.values()) == sorted(found.ranks.values())


def test_worked_by_hand():
    """Ranks 1 2 3, 1 2 3, 1 3 2, 2 1 3: sums 5, 8, 11, chi² = 12/(4·3·4)·210 − 3·4·4 = 4.5."""
    scores = {"a": [9, 9, 9, 8], "b": [8, 8, 7, 9], "c": [7, 7, 8, 7]}
    found = friedman(scores)
    assert found.ranks == {"a": 1.25, "b": 2.0, "c": 2.75}
    assert found.statistic == pytest.approx(4.5)
    assert found.p == pytest.approx(math.exp(-4.5 / 2))
    assert found.tables == 4


@pytest.mark.parametrize(
    ("methods", "quantile"),
    [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)],
)
def test_critical_values_are_those_of_demsar(methods: int, quantile: float):
    """Table 5a of Demšar 2006: q at 0.05, already divided by √2."""
    tables = 14
    scores = {f"m{n}": [float(n)] * tables for n in range(methods)}
    found = friedman(scores)
    unit = math.sqrt(methods * (methods + 1) / (6 * tables))
    assert found.critical_difference / unit == pytest.approx(quantile, abs=1e-3)


def test_the_example_of_demsar():
    """4 methods on 14 tables: critical difference 2.569·√(4·5/(6·14)) = 1.25."""
    found = friedman({name: [float(n)] * 14 for n, name in enumerate("abcd")})
    assert found.critical_difference == pytest.approx(1.25, abs=5e-3)


def test_pairs_differ_exactly_where_their_p_is_low():
    generator = np.random.default_rng(2)
    better = {name: (generator.random(8) + n / 4).tolist() for n, name in enumerate("abcd")}
    found = friedman(better)
    pairs = found.pairs()
    assert len(pairs) == 6
    for pair in pairs:
        assert pair.apart >= 0
        assert pair.differ == (pair.p <= found.significance)
    assert {pair.differ for pair in pairs} == {True, False}


def test_small_is_better_for_sizes():
    sizes = {"rules": [10.0, 8.0], "tree": [100.0, 90.0]}
    assert list(friedman(sizes, higher_is_better=False).ranks) == ["rules", "tree"]
    assert list(friedman(sizes).ranks) == ["tree", "rules"]


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ({"a": [1.0]}, "at least 2 methods"),
        ({"a": [1.0, 2.0], "b": [1.0]}, "same tables"),
        ({"a": [], "b": []}, "same tables"),
        ({"a": [1.0], "b": [math.nan]}, "score of “b” is missing"),
    ],
)
def test_what_cannot_be_ranked(scores: dict, said: str):
    with pytest.raises(GLocalXError, match=said):
        friedman(scores)
    with pytest.raises(GLocalXError, match="level of 2"):
        friedman({"a": [1.0], "b": [2.0]}, significance=2)
