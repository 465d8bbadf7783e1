"""Rules of LORE and Anchors (`importing/`)."""

import json
import pickle
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.extraction.importing import import_rules, python_values
from glocalx.rules.schema import Feature, Schema

SCHEMA = Schema(
    (
        Feature("age", "integer"),
        Feature("amount", "numeric"),
        Feature("job", "categorical", ("chief", "clerk", "none")),
        Feature("savings", "categorical", ("< 100 DM", "> 500 DM", "unknown")),
        Feature("plan", "categorical", ("a=1", "b=1", "b=2", "c")),
        Feature("hours > 40", "categorical", ("no", "yes")),
    ),
    ("deny", "grant"),
)


def rule_of(data):
    (rule,) = import_rules(data, SCHEMA)
    return rule


def lore_sa(*premises, outcome="grant", **more):
    named = [{"attr": attr, "op": op, "val": val} for attr, op, val in premises]
    consequence = {"attr": "outcome", "op": "=", "val": outcome}
    return {"rule": {"premises": named, "consequence": consequence}, **more}


def anchor(*names, prediction=1, classes=("deny", "grant")):
    return {"names": list(names), "prediction": prediction, "labelNames": list(classes)}


def test_lore_sa_explanations_with_numpy_inside():
    explanation = lore_sa(
        ("age", "<=", np.float64(43.5)),
        ("age", ">", np.float64(24.5)),
        ("job", "!=", np.str_("none")),
        ("savings", "=", "unknown"),
        outcome=np.str_("grant"),
        fidelity=np.float64(0.9),
    )
    expected = SCHEMA.rule(
        {"age": (25, 44), "job": ["chief", "clerk"], "savings": ["unknown"]}, "grant"
    )
    assert rule_of(explanation) == expected
    assert rule_of(repr(explanation)) == expected  # np.float64(43.5) as text
    assert rule_of(json.dumps(explanation, default=lambda value: value.item())) == expected


def test_several_conditions_on_one_category():
    explanation = lore_sa(("job", "!=", "none"), ("job", "!=", "clerk"))
    assert rule_of(explanation) == SCHEMA.rule({"job": ["chief"]}, "grant")


def test_categories_cut_at_their_first_equals_sign():
    assert rule_of(lore_sa(("plan", "=", "a"))) == SCHEMA.rule({"plan": ["a=1"]}, "grant")
    with pytest.raises(GLocalXError, match=r"Rule 2 asks for “b” in “plan”.*“b=1” or “b=2”"):
        import_rules([lore_sa(), lore_sa(("plan", "=", "b"))], SCHEMA)


def test_older_lore_with_one_hot_columns():
    older = {
        "premise": [
            {"att": "job=clerk", "op": ">", "thr": 0.5},
            {"att": "savings=unknown", "op": "<=", "thr": 0.5},
            {"att": "amount", "op": ">", "thr": 1000.25},
        ],
        "cons": "deny",
    }
    expected = SCHEMA.rule(
        {
            "job": ["clerk"],
            "savings": ["< 100 DM", "> 500 DM"],
            "amount": SCHEMA["amount"].above(1000.25),
        },
        "deny",
    )
    assert rule_of(older) == expected
    assert rule_of({**older, "cons": {"att": "y", "op": "=", "thr": "deny"}}) == expected


@pytest.mark.parametrize(
    ("condition", "premise"),
    [
        (">23", (24, np.inf)),
        ("<=5", (-np.inf, 6)),
        ("<5", (-np.inf, 5)),
        (">=5", (5, np.inf)),
        ("3< x <=7", (4, 8)),
        ("3<age<=7", (4, 8)),
        ("3 <= x < 7", (3, 7)),
        ("40", (40, 41)),
    ],
)
def test_what_the_first_lore_prints(condition, premise):
    text = f"[{{'default': 'deny'}}, {{'age': '{condition}', 'job': 'clerk'}}, [505.0, 15.1]]"
    assert rule_of(text) == SCHEMA.rule({"age": premise, "job": ["clerk"]}, "deny")
    assert len(import_rules(f"[{text}, {text}]", SCHEMA)) == 2


def test_outcomes_that_are_numbers():
    schema = Schema((Feature("age", "integer"),), ("0", "1"))
    made = import_rules("[{'default': 1.0}, {'age': '>23'}]", schema)
    assert made[0] == schema.rule({"age": (24, np.inf)}, "1")


@pytest.mark.parametrize(
    ("condition", "premises"),
    [
        ("age <= 5.00", {"age": (-np.inf, 6)}),
        ("age > 5.00", {"age": (6, np.inf)}),
        ("25.00 < age <= 45.00", {"age": (26, 46)}),
        ("job = clerk", {"job": ["clerk"]}),
        ("< 100 DM", {"savings": ["< 100 DM"]}),
        ("savings = unknown", {"savings": ["unknown"]}),
        ("hours > 40 = yes", {"hours > 40": ["yes"]}),
        ("amount <= -1.50", {"amount": SCHEMA["amount"].at_most(-1.5)}),
    ],
)
def test_anchor_conditions(condition, premises):
    expected = SCHEMA.rule(premises, "grant")
    assert rule_of(anchor(condition)) == expected
    alibi = {
        "meta": {"name": "AnchorTabular"},
        "labelNames": ["deny", "grant"],
        "data": {"anchor": [condition], "precision": 0.97, "raw": {"prediction": [1]}},
    }
    assert rule_of(json.dumps(alibi)) == expected


