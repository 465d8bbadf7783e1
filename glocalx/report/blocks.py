"""What sections are made of: plain values, which a report renders and a page draws."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from glocalx.report.data_table import DataTable
from glocalx.report.marks import DotRow
from glocalx.words.wording import Phrase


@dataclass(frozen=True, slots=True)
class Strong:
    """Words that stand out."""

    text: str


@dataclass(frozen=True, slots=True)
class OutcomeBadge:
    """An outcome in its colour, with its name."""

    outcome: str


Text: TypeAlias = str | tuple[str | Strong | OutcomeBadge, ...]
"""A text, or pieces of one."""


def words_of(text: Text) -> str:
    """A text without what makes pieces stand out; an outcome by its own name."""
    pieces = (text,) if isinstance(text, str) else text
    return "".join(
        each if isinstance(each, str) else each.text if isinstance(each, Strong) else each.outcome
        for each in pieces
    )


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One or more sentences."""

    text: Text
    style: Literal["", "lead", "quiet"] = ""


@dataclass(frozen=True, slots=True)
class Bullets:
    """Sentences under each other; `title` makes them a warning."""

    items: tuple[Text, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Subheading:
    """A heading within a section."""

    title: str


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and what is known under them; None is said to be not known."""

    facts: tuple[tuple[str, str | None], ...]

    @classmethod
    def of(cls, facts: Iterable[tuple[str, str | None]]) -> Facts:
        return cls(tuple(facts))


@dataclass(frozen=True, slots=True)
class KeyFigures:
    """A handful of figures, each with a title and a line under it."""

    figures: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class DotFigure:
    """Values with their intervals under each other.

    Parameters
    ----------
    rows
        A text is a heading over the rows that follow.
    ends
        Values that the scale holds.
    unit
        What the scale counts in.
    zero
        Where a line is drawn through all rows.
    """

    caption: str
    rows: tuple[DotRow | str, ...]
    ends: tuple[float, ...]
    unit: Literal["share", "points"]
    zero: float | None = None
    legend: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class RuleCard:
    """A rule in words, with how much it covers.

    Parameters
    ----------
    number, outcome
        Its place from 1, and what it says.
    sentence, notation
        In words and in short.
    covers, agrees
        As texts; empty where it is not known.
    covered, agreed
        Shares of all records; None where it is not known of how many.
    says
        The bar in words.
    """

    number: int
    outcome: str
    sentence: tuple[Phrase, ...]
    notation: str
    covers: str
    agrees: str
    covered: float | None
    agreed: float
    says: str


@dataclass(frozen=True, slots=True)
class RuleCards:
    """The rules, and what happens without one."""

    cards: tuple[RuleCard, ...]
    default: str


@dataclass(frozen=True, slots=True)
class Code:
    """The rules in another language, folded."""

    title: str
    source: str


Block: TypeAlias = (
    Paragraph | Bullets | Subheading | Facts | KeyFigures | DataTable | DotFigure | RuleCards | Code
)


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A part of a report.

    Parameters
    ----------
    name
        Its place in the page's address.
    title
        Its heading.
    screen_only
        Left out on paper.
    """

    name: str
    title: str
    blocks: tuple[Block, ...]
    screen_only: bool = False

    @classmethod
    def of(
        cls, name: str, title: str, blocks: Iterable[Block | None], screen_only: bool = False
    ) -> ReportSection:
        """A section of what there is."""
        return cls(name, title, tuple(each for each in blocks if each is not None), screen_only)
