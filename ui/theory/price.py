"""What a condition must earn to stay: the price of a condition, in records."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from glocalx.pipeline.settings import SelectionSettings
from glocalx.selection import DEFAULT_PRICE, records_to_earn
from glocalx.words.figures import trimmed
from glocalx.workspace.run import Run
from ui.address import FREE
from ui.opened import explained_of

PRICES = (None, 0.01, 0.02, DEFAULT_PRICE, 0.04, 0.06, 0.1, 0.2)
PRICE_HELP = """\
Fewer conditions are quicker to read, and each one that is left out may cost some agreement with
the black box. The higher the price, the less there is to read. It counts when a rule is chosen,
and again when all are there: what does not earn its price then is left out, a condition or a
whole rule. Rules that were pinned, changed or written by hand stay as they are."""


def price_text(price: float | None) -> str:
    """A price as an address has it."""
    return FREE if price is None else f"{price:g}"


def price_from(text: str) -> float | None:
    """The inverse of :func:`price_text`."""
    return None if text == FREE else float(text)


def price_slider(run: Run, chosen: SelectionSettings, on_change: Callable[[Run], None]) -> None:
    """What a condition must earn, in steps from nothing up, and in a sentence what that does."""
    prices = sorted({*PRICES, chosen.price}, key=lambda price: -1.0 if price is None else price)
    st.select_slider(
        "What a condition must earn",
        [price_text(price) for price in prices],
        format_func=lambda text: records_said(run, price_from(text)),
        key="theory_price",
        help=PRICE_HELP,
        on_change=on_change,
        args=(run,),
    )
    st.caption(price_said(run, chosen.price))


def price_said(run: Run, price: float | None) -> str:
    """What the price does, in a sentence."""
    if price is None:
        return "Free: the chosen rules keep every condition, whatever it earns."
    if not price:
        return "A condition stays if the rules agree less often with the black box without it."
    facts = explained_of(run)
    return (
        "A condition stays if it makes the rules agree with the black box on at least "
        f"{records_said(run, price)} more, of {facts.reference.size:,} {facts.reference_name}s."
    )


def records_said(run: Run, price: float | None) -> str:
    """What a condition has to earn at a price, in records."""
    if price is None:
        return FREE
    records = records_to_earn(price, explained_of(run).reference)
    said = trimmed(records, 1 if records >= 1 else 2)
    return f"{said} record{'' if said == '1' else 's'}"
