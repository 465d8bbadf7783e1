"""A step on one screen of 1280 × 720, for a room that looks at it: `?view=lecture`."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from glocalx.merging.operators import Cut, Join
from glocalx.plots import bic_strip, dropped_rule, merge_tree, operation_pictures
from glocalx.words.figures import percent, signed
from glocalx.words.phrases import counted
from ui.address import put_in_address
from ui.layout import show
from ui.merge.interesting import drops_of, jumps, marks_of
from ui.merge.rules import operations_to_draw
from ui.merge.step import StepView, drawn_once, weighed
from ui.merge.transport import Transport, back_play_step, left_line, of_steps, step_slider
from ui.merge.words import ending, start_said
from ui.session import remember_browser
from ui.text import plain

VIEW, LECTURE = "view", "lecture"
WINDOW = 20
TREE_HEIGHT, STRIP_HEIGHT = 284, 104
TEXT, TICKS = 15, 14
MOST_PICTURES, MOST_PARTS = 2, 3
BY_THE_WHOLE = "What is saved to read weighs more than the answers that are lost."
BY_THE_PAIR = "The BIC asks about the pair alone; rules of other theories answer here, too."
STYLE = """<style>
@media (min-width: 1000px) {
  [data-testid="stMainBlockContainer"] {padding: 3.9rem 1.5rem 0; max-width: none}
  .st-key-lecture_tree, .st-key-lecture_step {flex: 0 0 24.4rem; overflow: hidden auto}
}
[data-testid="stMain"]:has(.st-key-lecture_work :is(button, [role="progressbar"], [role="alert"]))
  .st-key-lecture_strip {display: none}
