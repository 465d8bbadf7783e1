"""The report says what the model's answers rest on, and which of it no rule names."""

import json
from dataclasses import replace

from glocalx.questions.curves import CurveStop, FeatureCurve
from glocalx.questions.reliance import FeatureReliance, PairReliance, Reliance
from glocalx.report import render_report, report_files
from tests.report.reported import IMG, bare, full, hostile
from tests.report.test_elements import Reader


def with_reliance(content, *names: str):
    features = tuple(FeatureReliance(name, 0.011, 0.004, 0.02, 0.03) for name in names)
    pairs = (PairReliance((names[0], names[-1]), 0.02, 0.01),)
    return replace(content, rests_on=Reliance(649, 20, features, pairs))


def test_what_no_rule_names_is_said_at_a_glance_and_in_its_section():
    content = full()
    unnamed = [name for name in content.theory.schema.names if name not in content.named]
    page = Reader(render_report(with_reliance(content, unnamed[0]))).text
    called = content.wording.name(unnamed[0])
    assert page.count(f"The model also uses {called}; no rule names it.") == 2
    assert "about 7 of 649" in page
    named = sorted(content.named)[0]
    page = Reader(render_report(with_reliance(content, named))).text
    assert "no rule names it" not in page
    assert "matter together: for 2.0 %" in page
    assert "What the model’s answers rest on" in page


def test_whether_the_rules_cut_where_the_model_does():
    content = full()
    name = sorted(content.named)[0]
    outcomes = content.theory.schema.outcomes
    low, high = tuple(0.1 for _ in outcomes), tuple(0.6 for _ in outcomes)
    stops = (CurveStop(0.0, 0.5, low, ()), CurveStop(9e9, 0.5, high, ()))
    curve = FeatureCurve(name, outcomes, outcomes[0], True, 80, stops)
    asked = replace(with_reliance(content, name), curves=(curve,))
    page = Reader(render_report(asked)).text
    assert "Do the rules cut where the model does?" in page
    called = content.wording.outcome(outcomes[0])
    assert f"the mean probability of {called} lies between 10 % (at 0" in page
    assert json.loads(report_files(asked)["report.json"])["curves"][0]["feature"] == name


def test_without_asking_nothing_is_said():
    assert "answers rest on" not in Reader(render_report(bare())).text


def test_hostile_names_stay_text_and_the_files_hold_the_figures():
    content = with_reliance(hostile(), IMG)
    reader = Reader(render_report(content))
    assert "img" not in reader.tags
    told = json.loads(report_files(content)["report.json"])["rests_on"]
    assert told["features"][0]["share"] == 0.011
    assert told["pairs"][0]["only_both"] == 0.02
