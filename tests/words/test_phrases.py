"""Lists as people write them."""

from glocalx.words.phrases import enumeration, listing


def test_of_nothing_nothing_is_said():
    assert enumeration([]) == listing([]) == ""


def test_a_word_stands_before_the_last():
    assert enumeration(["a"]) == "a"
    assert enumeration(["a", "b", "c"], "or") == "a, b or c"
    assert listing("abcde", most=3) == "“a”, “b”, “c” and 2 more"
