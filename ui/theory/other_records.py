"""Other records: a file of new ones, what the rules and the black box say of each, to download."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from glocalx.export import table_to_csv
from glocalx.pipeline.settings import SelectionSettings
from glocalx.questions.applied import Applied, iter_applied
from glocalx.table import read_table
from glocalx.words.phrases import counted
from glocalx.workspace.run import Run
from ui.layout import card, download, refusals
from ui.opened import black_box_of, explained_of, kept, shared_of, theory_of, wording_of
from ui.record_story import answer_of, tell_story, written_for
from ui.text import plain
from ui.whom import stand_in_said, whom
from ui.working_changes import changes_of, finder_of, tell_changes

CHANGED = 100  # records at most for which changes are looked for
SHOWN = 200  # rows on the screen


@dataclass(frozen=True, slots=True, eq=False)
class OtherRecords:
    """What is said of a file's records, and what had to be said about the file."""

    table: pd.DataFrame
    frame: pd.DataFrame
    differing: int | None
    notes: tuple[str, ...]


def other_records_card(run: Run, chosen: SelectionSettings) -> None:
    """Bring a file; read and download what comes of it."""
    with card("Other records"):
        file = st.file_uploader(
            "A table of new records",
            key="other_records",
            help="With the columns of this run’s table, under the same names.",
        )
        if file is None:
            st.caption(
                f"For each record: what the rules say, which rule decides, what {whom(run)} says, "
                "where they differ, and a change that works. Nothing of it is kept."
            )
            return
        with refusals(go_on=True):
            with st.spinner("Asking …"):
                made = _said_of(run, chosen, file.name, file.getvalue())
            _show(run, chosen, made)


def _show(run: Run, chosen: SelectionSettings, made: OtherRecords) -> None:
    st.markdown(_in_words(run, made))
    st.dataframe(made.table[:SHOWN], hide_index=True, alt="What is said of the new records")
    for note in made.notes:
        st.caption(plain(note))
    _read_one(run, chosen, made)
    rows = made.table.to_dict("records")
    text = table_to_csv([{str(k): v for k, v in row.items()} for row in rows])
    download("Download the table", text.encode("utf-8-sig"), "other-records.csv", "text/csv")


def _in_words(run: Run, made: OtherRecords) -> str:
    size = len(made.table)
    said = f"**{counted(size, 'record')}.**"
    if made.differing is None:
        return f"{said} The black box is not here, so only the rules could be asked."
    said += f" Rules and {whom(run, 'black box')} differ on **{made.differing:,}** of them."
    return f"{said} {stand_in_said(run)}".strip()


def _read_one(run: Run, chosen: SelectionSettings, made: OtherRecords) -> None:
    """One of the records as a story, where the model is here to be asked."""
    if black_box_of(run) is None or not len(made.frame):
        return
    number = st.number_input("Read one of them", 1, len(made.frame), key="other_record")
    row = made.frame.iloc[int(number) - 1]
    record = {name: row[name] for name in explained_of(run).schema.names}
    with st.spinner("Asking …"):
        local, found = written_for(run, record), changes_of(run, record)
    tell_story(run, record, answer_of(run, record), local, theory_of(run, chosen))
    if found is not None:
        tell_changes(run, found)


@kept("data", "merge", "box", most=20)
def _said_of(run: Run, chosen: SelectionSettings, name: str, content: bytes) -> OtherRecords:
    theory, box, table = theory_of(run, chosen), black_box_of(run), shared_of(run).table
    new = table.encode(read_table(content, name))
    columns = list(explained_of(run).schema.names)
    (applied,) = iter_applied(theory, [new.frame[columns]], box)
    notes = [finding.sentence for finding in new.findings]
    made = _readable(run, applied)
    if box is not None:
        made["a change that works"], made["answer then"] = _changes(run, applied)
        if len(made) > CHANGED:
            notes.append(f"Changes were looked for in the first {CHANGED} records.")
    differing = None if box is None else applied.differing
    return OtherRecords(made, applied.frame, differing, tuple(notes))


def _readable(run: Run, applied: Applied) -> pd.DataFrame:
    """The table with outcomes as people call them."""
    made = applied.table()
    for name in made:
        if name in ("rules say", "model says"):
            made[name] = [wording_of(run).outcome(str(each)) for each in made[name]]
    return made


def _changes(run: Run, applied: Applied) -> tuple[list[str | None], list[str | None]]:
    """For each of the first records the change with the fewest features, in words."""
    finder, wording = finder_of(run), wording_of(run)
    assert finder is not None  # the black box is here
    texts: list[str | None] = [None] * len(applied.frame)
    answers: list[str | None] = [None] * len(applied.frame)
    some = applied.frame[:CHANGED].reset_index(drop=True)
    for place, found in enumerate(finder.iter_found(some)):
        if found.changes:
            first = found.changes[0]
            texts[place] = "; ".join(
                f"{wording.name(each.feature)}: {wording.value(each.feature, each.after)}"
                for each in first.changes
            )
            answers[place] = wording.outcome(first.outcome)
    return texts, answers
