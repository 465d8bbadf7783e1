"""Subgroups against fairlearn and pandas; nothing undefined becomes 0, no group is dropped."""

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from fairlearn.metrics import (
    MetricFrame,
    demographic_parity_difference,
    demographic_parity_ratio,
    false_positive_rate,
    selection_rate,
    true_positive_rate,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from glocalx.audit.frame_source import FrameSource
from glocalx.audit.intervals import holm
from glocalx.audit.settings import AuditSettings
from glocalx.audit.subgroups import subgroup_table
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Feature, Schema
from tests.audit.audited import Audited, audits, compas


def table_of(work: Audited, by, outcome=None, **options):
    source = work.source
    tally = source.tally(work.theory.rules, [source.axis(name) for name in by])
    asked = AuditSettings(outcome or work.schema.outcomes[0], by, **options)
    return subgroup_table(tally, work.theory.default, asked)


def groups_by(by, table):
    return [group for group in table.subgroups if group.columns == by]


def metric_frame(work: Audited, answers: np.ndarray, outcome: str, by) -> MetricFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # fairlearn divides by nothing for empty groups
        return MetricFrame(
            metrics={
                "selected": selection_rate,
                "tpr": true_positive_rate,
                "fpr": false_positive_rate,
            },
            y_true=work.truth == outcome,
            y_pred=answers == outcome,
            sensitive_features=work.frame[list(by)],
        )


@settings(max_examples=8)
@given(audits(), st.sampled_from([("tribe",), ("tribe", "sex")]))
def test_rates_are_fairlearns(work: Audited, by):
    outcome = work.schema.outcomes[0]
    groups = groups_by(by, table_of(work, by, outcome))
    assert groups
    answers = {"theory": work.predicted, "black box": work.black_box}
    for answerer, given_ in answers.items():
        expected = metric_frame(work, given_, outcome, by).by_group
        for group in groups:
            found = group.answers[answerer]
            key = group.groups if len(by) > 1 else group.groups[0]
            if not group.size:
                assert math.isnan(found.selected.value)
                continue
            assert found.selected.value == pytest.approx(expected.loc[key, "selected"])
            mask = (work.frame[list(by)] == list(group.groups)).all(axis=1).to_numpy()
            positive = (work.truth == outcome)[mask]
            for rate, name, defined in (
                (found.true_positive, "tpr", positive.any()),
                (found.false_positive, "fpr", (~positive).any()),
            ):
                if defined:
                    assert rate.value == pytest.approx(expected.loc[key, name])
                else:
                    assert math.isnan(rate.value)
            assert group.size == mask.sum()
            agreed = (work.predicted == work.black_box)[mask].mean()
            assert group.fidelity.value == pytest.approx(agreed)
            for name, share in found.shares.items():
                assert share.value == pytest.approx((given_[mask] == name).mean())


def test_disparities_on_compas_are_fairlearns():
    work = compas()
    table = table_of(work, ("sex",), "High", against={"sex": "Female"})
    female, male = table.subgroups
    for answerer, given_ in (("theory", work.predicted), ("black box", work.black_box)):
        assert female.answers[answerer].comparison is None
        comparison = male.answers[answerer].comparison
        arguments = {
            "y_true": work.truth == "High",
            "y_pred": given_ == "High",
            "sensitive_features": work.frame["sex"],
        }
        assert abs(comparison.difference.value) == pytest.approx(
            demographic_parity_difference(**arguments)
        )
        ratio = comparison.ratio.value
        assert min(ratio, 1 / ratio) == pytest.approx(demographic_parity_ratio(**arguments))
        assert comparison.against == "Female"
    assert female.fidelity_difference.value != female.fidelity_difference.value  # NaN


def test_everyone_else_is_the_rest_on_compas():
    work = compas()
    table = table_of(work, ("race", "sex"), "High", combinations="none")
    for group in table.subgroups:
        mask = (work.frame[group.columns[0]] == group.groups[0]).to_numpy()
        high = work.predicted == "High"
        comparison = group.answers["theory"].comparison
        assert comparison.against == "everyone else"
        assert comparison.difference.value == pytest.approx(high[mask].mean() - high[~mask].mean())
        assert comparison.enough == (mask.sum() >= 30)
        assert (comparison.verdict == "not enough records") == (mask.sum() < 30)
    compared = [group.answers["theory"].comparison for group in table.subgroups]
    p_values = [each.p_value for each in compared]
    once = p_values[:-1]  # of the two sexes each is everyone else to the other
    np.testing.assert_array_equal([each.adjusted for each in compared][:-1], holm(once))
    assert compared[-1].adjusted == compared[-2].adjusted
    assert table.compared["theory"] == sum(not math.isnan(p_value) for p_value in once)
    black = next(group for group in table.subgroups if group.groups == ("African-American",))
    assert black.answers["theory"].comparison.verdict == "different"
    assert black.answers["theory"].comparison.ratio.value > 1.25


@settings(max_examples=20)
@given(audits(gaps=True))
def test_no_record_and_no_group_is_lost(work: Audited):
    groups = groups_by(("tribe", "city"), table_of(work, ("tribe", "city")))
    assert sum(group.size for group in groups) == len(work.frame)
    source = work.source
    combinations = len(source.axis("tribe").groups) * len(source.axis("city").groups)
    named = [group for group in groups if "missing" not in group.groups]
    assert len(named) == combinations
    missing = work.frame[["tribe", "city"]].isna().any(axis=1).sum()
    assert sum(group.size for group in groups if "missing" in group.groups) == missing


def test_the_largest_group_is_compared_with():
    work = compas()
    table = table_of(work, ("race",), "High", against="largest group")
    without = [group for group in table.subgroups if group.answers["theory"].comparison is None]
    assert [group.groups for group in without] == [("African-American",)]


def test_a_combination_not_named_in_full_is_compared_with_everyone_else():
    work = compas()
    by = ("race", "sex")
    groups = groups_by(by, table_of(work, by, "High", against={"race": "Caucasian"}))
    assert {g.answers["theory"].comparison.against for g in groups} == {"everyone else"}


def test_what_cannot_be_is_refused():
    work = compas()
    with pytest.raises(GLocalXError, match="no group “Martian” to compare with"):
        table_of(work, ("race",), "High", against={"race": "Martian"})
    with pytest.raises(GLocalXError, match="“Highest” is none of the outcomes"):
        table_of(work, ("race",), "Highest")
    tally = work.source.tally(work.theory.rules)
    with pytest.raises(GLocalXError, match="Count it too"):
        subgroup_table(tally, "High", AuditSettings("High", ("race",)))


def test_without_labels_only_the_theory_answers():
    schema = Schema((Feature("x", "integer"),), ("a", "b"))
    frame = pd.DataFrame({"x": [1, 2, 3], "sex": ["f", "m", "m"]})
    source = FrameSource(schema, frame)
    tally = source.tally([schema.rule({"x": (3, 9)}, "b")], [source.axis("sex")])
    female, male = subgroup_table(tally, "a", AuditSettings("b", ("sex",))).subgroups
    assert list(male.answers) == ["theory"]
    assert male.answers["theory"].selected.value == 0.5
    assert math.isnan(male.fidelity.value)
    assert math.isnan(male.answers["theory"].true_positive.value)
    comparison = male.answers["theory"].comparison
    assert comparison.band is None  # nobody else gets it
    assert comparison.verdict == "not enough records"
    assert female.answers["theory"].comparison.ratio.value == 0
