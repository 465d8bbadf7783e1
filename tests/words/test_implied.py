"""What goes without saying in a sentence, and what never does."""

import math
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.rules.coverage import Records
from glocalx.rules.schema import Feature, Schema
from glocalx.words.wording import Wording
from tests.strategies import World, worlds

INF = math.inf
SCHEMA = Schema(
    (
        Feature("age", "integer"),
        Feature("age_group", "categorical", ("under 25", "25 to 45", "over 45")),
        Feature("race", "categorical", ("black", "white")),
        Feature("priors", "integer"),
    ),
    ("high", "low"),
)


@pytest.fixture(scope="module")
def records() -> Records:
    rng = np.random.default_rng(0)
    age = rng.integers(18, 80, 2_000)
    group = pd.cut(age, [0, 24, 45, 99], labels=["under 25", "25 to 45", "over 45"]).astype(str)
    race = rng.choice(["black", "white"], 2_000)
    priors = np.where(race == "black", rng.integers(5, 9, 2_000), rng.integers(0, 5, 2_000))
    frame = pd.DataFrame({"age": age, "age_group": group, "race": race, "priors": priors})
    return Records(SCHEMA, frame)


def said(wording: Wording, **premises) -> tuple[str, ...]:
    return tuple(name for name, _ in wording.spoken_premises(SCHEMA.rule(premises, "high")).said)


def test_an_implied_condition_goes_unsaid(records):
    wording = Wording(SCHEMA, records)
    rule = SCHEMA.rule({"age": (-INF, 27), "age_group": ["under 25"], "priors": (2, INF)}, "high")
    assert wording.sentence(rule) == (
        "If age_group is under 25 and priors is at least 2, then high."
    )
    spoken = wording.spoken_premises(rule)
    assert [name for name, _ in spoken.said] == ["age_group", "priors"]
    assert [name for name, _ in spoken.unsaid] == ["age"]
    assert wording.short(rule) == "age ≤ 26 · age_group = under 25 · priors ≥ 2"
    assert wording.rule(rule) == "age ≤ 26 and age_group = under 25 and priors ≥ 2 → high"
    assert "age is at most 26" in Wording(SCHEMA).sentence(rule)  # no records, nothing to go by


def test_of_two_that_say_the_same_the_category_goes(records):
    assert said(Wording(SCHEMA, records), age=(-INF, 25), age_group=["under 25"]) == ("age",)


def test_chance_is_not_taken_for_an_implication(records):
    (seldom,) = records.values("age")[np.flatnonzero(records.values("race") == 0)][:1]
    rule = {"age": (seldom, seldom + 1), "priors": (8, INF), "race": ["black"]}
    few = records.coverage(SCHEMA.rule(rule, "high")).bit_count()
    assert 0 < few < 30
    assert said(Wording(SCHEMA, records, evidence=few), **rule) == ("age", "priors")
    # priors of 8 alone imply it: that is borne out by hundreds of records
    assert said(Wording(SCHEMA, records), **rule) == ("age", "priors")
    assert said(Wording(SCHEMA, records, evidence=1_000), **rule) == ("age", "race", "priors")


def test_a_rule_that_covers_nobody_is_said_in_full(records):
    rule = {"age": (200, INF), "priors": (2, INF), "race": ["white"]}
    assert said(Wording(SCHEMA, records, evidence=1), **rule) == ("age", "race", "priors")


def test_a_sensitive_feature_is_named(records):
    rule = {"priors": (5, INF), "race": ["black"]}
    assert said(Wording(SCHEMA, records), **rule) == ("priors",)
    assert said(Wording(SCHEMA, records, always=["race"]), **rule) == ("race",)
    young = {"age": (-INF, 27), "age_group": ["under 25"], "race": ["black"]}
    sensitive = ("age", "age_group", "race")
    assert said(Wording(SCHEMA, records, always=sensitive), **young) == ("age_group", "race")


def test_a_condition_that_everybody_meets_is_said_if_it_is_the_only_one(records):
    wording = Wording(SCHEMA, records)
    assert wording.sentence(SCHEMA.rule({"age": (1, INF)}, "low")) == (
        "If age is at least 1, then low."
    )
    assert said(wording, age=(1, INF), priors=(3, INF)) == ("priors",)


@given(worlds(), st.integers(1, 10), st.sets(st.sampled_from(["age", "score", "city", "sex"])))
def test_what_is_said_covers_the_same_records(world: World, evidence, always):
    records = world.reference.records
    wording = Wording(world.schema, records, always=always, evidence=evidence)
    for rule in world.rules:
        spoken = wording.spoken_premises(rule)
        assert sorted((*spoken.said, *spoken.unsaid), key=lambda named: named[0]) == sorted(
            rule.premises, key=lambda named: named[0]
        )
        assert bool(spoken.said) == bool(rule.premises)
        shorter = world.schema.rule(dict(spoken.said), rule.outcome)
        assert records.coverage(shorter) == records.coverage(rule)
        again = Wording(world.schema, records, always=always, evidence=evidence)
        assert again.spoken_premises(rule) == spoken


def test_sentences_of_many_rules_take_no_time(records):
    rng = np.random.default_rng(1)
    rules = [
        SCHEMA.rule(
            {
                "age": (int(low), int(low) + 20),
                "age_group": ["under 25", "25 to 45"],
                "race": [race],
                "priors": (int(few), INF),
            },
            "high",
        )
        for low, few, race in zip(
            rng.integers(0, 60, 1_500),
            rng.integers(0, 9, 1_500),
            rng.choice(["black", "white"], 1_500),
            strict=True,
        )
    ]
    wording = Wording(SCHEMA, records)
    start = time.process_time()
    for rule in rules:
        wording.sentence(rule)
    assert time.process_time() - start < 1
