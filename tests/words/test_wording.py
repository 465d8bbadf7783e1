"""The text of rules."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.rules.coverage import Records
from glocalx.rules.schema import Feature, Schema
from glocalx.words.features import bounds
from glocalx.words.spoken import Spoken
from glocalx.words.wording import Phrase, Wording

INF = math.inf
TOWNS = ("Bari", "Como", "Enna", "Pisa", "Rome", "Rome, Georgia", "Trinidad and Tobago")
SCHEMA = Schema(
    (
        Feature("age", "integer"),
        Feature("income", "numeric", label="Yearly income", unit="€"),
        Feature("since", "date"),
        Feature("job", "categorical", ("clerk", "manager", "none", "pilot", "smith")),
        Feature("sex", "categorical", ("f", "m")),
        Feature("town", "categorical", TOWNS),
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
        ({"since": (18_000, INF)}, "since ≥ 2019-04-14", "since is on or after 2019-04-14"),
        ({"job": ["clerk"]}, "job = clerk", "job is clerk"),
        ({"job": ["clerk", "manager", "none", "pilot"]}, "job ≠ smith", "job is not smith"),
        ({"job": ["none", "clerk"]}, "job ∈ {clerk, none}", "job is clerk or none"),
        (
            {"job": ["none", "clerk", "pilot"]},
            "job ∉ {manager, smith}",
            "job is neither manager nor smith",
        ),
        (
            {"town": ["Bari", "Como", "Enna", "Pisa"]},
            "town ∉ {Rome, “Rome, Georgia”, “Trinidad and Tobago”}",
            "town is none of Rome, “Rome, Georgia” or “Trinidad and Tobago”",
        ),
        ({"sex": ["m"]}, "sex = m", "sex is m"),
    ],
)
def test_conditions_read_as_people_write_them(premises, notation, condition):
    rule = SCHEMA.rule(premises, "deny")
    assert Wording(SCHEMA).rule(rule) == f"{notation} → deny"
    assert Wording(SCHEMA).sentence(rule) == f"If {condition}, then deny."


def test_whole_numbers_that_may_be_years_have_no_comma():
    def text(feature):
        return Wording(Schema((feature,), ("a", "b"))).premise("x", feature.at_most(1998))

    assert text(Feature("x", "integer")) == "x ≤ 1998"
    assert text(Feature("x", "integer", unit="€")) == "x ≤ 1,998"
    assert text(Feature("x", "integer", spoken=Spoken(noun=("copy", "copies")))) == "x ≤ 1,998"


def test_several_conditions_and_none():
    wording = Wording(SCHEMA)
    rule = SCHEMA.rule({"age": (25, INF), "sex": ["f"], "job": ["none"]}, "deny")
    assert wording.rule(rule) == "age ≥ 25 and job = none and sex = f → deny"
    assert wording.sentence(rule) == "If age is at least 25, job is none and sex is f, then deny."
    assert wording.premises(rule, " · ") == "age ≥ 25 · job = none · sex = f"
    assert wording.rule(SCHEMA.rule({}, "deny")) == "always → deny"
    assert wording.sentence(SCHEMA.rule({}, "deny")) == "In every case deny."
    assert wording.sentence(SCHEMA.rule({}, "deny"), outcome=False) == "In every case."
    assert wording.sentence(rule, outcome=False).endswith("job is none and sex is f.")
    assert wording.short(SCHEMA.rule({}, "deny")) == "always"


def test_parts_tell_conditions_and_the_outcome_from_the_words_between():
    rule = SCHEMA.rule({"age": (25, INF), "sex": ["f"], "job": ["none"]}, "deny")
    assert Wording(SCHEMA).parts(rule) == (
        Phrase("If "),
        Phrase("age is at least 25", "condition", "age"),
        Phrase(", "),
        Phrase("job is none", "condition", "job"),
        Phrase(" and "),
        Phrase("sex is f", "condition", "sex"),
        Phrase(", then "),
        Phrase("deny", "outcome"),
        Phrase("."),
    )


@pytest.mark.parametrize(
    ("name", "premise", "asked"),
    [
        ("age", (6, INF), "≥ 6"),
        ("age", (-INF, 6), "≤ 5"),
        ("age", (25, 45), "25 to 44"),
        ("age", (4, 5), "4"),
        ("income", (1, 2.5), "≥ 1 and < 2.5"),
        ("sex", ["f"], "f"),
        ("job", ["clerk", "none"], "clerk or none"),
        ("job", ["clerk", "manager", "none", "pilot"], "not smith"),
    ],
)
def test_what_is_asked_of_a_value_without_its_name(name, premise, asked):
    rule = SCHEMA.rule({name: premise}, "deny")
    assert Wording(SCHEMA).asked(*rule.premises[0]) == asked


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("age", 42, "42"),
        ("age", np.int64(-3), "−3"),
        ("income", 2165.0, "2,165 €"),
        ("income", 0.25, "0.25 €"),
        ("income", 1e-7, "0.0000001 €"),
        ("income", INF, "∞ €"),
        ("since", 18_000, "2019-04-14"),
        ("job", "clerk", "clerk"),
        ("job", "never\nseen", "never seen"),
        ("income", math.nan, "missing"),
        ("job", None, "missing"),
        ("job", pd.NA, "missing"),
    ],
)
def test_values_of_a_record(name, value, text):
    assert Wording(SCHEMA).value(name, value) == text


def frame_of(incomes):
    return pd.DataFrame(
        {"age": 1, "income": incomes, "since": 1, "job": "clerk", "sex": "f", "town": "Rome"},
        index=range(len(incomes)),
    )


@pytest.mark.parametrize(
    ("ends", "text"),
    [
        ((-INF, 3600.0), "income < 3,600"),
        ((3580.95, INF), "income ≥ 3,580.95"),
        ((-INF, math.nextafter(10.5, INF)), "income ≤ 10.5"),
        ((math.nextafter(10.5, INF), INF), "income > 10.5"),
        ((0.125, 1e-3 + 1), "0.125 ≤ income < 1.001"),
        ((-2.5e-30, 1e25), "−2.5e−30 ≤ income < 1e+25"),
    ],
)
def test_a_threshold_is_written_as_it_is_computed_with(ends, text):
    rule = SCHEMA.rule({"income": ends}, "deny")
    assert Wording(SCHEMA).rule(rule) == f"{text} → deny"
    assert Wording(SCHEMA, Records(SCHEMA, frame_of([10.0, 9e4]))).rule(rule) == f"{text} → deny"


@given(
    st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * 2)
    .map(sorted)
    .filter(lambda ends: ends[0] < ends[1])
)
def test_what_is_written_are_the_very_ends(ends):
    low, high = bounds(SCHEMA["income"], SCHEMA["income"].interval(*ends))

    def number(bound, excluded):
        written = float(bound.text.replace(",", "").replace("−", "-"))
        return written if bound.included != excluded else math.nextafter(written, INF)

    assert number(low, excluded=False) == ends[0]
    assert number(high, excluded=True) == ends[1]


def test_names_of_the_table_stay_on_one_line_and_cannot_pose_as_rules():
    schema = Schema(
        (Feature("c", "categorical", ("a\nb", "x → deny", "z", "\x1b[31m")),), ("1\n2", "0")
    )
    wording = Wording(schema)
    text = wording.rule(schema.rule({"c": ["a\nb", "x → deny"]}, "1\n2"))
    assert text == "c ∈ {a b, “x → deny”} → 1 2"
    assert "\x1b" not in wording.rule(schema.rule({"c": ["\x1b[31m"]}, "0"))
    assert wording.sentence(schema.rule({"c": ["z"]}, "0"), outcome=False) == "If c is z."


def test_quotation_marks_of_the_table_cannot_close_ours():
    schema = Schema((Feature("c", "categorical", ("x” and d is “y", "z")),), ("0", "1"))
    rule = schema.rule({"c": ["x” and d is “y"]}, "0")
    assert Wording(schema).sentence(rule) == "If c is “x’ and d is ‘y”, then 0."


hostile = st.text(st.sampled_from("ab\n\r\x00\x1b\u202e\u2028{}<>&*_[]“”,→$ "), max_size=8)


@st.composite
def hostile_schemas(draw):
    name, other = draw(st.lists(hostile, min_size=2, max_size=2, unique=True))
    categories = tuple(draw(st.lists(hostile, min_size=2, max_size=5, unique=True)))
    said = st.one_of(st.none(), hostile)
    spoken = Spoken(
        called=draw(said),
        short=draw(said),
        forms={"is": f"{draw(hostile).replace('{}', '')} {{}}"} if draw(st.booleans()) else {},
        says={category: draw(hostile) for category in categories if draw(st.booleans())},
        values={category: draw(hostile) for category in categories if draw(st.booleans())},
    )
    features = (
        Feature(name, "categorical", categories, draw(said), None, spoken),
        Feature(other, "integer", label=draw(said), unit=draw(said)),
    )
    return Schema(features, ("0", "1"), {"0": draw(hostile)})


@given(hostile_schemas(), st.data())
def test_whatever_the_names_are_the_text_is_one_line_of_plain_text(schema, data):
    chosen = data.draw(st.sets(st.sampled_from(schema.features[0].categories), min_size=1))
    rule = schema.rule(dict(zip(schema.names, (chosen, (2, 7)), strict=True)), "0")
    wording = Wording(schema)
    texts = [wording.rule(rule), wording.sentence(rule), wording.short(rule)]
    texts += [wording.asked(*named) for named in rule.premises]
    texts += [wording.name(name) + wording.short_name(name) for name in schema.names]
    texts += [wording.value(schema.names[0], value) for value in chosen] + [wording.outcome("0")]
    for text in texts:
        assert text.isprintable()
    assert "".join(part.text for part in wording.parts(rule)) == wording.sentence(rule)
