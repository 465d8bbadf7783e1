"""Sets of categories as filled and hollow dots below bars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from glocalx.coverage import Records
from glocalx.phrases import counted
from glocalx.plots.number_picture import TINT, level_line
from glocalx.plots.premise_rows import PremiseRow
from glocalx.plots.spread import CategoryBar, bar_heights, category_bars
from glocalx.plots.text import plain
from glocalx.plots.theme import OutcomeColours
from glocalx.schema import Feature
from glocalx.wording import Wording


class CategoryPicture:
    """Categories, the most frequent first, and which of them each premise allows."""

    def __init__(
        self,
        records: Records,
        feature: Feature,
        rows: Sequence[PremiseRow],
        colours: OutcomeColours,
        words: Wording,
    ) -> None:
        self.feature, self.rows, self.colours, self.words = feature, rows, colours, words
        self.bars: tuple[CategoryBar, ...] = category_bars(records, feature)

    def draw(self, figure: go.Figure, places: Sequence[float]) -> bool:
        """Add all to a figure; True if the heights are square roots."""
        figure.update_xaxes(
            range=[-0.6, len(self.bars) - 0.4],
            tickvals=list(range(len(self.bars))),
            ticktext=[category_name(bar, self.feature, self.words, 16) for bar in self.bars],
            autotickangles=[0, -30, -60],
        )
        heights, rooted = bar_heights(np.array([bar.count for bar in self.bars], dtype=np.int64))
        figure.add_trace(self._bars(heights.tolist()))
        for y, row in zip(places, self.rows, strict=True):
            figure.add_trace(self._row(y, row))
        return rooted

    def _bars(self, heights: Sequence[float]) -> go.Bar:
        palette = self.colours.palette
        result = next((row for row in self.rows if row.thick), None)
        tint = self.colours.pale(result.outcome, TINT) if result else palette.histogram
        premise = result.premise if result else None
        return go.Bar(
            x=list(range(len(self.bars))),
            y=heights,
            width=0.72,
            marker={
                "color": [
                    tint if premise is not None and bar.held_by(premise) == 1 else palette.histogram
                    for bar in self.bars
                ],
                "line": {"width": 0},
            },
            customdata=[
                f"{category_name(bar, self.feature, self.words)}: {counted(bar.count, 'record')}"
                for bar in self.bars
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )

    def _row(self, y: float, row: PremiseRow) -> go.Scatter:
        palette = self.colours.palette
        if row.premise is None:
            return level_line((-0.4, len(self.bars) - 0.6), y, palette.mixed, 2, dash="dot")
        colour = self.colours.colour(row.outcome)
        held = [bar.held_by(row.premise) for bar in self.bars]
        lost = [any(bar.held_by(premise) for premise in row.lost) for bar in self.bars]
        signs = [_sign(share, gone) for share, gone in zip(held, lost, strict=True)]
        edges = [
            colour if share or gone else palette.branch
            for share, gone in zip(held, lost, strict=True)
        ]
        return go.Scatter(
            x=list(range(len(self.bars))),
            y=[y] * len(self.bars),
            mode="markers",
            marker={
                "symbol": signs,
                "size": 12 if row.thick else 8,
                "color": [colour if share == 1 else palette.ground for share in held],
                "opacity": 1,
                "line": {"width": 1.6, "color": edges},
            },
            hoverinfo="skip",
            cliponaxis=False,
        )


def _sign(share: float, gone: bool) -> str:
    """For a category that was cut away, of which some are allowed, or all or none."""
    if gone:
        return "x-thin"
    return "circle-dot" if 0 < share < 1 else "circle"


def category_name(bar: CategoryBar, feature: Feature, words: Wording, most: int = 60) -> str:
    """What stands below a bar, as plotly shows it."""
    if len(bar.values) > 1:
        return f"{len(bar.values):,} others"
    return plain(words.value(feature.name, bar.values[0]), most)
