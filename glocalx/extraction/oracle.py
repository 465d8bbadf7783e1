"""The black box, asked about coded records in large calls and never twice in one call."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.blackbox.base import BlackBox
from glocalx.errors import GLocalXError
from glocalx.extraction.encoding import Encoding
from glocalx.extraction.local_tree import Labels
from glocalx.rules.codes import Coded, Codes

ROWS_PER_CALL = 50_000


class Oracle:
    """Answers about codes with the places of labels among the outcomes.

    `encoding`: how codes become records; its schema has the outcomes.
    """

    def __init__(self, black_box: BlackBox, encoding: Encoding) -> None:
        self.black_box = black_box
        self.encoding = encoding
        self._outcomes = encoding.schema.outcomes

    def labels(self, codes: Codes) -> Labels:
        """The label of every row; rows that are equal are asked about once."""
        first, places = distinct_rows(codes)
        asked = codes[first]
        calls = [
            self.labels_of(self.encoding.decode(asked[start : start + ROWS_PER_CALL]))
            for start in range(0, len(asked), ROWS_PER_CALL)
        ]
        return np.concatenate(calls)[places]

    def labels_of(self, frame: pd.DataFrame) -> Labels:
        """The label of every record of a frame, in one call."""
        answers = np.asarray(self.black_box.labels(frame), dtype=object)
        if answers.shape != (len(frame),):
            raise GLocalXError(
                f"The black box “{self.black_box.name}” was asked about {len(frame):,} records "
                f"and gave {answers.size:,} labels. Use one that gives a label per record."
            )
        places = Coded.of(answers).among(self._outcomes)
        if (places < 0).any():
            raise GLocalXError(
                f"The black box “{self.black_box.name}” answers “{answers[places < 0][0]}”, which "
                f"is none of the outcomes: {', '.join(self._outcomes)}. Use the outcomes of the "
                "black box."
            )
        return places


def distinct_rows(codes: Codes) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The places of the distinct rows, and for each row its place among these.

    Examples
    --------
    >>> first, places = distinct_rows(np.array([[1, 2], [0, 2], [1, 2]], dtype=np.int32))
    >>> first.tolist(), places.tolist()
    ([1, 0], [1, 0, 1])
    """
    keys: npt.NDArray[Any]
    sizes = codes.max(axis=0).astype(object) + 1
    if int(np.prod(sizes)) < 2**63:
        weights = np.cumprod(np.append(1, sizes[:-1]))
        keys = codes.astype(np.int64) @ weights.astype(np.int64)
    else:
        rows = np.ascontiguousarray(codes)
        keys = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    _, first, places = np.unique(keys, return_index=True, return_inverse=True)
    return first, places
