"""What each rule covers, decides and gets right, counted record by record."""

import math

import numpy as np
from hypothesis import given, settings

from glocalx.audit.proxies import associations
from glocalx.audit.rule_profile import rule_profiles
from tests.audit.audited import Audited, audits, compas


@settings(max_examples=30)
@given(audits(gaps=True))
def test_counts_are_those_of_the_records(work: Audited):
    profiles = rule_profiles(work.source.tally(work.theory.rules), ["city"])
    covers = [work.covered(rule) for rule in work.theory.rules]
    undecided = np.ones(len(work.frame), dtype=bool)
    for profile, covered in zip(profiles, covers, strict=True):
        decided = covered & undecided
        undecided &= ~covered
        assert profile.covered == covered.sum()
        assert profile.decided == decided.sum()
        for estimate, labels, among in (
            (profile.agrees, work.black_box, covered),
            (profile.right, work.truth, covered),
            (profile.decided_agrees, work.black_box, decided),
            (profile.decided_right, work.truth, decided),
        ):
            known = [label for label in labels[among] if label is not None]
            hits = sum(label == profile.rule.outcome for label in known)
            expected = hits / len(known) if known else math.nan
            np.testing.assert_array_equal(estimate.value, expected)
        shared = {i: int((covered & other).sum()) for i, other in enumerate(covers)}
        expected = {i: n for i, n in shared.items() if n and i != profile.place}
        assert {overlap.rule: overlap.records for overlap in profile.overlaps} == expected
        named = ("city",) if "city" in profile.rule.features else ()
        assert profile.sensitive == named


def test_sensitive_features_and_proxies_on_compas():
    work = compas()
    source = work.source
    axes = [source.axis("race"), source.axis("age")]
    used = sorted({name for rule in work.theory.rules for name in rule.features})
    tally = source.tally(work.theory.rules)
    profiles = rule_profiles(tally, ["race", "age"], associations(source, used, axes))
    outright = {profile.sensitive for profile in profiles}
    assert outright == {(), ("age",), ("race",)}
    for profile in profiles:
        assert {each.column for each in profile.proxies} <= set(profile.rule.features) - {
            "race",
            "age",
        }
        strengths = [each.strength for each in profile.proxies]
        assert strengths == sorted(strengths, reverse=True)
        assert profile.close_proxies(0) == profile.proxies
        assert profile.close_proxies(1.1) == ()
