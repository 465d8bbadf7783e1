"""The calculation of a step, for whoever wants to check it: similarity, batch, both BICs."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from glocalx.lessons.outvoted import outvoting, outvoting_said
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
from glocalx.plots import (
    OutcomeColours,
    answer_marks,
    batch_dots,
    reliability_ladder,
    shared_bar,
)
from glocalx.rules.codes import NO_CODE
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import named_features
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording
from ui.terms import with_terms
from ui.text import plain

MOST_RECORDS = 10
MOST_COLUMNS = 6
MOST_NAMED = 6
SIMILAR_HELP = "The most similar pair is tried first."
BATCH_HELP = "Rules meet only on records of the batch that both theories cover."
WORTH_HELP = "Fidelity weighed against length; lower is better."


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
        st.markdown(
            "**1. How similar? Records in both, of those in at least one**",
            help=with_terms(SIMILAR_HELP, "Similarity", "Coverage"),
        )
        st.html(shared_bar(view.calculation, view.colours.palette).html)
        st.markdown(plain(similarity_said(view.calculation)))
        st.markdown(
            "**2. Which records made the rules meet?**",
            help=with_terms(BATCH_HELP, "Batch", "Join", "Cut"),
        )
        _batch(view)
    with second:
        _worth(view.calculation)
    if view.calculation.disagree:
        _disagreement(view)


def _worth(calculation: Calculation) -> None:
    """The formula, filled in for both, and what it decides."""
    st.markdown("**3. Is it worth it?**", help=with_terms(WORTH_HELP, "BIC", "Length, L"))
    st.markdown(plain(formula(calculation.settings)))
    st.caption(what_is_weighed(calculation.settings))
    _table(calculation)
    say = st.success if calculation.trial.accepted else st.error
    icon = ":material/check_circle:" if calculation.trial.accepted else ":material/block:"
    say(f"**{plain(verdict(calculation))}** {plain(where_it_comes_from(calculation))}", icon=icon)
    if not calculation.disagree:
        for sentence in answers_said(calculation):
            st.markdown(plain(sentence))


def _disagreement(view: CalculationView) -> None:
    """Whose answers change for better and worse, and the ladder of who decides."""
    calculation, palette = view.calculation, view.colours.palette
    found = outvoting(calculation, view.reference)
    accepted = calculation.trial.accepted
    st.divider()
    st.markdown("**4. Why the two numbers disagree**")
    st.markdown(plain(why_they_disagree(calculation)))
    first, second = st.columns(2, gap="large")
    with first:
        everyone = f"All {len(calculation.rules_before):,} rules together"
        for whose, answers in (
            ("The pair alone", calculation.pair),
            (everyone, calculation.everyone),
        ):
            changed = answers.better + answers.worse
            verb = "changes" if changed == 1 else "change"
            st.markdown(f"**{whose}**: {counted(changed, 'answer')} {verb}")
            st.html(answer_marks(answers, whose, palette).html)
        st.markdown(plain(outvoting_said(found, accepted=accepted)))
        if accepted:
            st.caption("Lost answers can come back: a later merge may join or cut the rules.")
    with second:
        st.html(reliability_ladder(found.rungs, view.wording, view.colours).html)
        st.caption(
            "Reliability: (agrees + 1) / (covers + number of outcomes). The most reliable rule "
            "that covers a record decides. Dashed: gone after the merge."
        )


def _table(calculation: Calculation) -> None:
    rows = [
        f"| {plain(line.label)} | {plain(line.side_by_side)} | {plain(line.merged)} |"
        for line in lines(calculation)
    ]
    *rest, last = rows
    cells = [f"**{cell.strip()}**" for cell in last.strip("|").split("|")]
    head = ["| Counted | Side by side | Merged |", "|:--|--:|--:|"]
    st.markdown("\n".join([*head, *rest, f"| {' | '.join(cells)} |"]))


def _batch(view: CalculationView) -> None:
    """The batch as marks, then the records that both cover, with who covers them."""
    calculation, reference = view.calculation, view.reference
    picture = batch_dots(calculation, reference, view.colours)
    st.html(picture.html)
    st.caption(plain(f"{picture.alt} Framed: covered by both."))
    for letter, rules in (("A", calculation.left), ("B", calculation.right)):
        named = named_rules(letter, rules, reference)
        said = [
            f"**{name}** {plain(view.wording.short_rule(rule))}"
            for name, rule in named[:MOST_NAMED]
        ]
        more = len(named) - MOST_NAMED
        st.markdown("  \n".join([*said, *([f"and {more:,} more"] if more > 0 else [])]))
    met = met_records(calculation, reference, MOST_RECORDS)
    if not met:
        return
    st.dataframe(
        {
            "Record": [f"{each.place + 1:,}" for each in met],
            "Black box": [view.wording.outcome(each.outcome) for each in met],
            "Covered by": [", ".join(each.covering) for each in met],
            **_values(view, [each.place for each in met]),
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
