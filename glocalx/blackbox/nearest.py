"""Labels given in a small table and no model at all: who answers for records that are not in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.blackbox.base import AskedBlackBox, Labels, Target, checked_outcomes, label_texts
from glocalx.rules.codes import Coded, numbers_of
from glocalx.rules.schema import Feature, Schema
from glocalx.words.phrases import counted

_MOST_CELLS = 4_000_000  # distances that are worked out at once
_UNKNOWN = -2  # the code of a category that the table does not have; it is not missing


@dataclass(frozen=True, slots=True, eq=False)
class NearestRecord(AskedBlackBox):
    """The label of the nearest record, which anybody can find by hand.

    How far two records are apart: the differences of all features, added up. A number counts as a
    share of its range in the table; another category, or a value that one of them lacks, counts 1.
    Of records equally near the first in the table answers.

    Parameters
    ----------
    schema
        The features that are compared.
    frame, answers
        The records of the table and their labels.
    contradicted
        So many records have a twin before them in the table with another label, which answers.

    Examples
    --------
    >>> schema = Schema((Feature("age", "numeric"),), ("no", "yes"))
    >>> box = NearestRecord.of(pd.DataFrame({"age": [20.0, 40.0]}), ["no", "yes"], schema)
    >>> box.labels(pd.DataFrame({"age": [20.0, 29.0, 31.0, 90.0]})).tolist()
    ['no', 'no', 'yes', 'yes']
    """

    schema: Schema
    frame: pd.DataFrame = field(repr=False)
    answers: Labels = field(repr=False)
    outcomes: tuple[str, ...]
    contradicted: int = 0
    is_stand_in: ClassVar[bool] = True
    _has_probabilities = False

    @classmethod
    def of(cls, frame: pd.DataFrame, labels: Target, schema: Schema) -> NearestRecord:
        """For these records with these labels."""
        answers = label_texts(labels, "labels")
        box = cls(schema, frame, answers, checked_outcomes(answers, "labels"))
        contradicted = int(np.count_nonzero(box.labels(frame) != answers))
        return cls(schema, frame, answers, box.outcomes, contradicted)

    @property
    def name(self) -> str:  # type: ignore[override] # the same for all
        return "the labels of the table"

    @property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override] # as the schema has them
        return self.schema.names

    @property
    def notes(self) -> tuple[str, ...]:
        """What everybody should know who reads its rules."""
        told = (
            "The labels of the table are explained as they are; there is no model. Where a local "
            "rule needs an answer beside the table’s records, the nearest record gives its label: "
            "differences are added up, a number as a share of its range, another category as 1."
        )
        if not self.contradicted:
            return (told,)
        alike = counted(self.contradicted, "record")
        verb = "is" if self.contradicted == 1 else "are"
        return told, f"{alike} {verb} like another one that has another label: no rule tells these."

    def _ask_labels(self, frame: pd.DataFrame) -> Any:
        rows = max(_MOST_CELLS // len(self.frame), 1)
        nearest = [
            self._distances(frame.iloc[start : start + rows]).argmin(axis=1)
            for start in range(0, len(frame), rows)
        ]
        return self.answers[np.concatenate(nearest)]

    def _distances(self, frame: pd.DataFrame) -> npt.NDArray[np.float64]:
        """From each of some records to each of the table's."""
        parts = (_apart(each, frame, self.frame) for each in self.schema.features)
        # Rounded, so that equally near is equal in whichever order the differences are added.
        return np.round(sum(parts, np.zeros((len(frame), len(self.frame)))), 9)


def _apart(feature: Feature, frame: pd.DataFrame, known: pd.DataFrame) -> npt.NDArray[np.float64]:
    """How far records are apart on one feature, from 0 to 1 between records of the table."""
    if feature.is_categorical:
        read = [Coded.of(each[feature.name]) for each in (frame, known)]
        codes = [each.among(read[1].texts, outside=_UNKNOWN) for each in read]
        return np.not_equal.outer(*codes).astype(float)
    one, other = (numbers_of(feature, each[feature.name]) for each in (frame, known))
    spread = float(np.ptp(other[~np.isnan(other)])) if (~np.isnan(other)).any() else 0.0
    apart = np.abs(np.subtract.outer(one, other)) / (spread or 1.0)
    lacking = np.not_equal.outer(np.isnan(one), np.isnan(other))
    return np.where(lacking, 1.0, np.nan_to_num(apart, nan=0.0))
