"""How the records are shared out, as one bar."""

from __future__ import annotations

import plotly.graph_objects as go

from glocalx.plots.colours import Palette, blend
from glocalx.plots.layout import Drawing, base_figure, hidden_axis
from glocalx.words.figures import percent
from glocalx.words.phrases import counted


def split_bar(
    train: int,
    explain: int,
    test: int,
    palette: Palette,
    *,
    height: int = 104,
    training: str = "train the black box",
) -> Drawing:
    """How the records are shared out: to train the black box, to explain, and held out.

    Parameters
    ----------
    training
        What the first ones do; a part that is empty is not spoken of.
    """
    total = max(train + explain + test, 1)
    figure = base_figure(
        palette,
        height,
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
        xaxis=hidden_axis(palette, range=[0, total]),
        yaxis=hidden_axis(palette, range=[-0.5, 0.5], domain=[0.64, 1]),
        barmode="stack",
        bargap=0,
        showlegend=True,
    )
    figure.update_layout(legend={"y": 0.58, "yanchor": "top", "traceorder": "normal"})
    for count, name, colour in (
        *([(train, training, palette.mixed)] if train else []),
        (explain, "explain", palette.accent),
        (test, "held out", blend(palette.ink, palette.ground, 0.08)),
    ):
        bar = go.Bar(
            x=[count],
            y=[0],
            orientation="h",
            width=0.8,
            name=f"<b>{count:,}</b> {name}",
            marker={"color": colour, "line": {"width": 1.5, "color": palette.ground}},
            hovertemplate=f"{counted(count, 'record')}: {name}, {percent(count / total)}"
            "<extra></extra>",
        )
        figure.add_trace(bar)
    first = f"{train:,} ({percent(train / total)}) {training}, " if train else ""
    alt = (
        f"Of {counted(train + explain + test, 'record')}, {first}{explain:,} "
        f"({percent(explain / total)}) are explained and {test:,} ({percent(test / total)}) are "
        "held out."
    )
    return Drawing(figure, alt)
