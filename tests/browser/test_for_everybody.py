"""Every page can be read and heard by everybody: contrast, names, order of headings, its title."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from glocalx.workspace.run import Run
from tests.browser.screenshots import PAGES, QUERIES
from tests.browser.serving import Server
from tests.browser.steps import be_owner, settled

STREAMLITS_OWN = "[data-testid=stFileUploaderDropzone]"  # it calls its drop zone presentational


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(page: Page, dashboard: Server, compas: Run, scheme: str):
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    be_owner(page, dashboard, compas)
    only = {"runOnly": ["color-contrast"]} if scheme == "dark" else {}  # the rest is the same
    alike = {"exclude": [[STREAMLITS_OWN], ["tbody tr:nth-child(n+5)"]]}
    found, titles = {}, set()
    for name, path in PAGES.items():
        page.goto(f"{dashboard.address}/{path}?run={compas.id}{QUERIES.get(name, '')}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        settled(page)
        answer = Axe().run(page, context=alike, options={"resultTypes": ["violations"], **only})
        told = answer.response["violations"]
        found[name] = [(each["id"], each["nodes"][0]["html"][:200]) for each in told]
        titles.add(page.title())
    assert {name: told for name, told in found.items() if told} == {}
    assert len(titles) == len(PAGES)
    page.emulate_media(color_scheme="light")
