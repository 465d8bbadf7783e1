"""The Global theory page in every state of a run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from glocalx.pipeline.settings import (
    BoxSettings,
    DataSettings,
    RuleSettings,
    RunSettings,
    SelectionSettings,
)
from glocalx.workspace.opened_run import OpenedRun
from tests.ui.reading import address, button, metrics, texts
from ui.opened import explained_of, merged_rules_of, theory_of

pytestmark = pytest.mark.usefixtures("no_rivals_unasked")
PAGE = "global_theory.py"
HOSTILE = ("**bold** [link](http://evil)", "<b>$x$</b> :red[age]", "since :smile:")
ANSWERS = (":red[no] `a`", "=yes() #1")


def rivals_drawn(at) -> str:
    return "".join(each.proto.spec for each in at.get("plotly_chart"))


def test_a_finished_run_shows_figures_cards_and_the_way_on(page, finished_run):
    at = page(PAGE, finished_run)
    assert metrics(at)["Rules"] == "7"
    assert 0.9 < float(metrics(at)["Fidelity, held out"].removesuffix(" %")) / 100 < 1
    assert sum("Otherwise." in each.value for each in at.markdown) == 1
    assert sum("covers **" in each.value for each in at.markdown) == 7
    assert "where both apply" in texts(at)
    assert "held out" in texts(at).lower()
    assert button(at, "Audit these rules")
    assert address(at, "by") == ["budget"]
    assert address(at, "value") == ["8"]  # as many as earn their conditions at first
    assert address(at, "price") == ["0.03"]


def test_the_budget_is_saved_with_the_run_and_in_the_address(page, finished_run, workspace):
    at = page(PAGE, finished_run)
    at.slider(key="theory_budget").set_value(4).run()
    assert metrics(at)["Rules"] == "4"
    assert sum("covers **" in each.value for each in at.markdown) == 4
    assert address(at, "value") == ["4"]
    saved = workspace.run(finished_run.id)
    assert saved.settings.selection == SelectionSettings("budget", 4, price=0.03)
    assert saved.figures["rules"] == 4
    assert not saved.missing("merge")


def test_what_a_condition_must_earn_is_said_saved_and_in_the_address(page, finished_run, workspace):
    at = page(PAGE, finished_run, price="free")
    assert "keep every condition" in texts(at)
    assert metrics(at)["Rules"] == "10"
    at.select_slider(key="theory_price").set_value("0.1").run()
    size = explained_of(finished_run).reference.size
    assert f"on at least {0.1 * size**0.5:.1f} records more, of {size:,} " in texts(at)
    saved = workspace.run(finished_run.id)
    assert saved.settings.selection == SelectionSettings("budget", 10, price=0.1)
    assert int(metrics(at)["Rules"]) == saved.figures["rules"] == theory_of(saved).size < 10
    assert (address(at, "price"), address(at, "value")) == (["0.1"], [str(at.slider[0].value)])
    assert not saved.missing("merge")
    at.select_slider(key="theory_price").set_value("free").run()
    assert metrics(at)["Rules"] == "10"  # so many were wanted


def test_rules_that_stay_are_asked_for_saved_and_in_the_address(page, finished_run, workspace):
    at = page(PAGE, finished_run)
    assert (at.toggle(key="theory_steady").value, address(at, "steady")) == (False, ["no"])
    assert "Another seed would say much of this in other rules" in texts(at)
    at.toggle(key="theory_steady").set_value(True).run()
    assert "16 parts of as many records each" in texts(at)
    saved = workspace.run(finished_run.id)
    assert saved.settings.selection == SelectionSettings("budget", 10, price=0.03, steady=True)
    assert address(at, "steady") == ["yes"]
    plain = replace(saved.settings.selection, steady=False)
    assert theory_of(saved).rules != theory_of(saved, plain).rules
    assert metrics(at)["Rules"] == str(theory_of(saved).size)
    at = page(PAGE, saved, steady="no")  # a link says otherwise
    assert not at.toggle(key="theory_steady").value
    at = page(PAGE, saved, steady="perhaps")
    assert "asks for rules that stay “perhaps”" in at.info[0].value
    assert at.toggle(key="theory_steady").value


@pytest.mark.parametrize("price", ["cheap", "0"])
def test_a_price_that_cannot_be_is_said(page, finished_run, price):
    at = page(PAGE, finished_run, price=price)
    assert f"asks for the price of a condition “{price}”" in at.info[0].value


def test_by_alpha_each_outcome_gets_as_many(page, finished_run):
    at = page(PAGE, finished_run, by="alpha", value="5")
    assert at.slider(key="theory_alpha").value == 6  # three for each of two outcomes
    assert metrics(at)["Rules"] == "5"  # there are two for one of them
    assert "Up to 3 rules for each outcome" in texts(at)


def test_alpha_takes_rules_together_unless_a_link_or_a_person_says_otherwise(
    page, finished_run, workspace
):
    at = page(PAGE, finished_run)
    at.segmented_control(key="theory_by").set_value("alpha").run()
    assert address(at, "taken") == ["together"]
    assert "together tell it best" in texts(at)
    saved = workspace.run(finished_run.id).settings.selection
    assert (saved.by, saved.together) == ("alpha", True)
    shown = theory_of(finished_run, saved)
    assert metrics(at)["Rules"] == str(shown.size)
    at.segmented_control(key="theory_taken").set_value("one-by-one").run()
    assert address(at, "taken") == ["one-by-one"]
    assert not workspace.run(finished_run.id).settings.selection.together
    assert "alone tell it best" in texts(at)


def test_a_link_that_does_not_say_means_one_by_one_as_ever(page, finished_run):
    at = page(PAGE, finished_run, by="alpha", value="6")
    assert at.segmented_control(key="theory_taken").value == "one-by-one"
    at = page(PAGE, finished_run, by="alpha", value="6", taken="together")
    assert at.segmented_control(key="theory_taken").value == "together"
    at = page(PAGE, finished_run, by="alpha", value="6", taken="blindly")
    assert "asks for rules that alpha takes “blindly”" in at.info[0].value


def test_by_alpha_quantile_in_words(page, finished_run):
    at = page(PAGE, finished_run, by="alpha_q", value="90")
    assert at.slider(key="theory_alpha_q").value == 90
    assert "about the best 10 % of the" in texts(at)
    at.slider(key="theory_alpha_q").set_value(100.0).run()
    assert metrics(at)["Rules"] == "2"


def test_changing_the_way_keeps_about_as_many_rules(page, finished_run):
    at = page(PAGE, finished_run)
    at.segmented_control(key="theory_by").set_value("alpha_q").run()
    assert 5 <= int(metrics(at)["Rules"]) <= 15
    assert address(at, "by") == ["alpha_q"]
    at.segmented_control(key="theory_by").set_value("budget").run()
    assert metrics(at)["Rules"] == "7"


@pytest.mark.parametrize("value", ["9999", "nan"])
def test_an_impossible_value_in_the_address_is_brought_into_range(page, finished_run, value):
    at = page(PAGE, finished_run, by="budget", value=value)
    slider = at.slider(key="theory_budget")
    assert slider.min <= slider.value <= slider.max


def test_a_value_beyond_the_room_is_said_until_another_is_chosen(page, finished_run):
    at = page(PAGE, finished_run, by="alpha_q", value="1e308")
    (said,) = (each.value for each in at.info)
    assert "asked for the alpha quantile 1e+308" in said
    assert "0 to 100, so 100 is shown" in said
    at.run()
    assert len(at.info) == 1
    at.slider(key="theory_alpha_q").set_value(90.0).run()
    assert not at.info


def test_what_an_address_asks_for_and_nobody_knows_is_said(page, finished_run):
    at = page(PAGE, finished_run, view="poem", asked_record="99999")
    assert [each.value.split(", which")[0] for each in at.info] == [
        "This address asks for the rules as “poem”",
        "This address asks for the held-out record “99999”",
    ]
    at.number_input(key="asked_record").set_value(3).run()
    assert len(at.info) == 1


def test_with_one_rule_for_each_outcome_all_are_kept(page, finished_run, monkeypatch):
    first = {rule.outcome: rule for rule in merged_rules_of(finished_run)}
    where = "ui.theory.ways_to_choose.merged_rules_of"
    monkeypatch.setattr(where, lambda run: tuple(first.values()))
    assert len(first) == 2
    at = page(PAGE, finished_run, by="alpha", value="2")
    assert "no outcome has more than one rule, so all are kept" in texts(at)


def test_where_no_rule_helps_the_saved_budget_is_still_one(
    page, finished_run, workspace, monkeypatch
):
    monkeypatch.setattr("ui.theory.ways_to_choose.budget_path_of", lambda run, chosen: ())
    at = page(PAGE, finished_run, by="alpha", value="4")
    at.segmented_control(key="theory_by").set_value("budget").run()
    assert "no rule agrees with the black box more often" in texts(at)
    saved = workspace.run(finished_run.id).settings.selection
    assert saved == SelectionSettings("budget", 1, price=0.03)


def test_what_a_brought_black_box_was_trained_on_is_not_claimed(page, finished_run, monkeypatch):
    monkeypatch.setattr(BoxSettings, "is_trained_here", False)
    at = page(PAGE, finished_run)
    helps = [each.proto.help for each in (*at.metric, *at.number_input)]
    said = "\n".join([texts(at), *helps])
    assert said.count("may have seen") == 3
    assert "nobody has" not in said
    assert "neither" not in said


def test_what_counts_as_a_rule_and_what_a_budget_chooses_from(page, finished_run):
    at = page(PAGE, finished_run)
    assert "the rules’ “otherwise” does not" in texts(at)
    helps = at.segmented_control(key="theory_by").help + at.slider(key="theory_budget").help
    assert "without one of its conditions" in helps


def test_somebody_else_can_choose_but_saves_nothing(page, finished_run, workspace):
    workspace.save(finished_run, settings=finished_run.settings)
    theirs = workspace.duplicate(finished_run, "browser:somebody-else")
    at = page(PAGE, theirs, by="budget", value="3")
    assert metrics(at)["Rules"] == "3"
    at.slider(key="theory_budget").set_value(5).run()
    assert metrics(at)["Rules"] == "5"
    kept = at.session_state[f"selection {theirs.id}"]
    assert kept == SelectionSettings("budget", 5, price=0.03)
    assert workspace.run(theirs.id).settings.selection == SelectionSettings(price=0.03)
    assert all(each.label != "Train the black box again" for each in at.button)


def test_many_rules_are_shown_on_demand(page, finished_run):
    at = page(PAGE, finished_run, by="budget", value="20", price="free")
    assert sum("covers **" in each.value for each in at.markdown) == 12
    at.button(key="show_all_cards").click().run()
    assert sum("covers **" in each.value for each in at.markdown) == 20


def test_the_matrix_from_the_address(page, finished_run):
    at = page(PAGE, finished_run, view="matrix")
    assert not any("covers **" in each.value for each in at.markdown)
    assert "A row for each rule" in texts(at)


def test_other_methods_on_demand(page, finished_run):
    at = page(PAGE, finished_run)
    assert "decision tree" not in rivals_drawn(at)
    at.button(key="more_methods").click().run()
    for name in ("decision tree of the same size", "full tree", "CPAR"):
        assert name in rivals_drawn(at)


def test_trees_of_the_same_size_come_unasked_where_they_are_quick(page, finished_run, monkeypatch):
    monkeypatch.setattr("ui.theory.curve.AT_ONCE", 10_000)
    at = page(PAGE, finished_run)
    assert "decision tree of the same size" in rivals_drawn(at)
    assert "CPAR" not in rivals_drawn(at)


@pytest.fixture
def hostile_run(workspace):
    """A small table in which every name would be markup, with a date and decimals."""
    rows = [",".join(f'"{name}"' for name in (*HOSTILE, "answer"))]
    for i in range(240):
        word, number, day = ("<i>", "*b*")[i % 2], (i * 7 % 100) / 8, f"20{10 + i % 12}-03-01"
        rows.append(f'"{word}",{number},{day},"{ANSWERS[number > 6 and word == "*b*"]}"')
    settings = RunSettings(
        data=DataSettings(file="table", name="x.csv", roles={"answer": "target"}),
        rules=RuleSettings(records=40),
    )
    run = workspace.create(
        "browser:tester", "*run* <b>", settings, {"table": "\n".join(rows).encode()}
    )
    for _ in OpenedRun(run).iter_to("merge"):
        pass
    return run


def test_names_of_the_table_are_never_markup_and_every_kind_has_a_widget(page, hostile_run):
    at = page(PAGE, hostile_run)
    at.toggle(key="what_if").set_value(True).run()
    assert not at.exception
    assert len(at.date_input) == 1
    labels = [each.label for each in (*at.selectbox, *at.number_input, *at.date_input)]
    shown = texts(at) + "\n".join([*labels, *(each.delta or "" for each in at.metric)])
    for name in ("[link](", "<b>", "<i>", "*b*", "$x$", ":red[", ":smile:", "`a`"):
        assert name not in shown
    assert "sure" in texts(at)  # the black box is there and gives probabilities


def test_a_theory_of_few_rules_has_nothing_to_choose(page, hostile_run, workspace):
    path = hostile_run.file("rules")
    first = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([first[0], first[1], first[-1]]))
    hostile_run.file("merge").unlink()
    for _ in OpenedRun(hostile_run).iter_to("merge"):
        pass
    at = page(PAGE, hostile_run)
    assert "nothing to choose" in texts(at)


def test_settings_changed_elsewhere_are_kept_when_the_budget_is_saved(
    page, finished_run, workspace
):
    at = page(PAGE, finished_run)
    data = replace(finished_run.settings.data, labels={"age": "Years of age"})
    workspace.save(finished_run, settings=replace(finished_run.settings, data=data))
    at.slider(key="theory_budget").set_value(4).run()
    assert workspace.run(finished_run.id).settings.data.labels == {"age": "Years of age"}
