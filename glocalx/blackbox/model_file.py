"""A model file becomes a black box, by what is in the file and not by what it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, Unpack, get_args

import numpy as np
import pandas as pd

from glocalx.blackbox.base import BlackBox, Labels, Probabilities, checked_outcomes
from glocalx.blackbox.columns import SaidColumns
from glocalx.blackbox.onnx_model import open_onnx
from glocalx.blackbox.python_object import open_pickle
from glocalx.blackbox.skops_model import open_skops
from glocalx.confined.handed_file import HandedFile, read_confined
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Schema
from glocalx.words.phrases import listing

Format: TypeAlias = Literal["onnx", "skops", "pickle"]
_FORMATS: tuple[Format, ...] = get_args(Format)


def recognise(name: str, data: bytes) -> Format:
    """Which kind of model file this is, by its content; nothing in it is run.

    Raises
    ------
    GLocalXError
        Where it is none that can be opened.
    """
    file = HandedFile(name, "glocalx.blackbox.recognition:load_kind", data, {"name": name})
    found = read_confined(file).header["about"].get("kind")
    for kind in _FORMATS:
        if kind == found:
            return kind
    raise GLocalXError(f"The file “{name}” is not a model file that can be opened.")


def open_model(
    name: str,
    data: bytes,
    schema: Schema,
    *,
    trusted: Sequence[str] = (),
    outcomes: Mapping[str, str] | None = None,
    sample: pd.DataFrame | None = None,
    **said: Unpack[SaidColumns],
) -> BlackBox:
    """Open a model file as a black box.

    Parameters
    ----------
    name, data
        The file as it was called, and its bytes.
    schema
        The table. The columns that the model expects are matched with it.
    trusted
        For a skops file: the types that a person has consented to; see
        :func:`glocalx.blackbox.skops_model.inspect_skops`.
    outcomes
        For each answer of the model the outcome it stands for, such as `{"0": "no", "1": "yes"}`.
    sample
        Clean records to ask for labels where the file does not tell its classes.
    said
        About its columns; see :class:`SaidColumns`.
    """
    if sample is not None:  # whether it takes gaps is asked later
        whole = sample.dropna()
        sample = whole.reset_index(drop=True) if len(whole) else sample
    box: BlackBox
    match recognise(name, data):
        case "onnx":
            box = open_onnx(data, schema, name=name, sample=sample, **said)
        case "skops":
            box = open_skops(data, schema, trusted, name=name, **said)
        case "pickle":
            box = open_pickle(data, schema, name=name, sample=sample, **said)
    return box if outcomes is None else RenamedOutcomes(box, outcomes)


class RenamedOutcomes:
    """Gives the answers of another black box under other names.

    Many models answer 0 and 1 where the table says “no” and “yes”; only a person knows which
    is which.

    `names`: for each of its outcomes the new name.
    """

    def __init__(self, box: BlackBox, names: Mapping[str, str]) -> None:
        self.box = box
        self.name = box.name
        self.columns = box.columns
        self.notes: tuple[str, ...] = getattr(box, "notes", ())
        strange = [old for old in names if old not in box.outcomes]
        silent = [old for old in box.outcomes if old not in names]
        if strange or silent:
            raise GLocalXError(
                f"The model “{box.name}” answers {listing(box.outcomes)}, and names were given "
                f"for {listing(names)}. Give one name for each answer."
            )
        self._names = dict(names)
        self.outcomes = checked_outcomes(names.values(), box.name)
        if len(self.outcomes) != len(names):
            raise GLocalXError("Two outcomes were given the same name. Use different names.")

    def labels(self, frame: pd.DataFrame) -> Labels:
        old = np.array(self.box.outcomes, dtype=str)
        new = np.array([self._names[name] for name in self.box.outcomes], dtype=object)
        return new[np.searchsorted(old, self.box.labels(frame).astype(str))]

    def probabilities(self, frame: pd.DataFrame) -> Probabilities | None:
        values = self.box.probabilities(frame)
        if values is None:
            return None
        renamed = [self._names[old] for old in self.box.outcomes]
        return values[:, [renamed.index(name) for name in self.outcomes]]
