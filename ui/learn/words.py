"""What happens to a pair, in sentences. Markdown in which names of a table are escaped."""

from __future__ import annotations

from glocalx.merging.calculation import Calculation
from glocalx.plots import OutcomeColours
from glocalx.rules.scoring import Reference
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording
from ui.merge.words import JOIN, StepWords
from ui.text import badge, bold


def pair_said(calculation: Calculation, wording: Wording, colours: OutcomeColours) -> str:
    """Who the two are, before anything happens."""
    sides = []
    for letter, rules in (("A", calculation.left), ("B", calculation.right)):
        said = [
            f"{bold(wording.short(rule, ' and '))} → {badge(rule.outcome, colours)}"
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
    words = StepWords(wording, colours)
    said += [words.cut(cut, reference) for cut in done.cuts]
    for join in done.joins:
        covered = counted(reference.score(join.result).covered, "record")
        said.append(
            f"{JOIN} **Join.** {counted(len(join.parts), 'rule')} become one: "
            f"{bold(wording.short(join.result, ' and '))} → "
            f"{badge(join.result.outcome, colours)}, which covers {covered}."
        )
    return said
