"""Text stays text, wherever it is to stand."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.words.escape import as_file_name, as_markdown, as_plotly, shortened
from tests.export.hostile import texts


@given(texts)
def test_in_markdown_nothing_is_markup_and_nothing_is_lost(text):
    escaped = as_markdown(text)
    assert "\n" not in escaped
    assert not re.search(r"(?<!\\)(?:\\\\)*[<>|`*\[\]_&]", escaped)
    assert re.sub(r"\\(.)", r"\1", escaped) == " ".join(text.split())


@given(st.text())
def test_plotly_shows_text_as_it_was(text):
    defused = as_plotly(text)
    assert not set(defused) & set("<>$\n")
    assert html.unescape(defused) == shortened(text)


@given(st.text(), st.integers(2, 30))
def test_short_text_is_short(text, most):
    assert len(shortened(text, most)) <= most


@pytest.mark.parametrize(
    ("name", "stem"),
    [("COMPAS risk scores", "compas-risk-scores"), ("../../x\0", "x"), ("日本", "rules")],
)
def test_file_names_are_safe(name, stem):
    assert as_file_name(name, "rules") == stem
