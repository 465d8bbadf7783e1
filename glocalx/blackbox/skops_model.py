"""skops files: estimators of scikit-learn and its kin, without pickles.

The types in a file are shown, a person consents to them, and only those on a fixed list can be
consented to. The file is read in a child process with limits, since a forged tree can crash
whoever asks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy.typing as npt
import pandas as pd

from glocalx.blackbox.base import AskedBlackBox, checked_outcomes
from glocalx.blackbox.columns import OpenColumnsError, SaidColumns
from glocalx.blackbox.skops_check import CONSENTABLE
from glocalx.confined.handed_file import ConfinedError, ConfinedFile, HandedFile, read_confined
from glocalx.confined.wire import Texts, plain_array
from glocalx.errors import GLocalXError
from glocalx.rules.codes import Coded
from glocalx.rules.schema import Schema
from glocalx.words.phrases import listing

_LOADERS = "glocalx.blackbox.skops_loader"


def inspect_skops(data: bytes, name: str = "model.skops") -> list[str]:
    """The types in the file that need consent, sorted; nothing of the file is run.

    Raises
    ------
    GLocalXError
        Where the file is not a whole skops file, is built to fill the memory, or holds a type
        that nobody can consent to.
    """
    told = read_confined(HandedFile(name, f"{_LOADERS}:list_types", data, {"name": name}))
    return [str(found) for found in told.header["about"]["types"]]


def open_skops(
    data: bytes,
    schema: Schema,
    trusted: Sequence[str],
    *,
    name: str = "model.skops",
    **said: Unpack[SaidColumns],
) -> SkopsBlackBox:
    """Open a skops file with the types that a person has consented to.

    Parameters
    ----------
    trusted
        The types that were consented to, out of :func:`inspect_skops`.
    said
        About its columns; see :class:`SaidColumns`.
    """
    columns, renamed = said.get("columns"), said.get("renamed")
    barred = sorted(set(trusted) - CONSENTABLE)
    if barred:
        raise GLocalXError(
            f"Nobody can consent to {listing(barred)}: only types on a fixed list can be trusted."
        )
    options = {
        "trusted": sorted(trusted),
        "schema": schema.to_dict(),
        "columns": None if columns is None else list(columns),
        "renamed": dict(renamed or {}),
        "name": name,
    }
    return SkopsBlackBox(ConfinedFile(HandedFile(name, f"{_LOADERS}:load_skops", data, options)))


class SkopsBlackBox(AskedBlackBox):
    """An estimator in a child process."""

    def __init__(self, worker: ConfinedFile) -> None:
        try:
            about = worker.start()
        except ConfinedError as error:
            asked = error.carried
            raise OpenColumnsError(str(error), **asked) if asked else error from None
        self._worker = worker
        self.name = worker.file.name
        self.outcomes = checked_outcomes(map(str, about["outcomes"]), self.name)
        self.columns = tuple(map(str, about["columns"]))
        self.notes = tuple(map(str, about["notes"]))
        self._has_probabilities = bool(about["probabilities"])

    def _ask_labels(self, frame: pd.DataFrame) -> npt.NDArray[Any]:
        return self._ask("labels", frame)

    def _ask_probabilities(self, frame: pd.DataFrame) -> npt.NDArray[Any]:
        return self._ask("probabilities", frame)

    def _ask(self, what: str, frame: pd.DataFrame) -> npt.NDArray[Any]:
        sent = {name: _sent(frame[name]) for name in self.columns}
        return plain_array(self._worker.ask(what, sent)[what])

    def close(self) -> None:
        """End the child process; the next question starts it again."""
        self._worker.close()


def _sent(column: pd.Series[Any]) -> npt.NDArray[Any] | Texts:
    """A column as it goes to a child process: numbers as they are, texts as codes."""
    if pd.api.types.is_numeric_dtype(column):
        return column.to_numpy()
    coded = Coded.of(column)
    return Texts(coded.codes, coded.texts)
