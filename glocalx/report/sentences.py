"""What page and report say about an audit, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from glocalx.audit import Audit
from glocalx.audit.comparison import BAND, SIGNIFICANT
from glocalx.audit.forest import ForestRow
from glocalx.audit.intervals import LEVEL
from glocalx.audit.proxies import CLOSE, Association
from glocalx.audit.rule_profile import RuleProfile
from glocalx.audit.subgroups import Subgroup
from glocalx.report.tables.rules import column_name, indirect
from glocalx.words.figures import percent, points
from glocalx.words.phrases import counted, enumeration
from glocalx.words.wording import Wording

CAVEAT = "A difference is not yet discrimination, and no difference is not yet fairness."

VERDICTS = {
    "different": "a difference that holds after correction",
    "no difference shown": "which may be chance",
    "within the tolerance": "which is within the tolerance",
    "not enough records": "but there are not enough records",
}


def bounds_said(audit: Audit) -> str:
    """The limits by which verdicts are given, which nothing in the table can move."""
    (low, high), tolerance = BAND, audit.settings.tolerance
    none = (
        ""
        if tolerance is None
        else f"; differences below {points(tolerance)[1:]} are held to be none"
    )
    return (
        f"a difference counts from p ≤ {SIGNIFICANT:g} on, after Holm’s correction for all groups; "
        f"intervals are at {percent(LEVEL)}; ratios within {low:g} to {high:g} are inside the "
        f"four-fifths band; groups need {counted(audit.settings.enough, 'record')}; proxies are "
        f"close from {CLOSE:g} on{none}"
    )


@dataclass(frozen=True, slots=True)
class Strong:
    """Words that stand out."""

    text: str


Text: TypeAlias = str | tuple[str | Strong, ...]
"""A text, or pieces of one."""


def without_marks(text: Text) -> str:
    """A text in which nothing stands out, for places that know letters alone."""
    pieces = (text,) if isinstance(text, str) else text
    return "".join(each.text if isinstance(each, Strong) else each for each in pieces)


def numbered(rules: Sequence[int]) -> str:
    """`Rules 4 and 5`, three or more in a row as `4 to 6`.

    Examples
    --------
    >>> numbered([4]), numbered([1, 2, 5]), numbered([1, 3, 4, 5])
    ('Rule 4', 'Rules 1, 2 and 5', 'Rules 1 and 3 to 5')
    """
    rows: list[list[int]] = []
    for rule in rules:
        if rows and rows[-1][-1] == rule - 1:
            rows[-1].append(rule)
        else:
            rows.append([rule])
    texts: list[str] = []
    for row in rows:
        texts += [f"{row[0]} to {row[-1]}"] if len(row) > 2 else [str(rule) for rule in row]
    return f"Rule {texts[0]}" if len(rules) == 1 else f"Rules {enumeration(texts)}"


def compared_with(audit: Audit) -> str:
    """Whom each group is compared with, by name."""
    against = audit.settings.against
    if isinstance(against, str):
        return audit.settings.whom
    named = " and ".join(f"“{group}” of “{column}”" for column, group in against.items())
    rest = any(column not in against for column in audit.settings.by)
    return f"the group {named}" + (", groups of other columns with everyone else" if rest else "")


def named_outright(audit: Audit) -> list[Text]:
    """A sentence for each sensitive column that rules name."""
    said: list[Text] = []
    for column in audit.settings.by:
        rules = [each.place + 1 for each in audit.rules if column in each.sensitive]
        if rules:
            verb = "names" if len(rules) == 1 else "name"
            said.append((f"{numbered(rules)} {verb} ", Strong(audit.titles[column]), " outright."))
    return said


def close_proxies(audit: Audit, wording: Wording) -> list[Text]:
    """A sentence for each pair of a feature in use and a column that it stands for."""
    found: dict[tuple[str, str], tuple[Association, list[int]]] = {}
    for profile in audit.rules:
        for each in profile.close_proxies():
            found.setdefault((each.column, each.sensitive), (each, []))[1].append(profile.place + 1)
    return [
        (
            f"{numbered(rules)} {'uses' if len(rules) == 1 else 'use'} ",
            Strong(column_name(audit, wording, each.column)),
            ", which tells much about ",
            Strong(audit.titles[each.sensitive]),
            f": {measured(each)}, on a scale from 0 (nothing) to 1 (everything); from {CLOSE:g} on "
            "it counts as a close stand-in.",
        )
        for each, rules in sorted(found.values(), key=lambda pair: -pair[0].strength)
    ]


def closest_proxy(audit: Audit, wording: Wording) -> str:
    """How close the closest comes where none is close; empty where nothing was measured."""
    known = [each for each in indirect(audit) if each.strength == each.strength]
    if not known:
        return ""
    each = known[0]
    return (
        "No feature of the rules is a close stand-in for a chosen column. The closest: "
        f"{column_name(audit, wording, each.column)} for {audit.titles[each.sensitive]}, "
        f"{measured(each)}; from {CLOSE:g} on it would count as close."
    )


def measured(each: Association) -> str:
    """The measure with its figure."""
    return f"{each.measure} {each.strength:.2f}, mutual information {each.information:.2f} bits"


def shades_in_words(compared: int) -> str:
    """What dark and grey mean where so many groups are compared.

    Examples
    --------
    >>> shades_in_words(1)
    'Dark: it differs. Grey: it may be chance.'
    """
    if not compared:
        return "No group has enough records to be compared."
    corrected = f", also when corrected for {compared:,} comparisons at once (Holm’s method)"
    return f"Dark: it differs{corrected if compared > 1 else ''}. Grey: it may be chance."


def explained_alike(rows: Sequence[ForestRow]) -> Text:
    """What may be said about the explanation in each group."""
    worse = [row for row in rows if row.enough and row.differs and row.difference.value < 0]
    if worse:
        names = [piece for row in worse for piece in (Strong(row.group), ", ")][:-1]
        return (
            "The rules explain the black box less well for ",
            *names,
            ": read what is said about them with more care.",
        )
    sure = judged(rows)
    if not sure:
        return "There are not enough records to say."
    return f"No group shows a worse explanation, of {counted(sure, 'group')} with enough records."


def judged(rows: Sequence[ForestRow]) -> int:
    """How many groups have enough records to be compared."""
    return sum(row.enough and row.difference.is_defined for row in rows)


def difference_in_words(audit: Audit, group: Subgroup, outcome: str) -> Text:
    """A group's difference by the rules, and which of them contributes most."""
    answers = group.answers["theory"]
    comparison = answers.comparison
    assert comparison is not None  # only such groups are asked about
    return (
        "The rules call ",
        Strong(percent(answers.selected.value, 1)),
        f" of {group.title} {outcome} ({counted(answers.known, 'record')}), ",
        Strong(points(comparison.difference.value)),
        f" against {comparison.against}, {VERDICTS[comparison.verdict]}. "
        f"{_largest_part(audit, group)}",
    )


