"""The paper's three examples come out as printed, but for its two slips."""

import math

from hypothesis import given
from hypothesis import strategies as st

from glocalx.lessons.worked import LOANS, MISPRINTS, CutExample, JoinExample, MergeExample
from glocalx.merging.operators import cut, join
from glocalx.words.wording import Wording

SAID = Wording(LOANS).rule
AGES = st.integers(18, 80)


def test_the_join_as_printed():
    worked = JoinExample().worked()
    assert [SAID(rule) for rule in worked.parts] == [
        "age ≥ 50 and job = office clerk → deny",
        "age ≥ 40 → deny",
    ]
    assert SAID(worked.result) == "age ≥ 40 → deny"


def test_the_cut_as_printed():
    worked = CutExample().worked()
    assert SAID(worked.dominant) == "age ≥ 25 and amount ≥ 10,000 and job = unemployed → deny"
    assert SAID(worked.before) == "age ≥ 20 and amount > 8,000 and job = manager → accept"
    assert worked.after is not None
    assert SAID(worked.after) == (
        "20 ≤ age < 25 and 8,000 < amount < 10,000 and job = manager → accept"
    )


def test_the_merge_by_the_definitions_and_as_printed():
    example = MergeExample()
    assert [SAID(rule) for rule in example.worked()] == [
        "age ≥ 25 and amount ≤ 10,000 and job = unemployed → deny",
        "20 ≤ age < 25 and amount > 10,000 and job = manager → accept",
        "age ≥ 40 and job = office clerk → deny",
    ]
    differ = [one != other for one, other in zip(example.worked(), example.printed(), strict=True)]
    assert differ == [False, True, True]
    assert sum(differ) == len(MISPRINTS)
    alone = MergeExample(first_record=False, second_record=False)
    assert set(alone.worked()) == {*alone.left, *alone.right}
    cut_only = MergeExample(second_record=False).worked()
    assert set(example.left[1:] + example.right[1:]) < set(cut_only)


@given(AGES, AGES, st.booleans(), st.booleans())
def test_the_join_follows_its_sliders(one, other, first_job, second_job):
    worked = JoinExample(one, other, first_job, second_job).worked()
    assert worked.result == join(worked.parts)
    asked = {"age": (min(one, other), math.inf)}
    if first_job and second_job:
        asked["job"] = ["office clerk"]
    assert worked.result == LOANS.rule(asked, "deny")


@given(AGES, AGES, st.integers(0, 20_000), st.integers(0, 20_000), st.booleans())
def test_the_cut_follows_its_sliders(one, other, amount, other_amount, first_wins):
    worked = CutExample(one, other, amount, other_amount, first_wins).worked()
    assert worked.dominant.outcome == ("deny" if first_wins else "accept")
    assert worked.after == cut(worked.before, worked.dominant, lambda rule: 0)
