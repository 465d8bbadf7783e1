"""Local rules in a real browser: search, select, read, share the link."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from glocalx.workspace.run import Run
from tests.browser.serving import Server
from tests.browser.steps import (
    click_row,
    expect_no_exception,
    expect_no_wider_than_the_window,
    fresh,
    heading,
    open_link,
    open_page,
    sees,
    settled,
)

pytestmark = pytest.mark.xdist_group("browser")


def test_rules_are_searched_and_read_and_the_link_shows_the_same(
    page: Page, elsewhere: Page, dashboard: Server, compas: Run
):
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

    open_link(elsewhere, page.url)
    expect(heading(elsewhere, sentence.inner_text())).to_be_visible()
    expect(fresh(elsewhere.get_by_role("searchbox", name="Search"))).to_have_value("priors")
    expect_no_wider_than_the_window(elsewhere)
