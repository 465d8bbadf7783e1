"""What only the model can answer, on pages: changes that work, what its answers rest on."""

from __future__ import annotations

import pandas as pd
import pytest

from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import DataSettings, RuleSettings, RunSettings
from glocalx.questions.shapley import ShapleyValues
from glocalx.rules.what_if import explain_values, missed
from glocalx.words.figures import percent
from glocalx.workspace.opened_run import OpenedRun
from glocalx.workspace.store import Workspace
from tests.ui.reading import address, texts
from ui.data.may_change import permissions_of, with_way
from ui.opened import (
    black_box_of,
    explained_of,
    local_rules_of,
    shared_of,
    table_of,
    theory_of,
    wording_of,
)
from ui.record_story import frame_of, record_at, written_for
from ui.text import plain
from ui.theory.rests_on import curve_of, named_in, reliance_of
from ui.working_changes import changes_of

OWNER = "browser:tester"


@pytest.fixture(scope="module")
def german_ahead(tmp_path_factory):
    place = Workspace(tmp_path_factory.mktemp("german"))
    settings = RunSettings(data=DataSettings(sample="german"), rules=RuleSettings(records=12))
    run = place.create(OWNER, "German credit", settings)
    for _ in OpenedRun(run).iter_to("merge"):
        pass
    return place.run(run.id)


@pytest.fixture
def german_run(placed, german_ahead):
    return placed(german_ahead)


def test_what_pages_show_is_confirmed_by_the_black_box(german_run):
    box, facts = black_box_of(german_run), explained_of(german_run)
    explain = shared_of(german_run).explain
    sensitive = set(table_of(german_run).sensitive)
    assert sensitive & set(facts.schema.names)
    found_some = 0
    for local in local_rules_of(german_run)[:6]:
        record = {name: explain.iloc[local.record][name] for name in facts.schema.names}
        found = changes_of(german_run, record, local.hints)
        assert found.outcome == local.rule.outcome
        for change in found.changes:
            row = frame_of(german_run, tuple(change.applied(record).items()))
            assert box.labels(row)[0] == change.outcome != found.outcome
            assert not {each.feature for each in change.changes} & sensitive
            found_some += 1
    assert found_some


def test_local_rules_and_global_theory_tell_them(page, german_run):
    record = local_rules_of(german_run)[0].record + 1
    said = texts(page("local_rules.py", german_run, record=str(record)))
    assert "Each was put to the black box" in said
    assert "ewest features" in said
    assert "left alone because" in said
    said = texts(page("global_theory.py", german_run))
    assert "What would change the answer" in said
    assert "Each was put to the black box" in said


def test_a_record_is_one_story_in_words(page, german_run):
    local = local_rules_of(german_run)[1]
    said = texts(page("local_rules.py", german_run, record=str(local.record + 1)))
    facts, box = explained_of(german_run), black_box_of(german_run)
    row = shared_of(german_run).explain.iloc[[local.record]]
    sure = box.probabilities(row)[0, box.outcomes.index(local.rule.outcome)]
    (story,) = [line for line in said.splitlines() if line.startswith("The black box says")]
    assert f"and is {percent(float(sure))} sure." in story
    assert "Around this record it is enough that the rule above holds" in story
    assert f"says the same of {local.agreed:,}" in story
    theory = theory_of(german_run)
    why = explain_values(theory, {name: row[name].iloc[0] for name in facts.schema.names})
    named = "No global rule applies" if why.deciding is None else f"rule **{why.deciding + 1}**"
    assert named in story
    agrees = why.outcome == local.rule.outcome
    assert story.endswith("says the same." if agrees else "instead.")


