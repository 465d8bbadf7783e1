"""The whole road in a real browser, with hostile names and a server that is killed on the way."""

from __future__ import annotations

import re

import numpy as np
import onnx
from playwright.sync_api import Dialog, Locator, Page, expect
from sklearn.tree import DecisionTreeClassifier

from tests.blackbox.model_files import exported, people, pipeline
from tests.browser.serving import Server
from tests.browser.steps import (
    button,
    cell,
    csv_file,
    expect_no_exception,
    expect_no_wider_than_the_window,
    expect_to_fit_a_phone,
    fill,
    fresh,
    heading,
    metric,
    open_link,
    press,
    press_at_once,
    run_shown,
    sees,
    settled,
    slide,
    text,
    upload,
)
from tests.workspace.kept_waiting import kept_waiting
from ui.text import plain

AGE, AMOUNT, JOB = "<img src=x onerror=alert(1)>", "$x$", "*b*"  # as the columns are called
CHIEF, NONE = "<img src=y onerror=alert(2)>", "=1+1"
RECORDS, HOW_MANY = 20, "Records that get a rule"


def _files() -> tuple[dict[str, object], dict[str, object]]:
    """A table with gaps, hostile names and hostile values, and a model that answers 0 and 1."""
    frame, labels = people(300)
    frame["job"] = frame["job"].replace({"chief": CHIEF, "none": NONE})
    frame = frame.rename(columns={"age": AGE, "amount": AMOUNT, "job": JOB})
    tree = DecisionTreeClassifier(max_depth=6, random_state=0)
    model = exported(pipeline(frame, tree).fit(frame, (labels == "deny").astype(np.int64)), frame)
    _name_inputs(model, list(frame.columns))
    table = frame.assign(answer=labels).astype({AGE: object})
    table.loc[:8, AGE] = None
    return (
        csv_file("people.csv", table.to_csv(index=False)),
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


def test_from_a_file_and_a_model_to_a_theory_that_outlives_the_server(
    page: Page, elsewhere: Page, own_server: Server
):
    alive: list[str] = []
    page.on("dialog", lambda dialog: _note(dialog, alive))
    _bring_the_table(page, own_server)
    _bring_the_model(page)
    _begin_to_write(page, own_server)
    own_server.kill()
    with kept_waiting(own_server.folder_of(run_shown(page))):
        own_server.start()
        page.reload()
        expect(fresh(page.get_by_role("progressbar"))).to_be_visible()  # it goes on by itself
        press_at_once(page, "Cancel")
        settled(page)
    _see_what_was_made_and_resume(page)
    _merge(page)
    _choose_two_rules(page)
    _flip(page)
    theory = _sentences(page)

    _kill_and_start(own_server, page)
    assert _sentences(page) == theory
    expect(page.get_by_text("somebody else’s run")).to_have_count(0)
    _expect_only_text(page)
    _colleague_sees_but_cannot_change(elsewhere, own_server, page.url, theory)
    assert alive == []


def _note(dialog: Dialog, alive: list[str]) -> None:
    alive.append(dialog.message)
    dialog.dismiss()


def _expect_only_text(page: Page) -> None:
    """What is hostile in the file is no picture, no formula and no emphasis."""
    settled(page)
    expect(page.locator("img[src=x], img[src=y], .katex")).to_have_count(0)
    expect(page.locator("em").get_by_text("b", exact=True)).to_have_count(0)
    expect_no_exception(page)


def _kill_and_start(server: Server, page: Page) -> None:
    server.kill()
    server.start()
    page.reload()


def _bring_the_table(page: Page, server: Server) -> None:
    table, _ = _files()
    page.goto(server.address)
    upload(page, table)
    sees(page, "Which column is the outcome to explain?")
    _expect_only_text(page)
    press(page, "Explain this column")
    sees(page, "lacks 9 of 300 values")
    expect(cell(page, JOB)).to_be_attached()
    expect(button(page, "Write local rules")).to_be_visible()
    _expect_only_text(page)


def _bring_the_model(page: Page) -> None:
    _, model = _files()
    text(page, "My model file").click()
    upload(page, model)
    sees(page, "in other words than the outcome column")
    press(page, "Use this model")
    sees(page, re.compile("^Measured on these .* may have seen"), "including its mistakes")
    _expect_only_text(page)
    expect_to_fit_a_phone(page)


def _begin_to_write(page: Page, server: Server) -> None:
    page.get_by_role("link", name="Local rules").click()
    settled(page)
    fill(page, HOW_MANY, str(RECORDS))
    text(page, "More settings").click()
    text(page, "Bred towards the border").click()  # slow enough to be watched
    settled(page)
    fill(page, "Look-alikes for each record", "6000")
    press(page, "Write local rules")
    server.hold_work(run_shown(page))
    some_written = re.compile(rf"Writing local rules: [1-9]\d* of {RECORDS} records")
    sees(page, some_written)


def _see_what_was_made_and_resume(page: Page) -> None:
    sees(page, "Stopped. What was made is kept.")
    sees(page, "rules so far")  # those of the dead server
    press(page, "Go on")
    sees(page, f"of {RECORDS} rules (")
    _expect_only_text(page)


def _merge(page: Page) -> None:
    """Step, play to the end, and scrub back."""
    press(page, "Merge these rules")
    sees(page, "The end.")
    settled(page)
    press(page, "Start")
    sees(page, re.compile("^Step 0 of "))
    press(page, "Step")
    expect(heading(page, "Step 1", exact=True)).to_be_visible()
    settled(page)
    text(page, "25×", exact=True).click()
    settled(page)
    press(page, "Play")
    sees(page, "The end.")
    settled(page)
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"step=\d"))
    expect(text(page, "The end.")).to_have_count(0)
    _expect_only_text(page)
    press(page, "Choose the global theory")


def _choose_two_rules(page: Page) -> None:
    expect(button(page, "Audit these rules")).to_be_visible()
    settled(page)
    slide(
        page,
        "How many rules",
        ("Home", "ArrowRight"),
        lambda wait: expect(metric(page, "Rules")).to_have_text("2", timeout=wait),
    )
    settled(page)
    expect(page).to_have_url(re.compile("by=budget&value=2"))


def _flip(page: Page) -> None:
    """Who has no job and asks for much is refused; a chief is not."""
    text(page, "What if? Change its values").click()
    job = page.get_by_role("combobox", name=plain(JOB))
    _choose(job, NONE)
    fill(page, plain(AMOUNT), "20000")
    sees(page, "is the first that applies")
    _choose(job, CHIEF)
    sees(page, "No rule applies, so the rules")
    _expect_only_text(page)


def _choose(field: Locator, value: str) -> None:
    field.fill(value)
    field.press("Enter")


def _sentences(page: Page) -> list[str]:
    """The theory that is shown, rule by rule."""
    expect(metric(page, "Rules")).to_have_text("2")
    cards = text(page, re.compile(r"^If .* is "))
    expect(cards).to_have_count(2)
    return cards.all_inner_texts()


def _colleague_sees_but_cannot_change(
    other: Page, server: Server, address: str, theory: list[str]
) -> None:
    open_link(other, address)
    assert _sentences(other) == theory
    _expect_only_text(other)
    expect_no_wider_than_the_window(other)
    other.goto(address.replace("/theory", "/rules"))
    sees(other, "How these rules were written")
    text(other, "How these rules were written").click()
    expect(other.get_by_role("spinbutton", name=HOW_MANY)).to_have_count(0)
    other.goto(f"{server.address}/runs")
    sees(other, "No runs yet.")
