"""What is on the screen is put to the model: every change that is shown works."""

from __future__ import annotations

import re

import pandas as pd
from playwright.sync_api import Page, expect

from glocalx.pipeline.road import Road
from glocalx.pipeline.settings import DataSettings, RuleSettings, RunSettings
from glocalx.words.wording import Wording
from glocalx.workspace.opened_run import OpenedRun
from glocalx.workspace.store import Workspace
from tests.browser.serving import Server
from tests.browser.steps import expect_no_exception, open_page, sees, settled

SETTINGS = RunSettings(data=DataSettings(sample="german"), rules=RuleSettings(records=15))
CHANGE = re.compile(r"^(?P<outcome>.+?) with (?P<changes>.+)$")
ONE = re.compile(r"(?:^|, | and )(?P<name>[^:]+?): (?P<after>.+?) \(here (?P<before>.+?)\)")


def test_the_model_confirms_every_change_on_the_screen(page: Page, dashboard: Server):
    place = Workspace(dashboard.workspace)
    run = place.create("browser:asking", "German credit", SETTINGS)
    for _ in OpenedRun(run).iter_to("merge"):
        pass
    road = OpenedRun(run)
    record = road.local_rules[3].record
    own = road.split.explain.iloc[[record]].reset_index(drop=True)
    wording = Wording(road.labelled.schema)

    open_page(page, dashboard, "rules", place.run(run.id), record=record + 1)
    sees(page, "Each was put to the black box")
    settled(page)
    _asked_of_the_model(page, road, own, wording)

    open_page(page, dashboard, "theory", place.run(run.id), asked_record=2)
    sees(page, "What would change the answer", re.compile("shuffled 20 ×"))
    sees(page, "Each was put to the black box")
    settled(page)
    _asked_of_the_model(page, road, road.split.test.iloc[[1]].reset_index(drop=True), wording)
    expect_no_exception(page)


def _asked_of_the_model(page: Page, road: Road, own: pd.DataFrame, wording: Wording) -> None:
    """Read the lines as a person does, and ask about the record with these very values."""
    lines = page.get_by_test_id("stMarkdownContainer").filter(
        has_text=re.compile(r" with .+\(here")
    )
    expect(lines.first).to_be_visible()
    seen = 0
    features = {wording.name(name): name for name in road.labelled.schema.names}
    outcomes = {wording.outcome(each): each for each in road.labelled.schema.outcomes}
    for line in lines.all_inner_texts():
        told = CHANGE.match(" ".join(line.split()))
        if told is None or told["outcome"] not in outcomes:
            continue
        changed = own.copy()
        for each in ONE.finditer(told["changes"]):
            name = features[each["name"]]
            changed[name] = _value(road, name, each["after"], wording)
        assert not changed.equals(own), line
        assert road.black_box.labels(changed)[0] == outcomes[told["outcome"]], line
        assert road.black_box.labels(own)[0] != outcomes[told["outcome"]], line
        seen += 1
    assert seen


def _value(road: Road, name: str, text: str, wording: Wording) -> object:
    """The value of the table that reads like this."""
    for value in road.split.table.frame[name].dropna().unique():
        if " ".join(wording.value(name, value).split()) == text:
            return value
    raise AssertionError(f"“{name}” never reads “{text}”")
