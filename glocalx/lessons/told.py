"""A calculation as people read it: every number of it beside its formula. Plain text.

Numbers are rounded where they are shown and never before: a sum may seem to be off by one in its
last digit, but what is compared is exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from glocalx.merging.calculation import Answers, Calculation, Worth
from glocalx.merging.search import MergeSettings
from glocalx.rules.coverage import mask_of
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.words.figures import fixed, trimmed
from glocalx.words.phrases import counted

MOST_DECIMALS = 9
LETTERS = ("A", "B")


@dataclass(frozen=True, slots=True)
class TableLine:
    """One line of the calculation: what it is, side by side, merged."""

    label: str
    side_by_side: str
    merged: str


@dataclass(frozen=True, slots=True)
class MetRecord:
    """A record of the batch that both theories cover.

    Parameters
    ----------
    place
        Its row among the records, from 0.
    outcome
        What the black box answers.
    covering
        Which rules cover it: A and B for the two theories, numbered where they have several.
    """

    place: int
    outcome: str
    covering: tuple[str, ...]


def formula(settings: MergeSettings) -> str:
    """The BIC as this run weighs it.

    Examples
    --------
    >>> formula(MergeSettings())
    'BIC = 0.1 · L · ln n − 2 · n · ln F'
    """
    fidelity = settings.fidelity_weight
    weight = "" if fidelity == 1 else f"{fidelity:g} · "
    return f"BIC = {settings.complexity_weight:g} · L · ln n − 2 · {weight}n · ln F"


def what_is_weighed(settings: MergeSettings) -> str:
    """Whose F and L these are, in a sentence."""
    return {
        "all": "F and L are those of the two theories alone, on all records; L is the mean number "
        "of conditions of a rule.",
        "batch": "F and L are those of the two theories alone, on the records of the batch; L is "
        "the mean number of conditions of a rule.",
        "whole": "F and L are those of all rules of all theories, on all records; L counts their "
        "conditions and the rules themselves.",
    }[settings.bic_on]


def lines(calculation: Calculation) -> tuple[TableLine, ...]:
    """The formula filled in for both, line by line."""
    settings = calculation.settings
    both = calculation.side_by_side, calculation.merged
    decimals = decisive_decimals(calculation)
    length = "L, conditions and rules" if calculation.by_the_whole else "L, conditions per rule"
    weight, factor = settings.complexity_weight, 2 * settings.fidelity_weight
    size = both[0].size
    told = (
        ("Rules", [f"{worth.rules:,}" for worth in both]),
        ("n, records", [f"{worth.size:,}" for worth in both]),
        (
            "F, answers that agree",
            [f"{worth.agreed:,} of {worth.size:,} = {worth.fidelity:.5f}" for worth in both],
        ),
        (length, [_length(worth, whole=calculation.by_the_whole) for worth in both]),
        (
            f"{weight:g} · L · ln n",
            [
                f"{weight:g} · {trimmed(worth.complexity, 4)} · {math.log(size):.4f} = "
                f"{fixed(worth.complexity_part, decimals)}"
                for worth in both
            ],
        ),
        (
            f"− {factor:g} · n · ln F",
            [
                f"− {factor * size:,.0f} · ln {worth.fidelity:.5f} = "
                f"{fixed(worth.fidelity_part, decimals)}"
                for worth in both
            ],
        ),
        ("BIC", [fixed(worth.bic, decimals) for worth in both]),
    )
    return tuple(TableLine(label, *texts) for label, texts in told)


def _length(worth: Worth, *, whole: bool) -> str:
    if whole:
        return f"{worth.conditions:,} + {worth.rules:,} = {worth.complexity:,.0f}"
    return f"{worth.conditions:,} / {worth.rules:,} = {trimmed(worth.complexity, 4)}"


def decisive_decimals(calculation: Calculation) -> int:
    """As many decimals as it takes to see which BIC is lower: two, where that is enough."""
    one, other = calculation.side_by_side.bic, calculation.merged.bic
    for decimals in range(2, MOST_DECIMALS):
        if one == other or f"{one:.{decimals}f}" != f"{other:.{decimals}f}":
            return decimals
    return MOST_DECIMALS


def verdict(calculation: Calculation) -> str:
    """Which BIC is lower, and so what becomes of the pair."""
    decimals = decisive_decimals(calculation)
    merged, beside = calculation.merged.bic, calculation.side_by_side.bic
    one, other = fixed(merged, decimals), fixed(beside, decimals)
    if merged == beside:
        return f"{one} = {other}: no worse, so the merge is accepted."
    if merged < beside:
        return f"{one} ≤ {other}, so the merge is accepted."
    return f"{one} > {other}, so the merge is turned down."


def where_it_comes_from(calculation: Calculation) -> str:
    """How much of the change comes from fidelity and how much from length."""
    before, after = calculation.side_by_side, calculation.merged
    fidelity = before.fidelity_part - after.fidelity_part
    length = before.complexity_part - after.complexity_part
    if fidelity == length == 0:
        return "Neither fidelity nor length changes."
    decimals = decisive_decimals(calculation)
    said = [
        f"{fixed(abs(gain), decimals)} {'gained' if gain > 0 else 'lost'} by {by}"
        for gain, by in ((fidelity, "fidelity"), (length, "length"))
        if gain
    ]
    return f"{' and '.join(said)}."


def similarity_said(calculation: Calculation) -> str:
    """The similarity as a fraction of records.

    `9 in both / 30 in at least one = 0.300`
    """
    both, either = calculation.both.bit_count(), calculation.either.bit_count()
    return (
        f"{both:,} in both / {either:,} in at least one = {calculation.trial.similarity:.3f}"
        if either
        else "Neither covers any record, so their similarity is 0."
    )


def answers_said(calculation: Calculation) -> tuple[str, str]:
    """Whose answers change: those of the pair, and those of all rules, in a sentence each."""
    return (
        _changed(calculation.pair, "the two theories"),
        _changed(calculation.everyone, "all rules together"),
    )


def _changed(answers: Answers, whose: str) -> str:
    before, after = answers.before.bit_count(), answers.after.bit_count()
    if answers.before == answers.after:
        return f"No answer of {whose} changes: {before:,} agree."
    return (
        f"Answers of {whose}: {answers.better:,} become right and {answers.worse:,} wrong, so "
        f"{after:,} agree instead of {before:,}."
    )


def why_they_disagree(calculation: Calculation) -> str:
    """Why BIC and the fidelity of all rules go opposite ways; empty where they do not."""
    if not calculation.disagree:
        return ""
    gain = calculation.everyone.gain
    before = calculation.everyone.before.bit_count()
    moved = (
        f"All rules together {'gain' if gain > 0 else 'lose'} "
        f"{counted(abs(gain), 'answer')} ({before:,} before, {before + gain:,} after)"
    )
    if calculation.by_the_whole:
        return (
            f"{moved}, and still the BIC is lower: what is saved to read weighs more."
            if calculation.trial.accepted
            else f"{moved}, and still the BIC is higher: what there is more to read weighs more."
        )
    asked = "The BIC asks whether these two theories are better merged."
    why = (
        "Fidelity asks about all rules at once, where the most reliable one that covers a record "
        "decides: rules of other theories had answered these records, or now come first."
    )
    if calculation.settings.bic_on == "batch":
        asked = "The BIC asks whether these two theories are better merged on the batch."
    return f"{asked} {why} {moved}."


def met_records(
    calculation: Calculation, reference: Reference, most: int | None = None
) -> tuple[MetRecord, ...]:
    """The records of the batch on which rules of the two meet, and who covers them."""
    found = []
    for place in mask_of(calculation.meeting, reference.size).nonzero()[0].tolist()[:most]:
        covering = tuple(
            name
            for letter, rules in zip(LETTERS, (calculation.left, calculation.right), strict=True)
            for name, rule in named_rules(letter, rules, reference)
            if reference.score(rule).coverage >> place & 1
        )
        found.append(MetRecord(place, str(reference.labels[place]), covering))
    return tuple(found)


def named_rules(letter: str, rules: Iterable[Rule], reference: Reference) -> list[tuple[str, Rule]]:
    """The rules of a theory, the most reliable first, with its letter; several are numbered."""
    ranked = reference.ranked(rules)
    if len(ranked) == 1:
        return [(letter, ranked[0])]
    return [(f"{letter}{place}", rule) for place, rule in enumerate(ranked, start=1)]
