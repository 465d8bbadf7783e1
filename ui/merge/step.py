"""The present step in words and numbers, and the calculation of it or of a pair turned down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec

import streamlit as st

from glocalx.merging.calculation import step_calculation
from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.told import ToldSteps, TriedPair
from glocalx.plots import OutcomeColours
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory
from glocalx.words.figures import percent, points, signed
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording
from glocalx.workspace.run import Run
from ui.calculation import CalculationView, show_calculation
from ui.layout import card, figure, one_of
from ui.merge.words import StepWords, ending, pair, why_this_pair
from ui.opened import kept
from ui.terms import with_terms
from ui.text import spoken

MOST_SENTENCES = 4
MOST_REFUSED = 1_000
VIEWS_KEPT = 400  # of each part, for all runs together
OPEN, WHICH = "merge_calculation", "merge_checked_pair"
BEFORE, AFTER = "A pair turned down before it", "A pair turned down after it"


P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class StepView:
    """A hierarchy at a step, with all that is needed to show it.

    Parameters
    ----------
    told
        Its steps as people count them.
    at
        The step, 0 before the first.
    run
        Whose it is.
    """

    hierarchy: Hierarchy
    told: ToldSteps
    at: int
    finished: bool
    reference: Reference
    wording: Wording
    colours: OutcomeColours
    run: Run

    @property
    def known_by(self) -> object:
        """What tells it from other views of the same run; see :func:`ui.opened.kept`."""
        return self.at, self.steps, self.finished, st.context.theme.type

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

    @property
    def shared(self) -> tuple[int, int]:
        """How many records both theories of the step cover, and how many at least one does."""
        sides = (self.hierarchy.rules_of(number) for number in (self.step.left, self.step.right))
        left, right = map(self.reference.records.union, sides)
        return (left & right).bit_count(), (left | right).bit_count()

    @property
    def refused(self) -> tuple[TriedPair, ...]:
        """The pairs that were turned down on the way to the step."""
        return self.told.refused(self.hierarchy, self.at)

    @property
    def refused_last(self) -> tuple[TriedPair, ...]:
        """The pairs that were turned down after the last step."""
        return self.told.refused(self.hierarchy, self.steps + 1)

    def rules(self, at: int) -> Theory:
        """All rules after a step."""
        return self.hierarchy.rules(self.told.place(at))

    def sentence(self, rule: Rule) -> str:
        return spoken(self.wording.parts(rule), rule.outcome, self.colours)


def step_said(view: StepView) -> str:
    """The step in a line, for those who hear the page and not the picture of it."""
    left = counted(view.rules_left, "rule")
    if not view.at:
        return f"Now before the first of {counted(view.steps, 'step')}: {left}."
    step = view.step
    change = signed(step.trial.bic_merged - step.trial.bic_union, 1)
    return f"Now step {view.at:,} of {view.steps:,}: {step.kind}. BIC {change}, {left} left."


def drawn_once(
    draw: Callable[Concatenate[StepView, P], None],
) -> Callable[Concatenate[StepView, P], None]:
    """Draw a part of a step once, and send it to whoever looks at the same step.

    Only for parts with nothing to press. What else they are given must be plain values.
    """

    @kept("data", "merge", "box", most=VIEWS_KEPT)
    @wraps(draw)
    def made(run: Run, view: StepView, /, *args: P.args, **options: P.kwargs) -> None:
        draw(view, *args, **options)

    @wraps(draw)
    def drawn(view: StepView, /, *args: P.args, **options: P.kwargs) -> None:
        made(view.run, view, *args, **options)

    return drawn


@drawn_once
def step_card(view: StepView) -> None:
    """What the step did, whether it was worth it, and why these two."""
    step = view.step
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header(f"Step {step.number:,}", anchor=False, width="content")
        st.badge("accepted", icon=":material/check:", color="green")
        st.badge(step.kind, color="gray")
    st.markdown(pair(step, view.hierarchy, view.shared))
    sentences = view.words.operations(step)
    for sentence in sentences[:MOST_SENTENCES]:
        st.markdown(sentence)
    if len(sentences) > MOST_SENTENCES:
        st.markdown(f"… and {len(sentences) - MOST_SENTENCES:,} more of these, all of them below.")
    _metrics(view)
    st.caption(f"**Why this pair?** {why_this_pair(step, view.hierarchy.settings)}")
    _refused(view, view.refused, "on the way here")
    if view.at_end:
        end_card(view)


def end_card(view: StepView) -> None:
    """Why the run ended, and what was tried last."""
    st.markdown(f":material/flag: {ending(view.hierarchy)}")
    _refused(view, view.refused_last, "at the end")


def weighed(view: StepView) -> str:
    """Whose BIC it is."""
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
            help_text=with_terms(
                f"Fidelity weighed against how much there is to read, {weighed(view)}; "
                "lower is better. The change is against leaving them side by side "
                f"({trial.bic_union:,.1f}).",
                "BIC",
                "Length, L",
            ),
        )
        _metric(
            "Fidelity, all rules",
            percent(now, 1),
            points(now - before, 1 if abs(now - before) >= 0.001 else 2) if now != before else "",
            better=now > before,
            down=now < before,
            help_text=with_terms(
                "How often all rules together give the same answer as the black box, on "
                "the records that they are merged on. The change is against the step before.",
                "Fidelity",
                "Reference",
            ),
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


def _refused(view: StepView, pairs: Sequence[TriedPair], where: str) -> None:
    """The pairs that were tried and turned down, as a table."""
    if not pairs:
        return
    sizes, shown = view.hierarchy.rules_of, pairs[:MOST_REFUSED]
    title = f"{counted(len(pairs), 'pair')} turned down {where}"
    with st.expander(title, icon=":material/block:"):
        st.caption(
            "Merging these would have raised the BIC. Pairs that were put side by side in between, "
            "which changes no rule, are no steps. Each of these can be opened by its number under "
            "“The calculation”."
        )
        trials = [pair.trial for pair in shown]
        st.dataframe(
            {
                "Number": list(range(1, len(shown) + 1)),
                "Rules, one": [len(sizes(t.left)) for t in trials],
                "Rules, other": [len(sizes(t.right)) for t in trials],
                "Similarity": [t.similarity for t in trials],
                "BIC side by side": [t.bic_union for t in trials],
                "BIC merged": [t.bic_merged for t in trials],
            },
            hide_index=True,
            height=min(36 * (len(shown) + 1) + 2, 260),
            column_config={
                "Similarity": st.column_config.NumberColumn(format="%.3f"),
                "BIC side by side": st.column_config.NumberColumn(format="%.1f"),
                "BIC merged": st.column_config.NumberColumn(format="%.1f"),
            },
        )
        if len(pairs) > MOST_REFUSED:
            st.caption(f"The first {MOST_REFUSED:,} of {len(pairs):,}.")


def calculation_card(view: StepView) -> None:
    """Every number of the step, where somebody asks for them."""
    with card("The calculation"):
        if not st.toggle("Show the calculation", key=OPEN, bind="query-params"):
            st.caption("Similarity, batch and both BICs of this step, number by number.")
            return
        pair = _pair(view)
        _calculated(view, pair.step, pair.refused, pair.piece)


@drawn_once
def _calculated(view: StepView, step: int, refused: int | None, piece: int | None) -> None:
    found = step_calculation(view.hierarchy, view.reference, step, refused, piece)
    show_calculation(CalculationView(found, view.reference, view.wording, view.colours))


def _pair(view: StepView) -> TriedPair:
    """Which pair: the one that was merged, or any that was turned down before it, or at the end."""
    merged = TriedPair(view.told.places[view.at - 1], None, view.step.trial)
    refused = {BEFORE: view.refused}
    if view.at_end:
        refused[AFTER] = view.refused_last
    there = {name: pairs for name, pairs in refused.items() if pairs}
    if not there:
        return merged
    first = f"The merge of step {view.at:,}"
    labels = {first: first, **{name: f"{name} ({len(there[name]):,})" for name in there}}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = one_of(
            "Which pair",
            labels,
            f"{WHICH}_{view.at}",
            ask=st.selectbox,
            help="Pairs that were turned down can be opened like the one that was kept.",
            width=360,
        )
        if chosen not in there:
            return merged
        pairs = there[chosen]
        number = st.number_input(
            "Its number in the list", 1, len(pairs), key=f"{WHICH}_{view.at}_{chosen}", width=180
        )
    return pairs[number - 1]
