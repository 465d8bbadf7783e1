"""A run as one file: written to be handed on, read with care; and runs of what people bring.

The file holds the settings, the table and model that the person brought, and what was made. It
does not hold a model that was trained here: whoever opens the run trains the same one again.
"""

from __future__ import annotations

import io
import json
import platform
import zipfile
from collections.abc import Iterable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import DataSettings, RunSettings, settings_for
from glocalx.pipeline.tables import read_once
from glocalx.words.phrases import shown
from glocalx.workspace.run import FILES, PROGRESS, TRAINED, Run, brought_files
from glocalx.workspace.run_file import ABOUT, KIND, VERSION, parts_of_zip, unpack_run
from glocalx.workspace.store import FIGURES, UnreadableRun, Workspace

MOST_MEGABYTES = 200  # of a file that a person brings
PACKAGES = ("glocalx", "numpy", "pandas", "scikit-learn", "scipy", "streamlit")


def versions() -> dict[str, str]:
    """The versions that a run was made with."""
    return {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}


def export_run(run: Run) -> bytes:
    """The run as a zip file."""
    about = {
        "format": KIND,
        "version": VERSION,
        "name": run.name,
        "created": run.created,
        "settings": run.settings.to_dict(),
        "figures": run.figures,
        "versions": versions(),
    }
    files = (run.folder / name for name in (*brought_files(run.settings), *FILES.values()))
    return _zipped(ABOUT, json.dumps(about, ensure_ascii=False, indent=1), files)


def export_unreadable(run: UnreadableRun) -> bytes:
    """All files of a run that cannot be read, as they are, for a program that can."""
    files = (file for file in run.folder.glob("*") if file.name not in (PROGRESS, TRAINED))
    return _zipped("settings.json", run.settings, files)


def _zipped(first: str, text: str, files: Iterable[Path]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(first, text)
        for file in sorted(files):
            if file.is_file():
                archive.write(file, file.name)
    return packed.getvalue()


def import_run(workspace: Workspace, owner: str, data: bytes, *, models: bool = True) -> Run:
    """A run that was exported, here or elsewhere, as a new run of this owner.

    `models`: whether this owner may bring a model, which such a run can hold.

    What somebody else consented to is not taken over: the run can be read, and its model is asked
    once this owner has consented too.
    """
    about, files = unpack_run(data)
    settings = RunSettings.from_dict(about.get("settings", {}))
    settings = replace(settings, box=replace(settings.box, trusted=()))
    if settings.box.source == "model" and not models:
        raise GLocalXError(
            "This run brings a model along, and you may bring none to this server. Open it where "
            "it was made."
        )
    known = (*brought_files(settings), *FILES.values())
    run = workspace.create(
        owner,
        str(about.get("name") or "Imported run"),
        settings,
        {name: content for name, content in files.items() if name in known},
    )
    try:
        return workspace.save(run, figures=_figures(about.get("figures"), run))
    except BaseException:
        workspace.delete(run)
        raise


def run_from_upload(
    workspace: Workspace, owner: str, name: str, data: bytes, *, models: bool = True
) -> Run:
    """A new run with what is in the file; what the file holds decides, not what it is called.

    `models`: see :func:`import_run`.

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
    members = parts_of_zip(data) if data.startswith(b"PK") else frozenset()
    if ABOUT in members:
        return import_run(workspace, owner, data, models=models)
    if members and "[Content_Types].xml" not in members:
        raise GLocalXError(
            f"{shown(name)} is a zip file, but neither a workbook nor a run that was exported "
            "here. Unpack it and bring the table inside."
        )
    settings = settings_for(DataSettings(file="table", name=name, gaps="keep"))
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


def _figures(given: object, run: Run) -> dict[str, Any]:
    """The figures that a run with these results can have."""
    known = given if isinstance(given, dict) else {}
    return {
        name: known[name]
        for name, stage in FIGURES.items()
        if name in known and _can_be(name, known[name]) and run.done(stage)
    }


def _can_be(name: str, value: Any) -> bool:
    if name == "black_box":
        return isinstance(value, str) and value.isprintable()
    if name == "fidelity":
        return type(value) in (int, float) and 0 <= value <= 1
    return type(value) is int and value >= 0
