"""Every kind of step reads as it is; nothing from a file becomes markup."""

import math

import pytest

from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.operators import Cut, Join
from glocalx.merging.search import MergeSettings, Trial
from glocalx.plots import OutcomeColours
from glocalx.rules.schema import Feature, Schema
from glocalx.words.wording import Wording
from ui.merge.rules import has_pictures, operations_to_draw
from ui.merge.words import StepWords, ending, pair, why_this_pair

LOANS = Schema(
    (
        Feature("age", "integer"),
        Feature("job", "categorical", ("manager", "clerk", "none")),
        Feature("amount", "numeric"),
    ),
    ("accept", "deny"),
)
WORDS = StepWords(Wording(LOANS), OutcomeColours.of(LOANS.outcomes, "deny"))
OLD = LOANS.rule({"age": (50, math.inf), "job": ["clerk"]}, "deny")
OLDER = LOANS.rule({"age": (60, math.inf), "job": ["clerk"]}, "deny")
RICH = LOANS.rule({"amount": (100, math.inf)}, "accept")


def trial(left=0, right=1, similarity=0.5, union=10.0, merged=9.0):
    return Trial(left, right, similarity, union, merged, 0.9, 0.9)


def step(joins=(), cuts=(), out=(), into=(), rules=(OLD,), rejected=(), tried=None, piece=0):
    return MergeStep(
        number=1,
        trial=tried or trial(),
        theory=2,
        rules=frozenset(rules),
        rules_out=out,
        rules_in=into,
        joins=joins,
        cuts=cuts,
        rejected=rejected,
        piece=piece,
        theories_left=1,
        rules_left=len(rules),
        progress=1.0,
    )


def test_a_join_says_what_widened_and_what_fell_away():
    young = LOANS.rule({"age": (20, 30), "job": ["clerk"], "amount": (5, 9)}, "deny")
    older = LOANS.rule({"age": (25, 40), "job": ["manager"]}, "deny")
    joined = LOANS.rule({"age": (20, 40), "job": ["clerk", "manager"]}, "deny")
    said = WORDS.join(Join((young, older), joined))
    assert "2 rules with the outcome :orange-badge[deny] became one wider rule" in said
    assert "**age** is now *age is between 20 and 39*" in said
    assert said.endswith("the condition on **amount** falls away.")


def test_several_conditions_fall_away_together():
    parts = (
        LOANS.rule({"age": (20, 30), "job": ["clerk"], "amount": (5, 9)}, "deny"),
        LOANS.rule({"age": (25, 30)}, "deny"),
    )
    said = WORDS.join(Join(parts, LOANS.rule({"age": (20, 30)}, "deny")))
    assert said.endswith("the conditions on **amount** and **job** fall away.")


def test_a_join_in_which_the_widest_rule_stands_for_all():
    said = WORDS.join(Join((OLD, OLDER), OLD))
    assert said.endswith("became one: the widest of them covers the other.")


def test_a_join_without_a_common_feature_holds_for_every_record():
    parts = (LOANS.rule({"age": (20, 30)}, "deny"), LOANS.rule({"amount": (5, 9)}, "deny"))
    assert "holds for every record" in WORDS.join(Join(parts, LOANS.rule({}, "deny")))


def test_a_cut_that_bites_says_from_what_to_what():
    before = LOANS.rule({"age": (20, math.inf)}, "accept")
    after = LOANS.rule({"age": (20, 50)}, "accept")
    said = WORDS.cut(Cut(OLD, before, after))
    assert "The :orange-badge[deny] rule is more reliable" in said
    assert "the :blue-badge[accept] rule gives way where they overlap" in said
    assert "**age** goes from *age is at least 20* to *age is between 20 and 49*" in said


def test_a_cut_that_leaves_nothing_drops_the_rule():
    inside = LOANS.rule({"age": (55, 60), "job": ["clerk"]}, "accept")
    assert "is dropped" in WORDS.cut(Cut(OLD, inside, None))


def test_a_cut_without_effect_says_why():
    said = WORDS.cut(Cut(OLD, RICH, RICH))
    assert "**No cut.**" in said
    assert "they ask about different features" in said
    inside = LOANS.rule({"age": (55, 60), "amount": (5, 9)}, "accept")
    assert "nothing of it would be left" in WORDS.cut(Cut(OLD, inside, inside))


