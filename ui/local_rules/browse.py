"""The left of the page Local rules: search, filters, and the table of rules."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from glocalx.extraction.rule_index import EVERY_SHARE, RuleFilter, RuleIndex, index_rules
from glocalx.plots.colours import OutcomeColours
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording
from glocalx.workspace.run import Run
from ui.address import is_number, say_unknown
from ui.layout import mark_row, marked_row
from ui.named_records import find_record
from ui.opened import colours_of, explained_of, kept, local_rules_of, shared_of, wording_of
from ui.session import may_have_table
from ui.text import plain

TABLE = "rules_table"
SHOWN = "rules_shown"
MOST_ROWS, ROW = 19, 35  # of the table on the screen, and pixels a row
BROWSED = "rules_browsed"
READ = "rules_read"  # the number that is read; what a widget holds may be lost between two runs
BOUND: dict[str, Any] = {"bind": "query-params"}
NOTHING: dict[str, Any] = {
    "search": "",
    "outcome": [],
    "uses": [],
    "covers": EVERY_SHARE,
    "agrees": EVERY_SHARE,
    "once": False,
    "record": None,
    "rule": None,
    READ: None,
}


def rule_index_of(run: Run) -> RuleIndex:
    """The index of a run's rules, as far as they are made."""
    return _index(run, len(local_rules_of(run)))


@kept("data", "rules", most=8)
def _index(run: Run, made: int) -> RuleIndex:
    rules = local_rules_of(run)[:made]
    return index_rules(rules, wording_of(run), run.settings.rules.file is not None)


def begin_afresh(run: Run) -> None:
    """What was searched for in another run does not count in this one."""
    if st.session_state.get(BROWSED, run.id) != run.id:
        for key in ("length", TABLE):
            st.session_state.pop(key, None)
        st.session_state.update(NOTHING)
    st.session_state[BROWSED] = run.id


def say_unknown_filters(run: Run, table: RuleIndex) -> None:
    """What the address asks for, and the filters do not know."""
    schema, wording = explained_of(run).schema, wording_of(run)
    outcomes = {*schema.outcomes, *(plain(wording.outcome(each)) for each in schema.outcomes)}
    features = {*schema.names, *map(wording.name, schema.names)}
    say_unknown("outcome", "the outcome", outcomes.__contains__, "every outcome")
    say_unknown("uses", "the feature", features.__contains__, "every feature")
    for name, what, ends in (
        ("length", "a number of conditions of", table.lengths),
        ("covers", "a coverage of", EVERY_SHARE),
        ("agrees", "an agreement of", EVERY_SHARE),
    ):
        say_unknown(name, what, partial(is_number, low=ends[0], high=ends[1]), "all")
    for name in ("record", "rule"):
        say_unknown(name, f"the {name}", str.isdecimal, "none")


def browse(run: Run, table: RuleIndex, whole: bool) -> int | None:
    """Draw the filters and the table; the number of the rule that is read.

    `whole`: whether all rules are made.
    """
    wording = wording_of(run)
    key = "rule" if table.brought else "record"
    with st.container(border=True):
        words, outcomes = _search(run, wording)
        features, number = _features(run, table, wording, key)
        ranges = _ranges(table)
        with st.container(horizontal=True, vertical_alignment="center"):
            count = st.container(width="stretch")
            once = st.toggle(
                "Equal rules once",
                key="once",
                help="Many records get the same rule. On: it is shown once, with the first record.",
                **BOUND,
            )
        shown = table.matching(RuleFilter(words, outcomes, features, *ranges, once=once))
        count.markdown(
            f"**{len(shown):,}** of {len(table.rules):,} rules{'' if whole else ' so far'} "
            f"({table.different:,} different). Select a row to read it."
        )
        if shown.empty:
            st.info(
                "No rule matches. Loosen a filter, or search for a shorter word.",
                icon=":material/search_off:",
            )
        else:
            _grid(table, shown, colours_of(run), wording)
        if whole:
            shared = shared_of(run)
            said = judged_on(len(table.rules), len(shared.explain), table.brought)
            st.caption(said if len(shared.train) or table.brought else f"{said} {AT_HAND}")
    return number


AT_HAND = "They were at hand when it was written, so these shares are a little too good."


def judged_on(rules: int, explained: int, brought: bool) -> str:
    """Which records got a rule, and which the shares are of: these are not always the same.

    Examples
    --------
    >>> judged_on(2_000, 6_837, False)  # doctest: +ELLIPSIS
    '2,000 of the 6,837 records set apart to be explained got a rule. “Covers” and “Agrees” are ...
    """
    records = f"{counted(explained, 'record')} set apart to be explained"
    if brought:
        return f"“Covers” and “Agrees” are counted on the {records}."
    if rules < explained:
        return (
            f"{rules:,} of the {records} got a rule. “Covers” and “Agrees” are counted on all "
            f"{explained:,}, without the one that the rule was written for."
        )
    return f"Each of the {records} got a rule. “Covers” and “Agrees” are counted on all the others."


