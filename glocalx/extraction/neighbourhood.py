"""Neighbours of a record: drawn, or bred towards the border between the labels.

Drawn, each feature is kept or taken from another real record. Values come from the column's own
observed values, each as often as it occurs there, so whole numbers stay whole and categories stay
valid; uniform numbers between minimum and maximum cost 2 to 8 points of precision.

They are bred as in the LORE papers. Each record has two populations. In one, rows are fit that have
the label of the record, in the other, rows of any other label; in both, the nearer to the record,
the fitter, but the record itself is not. From one generation to the next the fitter of three rows
drawn is taken, pairs are crossed and some rows mutate; a mutated feature takes a value observed in
its column. Unlike in the first LORE, every row that the black box was asked about is kept for the
tree, not only the last generation: on COMPAS that raised the precision from 0.92 to 0.98.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from glocalx.extraction.encoding import Encoding
from glocalx.extraction.local_tree import Labels
from glocalx.extraction.oracle import Oracle, distinct_rows
from glocalx.extraction.settings import ExtractionSettings
from glocalx.rules.codes import Codes

CROSSED = 0.5  # share of the pairs
MUTATED = 0.2  # share of the rows
_DRAWN = 3  # rows of which the fittest is taken


def neighbours(
    record: Codes, background: Codes, count: int, resample: float, rng: np.random.Generator
) -> Codes:
    """The record itself and `count − 1` neighbours of it.

    `resample`: probability with which a feature takes a value drawn from its column, drawn for each
    feature and neighbour apart.

    Examples
    --------
    >>> background = np.array([[0, 5], [1, 6], [2, 7]], dtype=np.int32)
    >>> rows = neighbours(background[0], background, 4, 0.5, np.random.default_rng(0))
    >>> rows[0].tolist(), rows.shape
    ([0, 5], (4, 2))
    """
    shape = (count, len(record))
    changed = rng.random(shape, dtype=np.float32) < resample
    changed[0] = False
    rows = np.broadcast_to(record, shape).copy()
    donors = rng.integers(len(background), size=int(changed.sum()))
    rows[changed] = background[donors, np.nonzero(changed)[1]]
    return rows


class Population:
    """The rows bred for one record in one direction.

    Parameters
    ----------
    same
        Whether rows with the label of the record are wanted, or with another.
    scale
        For each feature what a difference of codes is divided by; 0 for categories.
    gap_codes
        For each feature the code of a missing value, which is as far as can be from any other.
    """

    def __init__(
        self,
        record: Codes,
        label: int,
        same: bool,
        scale: npt.NDArray[np.float64],
        gap_codes: Codes,
        rows: Codes,
    ) -> None:
        self._record, self._label, self._same, self._scale = record, label, same, scale
        self._gap_codes = gap_codes
        self.rows = rows
        self.labels: Labels = np.full(len(rows), label)
        self._asked = np.ones(len(rows), dtype=bool)
        self.told: list[tuple[Codes, Labels]] = []

    @property
    def unknown(self) -> Codes:
        """The rows whose labels are not known yet."""
        return self.rows[self._asked]

    def learn(self, labels: Labels) -> None:
        """The labels of the unknown rows; in `told` these stay, one generation after the other."""
        self.told.append((self.unknown, labels))
        self.labels[self._asked] = labels

    def fitness(self) -> npt.NDArray[np.float64]:
        """Wanted label, 1; closeness, up to 1; less 1 for the record itself."""
        wanted = (self.labels == self._label) == self._same
        differs = self.rows != self._record
        numbers = self._scale > 0
        if (self._gap_codes >= 0).any():
            gap = (self.rows == self._gap_codes) | (self._record == self._gap_codes)
            numbers = numbers & ~gap
        apart = np.where(
            numbers, np.abs(self.rows - self._record) / np.maximum(self._scale, 1), differs
        )
        closeness = 1 - apart.mean(axis=1)
        return np.asarray(closeness + wanted - ~differs.any(axis=1))

    def evolve(self, background: Codes, resample: float, rng: np.random.Generator) -> None:
        """The next generation: select, cross, mutate."""
        drawn = rng.integers(len(self.rows), size=(len(self.rows), _DRAWN))
        fittest = drawn[np.arange(len(drawn)), self.fitness()[drawn].argmax(axis=1)]
        parents, labels = self.rows[fittest], self.labels[fittest]
        children = _mutated(_crossed(parents, rng), background, resample, rng)
        self._asked = (children != parents).any(axis=1)
        self.rows, self.labels = children, labels


def _crossed(rows: Codes, rng: np.random.Generator) -> Codes:
    """Pairs of rows with everything between two points exchanged."""
    children = rows.copy()
    half = len(rows) // 2
    points = np.sort(rng.integers(rows.shape[1] + 1, size=(half, 2)), axis=1)
    features = np.arange(rows.shape[1])
    between = (features >= points[:, :1]) & (features < points[:, 1:])
    between &= rng.random((half, 1)) < CROSSED
    first, second = rows[:half], rows[half : 2 * half]
    children[:half] = np.where(between, second, first)
    children[half : 2 * half] = np.where(between, first, second)
    return children


def _mutated(rows: Codes, background: Codes, resample: float, rng: np.random.Generator) -> Codes:
    changed = rng.random(rows.shape) < resample
    changed &= rng.random((len(rows), 1)) < MUTATED
    children = rows.copy()
    donors = rng.integers(len(background), size=int(changed.sum()))
    children[changed] = background[donors, np.nonzero(changed)[1]]
    return children


def bred_neighbourhoods(
    records: Codes,
    labels: Labels,
    background: Codes,
    encoding: Encoding,
    oracle: Oracle,
    settings: ExtractionSettings,
    streams: list[np.random.Generator],
) -> list[tuple[Codes, Labels]]:
    """For each record the rows that were bred and their labels, the record first.

    The black box is asked once for each generation, about the new rows of all records.
    """
    scale = np.array(
        [
            0 if feature.is_categorical else max(1, len(values) - 1 - (gap >= 0))
            for feature, values, gap in zip(
                encoding.schema.features, encoding.values, encoding.gap_codes, strict=True
            )
        ],
        dtype=float,
    )
    size, resample = settings.neighbours // 2, settings.resample
    pairs = [
        [
            Population(
                record,
                int(label),
                same,
                scale,
                encoding.gap_codes,
                neighbours(record, background, size, resample, rng),
            )
            for same in (True, False)
        ]
        for record, label, rng in zip(records, labels, streams, strict=True)
    ]
    populations = [population for pair in pairs for population in pair]
    _ask(populations, oracle)
    for _ in range(settings.generations):
        for pair, rng in zip(pairs, streams, strict=True):
            for population in pair:
                population.evolve(background, resample, rng)
        _ask(populations, oracle)
    return [_told_once(pair) for pair in pairs]


def _ask(populations: list[Population], oracle: Oracle) -> None:
    questions = [population.unknown for population in populations]
    if not sum(map(len, questions)):
        return
    answers = oracle.labels(np.concatenate(questions))
    ends = np.cumsum([len(rows) for rows in questions])[:-1]
    for population, labels in zip(populations, np.split(answers, ends), strict=True):
        population.learn(labels)


def _told_once(pair: list[Population]) -> tuple[Codes, Labels]:
    """Every row that both populations ever held, once, the record first."""
    generations = zip(*(population.told for population in pair), strict=True)
    told = [each for generation in generations for each in generation]
    rows, labels = (np.concatenate(part) for part in zip(*told, strict=True))
    first = np.sort(distinct_rows(rows)[0])  # the record was the very first row
    return rows[first], labels[first]
