"""One question to a black box before the work starts: can its answers be explained?"""

from __future__ import annotations

import numpy as np
import pandas as pd

from glocalx.blackbox.base import (
    BlackBox,
    Labels,
    Target,
    checked_labels,
    checked_probabilities,
    label_texts,
)
from glocalx.errors import GLocalXError
from glocalx.words.phrases import listing

_TRIED = 50  # records with a gap in a column


def check_black_box(box: BlackBox, frame: pd.DataFrame, target: Target | None = None) -> None:
    """Ask for all records of `frame` and refuse answers that cannot be explained.

    `target`: their true labels, where there are any: the answers must be of the same kind.

    Raises
    ------
    GLocalXError
        Where answers are missing or too many, are NaN, are the same for every record, or are
        nothing like the target.
    """
    given = sorted(set(_ask(box, frame)))
    if len(given) < 2:
        said = listing(given) if given else "nothing"
        raise GLocalXError(
            f"The model “{box.name}” answers {said} for all {len(frame):,} records, so there is "
            "nothing to explain. Check its columns and their units, or use another model."
        )
    truths = sorted(set(given if target is None else label_texts(target, "the target")))
    if set(given).isdisjoint(truths):
        raise GLocalXError(
            f"The model “{box.name}” answers {listing(given)}, the target has {listing(truths)}. "
            "Say which answer means which, or choose the target for which the model was made."
        )


def check_gaps(box: BlackBox, frame: pd.DataFrame) -> None:
    """Ask for a few records with gaps in every column that has some, and refuse no answer."""
    columns = [name for name in getattr(box, "columns", frame.columns) if frame[name].hasnans]
    if not columns:
        return
    missing = frame[columns].isna().to_numpy()
    few = np.unique(np.concatenate([np.flatnonzero(lacks)[:_TRIED] for lacks in missing.T]))
    try:
        _ask(box, frame.iloc[few])
    except GLocalXError as error:
        whole = np.flatnonzero(~missing.any(axis=1))[:_TRIED]
        _ask(box, frame.iloc[whole])  # where it fails on these, too, gaps are not the reason
        raise GLocalXError(
            f"The model “{box.name}” does not answer for records without a value in "
            f"{listing(columns)}. Have the gaps filled with the mean or the most frequent value "
            "(--gaps fill; on the page Data, “Fill them”), or bring a model that takes them."
        ) from error


def _ask(box: BlackBox, frame: pd.DataFrame) -> Labels:
    """Labels, once probabilities, too, are what they should be."""
    labels = checked_labels(box.labels(frame), len(frame), box.outcomes, box.name)
    probabilities = box.probabilities(frame)
    if probabilities is not None:
        checked_probabilities(probabilities, len(frame), box.outcomes, box.name)
    return labels
