"""May the chosen rules stand in for the black box? The answer stands above everything else."""

from __future__ import annotations

import math

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from glocalx.evaluation import Evaluation, evaluate
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
from glocalx.words.phrases import NOTHING_HELD_OUT, counted, never_used
from glocalx.workspace.run import Run
from ui.layout import figure
from ui.opened import colours_of, distinct_rules_of, explained_of, kept, theory_of, wording_of
from ui.terms import with_terms
from ui.text import badge, plain
from ui.theory.curve import agreeing_of, way_of

HEADS = {
    "stands in": (st.success, ":material/check_circle:"),
    "misses much": (st.warning, ":material/error:"),
    "do not rely": (st.error, ":material/cancel:"),
    "too few": (st.info, ":material/help:"),
}
MOST_SQUARES = 120  # so many records can be seen one by one
KAPPA = with_terms(
    "Agreement beyond chance: 1 is always, 0 is no better than chance.", "Cohen’s kappa"
)


@kept("merge", most=200)
def verdict_of_rules(run: Run, chosen: SelectionSettings) -> Verdict:
    """What the held-out records say about the chosen rules."""
    facts = explained_of(run)
    unseen = not facts.split.parts.nothing_held_out
    return verdict_on(theory_of(run, chosen), facts.held_out, unseen=unseen)


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
                    _found(each, colours)
            with st.container(gap="xsmall"):
                _beside(verdict, enough_of(run, way_of(chosen)), rules)
        beyond = st.empty()
        with st.expander("How this verdict is made"):
            st.markdown("\n".join(f"- {each}" for each in LIMITS))
            st.caption(
                f"Everything is counted on {explained_of(run).judged_name}s. The limits are a "
                "convention: seen to be useful, not proven. Whoever moves the slider until the "
                "verdict is best reads it a little too well."
            )
    return beyond


def _found(each: OutcomeFound, colours: OutcomeColours) -> None:
    """How much of one outcome the rules find, and how often they are right where they say it."""
    answer = badge(each.outcome, colours)
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


def figures(run: Run, chosen: SelectionSettings) -> None:
    """Five figures, and in a sentence what they were measured on."""
    theory, wording, facts = theory_of(run, chosen), wording_of(run), explained_of(run)
    measured = evaluation_of(run, chosen)
    low, high = measured.fidelity_interval
    default = plain(wording.outcome(theory.default))
    held_out = not facts.split.parts.nothing_held_out
    unused, after = never_used(run.settings.unseen, held_out), ", held out" if held_out else ""
    look = {"border": True, "height": "stretch"}
    with st.grid(5, min_column_width=150, gap="small"):
        figure(
            f"Fidelity{after}",
            percent(measured.fidelity, 1),
            f"{100 * low:.1f} to {100 * high:.1f} %" if held_out else "on these records",
            with_terms(
                "How often the rules give the same answer as the black box on records from which "
                f"{unused}. {_READ_WITH_CARE if held_out else ''}",
                "Fidelity",
                "Held-out records",
            ),
            **look,
        )
        figure(
            f"Accuracy{after}",
            percent(measured.accuracy, 1),
            f"black box {percent(facts.box_accuracy, 1)}",
            with_terms(
                "How often the rules give the answer that is true in the data. The rules explain "
                "the black box, mistakes included, so they need not be more accurate than it is.",
                "Accuracy",
            ),
            **look,
        )
        figure(
            "Rules",
            f"{theory.size:,}",
            f"from {len(distinct_rules_of(run)):,}",
            with_terms(
                "So many rules, out of so many different local rules.", "Theory", "Local rule"
            ),
            **look,
        )
        figure(
            "Conditions per rule",
            f"{measured.length:.1f}",
            f"{sum(map(len, theory.rules)):,} in all to read",
            f"The longest rule has {max(map(len, theory.rules), default=0)}. All conditions "
            "count, also those that sentences leave out because others imply them.",
            **look,
        )
        figure(
            "No rule applies",
            percent(measured.default_share),
            f"answered {default}",
            with_terms(
                f"Share of the {facts.judged_name}s that no rule covers. The rules answer them "
                "with the most common answer of the black box.",
                "Coverage",
            ),
            **look,
        )
    said = f"Held out: {counted(facts.held_out.size, 'record')} from which {unused}."
    st.caption(said if held_out else NOTHING_HELD_OUT)


_READ_WITH_CARE = (
    "Below: where it would likely lie had other records been held out (95 %). Whoever moves the "
    "slider until this figure is best reads it a little too high."
)


@kept("merge", most=200)
def evaluation_of(run: Run, chosen: SelectionSettings) -> Evaluation:
    """What the held-out records say about the chosen rules."""
    facts = explained_of(run)
    return evaluate(theory_of(run, chosen), facts.held_out, facts.truth)
