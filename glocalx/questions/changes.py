"""Changes that work: what would have to be different about a record for another answer.

Each was put to the black box, which gave the other answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from glocalx.blackbox.base import BlackBox
from glocalx.questions.guide import TRIED, Guide
from glocalx.questions.permissions import Permissions
from glocalx.questions.pool import Found
from glocalx.questions.search import ChangeSearch
from glocalx.questions.space import Space
from glocalx.rules.codes import Coded
from glocalx.rules.schema import Schema
from glocalx.rules.what_if import ValueChange

Merit: TypeAlias = Literal["fewest", "nearest", "likeliest"]
MERITS: tuple[Merit, ...] = get_args(Merit)
AT_ONCE = 500  # records that are searched together
_BACKGROUND = 4_000  # real records at most that a change is looked for among


@dataclass(frozen=True, slots=True)
class WorkingChange:
    """Another record, near this one, to which the black box gave another answer.

    Parameters
    ----------
    changes
        One for each feature that changes, in the order of the table.
    merits
        What it is best at among those that were found: it changes the `fewest` features, it is the
        `nearest` (in units of each column's spread), or it is the `likeliest`, most like a real
        record with that answer.
    distance
        The sum of all moves: a number by so many standard deviations, another category by 1.
    likeness
        How far the changed record is from the real record with that answer that is most like it;
        0: there is such a record.
    """

    changes: tuple[ValueChange, ...]
    outcome: str
    merits: tuple[Merit, ...]
    distance: float
    likeness: float

    def applied(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """The record with the changes."""
        return {**record, **{each.feature: each.after for each in self.changes}}


@dataclass(frozen=True, slots=True)
class FoundChanges:
    """The changes of one record.

    Parameters
    ----------
    outcome
        What the black box says of the record as it is.
    changes
        Fewest features first; none where no change that is allowed was found.
    """

    outcome: str
    changes: tuple[WorkingChange, ...]


class ChangeFinder:
    """Searches for changes of records with one black box and one set of real records.

    Parameters
    ----------
    black_box, schema
        Whom to ask, and the features that it reads.
    background
        Real records, clean: new values are taken from these, so whole numbers stay whole and
        categories exist. No value becomes missing.
    seed
        Which of the real records are used where there are many.

    Attributes
    ----------
    asked
        Different records that the black box was asked about while searching.
    """

    def __init__(
        self,
        black_box: BlackBox,
        schema: Schema,
        background: pd.DataFrame,
        permissions: Permissions | None = None,
        *,
        seed: int = 0,
    ) -> None:
        self.permissions = (permissions or Permissions()).checked(schema)
        self.asked = 0
        self._box = black_box
        self._schema = schema
        rows = np.random.default_rng([seed]).permutation(len(background))[:_BACKGROUND]
        self._background = background.iloc[np.sort(rows)].reset_index(drop=True)
        answers = np.asarray(black_box.labels(self._background), dtype=object)
        self._labels = Coded.of(answers).among(schema.outcomes)
        self._tried = black_box.probabilities(self._background[:TRIED])

    def iter_found(
        self, frame: pd.DataFrame, hints: Sequence[Sequence[Mapping[str, Any]]] | None = None
    ) -> Iterator[FoundChanges]:
        """The changes of each record, in order.

        `hints`: for each record changes to begin with, by feature: those of a local tree.
        """
        for start in range(0, len(frame), AT_ONCE):
            part = frame.iloc[start : start + AT_ONCE].reset_index(drop=True)
            given = hints[start : start + AT_ONCE] if hints is not None else None
            yield from self._found(part, given)

    def found(
        self, frame: pd.DataFrame, hints: Sequence[Sequence[Mapping[str, Any]]] | None = None
    ) -> list[FoundChanges]:
        """The same, all at once."""
        return list(self.iter_found(frame, hints))

    def _found(
        self, frame: pd.DataFrame, hints: Sequence[Sequence[Mapping[str, Any]]] | None
    ) -> Iterator[FoundChanges]:
        space = Space(self._schema, self._background, frame, self.permissions)
        guide = Guide(self._box, space.encoding, space.background, self._labels, self._tried)
        search = ChangeSearch(space, guide, self._labels)
        for place, found in enumerate(search.run(hints or [()] * len(frame))):
            own = self._schema.outcomes[search.own[place]]
            yield FoundChanges(own, tuple(_told(space, place, each) for each in found))
        self.asked += guide.asked


def _told(space: Space, place: int, found: Found) -> WorkingChange:
    before, encoding = space.records[place], space.encoding
    names = space.schema.names
    changes = tuple(
        ValueChange(
            names[at],
            encoding.value(at, int(before[at])),
            encoding.value(at, int(found.codes[at])),
        )
        for at in np.flatnonzero(found.codes != before).tolist()
    )
    return WorkingChange(
        changes,
        space.schema.outcomes[found.label],
        tuple(merit for merit, best in zip(MERITS, found.best, strict=True) if best),
        found.distance,
        found.likeness,
    )
