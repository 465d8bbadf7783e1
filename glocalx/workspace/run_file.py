"""An exported run as a file: unpacked and looked through in a child process."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from glocalx.confined.child import Loaded
from glocalx.confined.handed_file import HandedFile, Limits, read_confined
from glocalx.errors import GLocalXError
from glocalx.file_bytes import opened_zip, zip_names
from glocalx.pipeline.settings import RunSettings
from glocalx.workspace.brought_results import checked_results
from glocalx.workspace.run import brought_files

KIND = "glocalx/run"
VERSION = 1
ABOUT = "run.json"
MOST_BYTES = 600 * 2**20
MOST_PARTS = 20
_MODULE = __name__
_BROKEN = "This is not a run that GLocalX exported, or it is cut off. Export it again."


def unpack_run(data: bytes) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What is said of a run, and its files; read in a child process."""
    limits = Limits(memory_mb=4 * (MOST_BYTES >> 20))
    told = read_confined(HandedFile("run", f"{_MODULE}:load_run", data, {}, limits, "run"))
    about = told.header["about"].get("run")
    files = {name: part for name, part in told.arrays.items() if isinstance(part, np.ndarray)}
    if not isinstance(about, dict):
        raise GLocalXError(_BROKEN)
    return about, {name: part.tobytes() for name, part in files.items()}


def parts_of_zip(data: bytes) -> frozenset[str]:
    """The names of what is in a zip file, as a child process tells them."""
    told = read_confined(HandedFile("zip", f"{_MODULE}:load_names", data, {}, kind="file"))
    return frozenset(map(str, told.header["about"]["names"]))


def load_names(content: bytes, options: dict[str, Any]) -> Loaded:
    """In the child: what is in a zip file."""
    return Loaded({"names": sorted(zip_names(content))[:10_000]})


def load_run(content: bytes, options: dict[str, Any]) -> Loaded:
    """In the child: the run, the files that its settings name, and its results, read through."""
    with opened_zip(content, _BROKEN) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > MOST_BYTES:
            raise GLocalXError("This file unpacks to more than 600 MB. Bring a smaller run.")
        if len(members) > MOST_PARTS:
            raise GLocalXError(_BROKEN)
        files = {member.filename: archive.read(member) for member in members}
        try:
            about = json.loads(files.pop(ABOUT))
            json.dumps(about, ensure_ascii=False).encode()  # half a character cannot be saved
        except RecursionError:
            raise GLocalXError(_BROKEN) from None
    if not isinstance(about, dict) or about.get("format") != KIND:
        raise GLocalXError("This is not a run that GLocalX exported. Export it again.")
    if about.get("version") != VERSION:
        raise GLocalXError(
            f"This run is of version {about.get('version')} and this program reads version "
            f"{VERSION}. Export it again with this program."
        )
    settings = RunSettings.from_dict(about.get("settings", {}))
    for name in brought_files(settings):
        if name not in files:
            raise GLocalXError(f"The run lacks its file “{name}”. Export it again.")
    brought = {name: files[name] for name in brought_files(settings)}
    kept = brought | checked_results(settings.with_contents(brought), files)
    arrays = {name: np.frombuffer(part, dtype=np.uint8) for name, part in kept.items()}
    return Loaded({"run": about}, arrays)
