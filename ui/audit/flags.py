"""At once: which rules name a sensitive column, or something that stands for it."""

from __future__ import annotations

import streamlit as st

from glocalx.report.sentences import close_proxies, closest_proxy, named_outright
from glocalx.report.tables.rules import proxies_table
from glocalx.words.phrases import counted
from ui.audit.drawing import draw_table, markdown
from ui.audit.result import Audited
from ui.text import plain

MOST_PROXIES = 3


def flags(audited: Audited) -> None:
    """What rules name outright, what stands in for it, and everything that was measured."""
    named = named_outright(audited.audit)
    if named:
        st.warning(
            f"{' '.join(map(markdown, named))} The rules describe the black box: it is worth "
            "asking why it should need to know.",
            icon=":material/flag:",
        )
    elif audited.theory.size:
        st.success(
            "No rule names any of these columns outright. That does not yet mean that the black "
            "box makes no use of them.",
            icon=":material/check:",
        )
    _stand_ins(audited)
    table = proxies_table(audited.audit, audited.wording)
    if table.rows:
        with st.expander(
            "How much each feature of the rules tells about these columns", icon=":material/link:"
        ):
            st.caption(
                "Strength: Cramér’s V between categories, the correlation ratio where a number is "
                "involved, from 0 (nothing) to 1 (everything), both corrected for what chance "
                "alone gives in few records. Mutual information is not corrected: a little of it "
                "is chance."
            )
            draw_table(table, most_rows=12)


def _stand_ins(audited: Audited) -> None:
    close = close_proxies(audited.audit, audited.wording)
    for sentence in close[:MOST_PROXIES]:
        st.warning(markdown(sentence), icon=":material/link:")
    if len(close) > MOST_PROXIES:
        st.caption(f"And {counted(len(close) - MOST_PROXIES, 'more such pair')} of columns.")
    closest = closest_proxy(audited.audit, audited.wording)
    if not close and closest:
        st.caption(plain(closest))
