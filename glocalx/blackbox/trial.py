"""A model file tried on a few records: does it open, what does it answer, what does it need?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Unpack

import pandas as pd

from glocalx.blackbox.base import Labels
from glocalx.blackbox.check import check_gaps
from glocalx.blackbox.columns import OpenColumnsError, SaidColumns
from glocalx.blackbox.confusion import Confusion, count_confusion
from glocalx.blackbox.model_file import open_model
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Schema

MOST_TRIED_ORDERS = 6


@dataclass(frozen=True, slots=True, eq=False)
class ModelTrial:
    """What came of opening a model.

    Parameters
    ----------
    problem
        Why it cannot be used as it is; empty where it can.
    asks
        Where a person can help: which columns are open.
    columns
        The columns of the table that it takes, in its order.
    judged
        True labels against its answers, for the records that were tried.
    """

    problem: str = ""
    answers: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    judged: Confusion | None = None
    asks: OpenColumnsError | None = None
    notes: tuple[str, ...] = ()


def try_model(
    name: str,
    data: bytes,
    schema: Schema,
    frame: pd.DataFrame,
    truth: Labels,
    *,
    trusted: Sequence[str] = (),
    **said: Unpack[SaidColumns],
) -> ModelTrial:
    """Open a model, ask it about these records, and close it again.

    `name`, `data`, `schema`, `trusted`, `said`: see :func:`glocalx.blackbox.model_file.open_model`.
    """
    box = None
    try:
        box = open_model(name, data, schema, trusted=trusted, sample=frame, **said)
        check_gaps(box, frame)
        judged = count_confusion(truth, box.labels(frame))
        notes = getattr(box, "notes", ())
        return ModelTrial("", box.outcomes, box.columns, judged, notes=notes)
    except OpenColumnsError as error:
        return ModelTrial(str(error), asks=error)
    except GLocalXError as error:
        return ModelTrial(str(error))
    finally:
        close = getattr(box, "close", None)
        if close is not None:
            close()


def agreement(judged: Confusion, meaning: Mapping[str, str]) -> float:
    """Share of the tried records for which the model is right if its answers mean this."""
    places = {outcome: place for place, outcome in enumerate(judged.outcomes)}
    right = sum(
        int(judged.counts[places[outcome], places[answer]])
        for answer, outcome in meaning.items()
        if answer in places and outcome in places
    )
    return right / max(judged.records, 1)


def guess_meaning(
    answers: Sequence[str], outcomes: Sequence[str], judged: Confusion
) -> dict[str, str]:
    """What the answers most likely mean: those of the same name; else what is right most often."""
    if set(answers) <= set(outcomes) or len(answers) > min(len(outcomes), MOST_TRIED_ORDERS):
        return {answer: answer for answer in answers}
    ways = [dict(zip(answers, way, strict=True)) for way in permutations(outcomes, len(answers))]
    return max(ways, key=lambda meaning: agreement(judged, meaning))
