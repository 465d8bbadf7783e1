"""The chosen rules as files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from glocalx.export import table_to_csv, theory_to_markdown, theory_to_python
from glocalx.files.theories import theory_text
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.dialects import DIALECTS, DUCKDB
from glocalx.words.escape import as_file_name
from glocalx.words.wording import Wording
from ui.layout import download, refusals


@dataclass(frozen=True, slots=True)
class RuleFile:
    """One form of the rules: for people, what kind of file, and how it is written."""

    label: str
    icon: str
    ending: str
    mime: str
    write: Callable[[RankedTheory, Wording], str]

    def content(self, theory: RankedTheory, wording: Wording) -> bytes:
        """The file; spreadsheets tell the encoding of a table by its first bytes."""
        encoding = "utf-8-sig" if self.ending == "csv" else "utf-8"
        return self.write(theory, wording).encode(encoding)


def as_text(theory: RankedTheory, wording: Wording) -> str:
    """Numbered sentences."""
    lines = [
        f"{i}. {wording.sentence(each.rule)}"
        + (f" ({wording.by_hand(each.mark)})" if each.mark else "")
        for i, each in enumerate(theory.ranked, start=1)
    ]
    lines.append(f"Otherwise {wording.outcome(theory.default)}.")
    opening = ["The first rule that applies decides.", *wording.steered(theory.steering)]
    return "\n".join([*opening, "", *lines]) + "\n"


def as_csv(theory: RankedTheory, wording: Wording) -> str:
    """A row for each rule."""
    rows: list[dict[str, object]] = [
        {
            "rule": place,
            "if": wording.premises(ranked.rule) or "always",
            "then": ranked.rule.outcome,
            "records covered": ranked.covered,
            "black box agrees": ranked.agreed,
            "in words": wording.sentence(ranked.rule),
            "by hand": wording.by_hand(ranked.mark),
        }
        for place, ranked in enumerate(theory.ranked, start=1)
    ]
    rows.append({"rule": None, "if": "otherwise", "then": theory.default})
    columns = ["rule", "if", "then", "records covered", "black box agrees", "in words"]
    return table_to_csv(rows, [*columns, *(["by hand"] if theory.steering else [])])


def as_json(theory: RankedTheory, wording: Wording) -> str:
    """The file that every command of GLocalX reads."""
    return theory_text(theory, wording.always)


FORMS = (
    RuleFile("Sentences", ":material/notes:", "txt", "text/plain", as_text),
    RuleFile("Markdown", ":material/markdown:", "md", "text/markdown", theory_to_markdown),
    RuleFile("Table (CSV)", ":material/table:", "csv", "text/csv", as_csv),
    RuleFile("JSON", ":material/data_object:", "json", "application/json", as_json),
    RuleFile(
        "Python", ":material/code:", "py", "text/plain", lambda theory, _: theory_to_python(theory)
    ),
)


def downloads(theory: RankedTheory, wording: Wording, run_name: str) -> None:
    """A button for each form."""
    stem = f"{as_file_name(run_name, 'rules')}-{theory.size}-rules"
    with st.popover("Download the rules", icon=":material/download:"):
        for form in FORMS:
            with refusals(go_on=True):
                download(
                    form.label,
                    form.content(theory, wording),
                    f"{stem}.{form.ending}",
                    form.mime,
                    key=f"download_{form.ending}",
                    icon=form.icon,
                    width="stretch",
                )
        sql_download(theory, stem)


def sql_download(theory: RankedTheory, stem: str) -> None:
    """The rules as SQL, for the database that the person names."""
    key = st.selectbox(
        "SQL for",
        list(DIALECTS),
        format_func=lambda key: DIALECTS[key].title,
        key="sql_dialect",
        help="Databases differ in how they quote names, hold dates and compare what is "
        "not a number.",
    )
    dialect = DIALECTS[key or DUCKDB.key]
    with refusals(go_on=True):
        download(
            f"SQL for {dialect.title}",
            theory.to_sql(dialect).encode(),
            f"{stem}.{dialect.key}.sql",
            "text/plain",
            key="download_sql",
            icon=":material/database:",
            width="stretch",
        )
