"""How much the rule of a record depends on chance: written again with other seeds."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from glocalx.extraction.local_rule import LocalRule
from glocalx.extraction.stability import agreement, rules_over_seeds
from glocalx.rules.rule import Rule
from glocalx.workspace.run import Run
from ui import work
from ui.opened import black_box_of, colours_of, explained_of, shared_of, wording_of
from ui.session import may_change
from ui.text import spoken

SEEDS = 5
ASKED = "steady_record"


@dataclass(frozen=True, slots=True)
class Steadiness:
    """The rules of one record over several seeds.

    Parameters
    ----------
    similarity
        Mean Jaccard similarity of what they cover, over pairs of seeds.
    rules
        The different ones, and for how many of the seeds each came out.
    """

    similarity: float
    rules: tuple[tuple[Rule, int], ...]


def stability_card(run: Run, local: LocalRule, busy: bool) -> None:
    """On demand, the rule of the record over several seeds."""
    asked = (run.id, local.record)
    with st.container(border=True):
        st.subheader("How much of this is chance", anchor=False)
        if st.session_state.get(ASKED) == asked and black_box_of(run) is not None:
            with st.spinner(f"Writing the rule with {SEEDS} seeds …"):
                steady = _steadiness(run.folder, run.settings.key("rules"), local.record, run)
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
        "records each time, 0 none in common. Merging many local rules evens such chance out."
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


@st.cache_resource(max_entries=500, show_spinner=False)
def _steadiness(folder: object, key: str, record: int, _run: Run) -> Steadiness:
    facts, shared, box = explained_of(_run), shared_of(_run), black_box_of(_run)
    assert box is not None  # the card looked
    own = shared.parts.seed
    over = rules_over_seeds(
        shared.explain,
        box,
        facts.schema,
        background=shared.train,
        settings=_run.settings.rules.extraction,
        seeds=range(own, own + SEEDS),
        records=[record],
    )
    rules = [of_seed[0] for of_seed in over]
    counts = {each.rule: 0 for each in rules}
    for each in rules:
        counts[each.rule] += 1
    ordered = sorted(counts.items(), key=lambda pair: -pair[1])
    return Steadiness(agreement(rules, facts.reference.records), tuple(ordered))
