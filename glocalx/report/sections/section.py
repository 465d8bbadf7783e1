"""What every section is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from glocalx.plots.colours import OutcomeColours
from glocalx.report.content import ReportContent
from glocalx.report.elements import Child, Markup, element

CAVEAT = "A difference is not yet discrimination, and no difference is not yet fairness."


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report.

    Parameters
    ----------
    name
        Its place in the page's address.
    title
        Its heading.
    body
        What stands there.
    screen_only
        Left out on paper.
    """

    name: str
    title: str
    body: Child
    screen_only: bool = False

    def markup(self) -> Markup:
        heading = element("h2", self.title, id=self.name)
        class_ = "machine" if self.screen_only else None
        return element("section", heading, self.body, class_=class_, aria_labelledby=self.name)


def paragraph(*content: Child, class_: str | None = None) -> Markup:
    return element("p", *content, class_=class_)


def bullets(items: Sequence[Child]) -> Markup | None:
    """A list; nothing where there is nothing to list."""
    return element("ul", [element("li", item) for item in items]) if items else None


def badge(content: ReportContent, outcome: str) -> Markup:
    """An outcome in its colour, with its symbol and its name."""
    symbol = element("span", f"{colours_of(content).sign(outcome)} ", aria_hidden="true")
    tone = tone_of(content, outcome)
    return element("span", symbol, content.wording.outcome(outcome), class_=f"badge tone{tone}")


def tone_of(content: ReportContent, outcome: str) -> int:
    """Which of the classes for colours an outcome has."""
    colours = colours_of(content)
    return colours.place(outcome) % len(colours.palette.outcomes)


def colours_of(content: ReportContent) -> OutcomeColours:
    """The colours that pages use, too: the outcome asked about is orange."""
    return OutcomeColours.of(content.theory.schema.outcomes, content.outcome)
