"""The right of the page Local rules: one rule in words, its record’s story, and what is chance."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import streamlit as st

from glocalx.extraction.local_rule import LocalRule
from glocalx.extraction.rule_index import RuleIndex
from glocalx.extraction.stability import Steadiness, rules_over_seeds
from glocalx.questions.changes import FoundChanges, WorkingChange
from glocalx.questions.shapley import HOW_TO_GET_IT, ShapleyValues, is_installed, shapley_values
from glocalx.rules.what_if import Record
from glocalx.words.figures import in_points, percent
from glocalx.words.phrases import enumeration
from glocalx.workspace.run import Run
from ui import work
from ui.layout import card, figure
from ui.named_records import name_of
from ui.opened import (
    black_box_of,
    colours_of,
    explained_of,
    kept,
    shared_of,
    theory_of,
    wording_of,
)
from ui.record_story import Answer, Values, answer_of, frame_of, tell_story, values_seen
from ui.session import may_change
from ui.terms import with_terms
from ui.text import badge, bold, plain, spoken
from ui.whom import whom_first
from ui.working_changes import changes_of, tell_changes

MOST_ROWS = 16  # of the record's table, before it scrolls
ROW = 35


def nothing_read(number: int | None, key: str) -> None:
    """What stands here while no rule is selected."""
    with st.container(border=True):
        if number is None:
            st.markdown("No rule selected. Select a row in the table to see the rule in words.")
        else:
            st.markdown(
                f"There is no rule for {key} {number:,}. Select a row in the table, or type "
                "another number."
            )


def rule_card(run: Run, table: RuleIndex, local: LocalRule, number: int) -> None:
    """The rule as a sentence, and its three numbers."""
    wording, colours = wording_of(run), colours_of(run)
    rule = local.rule
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            title = f"Rule {number:,}" if table.brought else f"Rule of record {number:,}"
            st.markdown(f"**{title}**", width="content")
            st.markdown(badge(rule.outcome, colours))
        st.header(spoken(wording.parts(rule), rule.outcome, colours), anchor=False)
        unsaid = wording.spoken_premises(rule).unsaid
        if unsaid:
            said = ", ".join(plain(wording.condition(*named)) for named in unsaid)
            st.caption(f"Asked for too, but implied by the rest: {said}.")
        _numbers(run, local, table.brought)
        others = table.sharing(number) - 1
        if others:
            words = "another record" if others == 1 else f"{others:,} other records"
            st.caption(f"It is also the rule of {words}.")


def _numbers(run: Run, local: LocalRule, brought: bool) -> None:
    overall = float(np.mean(explained_of(run).explained_labels == local.rule.outcome))
    itself = "" if brought else "; the record that it was written for is not counted"
    with st.grid(3, min_column_width=130):
        figure(
            "Covers",
            f"{local.covered:,}",
            f"of {local.judged:,} records",
            with_terms(
                "How many of the records that were set apart to be explained the rule applies "
                f"to{itself}.",
                "Coverage",
            ),
        )
        figure(
            "Agrees",
            percent(local.precision),
            f"{local.agreed:,} of {local.covered:,}",
            with_terms(
                "Among the records that it covers, how often the black box gives this outcome too.",
                "Reliability",
            ),
        )
        figure(
            "Overall",
            percent(overall),
            "get this outcome",
            "How often the black box gives this outcome to any record. A rule says something "
            "only as far as it agrees more often than that.",
        )


def record_card(run: Run, local: LocalRule) -> None:
    """One story: the answer, what was enough for it, the global rule, what would change it."""
    with card("The record"):
        shared = shared_of(run)
        if shared.drawn:
            st.markdown("Drawn, so nobody’s: it is like the records of the table.")
        elif called := name_of(run, int(shared.parts.explain[local.record])):
            st.markdown(called)
        row = shared.explain.iloc[local.record]
        record = {name: row[name] for name in explained_of(run).schema.names}
        theory = None if run.missing("merge") else theory_of(run)
        tell_story(run, record, _answer(run, local, record), local, theory, above=True)
        tell_shapley(run, record)
        st.markdown("**What would change the answer**")
        found = changes_of(run, record, local.hints) or _confirmed_when_written(local)
        if found is None:
            st.markdown("The black box is not here, so no change can be put to it.")
        else:
            tell_changes(run, found)
        _values(run, local, record)


def _answer(run: Run, local: LocalRule, record: Record) -> Answer:
    """What the black box said of the record, and how sure it is, where it is here."""
    said = str(explained_of(run).explained_labels[local.record])
    if black_box_of(run) is None:
        return said, None
    answer = answer_of(run, record)
    return answer if answer[0] == said else (said, None)  # trained again, and says otherwise


def _values(run: Run, local: LocalRule, record: Record) -> None:
    """The record's values beside what the rule asks for, its conditions first."""
    wording, asked = wording_of(run), dict(local.rule.premises)
    names = sorted(record, key=lambda name: name not in asked)
    rows = [
        {
            "Feature": wording.name(name),
            "Value": wording.value(name, record[name]),
            "Rule asks for": f"✓ {wording.asked(name, asked[name])}" if name in asked else "–",
        }
        for name in names
    ]
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        height=(min(len(rows), MOST_ROWS) + 1) * ROW + 2,
        alt="The values of the record, and what the rule asks for",
    )


