"""The rules in words, each with how much it covers; and what each of them does, in figures."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from glocalx.audit import Audit
from glocalx.audit.proxies import CLOSE
from glocalx.report.blocks import (
    Block,
    Paragraph,
    ReportSection,
    RuleCard,
    RuleCards,
    Subheading,
)
from glocalx.report.report import ReportContent
from glocalx.report.tables.rules import proxies_table, rule_table
from glocalx.words.figures import UNDEFINED, paper_percent


@dataclass(frozen=True, slots=True)
class _Reach:
    """How much a rule covers, and where the black box says the same; NaN where not known."""

    covered: int
    total: int | None
    agrees: float


def rules(content: ReportContent) -> ReportSection:
    reaches = [_reach(content, place) for place in range(content.theory.size)]
    cards = tuple(_card(content, place, reach) for place, reach in enumerate(reaches))
    blocks: list[Block] = [Paragraph(f"The first rule that applies decides. {_told(content)}")]
    if any(reach.total for reach in reaches):
        told = (
            "The bar is the share of these records that a rule covers: solid where the black box "
            "gives the same answer, hatched where it does not."
        )
        blocks.append(Paragraph(told, "quiet"))
    return ReportSection.of(
        "rules", "The rules", [*blocks, RuleCards(cards, content.theory.default)]
    )


def _told(content: ReportContent) -> str:
    if content.audit is not None:
        return (
            f"Coverage and agreement are counted on the {content.audit.records:,} audited records."
        )
    return "Coverage and agreement are those on the records that the rules were made from."


def _reach(content: ReportContent, place: int) -> _Reach:
    if content.audit is not None:
        profile = content.audit.rules[place]
        return _Reach(profile.covered, content.audit.records, profile.agrees.value)
    ranked = content.theory.ranked[place]
    agrees = ranked.agreed / ranked.covered if ranked.covered else math.nan
    return _Reach(ranked.covered, (content.method.split or {}).get("explaining"), agrees)


def _card(content: ReportContent, place: int, reach: _Reach) -> RuleCard:
    rule, known = content.theory.rules[place], not math.isnan(reach.agrees)
    share = reach.covered / reach.total if reach.total else None
    says = ""
    if share is not None:
        says = f"Rule {place + 1} covers {paper_percent(share)} of {reach.total:,} records"
        agreed = f"; the black box agrees on {paper_percent(reach.agrees)} of them."
        says += agreed if known else "."
    return RuleCard(
        place + 1,
        rule.outcome,
        tuple(content.wording.parts(rule, outcome=False)),
        content.wording.short(rule),
        f"{reach.covered:,} records" if share is None else paper_percent(share),
        paper_percent(reach.agrees, 0) if known else "",
        share,
        (share or 0.0) * (reach.agrees if known else 1.0),
        says,
    )


def rule_figures(content: ReportContent) -> ReportSection | None:
    """What each rule covers, decides and gets right, and which sensitive columns it speaks of."""
    if content.audit is None or not content.audit.rules:
        return None
    return ReportSection.of("each-rule", "What each rule does", _figures(content, content.audit))


def _figures(content: ReportContent, audit: Audit) -> Iterator[Block]:
    table = rule_table(audit, content.wording)
    yield Paragraph(
        "A rule covers every record that meets its conditions, and decides those that no rule "
        "before it covers. “Agrees” is the share to which the black box gives the rule’s answer, "
        "“right” the share for which that answer is true; in small print 95 % Wilson intervals. "
        f"{UNDEFINED} means undefined: there is nothing to count."
    )
    yield table.only(
        *("Rule", "Then", "Covers", "Decides"),
        *("Agrees", "True", "Decided agrees", "Decided true"),
    )
    yield table.only(
        *("Rule", "Then", "Uses", "Names", "Proxies", "Overlaps"),
        caption="What each rule uses, and whom it shares records with",
    )
    proxies = proxies_table(audit, content.wording)
    if not proxies.rows:
        return
    yield Subheading("Proxies")
    yield Paragraph(
        "A column that is not sensitive itself can stand in for one that is. From a strength of "
        f"{CLOSE:g} it is called close here; below that, several weak ones together may still "
        "tell. Strength is Cramér’s V between categories, and the correlation ratio where a number "
        "is involved. Both are corrected for what chance alone gives (V after Bergsma 2013, the "
        "ratio by epsilon squared), so unrelated columns stay near 0 also in small tables. Mutual "
        "information is not corrected: a little of it is chance."
    )
    yield proxies
