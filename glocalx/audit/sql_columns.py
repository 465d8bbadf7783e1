"""The columns of a database or file as rules see them: numbers, days, texts, NULL where missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from glocalx.errors import GLocalXError
from glocalx.rules.schema import Feature
from glocalx.rules.sql import number_literal, quoted_name, quoted_text
from glocalx.table.cells import MISSING
from glocalx.words.phrases import listing, shown

_SPACES = "' ' || chr(9) || chr(10) || chr(13)"
_DAY_ZERO = "DATE '1970-01-01'"
_REAL = ("FLOAT", "DOUBLE", "DECIMAL")
_WHOLE = (
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"),
    *("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"),
)


class SqlColumns:
    """The columns of one relation.

    Parameters
    ----------
    types
        For each column its DuckDB type.
    called
        What people call the table.
    """

    def __init__(self, types: Mapping[str, str], called: str) -> None:
        self.called = called
        self._types = {name: kind.upper() for name, kind in types.items()}
        self._actual = {name.strip(): name for name in reversed(self._types)}
        self._actual |= {name: name for name in self._types}

    def __contains__(self, column: str) -> bool:
        return column in self._actual

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._types)

    def raw(self, column: str) -> str:
        """The column as it is."""
        if column not in self._actual:
            raise GLocalXError(
                f"{shown(self.called)} has no column {shown(column)}. "
                f"It has: {listing(self.names)}."
            )
        return quoted_name(self._actual[column])

    def is_text(self, column: str) -> bool:
        return self._type(column).startswith(("VARCHAR", "ENUM"))

    def is_date(self, column: str) -> bool:
        return self._type(column).startswith(("DATE", "TIMESTAMP"))

    def is_whole(self, column: str) -> bool:
        return self._type(column) in _WHOLE

    def is_real(self, column: str) -> bool:
        return self._type(column).startswith(_REAL)

    def _type(self, column: str) -> str:
        self.raw(column)
        return self._types[self._actual[column]]

    def expression(self, feature: Feature) -> str:
        """The feature as rules compare it: text, number, or days since 1970-01-01."""
        if feature.is_categorical:
            return self.text(feature.name, feature.categories)
        return self.number(feature)

    def number(self, feature: Feature) -> str:
        """A DOUBLE, NULL where it is missing, not finite, or a text that is no number."""
        raw = self.raw(feature.name)
        if feature.kind == "date" and (self.is_date(feature.name) or self.is_text(feature.name)):
            day = self.known_text(feature.name) if self.is_text(feature.name) else raw
            return f"CAST(date_diff('day', {_DAY_ZERO}, TRY_CAST({day} AS DATE)) AS DOUBLE)"
        if self.is_text(feature.name):
            number = f"TRY_CAST({self.known_text(feature.name)} AS DOUBLE)"
        else:
            number = f"CAST({raw} AS DOUBLE)"
            if self.is_whole(feature.name):
                return number
        return f"CASE WHEN isfinite({number}) THEN {number} END"

    def text(self, column: str, known: Sequence[str] = ()) -> str:
        """A VARCHAR, NULL where it is missing; a text among the `known` ones is left as it is."""
        raw = self.raw(column)
        if self._type(column) == "BOOLEAN":
            return f"CASE WHEN {raw} THEN 'True' WHEN NOT {raw} THEN 'False' END"
        if self.is_real(column):
            return f"regexp_replace(CAST({raw} AS VARCHAR), '[.]0$', '')"
        if not self.is_text(column):
            return f"CAST({raw} AS VARCHAR)"
        if not known:
            return self.known_text(column)
        listed = ", ".join(map(quoted_text, known))
        return f"CASE WHEN {raw} IN ({listed}) THEN {raw} ELSE {self.known_text(column)} END"

    def known_text(self, column: str) -> str:
        """A text without spaces around it, NULL where it says "not known"."""
        trimmed = f"trim(CAST({self.raw(column)} AS VARCHAR), {_SPACES})"
        listed = ", ".join(map(quoted_text, MISSING))
        return f"CASE WHEN lower({trimmed}) IN ({listed}) THEN NULL ELSE {trimmed} END"


def band_code(expression: str, edges: Sequence[float]) -> str:
    """The number of the band that a number lies in, −1 where it is missing."""
    ends = (
        f"WHEN {expression} < {double_literal(edge)} THEN {place}"
        for place, edge in enumerate(edges)
    )
    return f"CASE WHEN {expression} IS NULL THEN -1 {' '.join(ends)} ELSE {len(edges)} END"


def double_literal(number: float) -> str:
    """A number of the type DOUBLE, so that no decimal type rounds it."""
    text = number_literal(number)
    return text if "e" in text else f"{text}e0"