def test_a_number_printed_with_two_decimals_is_a_small_interval():
    premise = rule_of(anchor("amount = 2.50")).premise("amount")
    assert 2.4951 in premise
    assert 2.51 not in premise


def test_an_anchor_without_conditions_covers_everything():
    assert rule_of(anchor(prediction=0)) == SCHEMA.rule({}, "deny")


def test_class_numbers_need_names():
    with pytest.raises(GLocalXError, match="Rule 1 predicts class number 1, and nothing tells"):
        rule_of(anchor("job = clerk", classes=()))
    with pytest.raises(GLocalXError, match="class number 7, but there are 2"):
        rule_of(anchor("job = clerk", prediction=7))
    assert rule_of(anchor("job = clerk", classes=["grant", "deny"])).outcome == "deny"


def test_a_bare_category_of_two_features_is_refused():
    twice = Schema(
        (
            Feature("a", "categorical", ("< 1", "2")),
            Feature("b", "categorical", ("< 1", "3")),
        ),
        ("no", "yes"),
    )
    with pytest.raises(GLocalXError, match="“< 1”, which can be read in several ways"):
        import_rules(anchor("< 1", prediction="yes"), twice)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (lore_sa(("height", "<=", 3.0)), "Rule 1 speaks of “height”"),
        (lore_sa(("job", "<=", 0.5)), "“job” with 0.5, but the column is categorical"),
        (lore_sa(("job", "=", "king")), "“king” in “job”, a category that the table does not"),
        (lore_sa(("age", "=~", 3)), "unknown sign “=~”"),
        (lore_sa(("age", "<=", "old")), "“old” against “age”, which is no number"),
        (lore_sa(("age", "<=", float("nan"))), "which is no number"),
        (lore_sa(("age", "!=", 3)), "which no interval can say"),
        (lore_sa(("age", "<=", 3), ("age", ">", 5)), "“age” what no value can satisfy"),
        (lore_sa(("job", "=", "clerk"), ("job", "=", "none")), "what no value can satisfy"),
        (lore_sa(outcome="perhaps"), "the outcome “perhaps”, which the labels do not have"),
        ({"rule": {"premises": "age"}}, "no premises or no consequence"),
        ({"rule": {"premises": ["age"], "consequence": "deny"}}, "“age”, which is not a dict"),
        ({"premises": [{"attr": "age"}], "consequence": "deny"}, "a part without “op”"),
        (anchor("height <= 3.00"), "“height <= 3.00”, which cannot be read"),
        ({"names": [3], "prediction": 1}, "no list of conditions"),
        ({"names": [], "prediction": [0, 1]}, "no single prediction"),
        ([[1, 2]], "none of the forms"),
        ([], "no rules"),
        ("{'rule': __import__('os')}", "neither JSON nor lists"),
        ("[" * 5_000, "neither JSON nor lists"),
        ("", "neither JSON nor lists"),
        ("3", "no rules"),
    ],
)
def test_every_refusal_is_a_sentence(data, said):
    with pytest.raises(GLocalXError, match=said) as caught:
        import_rules(data, SCHEMA)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


class Bomb:
    """Goes off when it is unpickled."""

    def __reduce__(self):
        return pytest.fail, ("a pickle was loaded",)


def test_pickled_fields_are_not_looked_at():
    explanation = lore_sa(("age", "<=", 30.0), dt=pickle.dumps(Bomb()))
    assert rule_of(explanation) == SCHEMA.rule({"age": (-np.inf, 31)}, "grant")


def test_nothing_in_a_text_is_run(tmp_path):
    mark = tmp_path / "mark"
    for text in (
        f"open({str(mark)!r}, 'w')",
        f"[{{'y': 'deny'}}, {{'age': open({str(mark)!r}, 'w')}}]",
        f"np.float64(open({str(mark)!r}, 'w'))",
    ):
        with pytest.raises(GLocalXError):
            import_rules(text, SCHEMA)
    assert not mark.exists()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(
                    ["rule", "premises", "premise", "attr", "op", "val", "names", "data", "cons"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_anything_else_is_refused_or_read_but_never_breaks(data):
    with suppress(GLocalXError):
        import_rules(data, SCHEMA)


def test_plain_values_from_numpy():
    value = {"a": np.array([1, 2]), "b": (np.float32(0.5), np.bool_(True)), np.str_("c"): None}
    assert python_values(value) == {"a": [1, 2], "b": [0.5, True], "c": None}
    assert python_values("{'x': array([1.0, inf]), 'y': np.str_('s')}") == {
        "x": [1.0, float("inf")],
        "y": "s",
    }
