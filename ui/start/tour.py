"""A tour for the first visit: a few words in the page, never a window over it, left at once.

Whoever has left it, or has worked here before, is not asked again in this browser.
"""

from __future__ import annotations

import streamlit as st

from ui.doorkeeper import YEAR
from ui.session import owner, workspace
from ui.terms import term_link

COOKIE, AT, LEFT = "glocalx_tour", "tour_at", "left"
STOPS = (
    (
        "Begin with a sample",
        "Below, “Open the sample” opens COMPAS with everything done: a model, its rules, every "
        "merge. A file of your own goes through the same pages, a small one made by hand, too. "
        "Data and model shows what was found in it.",
    ),
    (
        "One rule for each case",
        f"On Local rules, each case has a {term_link('Local rule')}: why the "
        f"{term_link('Black box')} decided so, and what little change would have helped. Each is "
        "right for its case; a thousand of them are too many to read.",
    ),
    (
        "See them become few",
        f"On Merge, press Play: similar rules {term_link('join')}, contrary ones "
        f"{term_link('cut')} each other, and a merge stays only if the {term_link('BIC')} gets no "
        "worse. Any step can be opened and checked by hand.",
    ),
    (
        "Read, doubt, check",
        f"Global theory has the handful that is left, with its {term_link('Fidelity')} on "
        f"{term_link('held-out records')}; Audit asks whether groups are treated differently; "
        "Learn has a playground and every word in a glossary.",
    ),
)


def tour() -> None:
    """Offer it to whoever is new here, and show the stop where they are."""
    with st.container(key="tour"):  # always there: what follows keeps its place
        if AT not in st.session_state:
            known = _remembered() or workspace().runs(owner())
            st.session_state[AT] = LEFT if known else None
        at = st.session_state[AT]
        if at is None:
            _offer()
        elif at == LEFT:
            _remember()
        else:
            _stop(int(at))


def tour_again() -> None:
    """For whoever left it and would like to see it after all."""
    if st.session_state.get(AT) == LEFT:
        st.button("Show me around", key="tour_again", type="tertiary", on_click=_go, args=(0,))


def _offer() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("First time here?", width="content")
        st.button(f"Show me around, {len(STOPS)} stops", key="tour_begin", on_click=_go, args=(0,))
        _leave("No, thank you")


def _stop(at: int) -> None:
    title, text = STOPS[at]
    with st.container(border=True, width=880):
        st.header(f"{at + 1} of {len(STOPS)}: {title}", anchor=False)
        st.markdown(text)
        with st.container(horizontal=True, gap="small"):
            st.button("Back", key="tour_back", disabled=not at, on_click=_go, args=(at - 1,))
            last = at == len(STOPS) - 1
            if last:
                _leave("Done")
            else:
                st.button("Next", key="tour_next", on_click=_go, args=(at + 1,))
                _leave("Leave the tour")


def _leave(label: str) -> None:
    st.button(label, key="tour_leave", type="tertiary", on_click=_go, args=(LEFT,))


def _go(to: int | str) -> None:
    st.session_state[AT] = to


def _remembered() -> bool:
    return st.context.cookies.get(COOKIE) == LEFT


def _remember() -> None:
    """In a cookie of this browser, which says nothing else."""
    if not _remembered():
        line = f"{COOKIE}={LEFT};path=/;max-age={YEAR};SameSite=Lax"
        st.html(f"<script>document.cookie='{line}'</script>", unsafe_allow_javascript=True)
