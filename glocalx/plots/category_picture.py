"""Sets of categories as filled and hollow dots below bars."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from glocalx.plots.number_picture import TICKS_DOWN, TINT
from glocalx.plots.premise_rows import PremiseRow
from glocalx.plots.spread import CategoryBar, bar_heights, category_bars
from glocalx.plots.svg import LETTER, Canvas, percent_of
from glocalx.plots.theme import OutcomeColours
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Feature
from glocalx.words.escape import shortened
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording

LONGEST = 16  # letters of a name below its bar
NARROW = 280  # pixels that every picture has
SLANT = 35  # degrees, where names would lie on each other


class CategoryPicture:
    """Categories, the most frequent first, and which of them each premise allows."""

    def __init__(
        self,
        records: Records,
        feature: Feature,
        rows: Sequence[PremiseRow],
        colours: OutcomeColours,
        said: Wording,
    ) -> None:
        self.feature, self.rows, self.colours, self.said = feature, rows, colours, said
        self.bars: tuple[CategoryBar, ...] = category_bars(records, feature)
        counts = np.array([bar.count for bar in self.bars], dtype=np.int64)
        self._heights, self.rooted = bar_heights(counts)
        self._names = [shortened(category_name(bar, feature, said), LONGEST) for bar in self.bars]
        longest = LETTER * max(map(len, self._names), default=0)
        self._slanted = longest > NARROW / max(len(self.bars), 1)
        slope = math.sin(math.radians(SLANT))
        self.room_below = 14 + longest * slope if self._slanted else 18.0

    def _place(self, number: float) -> float:
        return (number + 0.5) / max(len(self.bars), 1)

    def bars_upon(self, canvas: Canvas, ground: float, height: float) -> None:
        """A bar for each category; those that the result allows are tinted."""
        palette = self.colours.palette
        result = next((row for row in self.rows if row.thick), None)
        tint = self.colours.pale(result.outcome, TINT) if result else palette.histogram
        premise = result.premise if result else None
        for number, (bar, share) in enumerate(zip(self.bars, self._heights.tolist(), strict=True)):
            held = premise is not None and bar.held_by(premise) == 1
            start, end = self._place(number - 0.36), self._place(number + 0.36)
            high = share * height
            canvas.bar(start, end, ground - high, high, tint if held else palette.histogram)
            name = category_name(bar, self.feature, self.said)
            text = f"{name}: {counted(bar.count, 'record')}"
            canvas.hint(text, start, ground - height, percent_of(end - start), height)

    def row_at(self, canvas: Canvas, y: float, row: PremiseRow) -> None:
        """A dot for each category."""
        palette, colour = self.colours.palette, self.colours.colour(row.outcome)
        if row.premise is None:
            ends = self._place(-0.4), self._place(len(self.bars) - 0.6)
            canvas.level(*ends, y, palette.mixed, 2, dotted=True)
            return
        size = 6 if row.thick else 4
        for number, bar in enumerate(self.bars):
            x, share = self._place(number), bar.held_by(row.premise)
            if any(bar.held_by(premise) for premise in row.lost):
                canvas.cross(x, y, size, colour, 1.6)
                continue
            inside = colour if share == 1 else palette.ground
            canvas.dot(x, y, size, inside, colour if share else palette.branch, 1.6)
            if 0 < share < 1:  # of several categories some
                canvas.dot(x, y, 1.5, colour)

    def ticks_below(self, canvas: Canvas, y: float) -> None:
        """The names, slanted where they are long."""
        for number, name in enumerate(self._names):
            if self._slanted:
                turned = f"translate(-100%,-50%) rotate({-SLANT}deg)"
                look = {"transform": turned, "transform-origin": "100% 50%"}
                canvas.words(name, self._place(number), y + 4, look)
            else:
                canvas.words(name, self._place(number), y + TICKS_DOWN)


def category_name(bar: CategoryBar, feature: Feature, said: Wording) -> str:
    """What stands below a bar, as plain text."""
    if len(bar.values) > 1:
        return f"{len(bar.values):,} others"
    return shortened(said.value(feature.name, bar.values[0]))
