"""Exercises, cases, glossary and hand-out: what they say is what the library computes."""

import re
from html import unescape

import pytest

from glocalx.lessons import misleading
from glocalx.lessons.exercises import exercises
from glocalx.lessons.glossary import GLOSSARY
from glocalx.lessons.handout import handout
from glocalx.lessons.presets import SCENES
from glocalx.merging.told import stops
from glocalx.plots import OutcomeColours
from glocalx.words.wording import Wording


@pytest.fixture(scope="module")
def loan():
    scene = SCENES["loan"](0)
    return scene, scene.merged()


def test_answers_are_those_of_the_run(loan):
    scene, hierarchy = loan
    asked = exercises(hierarchy, scene.reference, Wording(scene.schema))
    pairs = {f"{pair.trial.similarity:.3f}": pair for pair in stops(hierarchy)}
    similar = [each for each in asked if "How similar" in each.question]
    assert len(similar) == 3  # a join, a cut, a pair turned down
    for each in similar:
        assert re.search(r"= (\d\.\d+)\.$", each.answer)[1] in pairs
    bics = {f"{pair.trial.bic_union:.2f}." for pair in stops(hierarchy)}
    assert {each.answer for each in asked if "What is their BIC" in each.question} <= bics
    agreed = scene.reference.agreement(hierarchy.rules())
    assert asked[-1].answer.startswith(f"On {agreed},")
    kept = [each.answer for each in asked if each.question.endswith("Is the merge kept?")]
    assert sorted("accepted" in answer for answer in kept) == [False, True, True]


def test_the_handout_stands_alone_and_holds_every_rule(loan):
    scene, hierarchy = loan
    wording = Wording(scene.schema)
    colours = OutcomeColours.of(scene.schema.outcomes, "deny")
    text = handout("<Loan>", scene, hierarchy, wording, colours)
    assert "<h1>&lt;Loan&gt;</h1>" in text
    assert not re.search(r"<script|src=|href=|url\(|https?:", text)
    said = unescape(text)
    for rule in (*scene.rules, *hierarchy.rules()):
        assert wording.short_rule(rule) in said
    for each in exercises(hierarchy, scene.reference, wording):
        assert each.question in said
        assert each.answer in said
    assert text.count("<rect") == len(scene.rules) + len(hierarchy.rules())
    assert text.count("<path") == 2 * scene.reference.size
    rows = re.findall(r"<tr><td>(\d+)</td><td>([\d,]+)</td><td>([\d,]+)</td><td>(\w+)</td>", text)
    records = [tuple(cell.replace(",", "") for cell in row) for row in rows]
    expected = zip(scene.frame["age"], scene.frame["amount"], scene.reference.labels, strict=True)
    assert records == [(str(n), *map(str, row)) for n, row in enumerate(expected, start=1)]


def test_terms_are_said_once():
    names = [term.name for term in GLOSSARY]
    assert len(set(names)) == len(names)
    assert {"Similarity", "Fidelity", "BIC", "Join", "Cut", "Batch"} <= set(names)


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (misleading.proxy, ["name only: district", "None of them names the group"]),
        (misleading.majority, ["94 %", "Of the 6 rare records it finds 0"]),
        (misleading.against_the_model, ["the rules change 0"]),
    ],
)
def test_cases_mislead(case, expected):
    found = case()
    for part in expected:
        assert any(part in sentence for sentence in found.told)
    assert found.check.endswith(".")


def test_few_neighbours_make_worse_rules():
    few, many = misleading.small_neighbourhood().told
    shares = [float(re.search(r"([\d.]+) %", each)[1]) for each in (few, many)]
    assert shares[0] < shares[1]


def test_some_rules_do_not_come_back():
    (first, _) = misleading.unstable().told
    rules, back = re.search(r"left (\d+) rules.* (\d+) of them came back", first).groups()
    assert int(back) < int(rules)
