"""What rules name, and everything in figures: who gets which answer, every group, caveats."""

from __future__ import annotations

import streamlit as st

from glocalx.audit.comparison import BAND
from glocalx.report.findings import MOST_PROXIES
from glocalx.report.sentences import CAVEAT, close_proxies, closest_proxy, named_outright
from glocalx.report.tables.groups import group_table, side_by_side_table
from glocalx.report.tables.rules import proxies_table
from glocalx.report.tables.traits import asked_traits_table
from glocalx.words.phrases import counted
from ui.audit.choice import ANSWERERS, ANSWERS
from ui.audit.drawing import draw_table
from ui.audit.result import Audited
from ui.layout import card
from ui.text import plain

READING = f"""\
- **{CAVEAT}** Groups may differ for reasons that are fair, and be treated alike where they should \
not be. These figures tell where to ask, not what the answer is.
- The rules describe **the black box**, and not quite: where they disagree with it, look at \
“Answers by: The black box” as well. They are no advice on a person.
- **Intervals** say where a figure would likely lie had other records of the same kind been \
counted (95 %). A group of fewer than {{enough}} records, or one compared with so few, is shown, \
but nothing is concluded from it.
- **Many comparisons** at once find something by chance alone. “Different” holds after Holm’s \
correction for all groups that are compared; the intervals are not corrected.
- **Ratio**: one share divided by the other. Outside {{low:g}} to {{high:g}} the four-fifths rule \
of American labour law would look twice. It is a rule of thumb.
- **Undefined stays undefined**: a share of nobody, or a ratio to nothing, is a dash and not 0.
- **Missing values** make a group of their own; nothing that was filled in for the black box \
counts as membership of a group.
- **Stand-ins**: a rule that does not name race can still use something that tells race. How much \
each feature tells is measured on these records: Cramér’s V between categories, the correlation \
ratio where a number is involved. Both are corrected for chance (Bergsma’s V, and epsilon \
squared), so that unrelated columns stay near 0 also in small tables.
- **Responsibility**: a rule is responsible for the records that it decides, that is where it is \
the first that applies. Taking it away changes the explanation, not the black box.
- Where “true” comes from: the outcome as the table has it, with whatever was wrong in how it was \
recorded."""


def flags(audited: Audited) -> None:
    """That rules name nothing outright, how close stand-ins come, and all that was measured."""
    if audited.theory.size and not named_outright(audited.audit):
        st.success(
            "No rule names any of these columns outright. That does not yet mean that the black "
            "box makes no use of them.",
            icon=":material/check:",
        )
    close = close_proxies(audited.audit, audited.wording)
    if len(close) > MOST_PROXIES:
        more = counted(len(close) - MOST_PROXIES, "more such pair")
        st.caption(f"Besides what stands above, rules use {more} of columns.")
    closest = closest_proxy(audited.audit, audited.wording)
    if not close and closest:
        st.caption(plain(closest))
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


def traits_card(audited: Audited) -> None:
    """Who is behind each answer of the rules."""
    with card("Who gets which answer from the rules?"):
        st.caption(
            "Mean ± standard deviation for numbers, share with that category for categories. The "
            "last two columns: those with the outcome asked about, minus everyone, with the 95 % "
            "interval; and that difference in standard deviations of everyone (0.2 is small, 0.8 "
            "large)."
        )
        draw_table(asked_traits_table(audited.audit, audited.wording))


def groups_card(audited: Audited, outcome: str) -> None:
    """Every group, none left out, with all that is known."""
    asked = audited.audit.answers
    whose = next(ANSWERS[key] for key, who in ANSWERERS.items() if who == asked)
    with card("Every group in figures", anchor="every-group"):
        st.caption(
            f"Answers by: {whose.lower()}. No group is left out: those with too few records say "
            "so, and what is undefined is a dash."
        )
        if len(audited.audit.subgroups.compared) > 1:
            st.markdown("The same differences by black box, rules and data:")
            draw_table(side_by_side_table(audited.audit, outcome))
        widths = {"Records": 75, "Difference": 165, "p": 95, "Ratio": 65, "Band": 85}
        draw_table(group_table(audited.audit, outcome, asked), widths=widths)
        notes = audited.audit.notes
        if notes:
            with st.expander("What has to be known about these records", icon=":material/info:"):
                st.markdown("\n".join(f"- {plain(note)}" for note in notes))


def how_to_read(audited: Audited) -> None:
    """The caveats, in plain words."""
    with st.expander("How to read this page", icon=":material/school:"):
        low, high = BAND
        st.markdown(READING.format(enough=audited.audit.settings.enough, low=low, high=high))
