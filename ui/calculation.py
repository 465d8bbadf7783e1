"""The calculation of a step, for whoever wants to check it: similarity, batch, both BICs."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from glocalx.lessons.told import (
    answers_said,
    formula,
    lines,
    met_records,
    named_rules,
    similarity_said,
    verdict,
    what_is_weighed,
    where_it_comes_from,
    why_they_disagree,
)
from glocalx.merging.calculation import Calculation
from glocalx.plots import OutcomeColours, batch_dots, shared_bar
from glocalx.rules.codes import NO_CODE
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import named_features
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording
from ui.text import plain

MOST_RECORDS = 10
MOST_COLUMNS = 6
MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class CalculationView:
    """A calculation and how its records and outcomes are said."""

    calculation: Calculation
    reference: Reference
    wording: Wording
    colours: OutcomeColours


def show_calculation(view: CalculationView) -> None:
    """All of it, in the order in which it is done."""
    first, second = st.columns(2, gap="large")
    with first:
        st.markdown("**1. How similar? Records in both, of those in at least one**")
        st.html(shared_bar(view.calculation, view.colours.palette).html)
        st.markdown(plain(similarity_said(view.calculation)))
        st.markdown("**2. Which records made the rules meet?**")
        _batch(view)
    with second:
        _worth(view.calculation)


def _worth(calculation: Calculation) -> None:
    """The formula, filled in for both, and what it decides."""
    st.markdown("**3. Is it worth it?**")
    st.markdown(plain(formula(calculation.settings)))
    st.caption(what_is_weighed(calculation.settings))
    _table(calculation)
    say = st.success if calculation.trial.accepted else st.error
    icon = ":material/check_circle:" if calculation.trial.accepted else ":material/block:"
    say(f"**{plain(verdict(calculation))}** {plain(where_it_comes_from(calculation))}", icon=icon)
    for sentence in answers_said(calculation):
        st.markdown(plain(sentence))
    why = why_they_disagree(calculation)
    if why:
        st.markdown(f"**Why the two numbers disagree.** {plain(why)}")


def _table(calculation: Calculation) -> None:
    rows = [
        f"| {plain(line.label)} | {plain(line.side_by_side)} | {plain(line.merged)} |"
        for line in lines(calculation)
    ]
    *rest, last = rows
    cells = [f"**{cell.strip()}**" for cell in last.strip("|").split("|")]
    head = ["| | Side by side | Merged |", "|:--|--:|--:|"]
    st.markdown("\n".join([*head, *rest, f"| {' | '.join(cells)} |"]))


def _batch(view: CalculationView) -> None:
    """The batch as marks, then the records that both cover, with who covers them."""
    calculation, reference = view.calculation, view.reference
    picture = batch_dots(calculation, reference, view.colours)
    st.html(picture.html)
    st.caption(plain(f"{picture.alt} Framed: covered by both."))
    for letter, rules in (("A", calculation.left), ("B", calculation.right)):
        named = named_rules(letter, rules, reference)
        said = [f"**{name}** {plain(view.wording.rule(rule))}" for name, rule in named[:MOST_NAMED]]
        more = len(named) - MOST_NAMED
        st.markdown("  \n".join([*said, *([f"and {more:,} more"] if more > 0 else [])]))
    met = met_records(calculation, reference, MOST_RECORDS)
    if not met:
        return
    st.dataframe(
        {
            "Record": [f"{each.place + 1:,}" for each in met],
            **_values(view, [each.place for each in met]),
            "Black box": [view.wording.outcome(each.outcome) for each in met],
            "Covered by": [", ".join(each.covering) for each in met],
        },
        hide_index=True,
    )
    more = calculation.meeting.bit_count() - len(met)
    if more > 0:
        st.caption(f"The first {MOST_RECORDS}; {counted(more, 'more record')} are covered by both.")


def _values(view: CalculationView, places: list[int]) -> dict[str, list[str]]:
    """What these records have in the columns that the two theories name."""
    records = view.reference.records
    named = named_features(view.calculation.left | view.calculation.right)
    features = [each for each in records.schema.features if each.name in named][:MOST_COLUMNS]
    columns = {}
    for feature in features:
        values = records.values(feature.name)[places].tolist()
        if feature.is_categorical:
            values = [
                feature.categories[code] if code >= 0 else (None if code == NO_CODE else "other")
                for code in values
            ]
        said = [view.wording.value(feature.name, value) for value in values]
        columns[view.wording.short_name(feature.name)] = said
    return columns
