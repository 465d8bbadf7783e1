"""Who outvotes whom: why the BIC and the fidelity of all rules may go opposite ways."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from glocalx.lessons.told import LETTERS, named_rules
from glocalx.merging.calculation import Calculation
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Bits
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference, Score
from glocalx.words.phrases import counted, enumeration

MOST_RUNGS = 8


@dataclass(frozen=True, slots=True)
class Rung:
    """A rule on the ladder of reliability.

    Parameters
    ----------
    name
        A or B for the rules of the two theories, `merged`, or `another theory`.
    gone
        Whether merging takes it away.
    before, after
        Of the answers that change, how many it gives before and after the merge.
    """

    name: str
    rule: Rule
    score: Score
    gone: bool
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Outvoting:
    """The answers of all rules that a merge changes, and the rules that gave and give them.

    Parameters
    ----------
    changed
        How many answers change.
    others, merged, nobody
        How many of them are given after it by rules of other theories, by rules of the merged one,
        and by none: there the most frequent outcome stands in.
    rungs
        The rules that take part, the most reliable first.
    """

    changed: int
    others: int
    merged: int
    nobody: int
    rungs: tuple[Rung, ...]


def outvoting(calculation: Calculation, reference: Reference) -> Outvoting:
    """Look at every record whose answer by all rules changes."""
    changed = calculation.everyone.before ^ calculation.everyone.after
    before = _given(calculation.rules_before, reference, changed)
    after = _given(calculation.rules_after, reference, changed)
    kept = calculation.resolution.rules
    merged = sum(after.get(rule, 0) for rule in kept)
    others = sum(count for rule, count in after.items() if rule is not None) - merged
    return Outvoting(
        changed.bit_count(),
        others,
        merged,
        after.get(None, 0),
        _ladder(calculation, reference, before, after),
    )


def _given(rules: Iterable[Rule], reference: Reference, among: Bits) -> dict[Rule | None, int]:
    """How many of some records each rule decides; None: those that no rule does."""
    theory = RankedTheory.of(rules, reference)
    decided = theory.iter_decided(reference.records)
    counts = zip((*theory.rules, None), decided, strict=True)
    return {rule: count for rule, bits in counts if (count := (bits & among).bit_count())}


def _ladder(
    calculation: Calculation,
    reference: Reference,
    before: dict[Rule | None, int],
    after: dict[Rule | None, int],
) -> tuple[Rung, ...]:
    pair, kept = calculation.left | calculation.right, calculation.resolution.rules
    sides = zip(LETTERS, (calculation.left, calculation.right), strict=True)
    names = {
        rule: name for letter, own in sides for name, rule in named_rules(letter, own, reference)
    }
    names = {**dict.fromkeys(kept - pair, "merged"), **names}
    taking_part = {rule for rule in (*before, *after) if rule is not None}
    moved = (pair - kept) | (kept - pair)
    weight = {rule: before.get(rule, 0) + after.get(rule, 0) for rule in taking_part | moved}
    first = sorted(weight, key=lambda rule: (-weight[rule], rule not in moved, rule.sort_key))
    return tuple(
        Rung(
            names.get(rule, "another theory"),
            rule,
            reference.score(rule),
            rule in pair - kept,
            before.get(rule, 0),
            after.get(rule, 0),
        )
        for rule in reference.ranked(first[:MOST_RUNGS])
    )


def outvoting_said(found: Outvoting, *, accepted: bool) -> str:
    """Whose answers these are after the merge, in a sentence."""
    verb = "is" if accepted else "would be"
    parts = [
        f"{counted(count, 'answer')} {verb if count == 1 else verb.replace('is', 'are')} given {by}"
        for count, by in (
            (found.others, "by rules of other theories, which come first"),
            (found.merged, "by the merged rules"),
            (found.nobody, "by no rule, so the most frequent outcome stands in"),
        )
        if count
    ]
    said = enumeration(parts)
    change = "would change"
    if accepted:
        change = "changes" if found.changed == 1 else "change"
    return f"{counted(found.changed, 'answer')} of all rules {change}: {said}."
