"""Which rules a disparity comes from, against theories that are really without them."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from glocalx.audit.frame_source import FrameSource
from glocalx.audit.grouping import NamedGroup
from glocalx.audit.intervals import UNDEFINED, share, share_difference
from glocalx.audit.responsibility import (
    Ablations,
    Disparity,
    accuracy_order,
    responsibilities,
)
from glocalx.audit.settings import AuditSettings
from glocalx.audit.subgroups import subgroup_table
from glocalx.errors import GLocalXError
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.rule import canonical_rule
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.scoring import Reference
from tests.audit.audited import Audited, audits, compas
from tests.export.hostile import ranked


def asked(outcome: str, **options) -> AuditSettings:
    return AuditSettings(outcome, ("tribe",), **options)


def tally_of(work: Audited):
    source = work.source
    return source.tally(work.theory.rules, [source.axis("tribe")])


def small() -> tuple[FrameSource, RankedTheory]:
    """Eight records, five of u and three of v; the rules say b b b a b b a a, the last by default.

    Without a label is the last one.
    """
    frame = pd.DataFrame({"x": range(8), "y": [0, 0, 1, 1, 0, 0, 1, 1], "tribe": list("uuuuuvvv")})
    schema = Schema((Feature("x", "integer"), Feature("y", "integer")), ("a", "b"))
    rules = [
        schema.rule({"x": (0, 3)}, "b"),
        schema.rule({"x": (2, 7), "y": (0, 1)}, "b"),
        schema.rule({"x": (0, 7), "y": (1, 2)}, "a"),
    ]
    source = FrameSource(schema, frame, ["b", "a", "b", "a", "b", "a", "a", None])
    return source, ranked(schema, rules)


def test_which_rules_give_whom_an_outcome_by_hand():
    source, theory = small()
    tally = source.tally(theory.rules, [source.axis("tribe")])
    found = [
        (each.groups[0], each.rule, each.decided, each.of_outcome, each.of_group)
        for outcome in ("b", "a")
        for each in responsibilities(tally, "a", asked(outcome))
    ]
    assert found == [
        ("u", 0, 3, share(3, 4), share(3, 5)),
        ("u", 1, 1, share(1, 4), share(1, 5)),
        ("v", 0, 0, share(0, 1), share(0, 3)),
        ("v", 1, 1, share(1, 1), share(1, 3)),
        ("u", 2, 1, share(1, 1), share(1, 5)),
        ("u", None, 0, share(0, 1), share(0, 5)),
        ("v", 2, 1, share(1, 2), share(1, 3)),
        ("v", None, 1, share(1, 2), share(1, 3)),
    ]
    contributions = [each.contribution for each in responsibilities(tally, "a", asked("b"))]
    assert contributions == pytest.approx([3 / 5, 1 / 5 - 1 / 3, -3 / 5, 1 / 3 - 1 / 5])


@pytest.mark.parametrize(
    ("taken", "changed", "agreed", "hits"),
    [
        ({"place": 0}, 1, 4, (1, 1)),  # a a a a b b a a
        ({"place": 1}, 1, 5, (3, 0)),  # b b b a a a a a
        ({"feature": "y"}, 2, 5, (3, 0)),
        ({"feature": "y", "ablation": "premises"}, 2, 5, (3, 0)),  # the last rule is second now
        ({"feature": "x"}, 3, 4, (0, 0)),  # a a a a a a a a
    ],
)
def test_what_would_be_without_by_hand(taken, changed, agreed, hits):
    source, theory = small()
    tally = source.tally(theory.rules, [source.axis("tribe")])
    ablations = Ablations(tally, theory, asked("b", ablation=taken.get("ablation", "rules")))
    if "place" in taken:
        found = ablations.without_rule(taken["place"])
    else:
        found = ablations.without_feature(taken["feature"], source)
    assert (found.rule, found.feature) == (taken.get("place"), taken.get("feature"))
    assert found.rules_changed == changed
    assert (found.fidelity_before, found.fidelity_after) == (share(5, 7), share(agreed, 7))
    before = [share_difference(4, 5, 1, 3), share_difference(1, 3, 4, 5)]
    (mine, theirs) = hits
    after = [share_difference(mine, 5, theirs, 3), share_difference(theirs, 3, mine, 5)]
    assert found.disparities == (
        Disparity(("tribe",), ("u",), before[0], after[0]),
        Disparity(("tribe",), ("v",), before[1], after[1]),
    )
    groups = [NamedGroup(("tribe",), (name,)) for name in "uvw"]
    assert [found.after(group) for group in groups] == [*after, UNDEFINED]


@pytest.mark.parametrize(("right", "size"), [(5, 6), (9, 10)])
def test_accuracy_is_laplace(right: int, size: int):
    """One record of one says less than five of six, and than nine of ten."""
    frame = pd.DataFrame({"x": range(size + 1), "tribe": "u"})
    schema = Schema((Feature("x", "integer"),), ("a", "b"))
    rules = [schema.rule({"x": (size, size + 1)}, "a"), schema.rule({"x": (0, size)}, "a")]
    labels = ["a"] * right + ["b"] * (size - right) + ["a"]
    source = FrameSource(schema, frame, labels)
    assert accuracy_order(source.tally(rules, [source.axis("tribe")])) == [1, 0]


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
    found = responsibilities(tally, work.theory.default, asked(outcome))
    table = subgroup_table(tally, work.theory.default, asked(outcome))
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
    work_of = Ablations(tally_of(work), work.theory, asked(outcome))
    records = Records(work.schema, work.frame)
    for place in range(work.theory.size):
        others = tuple(r for i, r in enumerate(work.theory.ranked) if i != place)
        smaller = RankedTheory(work.schema, others, work.theory.default)
        ablation = work_of.without_rule(place)
        assert (ablation.rule, ablation.feature, ablation.rules_changed) == (place, None, 1)
        check(work, ablation, smaller.predict(records), outcome)


@settings(max_examples=30)
@given(audits())
def test_without_a_feature_is_the_theory_of_the_rules_that_do_not_name_it(work: Audited):
    outcome = work.schema.outcomes[0]
    left = [rule for rule in work.theory.rules if "city" not in rule.features]
    smaller = RankedTheory(work.schema, ranked(work.schema, left).ranked, work.theory.default)
    ablation = Ablations(tally_of(work), work.theory, asked(outcome)).without_feature(
        "city", work.source
    )
    assert ablation.rules_changed == work.theory.size - len(left)
    assert (ablation.rule, ablation.feature) == (None, "city")
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
    work_of = Ablations(tally_of(work), work.theory, asked(outcome, ablation="premises"))
    ablation = work_of.without_feature("city", work.source)
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


@settings(max_examples=30)
@given(audits(gaps=True))
def test_each_rule_answers_for_the_records_that_it_decides(work: Audited):
    """Record by record, with the default's share beside those of the rules."""
    outcome, default = work.theory.default, work.theory.default
    found = responsibilities(tally_of(work), default, asked(outcome))
    deciding = np.full(len(work.frame), -1)
    for place, rule in reversed(list(enumerate(work.theory.rules))):
        deciding[work.covered(rule)] = place
    outcomes = np.array([*(rule.outcome for rule in work.theory.rules), default], dtype=object)
    given_ = outcomes[deciding] == outcome
    tribes = work.frame["tribe"].fillna("missing").to_numpy()
    places = [i for i, rule in enumerate(work.theory.rules) if rule.outcome == outcome]
    assert {each.rule for each in found} == {*places, None}
    for each in found:
        mine = tribes == each.groups[0]
        decided = deciding == (-1 if each.rule is None else each.rule)
        hits = int((decided & mine).sum())
        assert (each.columns, each.decided) == (("tribe",), hits)
        np.testing.assert_equal(each.of_group, share(hits, int(mine.sum())))
        np.testing.assert_equal(each.of_outcome, share(hits, int((given_ & mine).sum())))


