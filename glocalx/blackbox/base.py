"""The black box: anything that labels records, how ours are asked, what their answers must be."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.errors import GLocalXError
from glocalx.rules.rule import is_missing
from glocalx.words.phrases import listing, shown

Labels: TypeAlias = npt.NDArray[np.object_]
Probabilities: TypeAlias = npt.NDArray[np.float64]
Target: TypeAlias = "Sequence[Any] | npt.NDArray[Any] | pd.Series[Any]"  # one label each


class BlackBox(Protocol):
    """Anything that labels records.

    `frame` is a frame in the user's own columns: numbers, texts for categories, NaN where a value
    is missing. Columns that the black box does not use are ignored.
    """

    @property
    def name(self) -> str:
        """How people call it: “random forest”, “model.onnx”."""

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The labels that it can give, at least two, sorted."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads, as the table calls them: rules speak of no others."""

    def labels(self, frame: pd.DataFrame) -> Labels:
        """One text for each record."""

    def probabilities(self, frame: pd.DataFrame) -> Probabilities | None:
        """One row for each record, one column for each outcome; None if it has none."""


def stands_in(black_box: BlackBox | None) -> bool:
    """Whether it is another model, fitted to answers of a black box that is not here itself."""
    return bool(getattr(black_box, "is_stand_in", False))


class AskedBlackBox(ABC):
    """A black box that is asked: its columns have to be there, and its answers are checked.

    Nothing is asked about no records.
    """

    __slots__ = ()

    name: str
    outcomes: tuple[str, ...]
    columns: tuple[str, ...]
    _told: tuple[str, ...] = ()  # the outcomes in the order of the model's probabilities, if other
    _has_probabilities: bool = True  # whether it is worth asking for them

    @abstractmethod
    def _ask_labels(self, frame: pd.DataFrame) -> Any:
        """What the model answers for at least one record."""

    def _ask_probabilities(self, frame: pd.DataFrame) -> Any:
        """The model's probabilities for at least one record; None if they are none after all."""
        return None

    def labels(self, frame: pd.DataFrame) -> Labels:
        require_columns(frame, self.columns, self.name)
        if not len(frame):
            return np.empty(0, dtype=object)
        return checked_labels(self._ask_labels(frame), len(frame), self.outcomes, self.name)

    def probabilities(self, frame: pd.DataFrame) -> Probabilities | None:
        require_columns(frame, self.columns, self.name)
        if not self._has_probabilities:
            return None
        if not len(frame):
            return np.empty((0, len(self.outcomes)))
        answers = self._ask_probabilities(frame)
        if answers is None:
            return None
        classes = self._told or self.outcomes
        values = checked_probabilities(answers, len(frame), classes, self.name)
        return values[:, [classes.index(outcome) for outcome in self.outcomes]]


def require_columns(frame: pd.DataFrame, names: Iterable[str], model: str) -> None:
    """Refuse records that lack a column which the model was opened with."""
    missing = [name for name in names if name not in frame.columns]
    if missing:
        raise GLocalXError(
            f"The model “{model}” needs {listing(missing)}, which the records do not have. "
            "Use the table for which the model was opened."
        )


def label_texts(answers: Any, asked: str) -> Labels:
    """Labels as texts, whatever a model calls them: 1, 1.0, True, b"yes".

    `asked`: the name of what was asked, for the sentence when something is wrong.

    Examples
    --------
    >>> label_texts(np.array([[0.0], [1.0]]), "a model").tolist()
    ['0', '1']
    """
    values = np.asarray(answers)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise GLocalXError(
            f"{_subject(asked)} answers with a table of shape {values.shape} where one label for "
            "each record was expected. Use a model that gives a single label."
        )
    codes, distinct = pd.factorize(values, use_na_sentinel=False)
    empty = [place for place, value in enumerate(distinct) if is_missing(value)]
    if empty:
        count = int(np.isin(codes, empty).sum())
        raise GLocalXError(
            f"{_subject(asked)} gives no answer (NaN) for {count:,} of {len(values):,} records. "
            "Check that it was trained on columns like these."
        )
    texts = np.array([_label_text(value, asked) for value in distinct], dtype=object)
    return texts[codes] if len(texts) else np.empty(0, dtype=object)


def answered_numbers(answers: Any, asked: str) -> npt.NDArray[np.float64]:
    """The answers of a model as one number for each record."""
    values = np.asarray(answers)
    if values.size != len(values) or values.dtype.kind not in "fiub":
        raise GLocalXError(
            f"{_subject(asked)} does not answer with one number for each record, so its answers "
            "cannot be cut into bands. Leave the bands out, or use a model that gives a number."
        )
    return values.reshape(-1).astype(np.float64)


def checked_labels(answers: Any, rows: int, outcomes: tuple[str, ...], asked: str) -> Labels:
    """The answers as texts, one for each of `rows` records, each one of `outcomes`."""
    labels = label_texts(answers, asked)
    if len(labels) != rows:
        raise GLocalXError(
            f"{_subject(asked)} gives {len(labels):,} answers for {rows:,} records. "
            "Use a model that labels every record by itself."
        )
    strange = sorted(set(pd.unique(labels)) - set(outcomes))
    if strange:
        raise GLocalXError(
            f"{_subject(asked)} answers {listing(strange)}, which is not among its outcomes "
            f"({listing(outcomes)}). Name all its outcomes."
        )
    return labels


def checked_probabilities(
    answers: Any, rows: int, outcomes: tuple[str, ...], asked: str
) -> Probabilities:
    """The answers as one row per record and one column per outcome, without gaps."""
    values = np.asarray(answers, dtype=np.float64)
    if values.shape != (rows, len(outcomes)):
        raise GLocalXError(
            f"{_subject(asked)} gives probabilities of shape {values.shape} for {rows:,} records "
            f"and {len(outcomes)} outcomes. Name all its outcomes, or use a model without "
            "probabilities."
        )
    gaps = int(np.isnan(values).any(axis=1).sum())
    if gaps:
        raise GLocalXError(
            f"{_subject(asked)} gives no probability (NaN) for {gaps:,} of {rows:,} records. "
            "Check that it was trained on columns like these."
        )
    return values


def checked_outcomes(outcomes: Any, asked: str) -> tuple[str, ...]:
    """Sorted, distinct and at least two."""
    found = tuple(sorted(set(outcomes)))
    if len(found) < 2:
        said = listing(found) if found else "nothing"
        raise GLocalXError(
            f"{_subject(asked)} can only answer {said}, so there is nothing to explain. "
            "Use a model that tells at least two outcomes apart."
        )
    return found


def _subject(asked: str) -> str:
    return f"The model {shown(asked, most=60)}"


def _label_text(value: Any, asked: str) -> str:
    match value:
        case bytes():
            return value.decode("utf-8", errors="replace")
        case bool() | np.bool_():
            return str(bool(value))
        case float() | np.floating() if float(value).is_integer():
            return str(int(value))
        case float() | np.floating():
            raise GLocalXError(
                f"{_subject(asked)} answers with numbers such as {float(value):.4g}, not with "
                "classes. Choose an outcome of numbers and cut it into bands, or use a classifier."
            )
    return str(value)
