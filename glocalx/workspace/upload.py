"""A file that a person brings becomes a run: a table, or a run that was exported."""

from __future__ import annotations

from glocalx.errors import GLocalXError
from glocalx.file_bytes import zip_names
from glocalx.pipeline.settings import DataSettings, RunSettings
from glocalx.pipeline.tables import read_once
from glocalx.words.phrases import shown
from glocalx.workspace.run import Run
from glocalx.workspace.store import Workspace

MOST_MEGABYTES = 200
ABOUT_RUN = "run.json"  # the file in an exported run that says what it is


def run_from_upload(workspace: Workspace, owner: str, name: str, data: bytes) -> Run:
    """A new run with what is in the file; what the file holds decides, not what it is called.

    Raises
    ------
    GLocalXError
        Where the file is neither a table nor an exported run; no run is made.
    """
    if len(data) > MOST_MEGABYTES * 2**20:
        raise GLocalXError(
            f"{shown(name)} has {len(data) / 2**20:,.0f} MB; the limit is {MOST_MEGABYTES} MB. "
            "Bring fewer rows, or save the table as Parquet."
        )
    members = zip_names(data) if data.startswith(b"PK") else frozenset()
    if ABOUT_RUN in members:
        from glocalx.workspace.exchange import import_run

        return import_run(workspace, owner, data)
    if members and "[Content_Types].xml" not in members:
        raise GLocalXError(
            f"{shown(name)} is a zip file, but neither a workbook nor a run that was exported "
            "here. Unpack it and bring the table inside."
        )
    settings = RunSettings(data=DataSettings(file="table", name=name))
    run = workspace.create(owner, run_name(name), settings, {"table": data})
    try:
        read_once(run.folder / "table", name)  # remembered for the page that shows it next
    except GLocalXError:
        workspace.delete(run)
        raise
    return run


def run_name(file: str) -> str:
    """What to call a run at first: the file without its ending.

    Examples
    --------
    >>> run_name("loans 2024.csv"), run_name(".csv"), run_name("\\t")
    ('loans 2024', '.csv', 'Table')
    """
    stem, _, _ = file.rpartition(".")
    called = (stem or file).strip()
    return called if called.isprintable() and called else "Table"
