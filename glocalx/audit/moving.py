"""Values as they would be in another group, each as near to what it was as can be."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.audit.tally import Bools, Ints


def moved(values: pd.Series[Any], places: Ints, group: Bools, target: Bools) -> pd.Series[Any]:
    """Values of some records of a group, as they would be in the target group.

    A number becomes the one of the same rank in the target group: the median becomes its median. Of
    the records with a category so many keep it as the target group has room for; the others are
    given one that it has more of: which, depends on the record's place, not on who else is asked
    about. A missing value stays, and where the target group has no value, all do.

    Parameters
    ----------
    values
        The column, of all records.
    places
        The records that are asked about; all are of the group.
    group, target
        Who is in the group, and in that which they are put into.
    """
    result = values.iloc[places].reset_index(drop=True)
    known = values.notna().to_numpy()
    mine, theirs = values[group & known], values[target & known]
    if not (len(mine) and len(theirs)):
        return result
    here = result.notna().to_numpy()
    if pd.api.types.is_numeric_dtype(values.dtype) and not pd.api.types.is_bool_dtype(values.dtype):
        new = _same_rank(mine.to_numpy(), theirs.to_numpy(), result[here].to_numpy())
    else:
        draws = np.random.default_rng([0, 7]).random((len(values), 2))[places[here]]
        new = _coupled(mine, theirs, result[here], draws)
    result = result.copy()
    result[here] = pd.Series(new, index=result.index[here]).astype(values.dtype)
    return result


def _same_rank(
    mine: npt.NDArray[Any], theirs: npt.NDArray[Any], asked: npt.NDArray[Any]
) -> npt.NDArray[Any]:
    """The middle rank of a value among its equals, and what has this rank among the others."""
    ordered, others = np.sort(mine), np.sort(theirs)
    low = np.searchsorted(ordered, asked, side="left")
    high = np.searchsorted(ordered, asked, side="right")
    rank = (low + high) / (2 * len(ordered))
    return np.asarray(others[np.minimum((rank * len(others)).astype(int), len(others) - 1)])


def _coupled(
    mine: pd.Series[Any],
    theirs: pd.Series[Any],
    asked: pd.Series[Any],
    draws: npt.NDArray[np.float64],
) -> npt.NDArray[Any]:
    """Categories that change as seldom as can be, so that they are spread as in the other group."""
    before, after = mine.value_counts(normalize=True), theirs.value_counts(normalize=True)
    names = sorted({*before.index, *after.index}, key=str)
    have = before.reindex(names, fill_value=0.0).to_numpy(dtype=float)
    want = after.reindex(names, fill_value=0.0).to_numpy(dtype=float)
    keep = np.divide(want, have, out=np.ones_like(want), where=have > 0)
    room = np.cumsum(np.maximum(want - have, 0.0))
    codes = pd.Index(names).get_indexer(pd.Index(asked))
    stays = (draws[:, 0] < keep[codes]) | (room[-1] <= 0)
    drawn = np.searchsorted(room, draws[:, 1] * room[-1], side="right")
    new = np.where(stays, codes, np.minimum(drawn, len(names) - 1))
    return np.asarray(np.array(names, dtype=object)[new])
