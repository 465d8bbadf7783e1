"""What steers the merge, beside the buttons; other settings are tried by merging again."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import streamlit as st

from glocalx.merging.search import MergeSettings
from glocalx.words.phrases import counted
from glocalx.workspace.run import Run
from ui import work
from ui.layout import one_of, refusals
from ui.merge.play import start_over
from ui.session import MERGE, go, jobs, may_change
from ui.terms import with_terms

BIC_ON: dict[Literal["all", "batch", "whole"], str] = {
    "whole": "All rules together",
    "all": "The two theories",
    "batch": "The two, on the batch",
}
REFERENCE: dict[Literal["explained", "labelled"], str] = {
    "labelled": "All labelled records",
    "explained": "The explained records",
}


def settings_beside(run: Run, merges: int) -> None:
    """The settings, folded away where the person looks: a new merge starts there.

    They are drawn once they are opened: closed, they were a quarter of what a step costs. Other
    settings have a fold of their own, so a new merge is not hidden by it.
    """
    fold = st.popover("Settings", icon=":material/tune:", key=fold_of(run), on_change="rerun")
    if fold.open:
        with fold:
            settings_panel(run, merges)


def fold_of(run: Run) -> str:
    """The key of the fold with the settings of a merge."""
    return f"merge_settings_{run.id}_{run.settings.key('merge')}"


@st.fragment
def settings_panel(run: Run, merges: int) -> None:
    """Widgets for all settings, and buttons to merge with them.

    Parameters
    ----------
    run
        The present settings are its own.
    merges
        How many there are so far, which merging again replaces.
    """
    with st.container(width=720):
        with refusals():
            chosen = _chosen(run.settings.merge, f"{run.id}_{run.settings.key('merge')}")
        changed, settings = chosen != run.settings.merge, replace(run.settings, merge=chosen)
        if not changed:
            st.caption("Change a setting to merge with it.")
        elif merges and may_change(run):
            st.caption(
                f"Merging again replaces the present hierarchy ({counted(merges, 'merge')}) and "
                "the theory that was chosen from it. To keep them, merge a copy."
            )
        with st.container(horizontal=True):
            if st.button(
                "Merge again" if merges else "Merge with these",
                icon=":material/restart_alt:",
                key="merge_again",
                disabled=not changed or not may_change(run),
            ):
                jobs().end(run)
                start_over(work.begin_with(run, settings, "merge"), playing=True)
                st.rerun()
            if st.button(
                "Merge a copy",
                icon=":material/content_copy:",
                key="merge_copy",
                disabled=not changed,
                help="A new run with these settings; this one stays as it is.",
            ):
                copy = work.begin_in_a_copy(run, settings, "merge")
                start_over(copy, playing=True)
                go(MERGE, copy)


def _chosen(now: MergeSettings, key: str) -> MergeSettings:
    """The settings as the widgets say, in the order in which they stand."""
    with st.grid(3, min_column_width=260, gap="medium"):
        return MergeSettings(
            fidelity_weight=_weight(
                "Weight of fidelity",
                now.fidelity_weight,
                f"merge_fidelity_{key}",
                with_terms(
                    "How much it counts that the rules answer like the black box. Higher: fewer "
                    "merges, more faithful rules.",
                    "BIC",
                    "Fidelity",
                ),
            ),
            complexity_weight=_weight(
                "Weight of short rules",
                now.complexity_weight,
                f"merge_complexity_{key}",
                with_terms(
                    "How much it counts that rules are short. Higher: more is joined, and some "
                    "fidelity may be lost.",
                    "BIC",
                    "Length, L",
                ),
            ),
            bic_on=one_of(
                "Judge a merge by",
                BIC_ON,
                f"merge_bic_{key}",
                now.bic_on,
                help=with_terms(
                    "All rules together: whether the whole explains no worse with less to read. "
                    "The two theories alone: the paper's way. On the batch: quicker and less sure.",
                    "BIC",
                ),
            ),
            reference=one_of(
                "Merge and choose on",
                REFERENCE,
                f"merge_reference_{key}",
                now.reference,
                help=with_terms(
                    "All labelled records: the explained ones and those that the black box was "
                    "trained on, at most 10,000. The explained records alone: the paper's way.",
                    "Reference",
                ),
            ),
            batch_size=st.number_input(
                "Records in a batch",
                1,
                1_000_000,
                now.batch_size,
                key=f"merge_batch_{key}",
                help=with_terms(
                    "A merge is made on so many records, drawn anew for each step. More records "
                    "find more rules that meet.",
                    "Batch",
                ),
            ),
            seed=st.number_input(
                "Seed",
                0,
                2**32 - 1,
                now.seed,
                key=f"merge_seed_{key}",
                help=with_terms("The same seed gives the same merge every time.", "Seed"),
            ),
            patience=st.number_input(
                "Give up after",
                1,
                1_000_000,
                now.patience,
                placeholder="never: try every pair",
                key=f"merge_patience_{key}",
                help=with_terms(
                    "Patience: end the merge after so many pairs in a row were turned down. "
                    "Empty: try every pair.",
                    "Patience",
                    "Turned down",
                ),
            ),
            shards=st.number_input(
                "Shards",
                1,
                10_000,
                now.shards,
                placeholder="automatic: one for each 5,000 rules",
                key=f"merge_shards_{key}",
                help=with_terms(
                    "Merge so many groups of similar rules by themselves first, then what is left "
                    "of them with each other. Quicker for many thousand rules; 1 means all at "
                    "once.",
                    "Shard",
                ),
            ),
        )


def _weight(label: str, now: float, key: str, help_text: str) -> float:
    most = max(5.0, now)
    weight: float = st.slider(label, 0.0, most, float(now), 0.05, key=key, help=help_text)
    return now if abs(weight - now) < 1e-9 else round(weight, 2)
