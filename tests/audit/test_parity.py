"""Precision, hits, false alarms and equalized odds against fairlearn, scipy and statsmodels."""

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from fairlearn.metrics import (
    MetricFrame,
    equalized_odds_difference,
    false_positive_rate,
    true_positive_rate,
)
from hypothesis import given, settings
from scipy import stats
from sklearn.metrics import precision_score
from statsmodels.stats.multitest import multipletests

from glocalx.audit import AuditSettings, FrameSource, run_audit
from glocalx.audit.comparison import Share
from glocalx.audit.intervals import equivalence_p_value
from glocalx.audit.parity import parity_tables
from glocalx.rules.schema import Feature, Schema
from tests.audit.audited import Audited, audits, compas
from tests.export.hostile import ranked


def tables_of(work: Audited, by=("tribe",), **options):
    settings = AuditSettings(work.schema.outcomes[0], by, **options)
    return parity_tables(run_audit(work.source, work.theory, settings))


def fairlearns(work: Audited, said: np.ndarray, column: str) -> pd.DataFrame:
    """Among the records of which both answer and truth are known."""
    outcome = work.schema.outcomes[0]
    known = pd.notna(said) & pd.notna(work.truth) & work.frame[column].notna().to_numpy()
    if not known.any():
        return pd.DataFrame()
    metrics = {
        "hits": true_positive_rate,
        "false alarms": false_positive_rate,
        "precision": lambda true, called: precision_score(true, called, zero_division=math.nan),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of empty groups
        return MetricFrame(
            metrics=metrics,
            y_true=work.truth[known] == outcome,
            y_pred=said[known] == outcome,
            sensitive_features=work.frame[column][known].to_numpy(),
        ).by_group


@settings(max_examples=25)
@given(audits(gaps=True))
def test_rates_are_fairlearns(work: Audited):
    for table in tables_of(work, enough=1):
        said = work.predicted if table.answerer == "theory" else work.black_box
        expected = fairlearns(work, said, "tribe")
        for row in table.rows:
            if row.title not in expected.index:
                continue
            for measure, gap in row.gaps.items():
                rate = gap.own.rate().value
                if gap.own.size:  # where there is nobody, fairlearn says 0
                    assert rate == pytest.approx(expected.loc[row.title, measure]), measure
                else:
                    assert math.isnan(rate)


@settings(max_examples=25)
@given(audits(gaps=True))
def test_p_values_are_scipys_and_corrected_as_statsmodels_does(work: Audited):
    for table in tables_of(work, ("tribe", "sex"), enough=1, combinations="none"):
        for row in table.rows:
            for gap in row.gaps.values():
                assert gap.p_value == pytest.approx(_test(gap.own, gap.other), nan_ok=True)
            both = [row.gaps[name].p_value for name in ("hits", "false alarms")]
            assert row.p_value == pytest.approx(np.minimum(1, 2 * np.min(both)), nan_ok=True)
        assert table.compared <= len(table.rows)
        if table.compared == len(table.rows):  # none is another seen from the other side
            p_values = [row.p_value for row in table.rows]
            expected = multipletests(p_values, method="holm")[1] if p_values else []
            assert [row.adjusted for row in table.rows] == pytest.approx(list(expected))


def _test(mine: Share, theirs: Share) -> float:
    if not mine.size or not theirs.size:
        return math.nan
    table = np.array([[mine.hits, mine.size - mine.hits], [theirs.hits, theirs.size - theirs.hits]])
    if not table.sum(axis=0).all():
        return 1.0
    expected = stats.contingency.expected_freq(table)
    if expected.min() < 5:
        return stats.fisher_exact(table).pvalue
    return stats.chi2_contingency(table, correction=False).pvalue


def test_compas():
    work = compas()
    audit = run_audit(
        work.source, work.theory, AuditSettings("High", ("race", "sex"), combinations="none")
    )
    _, table = parity_tables(audit)
    assert table.answerer == "black box"
    for column in ("race", "sex"):
        # Of a group in which nobody is high, fairlearn says that 0 % of the high are found.
        high = set(work.frame[column][work.truth == "High"])
        some = work.frame[column].isin(high).to_numpy()
        expected = equalized_odds_difference(
            work.truth[some] == "High",
            work.black_box[some] == "High",
            sensitive_features=work.frame[column][some],
        )
        rows = [row for row in table.rows if row.title in high and row.columns == (column,)]
        spreads = []
        for name in ("hits", "false alarms"):
            rates = [row.gaps[name].own.rate().value for row in rows]
            spreads.append(np.nanmax(rates) - np.nanmin(rates))
        assert max(spreads) == pytest.approx(expected)


def test_a_comparison_from_either_side_counts_once():
    work = compas()
    settings = AuditSettings("High", ("sex",))
    audit = run_audit(work.source, work.theory, settings)
    for table in parity_tables(audit):
        assert table.compared == 1
        assert [row.adjusted for row in table.rows] == [row.p_value for row in table.rows]


SCHEMA = Schema((Feature("g", "categorical", ("a", "b")),), ("no", "other", "yes"))


def source_of(counts: dict[tuple[str, str, str], int]) -> FrameSource:
    """So many records of each group, answer and truth."""
    rows = [key for key, n in counts.items() for _ in range(n)]
    group, said, true = (pd.array(list(each), dtype="str") for each in zip(*rows, strict=True))
    return FrameSource(SCHEMA, pd.DataFrame({"g": group}), np.array(said), np.array(true))


EQUAL = {
    (group, said, true): n * (2 if group == "a" else 1)
    for group in "ab"
    for (said, true), n in {("yes", "yes"): 300, ("no", "yes"): 100, ("yes", "no"): 100}.items()
} | {("a", "no", "other"): 600, ("b", "no", "other"): 300}
WORSE = EQUAL | {("b", "yes", "yes"): 100, ("b", "no", "yes"): 300}


@pytest.mark.parametrize(
    ("counts", "tolerance", "said"),
    [
        (EQUAL, None, "no difference shown"),
        (WORSE, None, "different"),
        (EQUAL, 0.1, "within the tolerance"),
        (WORSE, 0.1, "different"),
        (EQUAL, 0.001, "no difference shown"),
        ({key: min(n, 10) for key, n in EQUAL.items()}, None, "not enough records"),
    ],
)
def test_what_may_be_said_of_equalized_odds(counts, tolerance, said):
    theory = ranked(SCHEMA, [])
    audit = run_audit(source_of(counts), theory, AuditSettings("yes", ("g",), tolerance=tolerance))
    (table,) = [each for each in parity_tables(audit) if each.answerer == "black box"]
    assert {row.verdict for row in table.rows} == {said}


def test_one_group_and_no_truth_give_nothing_to_compare():
    source = FrameSource(SCHEMA, pd.DataFrame({"g": ["a"] * 9}), ["no"] * 9, ["yes"] * 9)
    audit = run_audit(source, ranked(SCHEMA, []), AuditSettings("yes", ("g",)))
    for table in parity_tables(audit):
        assert {row.verdict for row in table.rows} == {"not enough records"}
        assert table.compared == 0
    source = FrameSource(SCHEMA, pd.DataFrame({"g": ["a"] * 9}), ["no"] * 9)
    audit = run_audit(source, ranked(SCHEMA, []), AuditSettings("yes", ("g",)))
    assert parity_tables(audit) == ()


def test_equivalence_is_one_test_for_rates_and_mistakes():
    """The same counts are within the tolerance, or not, whichever table they stand in."""
    work = compas()
    settings = AuditSettings("High", ("race", "sex"), combinations="none", tolerance=0.08)
    audit = run_audit(work.source, work.theory, settings)
    for table in parity_tables(audit):
        for measure in ("precision", "hits", "false alarms"):
            gaps = [row.gaps[measure] for row in table.rows]
            raw = [
                equivalence_p_value(*(n for side in (g.own, g.other) for n in _counts(side)), 0.08)
                if g.enough
                else math.nan
                for g in gaps
            ]
            assert [gap.equivalence for gap in gaps] == pytest.approx(raw, nan_ok=True)
        for row in table.rows:
            close = [row.gaps[name].equivalence for name in ("hits", "false alarms")]
            if not any(map(math.isnan, close)):
                assert row.within >= max(close)
                assert row.verdict != "within the tolerance" or row.within <= 0.05


def _counts(share: Share) -> tuple[int, int]:
    return share.hits, share.size
