"""What came of a damaged file: read, refused, or its child ended; anything else is a fault."""

from __future__ import annotations

import traceback
import warnings
from collections import Counter
from collections.abc import Iterable
from functools import partial
from random import Random

from glocalx.errors import GLocalXError
from tests.fuzz.mutations import damaged
from tests.fuzz.read_here import iter_here
from tests.fuzz.readers import READERS

KINDS = ("read", "refused", "child failed", "child ended", "late", "fault")
_HARMLESS = ("read", "refused", "child failed")


def outcome(reader: str, number: int) -> tuple[str, str]:
    """What came of the file with this number, and what was said; in a child of its own."""
    taken = READERS[reader]
    data = damaged(taken.whole(), Random(f"{reader} {number}"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # numbers that overflow, of which a page says nothing
            taken.read(data)
    except GLocalXError as error:
        said = str(error)
        for part, kind in (
            ("ended without an answer", "child ended"),
            ("did not answer within", "late"),
            ("” fails (", "child failed"),
        ):
            if part in said:
                return kind, said
        return "refused", said
    except Exception:
        return "fault", traceback.format_exc()
    return "read", ""


def tally(reader: str, numbers: Iterable[int]) -> tuple[Counter[str], list[str]]:
    """How often each came out; the faults in full, and what else a reader should not need."""
    counts: Counter[str] = Counter()
    told = []
    READERS[reader].whole()  # once, before there are forks
    for number, kind, said in iter_here(partial(outcome, reader), numbers):
        if kind not in _HARMLESS:
            kind, said = outcome(reader, number)
        counts[kind] += 1
        if kind in ("fault", "late", "child ended"):
            told.append(f"{kind}: {reader} {number}\n{said}")
    return counts, told
