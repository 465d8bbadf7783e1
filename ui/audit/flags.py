"""At once: which rules name a sensitive column, or something that stands for it."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from glocalx.audit.proxies import CLOSE, Association
from glocalx.words.phrases import counted, enumeration
from ui.audit.result import Audited
from ui.text import plain

MOST_PROXIES = 3
ROW, MOST_ROWS = 35, 12


def flags(audited: Audited) -> None:
    """At once: which rules name a sensitive column, or something that stands for it."""
    named = _naming(audited)
    if named:
        st.warning(
            f"{' '.join(named)} The rules describe the black box: it is worth asking why it "
            "should need to know.",
            icon=":material/flag:",
        )
    elif audited.theory.size:
        st.success(
            "No rule names any of these columns outright. That does not yet mean that the black "
            "box makes no use of them.",
            icon=":material/check:",
        )
    close = _close_proxies(audited)
    for association, rules in close[:MOST_PROXIES]:
        st.warning(_proxy_sentence(audited, association, rules), icon=":material/link:")
    if len(close) > MOST_PROXIES:
        st.caption(f"And {counted(len(close) - MOST_PROXIES, 'more such pair')} of columns.")
    if not close:
        _closest(audited)
    _all_measured(audited)


def _naming(audited: Audited) -> list[str]:
    """A sentence for each sensitive column that rules name, as Markdown."""
    said = []
    for column in audited.asked.by:
        rules = [each.place + 1 for each in audited.audit.rules if column in each.sensitive]
        if rules:
            verb = "names" if len(rules) == 1 else "name"
            said.append(
                f"{numbered(rules)} {verb} **{plain(audited.audit.title([column]))}** outright."
            )
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
    return f"Rules {enumeration(texts)}"


def _close_proxies(audited: Audited) -> list[tuple[Association, list[int]]]:
    found: dict[tuple[str, str], tuple[Association, list[int]]] = {}
    for profile in audited.audit.rules:
        for each in profile.close_proxies():
            found.setdefault((each.column, each.sensitive), (each, []))[1].append(profile.place + 1)
    return sorted(found.values(), key=lambda pair: -pair[0].strength)


def _proxy_sentence(audited: Audited, each: Association, rules: Sequence[int]) -> str:
    name = plain(audited.wording.name(each.column))
    return (
        f"{numbered(rules)} {'uses' if len(rules) == 1 else 'use'} **{name}**, which tells much "
        f"about **{plain(audited.audit.title([each.sensitive]))}**: {measured(each)}, on a scale "
        f"from 0 (nothing) to 1 (everything); from {CLOSE:g} on it counts as a close stand-in."
    )


def measured(each: Association) -> str:
    """The measure with its figure."""
    return f"{each.measure} {each.strength:.2f}, mutual information {each.information:.2f} bits"


def _indirect(audited: Audited) -> list[Association]:
    """What features of the rules tell about chosen columns that they are not, most first."""
    found = [each for each in audited.audit.associations if each.column not in audited.asked.by]
    return sorted(found, key=lambda each: -each.strength if each.strength == each.strength else 1)


def _all_measured(audited: Audited) -> None:
    frame = proxies_frame(audited)
    if frame.empty:
        return
    with st.expander(
        "How much each feature of the rules tells about these columns", icon=":material/link:"
    ):
        st.caption(
            "Strength: Cramér’s V between categories, the correlation ratio where a number is "
            "involved, from 0 (nothing) to 1 (everything), both corrected for what chance alone "
            "gives in few records. Mutual information is not corrected: a little of it is chance."
        )
        st.dataframe(
            frame,
            hide_index=True,
            height=(min(len(frame), MOST_ROWS) + 1) * ROW + 2,
            column_config={
                "Strength": st.column_config.NumberColumn(format="%.2f"),
                "Bits": st.column_config.NumberColumn(
                    "Mutual information", format="%.3f bits", help="What both have in common."
                ),
                "Share": st.column_config.NumberColumn(
                    "Of all there is to know",
                    format="%.1f %%",
                    help="Mutual information as a share of all that could be told about the group.",
                ),
                "Records": st.column_config.NumberColumn(format="localized"),
            },
            placeholder="–",
            alt="How much each feature that rules use tells about each chosen column.",
        )


def proxies_frame(audited: Audited) -> pd.DataFrame:
    """One row a pair of columns, the closest first."""
    return pd.DataFrame(
        [
            {
                "Feature": audited.wording.name(each.column),
                "Tells about": audited.audit.title([each.sensitive]),
                "Strength": each.strength,
                "Measure": each.measure.removeprefix("corrected "),
                "Close": "close" if each.is_close() else "",
                "Bits": each.information,
                "Share": 100 * each.share_known,
                "Records": each.records,
            }
            for each in _indirect(audited)
        ]
    )


def _closest(audited: Audited) -> None:
    """Where there is no close proxy, how close the closest comes."""
    known = [each for each in _indirect(audited) if each.strength == each.strength]
    if not known:
        return
    each = known[0]
    st.caption(
        "No feature of the rules is a close stand-in for a chosen column. The closest: "
        f"{plain(audited.wording.name(each.column))} for "
        f"{plain(audited.audit.title([each.sensitive]))}, {measured(each)}; from {CLOSE:g} on it "
        "would count as close."
    )