.st-key-merge_news {position: absolute}
.st-key-lecture {gap: .5rem}
.st-key-lecture h1 {font-size: 1.75rem; padding: 0}
.st-key-lecture h2 {padding: 0}
.st-key-lecture_tree h2 {padding-bottom: 1rem}
.st-key-lecture_tree, .st-key-lecture_step {padding: .7rem 1rem; gap: .4rem}
.st-key-lecture_head p, .st-key-lecture_step p {font-size: 1.1rem; line-height: 1.4}
[data-testid="stLayoutWrapper"]:has(> .st-key-lecture_numbers) {margin-top: auto}
.st-key-lecture_numbers, .st-key-lecture_numbers [data-testid="stVerticalBlock"] {gap: .2rem}
.st-key-lecture_numbers [data-testid="stColumn"] strong {font-size: 1.4rem}
@media (min-width: 1000px) {
  .st-key-lecture_legend {min-height: 2.625rem}
  .st-key-lecture_step {padding-block: .55rem}
  .st-key-lecture_numbers {overflow: hidden}
  [data-testid="stLayoutWrapper"]:has(> .st-key-lecture_numbers) {flex: 0 0 7.2rem}
}
</style>"""


def in_lecture() -> bool:
    """Whether the address asks for this view."""
    return st.query_params.get(VIEW) == LECTURE


def lecture_frame() -> None:
    """What the view has in place of the head of a page: less room at the edges."""
    st.html(STYLE)
    remember_browser()


def switch_view(*, lecture: bool) -> None:
    """The button that leads into the view, or out of it; the step stays."""
    label = "Lecture view" if lecture else "Leave lecture view"
    icon = "fullscreen" if lecture else "fullscreen_exit"
    if st.button(label, icon=f":material/{icon}:", key="merge_lecture", shortcut="L"):
        put_in_address(VIEW, LECTURE if lecture else None)
        st.rerun()


def lecture_stage(view: StepView, transport: Transport, settings: Callable[[], None]) -> None:
    """The step line, the buttons, tree and step beside each other, and all steps below them.

    While a merge runs its bar stands where all steps do: below them nobody would see it.
    """
    with st.container(key="lecture"):
        with st.container(
            key="lecture_head", horizontal=True, vertical_alignment="center", gap="small"
        ):
            _head(view, transport)
            settings()
            switch_view(lecture=False)
        with st.container(
            key="lecture_moves", horizontal=True, vertical_alignment="center", gap="small"
        ):
            back_play_step(transport)
            jumps(view, transport.go_to)
            with st.container(width="stretch"):
                step_slider(transport)
        tree, step = st.columns([5, 6.6], gap="small")
        with tree.container(border=True, key="lecture_tree"):
            _tree(view)
        with step.container(border=True, key="lecture_step"):
            if view.at:
                _step(view)
            else:
                for sentence in start_said(len(view.hierarchy.local_rules)):
                    st.markdown(sentence)
        with st.container(key="lecture_strip"):
            _strip(view)


def _head(view: StepView, transport: Transport) -> None:
    st.title(f"Step {view.at:,}" if view.at else "The start", anchor=False, width="content")
    st.markdown(f"of {of_steps(transport.way)}", width="content")
    if view.at:
        st.badge("accepted", icon=":material/check:", color="green")
        st.badge(view.step.kind, color="gray")
    st.space("stretch")
    st.markdown(left_line(view.theories_left, view.rules_left), width="content")


@drawn_once
def _tree(view: StepView) -> None:
    last = f"The last {min(view.at, WINDOW)} steps" if view.at > 1 else "The first step"
    st.header(last if view.at else "The tree of merges", anchor=False)
    drawing = merge_tree(
        view.hierarchy,
        view.at,
        view.colours,
        window=WINDOW,
        height=TREE_HEIGHT,
        drops=drops_of(view),
        text=TICKS,
    )
    with st.container(key="lecture_legend"):
        if drawing.legend:  # nothing is merged at the start
            st.html(drawing.legend)
    show(drawing, "lecture_tree_drawn")


@drawn_once
def _step(view: StepView) -> None:
    """What the step did, its pictures, and the two numbers that it moves."""
    operations = operations_to_draw(view.step)
    if operations:
        _operation(view, operations[0])
    if len(operations) > 1:
        more = counted(len(operations) - 1, "more join or cut", "more joins and cuts")
        st.caption(f"And {more}, which stand below the step outside this view.")
    if not operations:
        for sentence in view.words.operations(view.step)[:1]:
            st.markdown(sentence)
    _numbers(view)


def _operation(view: StepView, operation: Join | Cut) -> None:
    words = view.words
    if isinstance(operation, Cut) and operation.after is None:
        st.markdown(words.cut(operation))
        st.html(dropped_rule(operation, view.reference, view.colours, text=TEXT).html)
        return
    pictures = operation_pictures(
        operation,
        view.reference.records,
        view.colours,
        most=MOST_PICTURES,
        parts=MOST_PARTS,
        wording=view.wording,
        bars=0,
        text=TICKS,
    )
    drawn = {feature for feature, _ in pictures}
    say = words.cut if isinstance(operation, Cut) else words.join
    st.markdown(say(operation, drawn=drawn))  # type: ignore[arg-type] # each its own kind
    if not pictures:
        _in_words(view, operation)
        return
    for column, (feature, picture) in zip(
        st.columns(MOST_PICTURES, gap="medium"), pictures, strict=False
    ):
        with column:
            st.markdown(f"**{plain(view.wording.name(feature))}**")
            st.html(picture.html)


def _in_words(view: StepView, operation: Join | Cut) -> None:
    """The rules before and after, where no condition moved that could be drawn."""
    before = operation.parts if isinstance(operation, Join) else (operation.before,)
    after = operation.result if isinstance(operation, Join) else operation.after
    for rule in [each for each in before if each != after][:MOST_PARTS]:
        st.markdown(f":material/remove: {view.sentence(rule)}")
    if after is not None:
        st.markdown(f":material/check: {view.sentence(after)}")


def _numbers(view: StepView) -> None:
    """Before and after: the BIC that decided, and how often all rules agree."""
    trial, size = view.step.trial, view.reference.size
    if marks := marks_of(view):
        before, after = marks.agreed[view.at - 1], marks.agreed[view.at]
    else:
        before, after = (view.reference.agreement(view.rules(at)) for at in (view.at - 1, view.at))
    change = signed(trial.bic_merged - trial.bic_union, 1)
    with st.container(key="lecture_numbers"):
        left, right = st.columns(2, gap="medium")
        with left:
            st.caption(f"BIC {weighed(view)}, lower is better")
            st.markdown(
                f"{trial.bic_union:,.1f} → **{trial.bic_merged:,.1f}** :green-badge[{change}]"
            )
        with right:
            st.caption("Fidelity of all rules")
            st.markdown(
                f"{percent(before / size, 1)} → **{percent(after / size, 1)}** "
                f"{_answers(after - before)}"
            )
        for note in _notes(view, fell=after < before):
            st.markdown(note)


def _notes(view: StepView, *, fell: bool) -> list[str]:
    """Two lines at most, for which there is room below the numbers on every step."""
    if view.at_end:
        return [f":material/flag: {ending(view.hierarchy)}"]
    notes, refused = [], view.refused
    if fell:
        whole = view.hierarchy.settings.bic_on == "whole"
        notes.append(f"**Why both?** {BY_THE_WHOLE if whole else BY_THE_PAIR}")
    if refused:
        closest = min(pair.trial.bic_merged - pair.trial.bic_union for pair in refused)
        notes.append(
            f":material/block: **{counted(len(refused), 'pair')} turned down** on the way here; "
            f"the closest had BIC {signed(closest, 1)}."
        )
    return notes


def _answers(gained: int) -> str:
    if not gained:
        return ":gray-badge[no change]"
    answers = counted(abs(gained), "answer")
    return f":green-badge[{answers} gained]" if gained > 0 else f":red-badge[{answers} lost]"


@drawn_once
def _strip(view: StepView) -> None:
    """All steps of the run, and where in it one stands."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header("Was each merge worth it?", anchor=False, width="content")
        fell = " ▼ fidelity falls." if drops_of(view) else ""
        st.caption(f"BIC merged minus side by side. Below the line: kept. × turned down.{fell}")
    st.html(
        bic_strip(
            view.hierarchy,
            view.at,
            view.colours.palette,
            height=STRIP_HEIGHT,
            drops=drops_of(view),
            text=13,
        ).html
    )
