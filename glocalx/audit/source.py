"""What an audit asks of a table, wherever that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

from glocalx.audit.axis import Axis
from glocalx.audit.tally import Tally
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Feature, Schema

BANDS = 3
"""Into how many bands of about the same size a number is cut where nobody says how."""


Fill: TypeAlias = float | str
"""What stands in for the missing values of a column."""


class Source(Protocol):
    """Records that can be counted: a frame in memory, or files that are streamed.

    A record without a value is in a group of its own. It satisfies no premise on that column,
    unless something stood in for the value where the black box was asked.
    """

    @property
    def fills(self) -> Mapping[str, Fill]:
        """What rules see in place of a missing value, for some columns."""

    @property
    def schema(self) -> Schema:
        """Of the rules; the table may have more columns."""

    @property
    def size(self) -> int:
        """Number of records."""

    def gaps(self, columns: Iterable[str]) -> dict[str, int]:
        """Those of the columns with missing values, and how many."""

    def unseen(self, columns: Iterable[str]) -> dict[str, int]:
        """Those with categories that the schema does not know, and how many records have one."""

    def feature(self, column: str) -> Feature:
        """What a column is, whether rules speak of it or not."""

    def axis(self, column: str, edges: Sequence[float] | None = None, parts: int = BANDS) -> Axis:
        """The groups of a column; a number is banded at `edges`, else into equal `parts`."""

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
