"""The frame of every page: its title, which run it shows, what to do first, what is next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import streamlit as st

from glocalx.errors import GLocalXError
from glocalx.workspace.run import Run
from ui.address import say_unknown_selection
from ui.session import (
    DATA,
    RUNS,
    START,
    current_run,
    go,
    make_copy,
    may_change,
    may_have_table,
    remember_browser,
)
from ui.text import plain

if TYPE_CHECKING:  # the first page draws without plotly's figures
    from glocalx.plots import Drawing


NO_RECORDS = "The link to this run shows results and no single records."
T = TypeVar("T")


def page_head(title: str, lead: str) -> None:
    """The title and one or two sentences. `lead` is Markdown of ours, never of a file."""
    st.title(title, anchor=False)
    st.markdown(lead, width=880)
    remember_browser()


def require_run(*, line: bool = True) -> Run:
    """The run that the page is about; where there is none, say what to do first and end.

    `line`: whether the page says which run it is.
    """
    run = current_run()
    if run is None:
        empty("No run is open yet. Open a sample, or bring your own table.", "Go to Start", START)
        st.stop()
    if line:
        _run_line(run)
    return run


def _run_line(run: Run) -> None:
    """Which run is shown, and what whoever looks may do with it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f":material/folder_open: {plain(run.name)}")
        if st.button("All runs", type="tertiary", key="all_runs"):
            go(RUNS)
    with st.container():  # always there: what follows keeps its place
        if not may_change(run):
            _only_looking(run)
        say_unknown_selection()


def _only_looking(run: Run) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        copied = may_have_table(run)
        st.info(
            "You are looking at somebody else’s run. "
            + (
                "You can read everything; to change something, make a copy."
                if copied
                else "You can read its rules and figures. Its table and its single records stay "
                "with whoever made it."
            ),
            icon=":material/visibility:",
        )
        if copied and st.button("Make a copy", icon=":material/content_copy:"):
            with refusals():
                copy = make_copy(run)
            go(DATA, copy)


def shows_records(run: Run) -> bool:
    """Whether whoever looks may see single records; where not, that is said in their place."""
    if may_have_table(run):
        return True
    st.caption(f":material/visibility_off: {NO_RECORDS}")
    return False


def empty(sentence: str, action: str, page: str) -> None:
    """A page with nothing to show yet says what to do first. `sentence` is our own Markdown."""
    with st.container(border=True, horizontal_alignment="center"):
        st.markdown(f":material/arrow_forward: {sentence}")
        if st.button(action, type="primary"):
            go(page, current_run())


def problem(error: GLocalXError | str) -> None:
    """What is wrong and what to do, in the words of the error."""
    st.error(plain(error), icon=":material/error:")


@contextmanager
def refusals(*, go_on: bool = False) -> Iterator[None]:
    """Show what a person can put right as a sentence, and end the page there, or go on below."""
    try:
        yield
    except GLocalXError as error:
        problem(error)
        if not go_on:
            st.stop()


@contextmanager
def card(title: str, *, anchor: str | Literal[False] = False, **options: Any) -> Iterator[None]:
    """One idea of a page under its title. `title` is Markdown of ours, never of a file."""
    with st.container(border=True, **options):
        st.header(title, anchor=anchor)
        yield


def figure(
    label: str, value: str, below: str | None, help_text: str | None = None, **options: Any
) -> None:
    """A number with a quiet line below it, which is no change for better or worse."""
    st.metric(label, value, below, delta_color="off", delta_arrow="off", help=help_text, **options)


def one_of(
    label: str,
    titles: Mapping[T, str] | Sequence[T],
    key: str,
    default: T | None = None,
    *,
    ask: Any = st.segmented_control,
    **options: Any,
) -> T:
    """A few things of which always one is chosen, each under its title.

    `default`: the one to begin with, also where the address says nothing after its `=`; None where
    the session says which, or a list begins with its first.
    """
    names, said = list(titles), titles.__getitem__ if isinstance(titles, Mapping) else str
    look: dict[str, Any] = {"default": default, "required": True}
    if ask is st.selectbox:
        look = {"index": 0 if default is None else names.index(default)}
    chosen: T | None = ask(label, names, key=key, format_func=said, **look, **options)
    return cast(T, default if chosen is None else chosen)


def act_button(
    label: str,
    key: str,
    act: Callable[..., None],
    *args: object,
    icon: str | None = None,
    **options: Any,
) -> None:
    """A button that acts before the page is drawn anew. `icon`: its name in Material."""
    sign = f":material/{icon}:" if icon else None
    st.button(label, key=key, icon=sign, on_click=act, args=args, **options)


def download(
    label: str, data: bytes | Callable[[], bytes], file: str, mime: str, **options: Any
) -> None:
    """A button that gives a file and changes nothing on the page."""
    options = {"icon": ":material/download:", **options}
    st.download_button(label, data, file, mime, on_click="ignore", **options)


def next_step(
    label: str,
    page: str,
    run: Run,
    cost: str = "",
    *,
    disabled: bool = False,
    before: Callable[[], None] | None = None,
) -> None:
    """The one primary button of a page, bottom right, with what it will cost.

    `before` is called when it was pressed, before the page changes.
    """
    with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center"):
        if cost:
            st.caption(cost, width="content")
        pressed = st.button(
            label,
            type="primary",
            icon=":material/arrow_forward:",
            icon_position="right",
            disabled=disabled,
            key="next_step",
        )
    if pressed:
        if before is not None:
            before()
        go(page, run)


def show(drawing: Drawing, key: str, *, caption: bool = False, **options: Any) -> object:
    """A figure with its alternative text."""
    from glocalx.plots import CONFIG

    event = st.plotly_chart(
        drawing.figure, theme=None, config=CONFIG, key=key, alt=drawing.alt, **options
    )
    if caption:
        st.caption(plain(drawing.alt))
    return event


def mark_row(table: str, row: int | None) -> None:
    """Mark a row of the table with this key, where another one is marked; before it is drawn."""
    if marked_row(table) != row:
        rows = [] if row is None else [row]
        st.session_state[table] = {"selection": {"rows": rows, "columns": [], "cells": []}}


def marked_row(table: str) -> int | None:
    """The row that is marked in the table with this key."""
    marked = st.session_state.get(table)
    rows = marked["selection"]["rows"] if marked else []
    return rows[0] if rows else None
