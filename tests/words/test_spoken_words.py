"""Conditions in the words that people use for a feature."""

import math
from dataclasses import replace

import pytest

from glocalx.rules.schema import Feature, Schema
from glocalx.table.samples import load_sample, sample_names
from glocalx.words.spoken import Spoken
from glocalx.words.wording import Wording

INF = math.inf
RANKS = {"9": "high school", "13": "bachelor's degree", "16": "doctorate"}
SCHEMA = Schema(
    (
        Feature(
            "age",
            "integer",
            label="Age",
            unit="years",
            spoken=Spoken(
                short="age",
                forms={
                    "at_least": "aged {n} or older",
                    "at_most": "aged {n} or younger",
                    "between": "aged {a} to {b}",
                    "exactly": "aged {n}",
                },
            ),
        ),
        Feature(
            "priors_count",
            "integer",
            label="Prior offences",
            spoken=Spoken(short="priors", noun=("prior offence", "prior offences")),
        ),
        Feature(
            "gain",
            "integer",
            unit="$",
            spoken=Spoken(
                forms={"about": "a gain of {}", "none": "no gain", "some": "some gain"},
            ),
        ),
        Feature("land", "numeric", spoken=Spoken(noun=("acre", "acres"))),
        Feature("rank", "integer", spoken=Spoken(called="schooling", values=RANKS)),
        Feature("charge", "categorical", ("F", "M"), spoken=Spoken(values={"F": "felony"})),
        Feature(
            "again",
            "categorical",
            ("no", "yes"),
            spoken=Spoken(says={"yes": "re-offended", "no": "did not re-offend"}),
        ),
        Feature(
            "town",
            "categorical",
            ("Bari", "Como", "Enna", "Pisa"),
            spoken=Spoken(
                forms={"is": "born in {}", "is_not": "not born in {}"},
                says_not={"Pisa": "from elsewhere"},
            ),
        ),
        Feature("wait", "integer", unit="days"),
    ),
    ("0", "1"),
    {"1": "High risk"},
)


@pytest.mark.parametrize(
    ("name", "premise", "condition", "short"),
    [
        ("age", (33, INF), "aged 33 or older", "age ≥ 33"),
        ("age", (-INF, 43), "aged 42 or younger", "age ≤ 42"),
        ("age", (25, 45), "aged 25 to 44", "25 ≤ age < 45"),
        ("age", (25, 26), "aged 25", "age = 25"),
        ("priors_count", (5.5, INF), "at least 6 prior offences", "priors ≥ 6"),
        ("priors_count", (0.5, INF), "at least 1 prior offence", "priors ≥ 1"),
        ("priors_count", (-INF, 1.5), "at most 1 prior offence", "priors ≤ 1"),
        ("priors_count", (-INF, 0.5), "no prior offences", "priors ≤ 0"),
        ("priors_count", (0, 1), "no prior offences", "priors = 0"),
        ("priors_count", (0, 4), "at most 3 prior offences", "0 ≤ priors < 4"),
        ("priors_count", (1, 2), "exactly 1 prior offence", "priors = 1"),
        ("priors_count", (2, 5), "2 to 4 prior offences", "2 ≤ priors < 5"),
        ("priors_count", (2_000, INF), "at least 2,000 prior offences", "priors ≥ 2,000"),
        ("gain", (-INF, 1), "no gain", "gain ≤ 0"),
        ("gain", (1, INF), "some gain", "gain ≥ 1"),
        ("gain", (5_013, INF), "a gain of at least 5,013 $", "gain ≥ 5,013"),
        ("gain", (10, 21), "a gain of 10 to 20 $", "10 ≤ gain < 21"),
        ("gain", (10, 11), "a gain of exactly 10 $", "gain = 10"),
        ("land", (-INF, math.nextafter(0, 1)), "no acres", "land ≤ 0"),
        ("land", (1.5, INF), "at least 1.5 acres", "land ≥ 1.5"),
        ("land", (1.5, 2), "at least 1.5 and fewer than 2 acres", "1.5 ≤ land < 2"),
        ("rank", (13, INF), "schooling is at least bachelor's degree", "rank ≥ bachelor's degree"),
        ("rank", (-INF, 12), "schooling is at most 11", "rank ≤ 11"),
        ("charge", ["F"], "charge is felony", "charge = felony"),
        ("charge", ["M"], "charge is M", "charge = M"),
        ("again", ["yes"], "re-offended", "again = yes"),
        ("again", ["no"], "did not re-offend", "again = no"),
        ("town", ["Bari"], "born in Bari", "town = Bari"),
        ("town", ["Bari", "Como"], "born in Bari or Como", "town ∈ {Bari, Como}"),
        ("town", ["Bari", "Como", "Pisa"], "not born in Enna", "town ≠ Enna"),
        ("town", ["Bari", "Como", "Enna"], "from elsewhere", "town ≠ Pisa"),
        ("wait", (-INF, 2), "wait is at most 1 day", "wait ≤ 1"),
        ("wait", (1, 3), "wait is between 1 and 2 days", "1 ≤ wait < 3"),
    ],
)
def test_a_condition_in_peoples_words_and_in_short(name, premise, condition, short):
    rule = SCHEMA.rule({name: premise}, "1")
    assert Wording(SCHEMA).sentence(rule) == f"If {condition}, then High risk."
    assert Wording(SCHEMA).short(rule) == short


