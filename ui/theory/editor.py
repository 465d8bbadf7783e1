"""One rule that is open: its conditions one by one, over the records that meet the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import SelectionSettings
from glocalx.plots.threshold_picture import threshold_picture
from glocalx.rules.coverage import mask_of
from glocalx.rules.rule import Categories, Interval, Premise, Rule
from glocalx.rules.schema import Feature
from glocalx.rules.steering import without_features
from glocalx.words.phrases import NOTHING_HELD_OUT
from glocalx.workspace.run import Run
from ui.layout import one_of, problem, refusals
from ui.opened import colours_of, explained_of, wording_of
from ui.text import badge, plain, spoken
from ui.theory.changes import show_effect
from ui.theory.form import EPOCH, day_of, decimals
from ui.theory.steered import (
    Draft,
    close_draft,
    draft_of,
    keep,
    redraft,
    steering_in,
    tried,
    turn_of,
)

FEW_CATEGORIES = 12


@st.fragment
def editor(run: Run, chosen: SelectionSettings) -> None:
    """The open rule; a slider moves nothing but this card."""
    draft = draft_of(run)
    if draft is None:
        return
    with st.container(border=True, key="open_rule"):
        draft = _conditions(run, chosen, draft)
        _effect(run, chosen, draft)


def _conditions(run: Run, chosen: SelectionSettings, draft: Draft) -> Draft:
    """What the rule asks, one condition at a time; the rule as the widgets say it."""
    facts, wording, colours = explained_of(run), wording_of(run), colours_of(run)
    head = "Change this rule" if draft.origin else "Write a rule"
    mark = badge(draft.rule.outcome, colours)
    st.markdown(f"**{head}** {mark}")
    sentence = st.empty()
    if draft.origin is None:
        key = f"outcome {draft.opened}"
        outcome = ask_outcome(run, "The rule answers", draft.rule.outcome, key)
        draft = replace(draft, rule=Rule(draft.rule.premises, outcome))
    barred = steering_in(run, chosen).barred
    unnamed = [n for n in facts.schema.names if n not in draft.rule.features and n not in barred]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        feature = None
        named = [name for name in facts.schema.names if name in draft.rule.features]
        if named:
            numbers = [name for name in named if not facts.schema[name].is_categorical]
            titles = {name: wording.short_name(name) for name in named}
            key = f"condition {draft.opened} {named}"
            feature = one_of("Condition", titles, key, (numbers or named)[0])
        with st.popover("Add one", icon=":material/add:", disabled=not unnamed):
            _add(run, draft, unnamed)
        if (
            feature is not None
            and len(draft.rule) > 1
            and st.button("Drop it", icon=":material/remove:", key=f"drop {draft.opened}")
        ):
            redraft(run, replace(draft, rule=_with(draft.rule, feature, None)))
            st.rerun(scope="fragment")
    if feature is not None:
        draft = _condition(run, draft, facts.schema[feature])
    redraft(run, draft)
    sentence.markdown(spoken(wording.parts(draft.rule, outcome=False), draft.rule.outcome, colours))
    return draft


def ask_feature(run: Run, label: str, names: Sequence[str], key: str) -> str | None:
    """One of these features; None until somebody chooses."""
    return st.selectbox(
        label,
        names,
        index=None,
        format_func=wording_of(run).name,
        placeholder="Choose a feature",
        key=key,
    )


def ask_outcome(run: Run, label: str, first: str, key: str) -> str:
    """One of the outcomes."""
    outcomes = explained_of(run).schema.outcomes
    said = wording_of(run).outcome
    return st.selectbox(label, outcomes, outcomes.index(first), format_func=said, key=key)


def _add(run: Run, draft: Draft, unnamed: list[str]) -> None:
    """A further condition; it begins in the middle of the values."""
    name = ask_feature(run, "A condition on", unnamed, f"add {draft.opened} {len(draft.rule)}")
    if name is not None:
        redraft(run, replace(draft, rule=_with(draft.rule, name, _first(run, name))))
        st.rerun(scope="fragment")


def _first(run: Run, name: str) -> Premise:
    facts = explained_of(run)
    feature = facts.schema[name]
    if feature.is_categorical:
        return feature.allowed(feature.categories[:1])
    values = facts.reference.records.values(name)
    middle = float(np.nanmedian(values))
    if not feature.is_whole:
        middle = round(middle, decimals(facts.split.explain[name].dropna()))
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    return feature.interval(min(max(middle, low + 1e-9), high), math.inf)


def _with(rule: Rule, name: str, premise: Premise | None) -> Rule:
    """The rule with another premise on a feature, or none."""
    kept = {each: said for each, said in rule.premises if each != name}
    made = kept if premise is None else {**kept, name: premise}
    return Rule(tuple(sorted(made.items(), key=lambda pair: pair[0])), rule.outcome)


def _condition(run: Run, draft: Draft, feature: Feature) -> Draft:
    premise, key = draft.rule.premise(feature.name), f"{draft.opened} {feature.name}"
    place = st.empty()
    try:
        if isinstance(premise, Categories):
            made: Premise = _categories(run, feature, premise, key)
        else:
            assert isinstance(premise, Interval)  # the rule names the feature
            made = _interval(run, draft.rule, feature, premise, key)
    except GLocalXError as error:
        problem(error)
        return draft
    draft = replace(draft, rule=_with(draft.rule, feature.name, made))
    if isinstance(made, Interval):
        was = draft.origin.premise(feature.name) if draft.origin else None
        picture = threshold_picture(
            draft.rule,
            feature.name,
            was if isinstance(was, Interval) else None,
            explained_of(run).reference,
            colours_of(run),
            wording_of(run),
        )
        with place.container(gap="xsmall"):
            st.caption(plain(picture.alt))
            st.html(picture.html)
    return draft


def _categories(run: Run, feature: Feature, premise: Categories, key: str) -> Premise:
    wording = wording_of(run)
    ask: Any = st.pills if len(feature.categories) <= FEW_CATEGORIES else st.multiselect
    options: dict[str, Any] = {"selection_mode": "multi"} if ask is st.pills else {}
    chosen = ask(
        "Allowed values",
        list(feature.categories),
        default=sorted(premise.values),
        format_func=lambda value: wording.value(feature.name, value),
        key=f"values {key}",
        **options,
    )
    return feature.allowed(chosen, _missing(feature, premise, key))


def _missing(feature: Feature, premise: Premise, key: str) -> bool:
    if not feature.gaps:
        return False
    return st.checkbox("or without a value", premise.missing, key=f"missing {key}")


def _interval(run: Run, rule: Rule, feature: Feature, premise: Interval, key: str) -> Premise:
    """Two ends on one slider, over the records that meet the other conditions; an end at the edge
    is open.
    """
    records = explained_of(run).reference.records
    others = mask_of(records.coverage(without_features(rule, [feature.name])), records.size)
    values = records.values(feature.name)
    known = values[others & ~np.isnan(values)] if others.any() else values[~np.isnan(values)]
    ends = [end for end in (premise.low, premise.high) if math.isfinite(end)]
    low, high = min([*known.tolist(), *ends]), max([*known.tolist(), *ends])
    key = f"{key} {low:g} {high:g}"  # other records, another slider
    label = f"{plain(wording_of(run).name(feature.name))}: the rule holds from, to"
    if feature.is_whole:
        start, end = _whole(label, feature, premise, (int(low), int(high)), key)
        return feature.interval(start, end, _missing(feature, premise, key))
    places = max(decimals(known.tolist()), decimals(ends))
    step = max(10.0**-places, 10.0 ** (math.floor(math.log10(max(high - low, 1e-6))) - 3))
    before = (max(premise.low, low), min(premise.high, high))
    start, end = st.slider(
        label,
        low,
        high if high > low else low + 1.0,
        before,
        step=step,
        format=f"%.{places}f",
        key=f"ends {key}",
    )
    if (start, end) == before:
        start, end = premise.low, premise.high
    return feature.interval(
        -math.inf if start <= low else round(start, places + 2),
        math.inf if end >= high else round(end, places + 2),
        _missing(feature, premise, key),
    )


def _whole(
    label: str, feature: Feature, premise: Interval, ends: tuple[int, int], key: str
) -> tuple[float, float]:
    """Whole numbers and days: the slider holds the first and the last that are allowed."""
    low, high = ends
    high = max(high, low + 1)
    first = int(max(premise.low, low)) if math.isfinite(premise.low) else low
    last = int(min(premise.high - 1, high)) if math.isfinite(premise.high) else high
    dates = feature.kind == "date"
    shown: Any = day_of if dates else int
    start, end = st.slider(
        label,
        shown(low),
        shown(high),
        (shown(min(first, high)), shown(max(last, low))),
        key=f"ends {key}",
    )
    if dates:
        start, end = (start - EPOCH).days, (end - EPOCH).days
    return -math.inf if start <= low else start, math.inf if end >= high else end + 1


def _effect(run: Run, chosen: SelectionSettings, draft: Draft) -> None:
    """What keeping it would change on the reference records, and the buttons."""
    steering = None
    if draft.rule != draft.origin and len(draft.rule):
        with refusals(go_on=True):
            changed, theory, effect = tried(run, chosen, draft.step)
            show_effect(run, draft, effect, theory)
            steering = changed
    else:
        st.caption("Nothing is changed yet." if draft.origin else "Add a condition first.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            NOTHING_HELD_OUT
            if explained_of(run).split.parts.nothing_held_out
            else ":material/visibility_off: Held-out fidelity is measured when you keep the "
            "change, so that it stays an honest check."
        )
        if st.button("Cancel", key=f"cancel {draft.opened}"):
            close_draft(run)
            st.rerun()
        if st.button(
            "Keep the change",
            type="primary",
            icon=":material/check:",
            key=f"keep {draft.opened}",
            disabled=steering is None,
        ):
            assert steering is not None  # the button is off
            keep(run, turn_of(run), steering)
            st.rerun()
