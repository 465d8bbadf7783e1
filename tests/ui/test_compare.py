"""The page Compare, in each state that a run and its rival can be in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.elsewhere import figures_elsewhere
from glocalx.baselines import Task, fit_baseline
from glocalx.pipeline.settings import (
    SelectionSettings,
)
from glocalx.pipeline.theories import labelled_records
from glocalx.workspace.run import Run
from glocalx.workspace.store import Workspace
from tests.ui.conftest import OWNER
from tests.ui.reading import labels, texts
from ui.compare.measures import FIGURES, alpha_said, elsewhere_said
from ui.opened import distinct_rules_of, explained_of
from ui.rivals import more_labels, rival_of

PAGE = "compare.py"
Open = Callable[..., AppTest]


def copy_with(workspace: Workspace, run: Run, *, rules: int = 5, name: str = "Second") -> Run:
    settings = replace(run.settings, selection=SelectionSettings("budget", rules))
    return workspace.save(workspace.duplicate(run, run.owner, settings), name=name)


def test_the_rules_beside_a_tree_of_the_same_size(page: Open, finished_run: Run):
    test = page(PAGE, finished_run)
    assert test.selectbox(key="rival").value == "method small-tree"
    said = texts(test)
    assert "Which is closer to the black box?" in said
    assert "only these rules agree with the black box" in said
    assert "Compared on the" in said
    table = test.table[0].value
    assert list(table.columns) == ["These rules", "Tree of the same size"]
    assert {"Fidelity", "Accuracy", "Rules", "No rule applies"} <= set(table.index)
    rules = [text.strip("*") for text in table.loc["Rules"]]
    assert int(rules[1]) <= int(rules[0])
    assert test.button(key="next_step").label == "All runs"


def test_another_method_is_chosen_and_kept_in_the_address(page: Open, finished_run: Run):
    test = page(PAGE, finished_run)
    test.selectbox(key="rival").set_value("method union").run()
    assert test.query_params["baseline"] == "union"
    assert not test.exception
    assert list(test.table[0].value.columns) == ["These rules", "All local rules"]
    assert "The other" in "\n".join(each.label for each in test.expander)
    again = page(PAGE, finished_run, baseline="union")
    assert again.selectbox(key="rival").value == "method union"


def test_the_figure_has_every_quick_method(page: Open, finished_run: Run):
    test = page(PAGE, finished_run)
    (chart,) = test.get("plotly_chart")
    spec = chart.proto.spec
    for name in ("These rules", "Tree of the same size", "Full tree", "All local rules", "CPAR"):
        assert name in spec
    assert "Local rules, not merged" in spec
    assert "Trepan" not in spec


def test_a_differing_record_is_told_from_both_sides(page: Open, finished_run: Run):
    test = page(PAGE, finished_run)
    frame = test.dataframe[0].value
    assert (frame["These rules"].str[0] != frame["Tree of the same size"].str[0]).all()
    assert test.number_input(key="record").value == int(frame["Record"].iloc[0])
    assert "is the first that applies" in texts(test)
    asked = test.table[1].value
    assert list(asked.columns[:2]) == ["Feature", "This record"]
    test.button(key="next_difference").click().run()
    assert not test.exception
    assert test.number_input(key="record").value == int(frame["Record"].iloc[1])
    test.number_input(key="record").set_value(None).run()
    assert "No record selected" in texts(test)


def test_a_link_shows_the_record(page: Open, finished_run: Run):
    test = page(PAGE, finished_run, baseline="tree", record="7")
    assert test.number_input(key="record").value == 7
    assert "Black box" in texts(test)


def test_only_records_of_one_kind(page: Open, finished_run: Run):
    test = page(PAGE, finished_run, baseline="tree")
    every = test.dataframe[0].value
    test.segmented_control(key="agreeing").set_value("left").run()
    frame = test.dataframe[0].value
    assert 0 < len(frame) < len(every)
    assert (frame["These rules"].str[0] == frame["Black box"].str[0]).all()


def test_the_tree_may_have_a_leaf_for_otherwise(page: Open, finished_run: Run):
    same = page(PAGE, finished_run, by="budget", value="4")
    more = page(PAGE, finished_run, by="budget", value="4", baseline="small-tree-plus")
    assert "“otherwise” besides, which is not counted" in texts(same)
    assert [test.table[0].value.loc["Rules"].tolist() for test in (same, more)] == [
        ["**4**", "**4**"],
        ["**4**", "**5**"],
    ]
    assert texts(same).count("so there is no “otherwise”") == 1
    assert texts(same).count(" Otherwise.") == 1


def test_what_an_address_asks_for_and_nobody_knows_is_said(page: Open, finished_run: Run):
    asked = {"by": "foo", "value": "bar", "record": "99999", "agreeing": "zz", "learn": "x"}
    test = page(PAGE, finished_run, **asked)
    assert len([each for each in test.info if "does not know" in each.value]) == 5
    assert test.table[0].value.loc["Rules"].iloc[0] == "**7**"


def test_where_rules_vote_it_says_so(page: Open, finished_run: Run):
    test = page(PAGE, finished_run, baseline="cpar", record="1")
    assert "The best five of each outcome that apply vote." in texts(test)
    assert "strongest of those that vote" in texts(test)


def test_trepan_waits_for_the_black_box(page: Open, finished_run: Run):
    test = page(PAGE, finished_run, baseline="trepan")
    assert "this run came without it" in texts(test)
    assert "Train the black box again" in labels(test)
    assert not test.table


def test_a_slow_method_waits_for_a_click(page: Open, finished_run: Run, monkeypatch):
    monkeypatch.setattr("ui.rivals.FEW", 10)
    test = page(PAGE, finished_run, baseline="cpar-rows")
    assert "takes some seconds" in texts(test)
    assert not test.table
    test.button(key="fit_rival").click().run()
    assert test.table
    again = page(PAGE, finished_run, baseline="cpar-rows")
    assert again.table  # whoever opens the link finds it fitted


def test_an_unknown_method_is_refused(page: Open, finished_run: Run):
    test = page(PAGE, finished_run, baseline="magic")
    assert "not installed here" in test.error[0].value
    assert not test.table


def test_two_runs_on_the_same_records(page: Open, workspace: Workspace, finished_run: Run):
    other = copy_with(workspace, finished_run)
    test = page(PAGE, finished_run, other=other.id)
    said = texts(test)
    assert "which the other run holds out, too" in said
    assert "the same on both sides" in said
    assert "in both" in said
    assert list(test.table[0].value.columns) == ["This run", "The other run"]
    assert "Second" in said
    assert "Swap sides" in labels(test)


def test_a_run_without_rules_is_not_compared(page: Open, finished_run: Run, new_run):
    other = new_run()
    test = page(PAGE, finished_run, other=other.id)
    assert "no merged rules yet" in texts(test)
    assert "Go on with it" in labels(test)
    assert not test.table


def test_only_runs_of_ones_own_count_as_not_merged_yet(
    page: Open, workspace: Workspace, finished_run: Run, new_run
):
    theirs = workspace.create("browser:somebody", "Theirs", new_run().settings)
    test = page(PAGE, finished_run, other=theirs.id)
    assert "1 other run of yours is not merged yet" in texts(test)


def test_that_alpha_is_often_below_a_tree_is_said(page: Open, finished_run: Run):
    assert "often below a tree" in texts(page(PAGE, finished_run, by="alpha", value="6"))
    assert "often below a tree" not in texts(page(PAGE, finished_run))


def test_an_otherwise_that_no_compared_record_needs_is_still_there(page: Open, finished_run: Run):
    test = page(PAGE, finished_run, by="alpha", value="2", baseline="tree")
    said = texts(test)
    assert said.count("so there is no “otherwise”") == 1  # of the tree
    assert "Otherwise. The rules cover every compared record" in said


def test_a_record_that_the_other_run_may_not_even_have(
    page: Open, workspace: Workspace, finished_run: Run, monkeypatch
):
    monkeypatch.setattr("glocalx.evaluation.side_by_side.SideBySide.place_of", lambda *_: None)
    test = page(PAGE, finished_run, other=copy_with(workspace, finished_run).id, record="3")
    assert "learned from record 3 or does not have it" in texts(test)


def test_a_value_beyond_the_room_is_said(page: Open, finished_run: Run):
    test = page(PAGE, finished_run, by="alpha_q", value="101")
    assert "so 100 is shown" in test.info[0].value


def test_its_own_run_and_a_missing_one_are_refused(page: Open, finished_run: Run):
    test = page(PAGE, finished_run, other=finished_run.id)
    assert "open already" in test.error[0].value
    test = page(PAGE, finished_run, other="nothing-of-the-kind")
    assert "no such run" in test.error[0].value
    assert test.selectbox(key="rival").value is None


def test_a_link_can_be_pasted(page: Open, workspace: Workspace, finished_run: Run):
    other = copy_with(workspace, finished_run)
    workspace.save(other, name="Theirs")
    test = page(PAGE, finished_run)
    test.text_input(key="pasted").set_value(f"http://host/theory?run={other.id}").run()
    assert test.query_params["other"] == other.id
    assert list(test.table[0].value.columns) == ["This run", "The other run"]


def test_somebody_elses_run_can_be_compared_by_its_link(
    page: Open, workspace: Workspace, finished_run: Run
):
    theirs = workspace.duplicate(finished_run, "browser:somebody")
    test = page(PAGE, finished_run, other=theirs.id)
    assert list(test.table[0].value.columns) == ["This run", "The other run"]
    assert "exactly the same records" in texts(test)
    assert "Nowhere: both give the same answer" in texts(test)


def test_whoever_has_a_link_reads_everything(page: Open, workspace: Workspace, finished_run: Run):
    theirs = workspace.duplicate(finished_run, "browser:somebody")
    theirs = workspace.save(theirs, link="table")
    asked = {"baseline": "tree", "record": "7"}
    test = page(PAGE, theirs, **asked)
    assert "somebody else’s run" in texts(test)
    assert test.table
    assert test.number_input(key="record").value == 7
    (said,) = (each for each in texts(test).splitlines() if "The two give" in each)
    assert said in texts(page(PAGE, finished_run, **asked))
    assert workspace.run(theirs.id).updated == theirs.updated
    assert workspace.run(theirs.id).owner != OWNER


def test_the_names_of_runs_are_shown_as_they_are(
    page: Open, workspace: Workspace, finished_run: Run
):
    nasty = ":red[x] <b>$y$ [z](http://evil)"
    other = copy_with(workspace, finished_run, name=nasty)
    said = texts(page(PAGE, finished_run, other=other.id, record="3"))
    assert r"\:red\[x\] \<b\>\$y\$" in said
    assert ":red[x]" not in said.replace("\\", "\\\\").replace(r"\\:red\\[x\\]", "")


@pytest.mark.parametrize("record", ["999999", "x"])
def test_a_record_that_is_not_there_does_no_harm(page: Open, finished_run: Run, record: str):
    assert page(PAGE, finished_run, record=record).table


def test_measures_are_those_of_the_library(page: Open, finished_run: Run):
    from ui.compare.sides import with_method

    page(PAGE, finished_run)
    compared = with_method(finished_run, finished_run.settings.selection, "tree", False)
    assert compared.right.measured.fidelity == pytest.approx(np.mean(compared.right.agrees))
    assert compared.paired.only_first == int(np.sum(compared.left.agrees & ~compared.right.agrees))


def test_names_from_a_file_are_only_text(page: Open, nasty_run: Run):
    test = page(PAGE, nasty_run, record="1")
    tables = [cell for table in test.table for cell in table.value.astype(str).to_numpy().flat]
    said = "\n".join([texts(test), *tables])
    for alive in ("*b", "[x]", "<img", "$a", ":red"):
        assert not re.search(rf"(?<![\\*]){re.escape(alive)}", said)
    assert r"\*\*b\*\* \[x\]" in said


def test_a_run_on_another_table_is_refused(page: Open, finished_run: Run, nasty_run: Run):
    test = page(PAGE, finished_run, other=nasty_run.id)
    assert "This run explains “out”" in test.error[0].value
    assert not test.table


def test_the_way_to_the_theory_takes_the_record_along(page: Open, finished_run: Run, monkeypatch):
    went: list[dict[str, str]] = []
    monkeypatch.setattr("ui.compare.differences.go", lambda *_, **query: went.append(query))
    test = page(PAGE, finished_run, record="3")
    test.button(key="to_theory").click().run()
    assert went == [{"asked_record": "3"}]
    theory = page("global_theory.py", finished_run, **went[0])
    assert theory.number_input(key="asked_record").value == 3


def test_local_rules_that_were_not_merged_are_as_many_and_none_but_local_ones(finished_run: Run):
    unmerged = rival_of(finished_run, "unmerged", 6)
    assert unmerged.size == 6
    assert set(unmerged.rules) <= set(distinct_rules_of(finished_run))


def test_rivals_have_the_labels_that_the_rules_had_or_fewer(page: Open, finished_run: Run):
    facts = explained_of(finished_run)
    explained, more = len(facts.split.explain), more_labels(finished_run)
    assert facts.reference.size == explained + more
    test = page(PAGE, finished_run, baseline="tree")
    assert test.segmented_control(key="learn").value == "all"
    every = f"{explained + more:,} labelled records"
    assert f"All learned from the same {every}." in texts(test)
    many = int(test.table[0].value.loc["Rules"].iloc[1].strip("*"))
    test.segmented_control(key="learn").set_value("explained").run()
    said = f"chosen on the {every}; the others had {explained:,} explained records."
    assert said in texts(test)
    assert int(test.table[0].value.loc["Rules"].iloc[1].strip("*")) < many
    frame, labels = labelled_records(facts)
    task = Task(frame, labels, facts.schema, seed=facts.split.parts.seed)
    assert rival_of(finished_run, "tree") == fit_baseline("tree", task)


def test_rivals_of_a_run_merged_on_explained_records_have_these(
    workspace: Workspace, finished_run: Run
):
    narrow = replace(finished_run.settings.merge, reference="explained")
    run = workspace.duplicate(
        finished_run, finished_run.owner, replace(finished_run.settings, merge=narrow)
    )
    assert rival_of(run, "tree") == rival_of(finished_run, "tree", wide=False)
    assert rival_of(run, "tree") != rival_of(finished_run, "tree")


def test_what_is_said_of_other_tables_is_what_the_result_files_say():
    assert json.loads(FIGURES.read_text(encoding="utf-8")) == figures_elsewhere()
    found = figures_elsewhere()
    assert f"{100 * found['budget']:.1f} %" in elsewhere_said()
    assert f"{100 * found['alpha']['together']:.1f} %" in alpha_said()
