"""What each rule covers, decides and gets right, and which sensitive columns it speaks of."""

from __future__ import annotations

from glocalx.audit import Audit
from glocalx.audit.proxies import CLOSE, Association
from glocalx.audit.rule_profile import Overlap, RuleProfile
from glocalx.report.content import ReportContent
from glocalx.report.elements import Child, element
from glocalx.report.sections.section import Section, badge, paragraph
from glocalx.report.tables import Column, share_cell, small, table
from glocalx.words.figures import UNDEFINED, fixed, paper_percent

MOST_OVERLAPS = 3


def rule_figures(content: ReportContent) -> Section | None:
    audit = content.audit
    if audit is None or not audit.rules:
        return None
    body = [
        paragraph(
            "A rule covers every record that meets its conditions, and decides those that no rule "
            "before it covers. “Agrees” is the share to which the black box gives the rule’s "
            "answer, “right” the share for which that answer is true; in small print 95 % Wilson "
            f"intervals. {UNDEFINED} means undefined: there is nothing to count."
        ),
        _reach_table(content, audit),
        _features_table(content, audit),
        _proxies(content, audit),
    ]
    return Section("each-rule", "What each rule does", body)


def _reach_table(content: ReportContent, audit: Audit) -> Child:
    columns = [
        Column("Rule", "text"),
        Column("Covers"),
        Column("Decides"),
        Column("Covered: agrees"),
        Column("Covered: right"),
        Column("Decided: agrees"),
        Column("Decided: right"),
    ]
    rows = [
        [
            [f"{profile.place + 1} ", badge(content, profile.rule.outcome)],
            _count(profile.covered, audit.records),
            _count(profile.decided, audit.records),
            share_cell(profile.agrees),
            share_cell(profile.right),
            share_cell(profile.decided_agrees),
            share_cell(profile.decided_right),
        ]
        for profile in audit.rules
    ]
    return table("What each rule covers and decides", columns, rows)


def _count(records: int, total: int) -> Child:
    return [f"{records:,}", small(paper_percent(records / total) if total else None)]


def _features_table(content: ReportContent, audit: Audit) -> Child:
    columns = [
        Column("Rule", "text"),
        Column("Columns it uses", "text"),
        Column("Sensitive ones it names", "text"),
        Column("Close proxies it uses", "text"),
        Column("Of its records, covered too by", "text"),
    ]
    rows = [
        [
            [f"{profile.place + 1} ", badge(content, profile.rule.outcome)],
            ", ".join(map(content.column, profile.features)) or "none",
            element("b", ", ".join(map(content.column, profile.sensitive)))
            if profile.sensitive
            else "none",
            ", ".join(_proxy(content, each) for each in profile.close_proxies()) or "none",
            _overlaps(profile),
        ]
        for profile in audit.rules
    ]
    return table("What each rule uses, and whom it shares records with", columns, rows)


def _proxy(content: ReportContent, each: Association) -> str:
    return f"{content.column(each.column)} → {content.column(each.sensitive)}"


def _overlaps(profile: RuleProfile) -> Child:
    if not profile.overlaps:
        return "none"
    shown = [small(_overlap(each)) for each in _first(profile)]
    more = len(profile.overlaps) - MOST_OVERLAPS
    return [shown, small(f"and {more} more in overlaps.csv") if more > 0 else None]


def _first(profile: RuleProfile) -> tuple[Overlap, ...]:
    return profile.overlaps[:MOST_OVERLAPS]


def _overlap(each: Overlap) -> str:
    says = "" if each.same_outcome else ", other answer"
    return f"rule {each.rule + 1}: {paper_percent(each.share, 0)}{says}"


def _proxies(content: ReportContent, audit: Audit) -> Child:
    """How much the columns that rules use tell about the sensitive ones."""
    indirect = [each for each in audit.associations if each.column not in audit.settings.by]
    if not indirect:
        return None
    columns = [
        Column("Column", "text"),
        Column("Tells about", "text"),
        Column("Strength, 0 to 1"),
        Column("Measure", "text"),
        Column("Mutual information, in bits"),
        Column("… of all there is to know"),
        Column("Records"),
    ]
    ordered = sorted(indirect, key=lambda each: -(each.strength if each.strength > 0 else 0))
    rows = [
        [
            content.column(each.column),
            content.column(each.sensitive),
            [fixed(each.strength), small("close" if each.is_close() else None)],
            each.measure.removeprefix("corrected "),
            fixed(each.information, 3),
            paper_percent(each.share_known),
            f"{each.records:,}",
        ]
        for each in ordered
    ]
    told = paragraph(
        "A column that is not sensitive itself can stand in for one that is. From a strength of "
        f"{CLOSE:g} it is called close here; below that, several weak ones together may still "
        "tell. Strength is Cramér’s V between categories, and the correlation ratio where a number "
        "is involved. Both are corrected for what chance alone gives (V after Bergsma 2013, the "
        "ratio by epsilon squared), so unrelated columns stay near 0 also in small tables. Mutual "
        "information is not corrected: a little of it is chance."
    )
    return [
        element("h3", "Proxies"),
        told,
        table("What the columns in use tell about the sensitive ones", columns, rows),
    ]
