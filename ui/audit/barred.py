"""What would become of a difference if no rule could name a feature."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from glocalx.audit.subgroups import Subgroup
from glocalx.words.wording import Wording
from ui.audit.address import keep, key
from ui.audit.choice import ABLATIONS
from ui.audit.responsibility import MOST_ROWS, ROW, after_cells, without_columns
from ui.audit.result import Audited
from ui.text import plain


def features_frame(audited: Audited, group: Subgroup, wording: Wording) -> pd.DataFrame:
    """One row a feature that rules name: what would be if it were barred."""
    return pd.DataFrame(
        [
            {
                "Feature": wording.name(str(each.feature)),
                "Rules": each.rules_changed,
                **after_cells(each, group),
            }
            for each in audited.audit.ablations
            if each.feature is not None
        ]
    )


def barred_card(audited: Audited, group: Subgroup) -> None:
    """What would become of a group's difference if a feature were barred."""
    with st.container(border=True, height="stretch"):
        st.subheader("What if a feature were barred?", anchor=False)
        st.markdown(
            f"The difference of {plain(group.title)}, in points, if no rule could name the feature."
        )
        st.segmented_control(
            "What becomes of rules that name it",
            list(ABLATIONS),
            format_func=ABLATIONS.__getitem__,
            required=True,
            key=key("barring"),
            on_change=keep,
            args=("barring",),
            help="The whole rule goes: no rule that names the feature is left. The condition goes: "
            "the rules stay without it, cover more, and are put in order again.",
        )
        _features(audited, group)


def _features(audited: Audited, group: Subgroup) -> None:
    frame = features_frame(audited, group, audited.wording)
    if frame.empty:
        st.markdown("No rule names any feature.")
        return
    st.dataframe(
        frame,
        hide_index=True,
        height=(min(len(frame), MOST_ROWS) + 1) * ROW + 2,
        column_config={
            "Feature": st.column_config.TextColumn(width=190),
            "Rules": st.column_config.NumberColumn(
                format="%d", width=60, help="How many rules name it."
            ),
            **without_columns(),
        },
        placeholder="–",
        alt="What would become of the difference and of the agreement if a feature were barred.",
    )
    st.caption(
        "This changes the explanation, not the black box: a large change says that the rules tell "
        "the difference through this feature."
    )
