"""How good the chosen rules are, in five figures; computed once, kept for whoever looks."""

from __future__ import annotations

import streamlit as st

from glocalx.evaluation import Evaluation, evaluate
from glocalx.pipeline.settings import SelectionSettings
from glocalx.words.figures import percent
from glocalx.words.phrases import counted, never_used
from glocalx.workspace.run import Run
from ui.layout import figure
from ui.opened import distinct_rules_of, explained_of, kept, theory_of, wording_of
from ui.text import plain


def figures(run: Run, chosen: SelectionSettings) -> None:
    """Five figures, and in a sentence what they were measured on."""
    theory, wording, facts = theory_of(run, chosen), wording_of(run), explained_of(run)
    measured = evaluation_of(run, chosen)
    default = plain(wording.outcome(theory.default))
    unused = never_used(run.settings.unseen)
    look = {"border": True, "height": "stretch"}
    with st.grid(5, min_column_width=150, gap="small"):
        figure(
            "Fidelity, held out",
            percent(measured.fidelity, 1),
            _span(measured.fidelity_interval),
            "How often the rules give the same answer as the black box on records from which "
            f"{unused}. Below: where it would likely lie had other records been held out (95 %). "
            "Whoever moves the slider until this figure is best reads it a little too high.",
            **look,
        )
        figure(
            "Accuracy, held out",
            percent(measured.accuracy, 1),
            f"black box {percent(facts.box_accuracy, 1)}",
            "How often the rules give the answer that is true in the data. The rules explain "
            "the black box, mistakes included, so they need not be more accurate than it is.",
            **look,
        )
        figure(
            "Rules",
            f"{theory.size:,}",
            f"from {len(distinct_rules_of(run)):,}",
            "So many rules, out of so many different local rules.",
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
            "Share of the held-out records that no rule covers. The rules answer them with "
            "the most common answer of the black box.",
            **look,
        )
    st.caption(f"Held out: {counted(facts.held_out.size, 'record')} from which {unused}.")


def _span(interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{100 * low:.1f} to {100 * high:.1f} %"


@kept("merge", most=200)
def evaluation_of(run: Run, chosen: SelectionSettings) -> Evaluation:
    """What the held-out records say about the chosen rules."""
    facts = explained_of(run)
    return evaluate(theory_of(run, chosen), facts.held_out, facts.truth)
