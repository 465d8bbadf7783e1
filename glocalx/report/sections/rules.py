"""The rules in words, each with how much it covers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from glocalx.report.content import ReportContent
from glocalx.report.elements import Child, Markup, element
from glocalx.report.marks import coverage_bar
from glocalx.report.sections.section import Section, badge, paragraph, tone_of
from glocalx.words.figures import paper_percent
from glocalx.words.wording import Phrase


@dataclass(frozen=True, slots=True)
class _Reach:
    """How much a rule covers, and where the black box says the same; NaN where not known."""

    covered: int
    total: int | None
    agrees: float


def rules(content: ReportContent) -> Section:
    reaches = [_reach(content, place) for place in range(content.theory.size)]
    cards = [_card(content, place, reach) for place, reach in enumerate(reaches)]
    otherwise = ["Otherwise ", badge(content, content.theory.default), "."]
    cards.append(element("li", otherwise, class_="rule"))
    body: list[Child] = [paragraph("The first rule that applies decides.", " ", _told(content))]
    if any(reach.total for reach in reaches):
        body.append(
            paragraph(
                "The bar is the share of these records that a rule covers: solid where the black "
                "box gives the same answer, hatched where it does not.",
                class_="quiet-text",
            )
        )
    return Section("rules", "The rules", [*body, element("ol", cards, class_="rules")])


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


def _card(content: ReportContent, place: int, reach: _Reach) -> Markup:
    rule = content.theory.rules[place]
    figures: list[Child] = ["covers ", element("b", _covers(reach))]
    if not math.isnan(reach.agrees):
        figures += [" · agrees ", element("b", paper_percent(reach.agrees, 0))]
    top = element(
        "div",
        element("span", f"Rule {place + 1}"),
        badge(content, rule.outcome),
        element("span", figures, class_="figures"),
        class_="top",
    )
    return element(
        "li",
        top,
        paragraph(map(_phrase, content.wording.parts(rule, outcome=False)), class_="sentence"),
        paragraph(content.wording.short(rule), class_="notation"),
        _bar(content, place, reach),
        class_="rule",
    )


def _phrase(phrase: Phrase) -> Child:
    return element("b", phrase.text) if phrase.role == "condition" else phrase.text


def _covers(reach: _Reach) -> str:
    if not reach.total:
        return f"{reach.covered:,} records"
    return paper_percent(reach.covered / reach.total)


def _bar(content: ReportContent, place: int, reach: _Reach) -> Markup | None:
    if not reach.total:
        return None
    share = reach.covered / reach.total
    known = not math.isnan(reach.agrees)
    agreed = share * reach.agrees if known else share
    says = f"Rule {place + 1} covers {paper_percent(share)} of {reach.total:,} records"
    says += f"; the black box agrees on {paper_percent(reach.agrees)} of them." if known else "."
    tone = tone_of(content, content.theory.rules[place].outcome)
    return coverage_bar(agreed, share - agreed, tone, says)
