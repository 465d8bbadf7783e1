"""The outcome to explain: the question that a new table begins with, and numbers cut into bands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import streamlit as st

from glocalx.errors import GLocalXError
from glocalx.pipeline.column_edits import ColumnEdit, with_edits
from glocalx.pipeline.target_bands import outcome_numbers, written_cuts
from glocalx.plots.threshold_picture import band_picture
from glocalx.rules.bands import Bands
from glocalx.table import Table
from glocalx.table.limits import MAX_CLASSES, MAX_DECIMAL_CLASSES
from glocalx.table.preview import commonest_values, guess_target
from glocalx.words.figures import trimmed
from glocalx.words.phrases import counted
from glocalx.workspace.run import Run
from ui.data.changes import propose, version
from ui.data.overview import findings_list, sorted_findings
from ui.layout import card, one_of, problem, refusals
from ui.opened import shades
from ui.session import workspace
from ui.text import bold, plain

SMALL = 50  # records, at most: a table to work through by hand


def target_card(run: Run, table: Table, locked: bool) -> None:
    """Which column is the outcome to explain?"""
    names = list(table.raw.columns)
    guess = guess_target(table)
    with card("Which column is the outcome to explain?"):
        st.markdown(
            "The decision, or what a model said: a column with a few different values, or numbers "
            "that are cut into bands."
        )
        name = st.selectbox(
            "Outcome column",
            names,
            index=names.index(guess) if guess is not None else len(names) - 1,
            key="target_column",
            disabled=locked,
            help="Guessed from names and values. You can change it later.",
        )
        _preview(table, name)
        bands = asked_bands(table, name, locked)
        if table.raw.size <= SMALL:
            st.caption(
                f"With {counted(table.raw.size, 'record')} there is no model to train: the labels "
                "are explained as they are, every record, and none is held out. You can change "
                "that on the next page."
            )
        if st.button(
            "Explain this column",
            type="primary",
            icon=":material/check:",
            key="choose_target",
            disabled=locked or bands is None,
        ):
            _choose(run, table, name, bands or ())


def _preview(table: Table, name: str) -> None:
    values, more = commonest_values(table, name)
    said = ", ".join(f"{bold(text) or '(empty)'} ({count:,})" for text, count in values)
    others = f" and {more:,} more" if more else ""
    st.markdown(f"Values of {plain(name)}: {said}{others}.")


def _choose(run: Run, table: Table, name: str, bands: tuple[float, ...]) -> None:
    edit, settings = ColumnEdit(name, role="target", bands=bands), run.settings
    if table.raw.size <= SMALL:
        settings = settings.with_box(replace(settings.box, source="labels"))
    with refusals(go_on=True):
        workspace().save(run, settings=with_edits(settings, table, [edit]))
        st.rerun()


def findings_before_target(table: Table) -> None:
    """What reading the file already showed."""
    with card("What was found so far"):
        findings_list(sorted_findings(table.findings))


Numbers = npt.NDArray[np.float64]
FEWEST_DIFFERENT = 10  # numbers; with fewer, each may be an outcome of its own
OWN = "At my own numbers"
PARTS = {"Two equal parts": 2, "Three": 3, "Four": 4}


def numbers_to_cut(table: Table, column: str) -> Numbers | None:
    """The numbers of a column, if there are enough different ones for bands to be of use."""
    numbers = outcome_numbers(table, column)
    if numbers is None or np.unique(numbers[~np.isnan(numbers)]).size < FEWEST_DIFFERENT:
        return None
    return numbers


def asked_bands(table: Table, column: str, locked: bool) -> tuple[float, ...] | None:
    """Where the numbers of a column should be cut; () where not, None while that is unclear."""
    numbers = numbers_to_cut(table, column)
    if numbers is None:
        return ()
    decimals = table.column(column).kind == "numeric"
    different = np.unique(numbers[~np.isnan(numbers)]).size
    if different <= (MAX_DECIMAL_CLASSES if decimals else MAX_CLASSES) and not st.toggle(
        "Cut the numbers into bands",
        key=f"cut_{column}",
        disabled=locked,
        help="Rules then tell bands apart, such as below 50 and 50 or more.",
    ):
        return ()
    return _cuts(numbers, (), f"{column}_{version()}", locked)


def bands_form(run: Run, table: Table, locked: bool) -> None:
    """Cut an outcome that is in bands elsewhere."""
    target = table.choices.outcome("target")
    now = run.settings.data.bands
    numbers = numbers_to_cut(table, target) if target and now else None
    if numbers is None:
        return
    with st.expander(f"Cut at {', '.join(trimmed(cut, 12) for cut in now)}: cut elsewhere"):
        cuts = _cuts(numbers, now, f"again_{version()}", locked)
        if cuts and st.button("Cut there", key="cut_elsewhere", disabled=locked or cuts == now):
            data = replace(run.settings.data, bands=cuts, positive=None)
            names = ", ".join(Bands(cuts).names)
            propose(run, replace(run.settings, data=data), f"The outcomes become: {names}.")
            st.rerun()


def _cuts(
    numbers: Numbers, now: tuple[float, ...], key: str, locked: bool
) -> tuple[float, ...] | None:
    """The question itself, with a picture of what was answered."""
    way = one_of(
        "Where should the numbers be cut?",
        (*PARTS, OWN),
        f"band_way_{key}",
        OWN if now else next(iter(PARTS)),
        disabled=locked,
        help="Rules explain why a record is in one band and not in another. Cut where the "
        "difference matters to you; equal parts are a start.",
    )
    try:
        if way == OWN:
            written = st.text_input(
                "Numbers to cut at, parted by semicolons",
                "; ".join(f"{cut:.12g}" for cut in now or Bands.equal(numbers, 2).cuts),
                key=f"band_cuts_{key}",
                disabled=locked,
            )
            bands = Bands(written_cuts(written))
        else:
            bands = Bands.equal(numbers, PARTS[way])
    except GLocalXError as error:
        problem(error)
        return None
    picture = band_picture(numbers, bands, shades())
    st.html(picture.html)
    st.caption(plain(picture.alt))
    return bands.cuts
