"""Answers against true labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from glocalx.blackbox.confusion import Confusion
from glocalx.plots.colours import Palette, blend
from glocalx.plots.layout import Drawing, axis_title, bare_axis, base_figure, texts
from glocalx.words.escape import as_plotly, shortened
from glocalx.words.figures import percent
from glocalx.words.phrases import counted


def confusion(
    matrix: Confusion,
    palette: Palette,
    *,
    names: Sequence[str] | None = None,
) -> Drawing:
    """How often each label (row) got each answer (column): counts, and shares of the row.

    `names`: how people call the outcomes, in the order of the matrix.
    """
    called = tuple(names or matrix.outcomes)
    shares = matrix.counts / np.maximum(matrix.counts.sum(axis=1, keepdims=True), 1)
    size = len(called)
    places: dict[str, Any] = {
        "tickvals": list(range(size)),
        "ticktext": [as_plotly(name, 20) for name in called],
    }
    top = axis_title(palette, "black box says")
    figure = base_figure(
        palette,
        54 * size + 66,
        xaxis=bare_axis(palette, side="top", range=[-0.5, size - 0.5], title=top, **places),
        yaxis=bare_axis(
            palette, range=[size - 0.5, -0.5], title=axis_title(palette, "true label"), **places
        ),
    )
    right = np.eye(size, dtype=bool)
    for shown, colour in ((right, palette.accent), (~right, palette.mixed)):
        figure.add_trace(_squares(np.where(shown, shares, np.nan), colour, palette))
    cells = [(i, j) for i in range(size) for j in range(size)]
    said = [f"<b>{int(matrix.counts[at]):,}</b><br>{percent(float(shares[at]))}" for at in cells]
    figure.add_trace(texts([(j, i) for i, j in cells], said, palette.ink, 13))
    return Drawing(figure, _alt(matrix, called))


def _squares(shares: npt.NDArray[np.float64], colour: str, palette: Palette) -> go.Heatmap:
    pale, strong = (blend(palette.ground, colour, share) for share in (0.06, 0.6))
    return go.Heatmap(
        z=shares,
        x=list(range(len(shares))),
        y=list(range(len(shares))),
        zmin=0,
        zmax=1,
        colorscale=[[0, pale], [1, strong]],
        showscale=False,
        xgap=3,
        ygap=3,
        hoverinfo="skip",
    )


def _alt(matrix: Confusion, names: Sequence[str]) -> str:
    right = int(np.trace(matrix.counts))
    said = [
        f"{shortened(name)} {int(row[place]):,} of {int(row.sum()):,}"
        for place, (name, row) in enumerate(zip(names, matrix.counts, strict=True))
    ]
    return (
        f"The black box is right on {right:,} of {counted(matrix.records, 'record')} "
        f"({percent(matrix.accuracy, 1)}). Found: {', '.join(said)}."
    )
