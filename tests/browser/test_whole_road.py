"""The whole road in a real browser, with a server that is killed on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import onnx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from sklearn.tree import DecisionTreeClassifier

from tests.blackbox.model_files import exported, people, pipeline
from tests.browser.conftest import Server

pytestmark = pytest.mark.xdist_group("browser")

SLOW = 60_000  # a shared machine is slow now and then
IMAGE, COLOUR, FORMULA = "<img src=x onerror=alert(1)>", ":red[x]", "$y$"
AGE, AMOUNT, JOB = IMAGE, COLOUR, FORMULA  # how the columns are called in the file
RECORDS = 40


def _files() -> tuple[dict[str, object], dict[str, object]]:
    """A table with hostile names and a hostile category, and a model that knows it."""
    frame, labels = people(300)
    frame["job"] = frame["job"].replace({"chief": IMAGE})
    frame = frame.rename(columns={"age": AGE, "amount": AMOUNT, "job": JOB})
    tree = DecisionTreeClassifier(max_depth=6, random_state=0)
    model = exported(pipeline(frame, tree).fit(frame, labels), frame)
    _name_inputs(model, list(frame.columns))
    table = frame.assign(answer=labels).to_csv(index=False).encode()
    return (
        {"name": "people.csv", "mimeType": "text/csv", "buffer": table},
        {
            "name": "model.onnx",
            "mimeType": "application/octet-stream",
            "buffer": model.SerializeToString(),
        },
    )


def _name_inputs(model: onnx.ModelProto, names: list[str]) -> None:
    """Call the inputs as the columns are called, which the exporter does not dare."""
    new = {given.name: name for given, name in zip(model.graph.input, names, strict=True)}
    for given in model.graph.input:
        given.name = new[given.name]
    for node in model.graph.node:
        node.input[:] = [new.get(name, name) for name in node.input]


@contextmanager
def _no_dialog(page: Page) -> Iterator[None]:
    """Nothing from the file may come alive while the page is used."""
    heard: list[str] = []

    def hear(dialog: object) -> None:
        heard.append(dialog.message)  # type: ignore[attr-defined]
        dialog.dismiss()  # type: ignore[attr-defined]

    page.on("dialog", hear)
    yield
    assert not heard


def _expect_only_text(page: Page) -> None:
    """What is hostile in the file is no picture, no colour and no formula."""
    expect(page.locator("img[src='x']")).to_have_count(0)
    expect(page.locator(".katex")).to_have_count(0)
    expect(
        page.locator("[class*=stMarkdownColoredText]").get_by_text("x", exact=True)
    ).to_have_count(0)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def _settled(page: Page) -> None:
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=SLOW)


def _press(page: Page, name: str) -> None:
    page.get_by_role("button", name=re.compile(rf"\b{name}\b")).click(timeout=SLOW)


def _fill(page: Page, label: str, value: str) -> None:
    entry = page.get_by_role("spinbutton", name=label)
    entry.fill(value, timeout=SLOW)
    entry.press("Enter")
    expect(entry).to_have_value(re.compile(rf"^{value}(\.0+)?$"), timeout=SLOW)
    _settled(page)


def _upload(page: Page, file: dict[str, object]) -> None:
    page.locator("input[type=file]").set_input_files(file, timeout=SLOW)  # type: ignore[arg-type]


def _rules_chosen(page: Page) -> Locator:
    return page.get_by_test_id("stMetric").filter(has_text="Rules").get_by_test_id("stMetricValue")


def _sentences(page: Page) -> list[str]:
    """The theory that is shown, rule by rule."""
    cards = page.get_by_text(re.compile(r"^If .* is "))
    expect(cards.first).to_be_visible(timeout=SLOW)
    _settled(page)
    return cards.all_inner_texts()


def test_a_file_and_a_model_become_a_theory_that_outlives_the_server(
    page: Page, own_server: Server, browser: Browser
):
    with _no_dialog(page):
        _bring(page, own_server)
        _write(page)
        _merge(page)
        _choose_two_rules(page)
        _flip(page)
        address, theory = page.url, _sentences(page)

        own_server.kill()
        own_server.start()
        page.goto(address)
        expect(_rules_chosen(page)).to_have_text("2", timeout=SLOW)
        assert _sentences(page) == theory
        expect(page.get_by_text("somebody else’s run")).to_have_count(0)
        _expect_only_text(page)
    _colleague_sees(browser, address, theory)


def _bring(page: Page, server: Server) -> None:
    table, model = _files()
    page.goto(server.address)
    _upload(page, table)
    expect(page.get_by_text("Which column is the outcome to explain?")).to_be_visible(timeout=SLOW)
    _expect_only_text(page)
    _press(page, "Explain this column")
    expect(page.get_by_role("button", name="Write local rules")).to_be_visible(timeout=SLOW)
    _settled(page)
    page.get_by_text("My model file").click(timeout=SLOW)
    _upload(page, model)
    _press(page, "Use this model")
    expect(page.get_by_text("Accuracy, held out")).to_be_visible(timeout=SLOW)
    _settled(page)
    _expect_only_text(page)


def _write(page: Page) -> None:
    page.get_by_role("link", name="Local rules").click()
    _fill(page, "Records to explain", str(RECORDS))
    _press(page, "Write local rules")
    expect(page.get_by_text(f"of {RECORDS} rules (")).to_be_visible(timeout=SLOW)
    _expect_only_text(page)


def _merge(page: Page) -> None:
    _press(page, "Merge these rules")
    _press(page, "Step")
    expect(page.get_by_role("heading", name="Step 1", exact=True)).to_be_visible(timeout=SLOW)
    expect(page).to_have_url(re.compile("step=1"), timeout=SLOW)
    _expect_only_text(page)
    onwards = page.get_by_role("button", name="Choose the global theory")
    expect(onwards).to_be_enabled(timeout=SLOW)
    onwards.click()


def _choose_two_rules(page: Page) -> None:
    expect(page.get_by_role("button", name="Audit these rules")).to_be_visible(timeout=SLOW)
    _settled(page)
    slider = page.get_by_role("slider", name="How many rules")
    slider.focus()
    page.keyboard.press("Home")
    expect(_rules_chosen(page)).to_have_text("1", timeout=SLOW)
    _settled(page)
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(_rules_chosen(page)).to_have_text("2", timeout=SLOW)
    expect(page).to_have_url(re.compile("by=budget&value=2"), timeout=SLOW)


def _flip(page: Page) -> None:
    """Who has no job and asks for much is refused; with the hostile job, accepted."""
    page.get_by_text("What if? Change its values").click()
    job = page.get_by_role("combobox", name=JOB)
    job.fill("none", timeout=SLOW)
    job.press("Enter")
    _fill(page, AMOUNT, "20000")
    expect(page.get_by_text("is the first that applies")).to_be_visible(timeout=SLOW)
    job.fill(IMAGE, timeout=SLOW)
    job.press("Enter")
    expect(page.get_by_text("No rule applies, so the rules")).to_be_visible(timeout=SLOW)
    _expect_only_text(page)


def _colleague_sees(browser: Browser, address: str, theory: list[str]) -> None:
    context = browser.new_context()
    other = context.new_page()
    with _no_dialog(other):
        other.goto(address)
        expect(other.get_by_text("somebody else’s run")).to_be_visible(timeout=SLOW)
        expect(_rules_chosen(other)).to_have_text("2", timeout=SLOW)
        assert _sentences(other) == theory
        _expect_only_text(other)
    context.close()


def test_work_goes_on_by_itself_when_the_server_was_killed(page: Page, own_server: Server):
    page.goto(own_server.address)
    _press(page, "Open the sample")
    expect(page).to_have_url(re.compile(r"/rules\?.*run="), timeout=SLOW)
    page.get_by_text("How these rules were written").click(timeout=SLOW)
    _fill(page, "Records to explain", "150")
    _fill(page, "Look-alikes for each record", "2000")
    _press(page, "Write them again")
    going_on = page.get_by_text(re.compile(r"Writing local rules: (\d+) of 150 records"))
    expect(going_on).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("rules so far")).to_be_visible(timeout=SLOW)
    own_server.kill()
    own_server.start()
    page.reload()
    expect(going_on).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("button", name="Go on")).to_have_count(0)
    expect(page.get_by_text("of 150 rules (")).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("button", name="Merge these rules")).to_be_enabled(timeout=SLOW)
    expect(page.get_by_test_id("stException")).to_have_count(0)
