"""Which rules make up the final theory: chosen here, kept in the address and with the run.

What counts is the address, so that a link shows the same to everybody; then what was chosen in
this session; then what the owner saved with the run.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, TypeVar

import streamlit as st

from glocalx.pipeline.settings import SelectionSettings
from glocalx.selection import DEFAULT_BUDGET, FEW_RULES
from glocalx.words.phrases import counted, shown
from glocalx.workspace.run import Run
from ui.address import say_unknown
from ui.opened import budget_path_of, explained_of, merged_rules_of, theory_of
from ui.session import may_change, workspace
from ui.text import plain

T = TypeVar("T")
WAYS = {"budget": "Budget", "alpha": "Alpha", "alpha_q": "Alpha quantile"}
ASKED = {
    "view": "the rules as",
    "mode": "the page to",
    "asked_record": "the held-out record",
    "along": "the feature",
}
MOST_BUDGET = 60  # nobody reads more; the paper's two ways go further
HELP = f"""\
**Budget**: at most so many rules, chosen because they agree best with the black box *together*,
from every rule of the hierarchy; where these are fewer than {FEW_RULES}, also from each of them
without one of its conditions.

**Alpha** and **alpha quantile**: the filters of the GLocalX paper. They rank the merged rules one
by one and keep the best of each outcome."""


@dataclass(frozen=True, slots=True)
class Room:
    """What can be chosen in one way: from `low` to `high` in steps."""

    low: float
    high: float
    step: float

    @property
    def is_empty(self) -> bool:
        return not self.low < self.high

    def fit(self, value: float) -> float:
        """The choice that is nearest, upwards to a whole step."""
        inside = min(max(value, self.low), self.high)
        steps = math.ceil((inside - self.low) / self.step - 1e-9)
        return min(self.low + self.step * steps, self.high)


def room_of(run: Run, by: str) -> Room:
    """What there is to choose in a run; the merge stage must be done."""
    if by == "budget":
        return Room(1, min(max(len(budget_path_of(run)), 1), MOST_BUDGET), 1)
    if by == "alpha":
        outcomes = len(explained_of(run).schema.outcomes)
        largest = max(Counter(rule.outcome for rule in merged_rules_of(run)).values(), default=1)
        return Room(outcomes, outcomes * largest, outcomes)
    return Room(0.0, 100.0, 0.5)


def selection_of(run: Run) -> SelectionSettings:
    """What whoever looks has chosen, made to fit; the merge stage must be done."""
    asked, kept = _in_address(), st.session_state.get(_kept(run))
    own = run.settings.selection  # what is by hand, and what a condition costs, are the run's own
    chosen = replace(
        asked or kept or own, price=own.price, conditions=own.conditions, steering=own.steering
    )
    room = room_of(run, chosen.by)
    fitting = replace(chosen, value=room.fit(chosen.value))
    if asked and not room.is_empty and not room.low <= asked.value <= room.high:
        st.session_state[_beyond(run)] = asked, fitting
    return fitting


def linked_selection(run: Run) -> SelectionSettings:
    """The same, put into the address where it is not the run's own: whoever may only look chose
    it, and their links should say so.
    """
    chosen = selection_of(run)
    if chosen != run.settings.selection:
        st.query_params.update({"by": chosen.by, "value": f"{chosen.value:g}"})
    return chosen


def say_beyond(run: Run) -> None:
    """Say that an address asked for more, or less, than there is, as long as that is shown."""
    asked, instead = st.session_state.get(_beyond(run), (None, None))
    if asked is None or instead != selection_of(run):
        return
    room = room_of(run, asked.by)
    st.info(
        f"This address asked for the {WAYS[asked.by].lower()} {asked.value:g}. In this run it can "
        f"be {room.low:g} to {room.high:g}, so {instead.value:g} is shown.",
        icon=":material/link_off:",
    )


def _in_address() -> SelectionSettings | None:
    by, text = st.query_params.get("by"), st.query_params.get("value", "")
    try:
        value = float(text)
    except ValueError:
        return None
    return SelectionSettings(by, value) if by in WAYS and math.isfinite(value) else None  # type: ignore[arg-type]


def _kept(run: Run) -> str:
    return f"selection {run.id}"


def _beyond(run: Run) -> str:
    return f"{_kept(run)} beyond"


def choose(run: Run, chosen: SelectionSettings) -> None:
    """Keep a choice: in the address, in the session and, where one may, with the run.

    What is by hand, and what a condition costs, stays as it is.
    """
    saved = workspace().run(run.id).settings
    own = saved.selection
    chosen = replace(chosen, price=own.price, conditions=own.conditions, steering=own.steering)
    _keep(run, chosen)
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
    wanted = {"by": chosen.by, "value": f"{chosen.value:g}"}
    if any(st.query_params.get(name) != text for name, text in wanted.items()):
        st.query_params.update(wanted)


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
        way, value = st.columns([3, 7], gap="medium", vertical_alignment="center")
        way.segmented_control(
            "Choose by",
            list(WAYS),
            format_func=WAYS.__getitem__,
            required=True,
            key="theory_by",
            help=HELP,
            on_change=_way_chosen,
            args=(run,),
        )
        with value:
            _slider(run, chosen)
    return chosen


def _show(key: str, value: object) -> None:
    """Bring a widget to a value, without touching one that is there already."""
    if st.session_state.get(key) != value:
        st.session_state[key] = value


def _way_chosen(run: Run) -> None:
    if not run.done("merge"):
        return  # deleted or changed in another window; the page says so
    by = st.session_state["theory_by"]
    value = st.session_state.get(f"{_kept(run)} {by}", _first_value(run, by))
    choose(run, SelectionSettings(by, room_of(run, by).fit(value)))


def _first_value(run: Run, by: str) -> float:
    """About as many rules as the default budget gives."""
    if by != "alpha_q":
        return DEFAULT_BUDGET
    return 100 * max(0.0, 1 - DEFAULT_BUDGET / max(len(merged_rules_of(run)), 1))


def _value_chosen(run: Run, by: Any, key: str = "") -> None:
    if not run.done("merge"):
        return
    choose(run, SelectionSettings(by, st.session_state[key or f"theory_{by}"]))


def _slider(run: Run, chosen: SelectionSettings) -> None:
    by, room = chosen.by, room_of(run, chosen.by)
    if room.is_empty:
        st.markdown(_nothing_to_choose(run, by))
        return
    number = float if by == "alpha_q" else int
    _show(f"theory_{by}", number(chosen.value))
    if by == "budget" and _counts_conditions():
        _show("theory_conditions", int(chosen.value))
        _by_conditions(run, room)
        st.caption(_in_words(run, chosen))
        return
    st.slider(
        {"budget": "How many rules", "alpha": "Alpha", "alpha_q": "Percentile"}[by],
        number(room.low),
        number(room.high),
        step=number(room.step),
        format="%.1f" if by == "alpha_q" else "%d",
        key=f"theory_{by}",
        help=_slider_help(run, by),
        on_change=_value_chosen,
        args=(run, by),
    )
    st.caption(_in_words(run, chosen))


def _counts_conditions() -> bool:
    """How much to read is counted in rules, or in the conditions of all of them."""
    st.segmented_control(
        "How much to read, in",
        ["rule", "condition"],
        default="rule",
        required=True,
        format_func=lambda unit: f"{unit}s".capitalize(),
        key="reading",
    )
    return bool(st.session_state["reading"] == "condition")


def _by_conditions(run: Run, room: Room) -> None:
    """The same slider, over the conditions that the first so many rules have together."""
    lengths = list(accumulate(len(rule) for rule in budget_path_of(run)))
    st.select_slider(
        "How many conditions in all",
        range(int(room.low), int(room.high) + 1),
        format_func=lambda rules: f"{lengths[rules - 1]:,}",
        key="theory_conditions",
        help="All conditions that you would have to read, of all rules together; those of rules "
        "by hand come besides.",
        on_change=_value_chosen,
        args=(run, "budget", "theory_conditions"),
    )


def _nothing_to_choose(run: Run, by: str) -> str:
    if by == "budget" and not budget_path_of(run):
        return (
            "There is nothing to choose: no rule agrees with the black box more often than its "
            "most common answer does."
        )
    if by == "budget":
        return "There is nothing to choose: after one rule, more would not help."
    if len(merged_rules_of(run)) == 1:
        return "There is nothing to choose: only one rule is left."
    return "There is nothing to choose: no outcome has more than one rule, so all are kept."


def _in_words(run: Run, chosen: SelectionSettings) -> str:
    """What the choice means, in a sentence."""
    if chosen.by == "budget":
        most = len(budget_path_of(run))
        return (
            f"The rules that agree best together. On the {_records(run)}, more than "
            f"{counted(most, 'rule')} would not help."
        )
    if chosen.by == "alpha":
        each = int(chosen.value) // len(explained_of(run).schema.outcomes)
        return f"Up to {counted(each, 'rule')} for each outcome: those that alone tell it best."
    left, total = 100 - chosen.value, len(merged_rules_of(run))
    if chosen.value == 0:
        return f"Keeps all {counted(total, 'merged rule')}."
    if left == 0:
        return "Keeps, for each outcome, only the rule that alone tells it best."
    return f"Keeps, for each outcome, about the best {left:g} % of the {total:,} merged rules."


def _records(run: Run) -> str:
    return f"{explained_of(run).reference_name}s"


def _slider_help(run: Run, by: str) -> str:
    if by == "budget":
        return (
            "One rule after the other is added, each time the one that raises agreement on the "
            f"{_records(run)} most. The choice is among all rules that ever were in the "
            "hierarchy, also those that later merges replaced; where these are fewer than "
            f"{FEW_RULES}, each of them without one of its conditions is a candidate, too."
        )
    if by == "alpha":
        return (
            "Merged rules are ranked by how well each alone tells its outcome from the rest. The "
            "best are kept, equally many for each outcome; an outcome with fewer rules gives all."
        )
    return (
        "Merged rules of an outcome are ranked by how well each alone tells it from the rest. "
        "At the 90th percentile those stay that are at least as good as 90 of 100 of them: the "
        "higher, the fewer."
    )
