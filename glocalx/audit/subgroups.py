"""Whom an outcome falls on: every subgroup, by black box, theory and truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from glocalx.audit.comparison import (
    ENOUGH,
    NOBODY,
    GroupComparison,
    Rates,
    Share,
    compare,
    corrected,
)
from glocalx.audit.grouping import (
    Against,
    Counterpart,
    GroupCells,
    NamedGroup,
    compared_groups,
    same_records,
)
from glocalx.audit.intervals import UNDEFINED, Estimate
from glocalx.audit.tally import Bools, Ints, Tally
from glocalx.errors import GLocalXError
from glocalx.words.phrases import listing, shown

Answerer: TypeAlias = Literal["theory", "black box", "truth"]
ANSWERERS: tuple[Answerer, ...] = get_args(Answerer)


@dataclass(frozen=True, slots=True)
class GroupAnswers:
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
    comparison: GroupComparison | None


@dataclass(frozen=True, slots=True)
class Subgroup(NamedGroup):
    """One subgroup of one or several columns.

    Parameters
    ----------
    size
        Number of records; 0 for a combination that does not occur.
    answers
        By answerer; one without any answers is left out.
    fidelity
        Share of the group's records where theory and black box agree.
    agreement
        The same beside the counterpart: a difference below 0 means that the explanation is worse
        for this group. None without a counterpart, or without the black box's answers.
    found
        For each outcome: of the group's records to which the black box gives it, those to which
        the theory does, too.
    """

    size: int
    answers: Mapping[Answerer, GroupAnswers]
    fidelity: Estimate
    agreement: GroupComparison | None
    found: Mapping[str, Share]

    def comparison(self, answerer: Answerer = "theory") -> GroupComparison | None:
        """With the counterpart; None where there are no answers, or no counterpart."""
        answers = self.answers.get(answerer)
        return answers.comparison if answers else None

    @property
    def fidelity_difference(self) -> Estimate:
        """Fidelity minus that of the counterpart; undefined without one."""
        return self.agreement.difference if self.agreement else UNDEFINED

    def how_far(self, answerer: Answerer = "theory") -> tuple[bool, float]:
        """To rank groups by their difference, those with enough records above all others."""
        comparison = self.comparison(answerer)
        if comparison is None or not comparison.difference.is_defined:
            return comparison is not None and comparison.enough, -1.0
        return comparison.enough, abs(comparison.difference.value)


@dataclass(frozen=True, slots=True)
class SubgroupTable:
    """Subgroups and what is stated about all of them.

    Parameters
    ----------
    outcome
        The outcome asked about.
    enough
        Number of records below which there are not enough records.
    compared
        For each answerer the number of comparisons that the correction counts; one of the same
        records, seen from the other side, is no second one.
    favourable
        The outcome that is good for those who get it; None where nobody said.
    judged
        Number of comparisons of the agreement of theory and black box.
    """

    outcome: str
    enough: int
    subgroups: tuple[Subgroup, ...]
    compared: Mapping[Answerer, int]
    favourable: str | None = None
    judged: int = 0


def subgroup_table(
    tally: Tally,
    default: str,
    outcome: str,
    by: Sequence[Sequence[str]],
    *,
    against: Against = "everyone else",
    enough: int = ENOUGH,
    favourable: str | None = None,
    tolerance: float | None = None,
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
    favourable
        The outcome that is good for those who get it: the four-fifths rule speaks of its ratio.
    tolerance
        The difference that whoever asks holds to be none; that it is smaller is tested, too.
    """
    work = _Work(tally, default, outcome, favourable)
    pairs = compared_groups(tally, by, against)
    same = [same_records(*pair) for pair in pairs]
    comparisons, compared = {}, {}
    for answerer in work.answers:
        alone = [work.comparison(answerer, *pair, enough, tolerance) for pair in pairs]
        comparisons[answerer], compared[answerer] = corrected(alone, same)
    agreement = [work.agreement(*pair, enough) for pair in pairs] if tally.has_black_box else []
    agreeing, judged = corrected(agreement or [None] * len(pairs), same)
    subgroups = tuple(
        work.subgroup(group, {who: comparisons[who][i] for who in work.answers}, agreeing[i])
        for i, (group, _) in enumerate(pairs)
    )
    return SubgroupTable(outcome, enough, subgroups, compared, favourable, judged)


