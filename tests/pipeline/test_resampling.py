"""Rules that stay: drawn anew the same way each time, and counted as one would by hand."""

import json

import numpy as np
import pytest

from glocalx.evaluation.returning import steadiness_said, with_returns
from glocalx.extraction.local_rule import LocalRule
from glocalx.files import read_theory, write_theory
from glocalx.files.journals import ResamplesJournal, ResamplesReader
from glocalx.merging.iterate import merged
from glocalx.merging.search import MergeSettings
from glocalx.pipeline.resampling import Resample, drawn_places, iter_resamples
from glocalx.pipeline.settings import SelectionSettings
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import similarity
from glocalx.rules.idle import without_idle
from glocalx.rules.steering import HandMark, Steering
from glocalx.steering import steered_theory
from tests.merging.test_hierarchy import many_rules

CHOSEN = SelectionSettings("budget", 5)


@pytest.fixture(scope="module")
def world():
    return many_rules()


@pytest.fixture(scope="module")
def local_rules(world):
    rules = zip(world.rules, range(200), strict=True)
    return [LocalRule(rule, record, 1, 1, 1, ()) for rule, record in rules]


@pytest.fixture(scope="module")
def resamples(world, local_rules):
    return list(
        iter_resamples(local_rules, world.reference, MergeSettings(), CHOSEN, seed=3, number=3)
    )


def test_the_same_seed_draws_the_same_and_work_can_go_on(world, local_rules, resamples):
    later = list(
        iter_resamples(
            local_rules, world.reference, MergeSettings(), CHOSEN, seed=3, start=2, number=3
        )
    )
    assert later == resamples[2:]
    assert len({each.path for each in resamples}) == 3
    assert len(np.unique(drawn_places(1000, 3, 0))) == pytest.approx(632, abs=50)


def test_taken_records_are_covered_as_they_were(world):
    places = drawn_places(200, 0, 0)
    drawn = world.reference.taken(places)
    for rule in world.rules[:20]:
        bits, before = drawn.records.coverage(rule), world.reference.records.coverage(rule)
        assert [bits >> i & 1 for i in range(200)] == [before >> int(p) & 1 for p in places]
    assert list(drawn.labels) == [world.labels[place] for place in places]


def test_a_rule_returns_as_often_as_one_counts(world, resamples):
    reference = world.reference
    theory = RankedTheory.of(resamples[0].path[:5], reference)
    chosen = [each.chosen(CHOSEN, reference, 3) for each in resamples]
    for limit in (0.3, 0.5, 0.9):
        steady = with_returns(theory, chosen, reference, reference, limit)
        for ranked in steady.ranked:
            own = reference.records.coverage(ranked.rule)
            times = 0
            for rules in chosen:
                alike = [
                    similarity(own, reference.records.coverage(rule))
                    for rule in rules
                    if rule.outcome == ranked.rule.outcome
                ]
                times += max(alike, default=0) >= limit
            assert ranked.returns.times == times >= 1  # it is in the first one itself
            assert ranked.returns.precision[0] <= ranked.agreed / ranked.covered
            assert ranked.returns.precision[1] >= ranked.agreed / ranked.covered
    assert steadiness_said(steady) == ("", "")
    alone = with_returns(theory, [[], []], reference, reference)
    assert steadiness_said(alone)[0] == "Rules 1, 2, 3 and 4 never return."


def test_a_rule_by_hand_has_no_resamples_and_the_file_keeps_both(world, resamples, tmp_path):
    reference = world.reference
    theory = RankedTheory.of(resamples[0].path[:2], reference)
    object.__setattr__(theory.ranked[0], "mark", HandMark("written"))
    steady = with_returns(theory, [each.path for each in resamples], reference, reference)
    assert [each.returns.times is None for each in steady.ranked] == [True, False]
    write_theory(tmp_path / "theory.json", steady)
    assert read_theory(tmp_path / "theory.json") == steady
    items = json.loads((tmp_path / "theory.json").read_text())["rules"]
    assert items[1]["returns"]["of"] == 3
    assert items[1]["returns"]["limit"] == 0.5


def test_a_journal_brings_resamples_back(world, resamples, tmp_path):
    with ResamplesJournal(tmp_path / "r.jsonl", {"key": "k"}) as journal:
        for each in resamples:
            journal.add_resample(each)
    lines = ResamplesReader(tmp_path / "r.jsonl", world.schema).refresh()
    assert [Resample(*line) for line in lines] == resamples


@pytest.mark.parametrize("by", [("alpha", 4), ("alpha_q", 90.0)])
def test_the_papers_ways_choose_among_what_merging_left(world, resamples, by):
    for each in resamples:
        chosen = each.chosen(SelectionSettings(*by), world.reference, 3)
        drawn = world.reference.taken(drawn_places(200, 3, each.number))
        assert chosen
        assert set(chosen) <= set(without_idle(each.left, drawn))


def test_alpha_together_chooses_among_every_rule(world, local_rules, resamples):
    selection = SelectionSettings("alpha", 4, together=True)
    first = resamples[0]
    drawn = world.reference.taken(drawn_places(200, 3, first.number))
    there = set(drawn_places(200, 3, first.number).tolist())
    rules = [each.rule for each in local_rules if each.record in there]
    whole = steered_theory(merged(rules, drawn), drawn, Steering(), alpha=4)
    assert set(first.chosen(selection, world.reference, 3)) == set(whole.rules)
    older = first._replace(together=())  # as earlier versions kept it
    for rule in older.chosen(selection, world.reference, 3):  # of one left, perhaps shorter
        assert any(set(rule.premises) <= set(each.premises) for each in first.left)


def test_bars_hold_in_resamples(world, local_rules):
    barred = SelectionSettings("budget", 5, ({"bar": "y"},))
    (only,) = iter_resamples(local_rules, world.reference, MergeSettings(), barred, number=1)
    assert {name for rule in only.path for name in rule.features} == {"x"}
