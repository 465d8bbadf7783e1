"""Which rules make up the final theory: chosen here, kept in the address and with the run.

What counts is the address, so that a link shows the same to everybody; then what was chosen in
this session; then what the owner saved with the run.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import streamlit as st

from glocalx.pipeline.settings import SelectionSettings
from glocalx.selection import DEFAULT_BUDGET
from glocalx.words.phrases import shown
from glocalx.workspace.run import Run
from ui.address import STEADY, TAKEN, is_price, say_unknown
from ui.layout import one_of
from ui.opened import explained_of, merged_rules_of, theory_of
from ui.session import may_change, workspace
from ui.terms import with_terms
from ui.text import plain
from ui.theory.ways_to_choose import (
    TAKEN_HELP,
    WAYS_HELP,
    Room,
    fitting,
    in_words,
    nothing_to_choose,
    price_from,
    price_slider,
    price_text,
    room_of,
    slider_help,
    steady_switch,
)

T = TypeVar("T")
TOGETHER, ONE_BY_ONE = TAKEN
STAY, MAY_CHANGE = STEADY
WAYS = {"budget": "Budget", "alpha": "Alpha", "alpha_q": "Alpha quantile"}
ASKED = {
    "view": "the rules as",
    "mode": "the page to",
    "asked_record": "the held-out record",
    "along": "the feature",
}


def selection_of(run: Run) -> SelectionSettings:
    """What whoever looks has chosen, made to fit; the merge stage must be done."""
    asked, kept = _in_address(), st.session_state.get(_kept(run))
    own = run.settings.selection  # what is by hand is the run's own
    text = st.query_params.get("price", "")
    price = price_from(text) if is_price(text) else (kept or own).price
    text = st.query_params.get("steady", "")
    steady = text == STAY if text in STEADY else (kept or own).steady
    chosen = replace(
        asked or kept or own,
        price=price,
        steady=steady,
        conditions=own.conditions,
        steering=own.steering,
    )
    shown, room = fitting(run, chosen), room_of(run, chosen)
    if asked and not room.is_empty and not room.low <= asked.value <= room.high:
        st.session_state[_beyond(run)] = chosen, shown
    return shown


def linked_selection(run: Run) -> SelectionSettings:
    """The same, put into the address where it is not the run's own: whoever may only look chose
    it, and their links should say so.
    """
    chosen = selection_of(run)
    if chosen != fitting(run, run.settings.selection):
        st.query_params.update(_as_address(chosen))
    return chosen


def say_beyond(run: Run) -> None:
    """Say that an address asked for more, or less, than there is, as long as that is shown."""
    asked, instead = st.session_state.get(_beyond(run), (None, None))
    if asked is None or instead != selection_of(run):
        return
    room = room_of(run, asked)
    st.info(
        f"This address asked for the {WAYS[asked.by].lower()} {asked.value:g}. In this run it can "
        f"be {room.low:g} to {room.high:g}, so {instead.value:g} is shown.",
        icon=":material/link_off:",
    )


def _in_address() -> SelectionSettings | None:
    by, text = st.query_params.get("by"), st.query_params.get("value", "")
    together = st.query_params.get("taken") == TOGETHER  # links of earlier versions do not say
    try:
        value = float(text)
    except ValueError:
        return None
    if by not in WAYS or not math.isfinite(value):
        return None
    return SelectionSettings(by, value, together=together)  # type: ignore[arg-type]


def _kept(run: Run) -> str:
    return f"selection {run.id}"


def _beyond(run: Run) -> str:
    return f"{_kept(run)} beyond"


def choose(run: Run, chosen: SelectionSettings) -> None:
    """Keep a choice: in the address, in the session and, where one may, with the run.

    What is by hand stays as it is. More rules than there are may be asked for: at another price
    there may be as many.
    """
    own = workspace().run(run.id).settings.selection
    chosen = replace(chosen, conditions=own.conditions, steering=own.steering)
    _keep(run, fitting(run, chosen))
    st.session_state.pop(_beyond(run), None)
    st.session_state[f"{_kept(run)} {chosen.by}"] = chosen.value
    if may_change(run):
        save_selection(run, chosen)


def save_selection(run: Run, chosen: SelectionSettings) -> None:
    """Save which rules are chosen and what is by hand, with the figures that follow."""
    theory, facts = theory_of(run, chosen), explained_of(run)
    workspace().save(
        run,
        settings=replace(workspace().run(run.id).settings, selection=chosen),
        figures={"rules": theory.size, "fidelity": theory.fidelity(facts.held_out)},
    )


def _keep(run: Run, chosen: SelectionSettings) -> None:
    st.session_state[_kept(run)] = chosen
    wanted = _as_address(chosen)
    if any(st.query_params.get(name) != text for name, text in wanted.items()):
        st.query_params.update(wanted)


def _as_address(chosen: SelectionSettings) -> dict[str, str]:
    said = {"by": chosen.by, "value": f"{chosen.value:g}"}
    if chosen.by == "budget":
        said["price"] = price_text(chosen.price)
        said["steady"] = STAY if chosen.steady else MAY_CHANGE
    if chosen.by == "alpha":
        said["taken"] = _taken(chosen)
    return said


def _taken(chosen: SelectionSettings) -> str:
    return TOGETHER if chosen.together else ONE_BY_ONE


def from_address(name: str, known: Callable[[str], T | None], otherwise: T) -> T:
    """Bring the widget with this key to what the address says, once; gives what it will show.

    What the address asks for and is not known is said, until something else is chosen.
    """
    with st.container():  # always there: what follows keeps its place
        say_unknown(
            name, ASKED[name], lambda text: known(text) is not None, plain(shown(otherwise))
        )
    if name not in st.session_state:
        found = known(st.query_params.get(name, ""))
        st.session_state[name] = otherwise if found is None else found
    value: T = st.session_state[name]
    return value


def to_address(name: str) -> None:
    """Write what a widget shows into the address; for `on_change`."""
    st.query_params[name] = str(st.session_state[name])


def chooser(run: Run) -> SelectionSettings:
    """The card with the way to choose and its slider; gives what is chosen."""
    chosen = selection_of(run)
    _keep(run, chosen)
    _show("theory_by", chosen.by)
    with st.container():  # always there: what follows keeps its place
        say_beyond(run)
    with st.container(border=True):
        way, value = st.columns([3, 7], gap="medium")
        with way:
            changed: dict[str, Any] = {"on_change": _way_chosen, "args": (run,)}
            one_of("Choose by", WAYS, "theory_by", help=WAYS_HELP, **changed)
        if chosen.by != "budget":
            if chosen.by == "alpha":
                with way:
                    _taking(run, chosen)
            with value:
                _slider(run, chosen)
            return chosen
        with way:
            units = {"rule": "Rules", "condition": "Conditions"}
            by_conditions = one_of("How much to read, in", units, "reading", "rule") == "condition"
        with value:
            many, price = st.columns(2, gap="medium")
        with many:
            _slider(run, chosen, by_conditions=by_conditions)
        with price:
            _show("theory_price", price_text(chosen.price))
            _show("theory_steady", chosen.steady)
            price_slider(run, chosen, _worth_chosen)
            steady_switch(run, chosen, _worth_chosen)
    return chosen


def _taking(run: Run, chosen: SelectionSettings) -> None:
    """Whether alpha takes rules together or one by one."""
    _show("theory_taken", _taken(chosen))
    titles = {way: way.replace("-", " ").capitalize() for way in TAKEN}
    changed: dict[str, Any] = {"on_change": _taking_chosen, "args": (run,)}
    one_of("Rules are taken", titles, "theory_taken", help=TAKEN_HELP, **changed)


def _taking_chosen(run: Run) -> None:
    if not run.done("merge"):
        return
    together = st.session_state["theory_taken"] == TOGETHER
    choose(run, replace(selection_of(run), together=together))


def _show(key: str, value: object) -> None:
    """Bring a widget to a value, without touching one that is there already."""
    if st.session_state.get(key) != value:
        st.session_state[key] = value


def _way_chosen(run: Run) -> None:
    if not run.done("merge"):
        return  # deleted or changed in another window; the page says so
    by = st.session_state["theory_by"]
    value = st.session_state.get(f"{_kept(run)} {by}", _first_value(run, by))
    now, own = selection_of(run), run.settings.selection
    together = now.together if "alpha" in (now.by, own.by) else True  # nobody has said yet
    choose(run, fitting(run, replace(now, by=by, value=value, together=together)))


def _first_value(run: Run, by: str) -> float:
    """About as many rules as the default budget gives."""
    if by != "alpha_q":
        return DEFAULT_BUDGET
    return 100 * max(0.0, 1 - DEFAULT_BUDGET / max(len(merged_rules_of(run)), 1))


def _value_chosen(run: Run, by: Any, key: str = "") -> None:
    if not run.done("merge"):
        return
    value = st.session_state[key or f"theory_{by}"]
    choose(run, replace(selection_of(run), by=by, value=value))


def _worth_chosen(run: Run) -> None:
    """What a condition must earn, or whether rules stay."""
    if not run.done("merge"):
        return
    chosen, own = selection_of(run), run.settings.selection
    value = chosen.value
    if value >= room_of(run, chosen).high:  # as many as help; more were wanted, perhaps
        saved = own.value if own.by == "budget" else DEFAULT_BUDGET
        value = max(value, st.session_state.get(f"{_kept(run)} budget", saved))
    price = price_from(st.session_state["theory_price"])
    steady = bool(st.session_state["theory_steady"])
    choose(run, replace(chosen, by="budget", value=value, price=price, steady=steady))


def _slider(run: Run, chosen: SelectionSettings, *, by_conditions: bool = False) -> None:
    by, room = chosen.by, room_of(run, chosen)
    if room.is_empty:
        st.markdown(nothing_to_choose(run, chosen))
        return
    number = float if by == "alpha_q" else int
    _show(f"theory_{by}", number(chosen.value))
    if by_conditions:
        _by_conditions(run, chosen, room)
    else:
        st.slider(
            {"budget": "How many rules", "alpha": "Alpha", "alpha_q": "Percentile"}[by],
            number(room.low),
            number(room.high),
            step=number(room.step),
            format="%.1f" if by == "alpha_q" else "%d",
            key=f"theory_{by}",
            help=slider_help(run, chosen),
            on_change=_value_chosen,
            args=(run, by),
        )
    st.caption(in_words(run, chosen))


def _by_conditions(run: Run, chosen: SelectionSettings, room: Room) -> None:
    """The same slider, over the conditions that are left of so many rules."""
    plain = replace(chosen, steering=chosen.restrictions)
    lengths: dict[int, int] = {}
    for rules in range(int(room.low), int(room.high) + 1):
        length = sum(map(len, theory_of(run, replace(plain, value=rules)).rules))
        if length > max(lengths.values(), default=0):  # more rules need not take more reading
            lengths[rules] = length
    _show("theory_conditions", max(rules for rules in lengths if rules <= chosen.value))
    st.select_slider(
        "How many conditions in all",
        list(lengths),
        format_func=lambda rules: f"{lengths[rules]:,}",
        key="theory_conditions",
        help=with_terms(
            "All conditions that you would have to read, of all rules together; those of rules "
            "by hand come besides.",
            "Condition",
            "Budget",
        ),
        on_change=_value_chosen,
        args=(run, "budget", "theory_conditions"),
    )
