"""McNemar's test against scipy and against values worked by hand."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from glocalx.errors import GLocalXError
from glocalx.evaluation import mcnemar
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference


def _series(both: int, first: int, second: int, neither: int) -> tuple[np.ndarray, np.ndarray]:
    counts = [both, first, second, neither]
    return np.repeat([True, True, False, False], counts), np.repeat(
        [True, False, True, False], counts
    )


def test_values_worked_by_hand():
    """10 against 2: exact 2·(1 + 12 + 66)/4096 = .03857."""
    found = mcnemar(*_series(30, 10, 2, 8))
    assert (found.both, found.only_first, found.only_second, found.neither) == (30, 10, 2, 8)
    assert found.exact_p == pytest.approx(2 * 79 / 4096)
    assert found.difference == pytest.approx(8 / 50)
    low, high = found.difference_interval
    assert low < 8 / 50 < high


def test_the_example_of_the_textbooks():
    """Agresti's approval ratings, 86 against 150."""
    found = mcnemar(*_series(794, 150, 86, 570))
    assert found.exact_p == pytest.approx(3.716e-5, rel=1e-2)


@settings(max_examples=60)
@given(*(st.integers(0, 40) for _ in range(4)))
def test_agrees_with_scipy(both: int, first: int, second: int, neither: int):
    one, two = _series(both, first, second, neither)
    if not len(one):
        with pytest.raises(GLocalXError, match="no records"):
            mcnemar(one, two)
        return
    found = mcnemar(one, two)
    if first + second:
        assert found.exact_p == pytest.approx(stats.binomtest(first, first + second).pvalue)
        tail = stats.binom.cdf(min(first, second), first + second, 0.5)
        assert found.exact_p == pytest.approx(min(1.0, 2 * tail))
    else:
        assert found.exact_p == 1.0
    swapped = mcnemar(two, one)
    assert swapped.exact_p == pytest.approx(found.exact_p)
    assert swapped.difference == pytest.approx(-found.difference)


def test_two_theories_on_the_same_records():
    frame = pd.DataFrame({"x": range(20)})
    labels = ["a"] * 12 + ["b"] * 8
    schema = Schema.of(frame, labels)
    reference = Reference(Records(schema, frame), labels)
    good = RankedTheory.of([schema.rule({"x": (12, 20)}, "b")], reference)
    none = RankedTheory.of([], reference)
    found = mcnemar(*(each.predict(reference.records) == reference.labels for each in (good, none)))
    assert (found.both, found.only_first, found.only_second, found.neither) == (12, 8, 0, 0)
    assert found.exact_p == 2 / 2**8


def test_other_records_are_refused():
    with pytest.raises(GLocalXError, match="3 and 4 records"):
        mcnemar(np.ones(3, dtype=bool), np.ones(4, dtype=bool))