def test_the_notation_keeps_the_names_and_values_of_the_table():
    rule = SCHEMA.rule({"priors_count": (6, INF), "rank": (13, INF), "charge": ["F"]}, "1")
    assert Wording(SCHEMA).rule(rule) == "charge = F and priors_count ≥ 6 and rank ≥ 13 → 1"


def test_values_by_their_labels():
    wording = Wording(SCHEMA)
    assert wording.value("rank", 13) == "bachelor's degree"
    assert wording.value("rank", 13.0) == "bachelor's degree"
    assert wording.value("rank", 11) == "11"
    assert wording.value("charge", "F") == "felony"
    assert wording.value("wait", 1) == "1 day"
    assert wording.value("wait", 13) == "13 days"
    assert wording.asked("rank", SCHEMA["rank"].above(12)) == "≥ bachelor's degree"
    assert [wording.outcome(outcome) for outcome in SCHEMA.outcomes] == ["0", "High risk"]
    assert (wording.name("priors_count"), wording.name("charge")) == ("Prior offences", "charge")
    assert (wording.name("age"), wording.short_name("age")) == ("Age", "age")


def test_a_persons_own_label_takes_the_place_of_the_phrases():
    compas = load_sample("compas").with_label("priors_count", "Earlier crimes")
    schema = compas.schema()
    rule = schema.rule({"priors_count": (6, INF)}, "High")
    assert Wording(schema).sentence(rule) == "If Earlier crimes is at least 6, then High risk."
    assert Wording(schema).short(rule) == "Earlier crimes ≥ 6"
    relabelled = load_sample("adult").with_label("education_level", "School").schema()
    rule = relabelled.rule({"education_level": (13, INF)}, ">50K")
    assert Wording(relabelled).sentence(rule, outcome=False) == (
        "If School is at least bachelor's degree."
    )


def test_the_sentence_and_the_notation_of_the_design():
    schema = load_sample("compas").schema()
    rule = schema.rule(
        {"age": (-INF, 43), "priors_count": (5.5, INF), "two_year_recid": ["yes"]}, "High"
    )
    assert Wording(schema).sentence(rule) == (
        "If aged 42 or younger, at least 6 prior offences and re-offended within two years, "
        "then High risk."
    )
    rule = schema.rule({"priors_count": (5.5, INF), "length_of_stay": (-INF, 48.5)}, "High")
    assert Wording(schema).short(rule) == "priors ≥ 6 · jail days ≤ 48"


@pytest.mark.parametrize("sample", sample_names())
def test_every_feature_of_a_sample_has_its_words(sample):
    table = load_sample(sample)
    schema = table.schema()
    wording = Wording(schema)
    bare = Wording(Schema(tuple(replace(f, spoken=None) for f in schema.features), ("0", "1")))
    assert set(schema.outcome_labels) == set(schema.outcomes)
    for feature in schema.features:
        assert feature.spoken is not None
        assert set(feature.spoken.says) | set(feature.spoken.says_not) <= feature.domain
        assert "_" not in wording.short_name(feature.name)
        if feature.is_categorical:
            premises = [feature.allowed([value]) for value in feature.categories]
            premises += [feature.allowed(feature.domain - {v}) for v in feature.categories]
        else:
            middle = float(table.frame[feature.name].median())
            premises = [feature.at_most(middle), feature.above(middle), feature.at_most(0)]
        for premise in premises:
            condition = wording.condition(feature.name, premise)
            assert "_" not in condition
            assert condition != bare.condition(feature.name, premise)


@pytest.mark.parametrize("name", sample_names())
def test_what_samples_say_reads_well_after_if(name: str):
    for column in load_sample(name).columns:
        spoken = column.spoken or Spoken()
        for phrase in (*spoken.says.values(), *spoken.says_not.values()):
            assert not phrase.startswith(("a ", "an ")), phrase
