"""Global theory in a real browser: choose, read, share the link, ask what if."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from glocalx.workspace.run import Run
from tests.browser.serving import Server
from tests.browser.steps import (
    button,
    expect_no_exception,
    expect_no_wider_than_the_window,
    fresh,
    metric,
    open_link,
    open_page,
    press,
    press_offered,
    sees,
    settled,
    slide,
    text,
)


def test_the_budget_moves_every_figure_and_the_link_shows_the_same(
    page: Page, elsewhere: Page, dashboard: Server, own_compas: Run
):
    open_page(page, dashboard, "theory", own_compas)
    expect(metric(page, "Rules")).to_have_text("7")
    settled(page)
    slide(
        page,
        "How many rules",
        ("Home", *("ArrowRight",) * 5),
        lambda wait: expect(metric(page, "Rules")).to_have_text("6", timeout=wait),
    )
    expect(text(page, "covers")).to_have_count(6)
    sees(page, re.compile("^6 rules, "))
    expect(page).to_have_url(re.compile(f"run={own_compas.id}.*by=budget&value=6"))

    open_link(elsewhere, page.url)
    expect(metric(elsewhere, "Rules")).to_have_text("6")
    expect(button(elsewhere, "Audit these rules")).to_be_visible()
    expect_no_wider_than_the_window(elsewhere)

    settled(page)
    page.get_by_role("radio", name="Matrix").click()
    sees(page, "A row for each rule")
    expect(page).to_have_url(re.compile("view=matrix"))
    expect_no_exception(page)


def test_the_verdict_turns_with_the_number_of_rules(page: Page, dashboard: Server, own_compas: Run):
    open_page(page, dashboard, "theory", own_compas, by="budget", value=3, price="free")
    sees(page, "These rules agree often, but miss much of what the model calls High risk.")
    sees(page, "finds 37 of the 60 that the black box calls")
    settled(page)
    _all_the_way(page, "Home", "Do not rely on these rules.")
    sees(page, "finds 20 of the 60 that the black box calls")
    settled(page)
    _all_the_way(page, "End", "These rules can stand in for the model on records like these.")
    expect_no_exception(page)


def _all_the_way(page: Page, key: str, verdict: str) -> None:
    shown = text(page, verdict)
    slide(
        page,
        "How many rules",
        (key,),
        lambda wait: expect(shown).to_be_visible(timeout=wait),
    )


def test_other_values_flip_the_answer(page: Page, dashboard: Server, compas: Run):
    asked = {"by": "budget", "value": 10, "asked_record": 6}
    open_page(page, dashboard, "theory", compas, **asked)
    sees(page, "No rule applies, so the rules")
    settled(page)
    text(page, "What if? Change its values").click()
    age = fresh(page.get_by_role("spinbutton", name="Age"))
    age.fill("22")
    age.press("Enter")
    sees(page, "is the first that applies")
    press(page, "Put the record’s own values back")
    sees(page, "No rule applies, so the rules")
    settled(page)
    with page.expect_download() as download:
        press_offered(page, button(page, "Download the rules"), "JSON")
    assert download.value.suggested_filename == "compas-risk-scores-7-rules.json"
