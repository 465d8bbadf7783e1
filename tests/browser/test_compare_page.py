"""Compare in a real browser: a tree, a differing record, and the link to it."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.steps import SLOW, open_sample

pytestmark = pytest.mark.xdist_group("browser")


def test_a_differing_record_and_the_link_to_it(page: Page, browser: Browser, server: str):
    run = open_sample(page, server)
    page.goto(f"{server}/compare?run={run}&baseline=tree")
    verdict = page.get_by_text("only these rules agree with the black box")
    expect(verdict).to_be_visible(timeout=SLOW)
    expect(page.locator(".js-plotly-plot").first).to_be_visible(timeout=SLOW)
    number = page.get_by_label("Held-out record", exact=True)
    first = number.input_value()
    page.get_by_role("button", name="Next where they differ").click()
    expect(number).not_to_have_value(first, timeout=SLOW)
    chosen = number.input_value()
    expect(page).to_have_url(re.compile(f"record={chosen}(&|$)"), timeout=SLOW)
    assert f"run={run}" in page.url
    assert page.get_by_test_id("stException").count() == 0

    colleague = browser.new_context().new_page()
    colleague.goto(page.url)
    expect(colleague.get_by_label("Held-out record", exact=True)).to_have_value(
        chosen, timeout=SLOW
    )
    expect(colleague.get_by_text("somebody else’s run")).to_be_visible(timeout=SLOW)
    expect(colleague.get_by_text("The two give different answers")).to_have_text(
        page.get_by_text("The two give different answers").inner_text(), timeout=SLOW
    )
    colleague.context.close()


def test_two_runs_and_back_on_a_phone(page: Page, browser: Browser, server: str):
    first = open_sample(page, server)
    colleague = browser.new_context()
    second = open_sample(colleague.new_page(), server)
    colleague.close()
    page.set_viewport_size({"width": 420, "height": 900})
    page.goto(f"{server}/compare?run={first}&other={second}")
    expect(page.get_by_text("on exactly the same records")).to_be_visible(timeout=SLOW)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Swap sides").click()
    page.wait_for_url(re.compile(f"other={first}"), timeout=SLOW)
    assert f"run={second}" in page.url
    expect(page.get_by_text("on exactly the same records")).to_be_visible(timeout=SLOW)
