"""A table of the study: figures with their spread over seeds, and the paper's beside them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over seeds.

    Parameters
    ----------
    mean
        NaN where nothing was measured.
    spread
        Sample deviation over seeds (or whatever else was averaged); None for a single value.
    paper, paper_spread
        What the paper prints in this place, where it does.
    digits
        After the point, for people.
    """

    mean: float
    spread: float | None = None
    paper: float | None = None
    paper_spread: float | None = None
    digits: int = 3

    @classmethod
    def of(
        cls,
        values: Iterable[float | None],
        paper: float | None = None,
        paper_spread: float | None = None,
        digits: int = 3,
    ) -> Figure:
        """The mean and spread of what was measured.

        Examples
        --------
        >>> print(Figure.of([0.9, 0.92], paper=0.87))
        0.910 ± 0.014 (paper 0.870)
        """
        known = [value for value in values if value is not None]
        mean = float(np.mean(known)) if known else math.nan
        spread = float(np.std(known, ddof=1)) if len(known) > 1 else None
        return cls(mean, spread, paper, paper_spread, digits)

    @property
    def ours(self) -> str:
        """Our figure as people read it; a dash where there is none."""
        return _with_spread(self.mean, self.spread, self.digits)

    @property
    def theirs(self) -> str:
        """The paper's figure, empty where there is none."""
        if self.paper is None:
            return ""
        return _with_spread(self.paper, self.paper_spread, self.digits)

    def __str__(self) -> str:
        return f"{self.ours} (paper {self.theirs})" if self.theirs else self.ours


Entry: TypeAlias = "str | int | Figure"


@dataclass(frozen=True, slots=True)
class StudyTable:
    """A table with a name for its file, a title, and a note on how to read it."""

    name: str
    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]

    def flat(self) -> list[dict[str, object]]:
        """One mapping for each row; spread and the paper's figure in columns of their own."""
        kinds = [self._parts(place) for place in range(len(self.columns))]
        return [
            {
                name: value
                for column, parts, entry in zip(self.columns, kinds, row, strict=True)
                for name, value in _flat(column, parts, entry)
            }
            for row in self.rows
        ]

    def _parts(self, place: int) -> tuple[bool, bool]:
        """Whether any row of this column has a spread, and a figure of the paper."""
        entries = [row[place] for row in self.rows]
        figures = [entry for entry in entries if isinstance(entry, Figure)]
        spread = any(figure.spread is not None for figure in figures)
        return spread, any(figure.paper is not None for figure in figures)


def _flat(
    column: str, parts: Sequence[bool], entry: Entry
) -> Iterable[tuple[str, float | str | None]]:
    spread, paper = parts
    figure = entry if isinstance(entry, Figure) else None
    yield column, figure.mean if figure else entry  # type: ignore[misc]
    if spread:
        yield f"{column}, spread", figure.spread if figure else None
    if paper:
        yield f"{column}, paper", figure.paper if figure else None


def _with_spread(mean: float, spread: float | None, digits: int) -> str:
    if math.isnan(mean):
        return "–"
    text = f"{mean:,.{digits}f}" if spread is None else f"{mean:,.{digits}f} ± {spread:,.{digits}f}"
    return _without_minus_zero(text, digits).replace("-", "−")


def _without_minus_zero(text: str, digits: int) -> str:
    zero = f"{0:.{digits}f}"
    return text.removeprefix("-") if text.split(" ")[0] == f"-{zero}" else text
