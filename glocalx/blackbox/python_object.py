"""Any Python object with `predict` as a black box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from glocalx.blackbox.base import (
    Labels,
    Probabilities,
    checked_labels,
    checked_outcomes,
    checked_probabilities,
    label_texts,
)
from glocalx.blackbox.columns import Expected, match_columns, matrix_columns, require_columns
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Schema


class PythonBlackBox:
    """An object with `predict`, and perhaps `predict_proba`.

    An object that names its columns (`feature_names_in_`) gets a frame of these; one that only
    counts them (`n_features_in_`) gets a matrix of numbers; any other gets the frame as it is.

    Parameters
    ----------
    model
        The object.
    schema
        The table. The columns that the object expects are matched with it.
    outcomes
        The labels that it can give. If left out: its `classes_`, or the labels that it gives to
        `sample`.
    columns
        For an object that takes a matrix: its columns, in order.
    sample
        Clean records to ask for labels where nothing else tells the outcomes.
    name
        How people call it.

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
        columns: Sequence[str] | None = None,
        sample: pd.DataFrame | None = None,
        name: str | None = None,
    ) -> None:
        self.name = name or type(model).__name__
        self._model = model
        if not callable(getattr(model, "predict", None)):
            raise GLocalXError(
                f"“{self.name}” has no method “predict”, so it cannot be asked for labels. "
                "Give an object that has one, such as a fitted classifier."
            )
        self._names_columns = hasattr(model, "feature_names_in_")
        self._takes_matrix = not self._names_columns and hasattr(model, "n_features_in_")
        self.columns = self._columns(schema, columns)
        self._classes = self._class_texts(outcomes, sample)
        self.outcomes = checked_outcomes(self._classes, self.name)

    def labels(self, frame: pd.DataFrame) -> Labels:
        if not len(frame):
            return np.empty(0, dtype=object)
        answers = self._ask("predict", frame)
        return checked_labels(answers, len(frame), self.outcomes, self.name)

    def probabilities(self, frame: pd.DataFrame) -> Probabilities | None:
        if not callable(getattr(self._model, "predict_proba", None)):
            return None
        if not len(frame):
            return np.empty((0, len(self.outcomes)))
        answers = self._ask("predict_proba", frame)
        values = checked_probabilities(answers, len(frame), self._classes, self.name)
        return values[:, [self._classes.index(outcome) for outcome in self.outcomes]]

    def _columns(self, schema: Schema, stated: Sequence[str] | None) -> tuple[str, ...]:
        if self._names_columns:
            expected = [Expected(str(name)) for name in self._model.feature_names_in_]
            return match_columns(expected, schema, self.name)
        if self._takes_matrix:
            return matrix_columns(int(self._model.n_features_in_), schema, self.name, stated)
        wanted = schema.names if stated is None else stated
        return match_columns([Expected(name) for name in wanted], schema, self.name)

    def _class_texts(
        self, outcomes: Sequence[str] | None, sample: pd.DataFrame | None
    ) -> tuple[str, ...]:
        if hasattr(self._model, "classes_"):
            return tuple(label_texts(self._model.classes_, self.name))
        if outcomes is not None:
            return tuple(map(str, outcomes))
        if sample is not None:
            return tuple(sorted(set(label_texts(self._ask("predict", sample), self.name))))
        raise GLocalXError(
            f"“{self.name}” does not say which labels it gives. Name its outcomes, or give a "
            "sample of records to ask it about."
        )

    def _ask(self, method: str, frame: pd.DataFrame) -> Any:
        require_columns(frame, self.columns, self.name)
        wanted = frame[list(self.columns)]
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


def first_line(error: BaseException, most: int = 200) -> str:
    """The first line of what an exception says, short enough for a sentence."""
    lines = str(error).strip().splitlines() or ["no details"]
    return lines[0] if len(lines[0]) <= most else lines[0][: most - 1] + "…"
