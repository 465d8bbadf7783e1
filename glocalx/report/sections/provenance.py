"""Where everything comes from, so that it can be made again; and what is not known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from glocalx.report.content import ReportContent
from glocalx.report.elements import Child, Markup, element
from glocalx.report.sections.section import Section, bullets, paragraph
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


def provenance(content: ReportContent) -> Section:
    body = [
        element("h3", "The table and the black box"),
        _facts(_explained(content)),
        element("h3", "Repairs and warnings") if content.explained.findings else None,
        bullets(content.explained.findings),
        element("h3", "How the rules were made"),
        _nothing_known(content),
        _facts(_method(content)),
        _settings("How local rules were made", content.method.extraction),
        _settings("How they were merged", content.method.merging),
        _settings("How the final rules were chosen", content.method.selection),
        element("h3", "How the groups were looked at") if content.audit else None,
        _facts(_audit(content)) if content.audit else None,
        element("h3", "Versions"),
        _facts(content.versions.items()),
    ]
    return Section("made", "What was explained, and how", body)


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


def _settings(title: str, settings: Mapping[str, object] | None) -> Child:
    if settings is None:
        return None
    facts = [
        (_NAMES.get(name, _plain(name)), _value(name, value)) for name, value in settings.items()
    ]
    return [element("h3", title), _facts(facts)]


def _plain(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _value(name: str, value: object) -> str:
    if value is None:
        return "by the number of rules" if name == "shards" else "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def _facts(facts: Iterable[tuple[str, str | None]]) -> Markup:
    lines = [
        [element("dt", name), element("dd", _unknown() if value is None else value)]
        for name, value in facts
    ]
    return element("dl", lines, class_="facts")


def _unknown() -> Markup:
    return element("span", "not known here", class_="unknown")


def _nothing_known(content: ReportContent) -> Child:
    """A sentence where the report was made without the run that made the rules."""
    if content.method.merging is not None or content.method.seed is not None:
        return None
    return paragraph(
        "This report was made from a file of rules and a table. How the rules were made is not in "
        "these files, so settings, seed and model are not known here."
    )
