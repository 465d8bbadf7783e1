"""The one palette of pages, figures, report and study, light and dark.

`.streamlit/config.toml` repeats the colours of pages, and a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from glocalx.errors import GLocalXError
from glocalx.words.escape import in_rule
from glocalx.words.phrases import listing, shown

Scheme: TypeAlias = Literal["light", "dark"]

SYMBOLS = ("circle", "square", "triangle-up", "pentagon", "star", "hexagon", "triangle-down")
"""One for each outcome; a diamond would be taken for a cut, and a cross for a refusal."""
SIGNS = "●■▲⬟★⬢▼"
"""The same as letters."""
SHADES = 4
"""Shades on either side of the middle, from less to more."""


@dataclass(frozen=True, slots=True)
class Tones:
    """One outcome: its marks, its words, and the ground behind words."""

    mark: str
    text: str
    soft: str


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one kind of page.

    Parameters
    ----------
    scheme
        `light` or `dark`.
    ground, soft
        The page; heads of tables and what stands apart.
    on_outcome
        Text upon the colour of an outcome.
    ink, muted, mixed, accent, link
        Text and what matters; lesser text; several outcomes at once; what is chosen; links.
    wash
        A tint of the accent, for areas.
    border, grid, line, histogram, branch
        Frames; gridlines; axes; how records spread; branches of the tree.
    wash_ink, flag, flag_ink, alarm, alarm_ink
        Words on the tint; a ground that warns and one that says no, and words on them.
    outcomes
        Blue, orange, then on as Okabe and Ito do, told apart by people with any colour sight. For
        outcomes and nothing else.
    diverging
        Less, the same, more.
    """

    scheme: Scheme
    ground: str
    soft: str
    on_outcome: str
    ink: str
    muted: str
    mixed: str
    accent: str
    link: str
    wash: str
    wash_ink: str
    border: str
    grid: str
    line: str
    histogram: str
    branch: str
    flag: str
    flag_ink: str
    alarm: str
    alarm_ink: str
    outcomes: tuple[Tones, ...]
    diverging: tuple[str, str, str]

    def shades(self) -> list[tuple[str, str]]:
        """From less to more: each ground with the ink that reads better on it."""
        less, middle, more = self.diverging
        grounds = [blend(middle, less, step / SHADES) for step in range(SHADES, 0, -1)]
        grounds += [blend(middle, more, step / SHADES) for step in range(SHADES + 1)]
        inks = ("#000000", "#FFFFFF")
        return [(ground, max(inks, key=lambda ink: contrast(ground, ink))) for ground in grounds]

    def variables(self) -> str:
        """What style sheets use, as CSS."""
        colours = {name: getattr(self, field) for field, name in _VARIABLES.items()}
        colours |= {f"outcome{i}": tones.mark for i, tones in enumerate(self.outcomes)}
        return f":root{{{''.join(f'--{name}:{colour};' for name, colour in colours.items())}}}"


_VARIABLES = {  # what style sheets call them
    "ground": "page",
    "soft": "soft",
    "ink": "ink",
    "muted": "muted",
    "border": "line",
    "grid": "grid",
    "mixed": "axis",
    "link": "accent",
    "flag": "flag",
    "flag_ink": "flag-ink",
    "wash": "good",
    "wash_ink": "good-ink",
    "alarm": "alarm",
    "alarm_ink": "alarm-ink",
}
_COLOURS = {  # on a light page, on a dark one
    "ground": ("#FDFCFA", "#14181D"),
    "soft": ("#F3F1EB", "#1F262D"),
    "on_outcome": ("#FFFFFF", "#14181D"),
    "ink": ("#0B1015", "#E7E9EB"),
    "muted": ("#5B616A", "#A9B0B8"),
    "mixed": ("#8B9099", "#9AA3AD"),
    "accent": ("#0E6B63", "#58BDB1"),
    "link": ("#0E6B63", "#7FD3C8"),
    "wash": ("#E1F0EE", "#15322F"),
    "wash_ink": ("#0B5750", "#7FD3C8"),
    "border": ("#E1DDD3", "#323B45"),
    "grid": ("#ECE9E2", "#262E36"),
    "line": ("#D6D2C7", "#323B45"),
    "histogram": ("#E2DED4", "#2B343D"),
    "branch": ("#BFB9AB", "#56616D"),
    "flag": ("#FFF6D9", "#3A2F10"),
    "flag_ink": ("#6B4800", "#F3D58A"),
    "alarm": ("#F6E6EC", "#3F1A28"),
    "alarm_ink": ("#7A1F3D", "#F2B5C8"),
}
_OUTCOMES = (
    (("#0072B2", "#005A8E", "#E3F0F8"), ("#56B4E9", "#8CCBF0", "#143246")),
    (("#D55E00", "#A84600", "#FCEBDD"), ("#F0904D", "#F6B184", "#43260F")),
    (("#B8578F", "#8F3F6B", "#F9EAF2"), ("#DE94BD", "#EBC2D9", "#43233A")),
    (("#009E73", "#00664A", "#E0F3EC"), ("#3CC79C", "#8CDCC4", "#0F3A2E")),
    (("#C28800", "#7A5600", "#F8EFD9"), ("#E8CE4D", "#F0DF8C", "#3A3310")),
    (("#5B4FB5", "#463D8E", "#ECEAF7"), ("#A79BF0", "#C9C2F6", "#2A2548")),
)
_DIVERGING = (("#8E5BA8", "#F7F5F0", "#3E8E55"), ("#8A5FA8", "#1F262D", "#4B9460"))


