"""Numbers as outcomes: cut into bands, each of which has a name that people read."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from glocalx.errors import GLocalXError
from glocalx.rules.branches import shortest_between
from glocalx.rules.schema import Schema
from glocalx.words.figures import trimmed

MOST_BANDS = 10
_NEAR = 0.02  # how far from a quantile a cut may move for a shorter number, as a share of records
_DECIMALS = 12


@dataclass(frozen=True, slots=True)
class Bands:
    """Where numbers are cut: each band goes from one cut up to, but not including, the next.

    Parameters
    ----------
    cuts
        At least one, ascending.

    Examples
    --------
    >>> bands = Bands((180_000, 250_000.5))
    >>> bands.names
    ('below 180,000', '180,000 to below 250,000.5', '250,000.5 and more')
    >>> bands.texts(np.array([179_999.0, 180_000.0, 3e6])).tolist()
    ['below 180,000', '180,000 to below 250,000.5', '250,000.5 and more']
    """

    cuts: tuple[float, ...]

    def __post_init__(self) -> None:
        cuts = tuple(float(cut) for cut in self.cuts)
        if not cuts or not all(map(math.isfinite, cuts)) or list(cuts) != sorted(set(cuts)):
            raise GLocalXError(
                "Bands need at least one number to cut at, each larger than the one before. "
                "Give numbers such as 180000 or 180000; 250000."
            )
        if len(cuts) >= MOST_BANDS:
            raise GLocalXError(
                f"{len(cuts) + 1} bands are too many to tell apart. Give at most "
                f"{MOST_BANDS - 1} numbers to cut at."
            )
        object.__setattr__(self, "cuts", cuts)

    @property
    def names(self) -> tuple[str, ...]:
        """How the bands are called, from the lowest up."""
        said = [trimmed(cut, _DECIMALS) for cut in self.cuts]
        if len({"0", *said}) < len(
            {0.0, *self.cuts}
        ):  # two that would be called alike, or a tiny 0
            said = [repr(cut) for cut in self.cuts]
        between = [f"{low} to below {high}" for low, high in pairwise(said)]
        return (f"below {said[0]}", *between, f"{said[-1]} and more")

    def places(self, values: npt.ArrayLike) -> npt.NDArray[np.int32]:
        """The place of each number's band; −1 where there is no number."""
        numbers = np.asarray(values, dtype=np.float64)
        found = np.searchsorted(self.cuts, numbers, side="right")
        return np.where(np.isnan(numbers), -1, found).astype(np.int32)

    def texts(self, values: npt.ArrayLike) -> npt.NDArray[np.object_]:
        """The name of each number's band; None where there is no number."""
        made: npt.NDArray[np.object_] = np.array([*self.names, None], dtype=object)
        return made[self.places(values)]

    def sizes(self, values: npt.ArrayLike) -> tuple[int, ...]:
        """How many numbers lie in each band."""
        places = self.places(values)
        return tuple(np.bincount(places[places >= 0], minlength=len(self.names)).tolist())

    @classmethod
    def of(cls, schema: Schema) -> Bands | None:
        """The bands that the outcomes of a table are; None where they are something else."""
        return cls(schema.bands) if schema.bands else None

    @classmethod
    def equal(cls, values: npt.ArrayLike, count: int) -> Bands:
        """So many bands with about as many numbers each, cut at numbers that are short to say.

        Examples
        --------
        >>> Bands.equal(np.arange(1013.0), 2).cuts
        (500.0,)
        """
        numbers = np.asarray(values, dtype=np.float64)
        numbers = numbers[~np.isnan(numbers)]
        if not 2 <= count <= MOST_BANDS:
            raise GLocalXError(f"{count} bands were asked for. Ask for 2 to {MOST_BANDS}.")
        if np.unique(numbers).size < count:
            raise GLocalXError(
                f"There are not enough different numbers for {count} bands. Ask for fewer."
            )
        return cls(tuple(sorted(set(_iter_cuts(numbers, count)))))


def _iter_cuts(numbers: npt.NDArray[np.float64], count: int) -> Iterable[float]:
    distinct = np.unique(numbers)
    for share in np.arange(1, count) / count:
        near = [share - _NEAR, share, share + _NEAR]
        low, middle, high = np.quantile(numbers, near, method="higher").tolist()
        if middle == distinct[0]:  # so frequent that nothing lies below it
            middle = float(distinct[1])
        yield shortest_between(low, high) if distinct[0] <= low < high else middle
