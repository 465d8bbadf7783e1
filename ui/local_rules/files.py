"""Local rules as files: those to keep, and those made elsewhere, used when the person says so."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from glocalx.export.csv import table_to_csv
from glocalx.files.confined_rules import read_brought
from glocalx.files.rules import local_rules_text
from glocalx.pipeline.extracting import NO_RECORD
from glocalx.pipeline.settings import RuleSettings
from glocalx.workspace.run import Run
from ui.layout import download, refusals
from ui.local_rules.settings import begin, in_a_copy
from ui.opened import explained_of, local_rules_of, wording_of
from ui.session import may_have_table
from ui.text import plain

FILE = "rules"  # in the run's folder
MOST_MEGABYTES = 50


def bring(run: Run, *, begun: bool) -> None:
    """An uploader; a file that cannot be used changes nothing.

    `begun`: whether there are rules that would be replaced.
    """
    st.markdown(
        "A JSON file of rules about this table: saved here, written by the published GLocalX, by "
        "LORE, or by Anchors. They are judged on the records of this run."
    )
    given = st.file_uploader(
        "Rules made elsewhere",
        type=["json", "txt"],
        max_upload_size=MOST_MEGABYTES,
        key=f"bring_{run.id}",
    )
    if given is None:
        return
    data = given.getvalue()
    with refusals(go_on=True):
        rules = read_brought(data, _file_name(given.name), explained_of(run).schema)
        brought = RuleSettings(file=FILE, name=_file_name(given.name))
        settings = replace(run.settings, rules=brought).with_contents({FILE: data}).rules
        different = len(set(rules))
        st.markdown(f"**{len(rules):,}** rules ({different:,} different) in {plain(given.name)}.")
        _use(run, settings, {FILE: data}, begun)


def _use(run: Run, settings: RuleSettings, files: dict[str, bytes], begun: bool) -> None:
    if settings == run.settings.rules:
        st.caption("The rules on this page are these.")
        return
    if begun:
        st.warning(
            "The rules on this page go, and merging has to be done again. A copy leaves this run "
            "as it is.",
            icon=":material/refresh:",
        )
    with st.container(horizontal=True):
        if st.button("Use these rules", icon=":material/upload_file:"):
            begin(run, settings, files)
        if begun and st.button("Use them in a copy", icon=":material/content_copy:"):
            in_a_copy(run, settings, files)


def _file_name(name: str) -> str:
    """A name that can be a file's anywhere."""
    return re.sub(r"[^\w.() -]", "_", Path(name).name)[-80:].strip(". ") or "rules"


def downloads(run: Run) -> None:
    """Two buttons; the files are made when one is pressed, and nobody knows then who looks."""
    whole = may_have_table(run)
    with st.container(horizontal=True):
        download(
            "All rules as JSON",
            lambda: rules_json(run, whole=whole),
            "local_rules.json",
            "application/json",
            help="With all that is known about them. This page reads the file again.",
        )
        download(
            "All rules as CSV",
            lambda: rules_csv(run).encode("utf-8-sig"),
            "local_rules.csv",
            "text/csv",
            help="One row a rule, for a spreadsheet.",
        )


def rules_json(run: Run, *, whole: bool) -> bytes:
    """The local rules in the format that GLocalX reads.

    What would have to change about a record says what it is like, and goes only with the table:
    `whole`.
    """
    rules = local_rules_of(run)
    if not whole:
        rules = [replace(local, counterfactuals=()) for local in rules]
    return local_rules_text(rules, explained_of(run).schema).encode()


def rules_csv(run: Run) -> str:
    """The local rules as a table; nothing in it is a formula."""
    wording = wording_of(run)
    rows: list[dict[str, Any]] = [
        {
            "record": None if local.record == NO_RECORD else local.record + 1,
            "outcome": local.rule.outcome,
            "conditions": wording.premises(local.rule),
            "rule": wording.sentence(local.rule),
            "length": len(local.rule),
            "covered": local.covered,
            "agreed": local.agreed,
            "judged": local.judged,
            "coverage": local.coverage,
            "precision": local.precision,
        }
        for local in local_rules_of(run)
    ]
    return table_to_csv(rows)
