"""The kinds of columns that the synthetic table is drawn from.

A kind is a value that knows how to draw itself. Conditions (``among``) and formulas are texts that
speak of columns drawn before, such as ``"past_penalties > 0"``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd


@dataclass(frozen=True, slots=True)
class Draw:
    """What the drawing of one column can look at.

    Parameters
    ----------
    rng : RandomState
        The source of chance. Not a ``Generator``, because numpy promises that the numbers of a
        ``RandomState`` never change between its versions.
    wealth : array of float
        How well off each citizen is, around 0. It is hidden: no column shows it.
    table : DataFrame
        The columns drawn so far.
    """

    rng: np.random.RandomState
    wealth: np.ndarray
    table: pd.DataFrame

    def having(self, share: float, among: str | None) -> np.ndarray:
        """Draw which citizens have something: a share of those who meet a condition."""
        chosen = self.rng.random_sample(len(self.wealth)) < share
        return chosen if among is None else chosen & self.look_up(among)

    def look_up(self, text: str) -> np.ndarray:
        """Work out a condition or a formula for each citizen."""
        return pd.Series(self.table.eval(text)).to_numpy()


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount that is often small and rarely large, 0 for those who have none.

    ``typical`` is the middle amount, ``pull`` how strongly wealth moves it, ``spread`` how far it
    strays by chance, ``step`` what it is rounded to.
    """

    typical: float
    share: float = 1.0
    among: str | None = None
    pull: float = 0.4
    spread: float = 0.5
    step: float = 100

    def draw(self, draw: Draw) -> np.ndarray:
        """Draw one amount for each citizen."""
        chance = draw.rng.standard_normal(len(draw.wealth))
        amounts = self.typical * np.exp(self.pull * draw.wealth + self.spread * chance)
        steps = np.maximum(1, np.rint(amounts / self.step)) * draw.having(self.share, self.among)
        return steps.astype(int) * self.step if self.step >= 1 else (steps * self.step).round(1)


@dataclass(frozen=True, slots=True)
class Count:
    """How many of something a citizen has; wealth moves the mean."""

    mean: float
    among: str | None = None
    pull: float = 0.0
    least: int = 0
    share: float = 1.0

    def draw(self, draw: Draw) -> np.ndarray:
        """Draw one count for each citizen."""
        counts = self.least + draw.rng.poisson(self.mean * np.exp(self.pull * draw.wealth))
        return counts * draw.having(self.share, self.among)


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number between two ends, most often near ``peak``; a share may be unknown."""

    low: int
    peak: int
    high: int
    among: str | None = None
    unknown: float = 0.0

    def draw(self, draw: Draw) -> pd.Series:
        """Draw one number for each citizen."""
        numbers = draw.rng.triangular(self.low, self.peak, self.high, len(draw.wealth)).astype(int)
        column = pd.Series(numbers * draw.having(1.0, self.among), dtype="Int64")
        return column.mask(draw.having(self.unknown, None))


@dataclass(frozen=True, slots=True)
class Real:
    """A number with one decimal that strays evenly around its mean, and may be negative."""

    mean: float
    spread: float
    among: str | None = None

    def draw(self, draw: Draw) -> np.ndarray:
        """Draw one number for each citizen."""
        numbers = self.mean + self.spread * draw.rng.standard_normal(len(draw.wealth))
        return np.where(draw.having(1.0, self.among), numbers.round(1), 0.0) + 0.0


@dataclass(frozen=True, slots=True)
class YesNo:
    """Whether something holds for a citizen."""

    share: float
    among: str | None = None

    def draw(self, draw: Draw) -> np.ndarray:
        """Draw yes or no for each citizen."""
        return np.where(draw.having(self.share, self.among), "yes", "no")


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few categories, each with its share; ``always`` sets one by a condition."""

    shares: dict[str, float]
    always: tuple[str, str] | None = None

    def draw(self, draw: Draw) -> np.ndarray:
        """Draw one category for each citizen."""
        chosen = draw.rng.choice(list(self.shares), len(draw.wealth), p=list(self.shares.values()))
        if self.always is None:
            return chosen
        condition, category = self.always
        return np.where(draw.look_up(condition), category, chosen)


@dataclass(frozen=True, slots=True)
class Formula:
    """A number that follows from the columns above it, strayed by chance and rounded."""

    formula: str
    spread: float = 0.0
    step: int = 100

    def draw(self, draw: Draw) -> np.ndarray:
        """Compute one number for each citizen."""
        exact = draw.look_up(self.formula).astype(float)
        strayed = exact * np.exp(self.spread * draw.rng.standard_normal(len(exact)))
        return np.rint(strayed / self.step).astype(int) * self.step


Kind = Amount | Count | Whole | Real | YesNo | Choice | Formula
