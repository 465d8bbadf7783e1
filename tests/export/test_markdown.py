"""Markdown shows names as text."""

import html
import re

from hypothesis import given

from glocalx.export.markdown import markdown_table, markdown_text, theory_to_markdown
from glocalx.rules.schema import Feature, Schema
from tests.export.hostile import ranked, texts


@given(texts)
def test_nothing_is_markup_and_nothing_is_lost(text):
    escaped = markdown_text(text)
    assert "\n" not in escaped
    assert not re.search(r"(?<!\\)(?:\\\\)*[<>|`*\[\]_&]", escaped)
    assert re.sub(r"\\(.)", r"\1", escaped) == " ".join(text.split())


def test_a_table_keeps_its_columns():
    table = markdown_table(["a|b", "c"], [["x | y", 1]])
    for line in table.splitlines():
        assert len(re.findall(r"(?<!\\)\|", line)) == 3


def test_a_theory_shows_its_rules_in_order():
    schema = Schema((Feature("<b>", "integer"),), ("no", "yes"))
    theory = ranked(schema, [schema.rule({"<b>": (5, 9)}, "yes")])
    text = theory_to_markdown(theory)
    assert "| 1 | 5 ≤ \\<b\\> \\< 9 | yes | 0 | none covered |" in text
    assert "| otherwise | no |" in text
    assert html.escape(text).count("&lt;b") == 1
