"""Where two sides differ: the records, and what each says about one of them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from glocalx.evaluation.side_by_side import Side, SideBySide
from glocalx.plots.colours import OutcomeColours
from glocalx.rules.rule import Rule
from glocalx.words.phrases import counted
from glocalx.workspace.run import Run
from ui.address import is_number, say_unknown
from ui.compare.measures import headings
from ui.layout import act_button, card, mark_row, marked_row, one_of, shows_records
from ui.session import THEORY, go
from ui.text import badge, bold, plain, spoken

TABLE = "differing_records"
SHOWN = "differing_numbers"
RECORD = "record"
HEIGHT = 420
AGREEING = ("All", "Only ", "Neither", "Both ")  # how the choices of records begin


def differences(run: Run, compared: SideBySide, colours: OutcomeColours) -> None:
    """The records on which the two differ beside what they say about one."""
    if not shows_records(run):
        return
    if RECORD not in st.session_state and RECORD not in st.query_params and compared.differ.size:
        # whoever comes without a record in mind sees the first on which the two differ
        st.session_state[RECORD] = int(compared.common.places[compared.differ[0]]) + 1
    left, right = st.columns([6, 7], gap="medium")
    with left, card("Where they differ", height="stretch"):
        _records(compared, colours)
    with right, card("What each says about one record", height="stretch"):
        _one_record(run, compared, colours)


def say_unknown_records(held_out: int) -> None:
    """What the address asks for, and these cards do not know."""
    say_unknown(RECORD, "the held-out record", partial(is_number, low=1, high=held_out), "none")
    say_unknown("agreeing", "records on which", lambda text: text.startswith(AGREEING), "all")


def _records(compared: SideBySide, colours: OutcomeColours) -> None:
    differ = compared.differ
    total = counted(compared.left.records.size, "record")
    if not differ.size:
        st.markdown(f"Nowhere: both give the same answer to all {total}.")
        return
    st.markdown(f"The two give different answers to **{differ.size:,}** of {total}.")
    kept = differ[_wanted(compared, differ)]
    if not kept.size:
        st.markdown("No such record.")
        return
    frame = differences_frame(compared, kept)
    numbers = st.session_state[SHOWN] = frame["Record"].tolist()
    number = st.session_state.get(RECORD)
    mark_row(TABLE, numbers.index(number) if number in numbers else None)
    outcomes = colours.outcomes
    chips = st.column_config.MultiselectColumn(
        options=[compared.left.wording.outcome(outcome) for outcome in outcomes],
        color=[colours.tones(outcome).soft for outcome in outcomes],
    )
    st.dataframe(
        frame,
        hide_index=True,
        height=min(HEIGHT, 38 + 35 * len(frame)),
        column_config={
            "Record": st.column_config.NumberColumn(format="%d", width=70),
            **{name: chips for name in frame.columns if name != "Record"},
        },
        on_select=_row_selected,
        selection_mode="single-row",
        key=TABLE,
        alt="Records to which the two give different answers. Select one to see why.",
    )


def _wanted(compared: SideBySide, differ: Any) -> Any:
    """Which of the differing records to list: by who is with the black box."""
    first, second = compared.left.agrees[differ], compared.right.agrees[differ]
    rest = "Neither" if compared.one_black_box else "Both or neither"
    ways = {
        "all": ("All", np.ones(differ.size, dtype=bool)),
        "left": (f"Only {compared.left.called}", first & ~second),
        "right": (f"Only {compared.right.called}", second & ~first),
        **({"other": (rest, first == second)} if (first == second).any() else {}),
    }
    titles = {way: f"{said} · {int(which.sum()):,}" for way, (said, which) in ways.items()}
    chosen = one_of("Who agrees with the black box", titles, "agreeing", "all", bind="query-params")
    return ways[chosen if chosen in ways else "all"][1]


def differences_frame(compared: SideBySide, places: Any) -> pd.DataFrame:
    """One row a record; every answer is a list of one, to be shown as a chip."""
    left, right = compared.left, compared.right
    heads = headings(compared)
    columns: dict[str, Any] = {"Record": compared.common.places[places] + 1}
    columns[heads[0]] = _chips(left, left.answers[places])
    columns[heads[1]] = _chips(left, right.answers[places])
    columns["Black box"] = _chips(left, left.records.labels[places])
    if not compared.one_black_box:
        columns["Its black box"] = _chips(left, right.records.labels[places])
    columns["In the data"] = _chips(left, left.truth[places])
    return pd.DataFrame(columns)


def _chips(side: Side, outcomes: Any) -> list[list[str]]:
    return [[side.wording.outcome(str(outcome))] for outcome in outcomes]


def _row_selected() -> None:
    row, numbers = marked_row(TABLE), st.session_state.get(SHOWN, [])
    known = row is not None and row < len(numbers)
    st.session_state[RECORD] = numbers[row] if known else None


def _one_record(run: Run, compared: SideBySide, colours: OutcomeColours) -> None:
    number = _pick(compared)
    if number is None:
        st.markdown("No record selected. Select a row of the table, or type a number.")
        return
    place = compared.place_of(number)
    if place is None:
        st.markdown(
            f"The other run learned from record {number:,} or does not have it. Choose another."
        )
        return
    _known(compared, place, colours)
    left, right = st.columns(2, gap="medium")
    with left:
        decided = _because(compared.left, place, colours)
    with right:
        rival = _because(compared.right, place, colours)
    _values(compared, place, decided, rival)
    if st.button(
        "What would change the answer?", type="tertiary", icon=":material/help:", key="to_theory"
    ):
        go(THEORY, run, asked_record=str(number))


def _pick(compared: SideBySide) -> int | None:
    """The number of a held-out record, as everywhere counted from 1."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = st.number_input(
            "Held-out record",
            1,
            compared.common.held_out,
            value=None,
            step=1,
            key=RECORD,
            bind="query-params",
            placeholder="number",
            width=180,
        )
        act_button(
            "Next where they differ",
            "next_difference",
            _next_difference,
            compared,
            disabled=not compared.differ.size,
        )
    return None if number is None else int(number)


