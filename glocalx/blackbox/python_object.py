"""Any Python object with `predict` as a black box.

It may come from a pickle, but only where the person who runs the program has switched them on.
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import joblib
import numpy as np
import pandas as pd

from glocalx.blackbox.base import (
    AskedBlackBox,
    answered_numbers,
    checked_outcomes,
    label_texts,
    require_columns,
)
from glocalx.blackbox.columns import (
    Expected,
    SaidColumns,
    match_columns,
    matched_notes,
    matrix_columns,
)
from glocalx.errors import GLocalXError
from glocalx.rules.bands import Bands
from glocalx.rules.schema import Schema

SWITCH = "GLOCALX_ALLOW_PICKLE"
PICKLE_WARNING = (
    "A pickle is a program: opening it runs whatever its maker put inside, with all rights that "
    "you have on this machine. Open only pickles that you made yourself."
)


class PythonBlackBox(AskedBlackBox):
    """An object with `predict`, and perhaps `predict_proba`.

    An object that names its columns (`feature_names_in_`) gets a frame of these; one that only
    counts them (`n_features_in_`) gets a matrix of numbers; any other gets the frame as it is.

    Parameters
    ----------
    schema
        The table. The columns that the object expects are matched with it, and the numbers that
        an object without `classes_` answers are cut into its bands.
    outcomes
        The labels that it can give. If left out: its `classes_`, or the labels that it gives to
        `sample`.
    sample
        Clean records to ask for labels where nothing else tells the outcomes.
    said
        About its columns; see :class:`SaidColumns`.

    Examples
    --------
    >>> from glocalx.rules.schema import Feature
    >>> class Bank:
    ...     def predict(self, frame):
    ...         return np.where(frame["amount"] > 10_000, "deny", "accept")
    >>> schema = Schema((Feature("amount", "integer"),), ("accept", "deny"))
    >>> box = PythonBlackBox(Bank(), schema, outcomes=("accept", "deny"))
    >>> box.labels(pd.DataFrame({"amount": [8_000, 12_000]})).tolist()
    ['accept', 'deny']
    """

    def __init__(
        self,
        model: Any,
        schema: Schema,
        *,
        outcomes: Sequence[str] | None = None,
        sample: pd.DataFrame | None = None,
        name: str | None = None,
        **said: Unpack[SaidColumns],
    ) -> None:
        self.name = name or type(model).__name__
        self._model = model
        if not callable(getattr(model, "predict", None)):
            raise GLocalXError(
                f"“{self.name}” has no method “predict”, so it cannot be asked for labels. "
                "Give an object that has one, such as a fitted classifier."
            )
        self._has_probabilities = callable(getattr(model, "predict_proba", None))
        self._named = tuple(map(str, getattr(model, "feature_names_in_", ())))
        self._takes_matrix = not self._named and hasattr(model, "n_features_in_")
        self.columns = self._columns(schema, **said)
        self.notes = matched_notes(zip(self._named or self.columns, self.columns, strict=True))
        self._bands = None if hasattr(model, "classes_") else Bands.of(schema)
        self._told = self._class_texts(outcomes, sample)
        self.outcomes = checked_outcomes(self._told, self.name)

    def _ask_labels(self, frame: pd.DataFrame) -> Any:
        answers = self._ask("predict", frame)
        if self._bands is not None:
            return self._bands.texts(answered_numbers(answers, self.name))
        return answers

    def _ask_probabilities(self, frame: pd.DataFrame) -> Any:
        return self._ask("predict_proba", frame)

    def _columns(
        self,
        schema: Schema,
        columns: Sequence[str] | None = None,
        renamed: Mapping[str, str] | None = None,
    ) -> tuple[str, ...]:
        if self._named:
            expected = [Expected(name) for name in self._named]
            return match_columns(expected, schema, self.name, renamed)
        if self._takes_matrix:
            return matrix_columns(int(self._model.n_features_in_), schema, self.name, columns)
        wanted = schema.names if columns is None else columns
        return match_columns([Expected(name) for name in wanted], schema, self.name)

    def _class_texts(
        self, outcomes: Sequence[str] | None, sample: pd.DataFrame | None
    ) -> tuple[str, ...]:
        if hasattr(self._model, "classes_"):
            return tuple(label_texts(self._model.classes_, self.name))
        if self._bands is not None:
            return self._bands.names
        if outcomes is not None:
            return tuple(map(str, outcomes))
        if sample is not None:
            require_columns(sample, self.columns, self.name)
            return tuple(sorted(set(label_texts(self._ask("predict", sample), self.name))))
        raise GLocalXError(
            f"“{self.name}” does not say which labels it gives. Name its outcomes, or give a "
            "sample of records to ask it about."
        )

    def _ask(self, method: str, frame: pd.DataFrame) -> Any:
        wanted = frame[list(self.columns)]
        if self._named != self.columns and self._named:
            wanted = wanted.set_axis(list(self._named), axis=1)
        given = wanted.to_numpy(dtype=np.float64) if self._takes_matrix else wanted
        try:
            return getattr(self._model, method)(given)
        except GLocalXError:
            raise
        except Exception as error:  # a stranger's code may raise anything
            raise GLocalXError(
                f"The model “{self.name}” fails on these records ({type(error).__name__}: "
                f"{first_line(error)}). Check that it was trained on columns like these."
            ) from error


def first_line(error: BaseException) -> str:
    """The first line of what an exception says, short enough for a sentence."""
    lines = str(error).strip().splitlines() or ["no details"]
    return lines[0] if len(lines[0]) <= 200 else lines[0][:199] + "…"


def pickles_allowed() -> bool:
    """True where the environment says `GLOCALX_ALLOW_PICKLE=1`."""
    return os.environ.get(SWITCH) == "1"


def open_pickle(
    data: bytes,
    schema: Schema,
    *,
    name: str = "model.pkl",
    sample: pd.DataFrame | None = None,
    **said: Unpack[SaidColumns],
) -> PythonBlackBox:
    """Run a pickle (or joblib file) and ask what comes out of it; refused unless switched on."""
    if not pickles_allowed():
        raise GLocalXError(
            f"The file “{name}” is a pickle, and a pickle is a program that could do anything on "
            "this machine, so it was not opened. Export the model to ONNX or save it with skops; "
            f"whoever starts the program can allow pickles with {SWITCH}=1."
        )
    try:
        model = joblib.load(io.BytesIO(data))  # reads plain pickles too
    except Exception as error:  # a pickle may raise anything
        raise GLocalXError(
            f"The pickle “{name}” cannot be opened ({type(error).__name__}: {first_line(error)}). "
            "It may be cut off, or need packages that are not installed here."
        ) from error
    return PythonBlackBox(model, schema, sample=sample, name=name, **said)
