"""The colours of all figures, for light and dark pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from glocalx.errors import GLocalXError
from glocalx.words.phrases import listing, shown

Scheme: TypeAlias = Literal["light", "dark"]

SYMBOLS = ("circle", "square", "triangle-up", "pentagon", "star", "hexagon", "triangle-down")
"""One for each outcome; a diamond would be taken for a cut, and a cross for a refusal."""


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of figures on one kind of page.

    Parameters
    ----------
    scheme
        `light` or `dark`.
    ground
        The page.
    on_outcome
        Text upon the colour of an outcome.
    ink, muted, mixed, accent
        Text and what matters; lesser text; several outcomes at once; what is chosen.
    wash
        A tint of the accent, for areas.
    grid, line, histogram, branch
        Gridlines; axes and frames; how records spread; branches of the tree.
    outcomes, outcome_texts, outcome_grounds
        For marks, for words and behind words; blue, orange, then on. Those without a text tone
        of their own are mixed from the mark.
    diverging
        Less, the same, more.
    """

    scheme: Scheme
    ground: str
    on_outcome: str
    ink: str
    muted: str
    mixed: str
    accent: str
    wash: str
    grid: str
    line: str
    histogram: str
    branch: str
    outcomes: tuple[str, ...]
    outcome_texts: tuple[str, ...]
    outcome_grounds: tuple[str, ...]
    diverging: tuple[str, str, str]


LIGHT = Palette(
    scheme="light",
    ground="#FDFCFA",
    on_outcome="#FFFFFF",
    ink="#1E2630",
    muted="#5B616A",
    mixed="#8B9099",
    accent="#0E6B63",
    wash="#E1F0EE",
    grid="#ECE9E2",
    line="#D6D2C7",
    histogram="#E2DED4",
    branch="#BFB9AB",
    outcomes=("#0072B2", "#D55E00", "#B8578F", "#009E73", "#C28800", "#5B4FB5"),
    outcome_texts=("#005A8E", "#A84600"),
    outcome_grounds=("#E3F0F8", "#FCEBDD"),
    diverging=("#8E5BA8", "#F7F5F0", "#3E8E55"),
)

DARK = Palette(
    scheme="dark",
    ground="#14181D",
    on_outcome="#14181D",
    ink="#E7E9EB",
    muted="#A9B0B8",
    mixed="#9AA3AD",
    accent="#58BDB1",
    wash="#15322F",
    grid="#262E36",
    line="#323B45",
    histogram="#2B343D",
    branch="#56616D",
    outcomes=("#56B4E9", "#F0904D", "#DE94BD", "#3CC79C", "#E8CE4D", "#A79BF0"),
    outcome_texts=("#8CCBF0", "#F6B184"),
    outcome_grounds=("#143246", "#43260F"),
    diverging=("#8A5FA8", "#1F262D", "#4B9460"),
)


def palette(scheme: str | None) -> Palette:
    """The colours for a page; light where the page does not say."""
    return DARK if scheme == "dark" else LIGHT


@dataclass(frozen=True, slots=True)
class OutcomeColours:
    """A colour and a symbol for each outcome, the same in every figure.

    The outcome that people ask about is orange, the other blue; without such a one they come in
    order. From the third on colours follow Okabe and Ito, and return, with other symbols, from
    the seventh.

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

        Parameters
        ----------
        outcomes
            In the order of the schema.
        positive
            The outcome that people ask about.
        palette
            Of the page.
        names
            How people call outcomes, where that is not what the table says.
        """
        if positive is not None and positive not in outcomes:
            raise GLocalXError(
                f"{shown(positive)} is none of the outcomes. There are: {listing(outcomes)}."
            )
        first = [outcome for outcome in outcomes if outcome != positive]
        order = first if positive is None else [*first[:1], positive, *first[1:]]
        places = tuple(order.index(outcome) for outcome in outcomes)
        called = tuple((names or {}).get(outcome, outcome) for outcome in outcomes)
        return cls(palette, tuple(outcomes), places, called)

    def place(self, outcome: str) -> int:
        """0 for blue, 1 for orange, and so on."""
        if outcome not in self.outcomes:
            raise GLocalXError(
                f"{shown(outcome)} is none of the outcomes. There are: {listing(self.outcomes)}."
            )
        return self._places[self.outcomes.index(outcome)]

    def name(self, outcome: str) -> str:
        """How people call it; plain text of the table."""
        return self._names[self.outcomes.index(outcome)]

    def colour(self, outcome: str) -> str:
        """For marks."""
        return self.palette.outcomes[self.place(outcome) % len(self.palette.outcomes)]

    def text(self, outcome: str) -> str:
        """For words."""
        place, tones = self.place(outcome), self.palette.outcome_texts
        if place < len(tones):
            return tones[place]
        return blend(self.colour(outcome), self.palette.ink, 0.35)

    def soft(self, outcome: str) -> str:
        """Behind words."""
        place, tones = self.place(outcome), self.palette.outcome_grounds
        return tones[place] if place < len(tones) else self.pale(outcome)

    def pale(self, outcome: str, strength: float = 0.18) -> str:
        """The colour of an outcome let into the page."""
        return blend(self.palette.ground, self.colour(outcome), strength)

    def symbol(self, outcome: str) -> str:
        """For those who cannot tell the colours apart."""
        return SYMBOLS[self.place(outcome) % len(SYMBOLS)]

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
    pairs = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)