def _search(run: Run, wording: Wording) -> tuple[str, tuple[str, ...]]:
    left, right = st.columns([5, 4], vertical_alignment="bottom")
    words = left.text_input(
        "Search",
        key="search",
        type="search",
        live=True,
        icon=":material/search:",
        placeholder="a feature, a category, a number",
        help="All words have to occur in the rule, in words or in short notation.",
        **BOUND,
    )
    outcomes = right.pills(
        "Outcome",
        explained_of(run).schema.outcomes,
        selection_mode="multi",
        format_func=lambda outcome: plain(wording.outcome(outcome)),
        key="outcome",
        **BOUND,
    )
    return words or "", tuple(outcomes or ())


def _features(
    run: Run, table: RuleIndex, wording: Wording, key: str
) -> tuple[tuple[str, ...], int | None]:
    left, right = st.columns([11, 3], vertical_alignment="bottom")
    features = left.multiselect(
        "Names all of these features",
        explained_of(run).schema.names,
        format_func=wording.name,
        key="uses",
        placeholder="any",
        **BOUND,
    )
    if st.session_state.get(READ, st.session_state.get(key)) != st.session_state.get(key):
        st.session_state[key] = st.session_state[READ]
    number = right.number_input(
        "Rule" if table.brought else "Record",
        min_value=1,
        value=None,
        step=1,
        key=key,
        placeholder="number",
        help="Type a number, or select a row of the table.",
        on_change=lambda: st.session_state.update({READ: st.session_state[key]}),
        **BOUND,
    )
    st.session_state[READ] = number
    if not table.brought and not shared_of(run).drawn and may_have_table(run):

        def read(place: int) -> None:
            st.session_state.update({key: place + 1, READ: place + 1})

        find_record(run, shared_of(run).parts.explain, "explained", read)
    return tuple(features), number


def _ranges(table: RuleIndex) -> tuple[Any, Any, Any]:
    cells = st.grid(3, min_column_width=150, gap="medium")
    fewest, most = table.lengths
    length = None
    if fewest < most:
        kept = st.session_state.get("length")
        if kept and not fewest <= kept[0] <= kept[1] <= most:  # of other rules than these
            st.session_state["length"] = (fewest, most)
        length = cells.slider("Conditions", fewest, most, (fewest, most), key="length", **BOUND)
    share: dict[str, Any] = {"value": EVERY_SHARE, "format": "%d %%", **BOUND}
    coverage = cells.slider("Covers", *EVERY_SHARE, key="covers", **share)
    precision = cells.slider("Agrees with the black box", *EVERY_SHARE, key="agrees", **share)
    return length, coverage, precision


def _grid(table: RuleIndex, shown: pd.DataFrame, colours: OutcomeColours, wording: Wording) -> None:
    mark_row(TABLE, table.row_of(st.session_state[READ], shown))
    st.session_state[SHOWN] = shown["number"].tolist()
    columns = st.column_config
    outcomes = colours.outcomes
    st.dataframe(
        shown[["then", "short", "coverage", "precision", "number"]],
        hide_index=True,
        height=(min(len(shown), MOST_ROWS) + 1) * ROW + 2,
        column_config={
            "then": columns.MultiselectColumn(
                "Then",
                options=[wording.outcome(outcome) for outcome in outcomes],
                color=[colours.tones(outcome).soft for outcome in outcomes],
            ),
            "short": columns.TextColumn("If …", width=270),
            "coverage": columns.ProgressColumn(
                "Covers",
                format="%d %%",
                min_value=0,
                max_value=100,
                color="gray",
                help="Share of the judged records that the rule applies to.",
                width=110,
            ),
            "precision": columns.NumberColumn(
                "Agrees",
                format="%d %%",
                help="Among the records it covers, how often the black box says the same; a dash "
                "where it covers none but its own.",
                width=75,
            ),
            "number": columns.NumberColumn(
                "Rule" if table.brought else "Record", format="%d", width=75
            ),
        },
        on_select=_row_selected,
        selection_mode="single-row",
        key=TABLE,
        placeholder="–",
        alt="Local rules. Select one to read it in words.",
    )


def _row_selected() -> None:
    row = marked_row(TABLE)
    st.session_state[READ] = None if row is None else st.session_state[SHOWN][row]
