"""On which records two runs can be compared: those that neither of them has learned from."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.errors import GLocalXError
from glocalx.pipeline.tables import LabelledTable
from glocalx.rules.schema import Schema
from glocalx.words.phrases import counted, listing, never_used, shown

ADVICE = "Open its own data, or choose another run."
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Common:
    """The held-out records of this run that the other side has not seen either.

    Parameters
    ----------
    places
        Their places among the held-out records of this run.
    others
        The places of the same records among the held-out ones of the other run; None where it
        was made from another table, so that only its rules can be asked.
    held_out
        How many held-out records this run has.
    """

    places: Places = field(repr=False)
    others: Places | None = field(repr=False)
    held_out: int

    @property
    def left_out(self) -> int:
        """Records that the other side has learned from."""
        return self.held_out - len(self.places)


def all_held_out(mine: LabelledTable) -> Common:
    """Every held-out record: for what was learned from this run's own explained records."""
    places = np.arange(mine.held_out.size)
    return Common(places, places, mine.held_out.size)


def common_records(mine: LabelledTable, other: LabelledTable) -> Common:
    """The records to compare two runs on.

    Of one table, those that both hold out, told by their rows in the file. Of two tables, those
    of this run without a twin, equal in every feature, among the records that the other run
    learned from.

    Raises
    ------
    GLocalXError
        Where the runs answer different questions, or know different columns.
    """
    _check_question(mine, other)
    if mine.split.table.raw.cells.equals(other.split.table.raw.cells):
        one, two = (each.split.table.rows[each.split.parts.test] for each in (mine, other))
        _, places, others = np.intersect1d(one, two, assume_unique=True, return_indices=True)
        order = np.argsort(places)
        return Common(places[order], others[order], mine.held_out.size)
    _check_columns(mine.schema, other.schema)
    learned = pd.concat([other.split.train, other.split.explain])
    twin = _marks(mine.split.test, mine.schema).isin(_marks(learned, mine.schema))
    return Common(np.flatnonzero(~twin.to_numpy()), None, mine.held_out.size)


def _check_question(mine: LabelledTable, other: LabelledTable) -> None:
    targets = [each.split.table.choices.outcome("target") for each in (mine, other)]
    if targets[0] != targets[1]:
        raise GLocalXError(
            f"This run explains {shown(targets[1])}, the one on the left {shown(targets[0])}. "
            f"{ADVICE}"
        )
    if mine.schema.outcomes != other.schema.outcomes:
        raise GLocalXError(
            f"This run tells {listing(other.schema.outcomes)} apart, the one on the left "
            f"{listing(mine.schema.outcomes)}. {ADVICE}"
        )


def _check_columns(mine: Schema, other: Schema) -> None:
    """The same names and kinds; a category that only one of two tables has does no harm."""
    strange = sorted(set(mine.names) ^ set(other.names))
    kinds = [
        name
        for name in mine.names
        if name in other and mine[name].is_categorical != other[name].is_categorical
    ]
    if strange:
        named = listing(strange, most=3)
        raise GLocalXError(f"This run was made with other columns: {named}. {ADVICE}")
    if kinds:
        named = listing(kinds, most=3)
        raise GLocalXError(f"This run takes {named} as another kind of column. {ADVICE}")


def _marks(frame: pd.DataFrame, schema: Schema) -> pd.Series[int]:
    """A number for each record that is the same for equal ones."""
    columns = {
        feature.name: frame[feature.name].astype(str if feature.is_categorical else float)
        for feature in schema.features
    }
    return pd.util.hash_pandas_object(pd.DataFrame(columns), index=False)


def records_sentence(common: Common, unseen_by_black_box: bool, *, another_run: bool) -> str:
    """Which records the comparison rests on, and why; our own words and numbers only."""
    compared = counted(len(common.places), "held-out record")
    if not another_run:
        unused = never_used(unseen_by_black_box)
        return f"Compared on the {compared} of this run, from which {unused}."
    if common.others is None:
        left_out = counted(common.left_out, "record")
        return (
            f"Compared on {compared} of this run. The other run was made from another table with "
            f"the same columns; {left_out} with a twin among those it learned from are left out. "
            "Both are held against the black box of this run."
        )
    if not common.left_out:
        return f"Compared on the {compared} of this run, which the other run holds out, too."
    return (
        f"Compared on {compared}. Of the {common.held_out:,} that this run holds out, the other "
        f"run learned from {common.left_out:,} or does not have them, and these are left out. "
        "Give both runs the same seed and shares to compare them on all."
    )
