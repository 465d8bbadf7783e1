"""Whom an outcome falls on: every subgroup, by black box, theory and truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from glocalx.audit.comparison import (
    NOBODY,
    GroupComparison,
    Rates,
    Share,
    compared,
    compared_shares,
    corrected,
)
from glocalx.audit.grouping import NamedGroup, compared_groups, same_records
from glocalx.audit.intervals import UNDEFINED, Estimate
from glocalx.audit.settings import Answerer, AuditSettings
from glocalx.audit.tally import Bools, Ints, Tally
from glocalx.errors import GLocalXError
from glocalx.words.phrases import listing, shown


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
    enough
        Number of records below which there are not enough records.
    compared
        For each answerer the number of comparisons that the correction counts; one of the same
        records, seen from the other side, is no second one.
    judged
        Number of comparisons of the agreement of theory and black box.
    """

    enough: int
    subgroups: tuple[Subgroup, ...]
    compared: Mapping[Answerer, int]
    judged: int = 0


def subgroup_table(tally: Tally, default: str, asked: AuditSettings) -> SubgroupTable:
    """Measure every subgroup; all are corrected for as one family.

    `default`: the outcome of the theory where no rule applies.
    """
    check_outcome(tally, asked.outcome)
    if asked.favourable is not None:
        check_outcome(tally, asked.favourable)
    pairs = compared_groups(tally, asked.column_sets, asked.against)
    same = [same_records(*pair) for pair in pairs]
    known = known_answers(tally, default)
    answers: dict[Answerer, list[GroupAnswers]] = {}
    counts: dict[Answerer, int] = {}
    for who, given in known.items():
        work = _Answers(tally, who, given, asked)
        alone = compared(pairs, work.rates, asked.enough, asked.tolerance)
        found, counts[who] = corrected(alone, same)
        answers[who] = [
            work.of(pair[0].cells, each) for pair, each in zip(pairs, found, strict=True)
        ]
    labels, agree = tally.black_box, known["theory"] == tally.black_box
    agreement = compared_shares(tally, pairs, agree, labels >= 0, asked.enough)
    agreeing, judged = corrected(agreement if "black box" in known else [None] * len(pairs), same)
    subgroups = tuple(
        Subgroup(
            *group.named,
            group.size,
            {who: each[place] for who, each in answers.items()},
            Share.of(tally, agree, (labels >= 0) & group.cells).rate(),
            agreeing[place],
            {
                name: Share.of(tally, agree, (labels == code) & group.cells)
                for code, name in enumerate(tally.outcomes)
            },
        )
        for place, (group, _) in enumerate(pairs)
    )
    return SubgroupTable(asked.enough, subgroups, counts, judged)


class _Answers:
    """What one answerer says in each cell."""

    def __init__(self, tally: Tally, answerer: Answerer, given: Ints, asked: AuditSettings) -> None:
        self._tally, self._given, self._answered = tally, given, given >= 0
        outcome, favourable = tally.outcomes.index(asked.outcome), asked.favourable
        self._hits, self._true = given == outcome, tally.truth == outcome
        self._judged = self._answered & (tally.truth >= 0) & (answerer != "truth")
        self._favourable = None if favourable is None else tally.outcomes.index(favourable)

    def rates(self, cells: Bools) -> Rates:
        tally, judged = self._tally, self._judged & cells
        known, good = self._answered & cells, self._favourable
        return Rates(
            Share.of(tally, self._hits, known),
            Share.of(tally, self._hits, judged & self._true),
            Share.of(tally, self._hits, judged & ~self._true),
            NOBODY if good is None else Share.of(tally, self._given == good, known),
        )

    def of(self, cells: Bools, comparison: GroupComparison | None) -> GroupAnswers:
        rates = self.rates(cells)
        shares = {
            name: Share.of(self._tally, self._given == place, self._answered & cells).rate()
            for place, name in enumerate(self._tally.outcomes)
        }
        return GroupAnswers(
            rates.selected.size,
            shares,
            rates.selected.rate(),
            rates.true_positive.rate(),
            rates.false_positive.rate(),
            comparison,
        )


def answers_of(tally: Tally, default: str) -> dict[Answerer, Ints]:
    """What everybody says in each cell: the place of an outcome, −1 where it is not known."""
    theory = tally.outcomes_of(tally.deciding(), default)
    return {"theory": theory, "black box": tally.black_box, "truth": tally.truth}


def known_answers(tally: Tally, default: str) -> dict[Answerer, Ints]:
    """The same for those who say anything."""
    answers = answers_of(tally, default)
    return {who: given for who, given in answers.items() if (given >= 0).any()}


def check_outcome(tally: Tally, outcome: str) -> None:
    """Refuse an outcome that labels cannot have."""
    if outcome not in tally.outcomes:
        raise GLocalXError(
            f"{shown(outcome)} is none of the outcomes. There are: {listing(tally.outcomes)}."
        )
