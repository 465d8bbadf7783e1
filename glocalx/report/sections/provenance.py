"""Where everything comes from, so that it can be made again; and what is not known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from glocalx.export import theory_to_markdown, theory_to_python
from glocalx.report.blocks import (
    Block,
    Bullets,
    Code,
    Facts,
    Paragraph,
    ReportSection,
    Subheading,
)
from glocalx.report.report import ReportContent
from glocalx.words.figures import paper_percent

_NAMES = {
    "alpha": "Rules of highest fidelity (alpha)",
    "alpha_q": "Rules from this percentile up (alpha_q)",
    "bic_on": "BIC measured on",
    "budget": "At most so many rules (budget)",
    "candidates": "Chosen from",
    "evidence": "Background records held against rules",
    "resample": "Probability of another value",
}


def provenance(content: ReportContent) -> ReportSection:
    return ReportSection.of("made", "What was explained, and how", _blocks(content))


def machine(content: ReportContent) -> ReportSection:
    """The rules in the languages of others, to be copied."""
    theory = content.theory
    codes = (
        Code("As SQL", theory.to_sql()),
        Code("As a Python function without dependencies", theory_to_python(theory)),
        Code("As Markdown", theory_to_markdown(theory, content.wording)),
    )
    return ReportSection("machine", "The rules for machines", codes, screen_only=True)


def _blocks(content: ReportContent) -> Iterator[Block]:
    yield Subheading("The table and the black box")
    yield Facts.of(_explained(content))
    if content.explained.findings:
        yield Subheading("Repairs and warnings")
        yield Bullets(content.explained.findings)
    yield Subheading("How the rules were made")
    method = content.method
    if method.merging is None and method.seed is None:
        yield Paragraph(
            "This report was made from a file of rules and a table. How the rules were made is not "
            "in these files, so settings, seed and model are not known here."
        )
    yield Facts.of(_method(content))
    yield from _settings("How local rules were made", method.extraction)
    yield from _settings("How they were merged", method.merging)
    yield from _settings("How the final rules were chosen", method.selection)
    if content.audit:
        yield Subheading("How the groups were looked at")
        yield Facts.of(_audit(content))
    yield Subheading("Versions")
    yield Facts.of(content.versions.items())


def _explained(content: ReportContent) -> Iterator[tuple[str, str | None]]:
    known = content.explained
    yield "Table", known.table
    yield "Fingerprint of the table", known.table_fingerprint
    yield "Records in it", None if known.records is None else f"{known.records:,}"
    yield "Features in use", None if known.features is None else f"{known.features:,}"
    yield "Column explained", known.target
    yield "Black box", known.black_box
    yield "Fingerprint of the black box", known.black_box_fingerprint
    if known.stand_in_agreement is not None:
        told = "There was no model, only answers. A model fitted to them gives the same answer in "
        yield "Stand-in", told + f"{paper_percent(known.stand_in_agreement)}."
    if known.theory_fingerprint is not None:
        yield "Fingerprint of the rules", known.theory_fingerprint


def _method(content: ReportContent) -> Iterator[tuple[str, str | None]]:
    method = content.method
    parts = None
    if method.split is not None:
        parts = ", ".join(f"{size:,} {name}" for name, size in method.split.items())
    yield "Records for", parts
    yield "Seed", None if method.seed is None else str(method.seed)
    rules = method.local_rules
    yield "Different local rules", None if rules is None else f"{rules:,}"
    for name in ("extraction", "merging", "selection"):
        if getattr(method, name) is None:
            yield f"Settings of {name}", None


def _audit(content: ReportContent) -> Iterator[tuple[str, str | None]]:
    assert content.audit is not None  # the caller asked
    audit, settings = content.audit, content.audit.settings
    yield "Outcome asked about", settings.outcome
    for axis in audit.axes:
        yield f"Groups of {axis.name}", ", ".join(axis.groups)
    against = settings.against
    named = against if isinstance(against, str) else ", ".join(map(" = ".join, against.items()))
    yield "Compared with", named
    yield "Enough evidence from", f"{settings.enough:,} records on either side"


def _settings(title: str, settings: Mapping[str, object] | None) -> Iterator[Block]:
    if settings is not None:
        yield Subheading(title)
        yield Facts.of(
            (_NAMES.get(name, _plain(name)), _value(name, value))
            for name, value in settings.items()
        )


def _plain(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _value(name: str, value: object) -> str:
    if value is None:
        return "by the number of rules" if name == "shards" else "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int | float) else str(value)
