"""What an audit asks of a table, wherever that is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from glocalx.audit.axis import Axis
from glocalx.audit.tally import Ints, Tally
from glocalx.errors import GLocalXError
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Feature, Schema, outcome_text
from glocalx.words.phrases import listing, shown

BANDS = 3
"""Into how many bands of about the same size a number is cut where nobody says how."""


Fill: TypeAlias = float | str
"""What stands in for the missing values of a column."""


class Source(ABC):
    """Records that can be counted: a frame in memory, or files that are streamed.

    A record without a value is in a group of its own. It satisfies no premise on that column,
    unless something stood in for the value where the black box was asked.

    Attributes
    ----------
    schema
        Of the rules; the table may have more columns.
    size
        Number of records.
    fills
        What rules see in place of a missing value, for some columns.
    """

    schema: Schema
    size: int
    fills: Mapping[str, Fill]

    @abstractmethod
    def gaps(self, columns: Iterable[str]) -> dict[str, int]:
        """Those of the columns with missing values, and how many."""

    @abstractmethod
    def unseen(self, columns: Iterable[str]) -> dict[str, int]:
        """Those with categories that the schema does not know, and how many records have one."""

    @abstractmethod
    def feature(self, column: str) -> Feature:
        """What a column is, whether rules speak of it or not."""

    @abstractmethod
    def edges(self, feature: Feature, parts: int) -> Sequence[float]:
        """Where bands of about the same size begin; few different values have a band each."""

    @abstractmethod
    def tally(
        self,
        rules: Sequence[Rule],
        axes: Sequence[Axis] = (),
        *,
        labels: bool = True,
        numbers: Sequence[str] = (),
    ) -> Tally:
        """Count the records.

        Parameters
        ----------
        rules
            Which rules to look at.
        axes
            Which groups to tell apart.
        labels
            Whether to tell black-box and true labels apart.
        numbers
            Columns of which means and deviations are wanted.
        """

    @abstractmethod
    def iter_records(
        self, rules: Sequence[Rule], axes: Sequence[Axis], names: Sequence[str], rows: int
    ) -> Iterator[tuple[Tally, pd.DataFrame]]:
        """The records one by one, in their order, so many at a time.

        Each part is a tally in which every record is a cell of its own, and a frame of the
        columns `names` as texts.
        """

    def axis(self, column: str, edges: Sequence[float] | None = None, parts: int = BANDS) -> Axis:
        """The groups of a column; a number is banded at `edges`, else into equal `parts`."""
        feature = self.feature(column)
        if not feature.is_categorical:
            return Axis.of_bands(feature, self.edges(feature, parts) if edges is None else edges)
        if edges is not None:
            raise GLocalXError(
                f"{shown(feature.name)} holds categories and cannot have bands. "
                "Leave its bands out; each category is a group."
            )
        return Axis(feature, feature.categories)

    def _label_codes(self, labels: Any) -> Ints:
        """The places of labels among the outcomes; a label that is none of them is refused."""
        codes, values = pd.factorize(np.asarray(labels, dtype=object))
        texts, outcomes = [outcome_text(value) for value in values], self.schema.outcomes
        strange = [text for text in texts if text not in outcomes]
        if strange:
            raise GLocalXError(
                f"The label {shown(strange[0])} is none of the outcomes: {listing(outcomes)}. "
                "Use the labels that the rules were made for."
            )
        return np.array([*map(outcomes.index, texts), -1], dtype=np.int64)[codes]


def category_codes(axis: Axis, values: Any) -> Ints:
    """The groups of texts, −1 where there is none."""
    places = {group: place for place, group in enumerate(axis.groups)}
    codes, texts = pd.factorize(values)
    return np.array([*(places[str(text)] for text in texts), -1], dtype=np.int64)[codes]
