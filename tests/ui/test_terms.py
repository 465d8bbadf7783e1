"""Words of the method on the pages: each one leads to an entry of the glossary that is there."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from glocalx.lessons.glossary import GLOSSARY, term
from ui.terms import term_link, with_terms

ROOT = Path(__file__).parent.parent.parent
LINKING: dict[str, Callable[[list[ast.expr]], list[ast.expr]]] = {
    "with_terms": lambda args: args[1:],
    "term_link": lambda args: args,
    "words_of_page": lambda args: args,
}
WITHOUT = {"start.py", "learn.py", "runs.py"}  # the tour, the glossary itself, a list


def _terms_in(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            given = LINKING.get(node.func.id, lambda args: [])(node.args)
            for each in given:
                said = ast.literal_eval(each.value if isinstance(each, ast.Starred) else each)
                yield from (said,) if isinstance(said, str) else said


def test_every_word_of_the_glossary_is_linked_and_every_link_has_its_word():
    files = [*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    used = {name for file in files if file.name != "terms.py" for name in _terms_in(file)}
    assert {term(name) for name in used} == set(GLOSSARY)
    for page in (ROOT / "pages").glob("*.py"):
        assert page.name in WITHOUT or len(list(_terms_in(page))) >= 5, page.name


def test_anchors_are_different_and_fit_an_address():
    anchors = [each.anchor for each in GLOSSARY]
    assert len(set(anchors)) == len(anchors)
    assert all(anchor.replace("-", "").isascii() for anchor in anchors)
    assert term_link("held-out records").endswith("(learn?part=Glossary#held-out-records)")
    assert with_terms("A", "join", "cut").count("](learn?part=Glossary#") == 2
    with pytest.raises(KeyError):
        with_terms("A", "no such word")
