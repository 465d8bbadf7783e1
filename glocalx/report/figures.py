"""Figures of a report: values with their intervals under each other, as plain values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from glocalx.audit import Audit
from glocalx.audit.settings import Answerer
from glocalx.audit.subgroups import Subgroup
from glocalx.evaluation import Evaluation
from glocalx.report.facts import HeldOut
from glocalx.report.tables.groups import CALLED
from glocalx.words.figures import in_points, paper_percent, points_interval, share_interval
from glocalx.words.phrases import counted

MOST_DRAWN = 40


@dataclass(frozen=True, slots=True)
class DotRow:
    """A value with its interval.

    Parameters
    ----------
    name, value, low, high
        What it is; NaN is not drawn.
    says
        The mark in words.
    at_the_end
        What stands right of it.
    sure
        False is drawn hollow: too little to go by.
    strong
        Whether it stands out from the others.
    beside
        A second value, drawn as a small diamond; NaN for none.
    """

    name: str
    value: float
    low: float
    high: float
    says: str
    at_the_end: str
    sure: bool = True
    strong: bool = True
    beside: float = math.nan


@dataclass(frozen=True, slots=True)
class DotFigure:
    """Values with their intervals under each other.

    Parameters
    ----------
    rows
        A text is a heading over the rows that follow.
    unit
        What the scale counts in.
    zero
        Where a line is drawn through all rows.
    """

    caption: str
    rows: tuple[DotRow | str, ...]
    unit: Literal["share", "points"]
    zero: float | None = None
    legend: tuple[str, ...] = ()
    note: str = ""

    @property
    def ends(self) -> Iterator[float]:
        """Values that the scale holds; of what nobody can be sure of, not the interval."""
        if self.zero is not None:
            yield self.zero
        for row in self.rows:
            if not isinstance(row, str):
                yield from (row.value, row.low, row.high) if row.sure else (row.value,)


def fidelity_figure(held_out: HeldOut) -> DotFigure:
    """How often each explanation agrees with the black box, beside one answer for all."""
    note = ""
    if held_out.majority is not None:
        note = (
            "The upright line is what the most common answer alone reaches: "
            f"{paper_percent(held_out.majority)}."
        )
    return DotFigure(
        "Agreement with the black box, with 95 % intervals",
        tuple(
            _fidelity_row(name, each, each is held_out.rules)
            for name, each in held_out.methods.items()
        ),
        "share",
        zero=held_out.majority,
        note=note,
    )


def _fidelity_row(name: str, each: Evaluation, ours: bool) -> DotRow:
    share = paper_percent(each.fidelity)
    says = f"{name}: {share}, interval {share_interval(each.fidelity_interval)}."
    end = f"{share} with {each.size:,} rules"
    return DotRow(name, each.fidelity, *each.fidelity_interval, says, end, strong=ours)


def group_figure(audit: Audit, outcome: str) -> DotFigure | None:
    """How far each group is from those it is compared with; None where there is none to draw."""
    who = audit.answers
    compared = [each for each in audit.subgroups.subgroups if each.size and each.comparison(who)]
    drawn_from = [each for each in compared if len(each.columns) == 1] or compared
    chosen = _furthest(drawn_from, who)
    if not chosen:
        return None
    legend = [
        _shades(audit.subgroups.compared[who], CALLED[who]),
        f"○ fewer than {audit.settings.enough:,} records on one side: not enough records; what "
        "is off the scale is cut",
    ]
    beside = _beside(audit)
    if beside is not None:
        legend.append(f"◇ {CALLED[beside]}")
    return DotFigure(
        f"How much more or less often a group is called {outcome}, in points",
        tuple(_group_rows(audit, chosen)),
        "points",
        zero=0.0,
        legend=tuple(legend),
        note=_not_drawn(len(drawn_from) - len(chosen), len(compared) - len(drawn_from)),
    )


def _beside(audit: Audit) -> Answerer | None:
    """Whose answers are drawn beside the audited ones: the rules', or those that they explain."""
    other: Answerer = "black box" if audit.answers == "theory" else "theory"
    return other if other in audit.subgroups.compared else None


def _furthest(groups: Sequence[Subgroup], who: Answerer) -> list[Subgroup]:
    """As many groups as can be drawn: those with enough records and the largest differences."""
    ranked = sorted(groups, key=lambda group: group.how_far(who), reverse=True)
    kept = {id(group) for group in ranked[:MOST_DRAWN]}
    return [group for group in groups if id(group) in kept]


def _shades(compared: int, called: str) -> str:
    dot = f"● {called}, with 95 % interval"
    if compared < 2:
        return f"{dot}; grey: it may be chance"
    return (
        f"{dot}; dark: it differs, also when corrected for {compared:,} comparisons at once; "
        "grey: it may be chance"
    )


def _not_drawn(groups: int, combinations: int) -> str:
    """A word on the groups that the figure does not show, and where they are."""
    said = []
    if groups:
        said.append(
            f"{counted(groups, 'more group')} {'is' if groups == 1 else 'are'} not drawn: those "
            f"with few records, or with smaller differences than the {MOST_DRAWN} here."
        )
    if combinations:
        are = "is" if combinations == 1 else "are"
        said.append(f"{counted(combinations, 'combination')} of columns {are} not drawn.")
    if said:
        said.append("All are in subgroups.csv, and in the tables below as far as these go.")
    return " ".join(said)


def _group_rows(audit: Audit, chosen: Sequence[Subgroup]) -> Iterator[DotRow | str]:
    columns: tuple[str, ...] = ()
    for group in chosen:
        if group.columns != columns:
            columns = group.columns
            yield audit.title(columns)
        yield _group_row(group, audit.answers, _beside(audit))


def _group_row(group: Subgroup, who: Answerer, beside: Answerer | None) -> DotRow:
    answers, comparison = group.answers[who], group.comparison(who)
    assert comparison is not None  # only such groups are drawn
    difference = comparison.difference
    other = group.comparison(beside) if beside else None
    end = f"{paper_percent(answers.selected.value)} of {answers.known:,}"
    says = f"{group.title}: {end}, {in_points(difference.value)} points against"
    says += f" {comparison.against}"
    says += f", interval {points_interval(difference)}." if comparison.enough else "; too few."
    return DotRow(
        group.title,
        difference.value,
        difference.low,
        difference.high,
        says,
        end,
        sure=comparison.enough,
        strong=comparison.verdict == "different" and not difference.holds(0),
        beside=other.difference.value if other else math.nan,
    )
