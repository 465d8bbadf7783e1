"""Compare: the rules beside another method or another run, on the same records."""

import time

import streamlit as st

from glocalx.evaluation.common_records import records_sentence
from glocalx.evaluation.side_by_side import SideBySide
from glocalx.pipeline.settings import SelectionSettings
from glocalx.words.phrases import NOTHING_HELD_OUT
from glocalx.workspace.run import Run
from ui import work
from ui.compare.choice import choose, learns_from_all, say_unknown_labels
from ui.compare.differences import differences, say_unknown_records
from ui.compare.measures import FEW_RECORDS, draw_methods, measures_card, methods_card
from ui.compare.rules import rules_side_by_side
from ui.compare.sides import with_method, with_run
from ui.layout import act_button, next_step, page_head, refusals
from ui.opened import colours_of, explained_of, theory_of
from ui.rivals import cost_of, is_ready, methods_of, needs_black_box
from ui.runs_list import best_page
from ui.session import RUNS, go
from ui.terms import words_of_page
from ui.theory.selection import linked_selection


@st.fragment
@refusals()
def compare_page(run: Run) -> None:
    """All that depends on what is compared."""
    chosen = linked_selection(run)
    rival = choose(run, time.time())
    wide = learns_from_all(run)
    compared = None
    with refusals(go_on=True):
        if isinstance(rival, Run):
            compared = with_other(run, chosen, rival)
        elif rival is not None:
            compared = with_rival(run, chosen, rival, wide)
    if compared is not None:
        show_comparison(run, chosen, compared, wide)


def with_other(run: Run, chosen: SelectionSettings, other: Run) -> SideBySide | None:
    """Both sides; None where something has to be done first, which is said."""
    if other.missing("merge"):
        with st.container(border=True, horizontal_alignment="center"):
            st.markdown("The other run has no merged rules yet, so there is nothing to compare.")
            if st.button("Go on with it", icon=":material/arrow_forward:", key="open_other"):
                go(best_page(other), other)
        return None
    with st.spinner("Asking both about the same records …"):
        return with_run(run, chosen, other)


def with_rival(run: Run, chosen: SelectionSettings, method: str, wide: bool) -> SideBySide | None:
    """The same beside another method."""
    title, rules = methods_of(run)[method].title, theory_of(run, chosen).size
    if needs_black_box(run, method):
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            work.offer_black_box(run, f"{title} asks the black box, and this run came without it.")
        return None
    asked = f"fit {run.id} {method} {wide}"
    if not (is_ready(run, method, rules, wide) or asked in st.session_state):
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(f"{title} learns from {cost_of(run, wide)}, which takes some seconds.")
            fit = st.session_state.update
            act_button(f"Fit {title}", "fit_rival", fit, {asked: True}, icon="play_arrow")
        return None
    with st.spinner(f"Fitting {title} …"):
        return with_method(run, chosen, method, wide)


def show_comparison(run: Run, chosen: SelectionSettings, compared: SideBySide, wide: bool) -> None:
    colours = colours_of(run)
    unseen, another = run.settings.unseen, compared.another_run
    said = records_sentence(compared.common, unseen, another_run=another)
    if explained_of(run).split.parts.nothing_held_out:
        said = NOTHING_HELD_OUT
    if len(compared.common.places) < FEW_RECORDS:
        st.warning(f"{said} These are too few to tell much.", icon=":material/warning:")
    else:
        st.caption(said)
    left, right = st.columns(2, gap="medium")
    with left:
        measures_card(compared)
    with right:
        place = methods_card(run, chosen, wide)
    differences(run, compared, colours)
    rules_side_by_side(compared, colours)
    next_step("All runs", RUNS, run, "Copy this run to try other settings, or hand it on.")
    draw_methods(run, chosen, compared, wide, place)


page_head(
    "Compare",
    "Is there a better way to say it? The rules of this run beside those of another method or "
    "another run: how close each comes to the black box, and where they give different answers.",
)
run = work.require_merged()
with refusals():
    with st.container():  # what follows keeps its place
        say_unknown_records(explained_of(run).held_out.size)
        say_unknown_labels()
    compare_page(run)
words_of_page(
    "Fidelity",
    "Accuracy",
    "Cohen’s kappa",
    "Coverage",
    "Interval",
)
