"""What happens to a pair, in sentences. Markdown in which names of a table are escaped."""

from __future__ import annotations

from glocalx.merging.calculation import Calculation, pieces_left
from glocalx.merging.operators import Cut
from glocalx.plots import OutcomeColours
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.words.figures import percent
from glocalx.words.phrases import counted, enumeration
from glocalx.words.wording import Wording
from ui.text import badge, bold, plain

CUT, JOIN = ":material/content_cut:", ":material/join:"


def pair_said(calculation: Calculation, wording: Wording, colours: OutcomeColours) -> str:
    """Who the two are, before anything happens."""
    sides = []
    for letter, rules in (("A", calculation.left), ("B", calculation.right)):
        said = [
            f"{bold(wording.premises(rule) or 'always')} → {outcome_badge(rule, wording, colours)}"
            for rule in sorted(rules, key=lambda each: each.sort_key)
        ]
        sides.append(f"**{letter}**: {'; '.join(said)}")
    return "  \n".join(sides)


def happens(
    calculation: Calculation, reference: Reference, wording: Wording, colours: OutcomeColours
) -> list[str]:
    """A sentence for each cut and each join; the cuts first, because they are rare."""
    done = calculation.resolution
    said = [] if calculation.trial.accepted else ["Had it been kept:"]
    said += [cut_said(cut, reference, wording, colours) for cut in done.cuts]
    for join in done.joins:
        covered = counted(reference.score(join.result).covered, "record")
        said.append(
            f"{JOIN} **Join.** {counted(len(join.parts), 'rule')} become one: "
            f"{bold(wording.premises(join.result) or 'always')} → "
            f"{outcome_badge(join.result, wording, colours)}, which covers {covered}."
        )
    return said


def cut_said(cut: Cut, reference: Reference, wording: Wording, colours: OutcomeColours) -> str:
    """Who stays, who gives way, and what is left; where two pieces were left, both are counted."""
    stays, gives = (outcome_badge(rule, wording, colours) for rule in (cut.dominant, cut.before))
    one, other = (percent(reference.score(rule).accuracy) for rule in (cut.dominant, cut.before))
    start = f"{CUT} **Cut.** {stays} is more reliable, {one} against {other}"
    if cut.after is None:
        return (
            f"{start}, and covers all of the {gives} rule, which could never decide again: it is "
            "dropped whole."
        )
    if cut.after == cut.before:
        shared = set(cut.dominant.features) & set(cut.before.features)
        why = (
            "on what both ask about nothing of it would be left"
            if shared
            else "they ask about different features, so there is nothing to take away"
        )
        return f"{start}, but the {gives} rule stays as it was: {why}."
    counts = [reference.score(rule).covered for rule in (cut.before, cut.after)]
    told = [
        f"{bold(wording.premise(change.feature, change.before[0]))} becomes "
        f"{bold(wording.premise(change.feature, change.after))}"
        for change in cut.changes
        if change.before[0] is not None and change.after is not None
    ]
    pieces = [
        f"Two pieces were left of {plain(wording.name(feature))}: "
        + " and ".join(
            f"{plain(wording.premise(feature, side.premise))} ({counted(side.covered, 'record')})"
            for side in sides
        )
        + ". The piece with more records stays."
        for feature, sides in pieces_left(cut, reference).items()
    ]
    return " ".join(
        [
            f"{start}. The {gives} rule is sliced: {enumeration(told)}. It covered {counts[0]:,} "
            f"and covers {counts[1]:,} now.",
            *pieces,
        ]
    )


def outcome_badge(rule: Rule, wording: Wording, colours: OutcomeColours) -> str:
    """The outcome of a rule on its colour."""
    return badge(rule.outcome, colours, wording.outcome(rule.outcome))