def _palette(scheme: Scheme, side: int) -> Palette:
    colours = {name: both[side] for name, both in _COLOURS.items()}
    tones = tuple(Tones(*both[side]) for both in _OUTCOMES)
    return Palette(scheme=scheme, outcomes=tones, diverging=_DIVERGING[side], **colours)


LIGHT, DARK = _palette("light", 0), _palette("dark", 1)
_STYLED: dict[str, Any] = {field: f"var(--{name})" for field, name in _VARIABLES.items()}
_STYLED["outcomes"] = tuple(Tones(*3 * (f"var(--outcome{i})",)) for i in range(len(_OUTCOMES)))
STYLED = replace(LIGHT, **_STYLED)
"""The same by the names of :meth:`Palette.variables`, for marks inside a page that has these."""


def palette(scheme: str | None) -> Palette:
    """The colours for a page; light where the page does not say."""
    return DARK if scheme == "dark" else LIGHT


@dataclass(frozen=True, slots=True)
class OutcomeColours:
    """A colour and a symbol for each outcome, the same in every figure.

    The outcome that people ask about is orange, the other blue; without such a one they come in
    order. Colours return, with other symbols, from the seventh on.

    Examples
    --------
    >>> colours = OutcomeColours.of(["High", "Low"], positive="High")
    >>> colours.word("High"), colours.word("Low")
    ('orange', 'blue')
    """

    palette: Palette
    outcomes: tuple[str, ...]
    _places: tuple[int, ...]
    _names: tuple[str, ...]

    @classmethod
    def of(
        cls,
        outcomes: Sequence[str],
        positive: str | None = None,
        palette: Palette = LIGHT,
        names: Mapping[str, str] | None = None,
    ) -> OutcomeColours:
        """Colours for these outcomes.

        `positive`: the outcome that people ask about; `names`: how people call outcomes, where
        that is not what the table says.
        """
        if positive is not None and positive not in outcomes:
            raise GLocalXError(
                f"{shown(positive)} is none of the outcomes. There are: {listing(outcomes)}."
            )
        first = [outcome for outcome in outcomes if outcome != positive]
        order = first if positive is None else [*first[:1], positive, *first[1:]]
        places = tuple(order.index(outcome) for outcome in outcomes)
        called = tuple(in_rule((names or {}).get(outcome, outcome)) for outcome in outcomes)
        return cls(palette, tuple(outcomes), places, called)

    def place(self, outcome: str) -> int:
        """0 for blue, 1 for orange, and so on."""
        if outcome not in self.outcomes:
            raise GLocalXError(
                f"{shown(outcome)} is none of the outcomes. There are: {listing(self.outcomes)}."
            )
        return self._places[self.outcomes.index(outcome)]

    def name(self, outcome: str) -> str:
        """How people call it, as in rules; plain text."""
        return self._names[self.outcomes.index(outcome)]

    def tones(self, outcome: str) -> Tones:
        """Colours for marks, for words and behind words."""
        return self.palette.outcomes[self.place(outcome) % len(self.palette.outcomes)]

    def colour(self, outcome: str) -> str:
        """For marks."""
        return self.tones(outcome).mark

    def pale(self, outcome: str, strength: float = 0.18) -> str:
        """The colour of an outcome let into the page."""
        return blend(self.palette.ground, self.colour(outcome), strength)

    def symbol(self, outcome: str) -> str:
        """For those who cannot tell the colours apart."""
        return SYMBOLS[self.place(outcome) % len(SYMBOLS)]

    def sign(self, outcome: str) -> str:
        """The symbol as a letter."""
        return SIGNS[self.place(outcome) % len(SIGNS)]

    def word(self, outcome: str) -> Literal["blue", "orange"] | None:
        """What the themed pages call the colour; None from the third outcome on."""
        place = self.place(outcome)
        return "blue" if place == 0 else "orange" if place == 1 else None


def blend(one: str, other: str, share: float) -> str:
    """A colour that lies this far from `one` to `other`.

    Examples
    --------
    >>> blend("#000000", "#FFFFFF", 0.5)
    '#808080'
    """
    pairs = zip(_channels(one), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


def contrast(one: str, other: str) -> float:
    """The contrast of WCAG, from 1 to 21; text needs 4.5, marks need 3.

    Examples
    --------
    >>> contrast("#FFFFFF", "#000000")
    21.0
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _channels(colour: str) -> list[int]:
    return [int(colour[start : start + 2], 16) for start in (1, 3, 5)]


def _luminance(colour: str) -> float:
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in _channels(colour))
    ]
    return sum(
        weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True)
    )
