"""What an address says: put there by a page; what no page knows is said, not passed over."""

from __future__ import annotations

import math
from collections.abc import Callable

import streamlit as st

from glocalx.words.phrases import listing
from ui.text import plain

SELECTIONS = ("budget", "alpha", "alpha_q")
TAKEN = ("together", "one-by-one")  # rules by alpha; the second is the paper's way
STEADY = ("yes", "no")  # whether rules by budget are such as another seed would give, too
FREE = "free"  # conditions need earn nothing
LOWEST_PRICE = 0.01  # a lower one leaves so many rules that making them shorter takes minutes


def say_unknown(name: str, what: str, known: Callable[[str], bool], instead: str) -> None:
    """Say which values under a name of the address are not known; to be called before widgets.

    Parameters
    ----------
    what
        What the name stands for, as within a sentence.
    instead
        What the page shows in its place.
    """
    strange = [text for text in st.query_params.get_all(name) if text and not known(text)]
    if strange:
        st.info(
            f"This address asks for {what} {plain(listing(strange))}, which this page does not "
            f"know; it shows {instead} instead.",
            icon=":material/link_off:",
        )


def put_in_address(name: str, text: str | None) -> None:
    """Have the address say this under a name, or nothing; what it says already stays as it is."""
    if text is None:
        st.query_params.pop(name, None)
    elif text != st.query_params.get(name):
        st.query_params[name] = text


def is_number(text: str, low: float = -math.inf, high: float = math.inf) -> bool:
    """Whether a text is a number from `low` to `high`.

    Examples
    --------
    >>> is_number("3", 1, 5), is_number("9", 1, 5), is_number("three"), is_number("nan")
    (True, False, False, False)
    """
    try:
        value = float(text)
    except ValueError:
        return False
    return math.isfinite(value) and low <= value <= high


def is_price(text: str) -> bool:
    """Whether a text is the price of a condition.

    Examples
    --------
    >>> is_price("free"), is_price("0.03"), is_price("-1"), is_price("cheap")
    (True, True, False, False)
    """
    return text == FREE or is_number(text, LOWEST_PRICE)


def say_unknown_selection() -> None:
    """The same for how the final rules are chosen, which several pages show."""
    say_unknown("by", "a choice of rules by", SELECTIONS.__contains__, "the saved choice")
    say_unknown("value", "the number", is_number, "the saved choice")
    say_unknown("taken", "rules that alpha takes", TAKEN.__contains__, "the saved choice")
    say_unknown("price", "the price of a condition", is_price, "the saved choice")
    say_unknown("steady", "rules that stay", STEADY.__contains__, "the saved choice")
