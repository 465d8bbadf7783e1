"""What columns tell about sensitive ones, against scipy, scikit-learn and plain formulas."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy.stats import chi2_contingency
from sklearn.metrics import mutual_info_score

from glocalx.audit.frame_source import FrameSource
from glocalx.audit.proxies import CLOSE, associations, cramers_v
from glocalx.rules.schema import Schema
from tests.audit.audited import Audited, audits, compas

NOTHING = Schema((), ("a", "b"))


def bergsma(table: pd.DataFrame) -> float:
    """Cramér's V corrected for chance, as in Bergsma (2013), with scipy's χ²."""
    records, (rows, columns) = table.to_numpy().sum(), table.shape
    if min(rows, columns) < 2 or max(rows, columns) == records:
        return math.nan
    phi = chi2_contingency(table, correction=False).statistic / records
    phi = max(0, phi - (rows - 1) * (columns - 1) / (records - 1))
    fewer_rows = rows - (rows - 1) ** 2 / (records - 1)
    fewer_columns = columns - (columns - 1) ** 2 / (records - 1)
    return math.sqrt(phi / min(fewer_rows - 1, fewer_columns - 1))


def correlation_ratio(groups: pd.Series, values: pd.Series) -> float:
    """Corrected for chance: epsilon squared instead of eta squared."""
    middle = values.mean()
    parts = [values[groups == group] for group in groups.unique()]
    between = sum(len(part) * (part.mean() - middle) ** 2 for part in parts)
    whole = ((values - middle) ** 2).sum()
    if whole <= 0 or len(parts) < 2 or len(values) <= len(parts):
        return math.nan
    corrected = 1 - (1 - between / whole) * (len(values) - 1) / (len(values) - len(parts))
    return math.sqrt(max(corrected, 0))


@settings(max_examples=25)
@given(audits())
def test_strengths_and_information_are_those_of_others(work: Audited):
    source, frame = work.source, work.frame
    sensitive = [source.axis("tribe"), source.axis("pay", [0])]
    found = {(a.column, a.sensitive): a for a in associations(source, ["city", "score"], sensitive)}
    table = pd.crosstab(frame["city"], frame["tribe"])
    pair = found["city", "tribe"]
    np.testing.assert_allclose(pair.strength, bergsma(table), atol=1e-7)
    bits = mutual_info_score(frame["city"], frame["tribe"]) / math.log(2)
    assert pair.information == pytest.approx(bits, abs=1e-9)
    expected = correlation_ratio(frame["tribe"], frame["score"])
    np.testing.assert_allclose(found["score", "tribe"].strength, expected, atol=1e-9)
    expected = correlation_ratio(frame["city"], frame["pay"])
    np.testing.assert_allclose(found["city", "pay"].strength, expected, atol=1e-9)
    tenths = np.searchsorted(source.axis("score", parts=10).edges, frame["score"], side="right")
    expected = correlation_ratio(pd.Series(tenths), frame["pay"])
    np.testing.assert_allclose(found["score", "pay"].strength, expected, atol=1e-9)
    bits = mutual_info_score(tenths, frame["pay"] >= 0) / math.log(2)
    assert found["score", "pay"].information == pytest.approx(bits, abs=1e-9)


def test_a_copy_tells_everything_and_a_constant_nothing():
    frame = pd.DataFrame({"sex": ["f", "m"] * 20, "copy": ["x", "y"] * 20, "same": ["q"] * 40})
    source = FrameSource(NOTHING, frame)
    copy, same = associations(source, ["copy", "same"], [source.axis("sex")])
    assert copy.strength == pytest.approx(1)
    assert copy.share_known == pytest.approx(1)
    assert copy.is_close()
    assert math.isnan(same.strength)
    assert not same.is_close()
    assert same.information == 0


@pytest.mark.parametrize("rate", [0.1, 1.1, 3e9 + 0.1])
def test_a_number_that_never_changes_tells_nothing(rate):
    """Its means in groups differ by rounding alone."""
    frame = pd.DataFrame({"sex": ["f", "m", "x", "x"] * 50, "rate": [rate] * 200})
    source = FrameSource(NOTHING, frame)
    (pair,) = associations(source, ["rate"], [source.axis("sex")])
    assert math.isnan(pair.strength)
    assert not pair.is_close()
    moments = source.tally([], [source.axis("sex")], numbers=["rate"]).moments["rate"]
    assert moments.of(moments.known > 0)[2] == 0


@pytest.mark.parametrize(
    ("table", "squared"),
    [
        # χ²/n = 84²/(12·12·13·11) = 49/143, by chance 1/23, at most 22/23
        ([[10, 2], [3, 9]], 492 / 1573),
        # χ²/n = 29/105, by chance 2/41, at most 40/41 (the rows; the columns would allow 78/41)
        ([[9, 6, 6], [0, 9, 12]], (29 / 105 - 2 / 41) / (40 / 41)),
        # χ²/n = 0, less than by chance
        ([[4, 8], [2, 4]], 0),
        # the columns follow from the rows
        ([[7, 0], [0, 5]], 1),
    ],
)
def test_cramers_v_by_hand(table, squared):
    assert cramers_v(np.array(table)) == pytest.approx(math.sqrt(squared))


def test_cramers_v_is_undefined_where_there_is_nothing_to_tell_apart():
    for table in ([[3, 4]], [[3, 0], [4, 0]], [[1, 0], [0, 1]], [[0, 0], [0, 0]]):
        assert math.isnan(cramers_v(np.array(table)))


@pytest.mark.parametrize("records", [40, 100, 400])
def test_unrelated_categories_of_a_small_table_are_no_proxies(records):
    random = np.random.default_rng(0)
    strengths = []
    for _ in range(60):
        pair = random.integers(0, 6, records), random.integers(0, 7, records)
        strengths.append(cramers_v(pd.crosstab(*pair).to_numpy()))
    assert np.median(strengths) < 0.05
    assert np.mean(strengths) < 0.1
    assert np.mean([strength >= CLOSE for strength in strengths]) < 0.05  # plain: nearly all, at 40


def test_unrelated_columns_of_a_small_table_are_no_proxies():
    random = np.random.default_rng(0)
    strengths = []
    for _ in range(20):
        frame = pd.DataFrame({"age": random.normal(size=90), "height": random.normal(size=90)})
        source = FrameSource(NOTHING, frame)
        (pair,) = associations(source, ["height"], [source.axis("age")])
        strengths.append(pair.strength)
    assert np.mean(strengths) < 0.15


def test_records_without_both_values_do_not_count():
    frame = pd.DataFrame({"sex": ["f", "m", None, "f"], "job": ["a", "b", "a", None]})
    source = FrameSource(NOTHING, frame)
    (pair,) = associations(source, ["job", "sex"], [source.axis("sex")])[:1]
    assert pair.records == 2


def test_a_column_is_no_proxy_of_itself():
    work = compas()
    source = work.source
    found = associations(source, ["race", "priors_count"], [source.axis("race")])
    assert [(a.column, a.sensitive) for a in found] == [("priors_count", "race")]