def test_each_join_and_cut_has_its_sentence():
    joins = (Join((OLD, OLDER), OLD), Join((RICH, RICH), RICH))
    said = WORDS.operations(step(joins=joins, cuts=(Cut(OLD, RICH, None),), out=(OLDER,)))
    assert [text.split("**")[1] for text in said] == ["Cut.", "Join.", "Join."]


def test_the_pair_is_told_with_its_numbers():
    hierarchy = Hierarchy((OLD, OLDER), MergeSettings(), "", [])
    said = pair(step(), hierarchy, (7, 8))
    assert said.startswith("Two theories of **1 rule** each share **7 of the 8** records that")
    assert said.endswith("leaves **1 rule**.")
    assert "%" not in said
    assert "share **all 8** records" in pair(step(), hierarchy, (8, 8))


def test_a_larger_theory_is_told_with_its_size():
    first = step(rules=(OLD, RICH))
    hierarchy = Hierarchy((OLD, RICH, OLDER), MergeSettings(), "", [first])
    said = pair(step(tried=trial(3, 2), rules=(OLD, RICH)), hierarchy, (1, 2))
    assert said.startswith("A theory of **2 rules** and one of **1 rule** share **1 of the 2**")


def test_why_this_pair():
    none = why_this_pair(step(), MergeSettings())
    assert none == "It was the most similar pair, and merging it makes the BIC better."
    same = why_this_pair(step(tried=trial(merged=10.0)), MergeSettings())
    assert same.endswith("does not make the BIC worse.")
    one = why_this_pair(step(rejected=(trial(),)), MergeSettings())
    assert "1 more similar pair was tried first" in one
    two = why_this_pair(step(rejected=(trial(), trial())), MergeSettings(shards=4))
    assert "most similar pair in its shard" in two
    assert "2 more similar pairs were tried first and turned down" in two


@pytest.mark.parametrize(
    ("rules", "refused", "patience", "sentence"),
    [
        ((OLD, OLDER), (), None, "no two of them share a record"),
        ((OLD, OLDER), (trial(),), None, "The one pair that shares records was tried"),
        ((OLD, OLDER), (trial(), trial()), None, "All 2 pairs that share records were tried"),
        ((OLD, OLDER), (trial(), trial()), 2, "2 pairs in a row were turned down"),
        ((OLD,), (), None, "All rules are in one theory"),
    ],
)
def test_the_end_says_why(rules, refused, patience, sentence):
    settings = MergeSettings(patience=patience)
    hierarchy = Hierarchy(rules, settings, "", [], {0: refused}, finished=True)
    assert sentence in ending(hierarchy)


def test_names_from_a_file_are_no_markup():
    schema = Schema((Feature("**a**", "integer"), Feature("b", "integer")), ("x", ":red[y]"))
    words = StepWords(Wording(schema), OutcomeColours.of(schema.outcomes))
    parts = (
        schema.rule({"**a**": (1, 2), "b": (1, 2)}, ":red[y]"),
        schema.rule({"**a**": (3, 4)}, ":red[y]"),
    )
    said = words.join(Join(parts, schema.rule({"**a**": (1, 4)}, ":red[y]")))
    assert ":red[" not in said
    assert r"**\*\*a\*\*** is now" in said


def test_only_what_moved_has_a_picture_and_cuts_come_first():
    dropped = Cut(OLD, RICH, None)
    assert operations_to_draw(step(cuts=(dropped, Cut(OLD, RICH, RICH)))) == [dropped]
    before = LOANS.rule({"age": (20, math.inf)}, "accept")
    bites = Cut(OLD, before, LOANS.rule({"age": (20, 50)}, "accept"))
    assert operations_to_draw(step(cuts=(dropped, bites))) == [dropped, bites]
    assert has_pictures([bites])
    parts = (LOANS.rule({"age": (20, 30)}, "deny"), LOANS.rule({"amount": (5, 9)}, "deny"))
    assert not has_pictures([Join(parts, LOANS.rule({}, "deny"))])
