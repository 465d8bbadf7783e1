"""Pictures that do not answer to clicks: a page draws dozens of them at once.

Marks are one SVG image that holds numbers and our own colours alone; all text is HTML above it,
escaped. Across, everything is given as a share of the width, down in pixels: a picture fits any
column, and its text keeps its size.
"""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from glocalx.plots.theme import Palette
from glocalx.words.escape import shortened

FONT = "'Source Sans','Source Sans Pro',sans-serif"
LETTER = 6.3  # pixels for a letter of 12 pixels, on average; rather too many
LABEL = 28  # letters beside a picture, at most
PLAIN: Mapping[str, str] = {}
SHIFTS = {"start": 0, "middle": -50, "end": -100}


@dataclass(frozen=True, slots=True)
class Picture:
    """A piece of HTML without scripts in which all text is escaped, and what it shows."""

    html: str
    alt: str


@dataclass(frozen=True, slots=True)
class Canvas:
    """Marks and texts of a picture while it is being drawn."""

    palette: Palette
    marks: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def picture(self, height: float, alt: str, *, left: float = 0, right: float = 8) -> Picture:
        """All that was drawn, with room for labels on the left."""
        place = f"position:relative;height:{height:.0f}px;margin:0 {right:.0f}px 0 {left:.0f}px"
        style = f"{place};font:12px/1 {FONT};color:{self.palette.muted}"
        inside = f"{self._image()}{''.join(self.texts)}"
        html = f'<div role="img" aria-label="{escape(alt)}" style="{style}">{inside}</div>'
        return Picture(html, alt)

    def _image(self) -> str:
        drawn = f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(self.marks)}</svg>'
        source = f"data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}"
        style = "position:absolute;left:0;top:0;width:100%;height:100%"
        return f'<img alt="" src="{source}" style="{style}"/>'

    def mark(self, name: str, **attributes: object) -> None:
        """An element of the image: numbers and colours, never text of a table."""
        self.marks.append(_element(name, **attributes))

    def bar(self, start: float, end: float, y: float, height: float, colour: str) -> None:
        wide = percent_of(end - start)
        self.mark("rect", x=percent_of(start), y=y, width=wide, height=height, fill=colour)

    def level(
        self, start: float, end: float, y: float, colour: str, width: float, *, dotted: bool = False
    ) -> None:
        """A line from left to right."""
        ends = {"x1": percent_of(start), "x2": percent_of(end), "y1": y, "y2": y}
        dots = {"stroke_dasharray": "3 3"} if dotted else {}
        self.mark("line", **ends, stroke=colour, stroke_width=width, **dots)

    def upright(self, x: float, top: float, bottom: float, colour: str, width: float) -> None:
        ends = {"x1": percent_of(x), "x2": percent_of(x), "y1": top, "y2": bottom}
        self.mark("line", **ends, stroke=colour, stroke_width=width)

    def dot(
        self, x: float, y: float, size: float, colour: str, edge: str = "none", width: float = 0
    ) -> None:
        place = {"cx": percent_of(x), "cy": y, "r": size}
        self.mark("circle", **place, fill=colour, stroke=edge, stroke_width=width)

    def around(self, x: float, y: float, way: str, **look: object) -> None:
        """A path around a point, in pixels."""
        inside = _element("path", d=way, **look)
        place = f'x="{percent_of(x)}" y="{y:.1f}"'
        self.marks.append(f'<svg {place} width="1" height="1" overflow="visible">{inside}</svg>')

    def cross(self, x: float, y: float, size: float, colour: str, width: float) -> None:
        way = f"M{-size},{-size}L{size},{size}M{-size},{size}L{size},{-size}"
        self.around(x, y, way, stroke=colour, stroke_width=width, fill="none")

    def way(
        self, points: Sequence[tuple[float, float]], top: float, height: float, colour: str
    ) -> None:
        """A line through points, which are a share of the width and pixels below `top`."""
        through = "L".join(f"{1000 * x:.1f},{y:.1f}" for x, y in points)
        style = "vector-effect:non-scaling-stroke;stroke-linejoin:round"
        line = {"d": f"M{through}", "fill": "none", "stroke": colour, "stroke_width": 2}
        box = f'y="{top:.1f}" width="100%" height="{height:.1f}" overflow="visible"'
        stretched = f'viewBox="0 0 1000 {height:.1f}" preserveAspectRatio="none"'
        self.marks.append(f"<svg {box} {stretched}>{_element('path', **line, style=style)}</svg>")

    def words(
        self,
        text: str,
        x: float,
        y: float,
        look: Mapping[str, str] = PLAIN,
        *,
        aside: float = 0,
        anchor: str = "middle",
        strong: str = "",
    ) -> None:
        """A line of text, whatever is in it, `aside` pixels from a place; `look` is CSS."""
        place = f"left:calc({percent_of(x)} + {aside:.0f}px);top:{y:.1f}px"
        style = {"transform": f"translate({SHIFTS[anchor]}%,-50%)", **look}
        bold = f'<b style="margin-left:8px">{escape(strong)}</b>' if strong else ""
        self._text(f"{escape(text)}{bold}", f"{place};white-space:nowrap;{_css(style)}")

    def hint(self, text: str, x: float, y: float, width: str, height: float) -> None:
        """What a part of the picture says when the mouse rests on it."""
        place = f"left:{percent_of(x)};top:{y:.1f}px;width:{width};height:{height:.1f}px"
        self._text("", place, f' title="{escape(text)}"')

    def _text(self, markup: str, style: str, more: str = "") -> None:
        self.texts.append(f'<span{more} style="position:absolute;{style}">{markup}</span>')

    def beside(self, text: str, y: float, look: Mapping[str, str] = PLAIN) -> None:
        """A label to the left, at the height of its row."""
        self.words(shortened(text, LABEL), 0, y, look, aside=-6, anchor="end")

    def below(self, ticks: Iterable[tuple[float, str]], y: float) -> None:
        """Labels along the foot, at shares of the width."""
        for place, text in ticks:
            self.words(text, place, y)


