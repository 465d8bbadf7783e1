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

from glocalx.rules.rule import is_missing
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
        seen = self.seen[feature.name].dropna()
        if feature.is_categorical:
            return self._one_of(label, feature, list(feature.categories), value, key)
        number = None if is_missing(value) else float(value)
        if feature.spoken and feature.spoken.values and feature.is_whole:
            return self._one_of(label, feature, sorted({float(each) for each in seen}), number, key)
        low, high = float(seen.min()), float(seen.max())
        here = low if number is None else number
        if feature.kind == "date" and min(low, here) >= FIRST_DAY and max(high, here) <= LAST_DAY:
            return _date(label, number, low, high, may_lack(feature, value), key)
        span = (
            f"{self.wording.value(feature.name, low)} to {self.wording.value(feature.name, high)}"
        )
        if may_lack(feature, value):
            span = f"{span}. Left empty: missing"
        return _number(label, feature, number, seen, plain(span), key)

    def _one_of(
        self, label: str, feature: Feature, options: list[Any], value: Any, key: str
    ) -> Any:
        """One of the values that there are; what the record says may be none of them."""
        if may_lack(feature, value):
            options.append(None)
        if value not in options:
            options.append(value)
        return st.selectbox(
            label,
            options,
            options.index(value),
            lambda each: self.wording.value(feature.name, each),
            key=key,
        )


def may_lack(feature: Feature, value: Any) -> bool:
    """Whether a record may be without a value."""
    return feature.gaps or feature.fill is not None or is_missing(value)


def _clearable(key: str, value: Any) -> None:
    """Make a widget that can be emptied begin with a value: its own default is no value."""
    if key not in st.session_state:
        st.session_state[key] = value


def _date(
    label: str, value: float | None, low: float, high: float, lacking: bool, key: str
) -> float | None:
    here = low if value is None else value
    shown = None if value is None else day_of(value)
    if lacking:
        _clearable(key, shown)
    chosen = st.date_input(
        label,
        None if lacking else shown,
        day_of(max(min(low, here) - YEARS, FIRST_DAY)),
        day_of(min(max(high, here) + YEARS, LAST_DAY)),
        key=key,
        format="YYYY-MM-DD",
        help=f"Seen: {plain(day_of(low))} to {plain(day_of(high))}",
    )
    return None if chosen is None else float((chosen - EPOCH).days)


def day_of(days: float) -> datetime.date:
    """The day that is counted so from 1970-01-01."""
    return EPOCH + datetime.timedelta(days=int(days))


def _number(
    label: str, feature: Feature, value: float | None, seen: pd.Series[Any], span: str, key: str
) -> float | None:
    said, lacking = f"Seen: {span}", may_lack(feature, value)
    whole = feature.is_whole and (value is None or abs(value) < EXACT)
    places = max(decimals(seen), decimals([] if value is None else [value]))
    options: dict[str, Any] = {"step": 1}
    if not whole:
        options = {"step": 10.0 ** max(-places, _order(seen)), "format": f"%.{places}f"}
    shown = int(value) if whole and value is not None else value
    if lacking:
        _clearable(key, shown)
    chosen = st.number_input(label, value=None if lacking else shown, key=key, help=said, **options)
    if chosen is None or value is None or whole:
        return None if chosen is None else float(chosen)
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
