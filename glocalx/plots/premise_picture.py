"""Premises below the bars of their feature: intervals as lines, sets of categories as dots."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from glocalx.plots.canvas import LETTER, Canvas, percent_of
from glocalx.plots.colours import OutcomeColours
from glocalx.plots.scale import Scale, bar_heights, said_ticks
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Interval, Premise
from glocalx.rules.schema import Feature
from glocalx.rules.spread import CategoryBar, Histogram, category_bars, histogram
from glocalx.words.escape import shortened
from glocalx.words.figures import brief, day_text
from glocalx.words.notation import MISSING
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording

THIN, THICK = 4, 9
DOTTED: dict[str, Any] = {"stroke_width": 2, "stroke_dasharray": "3 3"}
TINT = 0.32
TICKS_DOWN = 10
LONGEST = 16  # letters of a name below its bar
NARROW = 280  # pixels that every picture has
SLANT = 35  # degrees, where names would lie on each other
ROOM, GAP, AFTER = 0.03, 0.12, 0.2  # of the bars: beside them, to missing numbers, and to the end
HALF = 0.03  # of the picture: half a bar of missing numbers
ROOM_FOR_MISSING = 0.16  # of the picture: no number stands so near to that word


@dataclass(frozen=True, slots=True)
class PremiseRow:
    """One line below the bars.

    Parameters
    ----------
    label
        What stands before it.
    premise
        None: no condition on this feature.
    outcome
        Of the rule, for its colour.
    thick
        Whether it is the result.
    lost
        What was cut away from it.
    """

    label: str
    premise: Premise | None
    outcome: str
    thick: bool = False
    lost: tuple[Premise, ...] = ()


class NumberPicture:
    """A histogram that covers all ends of the premises, and the premises."""

    room_below = 18.0

    def __init__(
        self,
        records: Records,
        feature: Feature,
        rows: Sequence[PremiseRow],
        colours: OutcomeColours,
        said: Wording,
    ) -> None:
        self.feature, self.rows, self.colours = feature, rows, colours
        premises = [row.premise for row in rows if isinstance(row.premise, Interval)]
        bounds = [bound for premise in premises for bound in (premise.low, premise.high)]
        values = np.asarray(records.values(feature.name), dtype=float)
        self.bars: Histogram = histogram(values, feature.is_whole, bounds)
        width = self.bars.high - self.bars.low
        after = AFTER if feature.gaps else ROOM
        self.scale = Scale(self.bars.low - ROOM * width, self.bars.high + after * width)
        self._gap = self.scale.place(self.bars.high + GAP * width) if feature.gaps else None
        self._missing = int(np.count_nonzero(np.isnan(values)))
        counts = np.append(self.bars.counts, self._missing) if feature.gaps else self.bars.counts
        self._heights, self.rooted = bar_heights(counts)

    def bars_upon(self, canvas: Canvas, ground: float, height: float) -> None:
        """The histogram; records of the result are tinted."""
        palette = self.colours.palette
        result = next((row for row in self.rows if row.thick), None)
        inside, tint = np.zeros(len(self._heights), dtype=bool), palette.histogram
        if result is not None and isinstance(result.premise, Interval):
            inside[: len(self.bars.counts)] = self.bars.inside(result.premise)
            tint = self.colours.pale(result.outcome, TINT)
        edges = [self.scale.place(float(edge)) for edge in self.bars.edges]
        texts = bar_texts(self.bars, self.feature)
        sides = list(pairwise(edges))
        if self._gap is not None:
            sides.append((self._gap - HALF, self._gap + HALF))
            texts.append(f"{MISSING}: {counted(self._missing, 'record')}")
            held = result is not None and result.premise is not None and result.premise.missing
            inside[-1] = held
        for place, share in enumerate(self._heights.tolist()):
            start, end = sides[place]
            gap, high = 0.04 * (end - start), share * height
            colour = tint if inside[place] else palette.histogram
            canvas.bar(start + gap, end - gap, ground - high, high, fill=colour)
            canvas.hint(texts[place], start, ground - height, percent_of(end - start), height)

    def row_at(self, canvas: Canvas, y: float, row: PremiseRow) -> None:
        """A line for what the premise allows, dots for what it lost."""
        if not isinstance(row.premise, Interval):
            end = self.scale.place(self.bars.high) if self._gap is None else self._gap + HALF
            ends = self.scale.place(self.bars.low), end
            canvas.level(*ends, y, stroke=self.colours.palette.mixed, **DOTTED)
            return
        colour = self.colours.colour(row.outcome)
        cut = [premise for premise in row.lost if isinstance(premise, Interval)]
        lost = [premise for premise in cut if not premise.is_only_missing]
        ends = self.bars.reach(self.bars.low), self.bars.reach(self.bars.high)
        interval_line(canvas, y, row.premise, lost, colour, self._at, ends, thick=row.thick)
        for each in lost:
            low, high = self._at(each.low), self._at(each.high)
            if high - low > 0.2:  # there is room to say so
                ground = self.colours.palette.ground
                look = {"font-size": "11px", "background": ground, "padding": "0 4px"}
                canvas.words("cut away", (low + high) / 2, y, look)
        if self._gap is not None:
            lacks = any(premise.missing for premise in cut)
            held = 1.0 if row.premise.missing else 0.0
            _mark(canvas, self._gap, y, 6 if row.thick else 4, held, lacks, colour)

    def _at(self, bound: float) -> float:
        return self.scale.place(self.bars.place(bound))

    def ticks_below(self, canvas: Canvas, y: float) -> None:
        """Numbers, or days, along the foot."""
        bars, dates = self.bars, self.feature.kind == "date"
        ticks = said_ticks(bars.low, bars.high, brief, whole=bars.whole, dates=dates)
        placed = [(self.scale.place(value), text) for value, text in ticks]
        free = 1.0 if self._gap is None else self._gap - ROOM_FOR_MISSING
        canvas.below([(at, text) for at, text in placed if at <= free], y + TICKS_DOWN)
        if self._gap is not None:
            canvas.words(MISSING, self._gap, y + TICKS_DOWN)


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
            colour = tint if held else palette.histogram
            canvas.bar(start, end, ground - high, high, fill=colour)
            name = category_name(bar, self.feature, self.said)
            text = f"{name}: {counted(bar.count, 'record')}"
            canvas.hint(text, start, ground - height, percent_of(end - start), height)

    def row_at(self, canvas: Canvas, y: float, row: PremiseRow) -> None:
        """A dot for each category."""
        palette, colour = self.colours.palette, self.colours.colour(row.outcome)
        if row.premise is None:
            ends = self._place(-0.4), self._place(len(self.bars) - 0.6)
            canvas.level(*ends, y, stroke=palette.mixed, **DOTTED)
            return
        size = 6 if row.thick else 4
        for number, bar in enumerate(self.bars):
            share = bar.held_by(row.premise)
            lost = any(bar.held_by(premise) for premise in row.lost)
            _mark(canvas, self._place(number), y, size, share, lost, colour)

    def ticks_below(self, canvas: Canvas, y: float) -> None:
        """The names, slanted where they are long."""
        for number, name in enumerate(self._names):
            if self._slanted:
                turned = f"translate(-100%,-50%) rotate({-SLANT}deg)"
                look = {"transform": turned, "transform-origin": "100% 50%"}
                canvas.words(name, self._place(number), y + 4, look)
            else:
                canvas.words(name, self._place(number), y + TICKS_DOWN)


def interval_line(
    canvas: Canvas,
    y: float,
    premise: Interval,
    lost: Iterable[Interval],
    colour: str,
    at: Callable[[float], float],
    ends: tuple[float, float],
    *,
    thick: bool,
) -> None:
    """A line for what is allowed, dots for what was lost, arrows where it goes beyond the ends."""
    for each in lost:
        canvas.level(at(each.low), at(each.high), y, stroke=colour, **DOTTED)
    low, high = at(premise.low), at(premise.high)
    if not premise.is_only_missing:
        canvas.level(low, high, y, stroke=colour, stroke_width=THICK if thick else THIN)
    size = 7 if thick else 5
    for goes_on, x, side in ((premise.low < ends[0], low, -1), (premise.high > ends[1], high, 1)):
        if goes_on:
            way = f"M{-side * size / 2},{size * 1.15}V{-size * 1.15}L{side * size},0Z"
            canvas.around(x, y, way, fill=colour)


def _mark(
    canvas: Canvas, x: float, y: float, size: float, share: float, lost: bool, colour: str
) -> None:
    """A dot that is full where all of `share` is allowed, a cross where it was cut away."""
    if lost:
        canvas.cross(x, y, size, stroke=colour, stroke_width=1.6)
        return
    inside = colour if share == 1 else canvas.palette.ground
    edge = colour if share else canvas.palette.branch
    canvas.dot(x, y, size, fill=inside, stroke=edge, stroke_width=1.6)
    if 0 < share < 1:  # of several categories some
        canvas.dot(x, y, 1.5, fill=colour)


def bar_texts(bars: Histogram, feature: Feature) -> list[str]:
    """For each bar its span and its records."""
    say = day_text if feature.kind == "date" else brief
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


def category_name(bar: CategoryBar, feature: Feature, said: Wording) -> str:
    """What stands below a bar, as plain text."""
    if len(bar.values) > 1:
        return f"{len(bar.values):,} others"
    return shortened(said.value(feature.name, bar.values[0]))
