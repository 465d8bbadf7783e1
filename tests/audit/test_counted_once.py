"""One comparison is one, from whichever side it is seen; combinations; the favourable outcome."""

import math

import numpy as np
import pandas as pd
import pytest
from fairlearn.metrics import demographic_parity_ratio
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from glocalx.audit import AuditSettings, FrameSource, audit_tables, json_ready, run_audit
from glocalx.audit.intervals import difference_p_value, holm
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Feature, Schema
from tests.audit.audited import Audited, audits, compas
from tests.export.hostile import ranked


def two_groups(hits: tuple[int, int], sizes: tuple[int, int]) -> tuple[FrameSource, object]:
    """Two groups, and a rule that gives so many of each the outcome."""
    groups = [name for name, size in zip("fm", sizes, strict=True) for _ in range(size)]
    said = [int(i < n) for n, size in zip(hits, sizes, strict=True) for i in range(size)]
    frame = pd.DataFrame({"sex": groups, "x": said})
    schema = Schema((Feature("x", "integer"),), ("no", "yes"))
    labels = np.where(np.array(said) == 1, "yes", "no")
    return FrameSource(schema, frame, labels), ranked(schema, [schema.rule({"x": (1, 9)}, "yes")])


def test_two_groups_of_a_column_are_one_comparison():
    source, theory = two_groups((30, 18), (200, 200))
    audit = run_audit(source, theory, AuditSettings("yes", ("sex",)))
    expected = difference_p_value(30, 200, 18, 200)
    assert 0.025 < expected < 0.1  # doubled, it would be another verdict or nearly so
    for group in audit.subgroups.subgroups:
        assert group.comparison().adjusted == pytest.approx(expected)
    assert audit.subgroups.compared == {"theory": 1, "black box": 1}
    assert "comparisons are made at once" not in " ".join(audit.notes)
    assert audit.subgroups.judged == 1


def test_the_verdict_does_not_contradict_the_interval_of_a_single_comparison():
    source, theory = two_groups((31, 17), (200, 200))
    (one, other) = run_audit(source, theory, AuditSettings("yes", ("sex",))).subgroups.subgroups
    assert one.comparison().verdict == other.comparison().verdict == "different"
    assert not one.comparison().difference.holds(0)


@settings(max_examples=15)
@given(audits(gaps=True), st.sampled_from(["none", "pairs", "all"]))
def test_p_values_are_holms_over_what_is_really_compared(work: Audited, combinations: str):
    """Told apart record by record: the same two sets of records are one comparison."""
    asked = AuditSettings(
        work.schema.outcomes[0], ("tribe", "sex", "city"), combinations=combinations, enough=2
    )
    audit = run_audit(work.source, work.theory, asked)
    values = work.frame[["tribe", "sex", "city"]].astype(object)
    values = values.where(values.notna(), "missing")
    said = work.predicted == work.schema.outcomes[0]
    alone: dict[frozenset[bytes], float] = {}
    keys = []
    for group in audit.subgroups.subgroups:
        mine = (values[list(group.columns)] == list(group.groups)).all(axis=1).to_numpy()
        keys.append(frozenset((mine.tobytes(), (~mine).tobytes())))
        if min(mine.sum(), (~mine).sum()) >= 2:
            table = [int(said[mine].sum()), int(mine.sum())]
            table += [int(said[~mine].sum()), int((~mine).sum())]
            alone[keys[-1]] = difference_p_value(*table)
    adjusted = dict(zip(alone, holm(list(alone.values())), strict=True))
    assert audit.subgroups.compared["theory"] == len(alone)
    for key, group in zip(keys, audit.subgroups.subgroups, strict=True):
        found = group.comparison().adjusted
        assert found == pytest.approx(adjusted.get(key, math.nan), nan_ok=True)


def test_every_two_of_three_columns_are_looked_at_together():
    work = compas()
    columns = {
        combinations: list(
            dict.fromkeys(
                group.columns
                for group in run_audit(
                    work.source,
                    work.theory,
                    AuditSettings("High", ("sex", "race", "age"), combinations=combinations),
                ).subgroups.subgroups
            )
        )
        for combinations in ("none", "pairs", "all")
    }
    alone = [("sex",), ("race",), ("age",)]
    pairs = [*alone, ("sex", "race"), ("sex", "age"), ("race", "age")]
    assert columns == {"none": alone, "pairs": pairs, "all": [*pairs, ("sex", "race", "age")]}


def test_the_four_fifths_rule_is_for_the_favourable_outcome():
    work = compas()
    asked = AuditSettings("High", ("sex",), favourable="Medium or Low", against={"sex": "Male"})
    audit = run_audit(work.source, work.theory, asked)
    for answerer, said in (("theory", work.predicted), ("black box", work.black_box)):
        female = audit.subgroups.subgroups[0].answers[answerer].comparison
        ratio = demographic_parity_ratio(
            y_true=work.truth == "Medium or Low",
            y_pred=said == "Medium or Low",
            sensitive_features=work.frame["sex"],
        )
        assert min(female.favourable.value, 1 / female.favourable.value) == pytest.approx(ratio)
        women, men = (said[(work.frame["sex"] == sex).to_numpy()] for sex in ("Female", "Male"))
        counts = [int((each == "Medium or Low").sum()) for each in (women, men)]
        interval = stats.contingency.relative_risk(
            counts[0], len(women), counts[1], len(men)
        ).confidence_interval(0.95)
        assert (female.favourable.low, female.favourable.high) == pytest.approx(tuple(interval))
        assert female.band == "within"
        assert female.ratio.value < 0.8  # of High risk, of which the rule does not speak
    assert json_ready(audit)["favourable"] == "Medium or Low"
    row = audit_tables(audit)["subgroups"][0]
    assert (row["favourable_band"], row["favourable_ratio_low"] > 1) == ("within", True)


def test_where_nobody_says_what_is_favourable_no_band_is_shown():
    work = compas()
    audit = run_audit(work.source, work.theory, AuditSettings("High", ("sex",)))
    assert {group.comparison().band for group in audit.subgroups.subgroups} == {None}
    assert "Which outcome is favourable was not said" in " ".join(audit.notes)
    with pytest.raises(GLocalXError, match="“good” is none of the outcomes"):
        run_audit(work.source, work.theory, AuditSettings("High", ("sex",), favourable="good"))
