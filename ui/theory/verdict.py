"""May the chosen rules stand in for the black box? The answer stands above everything else."""

from __future__ import annotations

import math

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from glocalx.evaluation.verdict import (
    FEW,
    LIMITS,
    OutcomeFound,
    Verdict,
    enough_rules,
    enough_said,
    verdict_on,
)
from glocalx.pipeline.settings import SelectionSettings
from glocalx.plots.colours import OutcomeColours
from glocalx.words.figures import percent, share_interval
from glocalx.workspace.run import Run
from ui.opened import colours_of, explained_of, kept, theory_of, wording_of
from ui.text import badge, plain
from ui.theory.curve import agreeing_of, way_of

HEADS = {
    "stands in": (st.success, ":material/check_circle:"),
    "misses much": (st.warning, ":material/error:"),
    "do not rely": (st.error, ":material/cancel:"),
    "too few": (st.info, ":material/help:"),
}
MOST_SQUARES = 120  # so many records can be seen one by one
KAPPA = "Agreement beyond chance: 1 is always, 0 is no better than chance."


@kept("merge", most=200)
def verdict_of_rules(run: Run, chosen: SelectionSettings) -> Verdict:
    """What the held-out records say about the chosen rules."""
    return verdict_on(theory_of(run, chosen), explained_of(run).held_out)


@kept("merge", most=20)
def enough_of(run: Run, way: SelectionSettings) -> int | None:
    """From how many rules on nothing is gained, chosen in this way; None where there are none."""
    agreeing = agreeing_of(run, way)
    return enough_rules(agreeing) if agreeing else None


def verdict_card(run: Run, chosen: SelectionSettings) -> DeltaGenerator:
    """The verdict in a sentence, and what it rests on: each outcome, guessing, kappa.

    Gives the place for what only the model can tell, which takes longer.
    """
    verdict, rules = verdict_of_rules(run, chosen), theory_of(run, chosen).size
    wording, colours = wording_of(run), colours_of(run)

    def name(outcome: str) -> str:
        return plain(wording.outcome(outcome))

    with st.container(border=True, key="verdict"):
        head, icon = HEADS[verdict.level]
        head(f"## {verdict.headline(name)}\n{verdict.evidence(name)}", icon=icon)
        with st.grid(min(len(verdict.outcomes) + 1, 3), min_column_width=240, gap="medium"):
            for each in verdict.outcomes:
                with st.container(gap="xsmall"):
                    _found(each, colours, wording.outcome(each.outcome))
            with st.container(gap="xsmall"):
                _beside(verdict, enough_of(run, way_of(chosen)), rules)
        beyond = st.empty()
        with st.expander("How this verdict is made"):
            st.markdown("\n".join(f"- {each}" for each in LIMITS))
            st.caption(
                "Everything is counted on held-out records. The limits are a convention: seen to "
                "be useful, not proven. Whoever moves the slider until the verdict is best reads "
                "it a little too well."
            )
    return beyond


def _found(each: OutcomeFound, colours: OutcomeColours, called: str) -> None:
    """How much of one outcome the rules find, and how often they are right where they say it."""
    answer = badge(each.outcome, colours, called)
    if not each.given:
        st.markdown(f"The black box calls none of these records {answer}")
        return
    st.markdown(f"finds **{each.found:,} of the {each.given:,}** that the black box calls {answer}")
    st.html(found_bar(each, colours.colour(each.outcome)))
    if each.is_judged:
        st.caption(f"{percent(each.recall.value)}, {share_interval(each.recall, 0)} %")
    else:
        st.caption(f"**Too few to judge**: fewer than {FEW}.")
    if each.said:
        st.caption(
            f"Of {each.said:,} that the rules call so, the black box agrees for "
            f"**{each.found:,}**, {percent(each.precision.value)}."
        )
    else:
        st.caption("The rules never say it.")


def found_bar(each: OutcomeFound, colour: str) -> str:
    """A square for each record, full where it is found; a bar where there are many records.

    As HTML of numbers and our own colours; no text of a table is in it.
    """
    said = f"{each.found:,} of {each.given:,} found"
    frame = f"border:1px solid {colour};border-radius:2px"
    if each.given > MOST_SQUARES:
        share = 100 * each.found / each.given
        inside = f'<div style="{frame};flex:1"><div style="height:100%;width:{share:.2f}%;'
        inside += f'background:{colour}"></div></div>'
    else:
        square = f'<span style="width:9px;height:12px;{frame}'
        inside = f'{square};background:{colour}"></span>' * each.found
        inside += f'{square}"></span>' * (each.given - each.found)
    return (
        f'<div role="img" aria-label="{said}" title="{said}" style="display:flex;flex-wrap:wrap;'
        f'gap:2px;min-height:14px;max-width:300px">{inside}</div>'
    )


def _beside(verdict: Verdict, enough: int | None, rules: int) -> None:
    """What goes with the share: agreement beyond chance, how many rules are enough, what to do."""
    kappa = "not defined" if math.isnan(verdict.kappa) else f"{verdict.kappa:.2f}"
    st.markdown(f"Cohen’s kappa **{kappa}**", help=KAPPA)
    if enough is not None:
        st.caption(enough_said(enough, rules))
    if advice := verdict.advice(rules):
        st.caption(advice)
