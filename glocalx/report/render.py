"""The report as one HTML page that needs nothing else: no network, no script, no font.

Sections are plain values; the template `templates/report.html` says how each kind of block looks.
Every text is escaped there, wherever it comes from.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from glocalx.plots.colours import OutcomeColours
from glocalx.plots.scale import Scale
from glocalx.report.blocks import DotFigure, ReportSection, RuleCard
from glocalx.report.data_table import cell_lines
from glocalx.report.elements import Markup, breakable, readable
from glocalx.report.marks import coverage_bar, dot_figure, hatches
from glocalx.report.report import ReportContent
from glocalx.report.sections.faithfulness import faithfulness
from glocalx.report.sections.groups import groups
from glocalx.report.sections.limits import limits
from glocalx.report.sections.provenance import machine, provenance
from glocalx.report.sections.responsibility import responsibility
from glocalx.report.sections.rules import rule_figures, rules
from glocalx.report.sections.summary import summary
from glocalx.report.sections.traits import traits
from glocalx.report.style import style_sheet
from glocalx.words.figures import in_points, paper_percent
from glocalx.words.phrases import counted

SECTIONS: tuple[Callable[[ReportContent], ReportSection | None], ...] = (
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


def report_sections(content: ReportContent) -> list[ReportSection]:
    """The sections that there is something to say in."""
    return [made for section in SECTIONS if (made := section(content)) is not None]


def render_report(content: ReportContent) -> str:
    """The whole page as text; write it as UTF-8."""
    colours = OutcomeColours.of(content.theory.schema.outcomes, content.outcome)

    def tone(outcome: str) -> int:
        return colours.place(outcome) % len(colours.palette.outcomes)

    about = [content.explained.black_box, content.explained.table]
    environment = _environment()
    template = environment.get_template("report.html")
    return template.render(
        content=content,
        sections=report_sections(content),
        made=" · ".join([*(name for name in about if name), f"made {content.made}"]),
        style=Markup(style_sheet()),
        hatches=hatches(),
        tone=tone,
        sign=colours.sign,
        called=content.wording.outcome,
        bar=lambda card: _bar(card, tone(card.outcome)),
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("glocalx.report"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: value if hasattr(value, "__html__") else readable(str(value)),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "words": breakable,
        "kind": lambda block: type(block).__name__,
        "lines": cell_lines,
        "drawn": _drawn,
        "left_out": _left_out,
    }
    return environment


def _drawn(figure: DotFigure) -> Markup:
    scale, ticks = Scale.over(figure.ends)
    say = in_points if figure.unit == "points" else paper_percent
    said = {tick: say(tick, 0) for tick in ticks}
    return dot_figure(figure.rows, scale, said, zero=figure.zero)


def _bar(card: RuleCard, tone: int) -> Markup:
    covered = card.covered or 0.0
    return coverage_bar(card.agreed, covered - card.agreed, tone, card.says)


def _left_out(number: int, what: str) -> str:
    """A word on what a table does not show."""
    are = "is" if number == 1 else "are"
    return f"{counted(number, f'more {what}')} {are} in the CSV files."
