"""How a trial was decided: every number of it, so that whoever reads a step can check it by hand.

The search keeps the two BICs of a trial and no more. Here a trial, kept or turned down, is done
again on the very batch that it was done on, and all that went into its BICs is counted apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from glocalx.errors import GLocalXError
from glocalx.merging.batch import BatchSampler
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.merger import Merger, Resolution
from glocalx.merging.operators import Cut
from glocalx.merging.search import MergeSettings, Trial
from glocalx.merging.shards import shard_rules
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Bits
from glocalx.rules.rule import Premise, Rule, canonical_rule
from glocalx.rules.scoring import Reference


@dataclass(frozen=True, slots=True)
class Worth:
    """What goes into one BIC.

    Parameters
    ----------
    rules, conditions
        How many rules there are, and how many conditions they have together.
    size, agreed
        `n`: the records; on how many of them the rules answer as the black box does.
    complexity
        `L`: conditions per rule; by the whole, conditions and rules counted together.
    complexity_part, fidelity_part
        `w · L · ln n` and `− 2 · v · n · ln F`; the BIC is their sum.
    """

    rules: int
    conditions: int
    size: int
    agreed: int
    complexity: float
    complexity_part: float
    fidelity_part: float

    @property
    def fidelity(self) -> float:
        """`F`: the share of the records on which rules and black box agree."""
        return self.agreed / self.size

    @property
    def bic(self) -> float:
        return self.complexity_part + self.fidelity_part


@dataclass(frozen=True, slots=True)
class Answers:
    """The records that rules answer as the black box does, before and after a merge."""

    before: Bits
    after: Bits

    @property
    def better(self) -> int:
        """How many answers become right."""
        return (self.after & ~self.before).bit_count()

    @property
    def worse(self) -> int:
        """How many answers become wrong."""
        return (self.before & ~self.after).bit_count()

    @property
    def gain(self) -> int:
        """How many more answers are right after the merge; below 0 where fewer are."""
        return self.better - self.worse


@dataclass(frozen=True, slots=True)
class Calculation:
    """A trial with all that decided it.

    Parameters
    ----------
    trial, settings
        The pair with its similarity and BICs, and how it was judged.
    left, right
        The rules of the two theories.
    resolution
        The rules that merging them leaves, with what was joined and cut.
    covered_left, covered_right
        The records that each theory covers: their similarity is what both cover, of what either
        does.
    batch
        The records on which the two were merged.
    side_by_side, merged
        What went into the two BICs: of the pair, or by the whole of all theories.
    pair, everyone
        The answers of the two theories alone, and of all rules of all theories.
    rules_before, rules_after
        All rules of all theories, with the two side by side and with the two merged.
    """

    trial: Trial
    settings: MergeSettings
    left: frozenset[Rule]
    right: frozenset[Rule]
    resolution: Resolution
    covered_left: Bits
    covered_right: Bits
    batch: Bits
    side_by_side: Worth
    merged: Worth
    pair: Answers
    everyone: Answers
    rules_before: frozenset[Rule]
    rules_after: frozenset[Rule]

    @property
    def both(self) -> Bits:
        """The records that both theories cover."""
        return self.covered_left & self.covered_right

    @property
    def either(self) -> Bits:
        """The records that at least one of them covers."""
        return self.covered_left | self.covered_right

    @property
    def meeting(self) -> Bits:
        """The records of the batch that both cover: on these their rules meet."""
        return self.both & self.batch

    @property
    def by_the_whole(self) -> bool:
        """Whether all rules of all theories were weighed, not the pair alone."""
        return self.settings.bic_on == "whole"

    @property
    def disagree(self) -> bool:
        """Whether the BIC says yes and all rules lose answers, or no and they would gain some."""
        gain = self.everyone.gain
        return gain < 0 if self.trial.accepted else gain > 0


def step_calculation(
    hierarchy: Hierarchy,
    reference: Reference,
    number: int,
    refused: int | None = None,
    gave_up: int | None = None,
) -> Calculation:
    """The calculation of a step, or of a pair that was turned down before it.

    Parameters
    ----------
    hierarchy, reference
        The run and its records.
    number
        The step, from 1; one more than there are: the pairs turned down at the end.
    refused
        The place, from 0, among the pairs turned down before the step; None: the step itself.
    gave_up
        The piece of the run that ended there after it had turned the pair down; None: the last
        piece at the end, none before a step.
    """
    steps = hierarchy.steps
    if not 1 <= number <= len(steps) + (refused is not None):
        raise GLocalXError(f"There is no step {number:,}. The run has {len(steps):,}.")
    if gave_up is None and number > len(steps):
        gave_up = max(hierarchy.endings, default=0)
    if gave_up is None:
        piece, trials = steps[number - 1].piece, steps[number - 1].rejected
    else:
        piece, trials = gave_up, hierarchy.endings.get(gave_up, ())
    if refused is None:
        trial = steps[number - 1].trial
    elif 0 <= refused < len(trials):
        trial = trials[refused]
    else:
        raise GLocalXError(f"Before step {number:,} only {len(trials):,} pairs were turned down.")
    return _calculated(hierarchy, reference, number, piece, trial)


def _calculated(
    hierarchy: Hierarchy, reference: Reference, number: int, piece: int, trial: Trial
) -> Calculation:
    settings, merger = hierarchy.settings, Merger(reference)
    left, right = hierarchy.rules_of(trial.left), hierarchy.rules_of(trial.right)
    covered_left, covered_right = map(reference.records.union, (left, right))
    sampler = BatchSampler(reference, settings.batch_size, settings.seed, piece)
    batch = sampler.draw(sum(step.piece == piece for step in hierarchy.steps[: number - 1]))
    groups = merger.groups(left, right, covered_left & covered_right & batch)
    rules = merger.apply(left | right, groups)
    present = hierarchy.numbers(number - 1)
    weighed, among = (left | right, rules), reference.records.everything
    if settings.bic_on == "batch":
        among = batch
    elif settings.bic_on == "whole":
        beside = _of_piece(hierarchy, reference, present, piece)
        weighed = _before_and_after(hierarchy, beside, trial, rules)
    side_by_side, merged = (_worth(each, reference, settings, among) for each in weighed)
    before, after = _before_and_after(hierarchy, present, trial, rules)
    return Calculation(
        trial=trial,
        settings=settings,
        left=left,
        right=right,
        resolution=merger.resolution(rules, groups),
        covered_left=covered_left,
        covered_right=covered_right,
        batch=batch,
        side_by_side=side_by_side,
        merged=merged,
        pair=Answers(answered(left | right, reference), answered(rules, reference)),
        everyone=Answers(answered(before, reference), answered(after, reference)),
        rules_before=before,
        rules_after=after,
    )


def _of_piece(
    hierarchy: Hierarchy, reference: Reference, present: list[int], piece: int
) -> list[int]:
    """Of the theories that are present, those that the search of one piece knows."""
    settings = hierarchy.settings
    shards = shard_rules(hierarchy.local_rules, reference, settings.shards, settings.seed)
    if piece >= len(shards):
        return present
    made = (step.theory for step in hierarchy.steps if step.piece == piece)
    own = {*shards[piece], *made}
    return [number for number in present if number in own]


def _before_and_after(
    hierarchy: Hierarchy, numbers: Iterable[int], trial: Trial, rules: frozenset[Rule]
) -> tuple[frozenset[Rule], frozenset[Rule]]:
    """All rules of these theories, and all of them once the pair is merged."""
    others = [n for n in numbers if n not in (trial.left, trial.right)]
    beside = frozenset(chain.from_iterable(hierarchy.rules_of(number) for number in others))
    pair = hierarchy.rules_of(trial.left) | hierarchy.rules_of(trial.right)
    return beside | pair, beside | rules


def _worth(
    rules: frozenset[Rule], reference: Reference, settings: MergeSettings, among: Bits
) -> Worth:
    size, conditions = among.bit_count(), sum(map(len, rules))
    agreed = reference.agreement(rules, among)
    complexity = conditions / len(rules) if rules else 0.0
    if settings.bic_on == "whole":
        complexity = conditions + len(rules)
    return Worth(
        rules=len(rules),
        conditions=conditions,
        size=size,
        agreed=agreed,
        complexity=complexity,
        complexity_part=settings.bic(1.0, complexity, size),
        fidelity_part=settings.bic(agreed / size, 0.0, size),
    )


def answered(rules: Iterable[Rule], reference: Reference) -> Bits:
    """The records that these rules together answer as the black box does."""
    theory = RankedTheory.of(rules, reference)
    right = 0
    decisions = theory.iter_decided(reference.records)
    for outcome, decided in zip(theory.outcomes, decisions, strict=True):
        right |= decided & reference.having[outcome]
    return right


@dataclass(frozen=True, slots=True)
class Piece:
    """What could be left of a premise that is cut in two, and how many records it keeps."""

    premise: Premise
    covered: int


def pieces_left(cut: Cut, reference: Reference) -> dict[str, tuple[Piece, ...]]:
    """For each feature on which a cut left something on both sides, the two sides."""
    theirs, found = dict(cut.dominant.premises), {}
    for name, premise in cut.before.premises:
        sides = premise.minus(theirs[name]) if name in theirs else ()  # type: ignore[arg-type]
        if len(sides) == 2:
            rules = (
                canonical_rule({**dict(cut.before.premises), name: side}, cut.before.outcome)
                for side in sides
            )
            counts = (reference.records.coverage(rule).bit_count() for rule in rules)
            found[name] = tuple(map(Piece, sides, counts))
    return found
