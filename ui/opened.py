"""Runs opened for the pages: read once, kept for whoever looks at the same run.

Everything here is the same for all who look, and nobody changes it. What is still being made is
read as far as it goes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, Literal, ParamSpec, TypeAlias, TypeVar

import pandas as pd
import streamlit as st

from glocalx.blackbox.base import BlackBox, Labels
from glocalx.errors import GLocalXError
from glocalx.extraction.local_rule import LocalRule
from glocalx.files.journals import HierarchyReader, LocalRulesReader
from glocalx.files.steering import PlainStep, fitting_steering
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.told import ToldSteps
from glocalx.pipeline.settings import SelectionSettings
from glocalx.pipeline.tables import LabelledTable, SplitTable, open_table, split_table
from glocalx.pipeline.theories import (
    chosen_theory,
    labelled_records,
    labelled_reference,
    without_barred,
)
from glocalx.plots.colours import OutcomeColours, Palette, palette
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.idle import without_idle
from glocalx.rules.rule import Rule
from glocalx.selection import (
    candidates_for,
    iter_budget,
    select_alpha_together,
    shortened,
)
from glocalx.steering import restricted, with_hand
from glocalx.table import Table
from glocalx.words.wording import Wording
from glocalx.workspace.labels_file import read_labels
from glocalx.workspace.run import Run

KEPT = 6  # runs that are held in memory at the same time
Part: TypeAlias = Literal["data", "box", "model", "rules", "merge", "resamples"]
P = ParamSpec("P")
T = TypeVar("T")


def kept(
    *parts: Part, most: int = KEPT, spinner: str | bool = False
) -> Callable[[Callable[Concatenate[Run, P], T]], Callable[Concatenate[Run, P], T]]:
    """Keep what a function makes of a run, for whoever asks next; also what it draws.

    Elements that the function puts on the page are recorded, and sent again to the next who asks
    without being made once more. Nothing that can be pressed may be among them.

    Parameters
    ----------
    parts
        What it rests on. `data`: the table and what its columns are called; `box`: the black box
        as it was last made; a stage: all settings up to it. Other arguments are told apart by
        their values, or by what their attribute `known_by` says.
    most
        How many results are kept.
    spinner
        What is said while it is made.
    """

    def keep(make: Callable[Concatenate[Run, P], T]) -> Callable[Concatenate[Run, P], T]:
        def made(identity: object, _run: Run, _args: Any) -> T:
            call: Callable[..., T] = make
            return call(_run, *_args)

        # Streamlit tells functions apart by where they are defined and by their names.
        made.__module__, made.__qualname__ = make.__module__, make.__qualname__
        cached = st.cache_resource(max_entries=most, show_spinner=spinner)(made)

        @wraps(make)
        def found(run: Run, /, *args: P.args, **options: P.kwargs) -> T:
            assert not options  # they would not be told apart
            told_apart = [_identity(each, parts) for each in (run, *args)]
            return cached(told_apart, run, args)

        return found

    return keep


def _identity(given: object, parts: tuple[Part, ...]) -> object:
    if isinstance(given, Run):  # one text: Streamlit takes long over many small values
        return "\n".join([str(given.folder), *(str(_part(given, part)) for part in parts)])
    return getattr(given, "known_by", given)


def _part(run: Run, part: Part) -> str | int:
    if part == "data":
        return repr(run.settings.data)
    return stamp_of(run) if part == "box" else run.settings.key(part)


def stamp_of(run: Run) -> int:
    """When the black box was last made; changes if it is made again."""
    try:
        return run.file("model").stat().st_mtime_ns
    except OSError:
        raise GLocalXError(
            "This run is no longer here: it was deleted, or has to be made again. "
            "Open another one on the Runs page."
        ) from None


def shades() -> Palette:
    """The colours for figures in the theme that the person sees."""
    return palette(st.context.theme.type)


@kept("data", spinner="Reading the table …")
def table_of(run: Run) -> Table:
    """The table of a run, whole; raises GLocalXError where it cannot be read."""
    return open_table(run.settings.data, run.folder)


@kept("data")
def shared_of(run: Run) -> SplitTable:
    """The table with its records shared out."""
    return split_table(table_of(run), run.settings.data)


def explained_of(run: Run) -> LabelledTable:
    """The records with the answers of the black box; the model stage must be done.

    Its reference is what the run merges and chooses on.
    """
    return _explained(run, run.settings.merge.reference == "labelled")


@kept("data", "model", "box")
def _explained(run: Run, wide: bool) -> LabelledTable:
    facts = read_labels(run, shared_of(run))
    return replace(facts, reference=labelled_reference(facts)) if wide else facts


def known_records_of(run: Run, wide: bool) -> tuple[pd.DataFrame, Labels]:
    """The explained records and their labels; `wide`: first among all that are labelled."""
    facts = explained_of(run)
    return labelled_records(facts) if wide else (facts.split.explain, facts.explained_labels)


@kept("data", "model", "box")
def wording_of(run: Run) -> Wording:
    """How the rules of a run are put into words."""
    facts = explained_of(run)
    table = facts.split.table
    everyone = Records(facts.schema, table.frame)  # a rounded threshold must be right for all
    return Wording(facts.schema, everyone, always=table.sensitive)


def colours_of(run: Run) -> OutcomeColours:
    """The outcomes' colours in the theme that the person sees."""
    facts = explained_of(run)
    schema = facts.schema
    return OutcomeColours.of(schema.outcomes, facts.positive, shades(), schema.outcome_labels)


