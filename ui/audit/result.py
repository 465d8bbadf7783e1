"""The audit of a run's chosen rules: made once, kept for whoever asks the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from glocalx.audit import Audit, AuditSettings, FrameSource, run_audit, usual_traits
from glocalx.audit.flip_plans import flip_test, usual_plans
from glocalx.audit.flips import FlipRecords
from glocalx.audit.subgroups import GroupAnswers, Subgroup, SubgroupTable
from glocalx.audit.table_source import RecordPart, table_source
from glocalx.pipeline.settings import SelectionSettings
from glocalx.rules.classifier import RankedTheory
from glocalx.words.phrases import counted, never_used
from glocalx.words.wording import Wording
from glocalx.workspace.run import Run
from ui.opened import black_box_of, explained_of, kept, theory_of, wording_of


@dataclass(frozen=True, slots=True, eq=False)
class Audited:
    """An audit with the records that it was made on, and how its rules read."""

    audit: Audit
    source: FrameSource = field(repr=False)
    wording: Wording = field(repr=False)

    @property
    def theory(self) -> RankedTheory:
        return self.audit.theory

    @property
    def asked(self) -> AuditSettings:
        return self.audit.settings

    def subgroups(self, *, together: bool) -> SubgroupTable:
        """The groups of each column alone, or those of columns together."""
        table = self.audit.subgroups
        chosen = [each for each in table.subgroups if (len(each.columns) > 1) == together]
        return replace(table, subgroups=tuple(chosen))

    def answers(self, group: Subgroup) -> GroupAnswers:
        """What whoever is asked says about a group."""
        return group.answers[self.audit.answers]


@kept("data", "box", most=24)
def source_of(run: Run, part: RecordPart, columns: tuple[str, ...]) -> FrameSource:
    """The records of a part with the columns of the features and these; the model must be done."""
    return read_source(run, part, columns)


def read_source(
    run: Run, part: RecordPart, columns: tuple[str, ...], **besides: Any
) -> FrameSource:
    """The same, and not kept; `besides`: the truth and probabilities, see :func:`table_source`."""
    facts, split = explained_of(run), explained_of(run).split
    said = {"explain": facts.explained_labels, "test": facts.held_out.labels}
    return table_source(
        split.table, split.parts, facts.schema, said, part=part, columns=columns, **besides
    )


def audited_of(run: Run, chosen: SelectionSettings, asked: AuditSettings) -> Audited:
    """The audit; the merge stage must be done. Raises GLocalXError where it cannot be.

    Where the model is at hand, the usual flips are made, and those asked for besides.
    """
    counted_once = _audited(run, chosen, replace(asked, flips=()))
    if black_box_of(run) is None:
        return counted_once
    return _flipped(run, chosen, asked)


@kept("data", "merge", "box", most=48)  # labels and the positive outcome are in no key
def _audited(run: Run, chosen: SelectionSettings, asked: AuditSettings) -> Audited:
    theory = theory_of(run, chosen)
    source = source_of(run, asked.part, asked.by)
    settings = replace(asked, features=usual_traits(theory, asked.by))
    return Audited(run_audit(source, theory, settings), source, wording_of(run))


@kept("data", "merge", "box", most=48)
def _flipped(run: Run, chosen: SelectionSettings, asked: AuditSettings) -> Audited:
    found = _audited(run, chosen, replace(asked, flips=()))
    axes = found.audit.axes
    usual = usual_plans(found.source, axes, asked)
    plans = tuple(dict.fromkeys((*usual, *asked.flips)))
    box = black_box_of(run)
    assert box is not None  # whoever calls looks first
    records = FlipRecords(found.source, asked_frame(run, asked.part), box.labels, box.columns)
    settings = replace(found.asked, flips=plans)
    test = flip_test(records, found.theory, axes, asked.outcome, plans) if plans else None
    return replace(found, audit=replace(found.audit, flips=test, settings=settings))


def asked_frame(run: Run, part: RecordPart) -> pd.DataFrame:
    """The records of a part as the model gets them."""
    facts = explained_of(run)
    frames = [facts.split.test] if part == "held-out" else [facts.split.test, facts.split.explain]
    return pd.concat(frames, ignore_index=True)[list(facts.schema.names)]


def identity(columns: Sequence[str], groups: Sequence[str]) -> str:
    """A group as it stands in the address: `race=Other`."""
    return f"{' × '.join(columns)}={' · '.join(groups)}"


def called(theory: RankedTheory, chosen: SelectionSettings) -> str:
    """Which rules these are, as within a sentence.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> called(SimpleNamespace(size=10), SelectionSettings("budget", 10))
    'the 10 chosen rules'
    """
    if chosen.by == "budget":
        return f"the {theory.size:,} chosen rules" if theory.size > 1 else "the one chosen rule"
    rules = f"the {theory.size:,} rules" if theory.size > 1 else "the one rule"
    if chosen.by == "alpha":
        return f"{rules} that alpha {chosen.value:g} keeps"
    return f"{rules} that the alpha quantile {chosen.value:g} keeps"


def counted_on(run: Run, part: RecordPart) -> str:
    """On which records everything is counted, as a sentence."""
    facts = explained_of(run)
    held_out, explained = facts.held_out.size, len(facts.split.explain)
    if facts.split.parts.nothing_held_out:
        made = never_used(run.settings.unseen, held_out=False)
        return (
            f"Everything here is counted on the {counted(explained, 'record')} from which {made}."
        )
    if part == "held-out":
        unused = never_used(run.settings.unseen)
        return (
            f"Everything here is counted on the {counted(held_out, 'record')} held out, from "
            f"which {unused}."
        )
    return (
        f"Everything here is counted on {held_out + explained:,} records: {held_out:,} held out, "
        f"and {explained:,} on which the rules were made and chosen."
    )
