"""Which rules a difference comes from, and what would become of it without them."""

from __future__ import annotations

import streamlit as st

from glocalx.audit.subgroups import Subgroup
from glocalx.plots import OutcomeColours
from glocalx.report.sentences import difference_in_words
from glocalx.report.tables.responsibility import ablation_table, responsible_table
from glocalx.words.figures import percent
from ui.audit.address import bring_one_of, in_step
from ui.audit.choice import ABLATIONS
from ui.audit.drawing import draw_table, markdown
from ui.audit.result import Audited, identity
from ui.layout import card, one_of
from ui.text import plain

MOST_ROWS = 14
AFTER = {"Difference without": 115, "Agreement without": 115}


def rules_responsible(audited: Audited, outcome: str, colours: OutcomeColours) -> Subgroup | None:
    """The card with a group and the rules behind its difference; gives the group."""
    with card("Which rules are responsible?", anchor="responsible-rules"):
        group = _choose_group(audited)
        if group is None:
            st.markdown("There is no group to compare, so there is no difference to explain.")
            return None
        st.markdown(markdown(difference_in_words(audited.audit, group, outcome)))
        _rules(audited, group, colours)
    return group


def comparable(audited: Audited) -> dict[str, Subgroup]:
    """The groups that the rules treat one way or the other and that have a counterpart."""
    return {
        identity(group.columns, group.groups): group
        for group in audited.audit.subgroups.subgroups
        if group.size and group.comparison() is not None
    }


def furthest(groups: dict[str, Subgroup]) -> str:
    """The group with the largest difference, with enough records where there is one."""
    return max(groups, key=lambda name: groups[name].how_far())


def _choose_group(audited: Audited) -> Subgroup | None:
    groups = comparable(audited)
    if not groups:
        return None
    bring_one_of("group", list(groups), furthest(groups))
    title = audited.audit.title
    chosen = one_of(
        "Group",
        {name: f"{title(group.columns)}: {group.title}" for name, group in groups.items()},
        ask=st.selectbox,
        **in_step("group"),
        help="At first the group with the largest difference by the rules, of those with enough "
        "records.",
    )
    return groups[chosen]


def _rules(audited: Audited, group: Subgroup, colours: OutcomeColours) -> None:
    if not audited.theory.size:
        st.markdown("There are no rules.")
        return
    table = responsible_table(audited.audit, group, audited.wording)
    widths = {"Rule": 45, "Then": 95, "If …": 440, "Decides": 70, "Contributes": 95, **AFTER}
    draw_table(table, colours, widths=widths, pinned="Rule", most_rows=MOST_ROWS)
    st.caption(
        "Contributions are in points and add up to the difference. If a rule goes, the next one "
        f"that applies decides. With all rules they agree with the black box on "
        f"{percent(audited.audit.fidelity.value, 1)} of the counted records."
    )


def ablation_card(audited: Audited, group: Subgroup) -> None:
    """What would become of a group's difference if a feature were taken away (an ablation)."""
    with card("What if a feature were barred?", height="stretch"):
        st.markdown(
            f"The difference of {plain(group.title)}, in points, if no rule could name the feature."
        )
        one_of(
            "What becomes of rules that name it",
            ABLATIONS,
            **in_step("barring"),
            help="The whole rule goes: no rule that names the feature is left. The condition goes: "
            "the rules stay without it, cover more, and are put in order again.",
        )
        table = ablation_table(audited.audit, group, audited.wording)
        if not table.rows:
            st.markdown("No rule names any feature.")
            return
        draw_table(table, widths={"Feature": 190, "Rules": 60, **AFTER}, most_rows=MOST_ROWS)
        st.caption(
            "This changes the explanation, not the black box: a large change says that the rules "
            "tell the difference through this feature."
        )
