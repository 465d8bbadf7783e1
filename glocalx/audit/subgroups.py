"""Whom an outcome falls on: every subgroup, by black box, theory and truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from glocalx.audit.comparison import ENOUGH, Comparison, Share, compare, corrected
from glocalx.audit.grouping import Against, Counterpart, counterpart, find_groups
from glocalx.audit.intervals import UNDEFINED, Estimate, share, share_difference
from glocalx.audit.rates import false_positives, selection, true_positives
from glocalx.audit.tally import Bools, Ints, Tally
from glocalx.errors import GLocalXError
from glocalx.words.phrases import listing, shown

Answerer: TypeAlias = Literal["theory", "black box", "truth"]
ANSWERERS: tuple[Answerer, ...] = get_args(Answerer)


@dataclass(frozen=True, slots=True)
class Answers:
    """What one answerer says about a subgroup.

    Parameters
    ----------
    known
        Records with an answer.
    shares
        For each outcome the share of these that get it.
    selected
        The share that gets the outcome asked about.
    true_positive, false_positive
        Of the records for which that outcome is true, or is not, the share that gets it;
        undefined without true labels, and for the truth itself.
    comparison
        With the counterpart; None for the group that others are compared with.
    """

    known: int
    shares: Mapping[str, Estimate]
    selected: Estimate
    true_positive: Estimate
    false_positive: Estimate
    comparison: Comparison | None


@dataclass(frozen=True, slots=True)
class Subgroup:
    """One subgroup of one or several columns.

    Parameters
    ----------
    columns, groups
        The columns, and the group in each.
    size
        Number of records; 0 for a combination that does not occur.
    answers
        By answerer; one without any answers is left out.
    fidelity
        Share of the group's records where theory and black box agree.
    fidelity_difference
        Minus that of the counterpart: below 0 the explanation is worse for this group.
    """

    columns: tuple[str, ...]
    groups: tuple[str, ...]
    size: int
    answers: Mapping[Answerer, Answers]
    fidelity: Estimate
    fidelity_difference: Estimate

    @property
    def title(self) -> str:
        return " · ".join(self.groups)


@dataclass(frozen=True, slots=True)
class SubgroupTable:
    """Subgroups and what is stated about all of them.

    Parameters
    ----------
    outcome
        The outcome asked about.
    enough
        Number of records below which there is not enough evidence.
    compared
        For each answerer the number of comparisons that the correction counts.
    """

    outcome: str
    enough: int
    subgroups: tuple[Subgroup, ...]
    compared: Mapping[Answerer, int]


def subgroup_table(
    tally: Tally,
    default: str,
    outcome: str,
    by: Sequence[Sequence[str]],
    *,
    against: Against = "everyone else",
    enough: int = ENOUGH,
) -> SubgroupTable:
    """Measure every subgroup.

    Parameters
    ----------
    default
        The outcome of the theory where no rule applies.
    outcome
        The outcome asked about.
    by
        Sets of columns: `[["race"], ["sex"], ["race", "sex"]]` gives the groups of each column
        and those of both together. All are corrected for as one family.
    against
        Whom to compare with.
    enough
        Number of records in both groups below which a difference is no evidence.
    """
    work = _Work(tally, default, outcome)
    rows: list[_Row] = []
    for columns in by:
        groups = find_groups(tally, columns)
        for group in groups:
            other = counterpart(tally, group, groups, against)
            rows.append(_Row(group.columns, group.groups, group.size, group.cells, other))
    comparisons = {
        answerer: corrected([work.comparison(answerer, row, enough) for row in rows])
        for answerer in work.answers
    }
    subgroups = tuple(
        work.subgroup(row, {answerer: comparisons[answerer][i] for answerer in work.answers})
        for i, row in enumerate(rows)
    )
    compared = {
        answerer: sum(each is not None and each.enough for each in comparisons[answerer])
        for answerer in work.answers
    }
    return SubgroupTable(outcome, enough, subgroups, compared)


@dataclass(frozen=True, slots=True, eq=False)
class _Row:
    columns: tuple[str, ...]
    groups: tuple[str, ...]
    size: int
    cells: Bools
    other: Counterpart | None


class _Work:
    """A tally with what each answerer says in each cell."""

    def __init__(self, tally: Tally, default: str, outcome: str) -> None:
        check_outcome(tally, outcome)
        self.tally = tally
        self.outcome = tally.outcomes.index(outcome)
        theory = tally.outcomes_of(tally.deciding(), default)
        self.answers: dict[Answerer, Ints] = {"theory": theory}
        if tally.has_black_box:
            self.answers["black box"] = tally.black_box
        if tally.has_truth:
            self.answers["truth"] = tally.truth
        self.agree = theory == tally.black_box

    def comparison(self, answerer: Answerer, row: _Row, enough: int) -> Comparison | None:
        other = row.other
        if other is None:
            return None
        given = self.answers[answerer]
        hits, known = given == self.outcome, given >= 0
        both = (row.cells, other.cells)
        positive, negative = self._judged(answerer)
        selected, hit, false_hit = (
            (self._share(hits, among, both[0]), self._share(hits, among, both[1]))
            for among in (known, positive, negative)
        )
        return compare(other.title, selected, hit, false_hit, enough)

    def _judged(self, answerer: Answerer) -> tuple[Bools, Bools]:
        """Cells with an answer for which the outcome is true, and for which it is not."""
        truth = self.tally.truth
        known = (self.answers[answerer] >= 0) & (truth >= 0)
        if answerer == "truth":
            known = np.zeros_like(known)
        return known & (truth == self.outcome), known & (truth != self.outcome)

    def _share(self, hits: Bools, among: Bools, cells: Bools) -> Share:
        return Share(self.tally.records(hits & among & cells), self.tally.records(among & cells))

    def subgroup(self, row: _Row, comparisons: Mapping[Answerer, Comparison | None]) -> Subgroup:
        answers = {
            answerer: self._answers(answerer, row.cells, comparison)
            for answerer, comparison in comparisons.items()
        }
        labelled = self.tally.black_box >= 0
        mine = self._share(self.agree, labelled, row.cells)
        difference = UNDEFINED
        if row.other is not None:
            theirs = self._share(self.agree, labelled, row.other.cells)
            difference = share_difference(mine.hits, mine.size, theirs.hits, theirs.size)
        fidelity = share(mine.hits, mine.size)
        return Subgroup(row.columns, row.groups, row.size, answers, fidelity, difference)

    def _answers(self, answerer: Answerer, cells: Bools, comparison: Comparison | None) -> Answers:
        given = self.answers[answerer]
        known = cells & (given >= 0)
        positive, negative = self._judged(answerer)
        judged = cells & (positive | negative)
        truth, hits = positive[judged], (given == self.outcome)[judged]
        count = self.tally.count
        return Answers(
            known=self.tally.records(known),
            shares={
                name: self._estimate(given == place, known)
                for place, name in enumerate(self.tally.outcomes)
            },
            selected=selection((given == self.outcome)[known], count[known]),
            true_positive=true_positives(truth, hits, count[judged]),
            false_positive=false_positives(truth, hits, count[judged]),
            comparison=comparison,
        )

    def _estimate(self, hits: Bools, known: Bools) -> Estimate:
        return share(self.tally.records(hits & known), self.tally.records(known))


def check_outcome(tally: Tally, outcome: str) -> None:
    """Refuse an outcome that labels cannot have."""
    if outcome not in tally.outcomes:
        raise GLocalXError(
            f"{shown(outcome)} is none of the outcomes. There are: {listing(tally.outcomes)}."
        )
