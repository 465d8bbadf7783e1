"""The audit of a run's chosen rules: made once, kept for whoever asks the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from glocalx.audit import Audit, Tally, run_audit
from glocalx.audit.intervals import Estimate, share
from glocalx.audit.subgroups import GroupAnswers, Subgroup, SubgroupTable
from glocalx.pipeline.settings import SelectionSettings
from glocalx.rules.classifier import RankedTheory
from glocalx.words.phrases import counted, never_used
from glocalx.workspace.run import Run
from ui.audit.choice import Asked
from ui.audit.records import Counted, counted_of
from ui.opened import explained_of, theory_of

MORE_TRAITS = 2


@dataclass(frozen=True, slots=True, eq=False)
class Audited:
    """An audit with all that the page draws it from."""

    asked: Asked
    audit: Audit
    tally: Tally = field(repr=False)
    counted: Counted = field(repr=False)

    @property
    def theory(self) -> RankedTheory:
        return self.audit.theory

    @property
    def titles(self) -> dict[str, str]:
        """How people call the columns."""
        return {axis.name: axis.title for axis in self.audit.axes}

    def title(self, columns: tuple[str, ...]) -> str:
        return " × ".join(self.titles[column] for column in columns)

    @property
    def single(self) -> SubgroupTable:
        """The groups of each column alone."""
        return self._only(lambda group: len(group.columns) == 1)

    @property
    def combined(self) -> SubgroupTable:
        """The groups of all columns together."""
        return self._only(lambda group: len(group.columns) > 1)

    def _only(self, wanted: Any) -> SubgroupTable:
        table = self.audit.subgroups
        return replace(table, subgroups=tuple(filter(wanted, table.subgroups)))

    def answers(self, group: Subgroup) -> GroupAnswers | None:
        """What whoever is asked says about a group; None where nothing is known."""
        return group.answers.get(self.asked.answerer)

    @property
    def everyone(self) -> Estimate:
        """Share of all records that get the outcome, where an answer is known."""
        hits, known = self.selected_of_everyone
        return share(hits, known)

    @property
    def selected_of_everyone(self) -> tuple[int, int]:
        """How many get the outcome, of how many with an answer."""
        tally = self.tally
        given = {
            "theory": tally.outcomes_of(tally.deciding(), self.theory.default),
            "black box": tally.black_box,
            "truth": tally.truth,
        }[self.asked.answerer]
        wanted = tally.outcomes.index(self.asked.outcome)
        return tally.records(given == wanted), tally.records(given >= 0)


def audited_of(run: Run, chosen: SelectionSettings, asked: Asked) -> Audited:
    """The audit; the merge stage must be done. Raises GLocalXError where it cannot be."""
    data = repr(run.settings.data)  # labels and the positive outcome are in no key
    return _audited(run.folder, data, run.settings.key("merge"), chosen, asked, run)


@st.cache_resource(max_entries=48, show_spinner=False)
def _audited(
    folder: object, data: str, key: str, chosen: SelectionSettings, asked: Asked, _run: Run
) -> Audited:
    theory = theory_of(_run, chosen)
    records = counted_of(_run, asked.part, asked.columns)
    settings = asked.settings(traits_of(theory, asked.columns))
    audit = run_audit(records.source, theory, settings)
    audit = replace(audit, notes=(*records.notes, *audit.notes))
    return Audited(asked, audit, records.source.tally(theory.rules, audit.axes), records)


def traits_of(theory: RankedTheory, columns: tuple[str, ...]) -> tuple[str, ...]:
    """The columns, and those features besides that most rules name."""
    named = Counter(name for rule in theory.rules for name in rule.features if name not in columns)
    return (*columns, *(name for name, _ in named.most_common(MORE_TRAITS)))


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


def counted_on(run: Run, asked: Asked) -> str:
    """On which records everything is counted, as a sentence."""
    facts = explained_of(run)
    held_out, explained = facts.held_out.size, facts.reference.size
    if asked.part == "held-out":
        unused = never_used(run.settings.box.is_trained_here)
        return (
            f"Everything here is counted on the {counted(held_out, 'record')} held out, from "
            f"which {unused}."
        )
    return (
        f"Everything here is counted on {held_out + explained:,} records: {held_out:,} held out, "
        f"and {explained:,} on which the rules were made and chosen."
    )
