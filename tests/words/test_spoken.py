"""The words of features: what is refused, and that files carry them or do without."""

import json

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.files import read_theory, write_theory
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.scoring import Reference
from glocalx.table.roles import Choices
from glocalx.words.spoken import FORMS, Spoken

WORDS = Spoken(
    called="prior offences",
    short="priors",
    noun=("prior offence", "prior offences"),
    forms={"at_least": "{n} prior offences or more"},
    says={"yes": "again"},
    says_not={"no": "again"},
    values={"1": "one"},
)

words = st.text("abc {", min_size=1).filter(str.strip)
by_name = st.dictionaries(words, words, max_size=2)


@st.composite
def spokens(draw):
    forms = {
        name: " ".join([draw(words), *(f"{{{place}}}" for place in sorted(places))])
        for name, places in FORMS.items()
        if draw(st.booleans())
    }
    return Spoken(
        draw(st.none() | words),
        draw(st.none() | words),
        draw(st.none() | st.tuples(words, words)),
        forms,
        draw(by_name),
        draw(by_name),
        draw(by_name),
    )


@given(spokens())
def test_words_round_trip_through_json(spoken):
    assert Spoken.from_dict(json.loads(json.dumps(spoken.to_dict()))) == spoken


def test_what_is_filled_in_is_not_filled_in_again():
    spoken = Spoken(forms={"between": "{a} to {b}"})
    assert spoken.form("between", a="{b}", b="{a}") == "{b} to {a}"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"forms": {"at_lest": "{n}"}}, "There is no form “at_lest”. Use one of “at_least”"),
        ({"forms": {"at_least": "old"}}, "The form “at_least” reads “old”. It needs “{n}”."),
        ({"forms": {"between": "{a}"}}, "It needs “{a}” and “{b}”."),
        ({"forms": {"none": "no {n}"}}, "It has no place for a number."),
        ({"forms": ["{n}"]}, "stands where words should"),
        ({"says": {"yes": 1}}, "“1” stands where words should."),
        ({"short": " "}, "stands where words should"),
        ({"noun": ["one"]}, "are two, for one and for many"),
        ({"noun": "ab"}, "are two, for one and for many"),
        ({"colour": "red"}, "There are no words called “colour” for a feature."),
        ([], "The words for a feature are no JSON object."),
    ],
)
def test_words_that_cannot_be_are_refused(data, sentence):
    with pytest.raises(GLocalXError) as raised:
        Spoken.from_dict(data)
    assert sentence in str(raised.value)


def schema_with(spoken, labels=None):
    features = (Feature("priors", "integer", spoken=spoken), Feature("x", "numeric"))
    return Schema(features, ("0", "1"), labels or {})


def theory_of(schema):
    frame = pd.DataFrame({"priors": [0, 3, 6, 9], "x": [0.5, 1.5, 2.5, 3.5]})
    reference = Reference(Records(schema, frame), ("0", "0", "1", "1"))
    return RankedTheory.of([schema.rule({"priors": (5, 99)}, "1")], reference)


def test_a_file_carries_the_words(tmp_path):
    path = tmp_path / "theory.json"
    write_theory(path, theory_of(schema_with(WORDS, {"1": "High risk"})))
    schema = read_theory(path).schema
    assert schema["priors"].spoken == WORDS
    assert schema["x"].spoken is None
    assert schema.outcome_labels == {"1": "High risk"}


def test_a_file_from_before_the_words_still_opens(tmp_path):
    path = tmp_path / "theory.json"
    theory = theory_of(schema_with(WORDS, {"1": "High risk"}))
    write_theory(path, theory)
    document = json.loads(path.read_text(encoding="utf-8"))
    del document["schema"]["features"][0]["spoken"], document["schema"]["outcome_labels"]
    path.write_text(json.dumps(document), encoding="utf-8")
    old = read_theory(path)
    assert old == theory
    assert old.schema["priors"].spoken is None


def test_a_file_with_broken_words_is_refused_in_one_sentence(tmp_path):
    path = tmp_path / "theory.json"
    write_theory(path, theory_of(schema_with(WORDS)))
    text = path.read_text(encoding="utf-8").replace("{n} prior offences or more", "many")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GLocalXError, match="cannot be used: the form “at_least” reads “many”"):
        read_theory(path)


def test_words_are_no_part_of_what_a_table_is():
    frame = pd.DataFrame({"priors": [1, 2], "x": [0.5, 1.5]})
    plain, worded = schema_with(None), schema_with(WORDS, {"1": "High risk"})
    assert plain == worded
    assert hash(plain) == hash(worded)
    assert plain.difference(worded) is None
    assert Records(plain, frame).fingerprint() == Records(worded, frame).fingerprint()


def test_a_new_label_leaves_what_the_values_mean():
    choices = Choices(spoken={"a": WORDS, "b": Spoken(short="b")})
    choices = choices.with_label("a", "A").with_label("b", "B").with_label("c", "C")
    assert choices.labels == {"a": "A", "b": "B", "c": "C"}
    assert choices.spoken == {"a": Spoken(values={"1": "one"})}