def _largest_part(audit: Audit, group: Subgroup) -> str:
    parts = [each for each in audit.shares_of(group) if abs(each.contribution) >= 0.0005]
    if not parts:
        return "No rule contributes to it."
    most = max(parts, key=lambda each: abs(each.contribution))
    who = f"Rule {most.rule + 1}" if most.rule is not None else "“Otherwise”"
    return f"{who} contributes most: {points(most.contribution)}."


def combinations_in_words(rows: Sequence[ForestRow], drawn: int, enough: int) -> str:
    """Which combinations of columns are drawn, and what became of the others."""
    sure = judged(rows)
    nobody = sum(not row.size for row in rows)
    few = sum(bool(row.size) and not row.enough for row in rows)
    first = ", who gets it most often first" if drawn else ""
    said = [f"{counted(len(rows), 'combination')}{first}."]
    if few:
        said.append(
            f"Not drawn, for want of evidence: {few:,} with fewer than {enough} records on one "
            "side."
        )
    if nobody:
        said.append(f"{nobody:,} {'does' if nobody == 1 else 'do'} not occur.")
    if any(row.size and row.enough and not row.difference.is_defined for row in rows):
        said.append("One is what the others are compared with.")
    if drawn < sure:
        said.append(f"Of the other {sure:,} the {drawn:,} with the largest differences are drawn.")
    return " ".join([*said, "All are in the table “Every group in figures” below."])


def remarks(audit: Audit, profile: RuleProfile, wording: Wording) -> Iterator[str]:
    """What has to be known about one rule."""
    if not profile.covered:
        yield "It covers none of the counted records."
    if profile.sensitive:
        yield f"Names outright: {', '.join(audit.titles[name] for name in profile.sensitive)}."
    close = [
        f"{column_name(audit, wording, each.column)} for {audit.titles[each.sensitive]} "
        f"({measured(each)})"
        for each in profile.close_proxies()
    ]
    if close:
        yield f"Close stand-ins: {', '.join(close)}."
    enough = audit.settings.enough
    if 0 < profile.covered < enough:
        yield f"Fewer than {enough} records: not enough records on whom it covers."
