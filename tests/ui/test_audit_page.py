"""The Audit page in every state of a run."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from glocalx.audit import AuditSettings, FrameSource, run_audit
from glocalx.pipeline.settings import DataSettings, RuleSettings, RunSettings
from glocalx.workspace.opened_run import OpenedRun
from tests.ui.reading import address, button, metrics, texts
from ui.opened import explained_of, theory_of

PAGE = "audit.py"
HOSTILE = ("**race** [link](http://evil)", "<b>$x$</b> :red[age]", "kept out :smile:")
ANSWERS = (":red[no] `a`", "=yes() #1")


def frame_with(at, *columns: str):
    """The first table that has these columns."""
    return next(
        each.value for each in at.dataframe if set(columns) <= set(each.value.columns.tolist())
    )


def audited(run, by, combinations="none", **settings):
    """What the library says about the held-out records of a run."""
    facts = explained_of(run)
    shared = facts.split
    truth = shared.table.true_label[shared.parts.test]
    source = FrameSource(facts.schema, shared.test, facts.held_out.labels, truth)
    asked = AuditSettings(facts.positive, by, combinations=combinations, **settings)
    return run_audit(source, theory_of(run), asked)


def test_a_finished_run_shows_the_figures_of_the_library(page, finished_run):
    at = page(PAGE, finished_run)
    assert at.segmented_control(key="audit_answers").value == "black-box"  # it is what is audited
    at = page(PAGE, finished_run, answers="rules")
    library = audited(finished_run, ("age", "sex", "race"))
    assert "the 7 chosen rules" in texts(at)
    assert "649 records" in texts(at)
    groups = frame_with(at, "Group", "Verdict", "Fidelity")
    wanted = library.subgroups.subgroups
    assert groups["Group"].tolist() == [group.title for group in wanted]
    assert groups["Records"].tolist() == [group.size for group in wanted]
    answers = [group.answers["theory"] for group in wanted]
    shares = [100 * each.selected.value for each in answers]
    assert groups["Called"].tolist() == pytest.approx(shares, nan_ok=True)
    assert groups["Verdict"].tolist() == [each.comparison.verdict for each in answers]
    fidelity = [100 * group.fidelity.value for group in wanted]
    assert groups["Fidelity"].tolist() == pytest.approx(fidelity, nan_ok=True)
    differ = [each for each in wanted if each.comparison().verdict == "different"]
    for sign, label in ((1, "More often"), (-1, "Less often")):
        here = [each for each in differ if sign * each.comparison().difference.value > 0]
        shares = [each.answers["theory"].selected.value for each in here]
        shown = next(value for name, value in metrics(at).items() if name.startswith(label))
        assert shown == f"{100 * sign * max(sign * share for share in shares):.1f} %"
    rules = frame_with(at, "Covers", "Decides", "Names")
    covered = [100 * each.covered / 649 for each in library.rules]
    assert rules["Covers"].tolist() == pytest.approx(covered)
    assert button(at, "Compare with other methods")


def test_mistakes_are_counted_against_a_truth_of_its_own(page, finished_run):
    """Re-offending, not the score that the model was trained on; and among those alike in it."""
    at = page(PAGE, finished_run, column="race")
    at.selectbox(key="audit_truth").select("two_year_recid").run()
    at.selectbox(key="audit_true").select("yes").run()
    at.multiselect(key="audit_given").select("two_year_recid").run()
    assert not at.exception
    facts = explained_of(finished_run)
    test = facts.split.parts.test
    again = facts.split.table.frame["two_year_recid"].to_numpy()[test] == "yes"
    called, race = facts.held_out.labels == "High", facts.split.test["race"].to_numpy()
    tables = [each.value for each in at.dataframe if "Precision" in each.value]
    shown = tables[-1].set_index("Group")  # the black box's, below those of the rules
    for group in ("African-American", "Caucasian"):
        here = called & (race == group)
        assert shown.loc[group, "Precision"] == pytest.approx(100 * again[here].mean())
    given = frame_with(at, "Given", "Strata").set_index("Group")
    assert given.loc["African-American", "Strata"] == 2
    assert "Given “two\\_year\\_recid”" in texts(at)


def test_rules_model_and_data_stand_side_by_side(page, finished_run):
    at = page(PAGE, finished_run, column="race")
    shown = frame_with(at, "Rules", "Black box", "Data", "Rules find").set_index("Group")
    facts = explained_of(finished_run)
    model, race = facts.held_out.labels, facts.split.test["race"].to_numpy()
    rules = theory_of(finished_run).predict(facts.held_out.records)
    data = facts.split.table.true_label[facts.split.parts.test]
    for group in shown.index:
        for name, answers in (("Rules", rules), ("Black box", model), ("Data", data)):
            high, mine = answers == "High", race == group
            points = 100 * (high[mine].mean() - high[~mine].mean())
            assert shown.loc[group, name].startswith(f"{points:+.1f} (".replace("-", "−"))
        given = (race == group) & (model == "High")
        both = int((given & (rules == "High")).sum())
        assert shown.loc[group, "Rules find"] == f"{both} of {int(given.sum())}"


def test_rules_that_name_a_sensitive_column_are_flagged_at_once(page, finished_run):
    at = page(PAGE, finished_run, by="budget", value="10", price="free")
    said = " ".join(each.value for each in at.warning)
    free = replace(finished_run.settings.selection, price=None)
    priceless = replace(finished_run, settings=replace(finished_run.settings, selection=free))
    rules = audited(priceless, ("age", "sex", "race")).rules
    assert [each for each in rules if "race" in each.sensitive]
    assert "name **Race** outright" in said
    at = page(PAGE, finished_run, column="sex")
    assert "No rule names any of these columns outright" in texts(at)
    assert "close stand" in texts(at)  # with the number, whether there is one or not


def test_answers_by_the_black_box_against_a_chosen_group(page, finished_run):
    at = page(PAGE, finished_run, column="race", answers="black-box", against="group")
    assert at.selectbox(key="audit_reference race").value == "African-American"  # the largest
    at.selectbox(key="audit_reference race").set_value("Caucasian").run()
    assert address(at, "reference") == ["race=Caucasian"]
    library = audited(finished_run, ("race",), against={"race": "Caucasian"})
    wanted = [group.answers["black box"] for group in library.subgroups.subgroups]
    groups = frame_with(at, "Group", "Verdict", "Fidelity")
    assert groups["Called"].tolist() == pytest.approx(
        [100 * each.selected.value for each in wanted], nan_ok=True
    )
    assert groups["Verdict"].tolist() == [
        each.comparison.verdict if each.comparison else "compared with" for each in wanted
    ]
    assert "Whom does the black box call" in texts(at)


def test_the_address_says_everything_and_is_written(page, finished_run):
    at = page(PAGE, finished_run)
    at.multiselect(key="audit_column").set_value(["race", "sex"]).run()
    at.segmented_control(key="audit_answers").set_value("data").run()
    at.segmented_control(key="audit_records").set_value("all").run()
    at.segmented_control(key="audit_together").set_value("pairs").run()
    at.number_input(key="audit_tolerance").set_value(20).run()
    assert "The tolerance was set to 20" in texts(at)
    assert address(at, "column") == ["race", "sex"]
    assert address(at, "answers") == ["data"]
    assert address(at, "records") == ["all"]
    assert address(at, "run") == [finished_run.id]
    groups = frame_with(at, "Group", "Verdict", "Fidelity")
    again = page(
        PAGE,
        finished_run,
        column=["race", "sex"],
        answers="data",
        records="all",
        together="pairs",
        tolerance="20",
        rule="3",
    )
    assert frame_with(again, "Group", "Verdict", "Fidelity").equals(groups)
    assert "**Rule 3**" in texts(again)
    assert "2,164 records: 649 held out" in texts(again)
    assert "African-American · Male" in groups["Group"].tolist()
    assert "within the tolerance" in groups["Verdict"].tolist()


def unknown(at) -> list[str]:
    """What the page says that it does not know."""
    opening = "This address asks for "
    return [each.value.removeprefix(opening).split(", which")[0] for each in at.info]


def test_what_an_address_asks_for_and_nobody_knows_is_said(page, finished_run):
    at = page(
        PAGE,
        finished_run,
        column=["race", "nobody"],
        outcome="x",
        against="y",
        rule="99",
        group="race=z",
    )
    assert unknown(at) == [
        "the column “nobody”",
        "the outcome “x”",
        "a comparison with “y”",
        "the rule “99”",
        r"the group “race\=z”",
    ]
    at.selectbox(key="audit_group").set_value("race=Caucasian").run()
    assert len(unknown(at)) == 4


def test_an_unknown_group_to_compare_with_is_said(page, finished_run):
    asked = ["race=Nobody", "sex=Male"]
    at = page(PAGE, finished_run, column="race", against="group", reference=asked)
    assert unknown(at) == [r"the group to compare with “race\=Nobody”"]


def test_what_gives_way_to_a_choice_leaves_the_address(page, finished_run):
    at = page(PAGE, finished_run, column=["race", "sex"], group="sex=Male", rule="5")
    at.multiselect(key="audit_column").set_value(["race"]).run()
    assert not at.info
    assert address(at, "group") == []
    assert address(at, "rule") == ["5"]


def test_a_value_beyond_the_room_is_said(page, finished_run):
    at = page(PAGE, finished_run, by="alpha_q", value="101")
    assert "so 100 is shown" in at.info[0].value


def test_nonsense_in_the_address_is_passed_over(page, finished_run):
    at = page(
        PAGE, finished_run, column="nobody", answers="x", records="y", rule="99", group="race=z"
    )
    assert at.multiselect(key="audit_column").value == ["age", "sex", "race"]
    assert "**Rule 99**" not in texts(at)


def test_bands_of_ones_own_and_what_is_no_number(page, finished_run):
    at = page(PAGE, finished_run, column="age", bands="age=25 45")
    library = audited(finished_run, ("age",), bands={"age": (25, 45)})
    groups = frame_with(at, "Group", "Verdict", "Fidelity")
    assert groups["Group"].tolist() == list(library.axes[0].groups)
    assert groups["Records"].tolist() == [each.size for each in library.subgroups.subgroups]
    at.text_input(key="audit_bands age").set_value("young").run()
    assert "is no list of numbers" in texts(at)
    assert len(frame_with(at, "Group", "Verdict", "Fidelity")) == 3


def test_who_is_responsible_as_the_library_says(page, finished_run):
    at = page(PAGE, finished_run, column="race", group="race=African-American")
    library = audited(finished_run, ("race",))
    shares = {
        each.rule: each for each in library.responsibilities if each.groups == ("African-American",)
    }
    table = frame_with(at, "Contributes", "Agreement without")
    for place in range(10):
        if place in shares:
            decided = 100 * shares[place].of_outcome.value
            assert table["Decides"][place] == pytest.approx(decided)
    after = [100 * each.fidelity_after.value for each in library.ablations if each.rule is not None]
    assert table["Agreement without"].tolist() == pytest.approx(after)
    at.segmented_control(key="audit_barring").set_value("premises").run()
    library = audited(finished_run, ("race",), ablation="premises")
    barred = [each for each in library.ablations if each.feature is not None]
    features = frame_with(at, "Feature", "Rules")
    assert features["Agreement without"].tolist() == pytest.approx(
        [100 * each.fidelity_after.value for each in barred]
    )


def test_a_cell_of_the_heat_map_leads_to_its_rule_and_group(page, finished_run):
    at = page(PAGE, finished_run, column="race")
    drawn = [json.loads(each.proto.spec) for each in at.get("plotly_chart")]
    cells = [
        trace["customdata"]
        for figure in drawn
        if any(each["type"] == "heatmap" for each in figure["data"])
        for trace in figure["data"]
        if trace.get("mode") == "markers" and "customdata" in trace
    ]
    assert [0, "race", "African-American"] in [cell[:3] for cell in cells[0]]


def test_without_rules_there_is_still_an_answer(page, finished_run, monkeypatch):
    rules = theory_of(finished_run)
    empty = replace(rules, ranked=())
    monkeypatch.setattr("ui.audit.result.theory_of", lambda *_: empty)
    at = page(PAGE, finished_run, column="sex", outcome=rules.default)
    assert "There are no rules." in texts(at)
    assert not at.exception


def test_without_a_sensitive_column_it_says_what_to_do(page, finished_run, workspace):
    at = page(PAGE, finished_run)
    at.multiselect(key="audit_column").set_value([]).run()
    assert "No column is chosen" in texts(at)
    assert button(at, "Go to Data and model")
    assert not at.metric
    at.multiselect(key="audit_column").set_value(["sex"]).run()
    assert at.metric


def test_somebody_else_can_ask_everything(page, finished_run, workspace):
    theirs = workspace.duplicate(finished_run, "browser:somebody-else")
    asked = {"by": "budget", "value": "3", "rule": "3"}
    at = page(PAGE, theirs, **asked)
    assert "somebody else’s run" in texts(at)
    assert "the 3 chosen rules" in texts(at)
    assert "Those whom rule 3 covers" in texts(at)
    assert metrics(at) == metrics(page(PAGE, finished_run, **asked))
    at.multiselect(key="audit_column").set_value(["sex"]).run()
    assert len(frame_with(at, "Group", "Verdict", "Fidelity")) == 2
    assert address(at, "value") == ["3"]
    assert workspace.run(theirs.id).settings == theirs.settings


@pytest.fixture
def hostile_run(workspace):
    """A small table in which every name would be markup, with a column that is left out."""
    rows = [",".join(f'"{name}"' for name in (*HOSTILE, "answer"))]
    for i in range(240):
        word, number, kept = ("<i>", "*b*")[i % 2], i * 7 % 100, ("", ":red[x]", "$y$")[i % 3]
        rows.append(f'"{word}",{number},"{kept}","{ANSWERS[number > 50 and word == "*b*"]}"')
    roles = {"answer": "target", HOSTILE[2]: "ignored", HOSTILE[0]: "feature"}
    settings = RunSettings(
        data=DataSettings(
            file="table",
            name="x.csv",
            roles={**roles, HOSTILE[1]: "feature"},
            explain=0.4,
            train=0.3,
        ),
        rules=RuleSettings(records=30),
    )
    table = "\n".join(rows).encode()
    run = workspace.create("browser:tester", "*run* <b>", settings, {"table": table})
    for _ in OpenedRun(run).iter_to("merge"):
        pass
    return run


def test_names_are_never_markup_and_a_column_left_out_can_be_audited(page, hostile_run):
    at = page(PAGE, hostile_run)
    assert "No column is chosen" in texts(at)  # none is marked, and none sounds sensitive
    at = page(PAGE, hostile_run, column=list(HOSTILE), together="True", against="group")
    groups = frame_with(at, "Group", "Verdict", "Fidelity")
    held_out = explained_of(hostile_run).held_out.size
    left_out = groups[groups["Column"] == HOSTILE[2]]
    assert left_out["Group"].tolist() == ["$y$", ":red[x]", "missing"]
    assert left_out["Records"].sum() == held_out
    labels = [each.label for each in (*at.selectbox, *at.text_input, *at.metric, *at.button)]
    helps = [str(each.help) for each in at.metric]
    options = [str(each.options) for each in at.get("button_group")]
    shown = "\n".join([texts(at), *labels, *helps, *options])
    for name in ("[link](", "<b>", "<i>", "*b*", "$x$", "$y$", ":red[", ":smile:", "`a`"):
        assert name not in shown.replace(":red[**", "")
    assert any(json.loads(each.proto.spec)["data"] for each in at.get("plotly_chart"))


def test_gaps_that_were_filled_are_said(page, hostile_run, workspace):
    roles = {**hostile_run.settings.data.roles, HOSTILE[2]: "sensitive"}
    data = replace(hostile_run.settings.data, roles=roles)
    run = workspace.save(hostile_run, settings=replace(hostile_run.settings, data=data))
    for _ in OpenedRun(run).iter_to("merge"):
        pass
    at = page(PAGE, run)
    assert at.multiselect(key="audit_column").value == [HOSTILE[2]]
    assert "was filled in before the black box was asked" in texts(at)
