"""The verdict on top of Global theory: what each choice of rules is called, and why."""

from __future__ import annotations

import numpy as np
import pytest

from glocalx.evaluation.verdict import OutcomeFound
from glocalx.pipeline.settings import DataSettings, RuleSettings, RunSettings
from glocalx.workspace.opened_run import OpenedRun
from tests.ui.reading import texts
from ui.theory.verdict import found_bar

pytestmark = pytest.mark.usefixtures("no_rivals_unasked")
PAGE = "global_theory.py"


def test_the_verdict_follows_the_number_of_rules_at_once(page, finished_run):
    at = page(PAGE, finished_run, by="budget", value="3", price="free")
    (said,) = (each.value for each in at.warning)
    assert "These rules agree often, but miss much of what the model calls High risk." in said
    assert "618 of 649 unseen records, 95.2 %" in said
    assert "Always answering Lower risk would agree for 90.8 %." in said
    assert "finds **37 of the 60** that the black box calls :orange-badge[High risk]" in texts(at)
    assert "Of 45 that the rules call so, the black box agrees for **37**, 82 %." in texts(at)
    assert "Cohen’s kappa **0.68**" in texts(at)

    at.slider(key="theory_budget").set_value(36).run()
    (said,) = (each.value for each in at.success)
    assert "These rules can stand in for the model on records like these." in said
    assert not at.warning
    assert "But 36 rules are much to read." in texts(at)
    assert "From 15 rules on nothing is gained" in texts(at)

    at.slider(key="theory_budget").set_value(1).run()
    (said,) = (each.value for each in at.error)
    assert "Do not rely on these rules." in said
    assert "finds **20 of the 60** that the black box calls" in texts(at)
    assert "What to do: take more rules" in texts(at)


def test_how_it_is_made_is_told_with_its_limits(page, finished_run):
    at = page(PAGE, finished_run)
    (how,) = (each for each in at.expander if each.label == "How this verdict is made")
    said = "\n".join(str(each.value) for each in how.markdown)
    for limit in ("75 %", "50 %", "fewer than 30"):
        assert limit in said


@pytest.fixture
def four_answers(workspace):
    """Four answers: of two the black box gives many, of one few, of one none."""
    rng = np.random.default_rng(0)
    size = 1_200
    age, noise = rng.integers(18, 80, size), rng.random(size)
    chance = rng.choice(["b", "c", "d"], size, p=[0.6, 0.37, 0.03])
    answers = np.where((age > 45) & (noise < 0.9), "a", chance)
    rows = [
        f"{a},{n:.3f},{answer}" for a, n, answer in zip(age, rng.random(size), answers, strict=True)
    ]
    settings = RunSettings(
        data=DataSettings(
            file="table",
            name="x.csv",
            roles={"class": "target"},
            train=0.3,
            explain=0.3,
        ),
        rules=RuleSettings(records=40),
    )
    run = workspace.create(
        "browser:tester", "four", settings, {"table": "\n".join(["age,n,class", *rows]).encode()}
    )
    for _ in OpenedRun(run).iter_to("merge"):
        pass
    return run


def test_answers_that_are_not_found_are_no_success(page, four_answers, monkeypatch):
    at = page(PAGE, four_answers, by="budget", value="1")
    assert not at.success
    assert "Do not rely on these rules." in at.error[0].value
    assert "More rules agree more often, up to 2" in texts(at)
    assert "The black box calls none of these records :orange-badge[d]" in texts(at)
    monkeypatch.setattr("glocalx.evaluation.verdict.FEW", 50)
    at.run()
    assert "finds **0 of the 46**" in texts(at)
    assert "**Too few to judge**" in texts(at)


def test_each_record_is_seen_where_they_are_few():
    few = found_bar(OutcomeFound("a", 60, 45, 38), "#D55E00")
    assert few.count("<span") == 60
    assert few.count("background:#D55E00") == 38
    many = found_bar(OutcomeFound("a", 400, 450, 380), "#D55E00")
    assert "width:95.00%" in many
    assert "380 of 400 found" in many
