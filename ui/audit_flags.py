"""At once: which rules name a sensitive column, or something that stands for it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from glocalx.audit.proxies import CLOSE, Association
from glocalx.phrases import counted
from ui.audit_result import Audited
from ui.text import plain

MOST_PROXIES = 3


def flags(audited: Audited) -> None:
    """At once: which rules name a sensitive column, or something that stands for it."""
    named = _naming(audited)
    if named:
        st.warning(
            f"{' '.join(named)} That is what the black box does; it is worth asking why.",
            icon=":material/flag:",
        )
    elif audited.theory.size:
        st.success("No rule names any of these columns outright.", icon=":material/check:")
    close = _close_proxies(audited)
    for association, rules in close[:MOST_PROXIES]:
        st.warning(_proxy_sentence(audited, association, rules), icon=":material/link:")
    if len(close) > MOST_PROXIES:
        st.caption(f"And {counted(len(close) - MOST_PROXIES, 'more such pair')} of columns.")
    if not close:
        _closest(audited)


def _naming(audited: Audited) -> list[str]:
    """A sentence for each sensitive column that rules name, as Markdown."""
    said = []
    for column in audited.asked.columns:
        rules = [each.place + 1 for each in audited.audit.rules if column in each.sensitive]
        if rules:
            verb = "names" if len(rules) == 1 else "name"
            said.append(f"{numbered(rules)} {verb} **{plain(audited.titles[column])}** outright.")
    return said


def numbered(rules: Sequence[int]) -> str:
    """`Rules 4 and 5`, three or more in a row as `4 to 6`.

    Examples
    --------
    >>> numbered([4]), numbered([1, 2, 5]), numbered([1, 3, 4, 5])
    ('Rule 4', 'Rules 1, 2 and 5', 'Rules 1 and 3 to 5')
    """
    rows: list[list[int]] = []
    for rule in rules:
        if rows and rows[-1][-1] == rule - 1:
            rows[-1].append(rule)
        else:
            rows.append([rule])
    texts: list[str] = []
    for row in rows:
        texts += [f"{row[0]} to {row[-1]}"] if len(row) > 2 else [str(rule) for rule in row]
    if len(rules) == 1:
        return f"Rule {texts[0]}"
    return f"Rules {' and '.join(filter(None, [', '.join(texts[:-1]), texts[-1]]))}"


def _close_proxies(audited: Audited) -> list[tuple[Association, list[int]]]:
    found: dict[tuple[str, str], tuple[Association, list[int]]] = {}
    for profile in audited.audit.rules:
        for each in profile.close_proxies():
            found.setdefault((each.column, each.sensitive), (each, []))[1].append(profile.place + 1)
    return sorted(found.values(), key=lambda pair: -pair[0].strength)


def _proxy_sentence(audited: Audited, each: Association, rules: Sequence[int]) -> str:
    name = plain(audited.counted.wording.name(each.column))
    return (
        f"{numbered(rules)} {'uses' if len(rules) == 1 else 'use'} **{name}**, which tells much "
        f"about **{plain(audited.titles[each.sensitive])}**: {measured(each)}, on a scale from 0 "
        f"(nothing) to 1 (everything); from {CLOSE:g} on it counts as a close stand-in."
    )


def measured(each: Association) -> str:
    """The measure with its figure."""
    return f"{each.measure} {each.strength:.2f}"


def _closest(audited: Audited) -> None:
    """Where there is no close proxy, how close the closest comes."""
    known = [
        each
        for each in audited.audit.associations
        if each.column not in audited.asked.columns and each.strength == each.strength
    ]
    if not known:
        return
    each = max(known, key=lambda association: association.strength)
    st.caption(
        "No feature of the rules is a close stand-in for a chosen column. The closest: "
        f"{plain(audited.counted.wording.name(each.column))} for "
        f"{plain(audited.titles[each.sensitive])}, {measured(each)}; from {CLOSE:g} on it would "
        "count as close."
    )
