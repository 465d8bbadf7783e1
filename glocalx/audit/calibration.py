"""Whether probabilities keep their word in each group.

Of those to whom a model gives 70 %, seven in ten should be it, in every group.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from glocalx.audit.audit import Audit
from glocalx.audit.axis import Axis
from glocalx.audit.comparison import JudgedGroup, Share, corrected_groups
from glocalx.audit.grouping import NamedGroup, find_groups
from glocalx.audit.intervals import Estimate
from glocalx.audit.source import Source
from glocalx.audit.tally import Bools, Floats, Ints
from glocalx.errors import GLocalXError
from glocalx.words.phrases import shown

TENTHS = tuple(place / 10 for place in range(1, 10))


@dataclass(frozen=True, slots=True)
class Tenth:
    """The records of a group whose probability lies in one tenth of the scale."""

    low: float
    probability: float
    observed: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCalibration(JudgedGroup):
    """What was promised for a group, and what came; tested is that as many came as were promised.

    Parameters
    ----------
    probability
        The mean of the probabilities.
    observed
        For how many the outcome is true.
    error
        The expected calibration error: how far share and mean probability are apart in each tenth
        of the scale, weighted by records. 0 means that every probability keeps its word.
    """

    probability: float
    observed: Share
    error: float
    tenths: tuple[Tenth, ...]

    @property
    def gap(self) -> Estimate:
        """Share minus mean probability; below 0, more were promised than came."""
        found = self.observed.rate()
        away = self.probability
        return Estimate(found.value - away, found.low - away, found.high - away)


@dataclass(frozen=True, slots=True)
class CalibrationTable:
    """Every group, and the column that the probabilities are from."""

    column: str
    rows: tuple[GroupCalibration, ...]


def calibration_table(source: Source, audit: Audit, column: str) -> CalibrationTable:
    """How well the probabilities of a column tell the outcome asked about; one more pass.

    `column`: with probabilities from 0 to 1 of the outcome asked about.
    """
    feature = source.feature(column)
    if feature.is_categorical or feature.kind == "date":
        raise GLocalXError(
            f"{shown(column)} holds no numbers, so it cannot hold probabilities. Name another "
            "column."
        )
    axis = Axis.of_bands(
        replace(feature, kind="numeric"), (0.0, *TENTHS, 1.0, math.nextafter(1, 2))
    )
    names = [each for each in audit.axes if each.name != column]
    tally = source.tally((), [*names, axis], numbers=[column])
    place = tally.groups[:, -1]
    if ((place == 0) | (place == len(axis.groups) - 1)).any():
        raise GLocalXError(
            f"{shown(column)} holds numbers below 0 or above 1, so they are no probabilities. Name "
            "another column, or divide percentages by 100."
        )
    moments, known = tally.moments[column], (tally.truth >= 0) & (place >= 0)
    sums = moments.known * moments.mean
    squares = moments.squares + moments.known * moments.mean**2
    true = np.where(tally.truth == tally.outcomes.index(audit.settings.outcome), tally.count, 0)
    tenth = np.minimum(place - 1, len(TENTHS))
    rows = []
    for columns in audit.settings.column_sets:
        if column in columns:
            continue
        for group in find_groups(tally, columns):
            cells = group.cells & known
            if group.size and cells.any():
                counted = (tally.count, true, sums, squares, tenth)
                parts = [each[cells] for each in counted]
                rows.append(_row(group, parts, audit.settings.enough))
    return CalibrationTable(column, corrected_groups(rows))


def _row(group: NamedGroup, parts: Sequence[Ints | Floats], enough: int) -> GroupCalibration:
    count, true, sums, squares, tenth = parts
    size, promised = int(count.sum()), float(sums.sum())
    tenths = []
    for place in sorted(set(tenth.tolist())):
        here: Bools = tenth == place
        records = int(count[here].sum())
        observed = Share(int(true[here].sum()), records)
        tenths.append(Tenth(int(place) / 10, float(sums[here].sum()) / records, observed))
    apart = (
        each.observed.size * abs(each.observed.rate().value - each.probability) for each in tenths
    )
    spread = promised - float(squares.sum())  # of independent yes and no with these probabilities
    p_value = math.nan
    if size >= enough and spread > 0:
        p_value = float(2 * stats.norm.sf(abs(int(true.sum()) - promised) / math.sqrt(spread)))
    return GroupCalibration(
        *group.named,
        probability=promised / size,
        observed=Share(int(true.sum()), size),
        error=math.fsum(apart) / size,
        tenths=tuple(tenths),
        p_value=p_value,
    )
