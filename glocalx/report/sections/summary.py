"""At a glance: what this is, four figures, and what is worth asking about."""

from __future__ import annotations

from collections.abc import Iterator

from glocalx.audit import Audit
from glocalx.audit.intervals import UNDEFINED, Estimate
from glocalx.report.content import ReportContent
from glocalx.report.elements import Child, Markup, element
from glocalx.report.sections.section import CAVEAT, Section, badge, bullets, paragraph
from glocalx.words.figures import paper_percent, share_interval
from glocalx.words.phrases import counted, listing


def summary(content: ReportContent) -> Section:
    theory = content.theory
    lead = [
        f"{counted(theory.size, 'rule')} that answer like the black box. The first that applies "
        "decides; where none does, the answer is ",
        badge(content, theory.default),
        ". The report asks above all who is called ",
        badge(content, content.outcome),
        ".",
    ]
    figures = element("dl", [_figure(*each) for each in _figures(content)], class_="key")
    flags = list(_flags(content))
    flagged = element("div", paragraph("Worth asking about:"), bullets(flags), class_="flag")
    caveat = paragraph(
        "The rules describe the black box, its mistakes included. They are not rules about people, "
        f"and no advice for a single person. {CAVEAT}"
    )
    body = [paragraph(lead, class_="lead"), figures, flagged if flags else None, caveat]
    return Section("glance", "At a glance", body)


def _figure(title: str, value: str, under: Child) -> Markup:
    return element(
        "div",
        element("dt", title),
        element("dd", element("div", value, class_="big"), element("div", under, class_="under")),
    )


def _figures(content: ReportContent) -> Iterator[tuple[str, str, Child]]:
    yield _agreement(content)
    theory = content.theory
    yield "Rules", f"{theory.size:,}", f"{theory.length:.1f} conditions each"
    if content.audit is None:
        return
    audit = content.audit
    yield (
        "Records looked at",
        f"{audit.records:,}",
        f"in groups by {listing(map(content.column, audit.settings.by))}",
    )
    share = overall_share(audit)
    yield f"Called {content.asked}", paper_percent(share), "of these records, by the rules"


def _agreement(content: ReportContent) -> tuple[str, str, Child]:
    title = "Agrees with the black box"
    if content.held_out is not None:
        held = content.held_out.rules
        interval = share_interval(held.fidelity_interval)
        return (
            title,
            paper_percent(held.fidelity),
            f"{interval}, on {held.records:,} held-out records",
        )
    agreed = audited_fidelity(content.audit)
    if not agreed.is_defined:
        return title, "not known", "no such answers are at hand"
    return (
        title,
        paper_percent(agreed.value),
        f"{share_interval(agreed)}, on the records looked at",
    )


def audited_fidelity(audit: Audit | None) -> Estimate:
    """Agreement with the black box over all audited records."""
    if audit is None or not audit.ablations:
        return UNDEFINED
    return audit.ablations[0].fidelity_before


def overall_share(audit: Audit) -> float:
    """The share of all audited records to which the rules give the outcome asked about."""
    first = audit.subgroups.subgroups[0].columns  # groups of one column make up everyone
    groups = [group for group in audit.subgroups.subgroups if group.columns == first]
    given = [group.answers["theory"] for group in groups if group.size]
    hits = sum(answers.selected.value * answers.known for answers in given)
    return hits / audit.records if audit.records else float("nan")


def _flags(content: ReportContent) -> Iterator[str]:
    audit = content.audit
    if audit is None:
        return
    for column in audit.settings.by:
        naming = [str(each.place + 1) for each in audit.rules if column in each.sensitive]
        if naming:
            which = f"rule {naming[0]}" if len(naming) == 1 else f"rules {', '.join(naming)}"
            yield f"“{content.column(column)}” is named outright by {which}."
    for each in audit.associations:
        if each.is_close() and each.column not in audit.settings.by:
            column, sensitive = content.column(each.column), content.column(each.sensitive)
            yield (
                f"“{column}”, used by a rule, tells much about “{sensitive}”: {each.measure} "
                f"{each.strength:.2f}, where 1 would tell everything."
            )
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
