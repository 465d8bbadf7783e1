"""Text of strangers' tables made safe for the place where it is to stand.

A name can hold anything: line breaks, markup, a formula, the words that part one condition of a
rule from the next. Each function shows the characters of the name and nothing else. HTML has its
own in :mod:`glocalx.report.render`, Streamlit's Markdown in `ui.text`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_INNER_QUOTES = str.maketrans("“”", "‘’")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~&:@^$=\"'])")
_PLOTLY = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;"})
_LONGEST_FILE_NAME = 40


def on_one_line(text: str) -> str:
    """A text on one line, without characters that do not show.

    Examples
    --------
    >>> on_one_line("two\\nlines")
    'two lines'
    """
    if not text.isprintable():
        text = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(text.split())


def shortened(text: object, most: int = 60) -> str:
    """A text on one line and not too long.

    Examples
    --------
    >>> shortened("a long name", most=7)
    'a long…'
    """
    line = on_one_line(str(text))
    return f"{line[: most - 1].rstrip()}…" if len(line) > most else line


def in_rule(name: str, breaks: Iterable[str] = ("→", " and ")) -> str:
    """A name or category within a rule: in quotation marks where it could be taken for a part of
    the rule.

    Examples
    --------
    >>> in_rule("office clerk"), in_rule("two\\nlines"), in_rule("x → deny")
    ('office clerk', 'two lines', '“x → deny”')
    """
    text = on_one_line(name)
    if text and not any(part in text for part in breaks):
        return text
    return f"“{text.translate(_INNER_QUOTES)}”"


def in_sentence(name: str) -> str:
    """A name or category within a sentence, where commas and "or" part it from others.

    Examples
    --------
    >>> in_sentence("sales"), in_sentence("unskilled, resident")
    ('sales', '“unskilled, resident”')
    """
    return in_rule(name, ("→", " and ", " or ", ", "))


def as_markdown(value: object) -> str:
    r"""A text on one line in which nothing is markup, for a Markdown file.

    Examples
    --------
    >>> print(as_markdown("a|b <img src=x>"))
    a\|b \<img src\=x\>
    """
    return _MARKDOWN.sub(r"\\\1", " ".join(str(value).split()))


def as_plotly(text: object, most: int = 60) -> str:
    """A text on one line and not too long for plotly, which reads some HTML and TeX in any text.

    Examples
    --------
    >>> as_plotly("<b>a & b</b>")
    '&lt;b&gt;a &amp; b&lt;/b&gt;'
    """
    return shortened(text, most).translate(_PLOTLY)


def as_file_name(name: str, otherwise: str) -> str:
    """A file name without its ending: letters, digits and hyphens, whatever the name is.

    Examples
    --------
    >>> as_file_name("Größe/../x", "rules"), as_file_name("…", "rules")
    ('grosse-x', 'rules')
    """
    folded = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    kept = re.sub(r"[^a-z0-9]+", "-", folded).strip("-")
    return kept[:_LONGEST_FILE_NAME].strip("-") or otherwise
