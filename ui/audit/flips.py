"""Flip tests: which value is changed into which, whose answers change, and every pair."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from glocalx.audit import AuditSettings
from glocalx.audit.flip_plans import FlipTest, changeable_groups
from glocalx.audit.flips import FlipPlan, FlipResult, GroupChange
from glocalx.audit.grouping import find_groups
from glocalx.audit.tally import Tally
from glocalx.plots import OutcomeColours
from glocalx.report.finding_pictures import flip_squares
from glocalx.report.findings import FLIP_NOTE, FoundWords
from glocalx.report.tables.findings import flips_by_rule_table, flips_table
from glocalx.workspace.run import Run
from ui.address import say_unknown
from ui.audit.address import ASKED, bring, in_address, in_step, key, write
from ui.audit.drawing import draw_table, markdown
from ui.audit.findings import CONTENTS
from ui.audit.result import Audited, source_of
from ui.layout import card
from ui.opened import black_box_of
from ui.text import plain
from ui.work import offer_black_box

COLUMNS = "flip_columns"
SHOWN = ("Only this changed", "Answers that change", "To", "From", "p", "Rules", "Both")


@dataclass(frozen=True, slots=True)
class Changeable:
    """The columns with their groups that somebody is in, the largest first."""

    groups: Mapping[str, list[str]]
    tally: Tally

    @classmethod
    def of(cls, run: Run, asked: AuditSettings) -> Changeable:
        source = source_of(run, asked.part, asked.by)
        axes = [source.axis(name, asked.bands.get(name)) for name in asked.by]
        tally = source.tally((), axes, labels=False)
        groups = {
            axis.name: [each.title for each in changeable_groups(tally, axis)] for axis in axes
        }
        return cls({name: some for name, some in groups.items() if len(some) > 1}, tally)

    def change(self, text: str) -> GroupChange | None:
        """What an address asks for, as the command does: `race=Other>Caucasian`."""
        for column, groups in self.groups.items():
            for before, after in itertools.permutations(groups, 2):
                if text == f"{column}={before}>{after}":
                    return GroupChange(column, before, after)
        return None

    def plan(self, changes: Mapping[str, GroupChange]) -> FlipPlan | None:
        """The flip of all these at once; None where nobody is in all of the groups."""
        plan = FlipPlan(tuple(changes[name] for name in self.groups if name in changes))
        sizes = {each.groups: each.size for each in find_groups(self.tally, plan.columns)}
        return plan if sizes.get(plan.group) else None


def _chosen(known: Changeable) -> dict[str, GroupChange]:
    """What is to be changed: by the widgets, else by the address, else the usual."""
    columns = st.session_state.get(key(COLUMNS))
    first = next(iter(known.groups))
    usual = {first: GroupChange(first, *known.groups[first][:2])}
    if columns is None:
        asked = (known.change(text) for text in in_address("flip"))
        found = {each.column: each for each in asked if each is not None}
        return found or usual
    made = {}
    for name in known.groups:
        if name in columns:
            before, after = (st.session_state.get(key(f"{end} {name}")) for end in ("from", "to"))
            groups = known.groups[name]
            before = before if before in groups else groups[0]
            others = [each for each in groups if each != before]
            made[name] = GroupChange(name, before, after if after in others else others[0])
    return made or usual


def with_chosen_flip(run: Run, asked: AuditSettings) -> AuditSettings:
    """The same settings with the flip that is chosen on the page, besides the usual ones."""
    if black_box_of(run) is None:
        return asked
    known = Changeable.of(run, asked)
    plan = known.plan(_chosen(known)) if known.groups else None
    return asked if plan is None else replace(asked, flips=(plan,))


def flip_card(run: Run, audited: Audited, colours: OutcomeColours) -> None:
    """The chosen flip, and all of them; where the model is not here, it is offered to train it."""
    words = FoundWords(audited.audit, audited.wording)
    with card("Flip test: only the sensitive value changed", anchor=CONTENTS["Flip test"]):
        if black_box_of(run) is None:
            st.caption(FLIP_NOTE)
            offer_black_box(
                run, "The model is not here, so the test could not be made.", "It takes a moment."
            )
            return
        known, test = Changeable.of(run, audited.asked), audited.audit.flips
        table = flips_table(words)
        if table is None or test is None or not known.groups:
            st.markdown("There is no group that could be changed into another.")
            return
        plan, along = _choose(audited, known)
        left, right = st.columns([5, 6], gap="medium")
        with left:
            _one_flip(words, _of(test, plan, along), along, colours)
        with right:
            drawn = " Of large groups some records were drawn at random." if test.drawn else ""
            st.caption(f"The model was asked {test.asked:,} times.{drawn} {FLIP_NOTE}")
        draw_table(table.only(*SHOWN[: len(table.columns) - 1]))
        by_rule = flips_by_rule_table(words)
        if by_rule is not None:
            with st.expander("By the rule that decided before the change"):
                draw_table(by_rule)


def _of(test: FlipTest, plan: FlipPlan | None, along: bool) -> FlipResult | None:
    wanted = plan.changes if plan else None
    found = (each for each in test.flips if each.plan.changes == wanted)
    return next((each for each in found if bool(each.plan.along) == along), None)


def _one_flip(
    words: FoundWords, flip: FlipResult | None, along: bool, colours: OutcomeColours
) -> None:
    if flip is None:
        st.markdown(
            "No column that the model reads tells so much about this one that it could be changed "
            "along."
            if along
            else "Nobody is in all of these groups, so there is nobody to change."
        )
        return
    st.markdown(markdown(words.flip(flip)))
    st.html(flip_squares(flip, words.audit.settings.outcome, colours).html)
    st.caption("A square for each record, in colour where the answer changes.")


def _choose(audited: Audited, known: Changeable) -> tuple[FlipPlan | None, bool]:
    """The row of choices; what it says stands in the address."""
    say_unknown("flip", ASKED["flip"], lambda text: known.change(text) is not None, "the usual one")
    chosen, titles = _chosen(known), audited.audit.titles
    st.session_state[key(COLUMNS)] = list(chosen)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        st.pills(
            "Change",
            list(known.groups),
            selection_mode="multi",
            format_func=lambda name: plain(titles[name]),
            key=key(COLUMNS),
            on_change=_keep,
            args=(known,),
            help="Several columns are changed together, for those who are in all of the groups.",
        )
        for name, change in chosen.items():
            _ends(name, change, known, plain(titles[name]))
        bring("along", {"yes": True, "no": False}.get, False)
        along = st.toggle("Change what stands in for it along", **in_step("along"))
    return known.plan(chosen), along


def _ends(name: str, change: GroupChange, known: Changeable, title: str) -> None:
    """Two boxes for a column: from which group, into which."""
    groups = known.groups[name]
    for end, value, options in (
        ("from", change.before, groups),
        ("to", change.after, [each for each in groups if each != change.before]),
    ):
        st.session_state[key(f"{end} {name}")] = value
        st.selectbox(
            f"{title}: {end}",
            options,
            key=key(f"{end} {name}"),
            width=210,
            on_change=_keep,
            args=(known,),
        )


def _keep(known: Changeable) -> None:
    changes = _chosen(known).values()
    write("flip", [f"{each.column}={each.before}>{each.after}" for each in changes])
