"""Samples that open at once: runs that were made ahead with the default settings.

They lie beside the sample tables as exported runs; `python -m glocalx.workspace.sample_runs` makes
them again. One that was made with other settings than today's defaults does not count.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from glocalx.pipeline.settings import DataSettings, RunSettings
from glocalx.table.samples import SAMPLE_FOLDER, sample_info, sample_names
from glocalx.workspace.exchange import export_run, import_run
from glocalx.workspace.run import Run
from glocalx.workspace.store import Workspace

FOLDER = SAMPLE_FOLDER / "runs"


def sample_settings(name: str) -> RunSettings:
    """The default settings for a sample."""
    return RunSettings(data=DataSettings(sample=name, name=sample_info(name).title))


def sample_run_file(name: str) -> Path:
    """Where the run of a sample lies."""
    return FOLDER / f"{name}.zip"


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


@cache
def _made_ahead(name: str) -> bytes | None:
    try:
        return sample_run_file(name).read_bytes()
    except OSError:
        return None


def make_sample_run(name: str) -> None:
    """Make the run of a sample and put it beside the table."""
    from glocalx.workspace.opened_run import OpenedRun  # brings scikit-learn along

    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder))
        run = workspace.create("", sample_info(name).title, sample_settings(name))
        opened = OpenedRun(run, jobs=-1)
        for _ in opened.iter_to("merge"):
            pass
        run = workspace.save(run, figures=opened.figures())
        FOLDER.mkdir(exist_ok=True)
        sample_run_file(name).write_bytes(export_run(run))


def main(names: Sequence[str]) -> None:
    for name in names or sample_names():
        make_sample_run(name)


if __name__ == "__main__":
    main(sys.argv[1:])
