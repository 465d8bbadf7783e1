"""How well the rules stand for the black box, on records that nothing was made from."""

from __future__ import annotations

from glocalx.evaluation import Bounds, Evaluation
from glocalx.plots.scale import Scale
from glocalx.report.content import HeldOut, ReportContent
from glocalx.report.elements import Child, Markup, element
from glocalx.report.marks import DotRow, dot_figure
from glocalx.report.sections.section import Section, paragraph
from glocalx.report.sections.summary import audited_fidelity
from glocalx.report.tables import Column, small, table
from glocalx.words.figures import (
    NO_BREAK_SPACE,
    UNDEFINED,
    in_points,
    paper_percent,
    share_interval,
)
from glocalx.words.phrases import never_used

OURS = "The rules of this report"


def faithfulness(content: ReportContent) -> Section:
    held = content.held_out
    body = _not_held_out(content) if held is None else _held_out(held)
    return Section("faithful", "How well the rules stand for the black box", body)


def _not_held_out(content: ReportContent) -> Child:
    agreed = audited_fidelity(content.audit)
    if not agreed.is_defined:
        return paragraph(
            "Not known here: there are no answers of the black box for records that the rules were "
            "not made from. Do not rely on the rules before their agreement is measured on such "
            "records."
        )
    return paragraph(
        "On the records of this report rules and black box agree in "
        f"{paper_percent(agreed.value)} (95{NO_BREAK_SPACE}% interval {share_interval(agreed)}). "
        "Whether the rules were made from the same records is not known here; if they were, the "
        "figure flatters them."
    )


def _held_out(held: HeldOut) -> Child:
    methods = {OURS: held.rules, **held.baselines}
    unused = never_used(held.unseen_by_black_box)
    told = (
        f"Measured on {held.rules.records:,} records from which {unused}. Agreement (fidelity) is "
        "how often an explanation gives the same answer as the black box. In small print: 95 % "
        "bootstrap intervals."
    )
    return [paragraph(told), _figure(methods, held), _table(methods, held), _reading(held)]


def _figure(methods: dict[str, Evaluation], held: HeldOut) -> Markup:
    bounds = [end for each in methods.values() for end in each.fidelity_interval]
    if held.majority is not None:
        bounds.append(held.majority)
    scale, ticks = Scale.over(bounds)
    rows = [_row(name, each) for name, each in methods.items()]
    said = {tick: paper_percent(tick, 0) for tick in ticks}
    figure = dot_figure(rows, scale, said, zero=held.majority)
    note = None
    if held.majority is not None:
        note = paragraph(
            f"The upright line is what the most common answer alone reaches: "
            f"{paper_percent(held.majority)}.",
            class_="quiet-text",
        )
    caption = element("figcaption", "Agreement with the black box, with 95 % intervals")
    return element("figure", caption, figure, note)


def _row(name: str, each: Evaluation) -> DotRow:
    low, high = each.fidelity_interval
    agreed = paper_percent(each.fidelity)
    says = f"{name}: {agreed}, interval {share_interval(each.fidelity_interval)}."
    end = f"{agreed} with {each.size:,} rules"
    return DotRow(name, each.fidelity, low, high, says, end, strong=name == OURS)


def _table(methods: dict[str, Evaluation], held: HeldOut) -> Markup:
    columns = [
        Column("Explanation", "text"),
        Column("Rules"),
        Column("Conditions per rule"),
        Column("Agrees with the black box"),
        Column("Right"),
        Column("Δ accuracy, in points"),
        Column("Covered by a rule"),
    ]
    rows: list[list[Child]] = [
        [
            name,
            f"{each.size:,}",
            [f"{each.length:.1f}", small(f"± {each.length_deviation:.1f}")],
            _share(each.fidelity, each.fidelity_interval),
            _share(each.accuracy, each.accuracy_interval),
            _points(each.delta_accuracy, each.delta_interval),
            paper_percent(each.coverage),
        ]
        for name, each in methods.items()
    ]
    if held.majority is not None:
        rows.append(["The most common answer", "0", UNDEFINED, paper_percent(held.majority)])
        rows[-1] += [UNDEFINED, UNDEFINED, paper_percent(0.0)]
    return table("Explanations on held-out records", columns, rows)


def _share(value: float | None, interval: Bounds | None) -> Child:
    return [paper_percent(value), small(share_interval(interval) if interval else None)]


def _points(value: float | None, interval: Bounds | None) -> Child:
    if value is None:
        return UNDEFINED
    shown = f"{in_points(interval.low)} to {in_points(interval.high)}" if interval else None
    return [in_points(value), small(shown)]


def _reading(held: HeldOut) -> Child:
    right = held.black_box_accuracy
    told = (
        ""
        if right is None
        else f"The black box itself is right on {paper_percent(right)} of them. "
    )
    return paragraph(
        f"{told}Δ accuracy is agreement minus how often the explanation is right: far above 0, it "
        "copies the black box where that is wrong, too."
    )
