"""Local rules in an index that is searched."""

from __future__ import annotations

import math

import pytest

from glocalx.extraction.local_rule import LocalRule
from glocalx.extraction.rule_index import RuleFilter, RuleIndex, index_rules
from glocalx.rules.schema import Feature, Schema
from glocalx.words.wording import Wording

SCHEMA = Schema(
    (Feature("age", "integer"), Feature("job", "categorical", ("clerk", "chief", "none"))),
    ("no", "yes"),
)
YOUNG = SCHEMA.rule({"age": (-math.inf, 30)}, "no")
CLERK = SCHEMA.rule({"age": (40, math.inf), "job": ["clerk"]}, "yes")
RULES = [
    LocalRule(YOUNG, record=4, covered=50, agreed=50, judged=100),
    LocalRule(CLERK, record=7, covered=0, agreed=0, judged=100),
    LocalRule(YOUNG, record=9, covered=999, agreed=998, judged=1000),
]


@pytest.fixture
def table() -> RuleIndex:
    return index_rules(RULES, Wording(SCHEMA))


def numbers(table: RuleIndex, **wanted) -> list[int]:
    return table.matching(RuleFilter(**wanted))["number"].tolist()


def test_rules_are_numbered_by_their_records_from_one(table: RuleIndex):
    assert numbers(table) == [5, 8, 10]
    assert table.numbered(8) is RULES[1]
    assert table.numbered(4) is None
    assert table.numbered(None) is None


def test_rules_from_elsewhere_are_numbered_themselves():
    brought = index_rules(RULES, Wording(SCHEMA), brought=True)
    assert numbers(brought) == [1, 2, 3]


@pytest.mark.parametrize(
    ("wanted", "left"),
    [
        ({"words": "CLERK"}, [8]),
        ({"words": "age 29"}, [5, 10]),
        ({"words": "a.e"}, []),
        ({"outcomes": ("yes",)}, [8]),
        ({"features": ("age",)}, [5, 8, 10]),
        ({"features": ("age", "job")}, [8]),
        ({"length": (2, 2)}, [8]),
        ({"coverage": (40, 60)}, [5]),
        ({"precision": (0, 99)}, [10]),
        ({"once": True}, [5, 8]),
        ({"once": True, "coverage": (90, 100)}, [10]),
    ],
)
def test_filters(table: RuleIndex, wanted, left):
    assert numbers(table, **wanted) == left


def test_what_is_not_quite_all_is_not_shown_as_all(table: RuleIndex):
    assert table.frame["precision"].tolist()[::2] == [100.0, 99.0]
    assert math.isnan(table.frame["precision"][1])


def test_the_row_of_a_number_is_its_own_or_that_of_an_equal_rule(table: RuleIndex):
    everything = table.matching(RuleFilter())
    assert table.row_of(10, everything) == 2
    assert table.row_of(10, table.matching(RuleFilter(once=True))) == 0
    assert table.row_of(10, table.matching(RuleFilter(outcomes=("yes",)))) is None
    assert table.row_of(5, table.matching(RuleFilter(once=True, coverage=(90, 100)))) == 0
    assert table.row_of(77, everything) is None
    assert (table.sharing(10), table.different) == (2, 2)


def test_no_rules_yet(table: RuleIndex):
    nothing = index_rules([], Wording(SCHEMA))
    assert nothing.different == 0
    assert nothing.matching(RuleFilter(words="x", features=("age",))).empty
