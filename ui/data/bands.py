"""An outcome of numbers is cut into bands: the question, and what comes of an answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import streamlit as st

from glocalx.errors import GLocalXError
from glocalx.pipeline.target_bands import outcome_numbers, written_cuts
from glocalx.plots.band_picture import band_picture, bands_said
from glocalx.rules.bands import Bands
from glocalx.table import Table
from glocalx.table.limits import MAX_CLASSES, MAX_DECIMAL_CLASSES
from glocalx.words.figures import trimmed
from glocalx.workspace.run import Run
from ui.data.changes import propose, version
from ui.layout import problem
from ui.opened import shades
from ui.text import plain

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
    way = st.segmented_control(
        "Where should the numbers be cut?",
        [*PARTS, OWN],
        default=OWN if now else next(iter(PARTS)),
        required=True,
        key=f"band_way_{key}",
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
            bands = Bands.equal(numbers, PARTS[str(way)])
    except GLocalXError as error:
        problem(error)
        return None
    st.html(band_picture(numbers, bands, shades()).html)
    st.caption(plain(bands_said(numbers, bands)))
    return bands.cuts
