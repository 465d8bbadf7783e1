"""Whether the rules stay: the records drawn anew, in the background, on a button."""

from __future__ import annotations

import streamlit as st

from glocalx.evaluation.returning import steadiness_said, with_returns
from glocalx.files.journals import ResamplesReader
from glocalx.pipeline.resampling import TEN, Resample
from glocalx.pipeline.settings import SelectionSettings
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.returns import NEARLY
from glocalx.words.phrases import counted
from glocalx.workspace.run import Run
from ui import work
from ui.layout import card
from ui.opened import explained_of, kept, theory_of
from ui.session import may_change
from ui.terms import with_terms
from ui.text import plain

LIMITS = (0.3, 0.9)


def steady_theory(run: Run, chosen: SelectionSettings) -> RankedTheory:
    """The chosen rules, with how often each returns where that is known."""
    if not run.done("resamples"):
        return theory_of(run, chosen)
    limit: float = st.session_state.get("nearly", NEARLY)
    return _with_returns(run, chosen, limit)


@kept("merge", "resamples", most=60)
def _with_returns(run: Run, chosen: SelectionSettings, limit: float) -> RankedTheory:
    facts, seed = explained_of(run), run.settings.data.seed
    reference = facts.reference
    rules = [each.chosen(chosen, reference, seed) for each in _resamples(run)]
    return with_returns(theory_of(run, chosen), rules, reference, facts.held_out, limit)


@kept("resamples")
def _resamples(run: Run) -> list[Resample]:
    reader = ResamplesReader(run.file("resamples"), explained_of(run).schema)
    return [Resample(*line) for line in reader.refresh()]


def steadiness_card(run: Run, chosen: SelectionSettings) -> None:
    """How steady the rules are, or the button that finds out."""
    with card("How steady are the rules?"):
        if run.done("resamples"):
            _tell(steady_theory(run, chosen), explained_of(run).reference_name)
            return
        busy = work.watch(run, "resamples").busy
        known = explained_of(run).reference_name
        st.markdown(
            f"Would other records have given the same rules? The {known}s are drawn anew "
            f"{TEN} times, with replacement, and everything is merged and chosen again. Local "
            "rules are not written again."
        )
        if may_change(run):
            st.button(
                "See which rules return",
                icon=":material/casino:",
                key="resample",
                disabled=busy,
                on_click=work.start,
                args=(run, "resamples"),
            )


def _tell(theory: RankedTheory, records: str) -> None:
    never, meaning = steadiness_said(theory)
    st.markdown(
        f"The {records}s were drawn anew {TEN} times, and everything was merged and chosen "
        "again; local rules were not written again. A rule **returns** if some rule with its "
        "answer covers mostly the same records."
    )
    if never:
        st.warning(f"**{plain(never)}** {meaning}", icon=":material/warning:")
    else:
        known = [each for each in theory.ranked if each.returns and each.returns.times is not None]
        st.caption(f"Each of the {counted(len(known), 'rule')} returns at least once.")
    st.slider(
        "Nearly the same from a similarity of",
        *LIMITS,
        NEARLY,
        step=0.1,
        key="nearly",
        help=with_terms(
            "Jaccard similarity of the records covered: 1 means the same records. The limit "
            "decides: with a higher one, fewer rules return.",
            "Similarity",
        ),
    )
