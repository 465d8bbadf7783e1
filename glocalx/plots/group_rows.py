"""Groups below each other, in sections: the rows that figures of an audit share.

Figures with the same rows can be read across.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from glocalx.plots.colours import Palette
from glocalx.plots.layout import bare_axis
from glocalx.words.escape import as_plotly

ROW = 27  # pixels
GAP = 0.45  # between sections, in rows
TOP, BOTTOM = 30, 46  # pixels


@dataclass(frozen=True, slots=True)
class GroupRows:
    """Heights of rows and of section titles, from 0 at the top."""

    rows: tuple[float, ...]
    titles: tuple[tuple[float, str], ...]
    height: float


def group_rows(sections: Sequence[str]) -> GroupRows:
    """Rows for groups whose sections are given, one title above each run of the same section."""
    rows: list[float] = []
    titles: list[tuple[float, str]] = []
    y = 0.0
    for place, section in enumerate(sections):
        if place == 0 or section != sections[place - 1]:
            y += GAP if place else 0
            titles.append((y, section))
            y += 1
        rows.append(y)
        y += 1
    return GroupRows(tuple(rows), tuple(titles), y)


def group_axis(rows: GroupRows, groups: Sequence[str], palette: Palette) -> dict[str, Any]:
    """An axis with the names of the groups, and of the sections in bold."""
    bold = f'<b><span style="color:{palette.ink}">%s</span></b>'
    return bare_axis(
        palette,
        range=[rows.height - 0.4, -0.6],
        tickvals=[*(y for y, _ in rows.titles), *rows.rows],
        ticktext=[
            *(bold % as_plotly(title, 26) for _, title in rows.titles),
            *(as_plotly(group, 26) for group in groups),
        ],
    )
