"""What writing local rules and merging them will cost: tried on this machine, told as a range."""

from __future__ import annotations

import os
import time

import streamlit as st

from glocalx.errors import GLocalXError
from glocalx.extraction.settings import ExtractionSettings
from glocalx.pipeline.extracting import ONE_CORE_RECORDS
from glocalx.pipeline.settings import RuleSettings
from glocalx.words.figures import duration_range
from glocalx.words.phrases import counted
from glocalx.workspace.run import Run
from ui.opened import black_box_of, explained_of, shared_of

TRIAL_SECONDS = 0.3
TRIED, AT_ONCE = 60, 5  # records of the trial at most, and in one call of the black box
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
        if black_box_of(run) is None:
            return None
        return _tried(
            run.folder, repr(run.settings.data), run.settings.key("model"), extraction, run
        )
    except GLocalXError:  # a model that no longer opens; the work says so
        return None


@st.cache_resource(max_entries=50, show_spinner=False)
def _tried(folder: object, data: str, key: str, extraction: ExtractionSettings, _run: Run) -> float:
    """Seconds a rule, from writing a few in this process."""
    from glocalx.extraction.extract import Extraction  # brings scikit-learn along

    shared, box = shared_of(_run), black_box_of(_run)
    assert box is not None  # the caller looked
    some = shared.explain[:TRIED]
    background = shared.train[: extraction.evidence]
    schema = explained_of(_run).schema
    work = Extraction(some, box, schema, background=background, settings=extraction)
    work.rules([0])  # what is made once is not counted
    done, begun = 0, time.perf_counter()
    while done < len(some) and time.perf_counter() - begun < TRIAL_SECONDS:
        done += len(work.rules(range(done, min(done + AT_ONCE, len(some)))))
    return (time.perf_counter() - begun) / done
