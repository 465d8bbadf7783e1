"""What was found, in words: a sentence for each group, and what may be said of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from glocalx.audit import Audit
from glocalx.audit.comparison import BAND, SIGNIFICANT, Share
from glocalx.audit.findings import Findings, GroupFinding
from glocalx.audit.flips import FlipCount, FlipPlan, FlipResult
from glocalx.report.data_table import CellLines, DataTable, TableColumn, Value
from glocalx.report.sentences import Strong, Text
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
        """A group by its column and category; bands of numbers name their column already."""
        title, column = " · ".join(group), self.audit.title(columns)
        return title if column.lower() in title.lower() else f"{column} {title}"

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
            f" ({_of(comparison.own)}) against ",
            Strong(f"{paper_percent(comparison.other.rate().value)}"),
            f" ({_of(comparison.other)}).",
        )
        if found.answers == "truth":
            verb = (f" gets {self.outcome} {often} than {comparison.against}: ",)
            return ("In the data ", name, *verb, *rates)
        verb = (f" {self.outcome} {often} than {comparison.against}: ",)
        return (f"{CALLS[found.answers]} ", name, *verb, *rates)

    def ratio(self, found: GroupFinding) -> str:
        """The ratio for the favourable outcome beside the band, and for the other one."""
        comparison, favourable = found.comparison, self.audit.settings.favourable
        own = f"{fixed(comparison.ratio.value)}{_span(fixed_interval(comparison.ratio))}"
        if favourable is None:
            return (
                f"Ratio for {self.outcome}: {own}. Which outcome is favourable was not said, so "
                "the four-fifths rule is not applied."
            )
        place = {"within": "inside", "below": "below", "above": "above", None: ""}[comparison.band]
        ratio = (
            f"{fixed(comparison.favourable.value)}{_span(fixed_interval(comparison.favourable))}"
        )
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
            f"Rules and black box agree for {_of(compared.own)} "
            f"({paper_percent(compared.own.rate().value)}); elsewhere for {_of(compared.other)} "
            f"({paper_percent(compared.other.rate().value)})."
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
        said += [Strong(_of(count.changed)), f" answers of {whose} change"]
        said.append(self._directions(count))
        if flip.model is not None:
            said.append(
                f" Of the rules’ answers {flip.rules.changed.hits:,} change, {flip.both:,} of them "
                "for the same people."
            )
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

    def changed(self, plan: FlipPlan) -> str:
        """What is changed, in words."""
        titles = self.audit.titles
        told = enumeration(
            [f"{titles[each.column]} from {each.before} to {each.after}" for each in plan.changes]
        )
        if plan.along:
            names = enumeration([self.wording.name(name) for name in plan.along])
            return f"{told}, with {names} changed along"
        return f"Only {told}"

    def may_be_said(self, found: GroupFinding) -> str:
        """What the records allow to say where a card would say too much."""
        comparison = found.comparison
        if found.mirrors:
            return "The same comparison, seen from the other side."
        match found.verdict:
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


def others_table(words: FoundWords, found: Findings, most: int | None = None) -> DataTable:
    """Every group without a card, of at most so many columns, with what may be said of it."""
    columns = (
        TableColumn("Group"),
        TableColumn("Verdict"),
        TableColumn("Called", title=words.outcome[:24]),
        TableColumn("Difference", "points", "Difference, in points"),
        TableColumn("p", "p", "Corrected p"),
        TableColumn("What may be said"),
    )
    rows: list[tuple[Value, ...]] = []
    for each in found.others:
        if most is not None and len(each.group.columns) > most:
            continue
        comparison = each.comparison
        share = f"{paper_percent(comparison.own.rate().value)} of {comparison.own.size:,}"
        name = words.called(each.group.groups, each.group.columns)
        verdict = each.verdict
        figures = CellLines(share), comparison.difference, comparison.adjusted
        rows.append((name, verdict, *figures, words.may_be_said(each)))
    return DataTable("Groups without a card", columns, tuple(rows))


def flips_table(words: FoundWords, several: bool | None = None) -> DataTable | None:
    """Every flip, or those of one or of several columns: whose answers change, and to what."""
    test = words.audit.flips
    flips = [f for f in test.flips if several in (None, len(f.plan.changes) > 1)] if test else []
    if test is None or not flips:
        return None
    whose = "Black box" if test.has_model else "Rules"
    columns = (
        TableColumn("Only this changed"),
        TableColumn("Answers that change", title=f"{whose}: answers that change"),
        TableColumn("Share", "share"),
        TableColumn("To", "count", f"to {words.outcome}"[:30]),
        TableColumn("From", "count", f"from {words.outcome}"[:30]),
        TableColumn("p", "p", "Corrected p", help="That they lean one way."),
        *(
            (TableColumn("Rules", title="Rules: change"), TableColumn("Both", "count", "In both"))
            if test.has_model
            else ()
        ),
    )
    rows: list[tuple[Value, ...]] = []
    for flip in flips:
        count = flip.audited
        told = words.changed(flip.plan).removeprefix("Only ")
        beside: tuple[Value, ...] = (_of(flip.rules.changed), flip.both) if test.has_model else ()
        figures = (_of(count.changed), count.changed.rate(), count.gained, count.lost)
        rows.append((told, *figures, count.adjusted, *beside))
    return DataTable("Flip tests: how many answers change", columns, tuple(rows))


def flips_by_rule_table(words: FoundWords) -> DataTable | None:
    """Changed answers by the rule that decides before the change; without lines of zeros."""
    test = words.audit.flips
    if test is None:
        return None
    columns = (
        TableColumn("Only this changed"),
        TableColumn("Rule"),
        TableColumn("Records", "count"),
        *((TableColumn("Black box", "count"),) if test.has_model else ()),
        TableColumn("Rules", "count"),
    )
    rows: list[tuple[Value, ...]] = []
    for flip in test.flips:
        for each in flip.by_rule:
            if each.by_rules or each.by_model:
                rule = "otherwise" if each.rule is None else f"Rule {each.rule + 1}"
                model = (each.by_model,) if test.has_model else ()
                told = words.changed(flip.plan).removeprefix("Only ")
                rows.append((told, rule, each.records, *model, each.by_rules))
    return (
        DataTable("Changed answers by the rule that decided", columns, tuple(rows))
        if rows
        else None
    )


def _of(share: Share) -> str:
    return f"{share.hits:,} of {share.size:,}"


def _span(interval: str) -> str:
    return f" ({interval})" if interval else ""
