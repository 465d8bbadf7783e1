"""The one encoder: columns of texts as whole numbers, and these as columns of 0 and 1.

The code of a category is its place in a domain: the sorted categories of a feature, or those that
a model keeps. Rules, neighbours, trees and models all see categories by these codes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.errors import GLocalXError
from glocalx.rules.schema import Feature

Codes: TypeAlias = npt.NDArray[np.int32]
NO_CODE = -1
"""The code of a text that is missing and, in a domain, of one that is not part of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A column of texts: for each record the place of its text among the texts that there are.

    Examples
    --------
    >>> column = Coded.of(pd.Series(["clerk", None, "king", "clerk"]))
    >>> column.codes.tolist(), column.texts
    ([0, -1, 1, 0], ('clerk', 'king'))
    >>> column.among(("chief", "clerk")).tolist(), column.outside(("chief", "clerk"))
    ([1, -1, -1, 1], {'king': 1})
    """

    codes: Codes
    texts: tuple[str, ...]

    @classmethod
    def of(cls, column: pd.Series[Any] | npt.NDArray[Any]) -> Coded:
        """Texts repeat: each is looked at once, eight times as fast as looking every one up."""
        codes: npt.NDArray[Any]
        texts: Iterable[Any]
        if isinstance(column, pd.Series) and isinstance(column.dtype, pd.CategoricalDtype):
            codes, texts = column.cat.codes.to_numpy(), column.cat.categories
        else:
            codes, texts = pd.factorize(column)
        return cls(codes.astype(np.int32), tuple(map(str, texts)))

    def counts(self) -> npt.NDArray[np.intp]:
        """How many records have each text."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.texts))

    def among(self, domain: Sequence[str], *, outside: int = NO_CODE) -> Codes:
        """For each record the place of its text in a domain, `outside` where it has none there."""
        places = {text: place for place, text in enumerate(domain)}
        found = [places.get(text, outside) for text in self.texts]
        return np.array([*found, NO_CODE], dtype=np.int32)[self.codes]

    def outside(self, domain: Sequence[str]) -> Mapping[str, int]:
        """The texts that a domain does not have, with their numbers of records."""
        known = frozenset(domain)
        counted = zip(self.texts, self.counts().tolist(), strict=True)
        return {text: count for text, count in counted if count and text not in known}


def texts_of(domain: Sequence[str | None]) -> Any:
    """A domain as pandas text; `take` of codes gives the column behind them."""
    return pd.array(np.array(domain, dtype=object), dtype="str")


def numbers_of(
    feature: Feature, column: pd.Series[Any], *, known: bool = False
) -> npt.NDArray[np.float64]:
    """A column as floats; what is no number is refused.

    `known`: whether to refuse infinite numbers, too, and missing ones of a feature without gaps.
    """
    numbers = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    strange = ~np.isfinite(numbers) if known else np.isnan(numbers)
    if feature.gaps or not known:
        strange &= column.notna().to_numpy()
    if strange.any():
        row = int(strange.argmax())
        raise GLocalXError(
            f"The column “{feature.name}” should hold numbers, but row {row + 1:,} holds "
            f"“{column.iloc[row]}”. Correct the value, make the column categorical or leave the "
            "record out."
        )
    return np.asarray(numbers)


class OneHot:
    """The columns that a model sees: numbers as they are, one of 0 and 1 for each category.

    Parameters
    ----------
    shown
        For each feature the codes that have a column, in their order; None for a number.

    Examples
    --------
    >>> seen = OneHot([None, (1, 2)])
    >>> seen.columns
    ((0, None), (1, 1), (1, 2))
    >>> seen.matrix([np.array([2.5, 7.0]), np.array([2, 0])], 2).tolist()
    [[2.5, 0.0, 1.0], [7.0, 0.0, 0.0]]
    """

    def __init__(self, shown: Sequence[Sequence[int] | None]) -> None:
        self._shown = tuple(shown)
        self.columns: tuple[tuple[int, int | None], ...] = tuple(
            (place, code)
            for place, codes in enumerate(self._shown)
            for code in ((None,) if codes is None else codes)
        )

    def matrix(self, values: Sequence[npt.NDArray[Any]], size: int) -> npt.NDArray[np.float32]:
        """One row for each of `size` records; a code that has no column is 0 in all.

        `values`: for each feature its numbers or codes.
        """
        matrix = np.zeros((size, len(self.columns)), dtype=np.float32)
        start = 0
        for column, codes in zip(values, self._shown, strict=True):
            end = start + (1 if codes is None else len(codes))
            if codes is None:
                matrix[:, start] = column
            else:
                _mark(matrix[:, start:end], column, codes)
            start = end
        return matrix


def _mark(block: npt.NDArray[np.float32], column: Codes, codes: Sequence[int]) -> None:
    places = np.full(max(*codes, int(column.max(initial=0)), 0) + 2, -1)  # the last is for NO_CODE
    places[list(codes)] = np.arange(len(codes))
    wanted = places[column]
    rows = np.flatnonzero(wanted >= 0)
    block[rows, wanted[rows]] = 1.0
