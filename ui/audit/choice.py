"""What is asked: which groups, which answer, by whom, against whom, on which records."""

from __future__ import annotations

from typing import Any

import streamlit as st

from glocalx.audit import AuditSettings
from glocalx.audit.grouping import Against
from glocalx.audit.responsibility import AblationKind
from glocalx.audit.subgroups import Answerer
from glocalx.audit.table_source import RecordPart, first_group_columns, group_columns
from glocalx.table import Table
from glocalx.words.phrases import never_used
from glocalx.workspace.run import Run
from ui.audit.address import bring, bring_one_of, bring_some_of, in_step, segments
from ui.audit.edges import bands, reference
from ui.opened import explained_of, wording_of
from ui.text import plain
from ui.theory.selection import say_beyond

ANSWERERS: dict[str, Answerer] = {"rules": "theory", "black-box": "black box", "data": "truth"}
ANSWERS = {"rules": "The rules", "black-box": "The black box", "data": "The data"}
AGAINST = {"else": "Everyone else", "largest": "Largest group", "group": "A chosen group"}
PARTS: dict[RecordPart, str] = {"held-out": "Held out", "all": "Held out and explained"}
WAYS: dict[str, Any] = {"answers": ANSWERS, "against": AGAINST, "records": PARTS}
ABLATIONS: dict[AblationKind, str] = {
    "rules": "The whole rule goes",
    "premises": "The condition goes",
}
FEW_OUTCOMES = 3


WAYS_AGAINST: dict[str, Against] = {"else": "everyone else", "largest": "largest group"}


def choose(run: Run) -> AuditSettings | None:
    """The card with all choices; None where no column is chosen."""
    facts = explained_of(run)
    table = facts.split.table
    with st.container():  # always there: what follows keeps its place
        say_beyond(run)
    with st.container(border=True):
        left, right = st.columns([8, 5], gap="medium")
        with left:
            columns = _columns(table)
        with right:
            outcome = _outcome(run)
        for name, words in WAYS.items():
            bring_one_of(name, list(words), next(iter(words)))
        with st.container(horizontal=True, gap="medium"):
            answers, against, part = _ways(run, len(facts.held_out.labels))
        if not columns:
            return None
        bring("together", {"True": True, "False": False}.get, False)
        with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
            together = len(columns) > 1 and _together()
            edges = bands(run, columns, part)
        named = reference(run, columns, part, edges) if against == "group" else ()
    ablation: Any = bring_one_of("barring", list(ABLATIONS), "rules")
    return AuditSettings(
        outcome,
        tuple(columns),
        bands=dict(edges),
        together=together,
        against=WAYS_AGAINST.get(against, dict(named)),
        counting="decided",
        ablation=ablation,
        part=part,
        answers=ANSWERERS[answers],
    )


def _columns(table: Table) -> list[str]:
    known = group_columns(table)
    bring_some_of("column", list(known), first_group_columns(table))
    chosen: list[str] = st.multiselect(
        "Groups by",
        list(known),
        format_func=lambda name: _title(known[name].title, known[name].role),
        **in_step("column"),
        placeholder="Choose sensitive columns",
        help="Sensitive columns stand first. Columns that you left out of the features can be "
        "chosen as well: no rule names them, but rules may treat their groups differently. "
        "Columns of free text and those with more than 50 categories make no groups.",
    )
    return chosen


def _title(title: str, role: str) -> str:
    return f"{title} (left out of the rules)" if role == "ignored" else title


def _outcome(run: Run) -> str:
    facts, wording = explained_of(run), wording_of(run)
    outcomes = facts.schema.outcomes
    positive = facts.positive if facts.positive in outcomes else outcomes[0]
    bring_one_of("outcome", outcomes, positive)
    options: dict[str, Any] = {
        **in_step("outcome"),
        "help": "Who gets this answer more often than others, and who less often?",
    }
    if len(outcomes) > FEW_OUTCOMES:
        chosen = st.selectbox(
            "Outcome asked about", outcomes, format_func=wording.outcome, **options
        )
    else:
        chosen = st.segmented_control(
            "Outcome asked about",
            outcomes,
            format_func=lambda name: plain(wording.outcome(name)),
            required=True,
            **options,
        )
    return str(chosen)


def _ways(run: Run, held_out: int) -> tuple[str, str, RecordPart]:
    unused = never_used(run.settings.unseen)
    answers = segments(
        "answers",
        "Answers by",
        ANSWERS,
        width="content",
        help="Whose answers are counted: those of the rules, of the black box that they explain, "
        "or what is true in the data.",
    )
    against = segments(
        "against",
        "Compare each group with",
        AGAINST,
        width="content",
        help="Everyone else: all records that are not in the group. A chosen group: the one that "
        "you name for each column, for example the one that the law compares with.",
    )
    part: Any = segments(
        "records",
        "Counted on",
        PARTS,
        width="content",
        help=f"Held out: {held_out:,} records from which {unused}. "
        "With the explained ones there are more, and small groups can be judged; but the rules "
        "were made and chosen on these, so they fit them a little too well.",
    )
    return answers, against, part


def _together() -> bool:
    return st.toggle(
        "Combinations, too",
        **in_step("together"),
        help="Also looks at groups of all chosen columns at once. A difference can hide in each "
        "column alone and show only in their combination.",
    )
