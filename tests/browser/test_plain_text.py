"""Text of a file on the screen: exactly its characters, and nothing that can be pressed."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.xdist_group("browser")  # one server and one browser for all of them
PATIENCE = 60_000
NAMES = (
    ":smile: <b>x</b> :+1:",
    "www.evil.org, http://evil.org/x",
    "a@evil.org $x$ `y`",
    ":red[x] :material/home: :material_home:",
)


def test_text_of_a_file_is_shown_and_copied_as_it_is(page: Page, server: str):
    header = ",".join([*(f'"{name}"' for name in NAMES), "answer"])
    rows = [f"{i % 7},{i % 5},{i % 3},{i % 4},{'no' if i % 3 else ':smile:'}" for i in range(60)]
    rows[0] = ",,,,no"  # a gap in every column: each is named in a sentence
    table = "\n".join([header, *rows]).encode()
    page.goto(server)
    page.locator("input[type=file]").set_input_files(
        {"name": "t.csv", "mimeType": "text/csv", "buffer": table}, timeout=PATIENCE
    )
    page.get_by_role("button", name="Explain this column").click(timeout=PATIENCE)
    expect(page.get_by_text("Not trained yet.")).to_be_visible(timeout=PATIENCE)
    shown = page.get_by_test_id("stMainBlockContainer")
    for name in NAMES:
        expect(shown).to_contain_text(f"“{name}” lacks 1 of 60 values", timeout=PATIENCE)
    expect(shown).to_contain_text("Share with :smile:")
    assert "\u2060" not in shown.inner_text()
    expect(page.locator('[href*="evil"]')).to_have_count(0)
