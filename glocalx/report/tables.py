"""Tables that can be read aloud, scrolled on a phone and printed without being cut off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from glocalx.audit.intervals import Estimate
from glocalx.report.elements import Child, Markup, element
from glocalx.words.figures import (
    UNDEFINED,
    fixed,
    fixed_interval,
    in_points,
    paper_percent,
    points_interval,
    share_interval,
)
from glocalx.words.phrases import counted

MOST_COLUMNS = 8
"""More do not fit on a printed page; a wider table is cut into several."""

MOST_ROWS = 150
"""More is not read; the rest is in the files, and the report says so."""

MOST_PARTS = 4
"""A table that is wider than so many pages is cut, and says so."""


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column; numbers stand to the right."""

    title: Child
    kind: Literal["number", "text"] = "number"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with a ground of its own, by its class."""

    content: Child
    class_: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A line above rows that belong together."""

    title: str


CellLike: TypeAlias = "Child | Cell"
Row: TypeAlias = "Sequence[CellLike]"


def table(caption: str, columns: Sequence[Column], rows: Sequence[Row | Heading]) -> Markup:
    """A table with a caption; the first cell of a row is its head."""
    head = element("tr", [element("th", c.title, scope="col", class_=c.kind) for c in columns])
    parts = element("caption", caption), element("thead", head), _bodies(columns, rows[:MOST_ROWS])
    scrolled = element(
        "div",
        element("table", parts),
        class_="scroll",
        role="group",
        aria_label=caption,
        tabindex=0,
    )
    left = sum(not isinstance(row, Heading) for row in rows[MOST_ROWS:])
    return Markup(scrolled + _left_out(left, "row"))


def tables(
    caption: str,
    first: Sequence[Column],
    others: Sequence[Column],
    rows: Sequence[tuple[Sequence[CellLike], Sequence[CellLike]] | Heading],
) -> Markup:
    """A wide table as several, each with the first columns and as many others as fit.

    Parameters
    ----------
    rows
        For each row its first cells, and one cell for each of the other columns.
    """
    fit = MOST_COLUMNS - len(first)
    shown = others[: MOST_PARTS * fit]
    starts = range(0, max(len(shown), 1), fit)
    made = []
    for part, start in enumerate(starts, start=1):
        cut = slice(start, start + fit)
        of = f" (part {part} of {len(starts)})" if len(starts) > 1 else ""
        lines = [r if isinstance(r, Heading) else [*r[0], *r[1][cut]] for r in rows]
        made.append(table(caption + of, [*first, *shown[cut]], lines))
    return Markup("".join(made) + _left_out(len(others) - len(shown), "column"))


def _left_out(number: int, what: str) -> str:
    """A word on what a table does not show."""
    if not number:
        return ""
    have = "is" if number == 1 else "are"
    return element(
        "p", f"{counted(number, f'more {what}')} {have} in the CSV files.", class_="quiet-text"
    )


def _bodies(columns: Sequence[Column], rows: Sequence[Row | Heading]) -> Iterator[Markup]:
    lines: list[Markup] = []
    for row in rows:
        if isinstance(row, Heading):
            if lines:
                yield element("tbody", lines)
            title = element("th", row.title, scope="rowgroup", colspan=len(columns))
            lines = [element("tr", title, class_="heading")]
        else:
            lines.append(_line(columns, row))
    yield element("tbody", lines)


def _line(columns: Sequence[Column], row: Row) -> Markup:
    first, *others = row
    content = first.content if isinstance(first, Cell) else first
    cells = [element("th", content, scope="row", class_=columns[0].kind)]
    for column, cell in zip(columns[1:], others, strict=True):
        if isinstance(cell, Cell):
            cells.append(element("td", cell.content, class_=f"{column.kind} {cell.class_}"))
        else:
            cells.append(element("td", cell, class_=column.kind))
    return element("tr", cells)


def small(content: Child) -> Markup | None:
    """A second, quieter line in a cell; a space keeps the two apart for who hears or copies it."""
    return Markup(f" {element('span', content, class_='small')}") if content else None


def share_cell(estimate: Estimate) -> Child:
    """A share over its interval."""
    return [paper_percent(estimate.value), small(share_interval(estimate))]


def points_cell(estimate: Estimate) -> Child:
    """A difference of shares over its interval."""
    return [in_points(estimate.value), small(points_interval(estimate))]


def number_cell(estimate: Estimate, decimals: int = 2) -> Child:
    """A number over its interval."""
    if not estimate.is_defined:
        return UNDEFINED
    return [fixed(estimate.value, decimals), small(fixed_interval(estimate, decimals))]