def test_shapley_values_stand_beside_the_rule_or_one_line_says_how(page, german_run, monkeypatch):
    local = local_rules_of(german_run)[1]
    record = str(local.record + 1)
    monkeypatch.setattr("ui.local_rules.reading.is_installed", lambda: False)
    assert "requirements-shapley.txt" in texts(page("local_rules.py", german_run, record=record))
    names = explained_of(german_run).schema.names
    made = ShapleyValues(local.rule.outcome, 0.2, 0.9, tuple((name, 0.1) for name in names[:7]))
    monkeypatch.setattr("ui.local_rules.reading.is_installed", lambda: True)
    monkeypatch.setattr("ui.local_rules.reading.shapley_values", lambda *args, **options: made)
    test = page("local_rules.py", german_run, record=record)
    test.toggle(key="shapley").set_value(True).run()
    assert not test.exception
    said = texts(test)
    assert "20 % on average and 90 % here" in said
    assert "all others +10.0" in said


def test_a_rule_written_for_a_held_out_record_covers_it_and_says_what_the_model_says(german_run):
    facts, box = explained_of(german_run), black_box_of(german_run)
    record = record_at(facts, 3)
    local = written_for(german_run, record)
    assert not missed(local.rule, record)
    assert local.rule.outcome == box.labels(facts.split.test.iloc[[3]])[0]
    score = facts.reference.score(local.rule)
    assert (local.covered, local.agreed) == (score.covered, score.agreed)
    strange = next(each.name for each in facts.schema.features if each.is_categorical)
    assert written_for(german_run, {**record, strange: "never seen"}) is None


def test_where_a_stand_in_is_asked_it_is_said(page, german_run, monkeypatch):
    monkeypatch.setattr("ui.whom.stands_in", lambda box: True)
    record = local_rules_of(german_run)[0].record + 1
    for name in ("local_rules.py", "global_theory.py"):
        said = texts(page(name, german_run, record=str(record)))
        assert "a stand-in that learned them was asked" in said
        assert "Each was put to the stand-in" in said
        assert "put to the black box" not in said


def test_without_the_black_box_nothing_is_proposed(page, finished_run):
    said = texts(page("global_theory.py", finished_run))
    assert "The black box is not here, so no change can be put to it" in said
    assert "Each was put to" not in said


def test_what_may_change_is_said_on_the_data_page(page, finished_run, workspace):
    test = page("data_and_model.py", finished_run)
    never = next(each for each in test.multiselect if each.label == "Never changes")
    table = table_of(finished_run)
    assert set(never.value) == set(table.sensitive)
    never.set_value([*never.value, "priors_count"]).run()
    saved = workspace.run(finished_run.id)
    assert saved.settings.data.may_change == {"priors_count": "never"}
    assert not saved.missing("merge")
    up = next(each for each in test.multiselect if each.label == "Only goes up")
    up.set_value(["priors_count"]).run()
    assert "stands in the list “Never changes” already" in "".join(e.value for e in test.error)
    assert workspace.run(finished_run.id).settings.data.may_change == {"priors_count": "never"}


def test_a_sensitive_feature_that_is_taken_out_may_change(finished_run):
    table = table_of(finished_run)
    first, *others = table.sensitive
    said = with_way({}, table, "never", others)
    assert said == {first: "any"}
    assert with_way(said, table, "never", list(table.sensitive)) == {}
    number = next(c.name for c in table.features if c.kind == "integer" and c.role == "feature")
    assert with_way({}, table, "up", [number]) == {number: "up"}
    with pytest.raises(GLocalXError, match="Take it out there first"):
        with_way({number: "down"}, table, "up", [number])
    assert permissions_of(finished_run, table).way(first) == "never"


def test_what_the_models_answers_rest_on_stands_beside_the_rules(page, german_run):
    found = reliance_of(german_run)
    named = named_in(german_run, german_run.settings.selection)
    test = page("global_theory.py", german_run)
    said = texts(test)
    assert f"{found.records:,} held-out records, each column shuffled 20 ×" in said
    unnamed = found.unnamed(named)
    assert unnamed  # a forest uses more than a few rules name
    flagged = "".join(each.value for each in test.warning)
    assert "The model also uses **" in flagged
    assert said.count("no rule names it") >= 2  # in its card, and in the verdict
    assert "“otherwise” decides" in said


