"""Differences given factors against pandas and statsmodels; Simpson's reversal is pointed out."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import StratifiedTable as TheirTable

from glocalx.audit import AuditSettings, FrameSource, run_audit
from glocalx.audit.comparison import Share, corrected_groups
from glocalx.audit.grouping import NamedGroup
from glocalx.audit.strata import common_difference_p_value, standardised, stratified_table
from glocalx.rules.schema import Feature, Schema
from tests.audit.audited import Audited, audits, compas
from tests.export.hostile import ranked

shares = st.integers(0, 60).flatmap(lambda n: st.builds(Share, st.integers(0, n), st.just(n)))


@settings(max_examples=25)
@given(audits(gaps=True))
def test_weighted_by_the_records_of_each_stratum(work: Audited):
    outcome = work.schema.outcomes[0]
    settings = AuditSettings(outcome, ("tribe",), enough=1)
    audit = run_audit(work.source, work.theory, settings)
    table = stratified_table(work.source, audit, ["sex"], "theory")
    frame = work.frame.assign(hit=work.predicted == outcome, sex=work.frame["sex"].fillna("-"))
    for row in table.rows:
        if row.title not in set(frame["tribe"].dropna()):
            continue
        inside = (frame["tribe"] == row.title).fillna(False).to_numpy(dtype=bool)
        found, weight = 0.0, 0
        for _, part in frame.groupby(frame["sex"].astype(str)):
            here = inside[part.index]
            if here.any() and not here.all():
                apart = part["hit"][here].mean() - part["hit"][~here].mean()
                found, weight = found + len(part) * apart, weight + len(part)
        assert row.compared == weight
        assert row.given.value == pytest.approx(found / weight if weight else math.nan, nan_ok=True)


@settings(max_examples=50)
@given(st.lists(st.tuples(shares, shares), min_size=1, max_size=5))
def test_the_test_is_statsmodels(strata):
    both = [pair for pair in strata if pair[0].size and pair[1].size]
    found = common_difference_p_value(both)
    tables = [
        [[m.hits, m.size - m.hits], [t.hits, t.size - t.hits]]
        for m, t in both
        if m.size + t.size > 1
    ]
    tables = [each for each in tables if all(map(sum, zip(*each, strict=True)))]
    if not tables:
        assert math.isnan(found)
        return
    theirs = TheirTable([np.array(each, dtype=float) for each in tables])
    assert found == pytest.approx(theirs.test_null_odds(correction=False).pvalue)


SCHEMA = Schema(
    (
        Feature("sex", "categorical", ("f", "m")),
        Feature("field", "categorical", ("easy", "hard")),
        Feature("x", "integer"),
    ),
    ("no", "yes"),
)
# Admission to two fields: women do better in each, and worse on the whole.
ADMITTED = {("f", "easy"): (90, 100), ("m", "easy"): (320, 400)}
ADMITTED |= {("f", "hard"): (120, 400), ("m", "hard"): (20, 100)}


def admissions() -> FrameSource:
    rows = [
        (sex, field, int(i < hits))
        for (sex, field), (hits, size) in ADMITTED.items()
        for i in range(size)
    ]
    frame = pd.DataFrame(rows, columns=["sex", "field", "x"])
    return FrameSource(SCHEMA, frame.astype({"sex": "str", "field": "str"}))


def test_simpsons_reversal_is_pointed_out():
    theory = ranked(SCHEMA, [SCHEMA.rule({"x": (1, math.inf)}, "yes")])
    audit = run_audit(admissions(), theory, AuditSettings("yes", ("sex",)))
    table = stratified_table(admissions(), audit, ["field"], "theory")
    women = next(row for row in table.rows if row.title == "f")
    assert women.crude.value == pytest.approx(210 / 500 - 340 / 500)
    assert women.given.value == pytest.approx(0.5 * 0.1 + 0.5 * 0.1)
    assert women.given.low > 0 > women.crude.high
    assert women.is_reversed
    assert women.said == "different; reversed"
    assert (women.strata, women.compared, women.total) == (2, 1000, 1000)
    assert [row.adjusted for row in table.rows] == [row.p_value for row in table.rows]


def test_a_difference_that_goes_away_is_no_reversal():
    """Among all +40 points; alike in each stratum but for one hit in the other direction."""
    strata = [(Share(159, 200), Share(40, 50)), (Share(10, 50), Share(40, 200))]
    crude = Share(169, 250), Share(80, 250)
    row = standardised(NamedGroup(("sex",), ("f",)), "everyone else", crude, strata, 30)
    (judged,) = corrected_groups([row])
    assert judged.crude.low > 0 > judged.given.value
    assert not judged.is_reversed
    assert judged.said == "no difference shown"


def test_strata_that_hold_one_group_only_compare_nothing():
    row = standardised(
        NamedGroup(("sex",), ("f",)),
        "everyone else",
        (Share(5, 40), Share(9, 40)),
        [(Share(5, 40), Share(0, 0)), (Share(0, 0), Share(9, 40))],
        30,
    )
    assert not row.given.is_defined
    assert (row.strata, row.compared, row.total) == (0, 0, 80)
    assert row.verdict == "not enough records"
    assert not row.is_reversed


def test_compas_given_prior_offences():
    work = compas()
    settings = AuditSettings("High", ("race",), bands={"priors_count": (1, 4)})
    audit = run_audit(work.source, work.theory, settings)
    table = stratified_table(work.source, audit, ["priors_count"], "black box")
    row = next(each for each in table.rows if each.title == "African-American")
    assert row.strata == 3
    assert 0 < row.given.value < row.crude.value


def test_a_factor_that_is_a_group_column_is_no_longer_compared():
    work = compas()
    audit = run_audit(work.source, work.theory, AuditSettings("High", ("race", "sex")))
    table = stratified_table(work.source, audit, ["sex"], "truth")
    assert {row.columns for row in table.rows} == {("race",)}
