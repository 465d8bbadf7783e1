"""The plane with the two theories that meet, and what its marks mean."""

from __future__ import annotations

import streamlit as st

from glocalx.merging.told import other_rules
from glocalx.plots import PlaneView, plane
from glocalx.plots.canvas import legend
from glocalx.words.phrases import counted
from ui.layout import one_of, show
from ui.learn.state import PairView
from ui.text import plain

VIEWS = {"before": "Before", "change": "What happens", "after": "After"}


def plane_card(view: PairView) -> None:
    lesson, place, calculation = view.lesson, view.place, view.calculation
    scene = lesson.scene
    with st.container(horizontal=True, vertical_alignment="center"):
        title = "Two theories meet" if calculation else "All local rules"
        st.header(title, anchor=False, width="content")
        st.space("stretch")
        chosen = "before"
        if calculation is not None and place.open:
            chosen = one_of(
                "What is drawn", VIEWS, "learn_view", "change", label_visibility="collapsed"
            )
    st.html(_legend(view, chosen))
    room = st.container()
    with st.container(horizontal=True):
        regions = st.toggle("Answers of the black box", value=True, key="learn_regions")
        others = st.toggle("The other rules", value=True, key="learn_others")
        batch = st.toggle("Only the batch", key="learn_batch", disabled=calculation is None)
    beside = scene.rules if place.at == 0 else other_rules(lesson.hierarchy, lesson.pair(place.at))
    drawing = plane(
        PlaneView(
            scene,
            view.colours,
            view.wording,
            calculation,
            beside if others or calculation is None else (),
            chosen,  # type: ignore[arg-type] # one of VIEWS
            regions,
            batch,
        )
    )
    with room:
        show(drawing, "learn_plane")
    everywhere = sum(not rule.premises for rule in beside)
    st.caption(
        f"{counted(scene.reference.size, 'record')} · {plain(scene.black_box.name)} · a rule is a "
        "rectangle, and “no condition” reaches the edge."
        + (f" {counted(everywhere, 'rule')} without any is the whole plane." if everywhere else "")
    )


def _legend(view: PairView, drawn: str) -> str:
    calculation, colours, wording = view.calculation, view.colours, view.wording
    ink, muted = colours.palette.ink, colours.palette.muted
    entries = [
        (colours.sign(outcome), wording.outcome(outcome), colours.colour(outcome))
        for outcome in colours.outcomes
    ]
    if calculation is not None and drawn != "after":
        both = calculation.both.bit_count()
        entries += [("◯", f"covered by A and by B ({both})", ink), ("▨", "shared ground", ink)]
        entries.append(("╌╌", "before", ink))
    if calculation is not None and drawn != "before":
        entries.append(("━", "after", muted))
    if calculation is not None and drawn == "change":
        entries += [("░", "new ground", muted), ("▒", "cut away", muted)]
    return legend(entries, colours.palette)
