"""Samples that open at once: runs that were made ahead with the default settings.

They lie beside the sample tables as exported runs, where `sample_data/make_runs.py` puts them. One
that was made with other settings than today's defaults does not count.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from glocalx.pipeline.settings import BoxSettings, DataSettings, RunSettings, settings_for
from glocalx.table.samples import SAMPLE_FOLDER, sample_info
from glocalx.workspace.exchange import import_run
from glocalx.workspace.run import Run
from glocalx.workspace.store import Workspace

LOANS = "Loans by hand"


def sample_settings(name: str) -> RunSettings:
    """The default settings for a sample."""
    return settings_for(DataSettings(sample=name, name=sample_info(name).title, gaps="keep"))


def sample_run_file(name: str) -> Path:
    """Where the run of a sample lies, if it was made ahead."""
    return SAMPLE_FOLDER / "runs" / f"{name}.zip"


def open_sample(workspace: Workspace, owner: str, name: str) -> Run:
    """A new run on a sample, finished where it was made ahead."""
    settings = sample_settings(name)
    data = _made_ahead(name)
    if data is not None:
        run = import_run(workspace, owner, data)
        if run.settings == settings and not run.missing("merge"):
            return run
        workspace.delete(run)
    return workspace.create(owner, sample_info(name).title, settings)


def open_loans(workspace: Workspace, owner: str) -> Run:
    """Twenty loans made by hand for a lesson, or the owner's run on them if there is one.

    Their labels are in the file, every row is explained, and two of the merges are cuts that
    narrow a rule.
    """
    data = DataSettings(file="table", name=LOANS, roles={"decision": "target"}, gaps="keep")
    settings = settings_for(data).with_box(BoxSettings(source="labels"))
    there = (run for run in workspace.runs(owner) if _without_content(run.settings) == settings)
    table = (SAMPLE_FOLDER / "loans.csv").read_bytes()
    return next(there, None) or workspace.create(owner, LOANS, settings, {"table": table})


def _without_content(settings: RunSettings) -> RunSettings:
    """As they were before the workspace noted which bytes the file has."""
    return replace(settings, data=replace(settings.data, content=""))


@cache
def _made_ahead(name: str) -> bytes | None:
    try:
        return sample_run_file(name).read_bytes()
    except OSError:
        return None
