"""Words of the method on the pages: each leads to its entry in the glossary."""

from __future__ import annotations

import streamlit as st

from glocalx.lessons.glossary import term

GLOSSARY_PAGE = "learn?part=Glossary"


def with_terms(text: str, *names: str) -> str:
    """A help text with links to what it speaks of. `text` is Markdown of ours, never of a file.

    Examples
    --------
    >>> with_terms("Lower is better.", "BIC")
    'Lower is better.\\n\\nGlossary: [BIC](learn?part=Glossary#bic)'
    """
    return f"{text}\n\nGlossary: {' · '.join(map(term_link, names))}"


def term_link(name: str) -> str:
    """A word of the method as a link to what it means; it has to be in the glossary."""
    found = term(name)
    return f"[{found.name}]({GLOSSARY_PAGE}#{found.anchor})"


def words_of_page(*names: str) -> None:
    """At the foot of a page, the words of the method that it uses: each is a link."""
    st.caption(f"Words on this page: {' · '.join(map(term_link, names))}")
