"""Everything in figures: who gets which answer, every group, and what has to be known."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from glocalx.audit import AuditSettings
from glocalx.audit.comparison import BAND
from glocalx.audit.intervals import UNDEFINED, Estimate
from glocalx.audit.sensitive_table import Trait, TraitFigures
from glocalx.words.figures import fixed, percent, signed
from glocalx.words.wording import Wording
from ui.audit.choice import ANSWERERS, ANSWERS
from ui.audit.result import Audited
from ui.audit.rules import interval_text
from ui.text import plain

ROW, MOST_ROWS = 35, 16
HOW_TO_READ = """\
- **A difference is not yet discrimination, and no difference is not yet fairness.** Groups may
  differ for reasons that are fair, and be treated alike where they should not be. These figures
  tell where to ask, not what the answer is.
- The rules describe **the black box**, and not quite: where they disagree with it, look at
  “Answers by: The black box” as well. They are no advice on a person.
- **Intervals** say where a figure would likely lie had other records of the same kind been
  counted (95 %). A group of fewer than {enough} records, or one compared with so few, is shown,
  but nothing is concluded from it.
- **Many comparisons** at once find something by chance alone. “Differs” holds after Holm’s
  correction for all groups that are compared; the intervals are not corrected.
- **Ratio**: one share divided by the other. Outside {low:g} to {high:g} the four-fifths rule of
  American labour law would look twice. It is a rule of thumb.
- **Undefined stays undefined**: a share of nobody, or a ratio to nothing, is a dash and not 0.
- **Stand-ins**: a rule that does not name race can still use something that tells race. How much
  each feature tells is measured on these records: Cramér’s V between categories, the correlation
  ratio where a number is involved. Both are corrected for chance (Bergsma’s V, and epsilon
  squared), so that unrelated columns stay near 0 also in small tables.
- **Responsibility**: a rule is responsible for the records that it decides, that is where it is
  the first that applies. Taking it away changes the explanation, not the black box.
