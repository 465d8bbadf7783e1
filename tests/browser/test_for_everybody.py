"""Every page can be read and heard by everybody: contrast, names, order of headings, its title."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from glocalx.workspace.run import Run
from tests.browser.screenshots import PAGES, QUERIES, settle
from tests.browser.serving import Server
from tests.browser.steps import be_owner, settled

FADED = """() => document.getAnimations()
    .every(each => !(each instanceof CSSTransition) || each.playState === 'finished')"""
STREAMLITS_OWN = "[data-testid=stFileUploaderDropzone]"  # it calls its drop zone presentational


def test_axe_finds_nothing_on_any_page(page: Page, dashboard: Server, compas: Run):
    be_owner(page, dashboard, compas)
    found, titles = {}, set()
    for name, path in PAGES.items():
        page.emulate_media(color_scheme="light")
        page.goto(f"{dashboard.address}/{path}?run={compas.id}{QUERIES.get(name, '')}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        settled(page)
        found[name, "light"] = _violations(page)
        _turn_dark(page)
        found[name, "dark"] = _violations(page, "color-contrast")  # the rest is the same
        titles.add(page.title())
    assert {where: told for where, told in found.items() if told} == {}
    assert len(titles) == len(set(PAGES.values()))


def _turn_dark(page: Page) -> None:
    """Colours that the page chooses, and not the browser, come with the next run of it."""
    page.emulate_media(color_scheme="dark")
    expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", "dark")
    page.evaluate("window.before = window.runs")
    page.keyboard.press("r")
    page.wait_for_function("window.runs !== window.before")
    settled(page)


def _violations(page: Page, *rules: str) -> list[tuple[str, str]]:
    """What axe finds, twice: what is there for a moment, while colours change, is none."""
    return _found(page, *rules) and _found(page, *rules)


def _found(page: Page, *rules: str) -> list[tuple[str, str]]:
    settle(page)
    page.wait_for_function(FADED)
    alike = {"exclude": [[STREAMLITS_OWN], ["tbody tr:nth-child(n+5)"]]}
    only = {"runOnly": list(rules)} if rules else {}
    options = {"resultTypes": ["violations"], "preload": False, **only}  # no sheet is fetched anew
    answer = Axe().run(page, context=alike, options=options)
    return [(each["id"], each["nodes"][0]["html"][:200]) for each in answer.response["violations"]]