def local_rules_of(run: Run) -> list[LocalRule]:
    """The local rules as far as they are made."""
    if not run.begun("rules"):
        return []
    reader, lock = _rules_reader(run)
    with lock:
        return list(reader.refresh())


def hierarchy_of(run: Run) -> Hierarchy | None:
    """The hierarchy as far as it is made; None where merging has not begun.

    While merging goes on, the hierarchy grows: look at `len(hierarchy.steps)` once and use that.
    """
    if not run.done("rules") or not run.begun("merge"):
        return None
    reader, lock = _hierarchy_reader(run)
    with lock:
        return reader.refresh()


def told_of(run: Run, hierarchy: Hierarchy) -> ToldSteps:
    """The steps of a run's hierarchy as people count them, as far as it is made."""
    return _told(run, len(hierarchy.steps)) if hierarchy.steps else ToldSteps.of(hierarchy)


@kept("merge", most=4 * KEPT)
def _told(run: Run, merges: int) -> ToldSteps:
    return ToldSteps.of(merged_of(run))


def merged_of(run: Run) -> Hierarchy:
    """The hierarchy as far as it is made; the merge stage must have begun."""
    hierarchy = hierarchy_of(run)
    assert hierarchy is not None  # the stage has begun
    return hierarchy


@kept("rules")
def _rules_reader(run: Run) -> tuple[LocalRulesReader, threading.Lock]:
    """Several sessions share it: one reads at a time."""
    return LocalRulesReader(run.file("rules"), explained_of(run).schema), threading.Lock()


@kept("merge")
def _hierarchy_reader(run: Run) -> tuple[HierarchyReader, threading.Lock]:
    facts, barred = explained_of(run), run.settings.selection.barred_from_start
    starts = distinct_rules_of(run)
    if barred:
        starts = Hierarchy.start(without_barred(starts, barred), facts.reference).local_rules
    return HierarchyReader(run.file("merge"), facts.schema, starts), threading.Lock()


@kept("rules")
def distinct_rules_of(run: Run) -> tuple[Rule, ...]:
    """The different local rules; the rules stage must be done."""
    rules = [local.rule for local in local_rules_of(run)]
    return Hierarchy.start(rules, explained_of(run).reference).local_rules


def budget_path_of(run: Run, chosen: SelectionSettings) -> tuple[Rule, ...]:
    """The rules that a budget chooses, one after the other; the merge stage must be done."""
    return _budget_path(run, chosen.restrictions, chosen.price, chosen.steady)


@kept("merge", most=4 * KEPT)
def _budget_path(
    run: Run, restrictions: tuple[PlainStep, ...], price: float | None, steady: bool
) -> tuple[Rule, ...]:
    reference = explained_of(run).reference
    steering = fitting_steering(restrictions, reference.records.schema)
    free = restricted(merged_of(run), steering)
    candidates = candidates_for(free, reference, steady=steady)
    return tuple(iter_budget(candidates, reference, price or 0.0))


@kept("merge", most=KEPT)
def alpha_places_of(run: Run, restrictions: tuple[PlainStep, ...], most: int) -> int:
    """How many rules alpha would take together before it leaves any out, of so many places."""
    reference = explained_of(run).reference
    steering = fitting_steering(restrictions, reference.records.schema)
    every = without_idle(restricted(merged_of(run), steering).every_rule(), reference)
    return select_alpha_together(every, reference, most).size


@kept("merge")
def merged_rules_of(run: Run) -> tuple[Rule, ...]:
    """The rules that merging left; the merge stage must be done."""
    return merged_of(run).rules().rules


def theory_of(run: Run, selection: SelectionSettings | None = None) -> RankedTheory:
    """The final theory, as the run's own choice has it or another one; the merge stage must be
    done.
    """
    return _theory(run, selection or run.settings.selection)


@kept("merge", most=40 * KEPT)
def _theory(run: Run, selection: SelectionSettings) -> RankedTheory:
    reference = explained_of(run).reference
    if selection.by == "budget":
        steering = fitting_steering(selection.steering, reference.records.schema)
        chosen: Iterable[Rule] = budget_path_of(run, selection)[: int(selection.value)]
        price, most = selection.price, selection.conditions
        if price is not None or most is not None:
            chosen = shortened(chosen, reference, price=price or 0.0, conditions=most)
        return with_hand(chosen, steering, reference)
    return chosen_theory(merged_of(run), reference, selection)


def black_box_of(run: Run) -> BlackBox | None:
    """The black box to be asked; None where it is not in this workspace yet."""
    return _black_box(run) if run.done("model") and run.has_black_box else None


@kept("model", "box")
def _black_box(run: Run) -> BlackBox:
    from glocalx.workspace.trained_model import open_black_box  # brings scikit-learn along

    return open_black_box(run, explained_of(run))
