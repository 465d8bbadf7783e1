"""A merge told in words. Everything is Markdown in which the text of files is escaped."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from glocalx.merging.calculation import pieces_left
from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.operators import Change, Cut, Join
from glocalx.merging.search import MergeSettings
from glocalx.plots import OutcomeColours
from glocalx.rules.rule import Premise, Rule
from glocalx.rules.scoring import Reference
from glocalx.words.figures import percent
from glocalx.words.phrases import counted, enumeration
from glocalx.words.wording import Wording
from ui.terms import term_link
from ui.text import badge, bold, plain

JOIN, CUT, BESIDE = ":material/join:", ":material/content_cut:", ":material/splitscreen_right:"
MOST_CHANGES = 5
MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class StepWords:
    """Puts steps into words.

    Parameters
    ----------
    wording, colours
        Of the run.
    """

    wording: Wording
    colours: OutcomeColours

    def operations(self, step: MergeStep) -> list[str]:
        """A sentence for each thing that the step did, the cuts first: they are rare."""
        return [*map(self.cut, step.cuts), *map(self.join, step.joins)]

    def join(self, join: Join, drawn: Collection[str] = ()) -> str:
        """Which rules became one, and what that did to each condition but those that are drawn."""
        start = (
            f"{JOIN} **Join.** {counted(len(join.parts), 'rule')} with the outcome "
            f"{self.outcome(join.result)} became one"
        )
        if join.result in join.parts:
            others = len(join.parts) - 1
            return f"{start}: the widest of them covers the other{'s' if others > 1 else ''}."
        if not join.result.premises:
            return (
                f"{start} that holds for every record: they have no condition in common that is "
                "worth keeping."
            )
        moves = self._moves([each for each in join.changes if each.feature not in drawn])
        return f"{start} wider rule{': ' if moves else ''}{moves}."

    def _moves(self, changes: Sequence[Change]) -> str:
        moved = [change for change in changes if change.after is not None]
        fallen = [change.feature for change in changes if change.after is None]
        said = [
            f"{self.feature(change.feature)} is now {self.condition(change.feature, change.after)}"
            for change in moved[:MOST_CHANGES]
        ]
        if len(moved) > MOST_CHANGES:
            said.append(f"{len(moved) - MOST_CHANGES} more conditions are wider")
        if len(fallen) > MOST_NAMED:
            said.append(f"{len(fallen)} {'other ' if moved else ''}conditions fall away")
        elif fallen:
            names = [self.feature(name) for name in fallen]
            one = len(names) == 1
            said.append(
                f"the condition{'' if one else 's'} on {enumeration(names)} "
                f"fall{'s' if one else ''} away"
            )
        return "; ".join(said)

    def cut(self, cut: Cut, reference: Reference | None = None, drawn: Collection[str] = ()) -> str:
        """Which rule gave way to which, and what it lost on each feature but those that are drawn.

        With a reference it is counted, too: how reliable both are, and what the rule still covers.
        """
        stays, gives = self.outcome(cut.dominant), self.outcome(cut.before)
        reliable = f"The {stays} rule is more reliable"
        if reference is not None:
            sure = (reference.score(rule).accuracy for rule in (cut.dominant, cut.before))
            reliable += " ({} against {})".format(*map(percent, sure))
        if cut.after == cut.before:
            why = self._why_uncut(cut)
            return f"{BESIDE} **No cut.** {reliable}, but the {gives} rule stays as it was: {why}."
        start = f"{CUT} **Cut.** {reliable}"
        if cut.after is None:
            return (
                f"{start} and takes in all of a {gives} rule, which could never decide again "
                "and is dropped."
            )
        losses = [
            f"{self.feature(change.feature)} goes from "
            f"{self.condition(change.feature, change.before[0])} to "
            f"{self.condition(change.feature, change.after)}"
            for change in cut.changes[:MOST_CHANGES]
            if change.feature not in drawn
        ]
        said = f"{start}, so the {gives} rule gives way where they overlap"
        said += f": {'; '.join(losses)}." if losses else "."
        if reference is None:
            return said
        before, now = (reference.score(rule).covered for rule in (cut.before, cut.after))
        counts = f"It covered {before:,} and covers {now:,} now."
        return " ".join([said, counts, *self.pieces(cut, reference)])

    def pieces(self, cut: Cut, reference: Reference) -> list[str]:
        """Where a cut left something on both sides, how many records each piece has."""
        return [
            f"Two pieces were left of {self.feature(feature)}: "
            + " and ".join(
                f"{self.condition(feature, piece.premise)} ({counted(piece.covered, 'record')})"
                for piece in pieces
            )
            + ". The piece with more records stays."
            for feature, pieces in pieces_left(cut, reference).items()
        ]

    def _why_uncut(self, cut: Cut) -> str:
        shared = set(cut.dominant.features) & set(cut.before.features)
        if not shared:
            return "they ask about different features, so there is nothing to take away"
        return "on what both ask about, nothing of it would be left"

    def condition(self, feature: str, premise: Premise | None) -> str:
        """A condition, in italics where there is one."""
        if premise is None:
            return "no condition"
        return f"*{plain(self.wording.condition(feature, premise))}*"

    def feature(self, name: str) -> str:
        return bold(self.wording.short_name(name))

    def outcome(self, rule: Rule) -> str:
        return badge(rule.outcome, self.colours)


def pair(step: MergeStep, hierarchy: Hierarchy, shared: tuple[int, int]) -> str:
    """Which two theories, how much they share, and how many rules are left of them.

    `shared`: how many records both cover, and how many at least one of them does.
    """
    one, other = (len(hierarchy.rules_of(number)) for number in (step.left, step.right))
    both, either = shared
    share = f"all {either:,}" if both == either else f"{both:,} of the {either:,}"
    left = counted(len(step.rules), "rule")
    if one == other == 1:
        start = f"Two theories of **1 rule** each share **{share}**"
    else:
        start = f"A theory of **{counted(one, 'rule')}** and one of "
        start += f"**{counted(other, 'rule')}** share **{share}**"
    return f"{start} records that either of them covers. Merging them leaves **{left}**."


def why_this_pair(step: MergeStep, settings: MergeSettings) -> str:
    """Why these two were merged and no others."""
    refused = len(step.rejected)
    worth = "does not make the BIC worse"
    if step.trial.bic_merged < step.trial.bic_union:
        worth = "makes the BIC better"
    where = " in its shard" if step.piece or (settings.shards or 1) > 1 else ""
    if not refused:
        return f"It was the most similar pair{where}, and merging it {worth}."
    verb = "was" if refused == 1 else "were"
    return (
        f"It was the most similar pair{where} whose merge does not make the BIC worse. "
        f"{counted(refused, 'more similar pair')} {verb} tried first and turned down."
    )


def ending(hierarchy: Hierarchy) -> str:
    """Why the run ended where it did."""
    left = len(hierarchy.local_rules) - len(hierarchy.steps)
    if left == 1:
        return "**The end.** All rules are in one theory."
    refused = hierarchy.endings[max(hierarchy.endings)] if hierarchy.endings else ()
    patience = hierarchy.settings.patience
    start = f"**The end.** {counted(left, 'theory', 'theories')} are left"
    if not refused:
        return f"{start}, and no two of them share a record."
    if patience is not None and len(refused) >= patience:
        return (
            f"{start}. {counted(len(refused), 'pair')} in a row were turned down, which is as "
            "long as the settings say to try."
        )
    one = len(refused) == 1
    tried = "the one pair" if one else f"all {len(refused):,} pairs"
    return (
        f"{start}. {tried[0].upper()}{tried[1:]} that share{'s' if one else ''} records "
        f"{'was' if one else 'were'} tried and turned down: merging would make the BIC worse."
    )


def start_said(rules: int) -> tuple[str, ...]:
    """What there is before the first merge, and how merging works."""
    return (
        f"**{counted(rules, 'different rule')}**, each a theory of its own. The two that cover "
        "the most similar records are tried first.",
        f"{JOIN} **{term_link('Join')}.** Rules with the same outcome that meet on a record "
        "become one wider rule.",
        f"{CUT} **{term_link('Cut')}.** Of rules with different outcomes the more reliable one "
        "stays; the others give way where they overlap.",
        f"{BESIDE} **Kept side by side.** Rules that do not meet stay as they are, in one theory; "
        "this changes no rule and is not counted as a step.",
    )
