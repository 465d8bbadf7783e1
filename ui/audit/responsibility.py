"""Which rules a difference comes from, and what would become of it without them."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from glocalx.audit.responsibility import Ablation, Disparity, Responsibility
from glocalx.audit.subgroups import Subgroup
from glocalx.plots import OutcomeColours
from glocalx.words.figures import in_points, percent, points
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording
from ui.audit.address import bring_one_of, keep, key
from ui.audit.result import Audited, identity
from ui.text import plain

ROW, MOST_ROWS = 35, 14
NOT_KNOWN = float("nan")


def rules_responsible(audited: Audited, outcome: str, colours: OutcomeColours) -> Subgroup | None:
    """The card with a group and the rules behind its difference; gives the group."""
    wording = audited.wording
    with st.container(border=True):
        st.subheader("Which rules are responsible?", anchor=False)
        group = _choose_group(audited)
        if group is None:
            st.markdown("There is no group to compare, so there is no difference to explain.")
            return None
        st.markdown(_in_words(audited, group, outcome))
        _rules(audited, group, outcome, wording, colours)
    return group


def _identity(group: Subgroup | Disparity | Responsibility) -> str:
    return identity(group.columns, group.groups)


def comparable(audited: Audited) -> dict[str, Subgroup]:
    """The groups that the rules treat one way or the other and that have a counterpart."""
    return {
        _identity(group): group
        for group in audited.audit.subgroups.subgroups
        if group.size and group.answers["theory"].comparison is not None
    }


def furthest(groups: dict[str, Subgroup]) -> str:
    """The group with the largest difference, with enough records where there is one."""

    def rank(name: str) -> tuple[bool, float]:
        comparison = groups[name].answers["theory"].comparison
        assert comparison is not None  # only such groups are here
        size = abs(comparison.difference.value)
        return comparison.enough, size if size == size else -1.0

    return max(groups, key=rank)


def _choose_group(audited: Audited) -> Subgroup | None:
    groups = comparable(audited)
    if not groups:
        return None
    bring_one_of("group", list(groups), furthest(groups))
    chosen = st.selectbox(
        "Group",
        list(groups),
        format_func=lambda name: (
            f"{audited.audit.title(groups[name].columns)}: {groups[name].title}"
        ),
        key=key("group"),
        on_change=keep,
        args=("group",),
        help="At first the group with the largest difference by the rules, of those with enough "
        "records.",
    )
    return groups[str(chosen)]


def _in_words(audited: Audited, group: Subgroup, outcome: str) -> str:
    answers = group.answers["theory"]
    comparison = answers.comparison
    assert comparison is not None  # only such groups can be chosen
    said = (
        f"The rules call **{percent(answers.selected.value, 1)}** of {plain(group.title)} "
        f"{plain(outcome)} ({counted(answers.known, 'record')}), "
        f"**{points(comparison.difference.value)}** against {plain(comparison.against)}, "
        f"{VERDICTS[comparison.verdict]}."
    )
    return f"{said} {_largest_part(audited, group)}".strip()


VERDICTS = {
    "different": "a difference that holds after correction",
    "no difference shown": "which may be chance",
    "not enough evidence": "but there is not enough evidence",
}


def _largest_part(audited: Audited, group: Subgroup) -> str:
    parts = [each for each in shares_of(audited, group) if each.contribution == each.contribution]
    parts = [each for each in parts if abs(each.contribution) >= 0.0005]
    if not parts:
        return "No rule contributes to it."
    most = max(parts, key=lambda each: abs(each.contribution))
    who = f"Rule {most.rule + 1}" if most.rule is not None else "“Otherwise”"
    return f"{who} contributes most: {points(most.contribution)}."


def shares_of(audited: Audited, group: Subgroup) -> list[Responsibility]:
    """What each rule that gives the outcome, or the default, has to do with a group."""
    wanted = _identity(group)
    return [each for each in audited.audit.responsibilities if _identity(each) == wanted]


def rules_frame(audited: Audited, group: Subgroup, wording: Wording) -> pd.DataFrame:
    """One row a rule; shares in per cent, differences in points."""
    shares = {each.rule: each for each in shares_of(audited, group)}
    without = {each.rule: each for each in audited.audit.ablations if each.rule is not None}
    rows = []
    for place, rule in enumerate(audited.theory.rules):
        rows.append(
            {
                "Rule": str(place + 1),
                "Then": [wording.outcome(rule.outcome)],
                "If …": wording.short(rule),
                **_share_cells(shares.get(place)),
                **after_cells(without[place], group),
            }
        )
    if None in shares:
        otherwise = {"Rule": "–", "Then": [wording.outcome(audited.theory.default)]}
        after = {"Difference without": "–", "Agreement without": NOT_KNOWN}
        rows.append({**otherwise, "If …": "otherwise", **_share_cells(shares[None]), **after})
    return pd.DataFrame(rows)


def _share_cells(share: Responsibility | None) -> dict[str, float | str]:
    if share is None:
        return {"Decides": NOT_KNOWN, "Contributes": "–"}
    return {"Decides": 100 * share.of_outcome.value, "Contributes": in_points(share.contribution)}


def after_cells(ablation: Ablation, group: Subgroup) -> dict[str, float | str]:
    """A group's difference and the agreement with the black box, afterwards."""
    after = next(each.after for each in ablation.disparities if _identity(each) == _identity(group))
    return {
        "Difference without": in_points(after.value),
        "Agreement without": 100 * ablation.fidelity_after.value,
    }


def _rules(
    audited: Audited, group: Subgroup, outcome: str, wording: Wording, colours: OutcomeColours
) -> None:
    frame = rules_frame(audited, group, wording)
    columns = st.column_config
    if not audited.theory.size:
        st.markdown("There are no rules.")
        return
    st.dataframe(
        frame,
        hide_index=True,
        height=(min(len(frame), MOST_ROWS) + 1) * ROW + 2,
        column_config={
            "Rule": columns.TextColumn(width=45, pinned=True),
            "Then": columns.MultiselectColumn(
                options=[wording.outcome(name) for name in colours.outcomes],
                color=[colours.soft(name) for name in colours.outcomes],
                width=95,
            ),
            "If …": columns.TextColumn(width=440),
            "Decides": columns.NumberColumn(
                format="%.0f %%",
                width=70,
                help=f"Of the group’s records that the rules call {plain(outcome)}, the share that "
                "this rule decides.",
            ),
            "Contributes": columns.TextColumn(
                width=95,
                alignment="right",
                help="Points of the difference that come from this rule. They add up to it.",
            ),
            **without_columns(),
        },
        placeholder="–",
        alt="What each rule contributes to the difference, and what would be without it.",
    )
    before = audited.audit.ablations[0].fidelity_before.value
    st.caption(
        "Contributions are in points and add up to the difference. If a rule goes, the next one "
        f"that applies decides. With all rules they agree with the black box on "
        f"{percent(before, 1)} of the counted records."
    )


def without_columns() -> dict[str, Any]:
    """How the columns that tell of afterwards look."""
    columns = st.column_config
    return {
        "Difference without": columns.TextColumn(
            "Difference after",
            width=115,
            alignment="right",
            help="The group’s difference in points if this were taken away.",
        ),
        "Agreement without": columns.NumberColumn(
            "Agreement after",
            format="%.1f %%",
            width=115,
            help="How often the remaining rules would give the answer of the black box.",
        ),
    }
