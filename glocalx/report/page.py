"""The report as one HTML page that needs nothing else: no network, no script, no font."""

from __future__ import annotations

from collections.abc import Callable

from glocalx.report.content import ReportContent
from glocalx.report.elements import Markup, element
from glocalx.report.marks import hatches
from glocalx.report.sections.faithfulness import faithfulness
from glocalx.report.sections.groups import groups
from glocalx.report.sections.limits import limits
from glocalx.report.sections.machine import machine
from glocalx.report.sections.provenance import provenance
from glocalx.report.sections.responsibility import responsibility
from glocalx.report.sections.rule_figures import rule_figures
from glocalx.report.sections.rules import rules
from glocalx.report.sections.section import Section
from glocalx.report.sections.summary import summary
from glocalx.report.sections.traits import traits
from glocalx.report.style import style_sheet

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"

SECTIONS: tuple[Callable[[ReportContent], Section | None], ...] = (
    summary,
    rules,
    faithfulness,
    rule_figures,
    traits,
    groups,
    responsibility,
    limits,
    provenance,
    machine,
)


def render_report(content: ReportContent) -> str:
    """The whole page as text; write it as UTF-8."""
    sections = [made for section in SECTIONS if (made := section(content)) is not None]
    body = element(
        "body",
        hatches(),
        element("header", _brand(), element("h1", content.title), _made(content)),
        _contents(sections),
        element("main", [section.markup() for section in sections]),
        element("footer", f"Made with GLocalX {content.versions.get('glocalx', '')}."),
    )
    return f"<!DOCTYPE html>\n{element('html', _head(content), body, lang='en')}\n"


def _head(content: ReportContent) -> Markup:
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", f"{content.title} – GLocalX"),
        element("style", Markup(style_sheet())),
    )


def _brand() -> Markup:
    lines = element(
        "path",
        d="M3 6h9v8H3M3 26h9V14M12 16h8",
        stroke_width="2.6",
        stroke_linecap="round",
        stroke_linejoin="round",
    )
    logo = element(
        "svg",
        lines,
        element("circle", cx=23, cy=16, r=4),
        viewBox="0 0 30 32",
        width=26,
        height=28,
        aria_hidden="true",
    )
    return element("div", logo, "GLocalX", class_="brand")


def _made(content: ReportContent) -> Markup:
    about = [content.explained.black_box, content.explained.table]
    parts = [*(name for name in about if name), f"made {content.made}"]
    return element("p", " · ".join(parts), class_="made")


def _contents(sections: list[Section]) -> Markup:
    links = [
        element(
            "li",
            element("a", section.title, href=f"#{section.name}"),
            class_="machine" if section.screen_only else None,
        )
        for section in sections
    ]
    return element("nav", element("p", "Contents"), element("ol", links), aria_label="Contents")