def test_the_answer_moves_along_a_feature_that_is_chosen(page, german_run):
    test = page("global_theory.py", german_run)
    first = reliance_of(german_run).features[0].feature
    choice = test.selectbox(key="along")
    assert choice.value == first
    assert "all else as it was" in texts(test)
    other = next(
        each
        for each in explained_of(german_run).schema.features
        if each.is_categorical and each.name != first
    )
    choice.set_value(other.name).run()
    assert not test.exception
    assert test.query_params["along"] in ([other.name], other.name)
    curve = curve_of(german_run, other.name, ())
    box, held = black_box_of(german_run), shared_of(german_run).test
    assert curve.records == len(held)
    assert {stop.value for stop in curve.stops} <= set(held[other.name])
    given = held.assign(**{other.name: curve.stops[0].value}).astype(held.dtypes)
    mean = box.probabilities(given).mean(axis=0)
    assert curve.stops[0].levels == pytest.approx(mean.tolist())


def test_without_the_model_only_the_rules_are_asked(page, finished_run):
    said = texts(page("global_theory.py", finished_run))
    assert "The model is not here, so only the rules could be asked." in said
    assert "The model also uses" not in said
    assert "it cannot be asked along a feature" in said


def test_other_records_are_told_and_a_bad_file_is_refused(page, german_run):
    box, explain = black_box_of(german_run), shared_of(german_run).explain[:6]
    test = page("global_theory.py", german_run)
    upload = test.file_uploader(key="other_records")
    upload.set_value(("new.csv", explain.to_csv(index=False).encode(), "text/csv")).run()
    assert not test.exception
    (made,) = [each.value for each in test.dataframe if "a change that works" in each.value]
    assert "The black box says" in texts(test)  # the story of the first of them
    wording = wording_of(german_run)
    expected = [wording.outcome(str(each)) for each in box.labels(explain)]
    assert made["model says"].tolist() == expected
    differ = (made["rules say"] != made["model says"]).sum()
    assert f"Rules and black box differ on **{differ}** of them" in texts(test)
    assert made["a change that works"].notna().any()
    changed = made[made["answer then"].notna()]
    assert (changed["answer then"] != changed["model says"]).all()
    upload = test.file_uploader(key="other_records")
    upload.set_value(("new.csv", b"age,job\n30,x\n31,y\n", "text/csv")).run()
    assert "lacks the columns" in "".join(each.value for each in test.error)


def test_a_flip_is_chosen_counted_and_written_into_the_address(page, german_run):
    """Asked again record by record: the model about those of one group, put into another."""
    at = page("audit.py", german_run, column=["sex", "age"], flip="sex=x>y")
    assert not at.exception
    assert "the change “sex\\=x\\>y”" in texts(at)
    first, second = (at.selectbox(key=f"audit_{end} sex").value for end in ("from", "to"))
    at.selectbox(key="audit_from sex").set_value(second).run()
    at.selectbox(key="audit_to sex").set_value(first).run()
    assert address(at, "flip") == [f"sex={second}>{first}"]
    box, held = black_box_of(german_run), shared_of(german_run).test
    moved = {}
    for own, other in ((second, first), (first, second)):
        mine = held[held["sex"] == own]
        after = mine.assign(sex=pd.array([other] * len(mine), dtype=mine["sex"].dtype))
        before, then = (box.labels(each) for each in (mine, after))
        moved[own] = int((before != then).sum()), len(mine)
    changed, size = moved[second]
    in_all, asked = (sum(counts) for counts in zip(*moved.values(), strict=True))
    assert f"{plain('With only Sex changed:')} **{in_all} of {asked}**" in texts(at)
    assert f"Only {plain(f'Sex from {second} to {first}')}" in texts(at)
    assert f"**{changed} of {size}**" in texts(at)
    again = page("audit.py", german_run, column=["sex", "age"], flip=address(at, "flip"))
    assert f"**{changed} of {size}**" in texts(again)
    at.pills(key="audit_flip_columns").set_value(["sex", "age"]).run()
    assert len(address(at, "flip")) == 2
    at.toggle(key="audit_along").set_value(True).run()
    assert address(at, "along") == ["yes"]
    assert not at.exception
