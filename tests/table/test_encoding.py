import pytest

from glocalx.errors import GLocalXError
from glocalx.table.encoding import to_utf8
from glocalx.table.reading import parse_table

TEXT = "größe,straße\n1,Ünter\n2,“quoted” – €\n"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
def test_text_is_the_same_in_every_encoding(encoding: str) -> None:
    assert to_utf8(TEXT.encode(encoding), "a.csv")[0].decode() == TEXT


def test_latin_1() -> None:
    text = "größe,straße\n1,é\n"
    read, (finding,) = to_utf8(text.encode("latin-1"), "a.csv")
    assert read.decode() == text
    assert finding.sentence == (
        "The file is not UTF-8; it was read as Windows-1252. Check letters as in “größe,stra”."
    )


def test_bytes_that_windows_does_not_know_are_latin_1() -> None:
    _, (finding,) = to_utf8(b"a,b\n\x81\xe9,2\n", "a.csv")
    assert "it was read as Latin-1" in finding.sentence


def test_utf_8_says_nothing() -> None:
    assert to_utf8(TEXT.encode(), "a.csv") == (TEXT.encode(), ())


def test_a_broken_character_in_utf_8_is_told_with_its_row() -> None:
    data = ("a,b\n" + "é,è\n" * 50).encode() + b"\xc3,2\n" + "é,è\n".encode() * 9
    with pytest.raises(GLocalXError, match="UTF-8 text with a broken character in row 52"):
        to_utf8(data, "a.csv")


def test_utf_16_that_was_cut_off() -> None:
    with pytest.raises(GLocalXError, match="begins like UTF-16-LE text, but is damaged or cut"):
        parse_table(TEXT.encode("utf-16")[:-1])
