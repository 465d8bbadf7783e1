"""Text of a file on the screen: exactly its characters, and nothing that can be pressed."""

from playwright.sync_api import Page, expect

from tests.browser.serving import Server
from tests.browser.steps import csv_file, press, sees, settled, upload

NAMES = (
    ":smile: <b>x</b> :+1:",
    "www.evil.org, http://evil.org/x",
    "a@evil.org $x$ `y`",
    ":red[x] :material/home: :material_home:",
)


def test_text_of_a_file_is_shown_and_copied_as_it_is(page: Page, dashboard: Server):
    header = ",".join([*(f'"{name}"' for name in NAMES), "answer"])
    rows = [f"{i % 7},{i % 5},{i % 3},{i % 4},{'no' if i % 3 else ':smile:'}" for i in range(60)]
    rows[0] = ",,,,no"  # a gap in every column: each is named in a sentence
    page.goto(dashboard.address)
    upload(page, csv_file("t.csv", "\n".join([header, *rows])))
    press(page, "Explain this column")
    sees(page, "Not trained yet.")
    settled(page)
    shown = page.get_by_test_id("stMainBlockContainer")
    for name in NAMES:
        expect(shown).to_contain_text(f"“{name}” lacks 1 of 60 values")
    expect(shown).to_contain_text("Share with :smile:")
    assert "\u2060" not in shown.inner_text()
    expect(page.locator('[href*="evil"]')).to_have_count(0)
