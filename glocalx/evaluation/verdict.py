"""May these rules stand in for the model? One sentence, from bounds that are stated here.

A share of agreement alone flatters: where nine of ten answers are the same, always giving that one
agrees on nine of ten. So the verdict looks at each outcome on its own, and at guessing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from glocalx.audit import Audit
from glocalx.audit.comparison import SIGNIFICANT
from glocalx.audit.intervals import Estimate, share
from glocalx.evaluation.measures import RuleClassifier
from glocalx.evaluation.paired import exact_p
from glocalx.rules.coverage import BoolArray
from glocalx.rules.scoring import Reference
from glocalx.words.figures import percent
from glocalx.words.phrases import counted

FOUND_WELL = 0.75
"""Every outcome found at least this often, and better than guessing: the rules can stand in."""
FOUND_BARELY = 0.5
"""An outcome found less often than this: do not rely on the rules."""
FEW = 30
"""An outcome that the model gives to fewer records is not judged."""

MANY = 20
"""More rules than this are much to read."""

Level: TypeAlias = Literal["stands in", "misses much", "do not rely", "too few"]


@dataclass(frozen=True, slots=True)
class OutcomeFound:
    """How well the rules find one outcome of the model.

    Parameters
    ----------
    outcome
        The model's answer.
    given
        To how many records the model gives it.
    said
        To how many the rules give it.
    found
        To how many both do.
    """

    outcome: str
    given: int
    said: int
    found: int

    @property
    def is_judged(self) -> bool:
        """Whether there are enough records to say how well it is found."""
        return self.given >= FEW

    @property
    def recall(self) -> Estimate:
        """Share of the records with this answer that the rules find; 1: all of them."""
        return share(self.found, self.given)

    @property
    def precision(self) -> Estimate:
        """Share of the records of which the rules say it that the model agrees on."""
        return share(self.found, self.said)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What held-out records say about rules in the place of a model.

    Parameters
    ----------
    records, agreeing
        How many records there were, and on how many rules and model agree.
    guess, guessed
        The model's most frequent answer, and how many records have it: on so many would always
        giving it agree.
    kappa
        Cohen's kappa: agreement beyond what the two would reach by chance. 1: always, 0: no
        better than chance; NaN where both always give the same one answer.
    outcomes
        Each outcome on its own.
    unseen
        Whether it is known that the rules were not made from these records.
    """

    records: int
    agreeing: int
    guess: str
    guessed: int
    kappa: float
    outcomes: tuple[OutcomeFound, ...]
    unseen: bool = True

    @property
    def agreement(self) -> Estimate:
        return share(self.agreeing, self.records)

    @property
    def beats_guessing(self) -> bool:
        """Whether agreement is above that of one answer for all by more than chance."""
        return self.agreement.low > self.guessed / self.records

    @property
    def worst(self) -> OutcomeFound | None:
        """The outcome that is found least often, of those that are judged."""
        judged = [each for each in self.outcomes if each.is_judged]
        return min(judged, key=lambda each: each.recall.value, default=None)

    @property
    def level(self) -> Level:
        judged = [each for each in self.outcomes if each.is_judged]
        if self.worst is None or {each.outcome for each in judged} == {self.guess}:
            return "too few"  # how well the other answers are found, nobody can tell
        if self.worst.recall.value < FOUND_BARELY or not self.beats_guessing:
            return "do not rely"
        return "stands in" if self.worst.recall.value >= FOUND_WELL else "misses much"

    def headline(self, name: Callable[[str], str] = str) -> str:
        """The verdict in one sentence; `name` gives an outcome as people call it."""
        match self.level:
            case "stands in":
                return "These rules can stand in for the model on records like these."
            case "misses much":
                assert self.worst is not None
                missed = name(self.worst.outcome)
                return f"These rules agree often, but miss much of what the model calls {missed}."
            case "do not rely":
                return "Do not rely on these rules."
            case "too few":
                return "There are too few records to judge these rules."

    def evidence(self, name: Callable[[str], str] = str) -> str:
        """The figures behind the sentence."""
        if not self.records:
            return "No records were held out to judge them on."
        agreement, guessed = self.agreement, percent(self.guessed / self.records, 1)
        span = f"{percent(agreement.low, 1)} to {percent(agreement.high, 1)}"
        agrees = "would agree for" if self.beats_guessing else "agrees about as often:"
        said = (
            f"They give the model’s answer for {self.agreeing:,} of {self.records:,}"
            f"{' unseen' if self.unseen else ''} records, {percent(agreement.value, 1)} ({span}). "
            f"Always answering {name(self.guess)} {agrees} {guessed}."
        )
        if self.level == "too few":
            rare = min(self.outcomes, key=lambda each: each.given)
            return f"{said} The model calls only {rare.given:,} of them {name(rare.outcome)}."
        assert self.worst is not None
        worst = self.worst
        return (
            f"{said} Of {worst.given:,} that it calls {name(worst.outcome)} they find "
            f"{worst.found:,}."
        )

    def advice(self, rules: int) -> str:
        """What to make of it, with so many rules; empty where the sentence says it all."""
        match self.level:
            case "stands in" if rules > MANY:
                return f"But {rules:,} rules are much to read. Fewer may do for your question."
            case "stands in":
                return ""
            case "misses much":
                return (
                    "So look at each answer on its own: where no rule speaks for one, that says "
                    "little. More rules, or more explained records, may find more."
                )
            case "do not rely":
                return (
                    "What to do: take more rules, choose by budget, or go back to Local rules and "
                    "explain more records."
                )
            case "too few" if not self.unseen:
                return "They say how these records are labelled, and nothing of others."
            case "too few":
                return "What to do: hold out more records, or bring a larger table."

    def to_dict(self, name: Callable[[str], str] = str) -> dict[str, object]:
        """The sentence and its figures as JSON can hold them."""
        return {
            "verdict": self.headline(name),
            "verdict_evidence": self.evidence(name),
            "kappa": None if math.isnan(self.kappa) else self.kappa,
            "found": {each.outcome: [each.found, each.given] for each in self.outcomes},
            "right": {each.outcome: [each.found, each.said] for each in self.outcomes},
        }


