"""Which rules a disparity comes from, against theories that are really without them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings

from glocalx.audit.responsibility import Ablations, responsibilities
from glocalx.audit.subgroups import subgroup_table
from glocalx.errors import GLocalXError
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.rule import canonical_rule
from glocalx.rules.scoring import Reference
from tests.audit.audited import Audited, audits, compas
from tests.export.hostile import ranked

BY = [("tribe",)]


def tally_of(work: Audited):
    source = work.source
    return source.tally(work.theory.rules, [source.axis("tribe")])


def differences(work: Audited, predicted: np.ndarray, outcome: str) -> dict[str, float]:
    tribes, given_ = work.frame["tribe"].to_numpy(), predicted == outcome
    return {
        tribe: given_[tribes == tribe].mean() - given_[tribes != tribe].mean()
        for tribe in sorted(set(tribes))
        if (tribes != tribe).any()
    }


@settings(max_examples=30)
@given(audits())
def test_contributions_add_up_to_the_difference(work: Audited):
    tally, outcome = tally_of(work), work.schema.outcomes[0]
    found = responsibilities(tally, work.theory.default, outcome, BY)
    table = subgroup_table(tally, work.theory.default, outcome, BY)
    for group in table.subgroups:
        mine = [each for each in found if each.groups == group.groups]
        answers = group.answers["theory"]
        assert sum(each.decided for each in mine) == round(answers.selected.value * group.size)
        if answers.comparison.difference.is_defined:
            total = sum(each.contribution for each in mine)
            assert total == pytest.approx(answers.comparison.difference.value, abs=1e-12)
        if answers.selected.value:
            assert sum(each.of_outcome.value for each in mine) == pytest.approx(1)


@settings(max_examples=30)
@given(audits())
def test_without_a_rule_is_the_theory_of_the_others(work: Audited):
    outcome = work.schema.outcomes[0]
    work_of = Ablations(tally_of(work), work.theory, outcome, BY)
    records = Records(work.schema, work.frame)
    for place in range(work.theory.size):
        others = tuple(r for i, r in enumerate(work.theory.ranked) if i != place)
        smaller = RankedTheory(work.schema, others, work.theory.default)
        check(work, work_of.without_rule(place), smaller.predict(records), outcome)


@settings(max_examples=30)
@given(audits())
def test_without_a_feature_is_the_theory_of_the_rules_that_do_not_name_it(work: Audited):
    outcome = work.schema.outcomes[0]
    left = [rule for rule in work.theory.rules if "city" not in rule.features]
    smaller = RankedTheory(work.schema, ranked(work.schema, left).ranked, work.theory.default)
    ablation = Ablations(tally_of(work), work.theory, outcome, BY).without_feature("city")
    assert ablation.rules_changed == work.theory.size - len(left)
    check(work, ablation, smaller.predict(Records(work.schema, work.frame)), outcome)


@settings(max_examples=30)
@given(audits())
def test_with_a_premise_struck_rules_are_ranked_anew(work: Audited):
    outcome = work.schema.outcomes[0]
    wider = [
        canonical_rule({n: p for n, p in rule.premises if n != "city"}, rule.outcome)
        for rule in work.theory.rules
    ]
    records = Records(work.schema, work.frame)
    theory = RankedTheory.of(wider, Reference(records, work.black_box))
    theory = RankedTheory(work.schema, theory.ranked, work.theory.default)
    work_of = Ablations(tally_of(work), work.theory, outcome, BY)
    ablation = work_of.without_feature("city", work.source, "premises")
    check(work, ablation, theory.predict(records), outcome)


def check(work: Audited, ablation, predicted: np.ndarray, outcome: str) -> None:
    assert ablation.fidelity_after.value == pytest.approx((predicted == work.black_box).mean())
    assert ablation.fidelity_before.value == pytest.approx(
        (work.predicted == work.black_box).mean()
    )
    before, after = (differences(work, each, outcome) for each in (work.predicted, predicted))
    for disparity in ablation.disparities:
        (tribe,) = disparity.groups
        np.testing.assert_allclose(disparity.before.value, before.get(tribe, math.nan), atol=1e-12)
        np.testing.assert_allclose(disparity.after.value, after.get(tribe, math.nan), atol=1e-12)


def test_without_race_on_compas():
    work = compas()
    source = work.source
    tally = source.tally(work.theory.rules, [source.axis("race")])
    ablation = Ablations(tally, work.theory, "High", [("race",)]).without_feature("race")
    assert ablation.rules_changed == 1
    assert 0 < ablation.fidelity_after.value <= 1


def test_a_premise_cannot_be_struck_without_the_table():
    work = compas()
    tally = work.source.tally(work.theory.rules)
    with pytest.raises(GLocalXError, match="Give the table too"):
        Ablations(tally, work.theory, "High", []).without_feature("race", ablation="premises")
