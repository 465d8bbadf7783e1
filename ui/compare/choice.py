"""With what to compare: another method, or another run. It is kept in the address."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import streamlit as st

from glocalx.words.phrases import counted
from glocalx.workspace.run import Run
from ui.address import say_unknown
from ui.layout import one_of, problem, refusals
from ui.rivals import FIRST, as_the_run, methods_of, more_labels
from ui.runs_list import browser_zone, rules_text, when
from ui.session import COMPARE, go, owner, seen_run, workspace
from ui.text import plain
from ui.theory.selection import say_beyond

RIVAL = "rival"
LABELS = "learn"
FROM = {"explained": "Explained records", "all": "All labelled records"}


def choose(run: Run, now: float) -> str | Run | None:
    """The card with the choice: a method by its key, or a run.

    None where what the address asks for is not there.
    """
    runs = {each.id: each for each in workspace().runs(owner()) if each.id != run.id}
    unfinished = sum(bool(each.missing("merge")) for each in runs.values())
    wanted = _wanted(run, runs)
    methods = methods_of(run)
    finished = [each for each in runs.values() if not each.missing("merge")]
    asked = runs.get(wanted.removeprefix("run ")) if wanted else None
    others = [*finished, *([asked] if asked and asked not in finished else [])]
    titles = {f"method {key}": words.title for key, words in methods.items()}
    titles |= {f"run {each.id}": _run_title(each, now) for each in others}
    with st.container():  # always there: what follows keeps its place
        say_beyond(run)
    with st.container(border=True):
        left, right = st.columns([5, 6], gap="medium", vertical_alignment="center")
        with left:
            if st.session_state.get(RIVAL) != wanted:
                st.session_state[RIVAL] = wanted
            st.selectbox(
                "Compare these rules with",
                list(titles),
                index=None if wanted is None else 0,
                format_func=titles.__getitem__,
                key=RIVAL,
                placeholder="Choose a method or a run",
                on_change=_chosen,
            )
        with right:
            _about(run, wanted, runs, unfinished)
        _labels_for_rivals(run)
    if wanted is None:
        return None
    kind, _, name = wanted.partition(" ")
    return name if kind == "method" else runs[name]


def learns_from_all(run: Run) -> bool:
    """Whether other methods learn from every record that the black box has labelled."""
    asked = st.session_state.get(LABELS)
    return as_the_run(run) if asked is None else bool(asked == "all")


def say_unknown_labels() -> None:
    """What the address asks other methods to learn from, and nobody knows."""
    say_unknown(
        LABELS, "other methods that learn from", tuple(FROM.values()).__contains__, "the usual"
    )


def _labels_for_rivals(run: Run) -> None:
    """Which answers of the black box the other methods are given."""
    more = more_labels(run)
    if not more:
        return
    one_of(
        "Other methods learn from",
        FROM,
        LABELS,
        "all" if as_the_run(run) else "explained",
        bind="query-params",
        help=f"The black box has labelled {counted(more, 'record')} beside the explained ones: "
        "those that it was trained on. Local rules are written with these in view, so a rival "
        "that may see them, too, is the fairer one.",
    )


def _wanted(run: Run, runs: dict[str, Run]) -> str | None:
    """What the address asks for; the run of a link is added to `runs`."""
    other = st.query_params.get("other")
    if other is None:
        method = st.query_params.get("baseline", FIRST)
        if method not in methods_of(run):
            problem("The method in the address is not known or not installed here. Choose another.")
            return None
        return f"method {method}"
    if other == run.id:
        problem("This is the run that is open already. Choose another to compare it with.")
        return None
    with refusals(go_on=True):
        runs.setdefault(other, seen_run(other))
    return f"run {other}" if other in runs else None


def _run_title(run: Run, now: float) -> str:
    return f"Run: {run.name} ({rules_text(run)} rules, {when(run.updated, now, browser_zone())})"


def _chosen() -> None:
    kind, _, name = (st.session_state[RIVAL] or "").partition(" ")
    for key in ("other", "baseline"):
        st.query_params.pop(key, None)
    if name:
        st.query_params["baseline" if kind == "method" else "other"] = name


def _about(run: Run, wanted: str | None, runs: dict[str, Run], unfinished: int) -> None:
    """What the choice is; for a run, the way to it and to the other direction."""
    kind, _, name = (wanted or "").partition(" ")
    if kind == "method":
        st.markdown(methods_of(run)[name].about)
    elif kind == "run":
        other = runs[name]
        st.markdown(
            f"Another run: {plain(other.name)}, on {plain(other.settings.data.name)}, with the "
            f"black box {plain(other.figures.get('black_box', '–'))}."
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        if kind == "run" and st.button(
            "Swap sides", icon=":material/swap_horiz:", type="tertiary", key="swap"
        ):
            go(COMPARE, runs[name], other=run.id)
        with st.popover("By its link", icon=":material/link:", type="tertiary"):
            st.text_input(
                "Link to a run, or its id",
                key="pasted",
                on_change=_pasted,
                help="To compare with a colleague’s run: paste the link that they gave you.",
            )
    if unfinished:
        others = counted(unfinished, "other run")
        st.caption(f"{others} of yours {'is' if unfinished == 1 else 'are'} not merged yet.")


def _pasted() -> None:
    given = st.session_state["pasted"].strip()
    if given:
        st.query_params.pop("baseline", None)
        st.query_params["other"] = identity_in(given)


def identity_in(given: str) -> str:
    """The id of a run in what a person pasted.

    Examples
    --------
    >>> identity_in("http://localhost:8501/theory?run=abc&by=budget"), identity_in("abc")
    ('abc', 'abc')
    """
    named = parse_qs(urlsplit(given).query).get("run")
    return named[0] if named else given
