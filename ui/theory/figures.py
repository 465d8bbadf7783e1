"""How good the chosen rules are, in five figures; computed once, kept for whoever looks."""

from __future__ import annotations

import numpy as np
import streamlit as st

from glocalx.evaluation import Evaluation, evaluate
from glocalx.pipeline.settings import SelectionSettings
from glocalx.words.figures import percent, points
from glocalx.words.phrases import counted, never_used
from glocalx.workspace.run import Run
from ui.opened import distinct_rules_of, explained_of, theory_of, wording_of
from ui.text import plain


def figures(run: Run, chosen: SelectionSettings) -> None:
    """Five figures, and in a sentence what they were measured on."""
    theory, wording, facts = theory_of(run, chosen), wording_of(run), explained_of(run)
    measured = evaluation_of(run, chosen)
    guess, box = majority_of(run), box_accuracy_of(run)
    default = plain(wording.outcome(theory.default))
    unused = never_used(run.settings.box.is_trained_here)
    with st.grid(5, min_column_width=150, gap="small"):
        st.metric(
            "Fidelity, held out",
            percent(measured.fidelity, 1),
            _span(measured.fidelity_interval),
            delta_color="off",
            delta_arrow="off",
            border=True,
            height="stretch",
            help="How often the rules give the same answer as the black box on records from which "
            f"{unused}. Below: where it would likely lie had other records been held out (95 %). "
            "Whoever moves the slider until this figure is best reads it a little too high.",
        )
        st.metric(
            "Accuracy, held out",
            percent(measured.accuracy if measured.accuracy is not None else np.nan, 1),
            f"black box {percent(box, 1)}",
            delta_color="off",
            delta_arrow="off",
            border=True,
            height="stretch",
            help="How often the rules give the answer that is true in the data. The rules explain "
            "the black box, mistakes included, so they need not be more accurate than it is.",
        )
        st.metric(
            "Rules",
            f"{theory.size:,}",
            f"from {len(distinct_rules_of(run)):,}",
            delta_color="off",
            delta_arrow="off",
            border=True,
            height="stretch",
            help="So many rules, out of so many different local rules.",
        )
        st.metric(
            "Conditions per rule",
            f"{measured.length:.1f}",
            f"longest {max(map(len, theory.rules), default=0)}",
            delta_color="off",
            delta_arrow="off",
            border=True,
            height="stretch",
            help="All conditions count, also those that sentences leave out because others imply "
            "them.",
        )
        st.metric(
            "No rule applies",
            percent(measured.default_share),
            f"answered {default}",
            delta_color="off",
            delta_arrow="off",
            border=True,
            height="stretch",
            help="Share of the held-out records that no rule covers. The rules answer them with "
            "the most common answer of the black box.",
        )
    st.caption(
        f"Held out: {counted(facts.held_out.size, 'record')} from which {unused}. "
        f"Always answering {default} would agree on "
        f"{percent(guess, 1)}; these rules: {points(measured.fidelity - guess)}."
    )


def _span(interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def evaluation_of(run: Run, chosen: SelectionSettings) -> Evaluation:
    """What the held-out records say about the chosen rules."""
    return _evaluation(run.folder, run.settings.key("merge"), chosen, run)


def majority_of(run: Run) -> float:
    """Share of the held-out records to which the black box gives its most common answer."""
    facts = explained_of(run)
    return facts.held_out.having[facts.reference.majority].bit_count() / facts.held_out.size


def box_accuracy_of(run: Run) -> float:
    """Share of the held-out records to which the black box gives the true answer."""
    facts = explained_of(run)
    return float(np.mean(facts.held_out.labels == _truth(run)))


def _truth(run: Run) -> np.ndarray:
    shared = explained_of(run).split
    return shared.table.true_label[shared.parts.test]


@st.cache_resource(max_entries=200, show_spinner=False)
def _evaluation(folder: object, key: str, chosen: SelectionSettings, _run: Run) -> Evaluation:
    return evaluate(theory_of(_run, chosen), explained_of(_run).held_out, _truth(_run))
