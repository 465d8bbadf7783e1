"""Steering in a real browser: a pinned rule survives, a changed theory is handed on and audited."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from glocalx.files import read_theory
from glocalx.workspace.run import Run
from tests.browser.serving import Server
from tests.browser.steps import (
    button,
    click_row,
    expect_no_exception,
    expect_to_fit_a_phone,
    fresh,
    insist,
    metric,
    open_page,
    press,
    press_offered,
    sees,
    settled,
    slide,
    text,
)


def until(page: Page, target: Locator, effect: Locator) -> None:
    """Click until the effect shows."""

    def click(wait: float) -> None:
        settled(page)
        if not effect.count():
            target.click(timeout=wait)

    insist(click, lambda wait: expect(effect).to_be_visible(timeout=wait))


def test_a_rule_is_pinned_and_changed_and_the_theory_is_handed_on_and_audited(
    page: Page, dashboard: Server, own_compas: Run, tmp_path: Path
):
    open_page(page, dashboard, "theory", own_compas, mode="steer")
    expect(metric(page, "Rules")).to_have_text("7")
    settled(page)
    until(page, button(page, "Pin").nth(6), text(page, "1 change by hand"))

    until(page, button(page, "Change").nth(4), text(page, "Nothing is changed yet."))
    ends = fresh(page.get_by_role("slider", name=re.compile("the rule holds from")))
    effect = text(page, re.compile("labelled records: .* → "))
    insist(
        lambda wait: ends.first.press("ArrowRight", timeout=wait),  # wherever it ends up
        lambda wait: expect(effect).to_be_visible(timeout=wait),
    )
    until(page, button(page, "Keep the change"), text(page, "2 changes by hand"))

    slide(
        page,
        "How many rules",
        ("Home",),
        lambda wait: expect(metric(page, "Rules")).to_have_text("3", timeout=wait),
    )  # the first, the pinned, the changed one
    sees(page, "Pinned: ")
    expect_to_fit_a_phone(page)

    drawn = text(page, "The labelled records were drawn anew 10 times")
    press(page, "See which rules return")
    expect(drawn).to_be_visible()
    expect(text(page, "No resamples: by hand.")).to_have_count(1)
    expect(text(page, re.compile(r"Returns in \d+ of 10 resamples\."))).to_have_count(2)

    with page.expect_download() as download:
        press_offered(page, button(page, "Download the rules"), "JSON")
    download.value.save_as(tmp_path / "theory.json")
    theory = read_theory(tmp_path / "theory.json")
    assert sorted(each.mark.kind for each in theory.ranked if each.mark) == ["changed", "pinned"]
    assert len(json.loads((tmp_path / "theory.json").read_text())["steering"]) == 2
    assert all(each.returns is not None for each in theory.ranked)

    page.goto(f"{dashboard.address}/runs")
    sees(page, "Select one run to open")
    click_row(page, 0)
    settled(page)
    with page.expect_download() as download:
        press(page, "Export as one file")
    download.value.save_as(tmp_path / "run.zip")
    press(page, "Delete")
    press(page, "Delete for good")
    sees(page, "No runs yet.")
    fresh(page.get_by_test_id("stFileUploaderDropzoneInput")).set_input_files(tmp_path / "run.zip")
    page.wait_for_url(re.compile("/theory.*run="))
    expect(metric(page, "Rules")).to_have_text("3")
    press(page, "Audit these rules")
    sees(page, re.compile("By hand: 1 rule pinned and 1 rule changed"))
    expect_no_exception(page)
