"""The present step: in words and numbers, its rules before and after, and in pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.search import Trial
from glocalx.merging.told import ToldSteps
from glocalx.plots import OutcomeColours
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory
from glocalx.words.figures import percent, points, signed
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording
from ui.layout import figure
from ui.merge.words import StepWords, ending, last_refused, pair, why_this_pair
from ui.text import spoken

MOST_SENTENCES = 4
MOST_REFUSED = 1_000


@dataclass(frozen=True, slots=True)
class StepView:
    """A hierarchy at a step, with all that is needed to show it.

    Parameters
    ----------
    told
        Its steps as people count them.
    at
        The step, 0 before the first.
    """

    hierarchy: Hierarchy
    told: ToldSteps
    at: int
    finished: bool
    reference: Reference
    wording: Wording
    colours: OutcomeColours

    @property
    def step(self) -> MergeStep:
        return self.told.steps[self.at - 1]

    @property
    def steps(self) -> int:
        return len(self.told)

    @property
    def place(self) -> int:
        """How many merges of the record were made by then."""
        return self.told.place(self.at)

    @property
    def theories_left(self) -> int:
        return len(self.hierarchy.local_rules) - self.place

    @property
    def rules_left(self) -> int:
        return self.step.rules_left if self.at else len(self.hierarchy.local_rules)

    @property
    def words(self) -> StepWords:
        return StepWords(self.wording, self.colours)

    @property
    def at_end(self) -> bool:
        return self.finished and self.at == self.steps

    def rules(self, at: int) -> Theory:
        """All rules after a step."""
        return self.hierarchy.rules(self.told.place(at))

    def sentence(self, rule: Rule) -> str:
        return spoken(self.wording.parts(rule), rule.outcome, self.colours)


def step_card(view: StepView) -> None:
    """What the step did, whether it was worth it, and why these two."""
    step = view.step
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header(f"Step {step.number:,}", anchor=False, width="content")
        st.badge("accepted", icon=":material/check:", color="green")
        st.badge(step.kind, color="gray")
    st.markdown(pair(step, view.hierarchy))
    sentences = view.words.operations(step)
    for sentence in sentences[:MOST_SENTENCES]:
        st.markdown(sentence)
    if len(sentences) > MOST_SENTENCES:
        st.markdown(f"… and {len(sentences) - MOST_SENTENCES:,} more of these, all of them below.")
    _metrics(view)
    st.caption(f"**Why this pair?** {why_this_pair(step, view.hierarchy.settings)}")
    _refused(step.rejected, view, f"{counted(len(step.rejected), 'pair')} turned down")
    if view.at_end:
        end_card(view)


def end_card(view: StepView) -> None:
    """Why the run ended, and what was tried last."""
    st.markdown(f":material/flag: {ending(view.hierarchy)}")
    refused = last_refused(view.hierarchy)
    _refused(refused, view, f"{counted(len(refused), 'pair')} turned down at the end")


def _weighed(view: StepView) -> str:
    whole = view.hierarchy.settings.bic_on == "whole"
    return "of all rules together" if whole else "of these two theories alone"


def _metrics(view: StepView) -> None:
    trial = view.step.trial
    before, now = (view.reference.fidelity(view.rules(at)) for at in (view.at - 1, view.at))
    with st.grid(2, min_column_width=150):
        _metric(
            "BIC, merged",
            f"{trial.bic_merged:,.1f}",
            signed(trial.bic_merged - trial.bic_union, 2),
            better=trial.bic_merged < trial.bic_union,
            down=trial.bic_merged < trial.bic_union,
            help_text=f"Fidelity weighed against how much there is to read, {_weighed(view)}; "
            "lower is better. The change is against leaving them side by side "
            f"({trial.bic_union:,.1f}).",
        )
        _metric(
            "Fidelity, all rules",
            percent(now, 1),
            points(now - before, 1 if abs(now - before) >= 0.001 else 2) if now != before else "",
            better=now > before,
            down=now < before,
            help_text="How often all rules together give the same answer as the black box, on "
            "the records that they are merged on. The change is against the step before.",
        )


def _metric(
    label: str, value: str, change: str, *, better: bool, down: bool, help_text: str
) -> None:
    """A number and its change, whose true minus sign Streamlit does not take for one."""
    if change.strip("0."):
        look: dict[str, Any] = {"delta_color": "normal" if better else "inverse"}
        look["delta_arrow"] = "down" if down else "up"
        st.metric(label, value, change, border=True, help=help_text, **look)
    else:
        figure(label, value, "no change", help_text, border=True)


def _refused(trials: Sequence[Trial], view: StepView, title: str) -> None:
    """The pairs that were tried and turned down, as a table."""
    if not trials:
        return
    sizes = view.hierarchy.rules_of
    with st.expander(title, icon=":material/block:"):
        st.caption("Merging these would have raised the BIC. Most similar first.")
        st.dataframe(
            {
                "Rules, one": [len(sizes(t.left)) for t in trials[:MOST_REFUSED]],
                "Rules, other": [len(sizes(t.right)) for t in trials[:MOST_REFUSED]],
                "Similarity": [t.similarity for t in trials[:MOST_REFUSED]],
                "BIC side by side": [t.bic_union for t in trials[:MOST_REFUSED]],
                "BIC merged": [t.bic_merged for t in trials[:MOST_REFUSED]],
            },
            hide_index=True,
            height=min(36 * (len(trials) + 1) + 2, 260),
            column_config={
                "Similarity": st.column_config.NumberColumn(format="%.3f"),
                "BIC side by side": st.column_config.NumberColumn(format="%.1f"),
                "BIC merged": st.column_config.NumberColumn(format="%.1f"),
            },
        )
        if len(trials) > MOST_REFUSED:
            st.caption(f"The first {MOST_REFUSED:,} of {len(trials):,}.")
