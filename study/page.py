"""The study as one HTML page that works offline, as Markdown, and as CSV files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path

from glocalx.export import table_to_csv
from glocalx.plots.colours import LIGHT
from glocalx.words.escape import as_markdown
from study import compas_tables, figures, our_tables, paper_tables, promises
from study.provenance import about_lines
from study.results import Study
from study.study_table import Entry, Figure, StudyTable

TITLE = "GLocalX: the study of the paper, done again"


@dataclass(frozen=True, slots=True)
class StudySection:
    """A table, and a chart above it where there is one."""

    table: StudyTable
    chart: str = ""


_PARTS: tuple[tuple[Callable[[Study], StudyTable | None], Callable[[Study], str] | None], ...] = (
    (promises.against_rivals, figures.fidelity_chart),
    (promises.fewer_words, None),
    (promises.alpha_and_tree, None),
    (promises.paper_alpha, None),
    (promises.fifth_of_rules, None),
    (paper_tables.black_boxes, None),
    (compas_tables.whom, None),
    (compas_tables.rules, None),
    (paper_tables.alpha_q, figures.alpha_q_charts),
    (our_tables.fewer_rules, figures.fewer_rules_charts),
    (paper_tables.effectiveness, None),
    (paper_tables.friedman_tests, None),
    (our_tables.small_theories, None),
    (our_tables.small_ranks, None),
    (our_tables.by_size, figures.by_size_charts),
    (our_tables.large_theories, None),
    (paper_tables.replacing, None),
    (paper_tables.delta_accuracy, None),
)


def sections(study: Study) -> list[StudySection]:
    """Everything that the report has, in its order."""
    found = []
    for make_table, make_chart in _PARTS:
        table = make_table(study)
        if table is not None and table.rows:
            found.append(StudySection(table, make_chart(study) if make_chart else ""))
    return found


def write_report(study: Study, folder: Path, command: str) -> list[Path]:
    """Write the page, the Markdown and a CSV file for each table; the files written."""
    parts = sections(study)
    about = about_lines(study, command)
    tables = folder / "tables"
    tables.mkdir(parents=True, exist_ok=True)
    written = [folder / "study.html", folder / "study.md"]
    written[0].write_text(_html(parts, about), encoding="utf-8")
    written[1].write_text(_markdown(parts, about), encoding="utf-8")
    for part in parts:
        path = tables / f"{part.table.name}.csv"
        path.write_text(table_to_csv(part.table.flat()), encoding="utf-8", newline="")
        written.append(path)
    return written


def _markdown(parts: list[StudySection], about: list[str]) -> str:
    lines = [f"# {TITLE}", "", *(f"- {as_markdown(line)}" for line in about), ""]
    for part in parts:
        table = part.table
        lines += [f"## {as_markdown(table.title)}", "", as_markdown(table.note), ""]
        lines.append(_markdown_row(table.columns))
        lines.append(f"|{' --- |' * len(table.columns)}")
        lines += [_markdown_row(row) for row in table.rows]
        lines.append("")
    return "\n".join(lines)


def _markdown_row(entries: tuple[Entry, ...]) -> str:
    texts = (str(each) if isinstance(each, Figure) else as_markdown(each) for each in entries)
    return f"| {' | '.join(texts)} |"


def _html(parts: list[StudySection], about: list[str]) -> str:
    links = "".join(
        f'<li><a href="#{part.table.name}">{escape(part.table.title)}</a></li>' for part in parts
    )
    told = "".join(f"<li>{escape(line)}</li>" for line in about)
    body = "".join(map(_html_section, parts))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{TITLE}</title><style>{_STYLE}</style></head><body><main><h1>{TITLE}</h1>"
        f"<p>Each cell has our mean over seeds ± its spread; the paper’s figure stands below it "
        f"in grey where the paper has one.</p>"
        f"<ul>{told}</ul><nav><ul>{links}</ul></nav>{body}</main></body></html>\n"
    )


def _html_section(part: StudySection) -> str:
    table = part.table
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.columns)
    rows = "".join(f"<tr>{''.join(map(_html_cell, row))}</tr>" for row in table.rows)
    return (
        f'<section id="{table.name}"><h2>{escape(table.title)}</h2><p>{escape(table.note)}</p>'
        f'{part.chart}<div class="wide"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div></section>"
    )


def _html_cell(entry: Entry) -> str:
    if not isinstance(entry, Figure):
        return f"<td>{escape(str(entry))}</td>"
    theirs = f'<span class="paper">paper {escape(entry.theirs)}</span>' if entry.theirs else ""
    return f'<td class="number">{escape(entry.ours)}{theirs}</td>'


_STYLE = (
    LIGHT.variables()
    + """
body{margin:0;background:var(--page);color:var(--ink);
font:16px/1.5 "Source Sans 3",system-ui,sans-serif}
main{max-width:72rem;margin:0 auto;padding:2rem 1rem 4rem}
h1,h2{font-family:"Source Serif 4",Georgia,serif;font-weight:600;line-height:1.25}
h1{font-size:2.1rem}h2{font-size:1.45rem;margin-top:3rem}p,main>ul{max-width:55rem}
a{color:var(--accent)}nav ul{columns:2 18rem;padding-left:1.2rem}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.92rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .9rem .3rem 0}
td,th{border-bottom:1px solid var(--line)}
th{background:var(--soft);padding-left:.2rem;position:sticky;top:0}
.number{white-space:nowrap;font-variant-numeric:tabular-nums}
.paper{display:block;color:var(--muted);font-size:.85em}
.grid{display:flex;flex-wrap:wrap;gap:1rem;margin:1rem 0}
.chart{width:300px;max-width:100%}.broad{width:640px}
.legend{color:var(--muted)}.key{margin-right:1.2rem}
.key svg{vertical-align:-2px}
"""
)
