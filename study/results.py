"""The cells of a study, read from their files and asked for figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.words.phrases import listing
from study.paper import Pair
from study.plan import BLACK_BOXES, DATASETS, StudyCell, StudySettings
from study.running import read_cell
from study.study_table import Figure


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """Everything that was measured.

    Parameters
    ----------
    cells
        The files of the cells, as plain data.
    settings
        With which all of them were made.
    """

    cells: tuple[dict[str, Any], ...]
    settings: StudySettings

    @classmethod
    def read(cls, folder: Path, cells: Iterable[StudyCell], settings: StudySettings) -> Study:
        """What is on file for these cells; all of them must be."""
        wanted = sorted(cells, key=_order)
        found = {cell: read_cell(folder, cell, settings) for cell in wanted}
        missing = [cell.title for cell, content in found.items() if content is None]
        if missing:
            raise GLocalXError(
                f"The study is not complete: {listing(missing, most=3)}. Start the command again."
            )
        return cls(tuple(content for content in found.values() if content is not None), settings)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Data sets and black boxes, in the order in which tables show them."""
        return tuple(dict.fromkeys(map(_pair, self.cells)))

    @property
    def datasets(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(dataset for dataset, _ in self.pairs))

    @property
    def seeds(self) -> tuple[int, ...]:
        return tuple(sorted({cell["cell"]["seed"] for cell in self.cells}))

    def of(self, pair: Pair) -> list[dict[str, Any]]:
        """The cells of one pair, one for each seed."""
        return [cell for cell in self.cells if _pair(cell) == pair]

    def values(self, pair: Pair, *path: str) -> list[float | None]:
        """One figure for each seed; None where it was not measured."""
        return [_at(cell, path) for cell in self.of(pair)]

    def mean(self, pair: Pair, *path: str) -> float:
        """Over seeds; NaN where nothing was measured."""
        return Figure.of(self.values(pair, *path)).mean

    def has(self, method: str) -> bool:
        """Whether a method was measured in every cell."""
        return all(method in cell["methods"] for cell in self.cells)

    def measured(self, methods: Sequence[str]) -> tuple[str, ...]:
        return tuple(method for method in methods if self.has(method))


def pair_titles(pair: Pair) -> tuple[str, str]:
    """A pair as people read it.

    Examples
    --------
    >>> pair_titles(("compas", "mlp"))
    ('COMPAS', 'DNN')
    """
    dataset, kind = pair
    return DATASETS[dataset], BLACK_BOXES[kind]  # type: ignore[index]  # a pair has a model kind


def _pair(cell: dict[str, Any]) -> Pair:
    return cell["cell"]["dataset"], cell["cell"]["black_box"]


def _order(cell: StudyCell) -> tuple[int, int, int]:
    return (
        list(DATASETS).index(cell.dataset),
        list(BLACK_BOXES).index(cell.black_box),
        cell.seed,
    )


def _at(cell: dict[str, Any], path: Sequence[str]) -> float | None:
    found: Any = cell
    for step in path:
        if not isinstance(found, dict) or step not in found:
            return None
        found = found[step]
    return None if found is None else float(found)