@settings(max_examples=30)
@given(audits())
def test_the_group_that_others_are_compared_with_has_no_contribution(work: Audited):
    tally, outcome = tally_of(work), work.schema.outcomes[0]
    tribes = work.frame["tribe"].to_numpy()
    largest = max(sorted(set(tribes)), key=list(tribes).count)
    largest_group = asked(outcome, against="largest group")
    for each in responsibilities(tally, work.theory.default, largest_group):
        assert math.isnan(each.contribution) == (each.groups == (largest,))
    shown = Ablations(tally, work.theory, largest_group).without_rule(0).disparities
    rates = {tribe: (work.predicted == outcome)[tribes == tribe].mean() for tribe in set(tribes)}
    for each in shown:
        mine = rates.get(each.groups[0], math.nan)
        np.testing.assert_allclose(each.before.value, mine - rates[largest], atol=1e-12)
    assert {*rates} - {each.groups[0] for each in shown} == {largest}


@settings(max_examples=30)
@given(audits(gaps=True))
def test_rules_are_ranked_by_what_the_labelled_records_say(work: Audited):
    labelled = np.array([label is not None for label in work.black_box])

    def rank(rule):
        covered = work.covered(rule) & labelled
        agreed = int((covered & (work.black_box == rule.outcome)).sum())
        size = int(covered.sum())
        return -Fraction(agreed + 1, size + len(work.schema.outcomes)), -size, rule.sort_key

    tally = tally_of(work)
    order = accuracy_order(tally)
    assert [tally.rules[place] for place in order] == sorted(tally.rules, key=rank)
    after = Ablations(tally, work.theory, asked(work.schema.outcomes[0])).without_rule(0)
    agreed = (work.predicted == work.black_box)[labelled].mean()
    assert after.fidelity_before == share(round(agreed * labelled.sum()), int(labelled.sum()))