def _confirmed_when_written(local: LocalRule) -> FoundChanges | None:
    """Of what the local tree believed, what the black box confirmed when the rule was written."""
    made = tuple(
        WorkingChange(
            o.changes,
            o.rule.outcome,
            ("fewest",) if number == 0 else (),
            math.nan,
            math.nan,
        )
        for number, o in enumerate(other for other in local.counterfactuals if other.confirmed)
    )
    return FoundChanges(local.rule.outcome, made) if made else None


MOST_NAMED = 6  # features in the sentence
SHAPLEY = "shapley"


def tell_shapley(run: Run, record: Record) -> None:
    """On demand what each feature adds to the answer; one line where the package is not here."""
    if black_box_of(run) is None:
        return
    if not is_installed():
        st.caption(f"Shapley values of the record stand here, too, after “{HOW_TO_GET_IT}”.")
        return
    if not st.toggle("Shapley values", key=SHAPLEY, help="How much each feature adds, on average."):
        return
    with st.spinner("Asking …"):
        found = _shapley_of(run, values_seen(run, record))
    st.markdown(shapley_in_words(run, record, found))
    st.caption(
        "A feature’s part is its mean over many orders in which this record’s values take the "
        "place of those of other records. The parts add up; they do not say what would change "
        "the answer."
    )


@kept("data", "model", "box", most=500)
def _shapley_of(run: Run, values: Values) -> ShapleyValues:
    box, shared = black_box_of(run), shared_of(run)
    assert box is not None  # whoever asks looks first
    frame, schema = frame_of(run, values), explained_of(run).schema
    return shapley_values(box, frame, schema, shared.background, seed=shared.parts.seed)


def shapley_in_words(run: Run, record: Record, found: ShapleyValues) -> str:
    """From the mean to this record, feature by feature, as Markdown."""
    wording = wording_of(run)
    answer = badge(found.outcome, colours_of(run))
    parts = [
        f"{bold(f'{wording.name(name)}: {wording.value(name, record[name])}')} {in_points(value)}"
        for name, value in found.values[:MOST_NAMED]
    ]
    left = sum(value for _, value in found.values[MOST_NAMED:])
    if found.values[MOST_NAMED:]:
        parts.append(f"all others {in_points(left)}")
    return (
        f"{whom_first(run)} gives {answer} {percent(found.base)} on average and "
        f"{percent(found.level)} here. What adds to it: {enumeration(parts)}."
    )


SEEDS = 5
ASKED = "steady_record"


def stability_card(run: Run, local: LocalRule, busy: bool) -> None:
    """On demand, the rule of the record over several seeds."""
    asked = (run.id, local.record)
    with card("How much of this is chance"):
        here = black_box_of(run) is not None
        if st.session_state.get(ASKED) == asked and here:
            with st.spinner(f"Writing the rule with {SEEDS} seeds …"):
                steady = _steadiness(run, local.record)
            _tell_steadiness(run, steady)
            return
        st.markdown(
            "Look-alike records are drawn at random, so another seed may give another rule."
        )
        if not here:
            st.caption(_not_here(run, busy))
        pressed = st.button(
            f"Write this rule with {SEEDS} seeds",
            icon=":material/casino:",
            disabled=not here and (busy or not may_change(run)),
            on_click=lambda: st.session_state.update({ASKED: asked}),
        )
        if pressed and not here:
            work.start(run, "model")
            st.rerun()


def _not_here(run: Run, busy: bool) -> str:
    """A run that came from elsewhere comes without the model that it trained."""
    if busy:
        return "The black box is being trained; the bar at the top of the page shows how far it is."
    if may_change(run):
        return "The black box is trained again on this machine first, which takes some seconds."
    return "This run came without its black box. In a copy of your own it can be trained again."


def _tell_steadiness(run: Run, steady: Steadiness) -> None:
    wording, colours = wording_of(run), colours_of(run)
    st.markdown(steadiness_in_words(steady))
    for rule, seeds in steady.rules:
        times = "once" if seeds == 1 else f"{seeds} times"
        st.markdown(f"- {spoken(wording.parts(rule), rule.outcome, colours)} :gray[({times})]")
    st.caption(
        "Jaccard similarity of the records covered, over all pairs of seeds: 1 means the same "
        "records each time, 0 none in common. Merging "
        "does not even such chance out: the page Global theory tells how often each final rule "
        "returns."
    )


def steadiness_in_words(steady: Steadiness) -> str:
    """One sentence about what the seeds changed."""
    found = len(steady.rules)
    rules = "the same rule every time" if found == 1 else f"{found} different rules"
    return (
        f"Over {SEEDS} seeds this record gets {rules}; what they cover is "
        f"{_how_alike(steady.similarity)} (Jaccard {steady.similarity:.2f})."
    )


def _how_alike(similarity: float) -> str:
    if similarity > 0.999:
        return "the same"
    if similarity > 0.8:
        return "nearly the same"
    return "similar" if similarity > 0.5 else "quite different"


@kept("rules", most=500)
def _steadiness(run: Run, record: int) -> Steadiness:
    facts, shared, box = explained_of(run), shared_of(run), black_box_of(run)
    assert box is not None  # the card looked
    own = shared.parts.seed
    over = rules_over_seeds(
        shared.explain,
        box,
        facts.schema,
        background=shared.background,
        settings=run.settings.rules.extraction,
        seeds=range(own, own + SEEDS),
        records=[record],
    )
    return Steadiness.of([of_seed[0] for of_seed in over], facts.reference.records)
