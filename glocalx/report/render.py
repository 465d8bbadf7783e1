"""The report as one HTML page that needs nothing else: no network, no script, no font.

The templates say what stands in it and how it looks; `report.html` is the whole, `blocks.html` what
sections are made of. Every text is escaped there, wherever it comes from. Beside it, every export
by the name of its file.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from glocalx.audit import audit_tables, json_ready
from glocalx.audit.classifier_audit import classifier_tables
from glocalx.audit.comparison import BAND
from glocalx.audit.findings import findings
from glocalx.audit.proxies import CLOSE
from glocalx.evaluation.verdict import LIMITS, enough_said
from glocalx.export import table_to_csv, theory_to_markdown, theory_to_python
from glocalx.plots.canvas import percent_of
from glocalx.plots.colours import DARK, LIGHT, STYLED, OutcomeColours
from glocalx.plots.scale import Scale
from glocalx.questions.curve_cuts import curve_told
from glocalx.report.data_table import cell_lines
from glocalx.report.figures import fidelity_figure, group_figure
from glocalx.report.finding_pictures import FindingPictures
from glocalx.report.findings import FLIP_NOTE, HOW, FoundWords
from glocalx.report.report import ReportContent
from glocalx.report.sentences import CAVEAT, bounds_said, compared_with
from glocalx.report.tables.classifier import (
    calibration_data,
    classifier_sentences,
    given_table,
    parity_table,
)
from glocalx.report.tables.findings import (
    flips_by_rule_table,
    flips_table,
    others_table,
    unchanged_flips,
)
from glocalx.report.tables.groups import (
    CALLED,
    compared_table,
    errors_table,
    of_combinations,
    of_large_groups,
    of_single_columns,
    side_by_side_table,
)
from glocalx.report.tables.held_out import found_table, held_out_rows, held_out_table
from glocalx.report.tables.responsibility import all_ablations_table, heat_table
from glocalx.report.tables.rests_on import rests_on_sentences, rests_on_table
from glocalx.report.tables.rules import proxies_table, rule_table
from glocalx.report.tables.traits import traits_table
from glocalx.words.figures import in_points, paper_percent, share_interval
from glocalx.words.phrases import counted, listing, never_used

# No character that is no text (controls, halves of pairs), nor one that turns the direction of
# what follows and so can make a sentence read as another.
_NO_TEXT = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_LONG_WORD = re.compile(r"\S{25,}")

MAKERS = (
    *(all_ablations_table, compared_table, errors_table, found_table, heat_table, held_out_table),
    *(proxies_table, rule_table, traits_table, fidelity_figure, group_figure),
    *(findings, FoundWords, others_table, flips_table, flips_by_rule_table, unchanged_flips),
    *(curve_told, rests_on_sentences, rests_on_table, side_by_side_table),
    *(calibration_data, classifier_sentences, given_table, parity_table),
    *(bounds_said, compared_with, theory_to_markdown, theory_to_python),
)
"""What templates may ask for."""


def report_files(content: ReportContent) -> dict[str, bytes]:
    """The page, everything as JSON, every table as CSV, and the rules in other languages.

    CSV files begin with a byte-order mark, by which spreadsheets know UTF-8; what could be a
    formula is defused.
    """
    theory = content.theory
    texts = {
        "report.html": render_report(content),
        "report.json": _json(content.to_dict()),
        "theory.sql": theory.to_sql(),
        "theory.py": theory_to_python(theory),
        "theory.md": theory_to_markdown(theory, content.wording),
    }
    if content.audit is not None:
        more = {} if content.classifier is None else classifier_tables(content.classifier)
        texts["audit.json"] = _json({**json_ready(content.audit, content.wording), **more})
        for name, rows in {**audit_tables(content.audit, content.wording), **more}.items():
            texts[f"{name}.csv"] = "\ufeff" + table_to_csv(rows)
    if content.held_out is not None:
        texts["held_out.csv"] = "\ufeff" + table_to_csv(held_out_rows(content.held_out))
    return {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()}


def _json(content: Mapping[str, object]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)


def render_report(content: ReportContent) -> str:
    """The whole page as text; write it as UTF-8."""
    colours = OutcomeColours.of(content.theory.schema.outcomes, content.outcome, STYLED)
    return (
        templates()
        .get_template("report.html")
        .render(
            content=content,
            theory=content.theory,
            audit=content.audit,
            held_out=content.held_out,
            wording=content.wording,
            asked=content.asked,
            tone=lambda outcome: colours.place(outcome) % len(colours.palette.outcomes),
            sign=colours.sign,
            called=content.wording.outcome,
            drawn=lambda found: FindingPictures(
                colours, content.outcome, tuple(each.comparison for each in found), inline=True
            ),
        )
    )


@cache
def templates() -> Environment:
    """What the page is made with; a text in a template is text, whatever it says."""
    environment = Environment(
        loader=PackageLoader("glocalx.report"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: value if hasattr(value, "__html__") else readable(str(value)),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals |= {make.__name__: make for make in MAKERS}
    environment.globals |= {
        "CAVEAT": CAVEAT,
        "CLOSE": CLOSE,
        "BAND": BAND,
        "LIMITS": LIMITS,
        "CALLED": CALLED,
        "FLIP_NOTE": FLIP_NOTE,
        "HOW": HOW,
    }
    environment.globals |= {"LIGHT": LIGHT, "DARK": DARK, "scale_over": Scale.over}
    environment.tests["finite"] = math.isfinite
    environment.filters |= {
        "words": breakable,
        "counted": counted,
        "enough_said": enough_said,
        "listing": listing,
        "never_used": never_used,
        "percent": paper_percent,
        "interval": share_interval,
        "commas": lambda number: None if number is None else f"{number:,}",
        "sizes": _sizes,
        "setting": _setting,
        "lines": cell_lines,
        **{each.__name__: each for each in (of_combinations, of_large_groups, of_single_columns)},
        "width": percent_of,
        "drawn": lambda picture: Markup(picture.html),  # all text in it is escaped
        "at": _place,
        "tick": lambda value, unit: (in_points if unit == "points" else paper_percent)(value, 0),
    }
    return environment


def readable(value: str) -> str:
    """A text in which every character shows, and none turns the direction of the others."""
    return _NO_TEXT.sub("\ufffd", value)


def breakable(value: str) -> Markup:
    """A text whose very long words may break, so that no name is wider than a page.

    Examples
    --------
    >>> breakable("id " + 30 * "x")
    Markup('id xxxxxxxxxxxx<wbr>xxxxxxxxxxxx<wbr>xxxxxx')
    """
    pieces = _LONG_WORD.sub(lambda word: "\0".join(re.findall(".{1,12}", word[0])), readable(value))
    return Markup("<wbr>").join(pieces.split("\0"))


def _sizes(parts: Mapping[str, int] | None) -> str | None:
    return None if parts is None else ", ".join(f"{n:,} {name}" for name, n in parts.items())


def _setting(value: object, name: str) -> str:
    if value is None:
        return "by the number of rules" if name == "shards" else "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def _place(value: float, scale: Scale) -> str:
    """A little in from the edges, so that no mark is cut; what is off the scale is at its end."""
    return percent_of(0.03 + 0.94 * min(max(scale.place(value), 0), 1))
