"""A model file tried on a few records: does it open, what does it answer, what does it need?"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import streamlit as st

from glocalx.blackbox.confusion import Confusion, count_confusion
from glocalx.blackbox.model_file import open_model
from glocalx.errors import GLocalXError
from glocalx.pipeline.tables import SplitTable

TRIED = 2_000
MOST_TRIED_ORDERS = 6


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """What came of opening a model.

    Parameters
    ----------
    problem
        Why it cannot be used as it is; empty where it can.
    answers
        The outcomes it can give.
    columns
        The columns of the table that it takes, in its order.
    judged
        True labels against its answers, for the records that were tried.
    """

    problem: str = ""
    answers: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    judged: Confusion | None = None


def try_model(
    name: str,
    data: bytes,
    shared: SplitTable,
    trusted: Sequence[str] = (),
    columns: Sequence[str] | None = None,
) -> Trial:
    """Open the model, ask it about a few records, and close it again."""
    digest = hashlib.sha256(data).hexdigest()
    wanted = None if columns is None else tuple(columns)
    fingerprint = shared.table.fingerprint()
    return _tried(name, digest, fingerprint, tuple(trusted), wanted, data, shared)


@st.cache_resource(max_entries=8, show_spinner="Trying the model …")
def _tried(
    name: str,
    digest: str,
    fingerprint: str,
    trusted: tuple[str, ...],
    columns: tuple[str, ...] | None,
    _data: bytes,
    _shared: SplitTable,
) -> Trial:
    some, target = _shared.train[:TRIED], _shared.table.target[_shared.parts.train][:TRIED]
    box = None
    try:
        box = open_model(
            name, _data, _shared.table.schema(), trusted=trusted, columns=columns, sample=some
        )
        judged = count_confusion(target, box.labels(some))
        return Trial("", box.outcomes, tuple(getattr(box, "columns", ())), judged)
    except GLocalXError as error:
        return Trial(str(error))
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
