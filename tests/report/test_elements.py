"""Text is text, whatever it says."""

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from glocalx.report.elements import Markup, element
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


@given(texts, texts)
def test_a_browser_reads_back_what_was_written(content, attribute):
    read = Reader(element("p", content, [element("b", content)], title=attribute))
    assert [tag for tag in read.tags if tag != "wbr"] == ["p", "b"]
    assert read.text == content * 2
    assert read.attributes == [("title", attribute)]


def test_what_is_none_is_left_out():
    assert element("p", None, [None, "x"], class_=None, hidden=True, open=False) == (
        "<p hidden>x</p>"
    )


def test_only_elements_are_markup():
    made = element("p", element("i", "<"), "<", Markup("&nbsp;"))
    assert made == "<p><i>&lt;</i>&lt;&nbsp;</p>"


def test_characters_that_turn_or_break_a_text_are_shown_as_strange():
    made = element("p", "a\u202eb\x00c\ud800d")
    assert made == "<p>a\ufffdb\ufffdc\ufffdd</p>"
    made.encode("utf-8")


def test_long_words_may_break_but_not_where_markup_is_impossible():
    assert "<wbr>" in element("td", "x" * 40)
    assert "<wbr>" not in element("title", "x" * 40)
    assert "<wbr>" not in element("td", "words of the usual length")
