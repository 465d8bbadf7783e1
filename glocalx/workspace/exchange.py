"""A run as one file: written to be handed on, read with care.

The file holds the settings, the table and model that the person brought, and what was made. It
does not hold a model that was trained here: whoever opens the run trains the same one again.
"""

from __future__ import annotations

import io
import json
import platform
import zipfile
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.file_bytes import opened_zip
from glocalx.pipeline.settings import RunSettings
from glocalx.workspace.run import FILES, Run
from glocalx.workspace.store import FIGURES, Workspace

KIND = "glocalx/run"
VERSION = 1
ABOUT = "run.json"
MOST_BYTES = 600 * 2**20
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
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(ABOUT, json.dumps(about, ensure_ascii=False, indent=1))
        for name in sorted(_members(run.settings)):
            if (run.folder / name).is_file():
                archive.write(run.folder / name, name)
    return packed.getvalue()


def import_run(workspace: Workspace, owner: str, data: bytes) -> Run:
    """A run that was exported, here or elsewhere, as a new run of this owner.

    What somebody else consented to is not taken over: the run can be read, and its model is asked
    once this owner has consented too.
    """
    about, files = _unpacked(data)
    settings = RunSettings.from_dict(about.get("settings", {}))
    settings = replace(settings, box=replace(settings.box, trusted=()))
    allowed = _members(settings)
    brought = [settings.data.file, settings.box.file, settings.rules.file]
    for name in (name for name in brought if name is not None):
        if name not in files:
            raise GLocalXError(f"The run lacks its file “{name}”. Export it again.")
    run = workspace.create(
        owner,
        str(about.get("name") or "Imported run"),
        settings,
        {name: content for name, content in files.items() if name in allowed},
    )
    return workspace.save(run, figures=_figures(about.get("figures"), run))


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


def _members(settings: RunSettings) -> set[str]:
    """The files that a run with these settings can have."""
    brought = (settings.data.file, settings.box.file, settings.rules.file)
    names = {name for name in brought if name is not None}
    if not names <= {"table", "model", "rules"}:
        raise GLocalXError("This run names files that no run has. Export it again.")
    return {*FILES.values(), *names}


def _unpacked(data: bytes) -> tuple[dict[str, Any], dict[str, bytes]]:
    broken = "This is not a run that GLocalX exported, or it is cut off. Export it again."
    with opened_zip(data, broken) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > MOST_BYTES:
            raise GLocalXError("This file unpacks to more than 600 MB. Bring a smaller run.")
        files = {member.filename: archive.read(member) for member in members}
        about = json.loads(files.pop(ABOUT))
        json.dumps(about, ensure_ascii=False).encode()  # half a character cannot be saved
    if not isinstance(about, dict) or about.get("format") != KIND:
        raise GLocalXError("This is not a run that GLocalX exported. Export it again.")
    if about.get("version") != VERSION:
        raise GLocalXError(
            f"This run is of version {about.get('version')} and this program reads version "
            f"{VERSION}. Export it again with this program."
        )
    return about, files
