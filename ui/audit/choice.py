"""What is asked: which groups, which answer, by whom, against whom, on which records."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping
from typing import Any

import streamlit as st

from glocalx.audit import AuditSettings
from glocalx.audit.axis import Axis
from glocalx.audit.grouping import Against, find_groups
from glocalx.audit.settings import AblationKind, Answerer, Combinations
from glocalx.audit.table_source import RecordPart, first_group_columns, group_columns
from glocalx.errors import GLocalXError
from glocalx.table import Table
from glocalx.table.samples import sample_info
from glocalx.words.phrases import never_used, shown
from glocalx.workspace.run import Run
from ui.address import is_number, say_unknown
from ui.audit.address import (
    ASKED,
    bring,
    bring_one_of,
    bring_some_of,
    in_address,
    in_step,
    key,
    write,
)
from ui.audit.result import source_of
from ui.layout import one_of, problem
from ui.opened import explained_of, wording_of
from ui.terms import with_terms
from ui.text import plain
from ui.theory.selection import say_beyond

ANSWERERS: dict[str, Answerer] = {"black-box": "black box", "rules": "theory", "data": "truth"}
ANSWERS = {"black-box": "The black box", "rules": "The rules", "data": "The data"}
AGAINST = {"else": "Everyone else", "largest": "Largest group", "group": "A chosen group"}
PARTS: dict[RecordPart, str] = {"held-out": "Held out", "all": "Held out and explained"}
WAYS: dict[str, Any] = {"answers": ANSWERS, "against": AGAINST, "records": PARTS}
ABLATIONS: dict[AblationKind, str] = {
    "rules": "The whole rule goes",
    "premises": "The condition goes",
}
COMBINATIONS: dict[Combinations, str] = {"none": "None", "pairs": "Pairs", "all": "All"}
FEW_OUTCOMES = 3
NOT_SAID = ""
MOST_POINTS = 50.0


WAYS_AGAINST: dict[str, Against] = {"else": "everyone else", "largest": "largest group"}


def choose(run: Run) -> AuditSettings | None:
    """The card with all choices; None where no column is chosen."""
    facts = explained_of(run)
    table = facts.split.table
    with st.container():  # always there: what follows keeps its place
        say_beyond(run)
    with st.container(border=True):
        columns = _columns(table)
        with st.container(horizontal=True, gap="medium"):
            outcome = _outcome(run)
            favourable = _favourable(run)
        for name, words in WAYS.items():
            bring_one_of(name, list(words), next(iter(words)))
        with st.container(horizontal=True, gap="medium"):
            answers, against, part = _ways(run, len(facts.held_out.labels))
        if not columns:
            return None
        with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
            combinations = _combinations(len(columns))
            tolerance = _tolerance()
            edges = bands(run, columns, part)
        named = reference(run, columns, part, edges) if against == "group" else {}
    ablation: Any = bring_one_of("barring", list(ABLATIONS), "rules")
    return AuditSettings(
        outcome,
        tuple(columns),
        bands=edges,
        favourable=favourable,
        combinations=combinations,
        against=WAYS_AGAINST.get(against, named),
        counting="decided",
        ablation=ablation,
        part=part,
        answers=ANSWERERS[answers],
        tolerance=tolerance / 100 if tolerance else None,
    )


def _columns(table: Table) -> list[str]:
    known = group_columns(table)
    bring_some_of("column", list(known), first_group_columns(table))
    chosen: list[str] = st.multiselect(
        "Groups by",
        list(known),
        format_func=lambda name: (
            f"{known[name].title} (left out of the rules)"
            if known[name].role == "ignored"
            else known[name].title
        ),
        **in_step("column"),
        placeholder="Choose sensitive columns",
        help="Sensitive columns stand first. Columns that you left out of the features can be "
        "chosen as well: no rule names them, but rules may treat their groups differently. "
        "Columns of free text and those with more than 50 categories make no groups.",
    )
    return chosen


def _outcome(run: Run) -> str:
    facts, wording = explained_of(run), wording_of(run)
    outcomes = facts.schema.outcomes
    positive = facts.positive if facts.positive in outcomes else outcomes[0]
    bring_one_of("outcome", outcomes, positive)
    words = {name: wording.outcome(name) for name in outcomes}
    return _one_of(
        "outcome",
        "Outcome asked about",
        words,
        "Who gets this answer more often than others, and who less often?",
    )


def _favourable(run: Run) -> str | None:
    """The outcome that is good for those who get it; None where nobody says."""
    facts, wording, sample = explained_of(run), wording_of(run), run.settings.data.sample
    outcomes = facts.schema.outcomes
    known = sample_info(sample).favourable if sample else NOT_SAID
    bring_one_of("favourable", [*outcomes, NOT_SAID], known if known in outcomes else NOT_SAID)
    words = {name: wording.outcome(name) for name in outcomes} | {NOT_SAID: "Not said"}
    chosen = _one_of(
        "favourable",
        "Favourable outcome",
        words,
        "The answer that is good for those who get it. The four-fifths rule speaks of this answer "
        "alone, so it is applied only where you say which one it is.",
    )
    return None if chosen == NOT_SAID else chosen


def _one_of(name: str, label: str, words: dict[str, str], told: str) -> str:
    """One outcome, beside each other where there are few."""
    look: dict[str, Any] = {"ask": st.selectbox, "width": 260}
    if len(words) <= FEW_OUTCOMES + 1:
        words, look = {each: plain(word) for each, word in words.items()}, {"width": "content"}
    chosen: str = one_of(label, words, help=told, **look, **in_step(name))
    return chosen


def _ways(run: Run, held_out: int) -> tuple[str, str, RecordPart]:
    unused = never_used(run.settings.unseen)
    answers = one_of(
        "Answers by",
        ANSWERS,
        **in_step("answers"),
        width="content",
        help="Whose answers are counted: those of the black box, those of the rules that explain "
        "it, or what is true in the data.",
    )
    against = one_of(
        "Compare each group with",
        AGAINST,
        **in_step("against"),
        width="content",
        help="Everyone else: all records that are not in the group. A chosen group: the one that "
        "you name for each column, for example the one that the law compares with.",
    )
    if explained_of(run).split.parts.nothing_held_out:
        return answers, against, "held-out"  # all there are
    part = one_of(
        "Counted on",
        PARTS,
        **in_step("records"),
        width="content",
        help=with_terms(
            f"Held out: {held_out:,} records from which {unused}. "
            "With the explained ones there are more, and small groups can be judged; but the rules "
            "were made and chosen on these, so they fit them a little too well.",
            "Held-out records",
        ),
    )
    return answers, against, part


def _combinations(columns: int) -> Combinations:
    """Which columns are also looked at together; one column alone has none."""
    words = dict(itertools.islice(COMBINATIONS.items(), columns if columns < 3 else None))
    bring_one_of("together", list(words), "none")
    if columns < 2:
        return "none"
    return one_of(
        "Combinations",
        words,
        **in_step("together"),
        width="content",
        help="Also looks at groups of every two of the chosen columns, or of more of them at once. "
        "A difference can hide in each column alone and show only in their combination; but the "
        "more is compared, the stricter every p-value becomes.",
    )


def _tolerance() -> float:
    """How many points of difference are small; 0 where nobody says."""
    bring("tolerance", lambda text: float(text) if is_number(text, 0, MOST_POINTS) else None, 0.0)
    points: float = st.number_input(
        "Tolerance, in points",
        min_value=0.0,
        max_value=MOST_POINTS,
        step=1.0,
        format="%g",
        width=180,
        **in_step("tolerance"),
        help="A difference below this is small to you. Set it before you look: then it is tested "
        "whether a group lies within it, not only whether a difference is shown. 0: none is set.",
    )
    return points


def bands(run: Run, columns: list[str], part: RecordPart) -> dict[str, tuple[float, ...]]:
    """Where the bands of numbers begin, as far as somebody said so."""
    source = source_of(run, part, tuple(columns))
    axes = [source.axis(column) for column in columns]
    numbers = [axis for axis in axes if axis.feature.kind in ("integer", "numeric")]
    if not numbers:
        return {}
    with st.popover("Bands of numbers", icon=":material/straighten:", type="tertiary"):
        st.markdown("Numbers are cut into bands, three of about the same size if nobody says how.")
        found = {axis.name: _band_ends(axis, columns) for axis in numbers}
    return {name: edges for name, edges in found.items() if edges}


def _band_ends(axis: Axis, columns: list[str]) -> tuple[float, ...]:
    widget = key(f"bands {axis.name}")
    if widget not in st.session_state:
        st.session_state[widget] = _entries("bands", columns).get(axis.name, "")
    text = st.text_input(
        f"Bands of {plain(axis.title)} begin at",
        key=widget,
        placeholder=", ".join(f"{math.ceil(edge):,}" for edge in axis.edges),
        on_change=_keep_entries,
        args=("bands", columns),
        help="Numbers with a space between them: 25 45 makes below 25, 25 to below 45, 45 and up.",
    )
    try:
        return band_ends(text)
    except GLocalXError as error:
        problem(error)
        return ()


def band_ends(text: str) -> tuple[float, ...]:
    """The numbers in what a person typed.

    Examples
    --------
    >>> band_ends("45; 25")
    (25.0, 45.0)
    """
    words = re.split(r"[\s,;]+", text.strip()) if text.strip() else []
    try:
        ends = sorted({float(word) for word in words})
    except ValueError:
        ends = [math.nan]
    if not all(map(math.isfinite, ends)):
        raise GLocalXError(f"{shown(text)} is no list of numbers. Write them like this: 25 45.")
    return tuple(ends)


def reference(
    run: Run, columns: list[str], part: RecordPart, edges: Mapping[str, tuple[float, ...]]
) -> dict[str, str]:
    """For each column the group that others are compared with."""
    source = source_of(run, part, tuple(columns))
    chosen: dict[str, str] = {}
    known: set[str] = set()
    above = st.container()
    with st.grid(min(len(columns), 4), min_column_width=180, gap="small"):
        for column in columns:
            axis = source.axis(column, edges.get(column))
            groups = find_groups(source.tally((), [axis], labels=False), [column])
            largest = max(groups, key=lambda group: group.size).title
            titles = [group.title for group in groups]
            known |= {f"{column}={title}" for title in titles}
            chosen[column] = _one_reference(axis, titles, largest, columns)
    every = group_columns(explained_of(run).split.table)
    unasked = tuple(f"{name}=" for name in every if name not in columns)
    with above:
        say_unknown(
            "reference",
            ASKED["reference"],
            lambda text: text in known or text.startswith(unasked),
            "the largest",
        )
    return chosen


def _one_reference(axis: Axis, titles: list[str], largest: str, columns: list[str]) -> str:
    widget = key(f"reference {axis.name}")
    if widget not in st.session_state:
        st.session_state[widget] = _entries("reference", columns).get(axis.name)
    elif st.session_state[widget] not in titles:  # other bands since
        st.session_state[widget] = largest
        _keep_entries("reference", columns)
    if st.session_state[widget] not in titles:
        st.session_state[widget] = largest
    return str(
        st.selectbox(
            f"{plain(axis.title)}: compare with",
            titles,
            key=widget,
            on_change=_keep_entries,
            args=("reference", columns),
        )
    )


def _entries(name: str, columns: list[str]) -> dict[str, str]:
    """What the address says column by column: `reference=race=Other&reference=sex=Male`."""
    found = {}
    for text in in_address(name):
        for column in columns:
            if text.startswith(f"{column}="):
                found[column] = text.removeprefix(f"{column}=")
    return found


def _keep_entries(name: str, columns: list[str]) -> None:
    values = {column: st.session_state.get(key(f"{name} {column}")) for column in columns}
    write(name, [f"{column}={value}" for column, value in values.items() if value])