def _next_difference(compared: SideBySide) -> None:
    numbers = (compared.common.places[compared.differ] + 1).tolist()
    here = st.session_state.get(RECORD) or 0
    st.session_state[RECORD] = next((each for each in numbers if each > here), numbers[0])


def _known(compared: SideBySide, place: int, colours: OutcomeColours) -> None:
    """What the black box says, and what was true."""
    left, right = compared.left, compared.right

    def shown(answer: object) -> str:
        outcome = str(answer)
        if outcome not in colours.outcomes:  # true, and never said by the black box
            return f":gray-badge[{plain(outcome)}]"
        return badge(outcome, colours, left.wording.outcome(outcome))

    said = f"Black box {shown(left.records.labels[place])}"
    if not compared.one_black_box:
        said += f" · the other black box {shown(right.records.labels[place])}"
    st.markdown(f"{said} · in the data {shown(left.truth[place])}")


def _because(side: Side, place: int, colours: OutcomeColours) -> Rule | None:
    """What one side says, and the rule behind it, which is given back."""
    answer = str(side.answers[place])
    st.markdown(f"{bold(side.title)}: {badge(answer, colours, side.wording.outcome(answer))}")
    covering = side.theory.explain(side.records.records, place).covering
    # where rules vote, the best of those for the winner
    deciding = next((i for i in covering if side.theory.rules[i].outcome == answer), None)
    if deciding is None:
        st.markdown("No rule applies, so the answer after “otherwise” is given.")
        return None
    rule = side.theory.rules[deciding]
    why = (
        f"Rule **{deciding + 1}** is the strongest of those that vote for it:"
        if side.votes
        else f"Rule **{deciding + 1}** is the first that applies:"
    )
    st.markdown(f"{why} {spoken(side.wording.parts(rule, outcome=False), answer, colours)}")
    return rule


def _values(compared: SideBySide, place: int, left: Rule | None, right: Rule | None) -> None:
    """The record's values beside what the two rules ask for; then all the others."""
    rows: list[dict[str, str]] = []
    rest: list[dict[str, str]] = []
    heads = [plain(head) for head in headings(compared)]
    for name, side in _features(compared):
        value = plain(side.wording.value(name, side.frame.iloc[place][name]))
        row = {"Feature": plain(side.wording.name(name)), "This record": value}
        asked = [_asked(compared.left, left, name), _asked(compared.right, right, name)]
        if any(asked):
            rows.append(row | dict(zip(heads, (each or "–" for each in asked), strict=True)))
        else:
            rest.append(row)
    if rows:
        told = "The record and what the two rules ask for"
        st.table(pd.DataFrame(rows), hide_index=True, alt=told)
    if rest:
        with st.expander(f"The other {counted(len(rest), 'feature')} of this record"):
            st.table(pd.DataFrame(rest), hide_index=True, alt="The rest of the record")


def _features(compared: SideBySide) -> list[tuple[str, Side]]:
    """Every feature with the side whose table has it."""
    left, right = compared.left, compared.right
    mine = left.records.records.schema.names
    theirs = right.records.records.schema.names
    more = [(name, right) for name in theirs if name not in mine]
    return [*((name, left) for name in mine), *more]


def _asked(side: Side, rule: Rule | None, name: str) -> str:
    premise = rule.premise(name) if rule is not None else None
    return "" if premise is None else plain(side.wording.asked(name, premise))
