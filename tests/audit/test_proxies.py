"""What columns tell about sensitive ones, against scipy, scikit-learn and plain formulas."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy.stats.contingency import association as scipy_association
from sklearn.metrics import mutual_info_score

from glocalx.audit.frame_source import FrameSource
from glocalx.audit.proxies import associations
from glocalx.schema import Schema
from tests.audit.audited import Audited, audits, compas

NOTHING = Schema((), ("a", "b"))


def correlation_ratio(groups: pd.Series, values: pd.Series) -> float:
    """Corrected for chance: epsilon squared instead of eta squared."""
    middle = values.mean()
    parts = [values[groups == group] for group in groups.unique()]
    between = sum(len(part) * (part.mean() - middle) ** 2 for part in parts)
    whole = ((values - middle) ** 2).sum()
    if whole <= 0 or len(values) <= len(parts):
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
    if min(table.shape) > 1:
        assert pair.strength == pytest.approx(scipy_association(table.to_numpy(), method="cramer"))
    else:
        assert math.isnan(pair.strength)
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