def test_of_rules_that_no_record_tells_apart_the_wider_is_first_and_then_the_canonical_one():
    frame = pd.DataFrame({"x": range(4), "tribe": list("xyxy")})
    schema = Schema((Feature("x", "integer"),), ("a", "b"))
    rules = [
        schema.rule({"x": (0, 2)}, "b"),
        schema.rule({"x": (0, 4)}, "a"),
        schema.rule({"x": (0, 2)}, "a"),
    ]
    source = FrameSource(schema, frame, ["a", "b", "a", "b"])
    order = accuracy_order(source.tally(rules, [source.axis("tribe")]))
    assert [rules[place] for place in order] == [rules[1], rules[2], rules[0]]


@settings(max_examples=30)
@given(audits())
def test_without_labels_rules_keep_their_order(work: Audited):
    source = FrameSource(work.schema, work.frame)
    tally = source.tally(work.theory.rules, [source.axis("tribe")])
    assert accuracy_order(tally) is None
    premises = asked(work.schema.outcomes[0], ablation="premises")
    ablation = Ablations(tally, work.theory, premises).without_feature("city", source)
    wider = [
        canonical_rule({n: p for n, p in rule.premises if n != "city"}, rule.outcome)
        for rule in work.theory.rules
    ]
    theory = RankedTheory(work.schema, ranked(work.schema, wider).ranked, work.theory.default)
    predicted = theory.predict(Records(work.schema, work.frame))
    after = differences(work, predicted, work.schema.outcomes[0])
    assert not ablation.fidelity_after.is_defined
    assert ablation.rules_changed == sum("city" in rule.features for rule in work.theory.rules)
    for disparity in ablation.disparities:
        expected = after.get(disparity.groups[0], math.nan)
        np.testing.assert_allclose(disparity.after.value, expected, atol=1e-12)


@settings(max_examples=5)
@given(audits())
def test_an_outcome_that_nobody_can_get_is_refused(work: Audited):
    tally = tally_of(work)
    with pytest.raises(GLocalXError, match="“zzz” is none of the outcomes"):
        responsibilities(tally, work.theory.default, asked("zzz"))
    with pytest.raises(GLocalXError, match="“zzz” is none of the outcomes"):
        Ablations(tally, work.theory, asked("zzz"))


def test_without_race_on_compas():
    """One rule names race; without it the five others decide."""
    work = compas()
    source = work.source
    tally = source.tally(work.theory.rules, [source.axis("race")])
    ablation = Ablations(tally, work.theory, AuditSettings("High", ("race",))).without_feature(
        "race", source
    )
    left = tuple(each for each in work.theory.ranked if "race" not in each.rule.features)
    smaller = RankedTheory(work.schema, left, work.theory.default)
    predicted = smaller.predict(Records(work.schema, work.frame))
    assert ablation.rules_changed == 1 == work.theory.size - len(left)
    assert ablation.fidelity_after.value == pytest.approx((predicted == work.black_box).mean())
    assert ablation.fidelity_after.value != ablation.fidelity_before.value
