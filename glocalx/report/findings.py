"""What was found, in words: a sentence for each group, and what may be said of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from glocalx.audit import Audit
from glocalx.audit.comparison import BAND, SIGNIFICANT, Share
from glocalx.audit.findings import Findings, GroupFinding
from glocalx.audit.flips import FlipCount, FlipPlan, FlipResult
from glocalx.audit.intervals import Estimate
from glocalx.report.sentences import Strong, Text, close_proxies, named_outright
from glocalx.report.tables.groups import CALLED
from glocalx.words.figures import (
    fixed,
    fixed_interval,
    in_points,
    p_value,
    paper_percent,
    points,
    share_interval,
)
from glocalx.words.phrases import counted, enumeration
from glocalx.words.wording import Wording

HOW = (
    f"Different: the p-value, corrected for all comparisons by Holm’s method, is at most "
    f"{SIGNIFICANT:g}.",
    "No difference shown: it is larger. That does not mean that there is none.",
    "Within the tolerance: no difference is shown, and it is shown to be smaller than the "
    "tolerance that was set (two one-sided tests, corrected in the same way).",
    "Not enough records: one of the two sides has fewer than the smallest number that was set.",
    "Intervals are for one comparison at a time; p-values are corrected. So an interval can leave "
    "out 0 and still not count as a difference.",
    "Two groups of one column are one comparison, seen from either side, and are counted once.",
)
"""How verdicts are made, in sentences."""

MOST_PROXIES = 3
"""So many stand-ins are told in the findings."""
CALLS = {"theory": "The rules call", "black box": "The black box calls", "truth": "In the data"}
FLIP_NOTE = (
    "Only what is named is changed, everything else stays, also what may depend on it. That an "
    "answer changes is certain; that more change one way than the other may be chance. A small "
    "number is no proof that a column plays no part: others can stand in for it."
)


@dataclass(frozen=True, slots=True)
class FoundWords:
    """How findings of an audit are told; `outcome` as people say it."""

    audit: Audit
    wording: Wording

    @property
    def outcome(self) -> str:
        return self.wording.outcome(self.audit.settings.outcome)

    def called(self, group: tuple[str, ...], columns: tuple[str, ...]) -> str:
        """A group by columns and categories; bands of numbers name their column already."""
        titles = [self.audit.titles[column] for column in columns]
        told = zip(titles, group, strict=True)
        return enumeration(
            [each if name.lower() in each.lower() else f"{name} {each}" for name, each in told]
        )

    def head(self, found: Findings) -> str:
        """How many groups differ."""
        if not found.groups:
            return "No group has enough records to be compared"
        groups = counted(found.groups, "group")
        if not found.different:
            return f"No difference is shown between {groups}"
        get = "gets" if found.different == 1 else "get"
        whose = {
            "theory": f"{get} different answers from the rules",
            "black box": f"{get} different answers from the black box",
            "truth": f"{'has' if found.different == 1 else 'have'} different outcomes in the data",
        }
        return f"{found.different:,} of {groups} {whose[self.audit.answers]}"

    def under(self, found: Findings) -> str:
        """What that rests on."""
        if not found.compared:
            return "Groups with too few records are shown all the same."
        made = counted(found.compared, "comparison")
        if found.different:
            said = f"For these the difference is larger than chance explains, corrected for {made}"
            said += " (Holm)." if found.compared > 1 else "."
        else:
            said = f"{made[0].upper()}{made[1:]} {'was' if found.compared == 1 else 'were'} made."
        if self.audit.settings.tolerance is not None:
            said += f" The tolerance was set to {points(self.audit.settings.tolerance)[1:]}."
        return f"{said} Where no difference is shown, there may still be one."

    def marks(self, found: GroupFinding) -> tuple[str, ...]:
        """What stands over a card: verdict, p-value, records, column."""
        made = self.audit.subgroups.compared[found.answers]
        p = f"p {p_value(found.comparison.adjusted)}"
        return (
            "differs",
            f"{p}, corrected for {counted(made, 'comparison')}" if made > 1 else p,
            counted(found.comparison.own.size, "record"),
            self.audit.title(found.group.columns),
        )

    def headline(self, found: GroupFinding) -> Text:
        """Who gets the outcome how often, beside whom."""
        comparison, group = found.comparison, found.group
        often = "more often" if comparison.difference.value > 0 else "less often"
        name = Strong(self.called(group.groups, group.columns))
        rates = (
            Strong(f"{paper_percent(comparison.own.rate().value)}"),
            f" ({share_of(comparison.own)}) against ",
            Strong(f"{paper_percent(comparison.other.rate().value)}"),
            f" ({share_of(comparison.other)}).",
        )
        gets = " gets" if found.answers == "truth" else ""
        verb = f"{gets} {self.outcome} {often} than {comparison.against}: "
        return (f"{CALLS[found.answers]} ", name, verb, *rates)

    def ratio(self, found: GroupFinding) -> str:
        """The ratio for the favourable outcome beside the band, and for the other one."""
        comparison, favourable = found.comparison, self.audit.settings.favourable
        own, ratio = map(_with_interval, (comparison.ratio, comparison.favourable))
        if favourable is None:
            return (
                f"Ratio for {self.outcome}: {own}. Which outcome is favourable was not said, so "
                "the four-fifths rule is not applied."
            )
        place = {"within": "inside", "below": "below", "above": "above", None: ""}[comparison.band]
        said = f"Ratio for the favourable outcome, {self.wording.outcome(favourable)}: {ratio}"
        if place:
            said += f", {place} the four-fifths band of {BAND[0]:g} to {BAND[1]:g}"
        if favourable == self.audit.settings.outcome:
            return f"{said}."
        return f"{said}. Counted for {self.outcome} it is {own}."

    def three(self, found: GroupFinding) -> str:
        """The same difference by everybody who answers, and whether it is small."""
        said = [
            f"{CALLED[who]} {in_points(found.difference(who))}"
            for who in CALLED
            if not math.isnan(found.difference(who))
        ]
        told = f"The difference by {enumeration(said)} points." if len(said) > 1 else ""
        if found.comparison.is_within_tolerance:
            told += " It is shown to be smaller than the tolerance that was set."
        return told

    def rule(self, found: GroupFinding) -> Text:
        """Which rule is responsible for the rules' own difference, with all its conditions."""
        part = found.rule
        if part is None:
            return "No rule brings a difference in this direction."
        own = points(part.difference)
        brings = f"brings the largest part, {points(part.share.contribution)}"
        if part.share.rule is None:
            return f"Of the rules’ own difference, {own}, what happens without any rule {brings}."
        rule = self.audit.theory.rules[part.share.rule]
        return (
            f"Of the rules’ own difference, {own}, ",
            Strong(f"rule {part.share.rule + 1}"),
            f" {brings}; without it {points(part.without)}. "
            f"{self.wording.sentence(rule, outcome=False)}",
            *self._names(part.share.rule),
        )

    def _names(self, place: int) -> Iterator[str]:
        named = self.audit.rules[place].sensitive
        if named:
            yield f" It names {enumeration([self.audit.titles[name] for name in named])}."

    def agreement(self, found: GroupFinding) -> str:
        """Whether rules and black box agree here."""
        compared = found.group.agreement
        if compared is None:
            return ""
        said = (
            f"Rules and black box agree for {share_of(compared.own)} "
            f"({paper_percent(compared.own.rate().value)}); elsewhere for "
            f"{share_of(compared.other)} ({paper_percent(compared.other.rate().value)})."
        )
        if found.is_explained_worse:
            said += " The rules explain the black box less well here: trust its own figures more."
        asked = found.group.found[self.audit.settings.outcome]
        if asked.size:
            said += (
                f" Of {asked.size:,} that the black box calls {self.outcome} the rules find "
                f"{asked.hits:,}."
            )
        return said

    def flip(self, flip: FlipResult) -> Text:
        """What one flip shows."""
        count = flip.audited
        whose = "the black box" if flip.model else "the rules"
        said: list[str | Strong] = [f"{self.changed(flip.plan)}: "]
        if flip.unread and set(flip.plan.columns) <= set(flip.unread) and not flip.plan.along:
            return (*said, "the black box does not read this column, so no answer can change.")
        said += [Strong(share_of(count.changed)), f" answers of {whose} change"]
        said.append(self._directions(count))
        if flip.model is not None:
            same = f", {flip.both:,} of them for the same people" if flip.rules.changed.hits else ""
            said.append(f" Of the rules’ answers {flip.rules.changed.hits:,} change{same}.")
        if flip.records < flip.group_size:
            said.append(f" Asked about {flip.records:,} of {flip.group_size:,}, drawn at random.")
        return tuple(said)

    def _directions(self, count: FlipCount) -> str:
        share = count.changed.rate()
        if not count.changed.hits:
            return f" (at most {paper_percent(share.high)} would, 95 % interval)."
        other = count.changed.hits - count.gained - count.lost
        ways = [f"{count.gained:,} to {self.outcome}", f"{count.lost:,} away from it"]
        if other:
            ways.append(f"{other:,} between other outcomes")
        said = f" ({paper_percent(share.value)}, {share_interval(share)}): {enumeration(ways)}"
        if math.isnan(count.adjusted):
            return f"{said}."
        leans = "they lean one way" if count.leans else "that they lean one way may be chance"
        return f"{said}; {leans} (p {p_value(count.adjusted)}, corrected)."

    @property
    def asks_why(self) -> bool:
        """Whether rules name a sensitive column, or what stands in for it."""
        return any(each.sensitive or each.close_proxies() for each in self.audit.rules)

    def comes_from(self) -> list[Text]:
        """What rules name outright, what stands in for it, and what each column alone changes."""
        named, close = named_outright(self.audit), close_proxies(self.audit, self.wording)
        return [*named, *close[:MOST_PROXIES], *self.flips_in_all()]

    def flips_in_all(self) -> Iterator[Text]:
        """How many answers change with a column, all its groups together."""
        test = self.audit.flips
        for (column, along), flips in test.by_column().items() if test else ():
            title, names = self.audit.titles[column], map(self.wording.name, along)
            told = (
                f"With {enumeration([title, *names])} changed: "
                if along
                else (f"With only {title} changed: ")
            )
            if all({column, *along} <= set(flip.unread) for flip in flips):
                yield f"{told}the black box does not read this, so no answer can change."
                continue
            whose = "the black box" if test and test.has_model else "the rules"
            counts = [flip.audited for flip in flips]
            changed = Share(
                sum(each.changed.hits for each in counts), sum(each.changed.size for each in counts)
            )
            rate, ways = changed.rate(), ""
            if changed.hits:
                gained, lost = (
                    sum(each.gained for each in counts),
                    sum(each.lost for each in counts),
                )
                ways = f", {gained:,} to {self.outcome}, {lost:,} away from it"
            yield (
                told,
                Strong(share_of(changed)),
                f" answers of {whose} change{ways} ({paper_percent(rate.value)}, "
                f"{share_interval(rate)}).",
            )

    def changed(self, plan: FlipPlan) -> str:
        """What is changed, in words."""
        titles = self.audit.titles
        told = enumeration(
            [f"{titles[each.column]} from {each.before} to {each.after}" for each in plan.changes]
        )
        if plan.along:
            names = enumeration([self.wording.name(name) for name in plan.along])
            return f"{told[0].upper()}{told[1:]}, with {names} changed along"
        return f"Only {told}"

    def may_be_said(self, found: GroupFinding) -> str:
        """What the records allow to say where a card would say too much."""
        comparison = found.comparison
        if found.mirrors:
            return "The same comparison, seen from the other side."
        match found.verdict:
            case "different" if found.within is not None:
                alone = self.called(found.within.groups, found.within.columns)
                return f"Differs, as {alone} does alone."
            case "different":
                return "Differs; not shown as a card, for there are many."
            case "within the tolerance":
                tolerance = points(self.audit.settings.tolerance or 0.0)[1:]
                return f"Shown to be smaller than the tolerance of {tolerance}."
            case "not enough records":
                least = min(comparison.own.size, comparison.other.size)
                return f"Only {counted(least, 'record')} on one side."
        if comparison.p_value <= SIGNIFICANT:
            made = self.audit.subgroups.compared[found.answers]
            alone = p_value(comparison.p_value)
            return f"Alone it would pass (p {alone}); among {made:,} comparisons it does not."
        low, high = comparison.difference.low, comparison.difference.high
        return f"Could be {points(low, 0)} or {points(high, 0)}: these records do not tell."


def share_of(share: Share) -> str:
    """`23 of 314`."""
    return f"{share.hits:,} of {share.size:,}"


def _with_interval(ratio: Estimate) -> str:
    interval = fixed_interval(ratio)
    return fixed(ratio.value) + (f" ({interval})" if interval else "")
