"""What is near a record: rules that nearly apply, and the smallest change of the answer."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from glocalx.rules.what_if import Flip, Record, nearly_covering, smallest_flips
from glocalx.words.figures import percent
from glocalx.words.phrases import enumeration
from ui.text import bold, plain
from ui.theory.asked import Asked

NEAR = 2  # conditions that a rule which nearly applies may lack


def nearly_applied(asked: Asked, record: Record) -> None:
    """The rules that lack one or two conditions."""
    near = [each for each in nearly_covering(asked.theory, record) if len(each[1]) <= NEAR]
    if not near:
        return
    st.markdown("**Nearly applied**")
    for place, names in near:
        rule = asked.theory.rules[place]
        premises = dict(rule.premises)
        wanted = enumeration([bold(asked.wording.condition(n, premises[n])) for n in names])
        here = ", ".join(plain(asked.wording.value(name, record[name])) for name in names)
        st.markdown(
            f"Rule {place + 1} {asked.badge(rule.outcome)} would apply with {wanted} "
            f":gray[(here {here})]."
        )


def smallest_changes(asked: Asked, record: Record) -> None:
    """The smallest changes after which the rules say something else."""
    st.markdown(
        "**Smallest change of the answer**",
        help="The fewest features that have to change for the rules to answer otherwise, with "
        "values seen in the data. It describes the rules and is no advice for a person; whether "
        "such a record can exist is not known.",
    )
    flips = smallest_flips(asked.theory, asked.facts.reference.records, record)
    if not flips:
        st.markdown("No small change was found near this record.")
        return
    then: Sequence[tuple[str, float | None] | None] = [None] * len(flips)
    if asked.box is not None:
        then = asked.answers([_applied(record, flip) for flip in flips])
    for flip, answer in zip(flips, then, strict=True):
        st.markdown(
            f"{asked.badge(flip.outcome)} with {_told(asked, flip)}. {_box_then(asked, answer)}"
        )


def _applied(record: Record, flip: Flip) -> Record:
    return {**record, **{change.feature: change.after for change in flip.changes}}


def _told(asked: Asked, flip: Flip) -> str:
    words = asked.wording
    return enumeration(
        [
            f"{bold(f'{words.name(c.feature)}: {words.value(c.feature, c.after)}')} "
            f":gray[(here {plain(words.value(c.feature, c.before))})]"
            for c in flip.changes
        ]
    )


def _box_then(asked: Asked, answer: tuple[str, float | None] | None) -> str:
    if answer is None:
        return ""
    label, share = answer
    sure = f", {percent(share)} sure" if share is not None else ""
    return f"The black box then says {plain(asked.wording.outcome(label))}{sure}."
