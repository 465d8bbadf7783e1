"""Questions about a run whose answers the library computes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from glocalx.lessons.told import formula, similarity_said, verdict
from glocalx.merging.calculation import Calculation
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.told import TriedPair, stops
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.words.figures import fixed, percent
from glocalx.words.wording import Wording

MOST_RULES = 2  # of a theory in a question


@dataclass(frozen=True, slots=True)
class Exercise:
    """A question and its answer, plain text; `about`: the pair that it is about, if any."""

    question: str
    answer: str
    about: str = ""


def exercises(hierarchy: Hierarchy, reference: Reference, wording: Wording) -> tuple[Exercise, ...]:
    """About a pair that is joined, one that is cut and one that is turned down, if there are."""
    found: list[Exercise] = []
    for title, pair, calculation in _chosen(hierarchy, reference):
        found += _about(title, pair, calculation, reference, wording)
    left = hierarchy.rules()
    found.append(
        Exercise(
            f"After the last merge {len(left)} rules are left. On how many of the "
            f"{reference.size} records do they give the black box’s answer?",
            f"On {reference.agreement(left)}, so the fidelity is "
            f"{percent(reference.fidelity(left), 1)}.",
        )
    )
    return tuple(found)


def _chosen(
    hierarchy: Hierarchy, reference: Reference
) -> Iterable[tuple[str, TriedPair, Calculation]]:
    """The first join of rules that are not the same on all records, cut and refusal."""
    wanted = {"a join": True, "a cut": True, "a pair turned down": True}
    for pair in stops(hierarchy):
        calculation = pair.calculation(hierarchy, reference)
        if max(len(calculation.left), len(calculation.right)) > MOST_RULES:
            continue
        cuts = any(cut.after != cut.before for cut in calculation.resolution.cuts)
        if not pair.accepted:
            kind = "a pair turned down"
        elif cuts:
            kind = "a cut"
        elif pair.trial.similarity < 1:
            kind = "a join"
        else:
            continue
        if wanted.pop(kind, False):
            yield kind, pair, calculation


def _about(
    title: str,
    pair: TriedPair,
    calculation: Calculation,
    reference: Reference,
    wording: Wording,
) -> list[Exercise]:
    sides = [_listed(rules, wording) for rules in (calculation.left, calculation.right)]
    about = f"A: {sides[0]}. B: {sides[1]}."
    beside, merged = calculation.side_by_side, calculation.merged
    asked = [
        ("How similar are A and B?", f"{similarity_said(calculation)}."),
        (
            "Which rules does merging them leave?",
            f"{_listed(calculation.resolution.rules, wording)}.",
        ),
        (
            f"Side by side, {beside.agreed} of {beside.size} answers agree and L is "
            f"{beside.complexity:g}. What is their BIC, with {formula(calculation.settings)}?",
            f"{fixed(beside.bic)}.",
        ),
        (
            f"Merged, {merged.agreed} of {merged.size} answers agree and L is "
            f"{merged.complexity:g}. Is the merge kept?",
            verdict(calculation),
        ),
    ]
    if title == "a cut":
        asked.append(_who_decides(calculation, reference, wording))
    return [Exercise(*each, about) for each in asked]


def _who_decides(
    calculation: Calculation, reference: Reference, wording: Wording
) -> tuple[str, str]:
    rules = reference.ranked(calculation.left | calculation.right)
    scores = [reference.score(rule) for rule in rules]
    counts = " ".join(
        f"{wording.short_rule(rule)}: covers {score.covered}, right for {score.agreed}."
        for rule, score in zip(rules, scores, strict=True)
    )
    return (
        f"Of these rules, who decides where they disagree? {counts}",
        f"{wording.short_rule(rules[0])}, with ({scores[0].agreed} + 1) / ({scores[0].covered} + "
        f"{len(reference.outcomes)}) = {scores[0].accuracy:.3f}.",
    )


def _listed(rules: Iterable[Rule], wording: Wording) -> str:
    ordered = sorted(rules, key=lambda rule: rule.sort_key)
    return "; ".join(wording.short_rule(rule) for rule in ordered)