LIMITS = (
    f"The rules can stand in: every answer of the model is found in at least "
    f"{percent(FOUND_WELL)} of its records, and the rules agree more often than always giving "
    "the most common answer, by more than chance explains.",
    f"They miss much: an answer is found less often than that, but in at least "
    f"{percent(FOUND_BARELY)}.",
    f"Do not rely on them: an answer is found in fewer than {percent(FOUND_BARELY)}, or giving the "
    "most common answer agrees about as often.",
    f"An answer that the model gives to fewer than {FEW} of the records is not judged.",
    "Cohen’s kappa is agreement beyond chance: 1 is always, 0 no better than two that answer "
    "independently of each other.",
)
"""How a verdict is made, in sentences."""


def verdict_on(theory: RuleClassifier, held_out: Reference, *, unseen: bool = True) -> Verdict:
    """Judge rules on records with the model's answers for these; best on some that they were not
    made from, and `unseen` says whether they are.
    """
    said = theory.predict(held_out.records)
    return replace(verdict_of(said, held_out.labels, held_out.outcomes), unseen=unseen)


def verdict_of(
    said: npt.NDArray[np.object_], given: npt.NDArray[np.object_], outcomes: tuple[str, ...]
) -> Verdict:
    """The same for answers: what the rules said, and what the model gives.

    Examples
    --------
    >>> given = np.array(["yes"] * 40 + ["no"] * 60, dtype=object)
    >>> said = np.array(["yes"] * 30 + ["no"] * 70, dtype=object)
    >>> verdict = verdict_of(said, given, ("no", "yes"))
    >>> verdict.level, round(verdict.kappa, 2)
    ('stands in', 0.78)
    """
    found = tuple(
        OutcomeFound(
            outcome,
            int(np.count_nonzero(given == outcome)),
            int(np.count_nonzero(said == outcome)),
            int(np.count_nonzero((given == outcome) & (said == outcome))),
        )
        for outcome in outcomes
    )
    return _verdict(len(given), found)


def verdict_of_audit(audit: Audit) -> Verdict | None:
    """The same for the audited records that have the model's answer; None where none has."""
    tally = audit.tally
    if not tally.has_black_box:
        return None
    said = tally.outcomes_of(tally.deciding(), audit.theory.default)
    given, known = tally.black_box, tally.black_box >= 0
    found = tuple(
        OutcomeFound(
            outcome,
            tally.records(given == place),
            tally.records(known & (said == place)),
            tally.records((given == place) & (said == place)),
        )
        for place, outcome in enumerate(tally.outcomes)
    )
    return _verdict(tally.records(known), found, unseen=False)


def _verdict(size: int, found: tuple[OutcomeFound, ...], *, unseen: bool = True) -> Verdict:
    if not size:
        return Verdict(0, 0, found[0].outcome, 0, float("nan"), found, unseen)
    agreeing = sum(each.found for each in found)
    most = max(found, key=lambda each: each.given)
    by_chance = sum(each.given * each.said for each in found) / size**2
    beyond = agreeing / size - by_chance
    kappa = beyond / (1 - by_chance) if by_chance < 1 else float("nan")
    return Verdict(size, agreeing, most.outcome, most.given, kappa, found, unseen)


def enough_rules(agreeing: Mapping[int, BoolArray]) -> int:
    """The number of rules from which on more gain nothing that the records could show.

    It is the smallest of which no larger number agrees on more records than chance explains, by
    McNemar's exact test against the best of them.

    `agreeing`: for each number of rules, on which records they give the model's answer.

    Examples
    --------
    >>> some, more = np.arange(40) < 20, np.arange(40) < 30
    >>> enough_rules({1: some, 2: more, 3: np.arange(40) < 31})
    2
    """
    sizes = sorted(agreeing)
    for place, size in enumerate(sizes):
        best = max((agreeing[each] for each in sizes[place:]), key=np.count_nonzero)
        if exact_p(agreeing[size], best) >= SIGNIFICANT:
            return size
    raise AssertionError  # the largest is as good as itself


def enough_said(enough: int, chosen: int) -> str:
    """The same in a sentence, beside how many rules are chosen."""
    if enough < chosen:
        agree = "agrees" if enough == 1 else "agree"
        return (
            f"From {counted(enough, 'rule')} on nothing is gained that these records could show: "
            f"{enough:,} {agree} about as often as these {chosen:,}."
        )
    if enough == chosen:
        return "More rules would gain nothing that these records could show."
    return f"More rules agree more often, up to {enough:,}; from there on nothing is gained."
