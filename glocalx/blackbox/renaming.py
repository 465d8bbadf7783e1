"""A black box whose outcomes are called what the table calls them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from glocalx.blackbox.base import BlackBox, Labels, Probabilities, checked_outcomes
from glocalx.errors import GLocalXError
from glocalx.words.phrases import listing


class RenamedOutcomes:
    """Gives the answers of another black box under other names.

    Many models answer 0 and 1 where the table says “no” and “yes”; only a person knows which
    is which.

    Parameters
    ----------
    box
        What is asked.
    names
        For each of its outcomes the new name.
    """

    def __init__(self, box: BlackBox, names: Mapping[str, str]) -> None:
        self.box = box
        self.name = box.name
        strange = [old for old in names if old not in box.outcomes]
        silent = [old for old in box.outcomes if old not in names]
        if strange or silent:
            raise GLocalXError(
                f"The model “{box.name}” answers {listing(box.outcomes)}, and names were given "
                f"for {listing(names)}. Give one name for each answer."
            )
        self._names = dict(names)
        self.outcomes = checked_outcomes(names.values(), box.name)
        if len(self.outcomes) != len(names):
            raise GLocalXError("Two outcomes were given the same name. Use different names.")

    def labels(self, frame: pd.DataFrame) -> Labels:
        old = np.array(self.box.outcomes, dtype=str)
        new = np.array([self._names[name] for name in self.box.outcomes], dtype=object)
        return new[np.searchsorted(old, self.box.labels(frame).astype(str))]

    def probabilities(self, frame: pd.DataFrame) -> Probabilities | None:
        values = self.box.probabilities(frame)
        if values is None:
            return None
        renamed = [self._names[old] for old in self.box.outcomes]
        return values[:, [renamed.index(name) for name in self.outcomes]]
