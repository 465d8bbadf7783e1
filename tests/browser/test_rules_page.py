"""Local rules in a real browser: search, select, read."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from glocalx.workspace.run import Run
from tests.browser.serving import Server
from tests.browser.steps import (
    click_row,
    expect_no_exception,
    expect_to_fit_a_phone,
    fresh,
    heading,
    open_page,
    sees,
    settled,
)


def test_rules_are_searched_and_read(page: Page, dashboard: Server, compas: Run):
    open_page(page, dashboard, "rules", compas)
    settled(page)
    fresh(page.get_by_role("searchbox", name="Search")).fill("priors")
    expect(page).to_have_url(re.compile("search=priors"))
    sees(page, "No rule selected")
    click_row(page, 1)
    sees(page, re.compile(r"Rule of record \d"))
    sentence = heading(page, re.compile(r"^If .* risk\.$"))
    expect(sentence).to_contain_text("prior")
    expect(page).to_have_url(re.compile(rf"run={compas.id}.*record=\d"))
    expect_no_exception(page)

    expect_to_fit_a_phone(page)
