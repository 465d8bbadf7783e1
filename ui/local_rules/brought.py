"""Rules that were made elsewhere: checked first, used when the person says so."""

from __future__ import annotations

import re
import tempfile
from dataclasses import replace
from pathlib import Path

import streamlit as st

from glocalx.errors import GLocalXError
from glocalx.files import read_rules
from glocalx.pipeline.settings import RuleSettings
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema
from glocalx.workspace.run import Run
from ui.layout import problem
from ui.local_rules.settings import begin, in_a_copy
from ui.opened import explained_of
from ui.text import plain

FILE = "rules"  # in the run's folder
MOST_MEGABYTES = 50


def bring(run: Run, *, begun: bool) -> None:
    """An uploader; a file that cannot be used changes nothing.

    Parameters
    ----------
    begun
        Whether there are rules that would be replaced.
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
    try:
        rules = read_brought(data, given.name, explained_of(run).schema)
    except GLocalXError as error:
        problem(error)
        return
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


def read_brought(data: bytes, name: str, schema: Schema) -> list[Rule]:
    """The rules of a file, each of which the table must be able to have.

    Raises
    ------
    GLocalXError
        With one sentence about what is wrong in the file.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / _file_name(name)
        path.write_bytes(data)
        rules, _ = read_rules(path, schema=schema)
    if not rules:
        raise GLocalXError(f"There are no rules in “{path.name}”. Bring a file with at least one.")
    for place, rule in enumerate(rules, start=1):
        try:
            schema.rule(dict(rule.premises), rule.outcome)
        except GLocalXError as error:
            raise GLocalXError(
                f"The file “{path.name}” is about another table, see its rule {place:,}. {error}"
            ) from None
    return rules


def _file_name(name: str) -> str:
    """A name that can be a file's anywhere."""
    return re.sub(r"[^\w.() -]", "_", Path(name).name)[-80:].strip(". ") or "rules"
