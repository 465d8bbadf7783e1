"""The pieces of the Global theory page that compute."""

import codecs
import json
from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from glocalx.merging.search import MergeSettings
from glocalx.pipeline.settings import RuleSettings, RunSettings
from glocalx.plots import OutcomeColours
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.scoring import Reference
from glocalx.rules.turns import standings
from glocalx.words.wording import Wording
from glocalx.workspace.run import Run
from tests.patience import PATIENCE
from tests.rules.two_rules import two_rules
from ui import record_story
from ui.record_story import answer_of, frame_of
from ui.theory.cards import conflict_sentence, coverage_bar, may_decide, shares_of
from ui.theory.downloads import FORMS, as_csv, as_json, as_text
from ui.theory.form import decimals
from ui.theory.ways_to_choose import Room


@pytest.fixture
def theory() -> tuple[RankedTheory, Reference]:
    return two_rules()


def test_the_conflict_is_told_with_its_winner(theory):
    ranked, reference = theory
    colours = OutcomeColours.of(["no", "yes"])
    said = conflict_sentence(ranked, standings(ranked, reference, reference), colours)
    assert "both apply to 1 record, and rule 1 decides" in said
    alone = RankedTheory.of(ranked.rules[:1], reference)
    assert "never" in conflict_sentence(alone, standings(alone, reference, reference), colours)


def test_the_bar_shows_agreed_and_not_agreed(theory):
    ranked, reference = theory
    colours = OutcomeColours.of(["no", "yes"])
    bar = coverage_bar(standings(ranked, reference, reference)[1], "#123456", colours)
    assert "width:33.33%;background:#123456" in bar
    assert "width:16.67%" in bar
    assert "Covers 3 of 6 records; the black box agrees on 2 of these." in bar


def test_every_download_holds_every_rule(theory):
    ranked, _ = theory
    wording = Wording(ranked.schema)
    assert as_text(ranked, wording).count("\n2. ") == 1
    assert as_text(ranked, wording).endswith("Otherwise no.\n")
    assert len(json.loads(as_json(ranked, wording))["rules"]) == 2
    cells = as_csv(ranked, wording).splitlines()
    assert len(cells) == 4
    assert '"15 ≤ =age < 45"' in cells[2]
    assert {form.ending for form in FORMS} == {"txt", "md", "csv", "json", "py"}
    assert all(form.write(ranked, wording) for form in FORMS)


def test_sql_is_for_the_database_that_is_named():
    def page():
        from glocalx.rules.schema import Feature, Schema
        from tests.export.hostile import ranked
        from ui.theory.downloads import sql_download

        schema = Schema((Feature("a.b", "numeric"),), ("no", "yes"))
        sql_download(ranked(schema, [schema.rule({"a.b": (0, 1)}, "yes")]), "stem")

    test = AppTest.from_function(page, default_timeout=PATIENCE).run()
    assert test.get("download_button")[0].label == "SQL for DuckDB"
    test.selectbox(key="sql_dialect").select("snowflake").run()
    assert test.get("download_button")[0].label == "SQL for Snowflake"
    test.selectbox(key="sql_dialect").select("bigquery").run()
    assert "BigQuery allows no" in test.error[0].value


def test_spreadsheets_are_told_the_encoding_of_a_table(theory):
    ranked, _ = theory
    files = {form.ending: form.content(ranked, Wording(ranked.schema)) for form in FORMS}
    marked = [ending for ending, file in files.items() if file.startswith(codecs.BOM_UTF8)]
    assert marked == ["csv"]
    assert "≤" in files["csv"].decode("utf-8-sig")


def test_the_shares_are_of_the_records_that_judge(finished_run):
    assert shares_of(finished_run).endswith(
        "6,565 labelled records: all of them judge the rules, and 1,515 of them got a local rule."
    )
    paper = replace(finished_run.settings, merge=MergeSettings())
    finished_run = replace(finished_run, settings=paper)
    assert shares_of(finished_run).endswith("explained records, from which the rules were made.")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("ui.theory.cards.local_rules_of", lambda run: [None] * 1_200)
        said = shares_of(finished_run)
    assert "1,515 explained records: all of them judge the rules, and 1,200 of them got" in said
    brought = replace(finished_run.settings, rules=RuleSettings(file="rules"))
    assert "made" not in shares_of(replace(finished_run, settings=brought))


def test_room_fits_upwards_and_stays_inside():
    assert Room(2, 80, 2).fit(5) == 6
    assert Room(2, 80, 2).fit(99) == 80
    assert Room(1, 47, 1).fit(-3) == 1
    assert Room(0, 100, 0.5).fit(97.3) == 97.5
    assert Room(0, 100, 0.5).fit(1e308) == 100
    assert Room(0, 100, 0.5).fit(-1e308) == 0
    assert Room(0, 0, 1).is_empty


def test_decimals_of_numbers():
    assert decimals([1.0, 2.5, 0.125]) == 3
    assert decimals([100.0]) == 0


def test_a_record_as_the_black_box_wants_it(monkeypatch):
    like = pd.DataFrame({"a": [1, 2], "b": ["x", "y"], "c": [0.5, 1.5]})
    facts = SimpleNamespace(split=SimpleNamespace(test=like.assign(d=0)))
    monkeypatch.setattr(record_story, "explained_of", lambda run: facts)
    made = frame_of(None, (("a", 3.0), ("b", "z"), ("c", 2.0)))
    assert made.dtypes.equals(like.dtypes)
    assert made.iloc[0].tolist() == [3, "z", 2.0]


class Counting:
    """A black box that counts what it was asked."""

    outcomes = ("a", "b")

    def __init__(self):
        self.asked = []

    def labels(self, frame):
        self.asked.append(frame["x"].tolist())
        return ["a" if x > 0 else "b" for x in frame["x"]]

    def probabilities(self, frame):
        return None


def test_the_black_box_is_asked_once_about_a_record(tmp_path, monkeypatch):
    box, test = Counting(), pd.DataFrame({"x": [1.0], "not read by it": ["a"]})
    run = Run("a", "b", "c", tmp_path, RunSettings(), 0.0, 0.0, {})
    schema = Schema((Feature("x", "numeric"),), ("a", "b"))
    facts = SimpleNamespace(split=SimpleNamespace(test=test), schema=schema)
    monkeypatch.setattr(record_story, "black_box_of", lambda run: box)
    monkeypatch.setattr(record_story, "explained_of", lambda run: facts)
    said = [answer_of(run, {"x": value}) for value in (1.0, -1.0, 1.0, 2.0, -1.0)]
    assert said == [(label, None) for label in "abaab"]
    assert box.asked == [[1.0], [-1.0], [2.0]]


def test_rules_below_one_that_covers_everyone_never_decide(theory):
    ranked, reference = theory
    assert may_decide(standings(ranked, reference, reference)) == ranked.size
    everyone = ranked.schema.rule({"=age": (0, 99)}, "yes")
    wider = RankedTheory.of([*ranked.rules, everyone], reference)
    place = [rule.outcome == "yes" and rule == everyone for rule in wider.rules].index(True) + 1
    assert may_decide(standings(wider, reference, reference)) == place