- Where “true” comes from: the outcome as the table has it, with whatever was wrong in how it was
  recorded."""


def traits_card(audited: Audited, wording: Wording) -> None:
    """Who is behind each answer of the rules."""
    with st.container(border=True):
        st.subheader("Who gets which answer from the rules?", anchor=False)
        st.caption(
            "Mean ± standard deviation for numbers, share with that category for categories. The "
            "last two columns: those with the outcome asked about, minus everyone, with the 95 % "
            "interval; and that difference in standard deviations of everyone (0.2 is small, 0.8 "
            "large)."
        )
        frame = traits_frame(audited, wording)
        st.dataframe(
            frame,
            hide_index=True,
            height=(min(len(frame), MOST_ROWS) + 1) * ROW + 2,
            placeholder="–",
            alt="Traits of everyone and of those who get each answer.",
        )


def traits_frame(audited: Audited, wording: Wording) -> pd.DataFrame:
    """One row a trait, as text."""
    table = audited.audit.traits
    shown = [place for place, group in enumerate(table.groups) if group.kind != "rule"]
    asked = next(place for place in shown if table.groups[place].outcome == audited.asked.outcome)
    rows = []
    for trait, line in zip(table.traits, table.figures, strict=True):
        row = {"Feature": trait.title, "Group": trait.category or "mean ± sd"}
        for place in shown:
            group = table.groups[place]
            name = "Everyone" if group.outcome is None else wording.outcome(group.outcome)
            row[f"{name} ({group.records:,})"] = _trait_text(trait, line[place])
        row["Minus everyone"] = _difference_text(trait, line[asked].difference)
        row["Effect size"] = signed(line[asked].effect, 2)
        rows.append(row)
    return pd.DataFrame(rows)


def _trait_text(trait: Trait, figures: TraitFigures) -> str:
    if math.isnan(figures.mean):
        return "–"
    if trait.category is not None:
        return percent(figures.mean, 1)
    return f"{fixed(figures.mean, 1)} ± {fixed(figures.deviation, 1)}"


def _difference_text(trait: Trait, difference: Estimate) -> str:
    if trait.category is not None:
        return interval_text(difference) + (" points" if difference.is_defined else "")
    if not difference.is_defined:
        return "–"
    low, high = signed(difference.low, 1), signed(difference.high, 1)
    return f"{signed(difference.value, 1)} ({low} to {high})"


def groups_card(audited: Audited, outcome: str) -> None:
    """Every group, none left out, with all that is known."""
    frame = groups_frame(audited)
    with st.container(border=True):
        st.subheader("Every group in figures", anchor=False)
        st.caption(
            f"Answers by: {said_by(audited).lower()}. No group is left out: those "
            "with too few records say so, and what is undefined is a dash."
        )
        st.dataframe(
            frame,
            hide_index=True,
            height=(min(len(frame), MOST_ROWS) + 1) * ROW + 2,
            column_config=_columns(outcome, audited.asked),
            placeholder="–",
            alt="Every group with its rates, differences, ratios and how well the rules fit it.",
        )
        notes = audited.audit.notes
        if notes:
            with st.expander("What has to be known about these records", icon=":material/info:"):
                st.markdown("\n".join(f"- {plain(note)}" for note in notes))


def said_by(audited: Audited) -> str:
    """Who gives the answers that are counted."""
    return next(ANSWERS[key] for key, who in ANSWERERS.items() if who == audited.asked.answers)


def groups_frame(audited: Audited) -> pd.DataFrame:
    """One row a group; shares in per cent, differences in points."""
    rows = []
    for group in audited.audit.subgroups.subgroups:
        answers = audited.answers(group)
        comparison = answers.comparison if answers else None
        rows.append(
            {
                "Column": audited.audit.title(group.columns),
                "Group": group.title,
                "Records": group.size,
                "Called": 100 * answers.selected.value if answers else math.nan,
                "Difference": interval_text(comparison.difference if comparison else UNDEFINED),
                "Verdict": comparison.verdict if comparison else "compared with",
                "p": p_text(comparison.adjusted if comparison else math.nan),
                "Ratio": comparison.ratio.value if comparison else math.nan,
                "Band": (comparison.band if comparison and comparison.enough else None) or "",
                "Found": 100 * answers.true_positive.value if answers else math.nan,
                "Wrongly": 100 * answers.false_positive.value if answers else math.nan,
                "Fidelity": 100 * group.fidelity.value,
                "Fidelity difference": interval_text(group.fidelity_difference),
            }
        )
    return pd.DataFrame(rows)


def p_text(p: float) -> str:
    """A probability in as many digits as say something.

    Examples
    --------
    >>> p_text(0.0004), p_text(0.018), p_text(math.nan)
    ('< 0.001', '0.018', '–')
    """
    if math.isnan(p):
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _columns(outcome: str, asked: AuditSettings) -> dict[str, object]:
    column, text = st.column_config.NumberColumn, st.column_config.TextColumn
    said = plain(outcome)
    low, high = BAND
    return {
        "Records": column(format="localized", width=75),
        "Called": column(f"{outcome[:24]}", format="%.1f %%", help="Share of the group."),
        "Difference": text(
            help=f"In points, group minus {asked.whom}, with its 95 % interval.",
            width=165,
            alignment="right",
        ),
        "Verdict": text(
            help="After Holm’s correction for all groups. “Compared with”: the others are compared "
            "with this group."
        ),
        "p": text("p, corrected", width=95, alignment="right"),
        "Ratio": column(
            format="%.2f", width=65, help="The group’s share divided by that of the others."
        ),
        "Band": text(
            "Four-fifths", width=85, help=f"Within: the ratio lies between {low:g} and {high:g}."
        ),
        "Found": column(
            "True ones found",
            format="%.1f %%",
            help=f"Of those for whom {said} is true, the share that gets it.",
        ),
        "Wrongly": column(
            "Wrongly called",
            format="%.1f %%",
            help=f"Of those for whom {said} is not true, the share that gets it all the same.",
        ),
        "Fidelity": column(
            "Rules = black box", format="%.1f %%", help="Where both give the same answer."
        ),
        "Fidelity difference": text(
            "… difference", help="In points. Below 0: explained less well.", alignment="right"
        ),
    }


def how_to_read(audited: Audited) -> None:
    """The caveats, in plain words."""
    low, high = BAND
    text = HOW_TO_READ.format(enough=audited.audit.subgroups.enough, low=low, high=high)
    with st.expander("How to read this page", icon=":material/school:"):
        st.markdown(text)
