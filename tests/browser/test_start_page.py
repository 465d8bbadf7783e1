"""The first page opens in a real browser."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.xdist_group("browser")  # one server and one browser for all of them


@pytest.mark.parametrize("width", [1440, 420])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_start_says_what_this_is(page: Page, server: str, width: int, scheme: str):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(server)
    expect(page.get_by_role("heading", name="See how a black box decides")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
