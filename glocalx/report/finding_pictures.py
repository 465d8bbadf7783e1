"""A finding drawn: how often, how far apart, and the ratio for the favourable outcome."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from glocalx.audit.comparison import BAND, GroupComparison
from glocalx.audit.flips import FlipResult
from glocalx.audit.intervals import Estimate
from glocalx.plots.canvas import Canvas, Picture
from glocalx.plots.colours import OutcomeColours
from glocalx.plots.scale import Scale
from glocalx.words.escape import shortened
from glocalx.words.figures import (
    fixed,
    fixed_interval,
    in_points,
    paper_percent,
    points,
    points_interval,
    trimmed,
)
from glocalx.words.phrases import counted

HEIGHT, MIDDLE, TICKS, FOOT = 84.0, 34.0, 57.0, 75.0  # pixels
BAR, LIGHTER, LONGEST = 14.0, 0.45, 0.5
EDGE = 0.04  # of the width, so that no label is cut
RATIOS = (1.6, 2.5, 4.0, 10.0, 100.0)
"""How far an axis of ratios goes to either side."""
ACROSS, SQUARE, MOST_SQUARES = 52, 11.0, 1_040


@dataclass(frozen=True, slots=True)
class FindingPictures:
    """Pictures of comparisons, all on the same scales so that they can be held beside each other.

    Parameters
    ----------
    outcome
        The outcome asked about.
    compared
        All that will be drawn.
    inline
        For a page that may hold SVG and says in its style sheet what colours are.
    """

    colours: OutcomeColours
    outcome: str
    compared: tuple[GroupComparison, ...]
    inline: bool = False

    def how_often(self, comparison: GroupComparison, group: str) -> Picture:
        """The two shares as bars: dark the group, light those that it is compared with."""
        canvas = self._canvas("How often")
        shares = comparison.own, comparison.other
        most = max((each.rate().value for each in shares if each.size), default=0.0) or 1.0
        told = []
        for place, (share, strength) in enumerate(zip(shares, (1.0, LIGHTER), strict=True)):
            y = 20 + place * (BAR + 5)
            rate = share.rate().value if share.size else 0.0
            end = LONGEST * rate / most
            look = {"fill": self.colours.colour(self.outcome), "fill_opacity": f"{strength:g}"}
            canvas.bar(0, end, y, BAR, **look)
            said = f"{paper_percent(share.rate().value)} ({share.hits:,} of {share.size:,})"
            canvas.words(said, end, y + BAR / 2, self._ink, aside=6, anchor="start")
            told.append(said)
        names = shortened(group, 30), shortened(comparison.against, 30)
        canvas.words(f"strong: {names[0]}", 0, TICKS + 4, anchor="start")
        canvas.words(f"faint: {names[1]}", 0, FOOT, anchor="start")
        alt = f"How often: {group} {told[0]}; {comparison.against} {told[1]}."
        return canvas.picture(HEIGHT, alt, inline=self.inline)

    def difference(self, comparison: GroupComparison) -> Picture:
        """The difference with its interval, beside 0."""
        found = comparison.difference
        title = f"Difference: {points(found.value)}"
        canvas = self._canvas(title)
        ends = [abs(end) for each in self.compared for end in _ends(each.difference)]
        most = max(ends, default=0.0) or 0.1
        scale, _ = Scale.over([-most, most], 4)
        ticks = [scale.low, scale.low / 2, 0.0, scale.high / 2, scale.high]
        self._axis(canvas, scale.place, ticks, 0.0, lambda tick: in_points(tick, 0))
        self._dot(canvas, scale.place, found)
        interval = points_interval(found)
        canvas.words(f"95 % interval {interval}", 0, FOOT, anchor="start")
        alt = f"{title}, 95 % interval {interval}, on an axis with 0."
        return canvas.picture(HEIGHT, alt, inline=self.inline)

    def ratio(self, comparison: GroupComparison, favourable: str) -> Picture:
        """The ratio for the favourable outcome with its interval, and the four-fifths band."""
        found, (low, high) = comparison.favourable, BAND
        title = f"{shortened(favourable, 24)}: ratio {fixed(found.value)}"
        canvas = self._canvas(title)
        ends = [end for each in self.compared for end in _ends(each.favourable) if end > 0]
        away = max((max(end, 1 / end) for end in ends), default=1.0)
        most = next((each for each in RATIOS if away <= each), RATIOS[-1])
        scale = Scale(-math.log(most), math.log(most))

        def place(ratio: float) -> float:
            return scale.place(math.log(min(max(ratio, 1 / most), most)))

        start, end = (_inside(place(each)) for each in BAND)
        canvas.bar(start, end, MIDDLE - 14, 28, fill=self.colours.palette.wash)
        self._axis(canvas, place, [1 / most, low, 1.0, high, most], 1.0, lambda r: trimmed(r, 2))
        self._dot(canvas, place, found)
        interval = fixed_interval(found) or "undefined"
        canvas.words(f"{interval}; shaded: {low:g} to {high:g}", 0, FOOT, anchor="start")
        alt = f"{title}, 95 % interval {interval}; the four-fifths band is {low:g} to {high:g}."
        return canvas.picture(HEIGHT, alt, inline=self.inline)

    @property
    def _ink(self) -> dict[str, str]:
        return {"color": self.colours.palette.ink}

    def _canvas(self, title: str) -> Canvas:
        canvas = Canvas(palette=self.colours.palette)
        look = {**self._ink, "font-weight": "600", "font-size": "13px"}
        canvas.words(title, 0, 8, look, anchor="start")
        return canvas

    def _axis(
        self,
        canvas: Canvas,
        place: Callable[[float], float],
        ticks: Iterable[float],
        middle: float,
        said: Callable[[float], str],
    ) -> None:
        palette = canvas.palette
        for tick in ticks:
            x, here = _inside(place(tick)), tick == middle
            colour = palette.mixed if here else palette.grid
            canvas.upright(x, MIDDLE - 14, MIDDLE + 14, stroke=colour, stroke_width=1.5)
            canvas.words(said(tick), x, TICKS)

    def _dot(self, canvas: Canvas, place: Callable[[float], float], found: Estimate) -> None:
        ink = canvas.palette.ink
        if not math.isnan(found.low):
            low, high = (_inside(place(end)) for end in (found.low, found.high))
            canvas.level(low, high, MIDDLE, stroke=ink, stroke_width=2.4)
        if found.is_defined:
            canvas.dot(_inside(place(found.value)), MIDDLE, 5.5, fill=ink)


def _inside(share: float) -> float:
    return EDGE + (1 - 2 * EDGE) * min(max(share, 0.0), 1.0)


def _ends(found: Estimate) -> Iterator[float]:
    return (end for end in (found.value, found.low, found.high) if math.isfinite(end))


def flip_squares(flip: FlipResult, outcome: str, colours: OutcomeColours) -> Picture:
    """A square for each record that was asked about; of very many, each stands for several."""
    palette, count = colours.palette, flip.audited
    others = [each for each in colours.outcomes if each != outcome]
    away = colours.colour(others[0]) if len(others) == 1 else palette.mixed
    between = count.changed.hits - count.gained - count.lost
    rest = count.changed.size - count.changed.hits
    each = max(1, -(-count.changed.size // MOST_SQUARES))
    canvas, drawn = Canvas(palette=palette), 0
    parts = (
        (count.gained, colours.colour(outcome)),
        (count.lost, away),
        (between, palette.muted),
        (rest, palette.histogram),
    )
    for records, colour in parts:
        for place in range(drawn, drawn + round(records / each)):
            x, y = (place % ACROSS) / ACROSS, (place // ACROSS) * SQUARE
            canvas.bar(x, x + 0.82 / ACROSS, y, SQUARE - 2, fill=colour, rx=1)
        drawn += round(records / each)
    alt = (
        f"One square for {counted(each, 'record')}: {count.gained:,} answers change to the outcome "
        f"asked about, {count.lost:,} away from it, {between:,} between others, {rest:,} stay."
    )
    return canvas.picture(max(1, -(-drawn // ACROSS)) * SQUARE + 4, alt, right=0)
