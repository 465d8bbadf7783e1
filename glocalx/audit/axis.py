"""How one column sorts records into groups: by category, or by bands of a number."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from glocalx.errors import GLocalXError
from glocalx.rules.rule import Interval
from glocalx.rules.schema import Feature, Schema
from glocalx.words.phrases import counted, shown
from glocalx.words.wording import Wording

MISSING = "missing"
"""What the group of the records without a value is called, unless a category is called so."""

FEW_VALUES = 5
"""A number with no more different values than this has a group for each."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One column and the groups it makes.

    Parameters
    ----------
    feature
        The column.
    groups
        What the groups are called, in order. Records without a value are in none of them, but
        in a group of their own, :attr:`missing`, with the code −1.
    edges
        For numbers the lower end of every band but the first.
    """

    feature: Feature
    groups: tuple[str, ...]
    edges: tuple[float, ...] = ()

    @property
    def name(self) -> str:
        return self.feature.name

    @property
    def title(self) -> str:
        """How people call the column."""
        return self.feature.label or self.feature.name

    def group(self, code: int) -> str:
        """The name of the group with this code."""
        return self.missing if code < 0 else self.groups[code]

    @property
    def missing(self) -> str:
        """What the group of the records without a value is called; never as one of the others.

        Examples
        --------
        >>> feature = Feature("job", "categorical", ("clerk", "missing"))
        >>> Axis(feature, feature.categories).missing
        'missing (no value)'
        """
        name = MISSING
        while name in self.groups:
            name += " (no value)"
        return name

    @classmethod
    def of_bands(cls, feature: Feature, edges: Sequence[float]) -> Axis:
        """Bands of a number: below the first edge, from each edge up to the next, from the last on.

        Examples
        --------
        >>> Axis.of_bands(Feature("age", "integer"), [25, 45]).groups
        ('age ≤ 24', '25 ≤ age < 45', 'age ≥ 45')
        """
        if not all(map(math.isfinite, edges)):
            raise GLocalXError(
                f"A band of {shown(feature.name)} ends at no number. Give numbers as band ends."
            )
        inner = sorted({feature.interval(-math.inf, edge).high for edge in edges})
        wording = Wording(Schema((feature,), ("", " ")))
        ends = [-math.inf, *inner, math.inf]
        bands = [Interval(low, high) for low, high in itertools.pairwise(ends)]
        named = [wording.premise(feature.name, band) for band in bands if not band.is_everything]
        return cls(feature, tuple(named) or (f"every {feature.name}",), tuple(inner))


def equal_ranks(size: int, parts: int) -> list[int]:
    """The ranks, from 1, of the values that cut `size` sorted values into parts of equal size."""
    return [-(-size * part // parts) for part in range(1, parts)]


def useful_edges(cuts: Sequence[float], lowest: float, second: float) -> tuple[float, ...]:
    """Where bands begin, given the values at equal ranks and the two lowest values.

    A value so frequent that it fills the first band has this band to itself.

    Examples
    --------
    >>> useful_edges([0, 0, 4], lowest=0, second=1)
    (1.0, 4.0)
    """
    return tuple(sorted({float(second if cut == lowest else cut) for cut in cuts}))


def listed_edges(
    values: npt.NDArray[np.float64], counts: npt.NDArray[np.int64], parts: int
) -> tuple[float, ...]:
    """Where bands of about the same size begin, given the different values and how often each is.

    Few different values have a band each.
    """
    if values.size <= FEW_VALUES:
        return tuple(values[1:].tolist())
    upto = np.cumsum(counts)
    cuts = values[np.searchsorted(upto, equal_ranks(int(upto[-1]), parts))]
    return useful_edges(cuts.tolist(), *values[:2].tolist())


MAX_GROUPS = 1_000


def check_number_of_groups(axes: Sequence[Axis]) -> None:
    """Refuse more groups than anyone can read."""
    groups = math.prod(len(axis.groups) for axis in axes)
    if groups > MAX_GROUPS:
        raise GLocalXError(
            f"{' × '.join(shown(axis.name) for axis in axes)} make {counted(groups, 'group')}, "
            f"and at most {MAX_GROUPS:,} can be compared. Choose fewer columns, or wider bands."
        )
