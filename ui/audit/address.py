"""What is asked on the page Audit, in its address: a link shows the same to everybody.

What counts is the widget; before there is one, the address; then what was chosen in this session.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import streamlit as st

from glocalx.workspace.run import Run
from ui.address import say_unknown

T = TypeVar("T")
KEPT = "audit kept"
OF = "audit of"
USUAL = "its usual choice"
ASKED = {
    "column": "the column",
    "outcome": "the outcome",
    "favourable": "the favourable outcome",
    "answers": "answers by",
    "against": "a comparison with",
    "records": "records",
    "together": "combinations",
    "counting": "shares of what is",
    "group": "the group",
    "rule": "the rule",
    "reference": "the group to compare with",
    "barring": "the way to bar",
    "tolerance": "a tolerance of",
    "flip": "the change",
    "along": "changed along",
    "truth": "the true outcome in",
    "true": "the true outcome where it is",
    "given": "records alike in",
}


def key(name: str) -> str:
    """The key of the widget whose value stands in the address under `name`."""
    return f"audit_{name}"


def in_step(name: str) -> dict[str, Any]:
    """Options of the widget whose value stands in the address under `name`."""
    return {"key": key(name), "on_change": keep, "args": (name,)}


def begin(run: Run) -> None:
    """What was asked of another run does not count in this one."""
    if st.session_state.get(OF) not in (None, run.id):
        for name in [str(each) for each in st.session_state if str(each).startswith("audit_")]:
            del st.session_state[name]
        st.session_state.pop(KEPT, None)
    st.session_state[OF] = run.id


def in_address(name: str) -> list[str]:
    """Every value under a name."""
    return list(st.query_params.get_all(name)) or list(st.session_state.get(KEPT, {}).get(name, ()))


def bring(name: str, known: Callable[[str], T | None], otherwise: T) -> T:
    """Bring a widget to what the address says, once; gives what it will show.

    What the address asks for and is not known is said, until something else is chosen.
    """
    say_unknown(name, ASKED[name], lambda text: known(text) is not None, USUAL)
    if key(name) not in st.session_state:
        texts = in_address(name)
        found = known(texts[-1]) if texts else None
        st.session_state[key(name)] = otherwise if found is None else found
    value: T = st.session_state[key(name)]
    return value


def bring_one_of(name: str, options: Sequence[str], otherwise: str) -> str:
    """The same for one of several; what is no longer among them gives way."""
    if st.session_state.get(key(name), otherwise) not in options:
        give_way(name, otherwise)
    return bring(name, {each: each for each in options}.get, otherwise)


def give_way(name: str, otherwise: object) -> None:
    """Let a widget show something else, since what was chosen is no longer there."""
    write(name, None)
    st.session_state[key(name)] = otherwise


def bring_some_of(name: str, options: Sequence[str], otherwise: Sequence[str]) -> list[str]:
    """The same for some of several, in the order in which they were chosen."""
    known = any(each in options for each in st.query_params.get_all(name))
    say_unknown(name, ASKED[name], options.__contains__, "the others" if known else USUAL)
    if key(name) not in st.session_state:
        found = [each for each in dict.fromkeys(in_address(name)) if each in options]
        st.session_state[key(name)] = found or list(otherwise)
    chosen = [each for each in st.session_state[key(name)] if each in options]
    if chosen != st.session_state[key(name)]:
        st.session_state[key(name)] = chosen
    return chosen


def keep(name: str) -> None:
    """Write what a widget shows into the address; for `on_change`."""
    write(name, st.session_state[key(name)])


def write(name: str, value: object) -> None:
    """Write a value, or a list of them, into the address; None takes it out."""
    values = value if isinstance(value, list) else [] if value is None else [value]
    texts = [("no", "yes")[each] if isinstance(each, bool) else str(each) for each in values]
    if texts:
        st.query_params[name] = texts
    else:
        st.query_params.pop(name, None)
    st.session_state[KEPT] = {**st.session_state.get(KEPT, {}), name: texts}