def _element(name: str, **attributes: object) -> str:
    said = " ".join(f'{key.replace("_", "-")}="{_value(v)}"' for key, v in attributes.items())
    return f"<{name} {said}/>"


def _value(value: object) -> str:
    return f"{value:.1f}" if isinstance(value, float) else escape(str(value))


def _css(look: Mapping[str, str]) -> str:
    return ";".join(f"{key}:{value}" for key, value in look.items())


def percent_of(share: float) -> str:
    """A share of the width as it is written.

    Examples
    --------
    >>> percent_of(0.12345)
    '12.35%'
    """
    return f"{100 * share:.2f}%"


def legend(entries: Iterable[tuple[str, str, str]], palette: Palette) -> str:
    """Signs in their colours, and what they mean, as HTML."""
    inside = "".join(
        '<span style="display:inline-block;margin-right:18px">'
        f'<span style="color:{colour};margin-right:4px">{sign}</span> {escape(text)}</span>'
        for sign, text, colour in entries
    )
    return f'<div style="font:12px/1.5 {FONT};color:{palette.muted}">{inside}</div>'


def room_beside(labels: Iterable[str], size: int = 12) -> float:
    """The pixels that labels on the left need."""
    return 8 + LETTER * size / 12 * max(
        (len(shortened(label, LABEL)) for label in labels), default=0
    )


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers from `low` to `high`, as shares of the way."""

    low: float
    high: float

    def place(self, value: float) -> float:
        return (value - self.low) / ((self.high - self.low) or 1)

    def ticks(self, most: int, *, whole: bool = False) -> list[float]:
        """At most so many round numbers, evenly apart.

        Examples
        --------
        >>> Scale(0, 97).ticks(6), Scale(0, 2).ticks(6, whole=True)
        ([0.0, 20.0, 40.0, 60.0, 80.0], [0.0, 1.0, 2.0])
        """
        step = _round_step((self.high - self.low) / most)
        if whole:
            step = max(step, 1.0)
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        if last - first + 1 > most:
            return self.ticks(most - 1, whole=whole)
        return [round(place * step, 10) for place in range(first, last + 1)]


def _round_step(least: float) -> float:
    """The next of 1, 2, 5, 10, 20, …, or of their fractions."""
    if not least > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * digit for digit in (1, 2, 5, 10, 20) if power * digit >= least * (1 - 1e-9))
