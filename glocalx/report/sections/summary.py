"""At a glance: what this is, four figures, and what is worth asking about."""

from __future__ import annotations

from collections.abc import Iterator

from glocalx.audit import Audit
from glocalx.report.blocks import (
    Block,
    Bullets,
    KeyFigures,
    OutcomeBadge,
    Paragraph,
    ReportSection,
    Text,
)
from glocalx.report.report import ReportContent
from glocalx.report.sections.limits import CAVEAT
from glocalx.report.sentences import close_proxies, named_outright
from glocalx.words.figures import paper_percent, share_interval
from glocalx.words.phrases import counted, listing


def summary(content: ReportContent) -> ReportSection:
    return ReportSection.of("glance", "At a glance", _blocks(content))


def _blocks(content: ReportContent) -> Iterator[Block]:
    theory = content.theory
    lead: Text = (
        f"{counted(theory.size, 'rule')} that answer like the black box. The first that applies "
        "decides; where none does, the answer is ",
        OutcomeBadge(theory.default),
        ". The report asks above all who is called ",
        OutcomeBadge(content.outcome),
        ".",
    )
    yield Paragraph(lead, "lead")
    yield KeyFigures(tuple(_figures(content)))
    flags = [] if content.audit is None else list(_flags(content, content.audit))
    if flags:
        yield Bullets(tuple(flags), "Worth asking about:")
    yield Paragraph(
        "The rules describe the black box, its mistakes included. They are not rules about people, "
        f"and no advice for a single person. {CAVEAT}"
    )


def _figures(content: ReportContent) -> Iterator[tuple[str, str, str]]:
    yield _agreement(content)
    theory, audit = content.theory, content.audit
    yield "Rules", f"{theory.size:,}", f"{theory.length:.1f} conditions each"
    if audit is None:
        return
    by = listing(audit.titles[column] for column in audit.settings.by)
    yield "Records looked at", f"{audit.records:,}", f"in groups by {by}"
    share = paper_percent(audit.selected().rate().value)
    yield f"Called {content.asked}", share, "of these records, by the rules"


def _agreement(content: ReportContent) -> tuple[str, str, str]:
    title = "Agrees with the black box"
    if content.held_out is not None:
        held = content.held_out.rules
        interval = share_interval(held.fidelity_interval)
        under = f"{interval}, on {held.records:,} held-out records"
        return title, paper_percent(held.fidelity), under
    if content.audit is None or not content.audit.fidelity.is_defined:
        return title, "not known", "no such answers are at hand"
    agreed = content.audit.fidelity
    under = f"{share_interval(agreed)}, on the records looked at"
    return title, paper_percent(agreed.value), under


def _flags(content: ReportContent, audit: Audit) -> Iterator[Text]:
    yield from named_outright(audit)
    yield from close_proxies(audit, content.wording)
    different = [
        group.title
        for group in audit.subgroups.subgroups
        if (answers := group.answers["theory"]).comparison is not None
        and answers.comparison.verdict == "different"
    ]
    if different:
        made = audit.subgroups.compared["theory"]
        yield (
            f"In {len(different):,} of {counted(made, 'comparison')} the rules call a group "
            f"“{content.asked}” more or less often than chance explains: {listing(different, 5)}."
        )