class _Work:
    """A tally with what each answerer says in each cell."""

    def __init__(self, tally: Tally, default: str, outcome: str, favourable: str | None) -> None:
        check_outcome(tally, outcome)
        if favourable is not None:
            check_outcome(tally, favourable)
        self.tally = tally
        self.favourable = None if favourable is None else tally.outcomes.index(favourable)
        self.outcome = tally.outcomes.index(outcome)
        theory = tally.outcomes_of(tally.deciding(), default)
        self.answers: dict[Answerer, Ints] = {"theory": theory}
        if tally.has_black_box:
            self.answers["black box"] = tally.black_box
        if tally.has_truth:
            self.answers["truth"] = tally.truth
        self.agree = theory == tally.black_box

    def comparison(
        self,
        answerer: Answerer,
        group: GroupCells,
        other: Counterpart | None,
        enough: int,
        tolerance: float | None,
    ) -> GroupComparison | None:
        if other is None:
            return None
        mine, theirs = self._rates(answerer, group.cells), self._rates(answerer, other.cells)
        return compare(other.title, mine, theirs, enough, tolerance)

    def agreement(
        self, group: GroupCells, other: Counterpart | None, enough: int
    ) -> GroupComparison | None:
        """How often theory and black box agree, beside the counterpart."""
        if other is None:
            return None
        labelled = self.tally.black_box >= 0
        mine, theirs = (self._share(self.agree, labelled, of.cells) for of in (group, other))
        return compare(other.title, Rates(mine), Rates(theirs), enough)

    def _rates(self, answerer: Answerer, cells: Bools) -> Rates:
        given, truth = self.answers[answerer], self.tally.truth
        known, hits, true = given >= 0, given == self.outcome, truth == self.outcome
        judged = known & (truth >= 0) & (answerer != "truth")
        return Rates(
            self._share(hits, known, cells),
            self._share(hits, judged & true, cells),
            self._share(hits, judged & ~true, cells),
            NOBODY
            if self.favourable is None
            else self._share(given == self.favourable, known, cells),
        )

    def _share(self, hits: Bools, among: Bools, cells: Bools) -> Share:
        return Share(self.tally.records(hits & among & cells), self.tally.records(among & cells))

    def subgroup(
        self,
        group: GroupCells,
        comparisons: Mapping[Answerer, GroupComparison | None],
        agreement: GroupComparison | None,
    ) -> Subgroup:
        answers = {
            answerer: self._answers(answerer, group.cells, comparison)
            for answerer, comparison in comparisons.items()
        }
        labelled = self.tally.black_box >= 0
        mine = self._share(self.agree, labelled, group.cells)
        found = {
            name: self._share(self.agree, self.tally.black_box == place, group.cells)
            for place, name in enumerate(self.tally.outcomes)
        }
        of_group = group.columns, group.groups, group.size
        return Subgroup(*of_group, answers, mine.rate(), agreement, found)

    def _answers(
        self, answerer: Answerer, cells: Bools, comparison: GroupComparison | None
    ) -> GroupAnswers:
        given = self.answers[answerer]
        rates = self._rates(answerer, cells)
        shares = {
            name: self._share(given == place, given >= 0, cells).rate()
            for place, name in enumerate(self.tally.outcomes)
        }
        return GroupAnswers(
            rates.selected.size,
            shares,
            rates.selected.rate(),
            rates.true_positive.rate(),
            rates.false_positive.rate(),
            comparison,
        )


def check_outcome(tally: Tally, outcome: str) -> None:
    """Refuse an outcome that labels cannot have."""
    if outcome not in tally.outcomes:
        raise GLocalXError(
            f"{shown(outcome)} is none of the outcomes. There are: {listing(tally.outcomes)}."
        )
