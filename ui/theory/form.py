"""A record's values to play with: the right widget for each feature."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pandas as pd
import streamlit as st

from glocalx.rules.schema import Feature
from glocalx.rules.what_if import Record
from glocalx.words.wording import Wording
from ui.text import plain

EPOCH = datetime.date(1970, 1, 1)
FIRST_DAY, LAST_DAY = (
    (datetime.date(1, 1, 1) - EPOCH).days,
    (datetime.date(9999, 12, 31) - EPOCH).days,
)
EXACT = 2**53  # beyond, browsers do not tell whole numbers apart
MOST_DECIMALS = 6
YEARS = 10 * 365


@dataclass(frozen=True, slots=True)
class RecordForm:
    """Widgets for the features of a run.

    Parameters
    ----------
    wording
        How features and values are called.
    seen
        Records that show which values occur.
    key
        What the widgets' keys begin with; another key, fresh widgets.
    """

    wording: Wording
    seen: pd.DataFrame
    key: str

    def ask(self, features: Iterable[Feature], record: Record) -> dict[str, Any]:
        """Draw the widgets, filled with a record; what is in them."""
        values = {}
        with st.grid(2, min_column_width=150, gap="small"):
            for feature in features:
                values[feature.name] = self._ask(feature, record[feature.name])
        return values

    def _ask(self, feature: Feature, value: Any) -> Any:
        label = plain(self.wording.name(feature.name))
        key = f"{self.key} {feature.name}"
        if feature.is_categorical:
            return self._category(label, feature, value, key)
        if feature.spoken and feature.spoken.values and feature.is_whole:
            numbers = sorted({float(each) for each in self.seen[feature.name]} | {float(value)})
            return st.selectbox(
                label,
                numbers,
                numbers.index(float(value)),
                lambda number: self.wording.value(feature.name, number),
                key=key,
            )
        low, high = self.seen[feature.name].min(), self.seen[feature.name].max()
        if feature.kind == "date" and min(low, value) >= FIRST_DAY and max(high, value) <= LAST_DAY:
            return _date(label, float(value), float(low), float(high), key)
        span = (
            f"{self.wording.value(feature.name, low)} to {self.wording.value(feature.name, high)}"
        )
        return _number(label, feature, float(value), self.seen[feature.name], plain(span), key)

    def _category(self, label: str, feature: Feature, value: Any, key: str) -> str:
        options = list(feature.categories)
        if value not in options:
            options.append(value)  # unseen, and still what the record says
        return str(
            st.selectbox(
                label,
                options,
                options.index(value),
                lambda each: self.wording.value(feature.name, each),
                key=key,
            )
        )


def _date(label: str, value: float, low: float, high: float, key: str) -> float:
    chosen = st.date_input(
        label,
        _day(value),
        _day(max(min(low, value) - YEARS, FIRST_DAY)),
        _day(min(max(high, value) + YEARS, LAST_DAY)),
        key=key,
        format="YYYY-MM-DD",
        help=f"Seen: {plain(_day(low))} to {plain(_day(high))}",
    )
    return float((chosen - EPOCH).days)


def _day(days: float) -> datetime.date:
    return EPOCH + datetime.timedelta(days=int(days))


def _number(
    label: str, feature: Feature, value: float, seen: pd.Series[Any], span: str, key: str
) -> float:
    said = f"Seen: {span}"
    if feature.is_whole and abs(value) < EXACT:
        chosen = st.number_input(label, value=int(value), step=1, key=key, help=said)
        return float(chosen)
    places = max(decimals(seen), decimals([value]))
    step = 10.0 ** max(-places, _order(seen))
    chosen = st.number_input(
        label, value=value, step=step, format=f"%.{places}f", key=key, help=said
    )
    return value if f"{chosen:.{places}f}" == f"{value:.{places}f}" else float(chosen)


def decimals(numbers: Iterable[float], most: int = MOST_DECIMALS) -> int:
    """How many decimals these numbers have.

    Examples
    --------
    >>> decimals([1.0, 2.25]), decimals([1 / 3])
    (2, 6)
    """
    found = 0
    for number in numbers:
        if math.isfinite(number):
            exponent = Decimal(f"{number:.12g}").normalize().as_tuple().exponent
            found = max(found, -int(exponent))
        if found >= most:
            return most
    return found


def _order(seen: pd.Series[Any]) -> int:
    """The power of ten of a hundredth of the range."""
    width = float(seen.max() - seen.min())
    return math.floor(math.log10(width / 100)) if width > 0 else -2
