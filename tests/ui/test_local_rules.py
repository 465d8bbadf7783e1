"""The page Local rules, in each state that a run can be in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from glocalx.workspace.run import PROGRESS, Run
from glocalx.workspace.store import Workspace
from tests.ui.conftest import OWNER
from tests.ui.reading import button, labels, texts

PAGE = "local_rules.py"
Open = Callable[..., AppTest]


def keep_rules(run: Run, count: int) -> None:
    """As if the work had been cut off after so many rules."""
    lines = run.file("rules").read_text(encoding="utf-8").splitlines(keepends=True)
    run.file("rules").write_text("".join(lines[: count + 1]), encoding="utf-8")


def test_without_a_black_box_it_leads_there(page: Open, new_run):
    test = page(PAGE, new_run())
    assert "No black box has been asked yet" in texts(test)
    assert "Go to Data and model" in labels(test)


@pytest.mark.usefixtures("apart")
def test_without_rules_it_offers_to_write_them(page: Open, finished_run: Run):
    finished_run.file("rules").unlink()
    test = page(PAGE, finished_run)
    assert "No local rules yet" in texts(test)
    assert "**1,515** records were set apart" in texts(test)
    assert any(said.value.startswith("1,515 rules; how long") for said in test.caption)
    assert [each.label for each in test.button if each.proto.type == "primary"] == [
        "Write local rules"
    ]


def test_finished_rules_can_be_browsed(page: Open, finished_run: Run):
    test = page(PAGE, finished_run)
    assert "**1,515** of 1,515 rules (252 different)" in texts(test)
    assert "No rule selected. Select a row" in texts(test)
    assert len(test.dataframe[0].value) == 1515
    assert "See how they were merged" in labels(test)


def test_filters_narrow_the_table_and_an_empty_one_says_so(page: Open, finished_run: Run):
    test = page(PAGE, finished_run)
    test.text_input(key="search").set_value("RACE caucasian").run()
    few = test.dataframe[0].value
    assert 0 < len(few) < 1515
    assert few["short"].str.contains("Caucasian").all()
    test.multiselect(key="uses").set_value(["race", "is_recid"]).run()
    assert 0 < len(test.dataframe[0].value) < len(few)
    test.text_input(key="search").set_value("zebra").run()
    assert not test.dataframe
    assert "No rule matches. Loosen a filter" in texts(test)


def test_outcome_length_and_shares_narrow_it_too(page: Open, finished_run: Run):
    test = page(PAGE, finished_run)
    test.button_group(key="outcome").set_value(["High"]).run()
    high = test.dataframe[0].value
    assert set(high["then"].explode()) == {"High risk"}
    test.slider(key="covers").set_value((1, 100)).run()
    wide = test.dataframe[0].value
    assert wide["coverage"].min() >= 1
    assert 0 < len(wide) < len(high)
    test.slider(key="agrees").set_value((100, 100)).run()
    assert set(test.dataframe[0].value["precision"]) == {100.0}


def test_equal_rules_are_shown_once(page: Open, finished_run: Run):
    test = page(PAGE, finished_run, once="true")
    assert len(test.dataframe[0].value) == 252


def test_the_address_says_which_rule_is_read(page: Open, finished_run: Run):
    test = page(PAGE, finished_run, record="86")
    sentence = test.header[0].value
    assert sentence.startswith("If **aged 39 or younger**\\, **race is African\\-American**")
    assert sentence.endswith("then :orange[**High risk**]\\.")
    assert [each.label for each in test.metric] == ["Covers", "Agrees", "Overall"]
    record = test.dataframe[1].value
    asked = record["Rule asks for"].str.startswith("✓").tolist()
    assert asked == sorted(asked, reverse=True)
    assert sum(asked) == 5
    assert "which then gave that answer" in texts(test)
    assert "Lower risk] with **Re\\-offended within two years\\: no**" in texts(test)
    assert "not confirmed" not in texts(test)


def test_a_number_without_a_rule_is_said(page: Open, finished_run: Run):
    assert "There is no rule for record 9,999" in texts(page(PAGE, finished_run, record="9999"))


def test_what_was_searched_for_stays_with_its_run(page: Open, finished_run: Run, workspace):
    other = workspace.duplicate(finished_run, OWNER)
    test = page(PAGE, finished_run, record="8", search="felony")
    assert len(test.dataframe[0].value) < 1515
    test.query_params["run"] = other.id
    test.run()
    assert len(test.dataframe[0].value) == 1515
    assert "No rule selected" in texts(test)


@pytest.mark.usefixtures("apart")
def test_half_way_it_shows_what_is_there_and_goes_on(page: Open, finished_run: Run):
    keep_rules(finished_run, 100)
    test = page(PAGE, finished_run, record="5")
    assert "**100** of 100 rules so far" in texts(test)
    assert "Not all rules are written yet" in texts(test)
    assert "Go on" in labels(test)
    assert button(test, "Merge these rules").disabled
    assert test.header[0].value.startswith("If ")


@pytest.mark.usefixtures("apart")
def test_stopped_work_can_go_on(page: Open, finished_run: Run):
    keep_rules(finished_run, 100)
    facts = {"state": "stopped", "stage": "rules", "until": "rules"}
    (finished_run.folder / PROGRESS).write_text(json.dumps(facts), encoding="utf-8")
    test = page(PAGE, finished_run)
    assert "Stopped. What was made is kept." in texts(test)
    assert labels(test).count("Go on") == 1


@pytest.mark.usefixtures("apart")
def test_failed_work_gives_its_reason(page: Open, finished_run: Run):
    finished_run.file("rules").unlink()
    facts = {"state": "failed", "sentence": "The *sky* fell. Look up."}
    (finished_run.folder / PROGRESS).write_text(json.dumps(facts), encoding="utf-8")
    test = page(PAGE, finished_run)
    assert test.error[0].value == "The \\*sky\\* fell\\. Look up\\."
    assert "Write local rules" in labels(test)


def test_other_settings_ask_before_anything_is_lost(
    page: Open, finished_run: Run, workspace: Workspace
):
    test = page(PAGE, finished_run)
    assert "Write them again" not in labels(test)
    test.number_input(key=f"write_{finished_run.id}_records").set_value(60).run()
    assert "merging has to be done again" in texts(test)
    assert {"Write them again", "Write them in a copy"} <= set(labels(test))
    assert workspace.run(finished_run.id).done("merge")


def test_write_again_saves_the_settings_and_starts(
    page: Open, finished_run: Run, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
):
    started = []
    monkeypatch.setattr("ui.work.start", lambda run, until: started.append((run.id, until)))
    test = page(PAGE, finished_run)
    test.number_input(key=f"write_{finished_run.id}_records").set_value(60).run()
    button(test, "Write them again").click().run()
    assert started == [(finished_run.id, "rules")]
    saved = workspace.run(finished_run.id)
    assert saved.settings.rules.records == 60
    assert not saved.begun("rules")


def test_merging_starts_with_the_button(
    page: Open, finished_run: Run, monkeypatch: pytest.MonkeyPatch
):
    started, went = [], []
    monkeypatch.setattr("ui.work.start", lambda run, until: started.append(until))
    monkeypatch.setattr("ui.layout.go", lambda page, run: went.append(page))
    finished_run.file("merge").unlink()
    test = page(PAGE, finished_run)
    assert any(said.value.startswith("252 different rules, 2 to ") for said in test.caption)
    button(test, "Merge these rules").click().run()
    assert (started, went) == (["merge"], ["pages/merge.py"])


def test_somebody_else_can_read_and_change_nothing(page: Open, finished_run: Run, workspace):
    other = workspace.save(workspace.duplicate(finished_run, "browser:somebody"), link="table")
    test = page(PAGE, other, record="5", search="priors")
    assert "somebody else’s run" in texts(test)
    assert test.header[0].value.startswith("If ")
    assert [each.value for each in test.text_input if each.label == "Search"] == ["priors"]
    assert not [each for each in test.number_input if each.key.startswith("write_")]
    assert "In a copy of your own" in texts(test)
    assert button(test, "Write this rule with 5 seeds").disabled
    other.file("merge").unlink()
    assert "Merge these rules" not in labels(page(PAGE, other))


@pytest.fixture
def nasty_run(nasty_run: Run) -> Run:
    """Black box and rules are made, and nothing is merged."""
    nasty_run.file("merge").unlink()
    return nasty_run


def test_names_from_a_file_are_only_text(page: Open, nasty_run: Run):
    number = json.loads(nasty_run.file("rules").read_text(encoding="utf-8").splitlines()[1])
    test = page(PAGE, nasty_run, record=str(number["record"] + 1))
    said = texts(test)
    assert "<img" in test.dataframe[1].value.to_string()
    for alive in ("*b", "[x]", "<img", "$a", ":red"):
        assert not re.search(rf"(?<![\\*]){re.escape(alive)}", said)
    assert "\\*\\*b\\*\\* \\[x\\]" in said
    pills = test.button_group(key="outcome")
    assert all("**b**" not in option.content for option in pills.proto.options)


def test_the_csv_holds_no_formula(page: Open, nasty_run: Run):
    from ui.local_rules.files import rules_csv

    page(PAGE, nasty_run)
    lines = rules_csv(nasty_run).splitlines()
    assert len(lines) == 13
    cells = [cell for line in lines[1:] for cell in line.split('","')]
    assert not [cell for cell in cells if cell.lstrip('"').startswith(("=", "+", "@"))]


def test_one_click_trains_the_black_box_that_steadiness_needs(
    page: Open, finished_run: Run, monkeypatch: pytest.MonkeyPatch
):
    started = []
    monkeypatch.setattr("ui.work.start", lambda run, until: started.append(until))
    test = page(PAGE, finished_run, record="5")
    assert "trained again on this machine first" in texts(test)
    button(test, "Write this rule with 5 seeds").click().run()
    assert started == ["model"]


def test_how_long_rules_take_is_tried_here(page: Open, nasty_run: Run):
    nasty_run.file("rules").unlink()
    test = page(PAGE, nasty_run)
    assert any(re.match(r"12 rules, \d+ to \d+ seconds", said.value) for said in test.caption)


def test_it_says_which_records_got_a_rule_and_which_judge(page: Open, nasty_run: Run):
    assert "12 of the 42 records set apart to be explained got a rule" in texts(
        page(PAGE, nasty_run)
    )


@pytest.mark.parametrize(
    ("name", "value", "instead"),
    [
        ("outcome", "foo", "every outcome"),
        ("uses", "<b>no</b>", "every feature"),
        ("covers", "wide", "all"),
        ("agrees", "900", "all"),
        ("length", "none", "all"),
        ("record", "first", "none"),
    ],
)
def test_what_an_address_asks_for_and_nobody_knows_is_said(
    page: Open, finished_run: Run, name: str, value: str, instead: str
):
    (said,) = page(PAGE, finished_run, **{name: value}).info
    assert "which this page does not know" in said.value
    assert said.value.endswith(f"it shows {instead} instead.")
    assert "<b>" not in said.value


def test_a_good_address_is_not_remarked_upon(page: Open, finished_run: Run):
    good = {"outcome": "High risk", "uses": "race", "covers": "5", "record": "9999", "once": "true"}
    assert not page(PAGE, finished_run, **good).info


def test_how_steady_a_rule_is(page: Open, nasty_run: Run):
    record = json.loads(nasty_run.file("rules").read_text(encoding="utf-8").splitlines()[1])
    test = page(PAGE, nasty_run, record=str(record["record"] + 1))
    button(test, "Write this rule with 5 seeds").click().run()
    assert not test.exception
    assert "Over 5 seeds this record gets" in texts(test)
    assert "Jaccard" in texts(test)
