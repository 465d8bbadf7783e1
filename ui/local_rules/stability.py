"""How much the rule of a record depends on chance: written again with other seeds."""

from __future__ import annotations

import streamlit as st

from glocalx.extraction.local_rule import LocalRule
from glocalx.extraction.stability import Steadiness, rules_over_seeds
from glocalx.workspace.run import Run
from ui import work
from ui.layout import card
from ui.opened import black_box_of, colours_of, explained_of, kept, shared_of, wording_of
from ui.session import may_change
from ui.text import spoken

SEEDS = 5
ASKED = "steady_record"


def stability_card(run: Run, local: LocalRule, busy: bool) -> None:
    """On demand, the rule of the record over several seeds."""
    asked = (run.id, local.record)
    with card("How much of this is chance"):
        if st.session_state.get(ASKED) == asked and black_box_of(run) is not None:
            with st.spinner(f"Writing the rule with {SEEDS} seeds …"):
                steady = _steadiness(run, local.record)
            _tell(run, steady)
            return
        st.markdown(
            "Look-alike records are drawn at random, so another seed may give another rule."
        )
        here = black_box_of(run) is not None
        if not here:
            st.caption(_not_here(run, busy))
        pressed = st.button(
            f"Write this rule with {SEEDS} seeds",
            icon=":material/casino:",
            disabled=not here and (busy or not may_change(run)),
            on_click=lambda: st.session_state.update({ASKED: asked}),
        )
        if pressed and not here:
            work.start(run, "model")
            st.rerun()


def _not_here(run: Run, busy: bool) -> str:
    """A run that came from elsewhere comes without the model that it trained."""
    if busy:
        return "The black box is being trained; the bar at the top of the page shows how far it is."
    if may_change(run):
        return "The black box is trained again on this machine first, which takes some seconds."
    return "This run came without its black box. In a copy of your own it can be trained again."


def _tell(run: Run, steady: Steadiness) -> None:
    wording, colours = wording_of(run), colours_of(run)
    st.markdown(in_words(steady))
    for rule, seeds in steady.rules:
        times = "once" if seeds == 1 else f"{seeds} times"
        st.markdown(f"- {spoken(wording.parts(rule), rule.outcome, colours)} :gray[({times})]")
    st.caption(
        "Jaccard similarity of the records covered, over all pairs of seeds: 1 means the same "
        "records each time, 0 none in common. Merging "
        "does not even such chance out: the page Global theory tells how often each final rule "
        "returns."
    )


def in_words(steady: Steadiness) -> str:
    """One sentence about what the seeds changed."""
    found = len(steady.rules)
    rules = "the same rule every time" if found == 1 else f"{found} different rules"
    return (
        f"Over {SEEDS} seeds this record gets {rules}; what they cover is "
        f"{_how_alike(steady.similarity)} (Jaccard {steady.similarity:.2f})."
    )


def _how_alike(similarity: float) -> str:
    if similarity > 0.999:
        return "the same"
    if similarity > 0.8:
        return "nearly the same"
    return "similar" if similarity > 0.5 else "quite different"


@kept("rules", most=500)
def _steadiness(run: Run, record: int) -> Steadiness:
    facts, shared, box = explained_of(run), shared_of(run), black_box_of(run)
    assert box is not None  # the card looked
    own = shared.parts.seed
    over = rules_over_seeds(
        shared.explain,
        box,
        facts.schema,
        background=shared.background,
        settings=run.settings.rules.extraction,
        seeds=range(own, own + SEEDS),
        records=[record],
    )
    return Steadiness.of([of_seed[0] for of_seed in over], facts.reference.records)
