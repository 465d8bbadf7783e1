"""Words of the method on the pages: each one leads to an entry of the glossary that is there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from glocalx.lessons.glossary import GLOSSARY, term
from ui.terms import term_link, with_terms

ROOT = Path(__file__).parent.parent.parent
MOST_ASKED = (
    *("fidelity", "coverage", "similarity", "bic", "reliability", "join", "cut", "batch"),
    *("budget", "alpha", "held-out records"),
)


def _terms_in(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            given = {"with_terms": node.args[1:], "term_link": node.args}.get(node.func.id, [])
            for each in given:
                said = ast.literal_eval(each.value if isinstance(each, ast.Starred) else each)
                yield from (said,) if isinstance(said, str) else said


def test_every_word_that_a_page_links_to_has_an_entry():
    files = [*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    used = {name for file in files if file.name != "terms.py" for name in _terms_in(file)}
    assert {term(name) for name in MOST_ASKED} <= {term(name) for name in used}
    assert all(term(name).meaning for name in used)


def test_anchors_are_different_and_fit_an_address():
    anchors = [each.anchor for each in GLOSSARY]
    assert len(set(anchors)) == len(anchors)
    assert all(anchor.replace("-", "").isascii() for anchor in anchors)
    assert term_link("held-out records").endswith("(learn?part=Glossary#held-out-records)")
    assert with_terms("A", "join", "cut").count("](learn?part=Glossary#") == 2
    with pytest.raises(KeyError):
        with_terms("A", "no such word")
