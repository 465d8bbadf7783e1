"""Intervals of a number as lines below a histogram."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from glocalx.coverage import Records
from glocalx.phrases import counted
from glocalx.plots.layout import note
from glocalx.plots.premise_rows import PremiseRow
from glocalx.plots.spread import Histogram, bar_heights, date_text, date_ticks, histogram
from glocalx.plots.text import number
from glocalx.plots.theme import OutcomeColours
from glocalx.rule import Interval
from glocalx.schema import Feature
from glocalx.wording import Wording

THIN, THICK = 4, 9
TINT = 0.32


class NumberPicture:
    """A histogram that covers all ends of the premises, and the premises."""

    def __init__(
        self,
        records: Records,
        feature: Feature,
        rows: Sequence[PremiseRow],
        colours: OutcomeColours,
        words: Wording,
    ) -> None:
        self.feature, self.rows, self.colours = feature, rows, colours
        premises = [row.premise for row in rows if isinstance(row.premise, Interval)]
        bounds = [bound for premise in premises for bound in (premise.low, premise.high)]
        values = np.asarray(records.values(feature.name), dtype=float)
        self.bars: Histogram = histogram(values, feature.is_whole, bounds)

    def draw(self, figure: go.Figure, places: Sequence[float]) -> bool:
        """Add all to a figure; True if the heights are square roots."""
        low, high = self.bars.low, self.bars.high
        room = 0.03 * (high - low)
        figure.update_xaxes(range=[low - room, high + room])
        if self.feature.kind == "date":
            tickvals, ticktext = date_ticks(low, high)
            figure.update_xaxes(tickvals=tickvals, ticktext=ticktext)
        heights, rooted = bar_heights(self.bars.counts)
        figure.add_trace(self._bars(heights))
        for y, row in zip(places, self.rows, strict=True):
            figure.add_traces(list(self._row(y, row)))
            for x in self._cut_away(row):
                figure.add_annotation(self._label(x, y))
        return rooted

    def _bars(self, heights: npt.NDArray[np.float64]) -> go.Bar:
        palette = self.colours.palette
        result = next((row for row in self.rows if row.thick), None)
        colours = np.full(len(heights), palette.histogram, dtype=object)
        if result is not None and isinstance(result.premise, Interval):
            tint = self.colours.pale(result.outcome, TINT)
            colours[self.bars.inside(result.premise)] = tint
        return go.Bar(
            x=self.bars.middles,
            y=heights,
            width=np.diff(self.bars.edges) * 0.92,
            marker={"color": colours.tolist(), "line": {"width": 0}},
            customdata=bar_texts(self.bars, self.feature),
            hovertemplate="%{customdata}<extra></extra>",
        )

    def _row(self, y: float, row: PremiseRow) -> Iterator[go.Scatter]:
        if not isinstance(row.premise, Interval):
            ends = self.bars.low, self.bars.high
            yield level_line(ends, y, self.colours.palette.mixed, 2, dash="dot")
            return
        colour = self.colours.colour(row.outcome)
        for lost in row.lost:
            if isinstance(lost, Interval):
                yield level_line(self._ends(lost), y, colour, 2, dash="dot")
        yield level_line(self._ends(row.premise), y, colour, THICK if row.thick else THIN)
        yield from self._open_ends(row.premise, y, colour, row.thick)

    def _ends(self, premise: Interval) -> tuple[float, float]:
        return self.bars.place(premise.low), self.bars.place(premise.high)

    def _open_ends(
        self, premise: Interval, y: float, colour: str, thick: bool
    ) -> Iterator[go.Scatter]:
        """Arrows where a premise goes on beyond the bars."""
        ends = (
            (premise.low < self.bars.reach(self.bars.low), self.bars.low, "triangle-left"),
            (premise.high > self.bars.reach(self.bars.high), self.bars.high, "triangle-right"),
        )
        for goes_on, x, symbol in ends:
            if goes_on:
                size = 14 if thick else 10
                yield go.Scatter(
                    x=[x],
                    y=[y],
                    mode="markers",
                    marker={"symbol": symbol, "size": size, "color": colour, "opacity": 1},
                    hoverinfo="skip",
                    cliponaxis=False,
                )

    def _cut_away(self, row: PremiseRow) -> Iterator[float]:
        """Where to say that a part was cut away, if the part is wide enough."""
        for lost in row.lost:
            if isinstance(lost, Interval):
                low, high = self._ends(lost)
                if high - low > 0.2 * (self.bars.high - self.bars.low):
                    yield (low + high) / 2

    def _label(self, x: float, y: float) -> dict[str, Any]:
        palette = self.colours.palette
        return note(palette, "cut away", x=x, y=y, bgcolor=palette.ground, borderpad=1)


def level_line(
    ends: tuple[float, float], y: float, colour: str, width: float, **more: Any
) -> go.Scatter:
    """A line from end to end at one height."""
    return go.Scatter(
        x=list(ends),
        y=[y, y],
        mode="lines",
        line={"color": colour, "width": width, **more},
        hoverinfo="skip",
        cliponaxis=False,
    )


def bar_texts(bars: Histogram, feature: Feature) -> list[str]:
    """For each bar its span and its records."""
    say = date_text if feature.kind == "date" else number
    ends = [
        (math.ceil(low), math.floor(high)) if bars.whole else (float(low), float(high))
        for low, high in zip(bars.edges[:-1], bars.edges[1:], strict=True)
    ]
    spans = [say(low) if low == high else f"{say(low)} to {say(high)}" for low, high in ends]
    if bars.below:
        spans[0] = f"{say(ends[0][1])} or less"
    if bars.above:
        spans[-1] = f"{say(ends[-1][0])} or more"
    return [
        f"{span}: {counted(int(count), 'record')}"
        for span, count in zip(spans, bars.counts, strict=True)
    ]
