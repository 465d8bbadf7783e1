"""How the records are shared out: a bar, two sliders, a seed, and a limit for large tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from glocalx import plots
from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import BoxSettings, DataSettings, RunSettings
from glocalx.pipeline.tables import SplitTable, split_table
from glocalx.table import Table
from glocalx.words.phrases import NOTHING_HELD_OUT
from glocalx.workspace.run import Run
from ui.data.changes import propose, refuse, taken, version
from ui.layout import card
from ui.opened import shades
from ui.terms import with_terms

LEAST_ROWS = 100
MOST_SEED = 2**31 - 1


def explain_percent(data: DataSettings) -> int:
    """The share to explain of what training leaves, in percent.

    Examples
    --------
    >>> explain_percent(DataSettings())
    70
    """
    return round(100 * data.explain / max(1 - data.train, 1e-9))


def with_shares(data: DataSettings, train: int, explain: int) -> DataSettings:
    """Other shares: of all records, and of those that are left, in percent.

    Examples
    --------
    >>> with_shares(DataSettings(), 70, 70) == DataSettings()
    True
    """
    share = round((100 - train) * explain / 10_000, 6)
    return replace(data, train=train / 100, explain=share)


def split_card(run: Run, table: Table, shared: SplitTable, locked: bool) -> None:
    """The card with its widgets."""
    with card("How the records are shared out"):
        _bar(shared, run.settings.box)
        if run.settings.box.source != "labels":
            _sliders(run, table, locked)
        scored = (
            NOTHING_HELD_OUT
            if shared.parts.nothing_held_out
            else "Rules are learned on **explain** and scored on **held out**, "
            f"{not_used(run.settings)}."
        )
        st.caption(scored + _some_get_a_rule(run, shared))
        if run.settings.box.source != "labels":
            _drawn(run, table, locked)
        with st.expander("Large tables", icon=":material/filter_alt:"):
            _most_rows(run, table, locked)


def not_used(settings: RunSettings) -> str:
    """What the held-out records are kept from; what others trained on is not known here."""
    if settings.box.is_trained_here:
        return "which nothing else has seen"
    if settings.unseen:
        return "which neither the model nor any rule has seen"
    return "which no rule is made from; the model may have seen them"


def _drawn(run: Run, table: Table, locked: bool) -> None:
    """GLocalX*: for those who would rather not show the records themselves."""

    def take(drawn: bool) -> None:
        what = (
            "Records that are drawn are explained, in the place of your own."
            if drawn
            else "Your own records are explained."
        )
        propose_data(run, table, replace(run.settings.data, drawn=drawn or None), what)

    drawn = bool(run.settings.data.drawn)
    st.toggle(
        "Explain drawn records instead of your own",
        drawn,
        disabled=locked or (run.settings.box.source == "predictions" and not drawn),
        help="GLocalX*: as many records as are set apart to be explained are drawn from their "
        "distribution, and the black box is asked about these. Local rules then show nobody’s "
        "record. The rules are still scored on your own held-out records. It needs a model that "
        "can be asked.",
        **taken("drawn", take),
    )


def _some_get_a_rule(run: Run, shared: SplitTable) -> str:
    """On large tables, not every record to explain gets a rule."""
    explained, written = len(shared.explain), run.settings.rules.records
    if written >= explained:
        return ""
    return f" Of the {explained:,} to explain, {written:,} get a rule, and all judge the rules."


def _bar(shared: SplitTable, box: BoxSettings) -> None:
    """The three parts as a bar, and its legend as text, which wraps on small screens."""
    train, explain, test = (len(part) for part in shared.parts.alone)
    training = "train the black box" if box.is_trained_here else "are not used"
    st.html(plots.split_bar(train, explain, test, shades(), training=training).html)
    first = f":gray[■] **{train:,}** {training} &emsp; " if train else ""
    last = f" &emsp; ■ **{test:,}** held out" if test else ""
    st.markdown(f"{first}:green[■] **{explain:,}** explain{last}")


def _sliders(run: Run, table: Table, locked: bool) -> None:
    """Where the model comes from elsewhere, nobody is trained: one share is enough."""
    data, trains = run.settings.data, run.settings.box.is_trained_here
    train, explain, seed = (f"{name}_{version()}" for name in ("train", "explain", "seed"))

    def take(_: Any) -> None:
        state = st.session_state
        trained = state[train] if trains else 0
        shares = with_shares(data, trained, state[explain])
        first = f"{trained} % of the records train the black box, " if trains else ""
        rest = "the rest" if trains else "the records"
        what = f"{first}{state[explain]} % of {rest} are explained, with seed {state[seed]}."
        propose_data(run, table, replace(shares, seed=state[seed]), what)

    places = iter(st.columns(3 if trains else 2, gap="medium", vertical_alignment="bottom"))
    if trains:
        next(places).slider(
            "Train, %",
            10,
            90,
            round(100 * data.train),
            5,
            disabled=locked,
            help="Share of all records that train the black box.",
            **taken("train", take),
        )
    next(places).slider(
        "Explain, % of the rest" if trains else "Explain, %",
        10,
        90 if trains else 100,
        explain_percent(data),
        5,
        disabled=locked,
        help="How many the rules are learned on; the others are held out."
        + ("" if trains else " At 100 %, the rules are judged on the very same records."),
        **taken("explain", take),
    )
    next(places).number_input(
        "Seed",
        0,
        MOST_SEED,
        data.seed,
        disabled=locked,
        help=with_terms("The same seed gives the same split, rules and merge every time.", "Seed"),
        **taken("seed", take),
    )


def _most_rows(run: Run, table: Table, locked: bool) -> None:
    def take(most: int) -> None:
        data = replace(run.settings.data, most_rows=int(most))
        propose_data(run, table, data, f"At most {most:,} records are used.")

    st.markdown(
        "A larger table is sampled down to so many records, outcome by outcome, drawn at random "
        "with the seed. More records take more time, and rarely give other rules."
    )
    st.number_input(
        "Use at most so many records",
        LEAST_ROWS,
        2_000_000,
        max(run.settings.data.most_rows, LEAST_ROWS),
        1_000,
        disabled=locked,
        help=f"The file has {table.size:,} records with an outcome.",
        **taken("most_rows", take),
    )


def propose_data(run: Run, table: Table, data: DataSettings, what: str) -> None:
    """Propose other settings for the data, if the records can be shared out so."""
    try:
        split_table(table, data)
    except GLocalXError as error:
        refuse(error)
    else:
        propose(run, replace(run.settings, data=data), what)
