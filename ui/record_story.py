"""One record in words: how sure the model is, its local rule, the global rule, what would change.

Short sentences, on every page that shows a record. Nothing stands here that the model refutes.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from glocalx.extraction.extract import Extraction
from glocalx.extraction.local_rule import LocalRule
from glocalx.pipeline.extracting import measured
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.rule import Rule, is_missing
from glocalx.rules.schema import Feature
from glocalx.rules.what_if import Record, as_seen, explain_values
from glocalx.words.figures import percent
from glocalx.words.phrases import enumeration
from glocalx.workspace.run import Run
from ui.opened import black_box_of, colours_of, explained_of, kept, wording_of
from ui.text import badge, bold
from ui.theory.asked import Answer, as_frame, plain_values
from ui.whom import whom, whom_first

FEW = 4  # conditions that are read in the middle of a sentence


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
    answer
        What the black box says of the record, and with which probability.
    local
        The record's own rule; None where it has none.
    theory
        The global rules; None where there are none yet.
    above
        Whether the record's own rule stands above in full.
    """
    said = [certainty_told(run, answer)]
    own = local if local is not None and local.rule.outcome == answer[0] else None
    if own is not None:
        said.append(local_told(run, own, above=above))
    if theory is not None:
        said.append(global_told(run, record, answer, theory, own))
    st.markdown(" ".join(said))


def certainty_told(run: Run, answer: Answer) -> str:
    """What the model says, and how sure it is."""
    label, share = answer
    sure = f" and is {percent(share)} sure" if share is not None else ""
    return f"{whom_first(run)} says {_badge(run, label)}{sure}."


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
    same = "the same" if why.outcome == answer[0] else f"{_badge(run, why.outcome)} instead"
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


def _badge(run: Run, outcome: str) -> str:
    return badge(outcome, colours_of(run), wording_of(run).outcome(outcome))


def written_for(run: Run, record: Record) -> LocalRule | None:
    """The rule of a record that was not explained, written when it is asked about.

    None where the model is not here, the rules of the run were made elsewhere, or a value is one
    that the run's table does not have.
    """
    if black_box_of(run) is None or run.settings.rules.file is not None:
        return None
    schema = explained_of(run).schema
    seen = as_seen(record, schema)
    if not all(_is_known(schema[name], value) for name, value in seen.items()):
        return None
    return _written(run, plain_values(seen))


def _is_known(feature: Feature, value: object) -> bool:
    if is_missing(value):
        return feature.gaps
    return not feature.is_categorical or value in feature.domain


@kept("data", "rules", "box", most=500)
def _written(run: Run, values: tuple[tuple[str, Any], ...]) -> LocalRule:
    box, facts = black_box_of(run), explained_of(run)
    assert box is not None  # whoever asks looks first
    split = facts.split
    frame = as_frame([dict(values)], split.test[list(dict(values))])
    work = Extraction(
        frame,
        box,
        facts.schema,
        background=split.background,
        settings=run.settings.rules.extraction,
        seed=split.parts.seed,
    )
    (made,) = work.rules([0])
    (judged,) = measured([made.rule], facts.reference)
    return judged
