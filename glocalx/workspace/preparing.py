"""Make the runs of the samples ahead: `python -m glocalx.workspace.preparing [SAMPLE ...]`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from glocalx.table.samples import sample_info, sample_names
from glocalx.workspace.exchange import export_run
from glocalx.workspace.opening import OpenedRun
from glocalx.workspace.prepared import FOLDER, prepared_file, sample_settings
from glocalx.workspace.stages import figures, iter_run
from glocalx.workspace.store import Workspace


def prepare(name: str, jobs: int = -1) -> None:
    """Make the run of a sample and put it beside the table."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder))
        run = workspace.create("", sample_info(name).title, sample_settings(name))
        opened = OpenedRun(run)
        for _ in iter_run(run, "merge", jobs, lambda: False, opened):
            pass
        run = workspace.save(run, figures=figures(opened))
        FOLDER.mkdir(exist_ok=True)
        prepared_file(name).write_bytes(export_run(run))


def main(names: Sequence[str]) -> None:
    for name in names or sample_names():
        prepare(name)


if __name__ == "__main__":
    main(sys.argv[1:])
