"""Shapley values of one record, through the `shap` package where that is installed.

How much each feature adds to the model's answer, on average over all orders in which the record's
values can take the place of those of other records. What they add up to is the model's level for
this record less its mean level for the others.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.blackbox.base import BlackBox
from glocalx.errors import GLocalXError
from glocalx.extraction.encoding import Encoding
from glocalx.questions.curves import Levels, levels_of
from glocalx.rules.schema import Schema

PACKAGE = "shap"
HOW_TO_GET_IT = "pip install -r requirements-shapley.txt"
_OTHERS = 40  # real records whose values stand for “not known”
_ORDERS = 8


@dataclass(frozen=True, slots=True)
class ShapleyValues:
    """How much each feature of a record adds to one outcome.

    Parameters
    ----------
    outcome
        The black box's answer to the record.
    base, level
        Its mean level for other records, and for this one: a probability, or 1 and 0 where the
        black box gives none.
    values
        Features and what each adds, the largest first whatever its sign; their sum is `level` less
        `base`.
    """

    outcome: str
    base: float
    level: float
    values: tuple[tuple[str, float], ...]


def is_installed() -> bool:
    """Whether the package is here."""
    return find_spec(PACKAGE) is not None


def shapley_values(
    black_box: BlackBox,
    record: pd.DataFrame,
    schema: Schema,
    background: pd.DataFrame,
    *,
    seed: int = 0,
) -> ShapleyValues:
    """The values of one record.

    Parameters
    ----------
    record
        A frame of one row, as the black box gets it.
    seed
        Which of them, and in which orders features take their places.
    """
    if not is_installed():
        raise GLocalXError(f"Shapley values need the package {PACKAGE}: {HOW_TO_GET_IT}.")
    rows = np.random.default_rng([seed, 4]).permutation(len(background))[:_OTHERS]
    others = background.iloc[np.sort(rows)].reset_index(drop=True)
    encoding = Encoding(schema, [others, record])
    outcome = str(black_box.labels(record)[0])

    def level(codes: npt.NDArray[Any]) -> Levels:
        levels, _ = levels_of(black_box, encoding.decode(np.asarray(codes).astype(np.int32)))
        return levels[:, black_box.outcomes.index(outcome)]

    found = _explained(level, encoding.encode(others), encoding.encode(record), seed)
    values = np.asarray(found.values[0], dtype=np.float64)
    order = np.argsort(-np.abs(values), kind="stable").tolist()
    base = float(np.ravel(found.base_values)[0])
    return ShapleyValues(
        outcome,
        base,
        base + float(values.sum()),
        tuple((schema.names[place], float(values[place])) for place in order),
    )


def _explained(level: Any, others: Any, record: Any, seed: int) -> Any:
    """What the package says; the random numbers of the process stay as they were."""
    state = np.random.get_state()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what the package uses, which nobody here can mend
            shap = import_module(PACKAGE)
            masker = shap.maskers.Independent(others, max_samples=len(others))
            explain = shap.PermutationExplainer(level, masker, seed=seed)
            asked = _ORDERS * (2 * record.shape[1] + 1)
            return explain(record, max_evals=asked, silent=True)
    finally:
        np.random.set_state(state)
