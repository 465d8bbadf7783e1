"""What a change does to the answers, and a list of all that was changed."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from glocalx.pipeline.settings import SelectionSettings
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.steering import RemoveRule, Steering
from glocalx.steering import SteeringEffect
from glocalx.words.figures import percent
from glocalx.words.phrases import NOTHING_HELD_OUT, counted
from glocalx.workspace.run import Run
from ui.layout import act_button, card, figure
from ui.opened import colours_of, explained_of, known_records_of, wording_of
from ui.rivals import as_the_run
from ui.session import THEORY, go, make_copy
from ui.text import plain, spoken
from ui.theory.steered import (
    Draft,
    fidelities,
    keep,
    steered_by,
    steering_in,
    take_back,
    turn_of,
)

MOST_RECORDS = 8


def show_effect(run: Run, draft: Draft, effect: SteeringEffect, theory: RankedTheory) -> None:
    """All rules, the rule's outcome and the rule itself before and after; which answers change."""
    wording, facts = wording_of(run), explained_of(run)
    reference, known = facts.reference, f"{facts.reference_name}s"
    outcome = draft.rule.outcome
    before, after = effect.agreed
    low, high = effect.fidelity
    with st.grid(3, min_column_width=150, gap="small"):
        figure(
            "Agrees, all rules",
            f"{before:,} → {after:,}",
            f"of {effect.records:,} {known}: {percent(low, 1)} → {percent(high, 1)}",
        )
        found = effect.found[outcome]
        figure(
            f"Finds {plain(wording.outcome(outcome))}",
            f"{found[0]:,} → {found[1]:,}",
            f"of {found[2]:,} {known}",
        )
        score = reference.score(draft.rule)
        place = theory.rules.index(draft.rule) + 1 if draft.rule in theory.rules else 0
        figure(
            "This rule",
            f"{score.agreed:,} of {score.covered:,}",
            f"{percent(score.precision)} right, decides as number {place}",
        )
    st.markdown(f"**{effect.sentence}**")
    if effect.answers:
        st.dataframe(changed_frame(run, draft, effect), hide_index=True, width="stretch")
        more = len(effect.answers) - MOST_RECORDS
        if more > 0:
            st.caption(f"And {counted(more, 'more record')}.")


def changed_frame(run: Run, draft: Draft, effect: SteeringEffect) -> pd.DataFrame:
    """The first records that are answered otherwise, with the values that the rule asks about."""
    wording, (frame, _) = wording_of(run), known_records_of(run, as_the_run(run))
    explained = len(explained_of(run).split.explain)
    rows = []
    for each in effect.answers[:MOST_RECORDS]:
        values = {
            wording.short_name(name): wording.value(name, frame[name].iloc[each.record])
            for name in draft.rule.features
        }
        became = "better" if each.better else "worse" if each.worse else "wrong both times"
        rows.append(
            {
                "Record": f"{each.record + 1:,}" if each.record < explained else "trained on",
                **values,
                "Answer becomes": wording.outcome(each.after),
                "The black box says": wording.outcome(each.black_box),
                "": became,
            }
        )
    return pd.DataFrame(rows)


def changes_card(run: Run, chosen: SelectionSettings) -> None:
    """Every step that was kept, with fidelity before and after; the way back, and a copy."""
    steering, wording, turn = steering_in(run, chosen), wording_of(run), turn_of(run)
    facts = explained_of(run)
    known, alone = f"{facts.reference_name}s".capitalize(), facts.split.parts.nothing_held_out
    with card("What you changed"):
        left_out = len(chosen.steering) - len(steering.steps)
        if left_out > 0:
            were = "change does" if left_out == 1 else "changes do"
            st.caption(f"{left_out} {were} not fit this table any more and were left out.")
        if not steering:
            st.caption("Nothing yet. Pin, change or remove a rule, or say something of all.")
            return
        rows = []
        before = fidelities(run, steered_by(chosen, Steering()))
        for count, step in enumerate(steering.steps, start=1):
            after = fidelities(run, steered_by(chosen, Steering(steering.steps[:count])))
            held = {"Held out": f"{percent(before[1], 1)} → {percent(after[1], 1)}"}
            rows.append(
                {
                    "Change": plain(wording.step(step)),
                    known: f"{percent(before[0], 1)} → {percent(after[0], 1)}",
                    **({} if alone else held),
                }
            )
            before = after
        st.table(pd.DataFrame(rows).set_index("Change"))
        too_high = "Whoever goes on until the held-out figure is best reads it a little too high."
        st.caption(f"Each row against the one above it. {NOTHING_HELD_OUT if alone else too_high}")
        with st.container(horizontal=True):
            label, key = "Back to the chosen rules", f"back {turn}"
            act_button(label, key, keep, run, turn, Steering(), icon="restart_alt")
            if st.button("Keep as a new run", icon=":material/content_copy:", key="copy_steered"):
                go(THEORY, make_copy(run))


def removed_cards(run: Run, chosen: SelectionSettings) -> None:
    """The rules that were taken out, each with the way back."""
    wording, colours, turn = wording_of(run), colours_of(run), turn_of(run)
    for place, step in enumerate(steering_in(run, chosen).steps):
        if not isinstance(step, RemoveRule):
            continue
        with st.container(border=True, gap="small"):
            with st.container(
                horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
            ):
                st.markdown(":gray-badge[:material/delete: removed by hand]", width="content")
                key = f"put back {place} {turn}"
                act_button("Put back", key, take_back, run, turn, step, icon="undo")
            st.caption(spoken(wording.parts(step.rule), step.rule.outcome, colours))
