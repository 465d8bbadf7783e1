"""What writing local rules and merging them will cost: tried on this machine, told as a range."""

from __future__ import annotations

import os

from glocalx.errors import GLocalXError
from glocalx.extraction.settings import ExtractionSettings
from glocalx.pipeline.extracting import ONE_CORE_RECORDS
from glocalx.pipeline.settings import RuleSettings
from glocalx.words.figures import duration_range
from glocalx.words.phrases import counted
from glocalx.workspace.run import Run
from ui.opened import black_box_of, explained_of, kept, shared_of

GETTING_READY = (1.0, 4.0)  # a process that is ready, and one that has to be started
MERGE_SECONDS = (0.0005, 6e-7)  # for each rule, and for each pair, on a quick and idle machine
SLOWER = 3.0  # a slow or busy machine against that


def rules_cost(run: Run, settings: RuleSettings) -> str:
    """How many rules, and how long as far as one can tell."""
    if settings.file is not None:
        return "The rules that were brought are read again"
    records = min(settings.records, len(shared_of(run).explain))
    rules = counted(records, "rule")
    each = _seconds_per_rule(run, settings.extraction)
    if each is None:
        return f"{rules}; how long they take can be told once the black box is there"
    cores = (os.cpu_count() or 1) if records > ONE_CORE_RECORDS else 1
    ready, slowly = GETTING_READY
    return f"{rules}, {duration_range(ready + records * each / cores, slowly + records * each)}"


def merge_cost(rules: int) -> str:
    """How many different rules, and about how long they take to be merged."""
    each, pair = MERGE_SECONDS
    took = 1 + each * rules + pair * rules**2
    return f"{counted(rules, 'different rule')}, {duration_range(took, SLOWER * took)}"


def _seconds_per_rule(run: Run, extraction: ExtractionSettings) -> float | None:
    """None where there is no black box to try it with."""
    try:
        return None if black_box_of(run) is None else _tried(run, extraction)
    except GLocalXError:  # a model that no longer opens; the work says so
        return None


@kept("data", "model", most=50)
def _tried(run: Run, extraction: ExtractionSettings) -> float:
    from glocalx.extraction.iterate import seconds_per_rule  # brings scikit-learn along

    shared, box = shared_of(run), black_box_of(run)
    assert box is not None  # the caller looked
    schema = explained_of(run).schema
    return seconds_per_rule(
        shared.explain, box, schema, background=shared.background, settings=extraction
    )
