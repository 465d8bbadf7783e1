"""Who is covered, against pandas; and the form of the paper's table on COMPAS."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy import stats

from glocalx.audit.sensitive_table import sensitive_table
from glocalx.errors import GLocalXError
from tests.audit.audited import Audited, audits, compas, merged_compas

PAPER = (
    "priors_count",
    ("is_recid", "yes"),
    ("is_violent_recid", "yes"),
    ("race", "African-American"),
    ("race", "Caucasian"),
)


def plain_column(frame: pd.DataFrame, column: str, category: str | None) -> pd.Series:
    values = frame[column]
    return values if category is None else (values == category).where(values.notna()).astype(float)


def check(work: Audited, table) -> None:
    covers = {i: work.covered(rule) for i, rule in enumerate(work.theory.rules)}
    for trait, line in zip(table.traits, table.figures, strict=True):
        values = plain_column(work.frame, trait.column, trait.category)
        for group, figures in zip(table.groups, line, strict=True):
            if group.kind == "everyone":
                mask = np.ones(len(values), dtype=bool)
            elif group.kind == "rule":
                mask = covers[group.rule]
            else:
                same = [
                    covers[i] for i, r in enumerate(work.theory.rules) if r.outcome == group.outcome
                ]
                mask = np.any(same, axis=0) if same else np.zeros(len(values), dtype=bool)
            chosen, everyone = values[mask].dropna(), values.dropna()
            assert group.records == mask.sum()
            assert figures.known == len(chosen)
            close = {"rtol": 1e-9, "atol": 1e-9}
            np.testing.assert_allclose(figures.mean, chosen.mean(), **close)
            np.testing.assert_allclose(figures.deviation, chosen.std(), **close)
            difference = chosen.mean() - everyone.mean()
            np.testing.assert_allclose(figures.difference.value, difference, **close)
            if everyone.std() > 0:
                np.testing.assert_allclose(figures.effect, difference / everyone.std(), **close)


@settings(max_examples=30)
@given(audits(gaps=True))
def test_means_shares_and_deviations_are_pandas(work: Audited):
    check(work, sensitive_table(work.source, work.theory, ["tribe", "pay", "city", "age"]))


@settings(max_examples=20)
@given(audits())
def test_a_tally_that_is_there_gives_the_same(work: Audited):
    source = work.source
    tally = source.tally(work.theory.rules, [source.axis("tribe")], numbers=["pay"])
    features = ["tribe", "pay", ("city", "Bari")]
    with_tally = sensitive_table(source, work.theory, features, tally=tally)
    without = sensitive_table(source, work.theory, features)
    assert with_tally.groups == without.groups
    check(work, with_tally)


@settings(max_examples=20)
@given(audits())
def test_decided_groups_share_out_everyone(work: Audited):
    table = sensitive_table(work.source, work.theory, ["pay"], counting="decided")
    by_outcome = [group.records for group in table.groups if group.kind == "outcome"]
    assert sum(by_outcome) == len(work.frame)


@pytest.mark.parametrize("records", [compas, merged_compas])
def test_the_papers_table_on_compas(records):
    work = records()
    table = sensitive_table(work.source, work.theory, PAPER)
    assert [(trait.column, trait.category) for trait in table.traits] == [
        (PAPER[0], None),
        *PAPER[1:],
    ]
    check(work, table)
    titles = [group.title for group in table.groups]
    high, low = titles.index("High"), titles.index("Medium or Low")
    for line in table.figures[:4]:  # prior offences, recidivists, violent ones, African-American
        assert line[high].mean > line[low].mean
        assert line[high].difference.low > 0
        assert line[high].effect > 0.2
    caucasian = table.figures[4]
    assert caucasian[high].mean < caucasian[low].mean


def test_the_interval_is_welchs_to_the_rest_shrunk_to_everyone():
    work = compas()
    table = sensitive_table(work.source, work.theory, ["priors_count"])
    mask = work.covered(work.theory.rules[0])
    figures = table.figures[0][[group.rule for group in table.groups].index(0)]
    values = work.frame["priors_count"]
    test = stats.ttest_ind(values[mask], values[~mask], equal_var=False)
    interval, rest = test.confidence_interval(), (~mask).mean()
    assert figures.difference.low == pytest.approx(interval.low * rest)
    assert figures.difference.high == pytest.approx(interval.high * rest)


def test_everyone_differs_in_nothing():
    work = compas()
    figures = sensitive_table(work.source, work.theory, ["age"]).figures[0][0]
    assert figures.difference.value == figures.effect == 0


def test_what_cannot_be_is_refused():
    work = compas()
    with pytest.raises(GLocalXError, match="no category “Martian”"):
        sensitive_table(work.source, work.theory, [("race", "Martian")])
    with pytest.raises(GLocalXError, match="It has none"):
        sensitive_table(work.source, work.theory, [("age", "40")])
    with pytest.raises(GLocalXError, match="Choose at least one"):
        sensitive_table(work.source, work.theory, [])


def test_a_rule_that_covers_nobody_has_undefined_figures():
    work = compas()
    nobody = work.schema.rule({"age": (500, math.inf)}, "High")
    theory = type(work.theory)(
        work.schema, (type(work.theory.ranked[0])(nobody, 0.5, 0.5, 0, 0),), "High"
    )
    table = sensitive_table(work.source, theory, ["age", ("race", "Other")])
    for line in table.figures:
        assert math.isnan(line[-1].mean)
        assert math.isnan(line[-1].difference.value)
