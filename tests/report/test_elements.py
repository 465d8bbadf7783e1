"""Text is text, whatever it says."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError
from markupsafe import Markup

from glocalx.report.render import templates
from tests.export.hostile import NASTY


class Reader(HTMLParser):
    """What a browser would make of it."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


printable = st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs"]))
texts = st.one_of(st.sampled_from([text for text in NASTY if text.isprintable()]), printable)


def written(source: str, **values: object) -> str:
    """What a template makes of values."""
    return templates().from_string(source).render(values)


@given(texts, texts)
def test_a_browser_reads_back_what_was_written(content, attribute):
    source = '<p title="{{ attribute }}">{{ content|words }}<b>{{ content }}</b></p>'
    read = Reader(written(source, content=content, attribute=attribute))
    assert [tag for tag in read.tags if tag != "wbr"] == ["p", "b"]
    assert read.text == content * 2
    assert read.attributes == [("title", attribute)]


def test_what_is_not_known_cannot_be_left_out_in_silence():
    with pytest.raises(UndefinedError):
        written("<p>{{ nobody_knows }}</p>")


def test_only_markup_is_markup():
    made = written("<p><i>{{ a }}</i>{{ a|words }}{{ b }}</p>", a="<", b=Markup("&nbsp;"))
    assert made == "<p><i>&lt;</i>&lt;&nbsp;</p>"


def test_characters_that_turn_or_break_a_text_are_shown_as_strange():
    for source in ("<p>{{ text }}</p>", "<p>{{ text|words }}</p>"):
        made = written(source, text="a\u202eb\x00c\ud800d")
        assert made == "<p>a\ufffdb\ufffdc\ufffdd</p>"
        made.encode("utf-8")


def test_long_words_may_break_but_not_where_markup_is_impossible():
    assert "<wbr>" in written("<td>{{ text|words }}</td>", text="x" * 40)
    assert "<wbr>" not in written("<title>{{ text }}</title>", text="x" * 40)
    assert "<wbr>" not in written("<td>{{ text|words }}</td>", text="words of the usual length")
