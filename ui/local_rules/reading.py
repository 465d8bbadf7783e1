"""The right of the page Local rules: one rule in words, and the story of its record."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from glocalx.extraction.local_rule import LocalRule
from glocalx.extraction.rule_index import RuleIndex
from glocalx.questions.changes import FoundChanges, WorkingChange
from glocalx.rules.what_if import Record, ValueChange
from glocalx.words.figures import percent
from glocalx.workspace.run import Run
from ui.layout import card, figure
from ui.named_records import name_of
from ui.opened import (
    black_box_of,
    colours_of,
    explained_of,
    shared_of,
    theory_of,
    wording_of,
)
from ui.record_story import tell_story
from ui.shapley_told import tell_shapley
from ui.text import badge, plain, spoken
from ui.theory.asked import Answer, answers_of
from ui.working_changes import changes_of, tell_changes

MOST_ROWS = 16  # of the record's table, before it scrolls
ROW = 35


def nothing_read(number: int | None, key: str) -> None:
    """What stands here while no rule is selected."""
    with st.container(border=True):
        if number is None:
            st.markdown("No rule selected. Select a row in the table to see the rule in words.")
        else:
            st.markdown(
                f"There is no rule for {key} {number:,}. Select a row in the table, or type "
                "another number."
            )


def rule_card(run: Run, table: RuleIndex, local: LocalRule, number: int) -> None:
    """The rule as a sentence, and its three numbers."""
    wording, colours = wording_of(run), colours_of(run)
    rule = local.rule
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            title = f"Rule {number:,}" if table.brought else f"Rule of record {number:,}"
            st.markdown(f"**{title}**", width="content")
            st.markdown(badge(rule.outcome, colours, wording.outcome(rule.outcome)))
        st.header(spoken(wording.parts(rule), rule.outcome, colours), anchor=False)
        unsaid = wording.spoken_premises(rule).unsaid
        if unsaid:
            said = ", ".join(plain(wording.condition(*named)) for named in unsaid)
            st.caption(f"Asked for too, but implied by the rest: {said}.")
        _numbers(run, local, table.brought)
        _shared(table, number)


def _numbers(run: Run, local: LocalRule, brought: bool) -> None:
    overall = float(np.mean(explained_of(run).explained_labels == local.rule.outcome))
    itself = "" if brought else "; the record that it was written for is not counted"
    with st.grid(3, min_column_width=130):
        figure(
            "Covers",
            f"{local.covered:,}",
            f"of {local.judged:,} records",
            "How many of the records that were set apart to be explained the rule applies "
            f"to{itself}.",
        )
        figure(
            "Agrees",
            percent(local.precision),
            f"{local.agreed:,} of {local.covered:,}",
            "Among the records that it covers, how often the black box gives this outcome too.",
        )
        figure(
            "Overall",
            percent(overall),
            "get this outcome",
            "How often the black box gives this outcome to any record. A rule says something "
            "only as far as it agrees more often than that.",
        )


def _shared(table: RuleIndex, number: int) -> None:
    others = table.sharing(number) - 1
    if others:
        words = "another record" if others == 1 else f"{others:,} other records"
        st.caption(f"It is also the rule of {words}.")


def record_card(run: Run, local: LocalRule) -> None:
    """One story: the answer, what was enough for it, the global rule, what would change it."""
    with card("The record"):
        shared = shared_of(run)
        if shared.drawn:
            st.markdown("Drawn, so nobody’s: it is like the records of the table.")
        elif called := name_of(run, int(shared.parts.explain[local.record])):
            st.markdown(called)
        record = record_of(run, local.record)
        theory = None if run.missing("merge") else theory_of(run)
        tell_story(run, record, _answer(run, local, record), local, theory, above=True)
        tell_shapley(run, record)
        st.markdown("**What would change the answer**")
        found = changes_of(run, record, local.hints) or _confirmed_when_written(local, record)
        if found is None:
            st.markdown("The black box is not here, so no change can be put to it.")
        else:
            tell_changes(run, found)
        _values(run, local)


def _answer(run: Run, local: LocalRule, record: Record) -> Answer:
    """What the black box said of the record, and how sure it is, where it is here."""
    box, facts = black_box_of(run), explained_of(run)
    said = str(facts.explained_labels[local.record])
    if box is None:
        return said, None
    (answer,) = answers_of(run, facts, box, [record])
    return answer if answer[0] == said else (said, None)  # trained again, and says otherwise


def _values(run: Run, local: LocalRule) -> None:
    """The record's values beside what the rule asks for, its conditions first."""
    wording = wording_of(run)
    record = shared_of(run).explain.iloc[local.record]
    asked = dict(local.rule.premises)
    names = sorted(explained_of(run).schema.names, key=lambda name: name not in asked)
    rows = [
        {
            "Feature": wording.name(name),
            "Value": wording.value(name, record[name]),
            "Rule asks for": f"✓ {wording.asked(name, asked[name])}" if name in asked else "–",
        }
        for name in names
    ]
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        height=(min(len(rows), MOST_ROWS) + 1) * ROW + 2,
        alt="The values of the record, and what the rule asks for",
    )


def record_of(run: Run, place: int) -> dict[str, Any]:
    """An explained record as rules and the black box see it."""
    row = shared_of(run).explain.iloc[place]
    return {name: row[name] for name in explained_of(run).schema.names}


def _confirmed_when_written(local: LocalRule, record: Record) -> FoundChanges | None:
    """Of what the local tree believed, what the black box confirmed when the rule was written."""
    made = tuple(
        WorkingChange(
            tuple(ValueChange(each.feature, record[each.feature], each.to) for each in o.changes),
            o.rule.outcome,
            ("fewest",) if number == 0 else (),
            math.nan,
            math.nan,
        )
        for number, o in enumerate(other for other in local.counterfactuals if other.confirmed)
    )
    return FoundChanges(local.rule.outcome, made) if made else None
