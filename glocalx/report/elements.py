"""HTML from Python values, in which text is always text.

Only what :func:`element` made is markup. A plain string, wherever it comes from, is escaped; so
a column called `<img src=x onerror=...>` shows as that.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import TypeAlias

Attribute: TypeAlias = str | int | float | bool | None

_VOID = {"br", "meta", "wbr"}
# No character that is no text (controls, halves of pairs), nor one that turns the direction of
# what follows and so can make a sentence read as another.
_NO_TEXT = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


class Markup(str):
    """HTML that :func:`element` made; templates leave it as it is."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


Child: TypeAlias = "str | Markup | Iterable[Child] | None"


_LONG_WORD = re.compile(r"\S{25,}")
_PLAIN = {"code", "style", "text", "title"}  # no element may stand in them


def text(value: str) -> Markup:
    """A text as HTML.

    Examples
    --------
    >>> text("<b> & co")
    '&lt;b&gt; &amp; co'
    """
    return Markup(html.escape(readable(value)))


def readable(value: str) -> str:
    """A text in which every character shows, and none turns the direction of the others."""
    return _NO_TEXT.sub("\ufffd", value)


def element(tag: str, *children: Child, **attributes: Attribute) -> Markup:
    """One element; what is None is left out.

    Parameters
    ----------
    children
        Texts and elements, or lists of them.
    attributes
        `class_="x"` gives `class="x"`, `aria_label` gives `aria-label`; True has no value.

    Examples
    --------
    >>> element("p", "1 < 2 ", element("b", "!"), class_="sum")
    '<p class="sum">1 &lt; 2 <b>!</b></p>'
    """
    opened = f"<{tag}{''.join(map(_attribute, attributes, attributes.values()))}>"
    if tag in _VOID:
        return Markup(opened)
    return Markup(f"{opened}{_joined(children, breaking=tag not in _PLAIN)}</{tag}>")


def _joined(children: Child, *, breaking: bool) -> Markup:
    if children is None:
        return Markup()
    if isinstance(children, Markup):
        return children
    if isinstance(children, str):
        return breakable(children) if breaking else text(children)
    return Markup("".join(_joined(child, breaking=breaking) for child in children))


def breakable(value: str) -> Markup:
    """A text whose very long words may break, so that no name is wider than a page.

    Examples
    --------
    >>> breakable("id " + 30 * "x")
    'id xxxxxxxxxxxx<wbr>xxxxxxxxxxxx<wbr>xxxxxx'
    """
    made, end = [], 0
    for match in _LONG_WORD.finditer(value):
        word = match.group()
        pieces = [text(word[start : start + 12]) for start in range(0, len(word), 12)]
        made += [text(value[end : match.start()]), "<wbr>".join(pieces)]
        end = match.end()
    return Markup("".join([*made, text(value[end:])]))


def _attribute(name: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    name = name.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{text(str(value))}"'
