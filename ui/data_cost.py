"""What the next step will cost, from what was measured."""

from __future__ import annotations

import os
import time

import streamlit as st

from glocalx.workspace.run import Run
from ui.opened import black_box_of, shared_of
from ui.text import seconds

USUAL_ROW = {"rf": 14e-6, "gb": 6e-6, "mlp": 3e-6, "svm": 12e-6}  # seconds a row, many at once
OF_ITS_OWN = 0.006  # seconds a record besides asking: neighbours, a tree, the rule
TRAINING = {"rf": 1.5e-4, "gb": 1e-4, "mlp": 4e-4, "svm": 2e-4}  # seconds a record, all folds
GRID = 10.0  # the paper's grid against the quick setting
ASKED = 2_000


def records_to_explain(run: Run) -> int:
    """How many records get a local rule."""
    return min(run.settings.rules.records, len(shared_of(run).explain))


def rules_seconds(run: Run) -> float:
    """About how long local rules will take, the black box included where it is not made yet."""
    settings = run.settings.rules.extraction
    rounds = settings.generations if settings.extractor == "lore" else 1
    asked = settings.neighbours * rounds * _seconds_a_row(run)
    cores = os.cpu_count() or 1
    making = 0.0 if run.done("model") else training_seconds(run)
    return making + records_to_explain(run) * (asked + OF_ITS_OWN) / cores + 1.0


def training_seconds(run: Run) -> float:
    """About how long the black box takes to be made."""
    box = run.settings.box
    if box.source == "model":
        return 2.0
    effort = TRAINING[box.kind] * (GRID if box.preset == "paper" else 1.0)
    return 1.0 + len(shared_of(run).train) * effort


def _seconds_a_row(run: Run) -> float:
    if run.done("model") and run.settings.box.source != "model" and black_box_of(run) is not None:
        return _measured(run.folder, run.settings.key("model"), run)
    return USUAL_ROW[run.settings.box.kind]


@st.cache_resource(max_entries=50, show_spinner=False)
def _measured(folder: object, key: str, _run: Run) -> float:
    box = black_box_of(_run)
    some = shared_of(_run).train[:ASKED]
    assert box is not None  # the caller looked
    begun = time.perf_counter()
    box.labels(some)
    return (time.perf_counter() - begun) / max(len(some), 1)


def cost_text(run: Run) -> str:
    """`About 10 seconds for 1,515 records`."""
    about = seconds(rules_seconds(run))
    made = "" if run.done("model") else ", the black box included"
    return f"{about[0].upper()}{about[1:]} for {records_to_explain(run):,} records{made}"
