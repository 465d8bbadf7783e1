"""The rules in the languages of others, to be copied."""

from __future__ import annotations

from glocalx.export import theory_to_markdown, theory_to_python
from glocalx.report.content import ReportContent
from glocalx.report.elements import Markup, element
from glocalx.report.sections.section import Section


def machine(content: ReportContent) -> Section:
    theory = content.theory
    body = [
        _folded("As SQL", theory.to_sql()),
        _folded("As a Python function without dependencies", theory_to_python(theory)),
        _folded("As Markdown", theory_to_markdown(theory, content.wording)),
    ]
    return Section("machine", "The rules for machines", body, screen_only=True)


def _folded(title: str, source: str) -> Markup:
    return element("details", element("summary", title), element("pre", element("code", source)))
