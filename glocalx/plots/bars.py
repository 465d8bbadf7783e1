"""Single bars: what a rule covers, and how the records are shared out."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from glocalx.plots.layout import Drawing, base_figure, hidden_axis
from glocalx.plots.theme import OutcomeColours, Palette, blend
from glocalx.words.escape import shortened
from glocalx.words.figures import percent
from glocalx.words.phrases import counted

NO_MARGIN = {"l": 0, "r": 0, "t": 0, "b": 0}


def coverage_bar(
    covered: int,
    agreed: int,
    total: int,
    outcome: str,
    colours: OutcomeColours,
    *,
    height: int = 20,
) -> Drawing:
    """Of `total` records those that a rule covers: solid where the black box agrees, hatched
    where it does not.
    """
    palette, colour = colours.palette, colours.colour(outcome)
    hatch = {"shape": "/", "size": 5, "solidity": 0.35, "fgcolor": colour}
    hatched = {"color": colour, "pattern": hatch | {"bgcolor": palette.ground}}
    figure = _ground(total, palette, height)
    for count, name, marker in (
        (agreed, "agrees", {"color": colour}),
        (covered - agreed, "does not agree", hatched),
        (total - covered, "not covered", {"color": palette.histogram}),
    ):
        hover = f"{counted(count, 'record')}, {name}"
        figure.add_trace(_part(count, name, marker | {"line": {"width": 0}}, hover))
    share = percent(agreed / covered, 1) if covered else "–"
    alt = (
        f"The rule for {shortened(colours.name(outcome))} covers {covered:,} of "
        f"{counted(total, 'record')} ({percent(covered / total if total else 0.0, 1)}); the black "
        f"box agrees on {agreed:,} of these ({share})."
    )
    return Drawing(figure, alt)


def split_bar(
    train: int, explain: int, test: int, palette: Palette, *, height: int = 104
) -> Drawing:
    """How the records are shared out: to train the black box, to explain, and held out."""
    total = max(train + explain + test, 1)
    figure = _ground(total, palette, height)
    figure.update_layout(
        showlegend=True, legend={"y": 0.58, "yanchor": "top", "traceorder": "normal"}
    )
    figure.update_yaxes(domain=[0.64, 1])
    for count, name, colour in (
        (train, "train the black box", palette.mixed),
        (explain, "explain", palette.accent),
        (test, "held out", blend(palette.ink, palette.ground, 0.08)),
    ):
        marker = {"color": colour, "line": {"width": 1.5, "color": palette.ground}}
        hover = f"{counted(count, 'record')}: {name}, {percent(count / total)}"
        figure.add_trace(_part(count, f"<b>{count:,}</b> {name}", marker, hover))
    alt = (
        f"Of {counted(train + explain + test, 'record')}, {train:,} "
        f"({percent(train / total)}) train the black box, {explain:,} "
        f"({percent(explain / total)}) are explained and {test:,} ({percent(test / total)}) are "
        "held out."
    )
    return Drawing(figure, alt)


def _ground(total: int, palette: Palette, height: int) -> go.Figure:
    return base_figure(
        palette,
        height,
        margin=NO_MARGIN,
        xaxis=hidden_axis(palette, range=[0, max(total, 1)]),
        yaxis=hidden_axis(palette, range=[-0.5, 0.5]),
        barmode="stack",
        bargap=0,
    )


def _part(count: int, name: str, marker: dict[str, Any], hover: str) -> go.Bar:
    return go.Bar(
        x=[count],
        y=[0],
        orientation="h",
        width=0.8,
        name=name,
        marker=marker,
        hovertemplate=f"{hover}<extra></extra>",
    )
