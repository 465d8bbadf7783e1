"""One step on the page Merge: its calculation, its words, others of its kind, its lecture."""

from glocalx.lessons.told import lines, verdict
from glocalx.merging.calculation import step_calculation
from glocalx.merging.landmarks import landmarks
from glocalx.merging.operators import Cut
from glocalx.merging.told import ToldSteps
from glocalx.plots import dropped_rule
from glocalx.words.figures import percent
from tests.ui.reading import button, texts
from tests.ui.test_merge_page import opened, step_shown
from ui.merge.interesting import FOLD
from ui.merge.rules import operations_to_draw
from ui.merge.words import StepWords
from ui.opened import colours_of, explained_of, merged_of, wording_of
from ui.text import plain


def _calculation_of(run, number, refused=None):
    facts = explained_of(run)
    return step_calculation(merged_of(run), facts.reference, number, refused)


def _shows(at, found):
    said = texts(at)
    assert plain(verdict(found)) in said
    for line in lines(found):
        assert plain(line.side_by_side) in said
        assert plain(line.merged) in said


def _open_refused(at, which):
    """Open the last pair of a list of refused ones; how many there are."""
    pairs = next(each for each in at.selectbox if each.label == "Which pair")
    place = next(place for place, name in enumerate(pairs.options) if which in name)
    pairs.select_index(place).run()
    number = next(each for each in at.number_input if each.label == "Its number in the list")
    number.set_value(number.max).run()
    assert not at.exception
    return int(number.max)


def test_the_calculation_is_that_of_the_library_and_refused_pairs_open(page, finished_run):
    hierarchy = merged_of(finished_run)
    last, told = len(hierarchy.steps), ToldSteps.of(hierarchy)
    at = page("merge.py", finished_run, merge_calculation="true")
    _shows(at, _calculation_of(finished_run, told.places[-1]))
    count = _open_refused(at, "turned down after")
    refused = _calculation_of(finished_run, last + 1, len(hierarchy.endings[0]) - 1)
    assert "so the merge is turned down" in verdict(refused)
    assert count >= len(hierarchy.endings[0])
    _shows(at, refused)


def test_pairs_turned_down_before_a_merge_that_changes_nothing_open_too(page, finished_run):
    hierarchy = merged_of(finished_run)
    told = ToldSteps.of(hierarchy)
    silent = [step for step in hierarchy.steps if step.rejected and not step.changes_rules]
    step = next(each for each in silent if told.step_of(each.number) < len(told))
    number = told.step_of(step.number)
    pairs = told.refused(hierarchy, number)
    assert step.rejected[0] in [pair.trial for pair in pairs]
    at = page("merge.py", finished_run, merge_calculation="true", step=str(number))
    assert _open_refused(at, "turned down before") == len(pairs)
    _shows(at, pairs[-1].calculation(hierarchy, explained_of(finished_run).reference))


def test_every_cut_of_the_shipped_run_is_told_and_drawn_first(finished_run):
    hierarchy, facts = merged_of(finished_run), explained_of(finished_run)
    reference = facts.reference
    words = StepWords(wording_of(finished_run), colours_of(finished_run))
    dropped = 0
    for step in ToldSteps.of(hierarchy).steps:
        drawn, said = operations_to_draw(step), words.operations(step)
        assert len(said) == len(step.cuts) + len(step.joins)
        assert drawn  # a step changes rules, and that is seen
        assert ("cut" in step.kind) == isinstance(drawn[0], Cut)
        for place, cut in enumerate(step.cuts):
            assert said[place] == words.cut(cut)  # before the joins
            if cut.after is None:
                dropped += 1
                assert cut in drawn
                assert "could never decide again and is dropped" in said[place]
                picture = dropped_rule(cut, reference, words.colours)
                assert f"covers {reference.score(cut.before).covered:,}" in picture.alt
                assert "After: nothing left: dropped whole" in picture.alt
    assert dropped


def test_what_a_step_has_more_of_stands_below_it(page, finished_run, monkeypatch):
    told = ToldSteps.of(merged_of(finished_run))
    most = max(told.steps, key=lambda step: len(step.joins) + len(step.cuts))
    words = StepWords(wording_of(finished_run), colours_of(finished_run))
    first, *more = words.operations(most)
    assert more
    for place in ("step", "rules"):  # the shipped run has no step with more than four of them
        monkeypatch.setattr(f"ui.merge.{place}.MOST_SENTENCES", 1)
    said = texts(page("merge.py", finished_run, step=str(most.number)))
    assert f"… and {len(more)} more of these, all of them below." in said
    below = said.partition("all of them below.")[2]
    for sentence in (first, *more):
        assert sentence in below


def test_the_lecture_view_shows_the_step_and_keeps_it(page, finished_run):
    hierarchy, reference = merged_of(finished_run), explained_of(finished_run).reference
    told = ToldSteps.of(hierarchy)
    at = page("merge.py", finished_run, step="0", view="lecture")
    assert not at.exception
    assert [each.value for each in at.title] == ["The start"]
    at = page("merge.py", finished_run, step="120", view="lecture")
    assert [each.value for each in at.title] == ["Step 120"]
    trial = told.steps[119].trial
    assert f"{trial.bic_union:,.1f} → **{trial.bic_merged:,.1f}**" in texts(at)
    now = reference.fidelity(hierarchy.rules(told.place(120)))
    assert f"**{percent(now, 1)}**" in texts(at)
    button(at, "Step").click().run()
    assert [each.value for each in at.title] == ["Step 121"]
    button(at, "Leave lecture view").click().run()
    assert not at.exception
    assert step_shown(at) == 121


def test_all_steps_of_a_kind_are_listed_and_lead_there(page, finished_run):
    told = ToldSteps.of(merged_of(finished_run))
    cuts = [step.number for step in told.steps if "cut" in step.kind]
    at = opened(page("merge.py", finished_run, step="1"), FOLD)
    listed = next(each.value for each in at.dataframe if "What it did" in each.value)
    assert listed["Step"].tolist() == cuts
    go = next(each for each in at.selectbox if each.label == "Go to step")
    go.select(cuts[0]).run()
    assert step_shown(at) == cuts[0]


def test_the_next_step_of_a_kind(page, finished_run):
    marks = landmarks(merged_of(finished_run), explained_of(finished_run).reference)
    told = ToldSteps.of(merged_of(finished_run))
    at = page("merge.py", finished_run, step="1")
    for kind in ("cut", "fidelity drop"):
        expected = marks.after(told.places[step_shown(at) - 1], kind)
        while expected is not None and expected not in told.places:
            expected = marks.after(expected, kind)
        if expected is None:
            assert button(at, kind).disabled
            continue
        button(at, kind).click().run()
        assert step_shown(at) == told.count(expected)
