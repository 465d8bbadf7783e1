"""The report in a real browser without a network: accessible, printable, harmless."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from glocalx.report import ReportContent, render_report
from tests.browser.serving import window
from tests.report.reported import IMG, SCRIPT, bare, full, hostile

Report = Callable[[], ReportContent]
A4_WIDTH = 688  # 210 mm without the margins of 14 mm, in CSS pixels
REPORTS: list[Report] = [full, bare, hostile]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("reports")
    for report in REPORTS:
        page = render_report(report())
        (made / f"{report.__name__}.html").write_text(page, encoding="utf-8")
    return made


@pytest.fixture
def offline(browser: Browser) -> Iterator[Page]:
    """A page without a network, which fails the test if anything is asked for or goes wrong."""
    context = window(browser, 1440, offline=True)
    page = context.new_page()
    wrong: list[str] = []
    page.on("request", lambda request: wrong.append(request.url))
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    yield page
    context.close()
    assert [each for each in wrong if not each.startswith("file://")] == []
    assert len(wrong) == 1, "the page itself, and nothing else"


def opened(page: Page, folder: Path, report: Report) -> Page:
    page.goto(f"{folder.as_uri()}/{report.__name__}.html")
    return page


@pytest.mark.parametrize(
    ("report", "scheme"),
    [(full, "light"), (full, "dark"), (bare, "light"), (hostile, "light")],
)
def test_nothing_is_hard_to_read_or_to_hear(
    offline: Page, folder: Path, report: Report, scheme: str
):
    offline.emulate_media(color_scheme=scheme)
    page = opened(offline, folder, report)
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    only = {"runOnly": ["color-contrast"]} if scheme == "dark" else {}  # the rest is the same
    alike = {"exclude": [["tbody tr:nth-child(n+5)"]]}  # rows like those above them
    options = {"resultTypes": ["violations"], **only}
    found = Axe().run(page, context=alike, options=options).response
    told = [(each["id"], each["nodes"][0]["html"][:200]) for each in found["violations"]]
    assert told == []
    unnamed = page.locator("svg[role=img]:not(:has(title))")
    assert unnamed.count() == 0


@pytest.mark.parametrize("report", REPORTS)
def test_nothing_is_wider_than_the_window_or_cut_off_on_paper(
    offline: Page, folder: Path, report: Report
):
    page = opened(offline, folder, report)
    for width in (1440, 420):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": A4_WIDTH, "height": 1000})
    beyond = page.evaluate(
        """width => [...document.querySelectorAll("table, th, td, figure, .row > *, li, pre")]
            .filter(each => each.getBoundingClientRect().right > width + 0.5
                         || each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0
                            && getComputedStyle(each).overflowX !== "visible")
            .map(each => each.tagName + ": " + each.textContent.slice(0, 60))""",
        A4_WIDTH,
    )
    assert beyond == []
    assert page.evaluate("document.documentElement.scrollWidth") <= A4_WIDTH
    heads = page.evaluate(
        "[...document.querySelectorAll('thead')].map(each => getComputedStyle(each).display)"
    )
    assert set(heads) <= {"table-header-group"}


def test_it_prints(offline: Page, folder: Path):
    printed = opened(offline, folder, full).pdf(format="A4")
    assert printed.startswith(b"%PDF")
    assert printed.count(b"/Type /Page\n") > 5
    offline.evaluate("document.querySelectorAll('.annex').forEach(each => each.remove())")
    assert offline.pdf(format="A4").count(b"/Type /Page\n") <= 10


def test_hostile_names_are_text_and_do_nothing(offline: Page, folder: Path):
    page = opened(offline, folder, hostile)
    assert page.locator("img, script, b b").count() == 0
    assert page.title().startswith(IMG)
    assert page.locator("h1").inner_text() == IMG + SCRIPT
    assert page.locator("th", has_text=IMG).count() > 0
    assert "hacked" not in page.evaluate("document.title").replace(IMG + SCRIPT, "")


def test_no_script_can_run_even_if_one_were_there(offline: Page, folder: Path):
    """The page's own policy forbids what the escaping already prevents."""
    told = (folder / "full.html").read_text(encoding="utf-8")
    planted = told.replace("</main>", "<script>document.title = 'hacked'</script></main>")
    (folder / "planted.html").write_text(planted, encoding="utf-8")
    context = offline.context
    page = context.new_page()
    page.goto(f"{folder.as_uri()}/planted.html")
    assert page.title() == "COMPAS, random forest – GLocalX"
    opened(offline, folder, full)
