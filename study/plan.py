"""What the study is made of: cells of work, each a data set, a black box and a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from glocalx.blackbox.presets import MODEL_KINDS, ModelKind, Preset
from glocalx.errors import GLocalXError
from glocalx.extraction.settings import ExtractionSettings
from glocalx.merging.search import BY_THE_WHOLE, MergeSettings
from glocalx.selection import DEFAULT_PRICE
from glocalx.words.phrases import listing, shown
from study.paper import PAIRS

DATASETS = {
    "compas": "COMPAS",
    "adult": "Adult",
    "german": "German credit",
    "diva": "Diva (synthetic)",
}
BLACK_BOXES: dict[ModelKind, str] = {"mlp": "DNN", "rf": "RF", "svm": "SVM", "gb": "GB"}
"""As the paper calls them; the last one is not in it."""

PERCENTILES = (75, 90, 95, 99)
TOO_SLOW = (("adult", "svm"),)  # an exact one takes over 20 minutes to ask: the quick preset


@dataclass(frozen=True, slots=True, order=True)
class StudyCell:
    """One piece of work."""

    dataset: str
    black_box: ModelKind
    seed: int

    @property
    def title(self) -> str:
        return f"{DATASETS[self.dataset]}, {BLACK_BOXES[self.black_box]}, seed {self.seed}"

    @property
    def file_name(self) -> str:
        return f"{self.dataset}-{self.black_box}-{self.seed}.json"


@dataclass(frozen=True, slots=True)
class StudySettings:
    """How every cell is worked on.

    Parameters
    ----------
    preset
        Of the black boxes: `paper` for grid searches, `quick` for one good setting each.
    most_train, most_explained
        At most so many records to train on and to explain; None for all, as in the paper.
    shares, trials
        Shares of the local rules, in percent, that are merged alone, and how often each.
    budget
        Number of rules that everything small is held to.
    extras
        Whether learners of other packages are fitted, where these are installed.
    same_labels
        Whether rivals learn from every record that the black box has labelled, background records
        too, which local rules are written with in view; if not, from the explained ones, as in
        the paper.
    extraction, merging, price
        The defaults that everybody gets; a price is that of a condition.
    as_printed
        How the paper merges: pair by pair on the explained records. Its conditions are free.
    """

    preset: Preset = "paper"
    most_train: int | None = None
    most_explained: int | None = None
    shares: tuple[int, ...] = (1, 20, 40, 60, 80)
    trials: int = 10
    budget: int = 10
    extras: bool = True
    same_labels: bool = False
    extraction: ExtractionSettings = field(default_factory=ExtractionSettings)
    merging: MergeSettings = BY_THE_WHOLE
    price: float = DEFAULT_PRICE
    as_printed: MergeSettings = field(default_factory=MergeSettings)

    def __post_init__(self) -> None:
        if self.trials < 1:
            raise GLocalXError("Each share of the local rules has to be drawn at least once.")

    @classmethod
    def quick(cls) -> StudySettings:
        """Small enough for a continuous-integration run: the same work on fewer records."""
        return cls(
            preset="quick",
            most_train=3_000,
            most_explained=300,
            shares=(20, 60),
            trials=2,
            extras=False,
        )

    @property
    def labels_said(self) -> str:
        """Which answers of the black box the methods learn from."""
        if not self.same_labels:
            return (
                "Rivals, and GLocalX as in the paper, are fitted on the explained records with "
                "their black-box labels, GLocalX as people get it on every record that has one."
            )
        return (
            "Rivals, and GLocalX as people get it, are fitted on every record that the black box "
            "has labelled: explained records and those it was trained on, which local rules are "
            "written with in view; GLocalX as in the paper on the explained ones."
        )

    def preset_of(self, cell: StudyCell) -> Preset:
        return "quick" if (cell.dataset, cell.black_box) in TOO_SLOW else self.preset

    def expected_seconds(self, cell: StudyCell) -> float:
        """How long a cell took on one core of a small machine; for the time left, nothing else."""
        if self.most_explained is not None:
            return 10.0
        return _usual_seconds(cell) / (1 if self.preset == "paper" else 2)

    def to_dict(self) -> dict[str, Any]:
        """As plain data; a cell made with other settings is made anew."""
        made = asdict(self) | {"shares": list(self.shares)}
        if not self.same_labels:
            del made["same_labels"]  # cells of earlier versions do not name it
        return made


def planned_cells(
    datasets: Sequence[str] = (), black_boxes: Sequence[str] = (), seeds: int = 3
) -> tuple[StudyCell, ...]:
    """The cells of a study: seed by seed, of each the longest first.

    Parameters
    ----------
    datasets
        All four where none is named.
    black_boxes
        Those that the paper has for a data set where none is named.
    seeds
        How many; the first is 0.

    Examples
    --------
    >>> [cell.title for cell in planned_cells(["german"], seeds=2)]
    ['German credit, RF, seed 0', 'German credit, RF, seed 1']
    """
    _check(datasets, DATASETS, "data set")
    _check(black_boxes, MODEL_KINDS, "black box")
    if seeds < 1:
        raise GLocalXError(f"A study with {seeds} seeds measures nothing. Give at least 1.")
    wanted = datasets or tuple(DATASETS)
    pairs = [
        (dataset, kind)
        for dataset in dict.fromkeys(wanted)
        for kind in BLACK_BOXES
        if (kind in black_boxes if black_boxes else (dataset, kind) in PAIRS)
    ]
    cells = [StudyCell(dataset, kind, seed) for seed in range(seeds) for dataset, kind in pairs]
    return tuple(sorted(cells, key=lambda cell: (cell.seed, -_usual_seconds(cell))))


def _check(given: Sequence[str], known: Sequence[str] | dict[str, str], what: str) -> None:
    for name in given:
        if name not in known:
            raise GLocalXError(
                f"The study has no {what} {shown(name)}. It has: {listing(known, most=20)}."
            )


def _usual_seconds(cell: StudyCell) -> float:
    return _SECONDS.get((cell.dataset, cell.black_box), 100.0)


_SECONDS = {
    ("adult", "mlp"): 600.0,
    ("adult", "rf"): 450.0,
    ("adult", "svm"): 400.0,
    ("compas", "mlp"): 120.0,
    ("compas", "rf"): 80.0,
    ("compas", "svm"): 170.0,
    ("german", "mlp"): 30.0,
    ("german", "rf"): 50.0,
    ("german", "svm"): 20.0,
    ("diva", "mlp"): 250.0,
    ("diva", "rf"): 200.0,
    ("diva", "svm"): 300.0,
}
