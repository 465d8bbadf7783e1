"""Everything that a person chose for a run, and which results it makes invalid to change it.

A run goes through stages. The result of a stage carries the key of all settings that it depends
on; where the key has changed since, the result no longer counts.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from glocalx.errors import GLocalXError
from glocalx.extraction.settings import ExtractionSettings
from glocalx.merging.search import BY_THE_WHOLE, MergeSettings
from glocalx.pipeline.settings_check import check_settings
from glocalx.selection import DEFAULT_BUDGET, DEFAULT_PRICE

if TYPE_CHECKING:  # they would bring scikit-learn along, and the first page should not wait for it
    from glocalx.blackbox.presets import ModelKind, Preset
    from glocalx.questions.permissions import MayChange
    from glocalx.table import ColumnKind, Gaps, Role

Stage: TypeAlias = Literal["model", "rules", "merge", "resamples"]
EVERY_STAGE: tuple[Stage, ...] = get_args(Stage)
STAGES = EVERY_STAGE[:3]  # on the way to a theory; the last one tells whether its rules stay
TRAIN_SHARE = 0.70
MOST_ROWS = 50_000
MOST_RECORDS = 2_000
ALL = sys.maxsize  # records or rows: more than any table has


@dataclass(frozen=True, slots=True)
class DataSettings:
    """Which table, what its columns are for, and how its records are shared out.

    Parameters
    ----------
    sample
        The name of a sample; None for a file.
    file, name, content
        The file in the run's folder, how the person called it, and the start of its SHA-256.
    roles, kinds, labels
        What the person changed, by column.
    sensitive
        Features that the person marked as sensitive, or not; it changes no result.
    left_out
        Columns that the person left out by a click because they give the answer away, with the
        roles that they had: taking one back in is a click, too. It changes no result.
    may_change
        By feature whether a change that is proposed may touch it, and in which direction; it
        changes no stage's result. What is not named may change, unless it is sensitive.
    positive
        The outcome that people ask about.
    bands
        Where numbers in the outcome columns are cut; none: outcomes as they are in the file.
    most_rows
        Larger tables are sampled down to so many records.
    train, explain, seed
        The shares of the records and the seed of the split.
    gaps
        `keep`: missing values are values; the black box is asked about records as they are.
        `fill`: the mean or the most frequent category takes their place. New runs keep them; runs
        of earlier versions filled them, and what says nothing does so.
    drawn
        GLocalX*: True explains records drawn from the distribution of those set apart to be
        explained, nobody's, in their place; None: these records themselves.
    """

    sample: str | None = None
    file: str | None = None
    name: str = ""
    content: str = ""
    roles: Mapping[str, Role] = field(default_factory=dict)
    kinds: Mapping[str, ColumnKind] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    sensitive: Mapping[str, bool] = field(default_factory=dict)
    left_out: Mapping[str, Role] = field(default_factory=dict)
    may_change: Mapping[str, MayChange] = field(default_factory=dict)
    positive: str | None = None
    bands: tuple[float, ...] = ()
    most_rows: int = MOST_ROWS
    train: float = TRAIN_SHARE
    explain: float = 0.21
    seed: int = 0
    gaps: Gaps = "fill"
    drawn: bool | None = None


@dataclass(frozen=True, slots=True)
class BoxSettings:
    """What is asked for labels.

    Parameters
    ----------
    source
        `train` one here; `model`: a file; `predictions`: a column; `labels`: the outcomes as given.
    kind, preset
        Of the model to train.
    file, name, content
        The model file in the run's folder, how the person called it, and the start of its
        SHA-256.
    trusted, columns, renamed, outcomes
        See :func:`glocalx.blackbox.model_file.open_model`.
    """

    source: Literal["train", "model", "predictions", "labels"] = "train"
    kind: ModelKind = "rf"
    preset: Preset = "quick"
    file: str | None = None
    name: str = ""
    content: str = ""
    trusted: tuple[str, ...] = ()
    columns: tuple[str, ...] | None = None
    renamed: Mapping[str, str] | None = None
    outcomes: Mapping[str, str] | None = None

    @property
    def is_trained_here(self) -> bool:
        """Whether it is known what it was trained on."""
        return self.source == "train"


@dataclass(frozen=True, slots=True)
class RuleSettings:
    """Where the local rules come from.

    Parameters
    ----------
    extraction
        How they are made here.
    records
        At most so many records are explained, drawn at random.
    file, name, content
        Rules made elsewhere: the file in the run's folder, how the person called it, and the
        start of its SHA-256.
    pool
        Each record is explained so many times, each time from another seed, and all these rules
        are merged and chosen from together; None: once, the paper's way.
    """

    extraction: ExtractionSettings = field(default_factory=ExtractionSettings)
    records: int = MOST_RECORDS
    file: str | None = None
    name: str = ""
    content: str = ""
    pool: int | None = None

    def __post_init__(self) -> None:
        if self.pool is not None and self.pool < 1:
            raise GLocalXError("A pool has at least 1 seed.")


@dataclass(frozen=True, slots=True)
class SelectionSettings:
    """How the final theory is chosen from the hierarchy.

    Parameters
    ----------
    by, value
        The way to choose, and its one argument.
    steering
        What people changed by hand, as JSON holds it; see :mod:`glocalx.files.steering`.
    price, conditions
        With a budget: what a condition has to earn, and how many there may be in all; see
        :func:`glocalx.selection.select`. None: conditions are free, and any number may be.
    together
        With alpha: whether rules are taken that are faithful together, or one by one: the paper's
        way, and that of runs of earlier versions, which say nothing.
    steady
        With a budget: rules that depend less on the seed; see :mod:`glocalx.selection.steady`.
    """

    by: Literal["budget", "alpha", "alpha_q"] = "budget"
    value: float = DEFAULT_BUDGET
    steering: tuple[Mapping[str, Any], ...] = ()
    price: float | None = None
    conditions: int | None = None
    together: bool = False
    steady: bool = False

    @property
    def restrictions(self) -> tuple[Mapping[str, Any], ...]:
        """The steps that say what any rule may be; the others put rules in and take them out."""
        return tuple(step for step in self.steering if "bar" in step or "direction" in step)

    @property
    def barred_from_start(self) -> tuple[str, ...]:
        """The features that no local rule may bring into the merge."""
        steps = (step for step in self.steering if step.get("from_start") is True)
        return tuple(sorted(str(step.get("bar")) for step in steps))

    def to_options(self) -> dict[str, Any]:
        """As :func:`glocalx.selection.select` wants it."""
        if self.by == "alpha":
            return {"alpha": int(self.value), "together": self.together}
        if self.by == "alpha_q":
            return {"alpha_q": self.value}
        given = {"price": self.price, "conditions": self.conditions, "steady": self.steady or None}
        return {"budget": int(self.value), **{k: v for k, v in given.items() if v is not None}}


@dataclass(frozen=True)  # no slots: the keys are kept once they are known
class RunSettings:
    """All that a person chose for the road from a table to a theory.

    Parameters
    ----------
    synthetic
        GLocalX*: merge and choose on records that are drawn, not on the explained ones.
    """

    data: DataSettings = field(default_factory=DataSettings)
    box: BoxSettings = field(default_factory=BoxSettings)
    rules: RuleSettings = field(default_factory=RuleSettings)
    merge: MergeSettings = field(default_factory=MergeSettings)
    selection: SelectionSettings = field(default_factory=SelectionSettings)
    synthetic: bool = False

    def key(self, stage: Stage) -> str:
        """A short text that differs if anything that the stage depends on differs."""
        return self._keys[stage]

    @cached_property
    def _keys(self) -> Mapping[Stage, str]:
        chosen = asdict(self)
        for cosmetic in ("labels", "sensitive", "left_out", "may_change", "positive", "name"):
            del chosen["data"][cosmetic]
        del chosen["box"]["trusted"]  # consent changes no answer
        if self.data.gaps == "fill":
            del chosen["data"]["gaps"]  # runs of earlier versions do not name it
        if self.merge.reference == "explained":
            del chosen["merge"]["reference"]  # nor this
        if self.synthetic:
            chosen["merge"]["synthetic"] = True
        chosen["merge"]["barred"] = self.selection.barred_from_start
        parts = ("data", "box", "rules", "merge")
        keys: dict[Stage, str] = {
            stage: _digest({name: chosen[name] for name in parts[:count]})
            for count, stage in enumerate(STAGES, start=2)
        }
        made = {name: chosen[name] for name in parts}
        again = {
            "restrictions": list(self.selection.restrictions),
            "price": self.selection.price,
            "draws": 1,
            "steady": self.selection.steady or None,  # runs of earlier versions do not name it
        }
        return {**keys, "resamples": _digest({**made, **again})}

    @property
    def unseen(self) -> bool:
        """Whether the black box has not seen the held-out records: it was trained here on others,
        or so the person says.
        """
        return self.box.is_trained_here or (
            not self.data.train and "seen" in self.data.roles.values()
        )

    def with_box(self, box: BoxSettings) -> RunSettings:
        """Another black box. One that is not trained here needs no records to be trained on."""
        data = DataSettings() if self.box.source == "labels" else self.data
        train, explain = 0.0, 1.0
        if box.source != "labels":
            train = (data.train or TRAIN_SHARE) if box.is_trained_here else 0.0
            moved = round(data.explain / (1 - data.train) * (1 - train), 6)
            explain = data.explain if train == data.train else moved
        data = replace(self.data, train=train, explain=explain)
        return replace(self, data=data, box=box)

    def with_contents(self, files: Mapping[str, bytes]) -> RunSettings:
        """The settings with what is in new files: other content makes results invalid too."""
        parts = {"table": "data", "model": "box", "rules": "rules"}
        changed: dict[str, Any] = {
            parts[name]: replace(
                getattr(self, parts[name]), content=hashlib.sha256(data).hexdigest()[:16]
            )
            for name, data in files.items()
            if name in parts
        }
        return replace(self, **changed)

    def to_dict(self) -> dict[str, Any]:
        made: dict[str, Any] = json.loads(json.dumps(asdict(self), default=list))
        return made

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RunSettings:
        """The inverse of :meth:`to_dict`; what is missing takes its default.

        Raises
        ------
        GLocalXError
            Where a setting is unknown, or is what nobody could have chosen.
        """
        check_settings(data)
        rules = dict(data.get("rules", {}))
        rules["extraction"] = ExtractionSettings(**rules.get("extraction", {}))
        return cls(
            data=DataSettings(**_with_tuples(data.get("data", {}))),
            box=BoxSettings(**_with_tuples(data.get("box", {}))),
            rules=RuleSettings(**rules),
            merge=MergeSettings(**data.get("merge", {})),
            selection=SelectionSettings(**_with_tuples(data.get("selection", {}))),
            synthetic=bool(data.get("synthetic", False)),
        )


def settings_for(data: DataSettings) -> RunSettings:
    """What people get unless they say otherwise; `RunSettings(data)` is the paper's way."""
    return RunSettings(data, merge=BY_THE_WHOLE, selection=SelectionSettings(price=DEFAULT_PRICE))


def _digest(settings: dict[str, Any]) -> str:
    text = json.dumps(_without_empty(settings), sort_keys=True, default=list)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _without_empty(settings: dict[str, Any]) -> dict[str, Any]:
    """What is empty does not count, so that a setting that is added later leaves old keys alone."""
    kept = {k: _without_empty(v) if isinstance(v, dict) else v for k, v in settings.items()}
    return {k: v for k, v in kept.items() if v is not None and v not in ("", {}, [], ())}


def _with_tuples(part: Mapping[str, Any]) -> dict[str, Any]:
    names = ("trusted", "columns", "bands", "steering")
    return {k: tuple(v) if k in names and v is not None else v for k, v in part.items()}
