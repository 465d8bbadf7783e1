"""Intervals, tests, corrections and equivalence beside statsmodels, on generated tables."""

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import (
    confint_proportions_2indep,
    proportion_confint,
    proportions_ztest,
)

from glocalx.audit import AuditSettings, FrameSource, run_audit
from glocalx.audit.intervals import difference_p_value
from glocalx.errors import GLocalXError
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.schema import Schema


def groups_of(seed: int, size: int, outcomes: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Gaps, ties, a tiny group, a category called missing, one column of a single group."""
    rng = np.random.default_rng(seed)
    tribe = rng.choice(["a", "b", "missing", None], size, p=[0.5, 0.3, 0.15, 0.05])
    tribe[:2] = "tiny"
    frame = pd.DataFrame({"tribe": tribe, "one": "same", "x": rng.integers(0, 3, size)})
    labels = np.array(["yes", "no", "perhaps"][:outcomes], dtype=object)
    return frame, labels[rng.integers(0, outcomes, size)]


@settings(max_examples=10)
@given(st.integers(0, 10_000), st.integers(80, 400), st.sampled_from([2, 3]))
def test_every_figure_of_the_table_is_statsmodels(seed: int, size: int, outcomes: int):
    frame, labels = groups_of(seed, size, outcomes)
    schema = Schema.of(frame[["x"]], ["no", "perhaps", "yes"])
    source = FrameSource(schema, frame, labels)
    asked = AuditSettings(
        "yes", ("tribe", "one"), favourable="no", tolerance=0.1, combinations="none"
    )
    audit = run_audit(source, RankedTheory(schema, (), "no"), asked)
    said = labels == "yes"
    raw: dict[str, float] = {}
    for group in audit.subgroups.subgroups:
        found = group.answers["black box"]
        if group.columns == ("one",):
            assert found.comparison.verdict == "not enough records"  # nobody is left to compare
            continue
        values = frame["tribe"].fillna("missing (no value)").to_numpy()
        mine = values == group.title
        counts = [int(said[mine].sum()), int(mine.sum())]
        counts += [int(said[~mine].sum()), int((~mine).sum())]
        assert (found.comparison.own.hits, found.comparison.own.size) == tuple(counts[:2])
        assert (found.comparison.other.hits, found.comparison.other.size) == tuple(counts[2:])
        low, high = proportion_confint(*counts[:2], method="wilson")
        assert (found.selected.low, found.selected.high) == pytest.approx((low, high))
        low, high = confint_proportions_2indep(*counts, compare="diff", method="newcomb")
        difference = found.comparison.difference
        assert (difference.low, difference.high) == pytest.approx((low, high))
        if min(counts[1], counts[3]) < 30:
            assert found.comparison.verdict == "not enough records"
            continue
        raw[group.title] = difference_p_value(*counts)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # nobody, or everybody, gets it
            _, expected = proportions_ztest([counts[0], counts[2]], [counts[1], counts[3]])
        if min(counts[1], counts[3]) * min(said.sum(), (~said).sum()) >= 5 * size:
            assert raw[group.title] == pytest.approx(expected)
    if raw:
        _, corrected, *_ = multipletests(list(raw.values()), method="holm")
        kept = dict(zip(raw, corrected, strict=True))
        for group in audit.subgroups.subgroups:
            if group.title in kept:
                found = group.comparison("black box")
                assert found.adjusted == pytest.approx(kept[group.title])
                assert (found.verdict == "different") == (found.adjusted <= 0.05)


@pytest.mark.parametrize(
    ("hits", "size", "verdict"),
    [
        ((100, 101), 1000, "within the tolerance"),
        ((10, 11), 100, "no difference shown"),
        ((100, 200), 1000, "different"),
        ((2, 3), 20, "not enough records"),
    ],
)
def test_the_verdict_follows_the_stated_bounds(hits, size, verdict):
    said = [int(i < n) for n in hits for i in range(size)]
    frame = pd.DataFrame({"sex": ["f"] * size + ["m"] * size, "x": said})
    schema = Schema.of(frame[["x"]], ["no", "yes"])
    labels = np.where(np.array(said) == 1, "yes", "no")
    source = FrameSource(schema, frame, labels)
    asked = AuditSettings("yes", ("sex",), tolerance=0.05)
    audit = run_audit(source, RankedTheory(schema, (), "no"), asked)
    for group in audit.subgroups.subgroups:
        found = group.comparison("black box")
        assert found.verdict == verdict
        assert found.is_within_tolerance == (verdict == "within the tolerance")
    without = run_audit(source, RankedTheory(schema, (), "no"), AuditSettings("yes", ("sex",)))
    assert math.isnan(without.subgroups.subgroups[0].comparison("black box").equivalence)


def test_a_tolerance_that_cannot_be_is_refused():
    for tolerance in (0.0, 1.5, -0.1):
        with pytest.raises(GLocalXError, match="between 0 and 100 points"):
            AuditSettings("yes", ("sex",), tolerance=tolerance)
