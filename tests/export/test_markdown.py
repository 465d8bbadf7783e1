"""Markdown shows names as text."""

import html
import re

from glocalx.export.markdown import markdown_table, theory_to_markdown
from glocalx.rules.schema import Feature, Schema
from tests.export.hostile import ranked


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
