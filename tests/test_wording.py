"""The text of rules."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.coverage import Records
from glocalx.schema import Feature, Schema
from glocalx.wording import Wording

INF = math.inf
SCHEMA = Schema(
    (
        Feature("age", "integer"),
        Feature("income", "numeric", label="Yearly income", unit="€"),
        Feature("since", "date"),
        Feature("job", "categorical", ("clerk", "manager", "none", "pilot", "smith")),
        Feature("sex", "categorical", ("f", "m")),
    ),
    ("accept", "deny"),
)


@pytest.mark.parametrize(
    ("premises", "notation", "condition"),
    [
        ({"age": (-INF, 43.5)}, "age ≤ 43", "age is at most 43"),
        ({"age": (43.5, INF)}, "age ≥ 44", "age is at least 44"),
        ({"age": (25, 45)}, "25 ≤ age < 45", "age is between 25 and 44"),
        ({"age": (4, 5)}, "age = 4", "age is 4"),
        ({"age": (-INF, -2.5)}, "age ≤ −3", "age is at most −3"),
        (
            {"income": SCHEMA["income"].at_most(43.5)},
            "income ≤ 43.5",
            "Yearly income is at most 43.5 €",
        ),
        (
            {"income": SCHEMA["income"].above(43.5)},
            "income > 43.5",
            "Yearly income is above 43.5 €",
        ),
        ({"income": (0.3, INF)}, "income ≥ 0.3", "Yearly income is at least 0.3 €"),
        ({"income": (-INF, 12_000)}, "income < 12,000", "Yearly income is below 12,000 €"),
        ({"income": (1, 2.5)}, "1 ≤ income < 2.5", "Yearly income is at least 1 and below 2.5 €"),
        ({"since": (18_000, INF)}, "since ≥ 2019-04-14", "since is at least 2019-04-14"),
        ({"job": ["clerk"]}, "job = clerk", "job is clerk"),
        ({"job": ["clerk", "manager", "none", "pilot"]}, "job ≠ smith", "job is not smith"),
        ({"job": ["none", "clerk"]}, "job ∈ {clerk, none}", "job is one of clerk or none"),
        (
            {"job": ["none", "clerk", "pilot"]},
            "job ∉ {manager, smith}",
            "job is none of manager or smith",
        ),
        ({"sex": ["m"]}, "sex = m", "sex is m"),
    ],
)
def test_conditions_read_as_people_write_them(premises, notation, condition):
    rule = SCHEMA.rule(premises, "deny")
    assert Wording(SCHEMA).rule(rule) == f"{notation} → deny"
    assert Wording(SCHEMA).sentence(rule) == f"If {condition}, then deny."


def test_several_conditions_and_none():
    wording = Wording(SCHEMA)
    rule = SCHEMA.rule({"age": (25, INF), "sex": ["f"], "job": ["none"]}, "deny")
    assert wording.rule(rule) == "age ≥ 25 and job = none and sex = f → deny"
    assert wording.sentence(rule) == "If age is at least 25, job is none and sex is f, then deny."
    assert wording.premises(rule, " · ") == "age ≥ 25 · job = none · sex = f"
    assert wording.rule(SCHEMA.rule({}, "deny")) == "always → deny"
    assert wording.sentence(SCHEMA.rule({}, "deny")) == "In every case deny."


def frame_of(incomes):
    return pd.DataFrame(
        {"age": 1, "income": incomes, "since": 1, "job": "clerk", "sex": "f"},
        index=range(len(incomes)),
    )


def test_thresholds_are_rounded_as_far_as_the_records_allow():
    records = Records(SCHEMA, frame_of([10.0, 1234.56, 1235.1, 99_000.0]))
    wording = Wording(SCHEMA, records)

    def text(low, high):
        return wording.rule(SCHEMA.rule({"income": (low, high)}, "deny")).split(" →")[0]

    assert text(-INF, 1234.8300000000001) == "income ≤ 1235"
    assert text(1234.8300000000001, INF) == "income ≥ 1235"
    assert text(-INF, 734.2) == "income ≤ 1000"
    assert text(50_617.05, INF) == "income ≥ 50,000"


@given(
    st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=2, max_size=20, unique=True),
    st.data(),
)
def test_what_is_written_covers_the_same_records(values, data):
    values = [round(value, data.draw(st.integers(0, 6))) for value in values]
    low, high = data.draw(
        st.tuples(*[st.floats(-1e6, 1e6, allow_subnormal=False)] * 2)
        .map(sorted)
        .filter(lambda ends: ends[0] < ends[1])
    )
    records = Records(SCHEMA, frame_of(values))
    interval = SCHEMA["income"].interval(low, high)
    shown_low, shown_high = Wording(SCHEMA, records).bounds(SCHEMA["income"], interval)

    def number(bound):
        return float(bound.text.replace(",", "").replace("−", "-"))

    column = np.array(values)
    above = column >= number(shown_low) if shown_low.included else column > number(shown_low)
    below = column <= number(shown_high) if shown_high.included else column < number(shown_high)
    assert ((column >= low) & (column < high)).tolist() == (above & below).tolist()


def test_names_of_the_table_stay_on_one_line_and_cannot_pose_as_rules():
    schema = Schema(
        (Feature("c", "categorical", ("a\nb", "x → deny", "z", "\x1b[31m")),), ("1\n2", "0")
    )
    wording = Wording(schema)
    text = wording.rule(schema.rule({"c": ["a\nb", "x → deny"]}, "1\n2"))
    assert text == "c ∈ {a b, “x → deny”} → 1 2"
    assert "\x1b" not in wording.rule(schema.rule({"c": ["\x1b[31m"]}, "0"))
