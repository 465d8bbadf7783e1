"""The one canvas on which pages, report and study draw what does not answer to clicks.

Across, everything is given as a share of the width, down in pixels: a picture fits any column, a
phone and paper, and its text keeps its size. :class:`Marks` are SVG that holds numbers and our own
colours or classes, never text of a table; :class:`Canvas` adds text, as HTML above the marks,
escaped. Nothing here needs plotly.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from glocalx.plots.colours import Palette
from glocalx.words.escape import shortened

FONT = "'Source Sans','Source Sans Pro',sans-serif"
LETTER = 6.3  # pixels for a letter of 12 pixels, on average; rather too many
TEXT = 12  # pixels of a letter, unless it is to be read from afar
LABEL = 28  # letters beside a picture, at most
PLAIN: Mapping[str, str] = {}
SHIFTS = {"start": 0, "middle": -50, "end": -100}
SQUARE, DIAMOND, TRIANGLE = "M-4,-4H4V4H-4Z", "M0,-5.5L5.5,0L0,5.5L-5.5,0Z", "M0,-5L5,4H-5Z"
DROP = "M-4,-4H4L0,3Z"  # above a step after which fidelity falls


@dataclass(frozen=True, slots=True)
class Picture:
    """A piece of HTML without scripts in which all text is escaped, and what it shows."""

    html: str
    alt: str


@dataclass(frozen=True, slots=True)
class Marks:
    """Elements of an SVG. How each looks is given by its attributes: `fill`, `stroke_width`, or
    `class_` where a style sheet says it.
    """

    drawn: list[str] = field(default_factory=list)

    def bar(self, start: float, end: float, y: float, height: float, **look: object) -> None:
        wide = percent_of(end - start)
        self._add("rect", x=percent_of(start), y=y, width=wide, height=height, **look)

    def level(self, start: float, end: float, y: float, **look: object) -> None:
        """A line from left to right."""
        self._add("line", x1=percent_of(start), x2=percent_of(end), y1=y, y2=y, **look)

    def upright(self, x: float, top: float, bottom: float, **look: object) -> None:
        place = percent_of(x)
        self._add("line", x1=place, x2=place, y1=top, y2=bottom, **look)

    def dot(self, x: float, y: float, size: float, **look: object) -> None:
        self._add("circle", cx=percent_of(x), cy=y, r=size, **look)

    def around(self, x: float, y: float, way: str, **look: object) -> None:
        """A path around a point, in pixels."""
        inside = _element("path", d=way, **look)
        place = f'x="{percent_of(x)}" y="{y:.1f}"'
        self.drawn.append(f'<svg {place} width="1" height="1" overflow="visible">{inside}</svg>')

    def cross(self, x: float, y: float, size: float, **look: object) -> None:
        way = f"M{-size},{-size}L{size},{size}M{-size},{size}L{size},{-size}"
        self.around(x, y, way, fill="none", **look)

    def way(
        self, points: Iterable[tuple[float, float]], top: float, height: float, **look: object
    ) -> None:
        """A line through points, which are a share of the width and pixels below `top`."""
        through = "L".join(f"{1000 * x:.1f},{y:.1f}" for x, y in points)
        style = "vector-effect:non-scaling-stroke;stroke-linejoin:round"
        line = {"d": f"M{through}", "fill": "none", "stroke_width": 2, **look}
        box = f'y="{top:.1f}" width="100%" height="{height:.1f}" overflow="visible"'
        stretched = f'viewBox="0 0 1000 {height:.1f}" preserveAspectRatio="none"'
        self.drawn.append(f"<svg {box} {stretched}>{_element('path', **line, style=style)}</svg>")

    def _add(self, name: str, **attributes: object) -> None:
        self.drawn.append(_element(name, **attributes))


@dataclass(frozen=True, slots=True)
class Canvas(Marks):
    """Marks and texts of a picture while it is being drawn; `text` is the size of its letters."""

    palette: Palette = field(kw_only=True)
    text: int = field(default=TEXT, kw_only=True)
    texts: list[str] = field(default_factory=list)

    def picture(
        self, height: float, alt: str, *, left: float = 0, right: float = 8, inline: bool = False
    ) -> Picture:
        """All that was drawn, with room for labels on the left.

        The marks are one image, a single element of the page however many there are; `inline` they
        are elements of a page that may hold SVG.
        """
        place = f"position:relative;height:{height:.0f}px;margin:0 {right:.0f}px 0 {left:.0f}px"
        style = f"{place};font:{self.text}px/1 {FONT};color:{self.palette.muted}"
        inside = f"{self._marks(inline)}{''.join(self.texts)}"
        html = f'<div role="img" aria-label="{escape(alt)}" style="{style}">{inside}</div>'
        return Picture(html, alt)

    def _marks(self, inline: bool) -> str:
        style = "position:absolute;left:0;top:0;width:100%;height:100%"
        if inline:
            whole = f"{style};overflow:visible"
            return f'<svg aria-hidden="true" style="{whole}">{"".join(self.drawn)}</svg>'
        drawn = f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(self.drawn)}</svg>'
        source = f"data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}"
        return f'<img alt="" src="{source}" style="{style}"/>'

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
        css = ";".join(f"{key}:{value}" for key, value in style.items())
        bold = f'<b style="margin-left:8px">{escape(strong)}</b>' if strong else ""
        self._text(f"{escape(text)}{bold}", f"{place};white-space:nowrap;{css}")

    def hint(
        self, text: str, x: float, y: float, width: str, height: float, *, aside: float = 0
    ) -> None:
        """What a part of the picture says when the mouse rests on it."""
        left = f"calc({percent_of(x)} + {aside:.0f}px)" if aside else percent_of(x)
        place = f"left:{left};top:{y:.1f}px;width:{width};height:{height:.1f}px"
        self._text("", place, f' title="{escape(text)}"')

    def _text(self, markup: str, style: str, more: str = "") -> None:
        self.texts.append(f'<span{more} style="position:absolute;{style}">{markup}</span>')

    def parts(
        self, parts: Iterable[tuple[int, str, str]], whole: int, y: float, height: float
    ) -> list[tuple[float, float]]:
        """Bars in a row, each as long as its share of the whole: count, what it says where the
        mouse rests, colour. Gives where each begins and ends.
        """
        ends = [0.0]
        for count, text, colour in parts:
            start, end = ends[-1], ends[-1] + count / whole
            if count:
                self.bar(start, end, y, height, fill=colour)
                self.hint(text, start, y, percent_of(end - start), height)
            ends.append(end)
        return list(pairwise(ends))

    def beside(self, text: str, y: float, look: Mapping[str, str] = PLAIN) -> None:
        """A label to the left, at the height of its row."""
        self.words(shortened(text, LABEL), 0, y, look, aside=-6, anchor="end")

    def below(self, ticks: Iterable[tuple[float, str]], y: float) -> None:
        """Labels along the foot, at shares of the width."""
        for place, text in ticks:
            self.words(text, place, y)

    def steps_below(self, ticks: Iterable[tuple[float, float]], height: float) -> None:
        """Numbers of steps along the foot of a picture of this height, at shares of the width."""
        self.below([(place, f"{step:,.0f}") for place, step in ticks], height - 28)
        self.words("Step", 0.5, height - 8)

    def key(self, entries: Iterable[tuple[str, str, str]], y: float) -> None:
        """Signs in their colours and what they mean, in a row: sign, text, colour.

        Each sign is a letter, so that it stands where its word does.
        """
        aside = 0.0
        for sign, text, colour in entries:
            self.words(sign, 0, y, {"color": colour}, aside=aside + 6)
            self.words(text, 0, y, aside=aside + 16, anchor="start")
            aside += 36 + LETTER * self.text / TEXT * len(text)


def _element(name: str, **attributes: object) -> str:
    said = " ".join(
        f'{key.rstrip("_").replace("_", "-")}="{_value(v)}"' for key, v in attributes.items()
    )
    return f"<{name} {said}/>"


def _value(value: object) -> str:
    return f"{value:.1f}" if isinstance(value, float) else escape(str(value))


def percent_of(share: float) -> str:
    """A share of the width as it is written.

    Examples
    --------
    >>> percent_of(0.12345)
    '12.35%'
    """
    return f"{100 * share:.2f}%"


def empty_picture(palette: Palette, height: float, sentence: str) -> Picture:
    """The room of a picture that has nothing to show."""
    canvas = Canvas(palette=palette)
    canvas.words(sentence, 0.5, height / 2)
    return canvas.picture(height, sentence)


def legend(entries: Iterable[tuple[str, str, str]], palette: Palette, size: int = TEXT) -> str:
    """Signs in their colours, and what they mean, as HTML."""
    inside = "".join(
        '<span style="display:inline-block;margin-right:18px">'
        f'<span style="color:{colour};margin-right:4px">{sign}</span> {escape(text)}</span>'
        for sign, text, colour in entries
    )
    return f'<div style="font:{size}px/1.5 {FONT};color:{palette.muted}">{inside}</div>'


def room_beside(labels: Iterable[str], size: int = TEXT) -> float:
    """The pixels that labels on the left need."""
    longest = max((len(shortened(label, LABEL)) for label in labels), default=0)
    return 8 + LETTER * size / TEXT * longest
