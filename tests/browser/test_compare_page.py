"""Compare in a real browser: a tree, a differing record; two runs on a phone."""

import re

from playwright.sync_api import Page, expect

from glocalx.workspace.run import Run
from tests.browser.serving import Server
from tests.browser.steps import (
    be_owner,
    expect_no_exception,
    expect_no_wider_than_the_window,
    fresh,
    open_page,
    press,
    sees,
    settled,
    text,
)

DIFFER = "The two give different answers"


def test_a_differing_record_and_its_address(page: Page, dashboard: Server, compas: Run):
    open_page(page, dashboard, "compare", compas, baseline="tree")
    sees(page, "only these rules agree with the black box")
    expect(fresh(page.locator(".js-plotly-plot")).first).to_be_visible()
    settled(page)
    number = fresh(page.get_by_label("Held-out record", exact=True))
    first = number.input_value()
    press(page, "Next where they differ")
    expect(number).not_to_have_value(first)
    chosen = number.input_value()
    expect(page).to_have_url(re.compile(f"run={compas.id}.*record={chosen}(&|$)"))
    expect_no_exception(page)
    expect(text(page, DIFFER)).to_be_visible()


def test_two_runs_and_back_on_a_phone(
    elsewhere: Page, dashboard: Server, compas: Run, own_compas: Run
):
    be_owner(elsewhere, dashboard, own_compas)
    address = f"{dashboard.address}/compare?run={own_compas.id}&other={compas.id}"
    elsewhere.goto(address)
    sees(elsewhere, "on exactly the same records")
    settled(elsewhere)
    expect_no_wider_than_the_window(elsewhere)
    press(elsewhere, "Swap sides")
    elsewhere.wait_for_url(re.compile(f"other={own_compas.id}"))
    assert f"run={compas.id}" in elsewhere.url
    sees(elsewhere, "on exactly the same records")
