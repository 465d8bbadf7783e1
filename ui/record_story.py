"""One record: asked about, and in words: how sure the model is, its local rule, the global rule.

Short sentences, on every page that shows a record. Nothing stands here that the model refutes.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import pandas as pd
import streamlit as st

from glocalx.extraction.extract import Extraction
from glocalx.extraction.local_rule import LocalRule
from glocalx.pipeline.extracting import measured
from glocalx.pipeline.tables import LabelledTable
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.rule import Rule, is_missing
from glocalx.rules.schema import Feature
from glocalx.rules.what_if import Record, as_seen, explain_values
from glocalx.words.figures import percent
from glocalx.words.phrases import enumeration
from glocalx.workspace.run import Run
from ui.opened import black_box_of, colours_of, explained_of, kept, wording_of
from ui.text import badge, bold
from ui.whom import whom, whom_first

Answer: TypeAlias = tuple[str, float | None]
Values: TypeAlias = tuple[tuple[str, Any], ...]
FEW = 4  # conditions that are read in the middle of a sentence


def answer_of(run: Run, record: Record) -> Answer:
    """What the black box says of a record, and with which probability.

    Every move of a slider asks about much the same records, so answers are kept.
    """
    return _answer(run, values_seen(run, record))


@kept("model", most=5_000)
def _answer(run: Run, values: Values) -> Answer:
    box = black_box_of(run)
    assert box is not None  # whoever asks looks first
    frame = frame_of(run, values)
    label, shares = str(box.labels(frame)[0]), box.probabilities(frame)
    return label, None if shares is None else float(shares[0, list(box.outcomes).index(label)])


def values_seen(run: Run, record: Record) -> Values:
    """A record as rules see it, told apart from others by its values; None where one is missing."""
    seen = as_seen(record, explained_of(run).schema)
    return tuple((name, None if is_missing(value) else value) for name, value in seen.items())


def frame_of(run: Run, values: Values) -> pd.DataFrame:
    """A record as the black box wants it: a frame with the types of the table."""
    like = explained_of(run).split.test[[name for name, _ in values]]
    return pd.DataFrame([dict(values)]).astype(dict(like.dtypes.items()))


def record_at(facts: LabelledTable, place: int) -> dict[str, Any]:
    """A held-out record: numbers, and texts for categories; None where it is missing."""
    row = facts.split.test.iloc[place]
    values: dict[str, Any] = {}
    for feature in facts.schema.features:
        value = row[feature.name]
        known = str if feature.is_categorical else float
        values[feature.name] = None if is_missing(value) else known(value)
    return values


def tell_story(
    run: Run,
    record: Record,
    answer: Answer,
    local: LocalRule | None,
    theory: RankedTheory | None,
    *,
    above: bool = False,
) -> None:
    """How sure the model is, what was enough for its answer, and which global rule decides.

    Parameters
    ----------
    local
        The record's own rule; None where it has none.
    above
        Whether the record's own rule stands above in full.
    """
    label, share = answer
    sure = f" and is {percent(share)} sure" if share is not None else ""
    said = [f"{whom_first(run)} says {badge(label, colours_of(run))}{sure}."]
    own = local if local is not None and local.rule.outcome == label else None
    if own is not None:
        said.append(local_told(run, own, above=above))
    if theory is not None:
        said.append(global_told(run, record, answer, theory, own))
    st.markdown(" ".join(said))


def local_told(run: Run, local: LocalRule, *, above: bool = False) -> str:
    """What was enough for the answer around the record."""
    conditions = _conditions(run, local.rule)
    if not conditions:
        return "Around this record nothing that was tried makes a difference."
    if above:
        conditions = "the rule above holds"
    return (
        f"Around this record it is enough that {conditions}: of {local.covered:,} other records "
        f"like that, {whom(run)} says the same of {local.agreed:,}."
    )


def global_told(
    run: Run, record: Record, answer: Answer, theory: RankedTheory, local: LocalRule | None = None
) -> str:
    """The global rule that decides, and whether it says what the model says."""
    why = explain_values(theory, record)
    same = (
        "the same" if why.outcome == answer[0] else f"{badge(why.outcome, colours_of(run))} instead"
    )
    if why.deciding is None:
        return f"No global rule applies, and “otherwise” says {same}."
    rule, number = theory.rules[why.deciding], f"rule **{why.deciding + 1}**"
    if local is not None and rule == local.rule:
        number += ", which is the record’s own,"
    elif len(rule) <= FEW:
        number += f" ({_conditions(run, rule) or 'always'})"
    return f"Of the global rules, {number} decides and says {same}."


def _conditions(run: Run, rule: Rule) -> str:
    wording = wording_of(run)
    said = wording.spoken_premises(rule).said
    return enumeration([bold(wording.condition(*each)) for each in said])


def written_for(run: Run, record: Record) -> LocalRule | None:
    """The rule of a record that was not explained, written when it is asked about.

    None where the model is not here, the rules of the run were made elsewhere, or a value is one
    that the run's table does not have.
    """
    if black_box_of(run) is None or run.settings.rules.file is not None:
        return None
    schema, values = explained_of(run).schema, values_seen(run, record)
    if not all(_is_known(schema[name], value) for name, value in values):
        return None
    return _written(run, values)


def _is_known(feature: Feature, value: object) -> bool:
    if is_missing(value):
        return feature.gaps
    return not feature.is_categorical or value in feature.domain


@kept("data", "rules", "box", most=500)
def _written(run: Run, values: Values) -> LocalRule:
    box, facts = black_box_of(run), explained_of(run)
    assert box is not None  # whoever asks looks first
    split = facts.split
    work = Extraction(
        frame_of(run, values),
        box,
        facts.schema,
        background=split.background,
        settings=run.settings.rules.extraction,
        seed=split.parts.seed,
    )
    (made,) = work.rules([0])
    (judged,) = measured([made.rule], facts.reference)
    return judged
