"""Which rule falls on whom? Shares of groups that each rule covers or decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from glocalx.audit.group_shares import GroupShares, group_shares, leaning
from glocalx.audit.tally import Tally
from glocalx.plots.colours import OutcomeColours, Palette
from glocalx.plots.group_rows import BOTTOM, ROW, TOP, GroupRows, group_axis, group_rows
from glocalx.plots.layout import (
    Drawing,
    axis_title,
    bare_axis,
    base_figure,
    dots,
    empty_drawing,
    note,
    texts,
)
from glocalx.words.escape import as_plotly, shortened
from glocalx.words.figures import percent
from glocalx.words.phrases import counted


def group_heatmap(
    tally: Tally,
    colours: OutcomeColours,
    *,
    enough: int,
    counting: Literal["covered", "decided"] = "covered",
) -> Drawing:
    """Per cent of each group that each rule covers (or decides): green more than its share of
    everyone, purple less. Groups under `enough` records are left blank, and say so. Cells can be
    clicked: their customdata begins with the rule's place, the column and the group.
    """
    palette, found = colours.palette, group_shares(tally, counting)
    if not found.groups or not tally.rules:
        return empty_drawing(palette, 160, "No groups and rules to show.")
    places = group_rows(found.sections)
    figure = _ground(found, places, tally, colours)
    lean = leaning(found.shares, found.overall)
    sure = [size >= enough for size in found.sizes]
    for place, y in enumerate(places.rows):
        if sure[place]:
            figure.add_trace(_strip(lean[place], y, palette))
    figure.add_traces(list(_shares_as_text(found, lean, sure, places, palette)))
    figure.add_trace(_targets(found, sure, places, counting))
    for y, size, shown in zip(places.rows, found.sizes, sure, strict=True):
        if not shown:
            text = f"{counted(size, 'record')}, too few" if size else "nobody"
            figure.add_annotation(note(palette, text, x=0.5, xref="paper", y=y))
    return Drawing(figure, _heatmap_alt(found, lean, sure, counting, enough, tally.size))


def _ground(
    found: GroupShares, places: GroupRows, tally: Tally, colours: OutcomeColours
) -> go.Figure:
    palette = colours.palette
    figure = base_figure(
        palette,
        round(ROW * places.height) + TOP + BOTTOM,
        margin={"l": 4, "r": 8, "t": TOP + 8, "b": BOTTOM - 8},
        showlegend=True,
        xaxis=bare_axis(
            palette,
            side="top",
            range=[-0.5, len(tally.rules) - 0.5],
            tickvals=list(range(len(tally.rules))),
            ticktext=[
                f'<span style="color:{colours.tones(rule.outcome).text}"><b>{number}</b></span>'
                for number, rule in enumerate(tally.rules, start=1)
            ],
            tickangle=0,
            title=axis_title(palette, "Rule"),
        ),
        yaxis=group_axis(places, found.groups, palette),
    )
    figure.update_layout(legend={"y": 0, "yanchor": "top"})
    less, _, more = palette.diverging
    look: dict[str, Any] = {"marker": {"symbol": "square"}, "hoverinfo": "skip", "showlegend": True}
    for name, colour in (("less than of everyone", less), ("more than of everyone", more)):
        figure.add_trace(dots([(None, None)], colour, 9, name=name, **look))
    return figure


def _strip(lean: npt.NDArray[np.float64], y: float, palette: Palette) -> go.Heatmap:
    """The colours of one group."""
    low, middle, high = palette.diverging
    return go.Heatmap(
        z=[lean],
        x=list(range(lean.size)),
        y=[y],
        dy=1,
        y0=y,
        zmin=-2,
        zmax=2,
        colorscale=[[0, low], [0.5, middle], [1, high]],
        showscale=False,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
    )


def _targets(
    found: GroupShares, sure: Sequence[bool], places: GroupRows, counting: str
) -> go.Scatter:
    """What is said of a cell, and clicked: a heat map's own cells cannot be selected."""
    verb = "covers" if counting == "covered" else "decides"
    cells = [
        (place, rule)
        for place, shown in enumerate(sure)
        if shown
        for rule in range(len(found.overall))
    ]
    invisible = {"marker": {"opacity": 0}}
    return dots(
        [(rule, places.rows[place]) for place, rule in cells],
        None,
        ROW - 2,
        marker={"symbol": "square", "opacity": 0},
        selected=invisible,
        unselected=invisible,
        customdata=[
            [
                rule,
                found.columns[place],
                found.groups[place],
                as_plotly(found.groups[place]),
                f"rule {rule + 1} {verb} {percent(found.shares[place, rule], 1)} of "
                f"{found.sizes[place]:,}",
                percent(found.overall[rule], 1),
            ]
            for place, rule in cells
        ],
        hovertemplate="<b>%{customdata[3]}</b><br>%{customdata[4]}<br>everyone: %{customdata[5]}"
        "<extra></extra>",
        showlegend=False,
    )


def _shares_as_text(
    found: GroupShares,
    lean: npt.NDArray[np.float64],
    sure: Sequence[bool],
    places: GroupRows,
    palette: Palette,
) -> Iterator[go.Scatter]:
    """Numbers in the cells, light upon the strong colours."""
    for strong in (False, True):
        cells = [
            ((rule, places.rows[place]), percent(found.shares[place, rule]).removesuffix(" %"))
            for place in range(len(found.groups))
            for rule in range(lean.shape[1])
            if sure[place] and (abs(lean[place, rule]) > 1.7) == strong
        ]
        ink = "#FFFFFF" if strong else palette.ink
        yield texts(
            [place for place, _ in cells],
            [text for _, text in cells],
            ink,
            unselected={"textfont": {"color": ink}},  # when a cell was clicked, too
            showlegend=False,
        )


def _heatmap_alt(
    found: GroupShares,
    lean: npt.NDArray[np.float64],
    sure: Sequence[bool],
    counting: str,
    enough: int,
    records: int,
) -> str:
    verb = "covers" if counting == "covered" else "decides"
    sentences = [
        f"Per cent of each of {counted(len(found.groups), 'group')} that each of "
        f"{counted(lean.shape[1], 'rule')} {verb}, of {counted(records, 'record')}."
    ]
    rows = [place for place, shown in enumerate(sure) if shown]
    if rows:
        for pick, words in ((np.argmax, "more than"), (np.argmin, "less than")):
            row, rule = np.unravel_index(int(pick(lean[rows])), (len(rows), lean.shape[1]))
            group = rows[int(row)]
            sentences.append(
                f"Rule {int(rule) + 1} {verb} {percent(found.shares[group, rule], 1)} of "
                f"{shortened(found.groups[group])}, most clearly {words} of everyone "
                f"({percent(found.overall[rule], 1)})."
            )
    if len(rows) < len(sure):
        few = counted(len(sure) - len(rows), "group")
        sentences.append(f"{few} with fewer than {enough} records left blank.")
    return " ".join(sentences)
