"""Tables as plain values: columns that know what they hold, and cells that are figures.

How a figure reads is decided by the kind of its column, here and once: on paper with its interval
below it (:func:`cell_lines`), in a table that can be sorted as a number (:func:`cell_value`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, TypeVar

from glocalx.audit.intervals import Estimate
from glocalx.words.figures import (
    UNDEFINED,
    fixed,
    fixed_interval,
    in_points,
    p_value,
    paper_percent,
    points_interval,
    share_interval,
)

Kind: TypeAlias = Literal["text", "outcome", "count", "part", "share", "points", "number", "p"]

MOST_COLUMNS = 8
"""More do not fit on a printed page; a wider table is cut into several."""

MOST_ROWS = 150
"""More is not read; the rest is in the files, and the report says so."""

MOST_PARTS = 4
"""A table that is wider than so many pages is cut, and says so."""


@dataclass(frozen=True, slots=True)
class PartOf:
    """So many of so many."""

    records: int
    total: int

    @property
    def share(self) -> float:
        return self.records / self.total if self.total else float("nan")


@dataclass(frozen=True, slots=True)
class CellLines:
    """A text with smaller ones below it; `shade` from −4, less than everyone, to 4, more."""

    text: str
    below: tuple[str, ...] = ()
    shade: int | None = None


Value: TypeAlias = str | int | float | Estimate | PartOf | CellLines | None
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class TableColumn:
    """The head of a column.

    Parameters
    ----------
    name
        What it is asked for by; its title, unless there is a longer one.
    kind
        What the cells are.
    title
        What stands there.
    help
        What it means, where people can ask.
    below
        A smaller line under the title.
    outcome
        The outcome that it is about, to be shown in its colour.
    decimals
        Of numbers.
    """

    name: str
    kind: Kind = "text"
    title: str = ""
    help: str = ""
    below: str = ""
    outcome: str | None = None
    decimals: int = 2

    @property
    def is_text(self) -> bool:
        return self.kind in ("text", "outcome")


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table with a caption.

    Parameters
    ----------
    first
        How many columns stand in every part where a wide table is cut.
    heading
        The column of which equal values become a heading over their rows on paper.
    """

    caption: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[Value, ...], ...]
    first: int = 1
    heading: str | None = None

    @classmethod
    def of(
        cls,
        caption: str,
        rows: Iterable[Row],
        cells: Mapping[TableColumn, Callable[[Row], Value]],
        *,
        first: int = 1,
        heading: str | None = None,
    ) -> DataTable:
        """Under each head what is made of each row."""
        made = tuple(tuple(cell(row) for cell in cells.values()) for row in rows)
        return cls(caption, tuple(cells), made, first, heading)

    def only(self, *names: str, caption: str | None = None) -> DataTable:
        """The same with these columns, in this order."""
        return self._at([self.places[name] for name in names], caption or self.caption)

    def where(self, name: str, holds: Callable[[Value], bool]) -> DataTable:
        """The rows of which this holds for the cell in a column."""
        place = self.places[name]
        return replace(self, rows=tuple(row for row in self.rows if holds(row[place])))

    @property
    def places(self) -> dict[str, int]:
        """The columns by name."""
        return {column.name: place for place, column in enumerate(self.columns)}

    def _at(self, places: Sequence[int], caption: str) -> DataTable:
        return replace(
            self,
            caption=caption,
            columns=tuple(self.columns[place] for place in places),
            rows=tuple(tuple(row[place] for place in places) for row in self.rows),
        )

    def headed(self) -> Iterator[tuple[str, list[tuple[Value, ...]]]]:
        """Rows under their headings; one heading without words where there are none."""
        place = next((i for i, c in enumerate(self.columns) if c.name == self.heading), None)
        found: list[tuple[str, list[tuple[Value, ...]]]] = []
        for row in self.rows[:MOST_ROWS]:
            title = "" if place is None else str(row[place])
            cells = row if place is None else (*row[:place], *row[place + 1 :])
            if not found or found[-1][0] != title:
                found.append((title, []))
            found[-1][1].append(cells)
        yield from found or [("", [])]

    def on_paper(self) -> list[DataTable]:
        """As many tables as fit on pages side by side, each with the first columns."""
        heads = sum(column.name == self.heading for column in self.columns)
        kept = self.first + heads
        fit = MOST_COLUMNS - self.first
        others = range(kept, len(self.columns))[: MOST_PARTS * fit]
        starts = range(0, max(len(others), 1), fit)
        parts = []
        for part, start in enumerate(starts, start=1):
            places = [*range(kept), *others[start : start + fit]]
            caption = self.caption + (f" (part {part} of {len(starts)})" if starts[1:] else "")
            parts.append(self._at(places, caption))
        return parts

    @property
    def columns_left_out(self) -> int:
        """Columns that no part of it shows on paper."""
        heads = sum(column.name == self.heading for column in self.columns)
        others = len(self.columns) - self.first - heads
        return max(0, others - MOST_PARTS * (MOST_COLUMNS - self.first))

    @property
    def rows_left_out(self) -> int:
        """Rows that are not shown on paper."""
        return max(0, len(self.rows) - MOST_ROWS)


def cell_lines(column: TableColumn, value: Value) -> CellLines:
    """A cell as paper shows it: the figure, and its interval in small print."""
    if isinstance(value, CellLines):
        return value
    if value is None:
        return CellLines(UNDEFINED)
    if isinstance(value, str):
        return CellLines(value)
    if isinstance(value, PartOf):
        return CellLines(f"{value.records:,}", _known(paper_percent(value.share)))
    if column.kind == "count":
        return CellLines(f"{value:,}")
    estimate = value if isinstance(value, Estimate) else Estimate(float(value))
    if column.kind == "p":
        return CellLines(p_value(estimate.value))
    if column.kind == "share":
        return CellLines(paper_percent(estimate.value), _known(share_interval(estimate)))
    if column.kind == "points":
        return CellLines(in_points(estimate.value), _known(points_interval(estimate)))
    interval = fixed_interval(estimate, column.decimals)
    return CellLines(fixed(estimate.value, column.decimals), _known(interval))


def _known(text: str) -> tuple[str, ...]:
    return () if text in ("", UNDEFINED) else (text,)


def cell_value(column: TableColumn, value: Value) -> str | int | float | None:
    """A cell as a table on a page holds it: shares in per cent, so that columns can be sorted."""
    if isinstance(value, CellLines):
        return " · ".join(filter(None, [value.text, *value.below]))
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, PartOf):
        return 100 * value.share
    if column.kind == "count":
        return int(value) if isinstance(value, int) else None
    estimate = value if isinstance(value, Estimate) else Estimate(float(value))
    if column.kind == "share":
        return 100 * estimate.value
    if column.kind == "points":
        return with_interval(estimate)
    return p_value(estimate.value) if column.kind == "p" else estimate.value


def with_interval(estimate: Estimate) -> str:
    """A difference in points with its interval.

    Examples
    --------
    >>> with_interval(Estimate(0.057, 0.012, 0.099)), with_interval(Estimate(float("nan")))
    ('+5.7 (+1.2 to +9.9)', '–')
    """
    interval = points_interval(estimate)
    return in_points(estimate.value) + (f" ({interval})" if interval else "")
