"""The whole road, and the only place that knows its order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from glocalx.blackbox.base import BlackBox
from glocalx.blackbox.trained import TrainingProgress
from glocalx.extraction.local_rule import LocalRule
from glocalx.file_bytes import read_bytes
from glocalx.files.confined_rules import read_brought
from glocalx.files.steering import steering_to_list
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.iterate import iter_merges
from glocalx.pipeline.asking import ask, iter_black_box
from glocalx.pipeline.extracting import iter_rules, measured
from glocalx.pipeline.resampling import TEN, Resample, iter_resamples
from glocalx.pipeline.settings import EVERY_STAGE, RunSettings, Stage
from glocalx.pipeline.tables import LabelledTable, SplitTable, open_table, split_table
from glocalx.pipeline.theories import (
    chosen_theory,
    drawn_reference,
    labelled_reference,
    without_barred,
)
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.rules.steering import Steering


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage is.

    `done`, `total`: in its own unit: fits, records, merges.
    """

    stage: Stage
    done: int
    total: int


class Road:
    """From a table to a theory. Each part is made when it is first asked for, and stays.

    A stage makes the parts that take long and tells how far it is; asking for a part goes through
    its stage without telling. The workspace has a road of its own that keeps the parts in files.

    Parameters
    ----------
    folder
        Where the files are that the settings name.
    split
        The records in their parts, where they are known already.
    jobs, cluster
        Processes here, or the address of a Dask scheduler for the local rules.

    Examples
    --------
    >>> from glocalx.pipeline.settings import DataSettings, RuleSettings
    >>> road = Road(RunSettings(data=DataSettings(sample="german"), rules=RuleSettings(records=20)))
    >>> sorted({progress.stage for progress in road.iter_to("rules")})
    ['model', 'rules']
    >>> len(road.local_rules), road.theory.size <= 10
    (20, True)
    """

    def __init__(
        self,
        settings: RunSettings,
        folder: Path = Path(),
        *,
        split: SplitTable | None = None,
        jobs: int = 1,
        cluster: str | None = None,
    ) -> None:
        self.settings = settings
        self.folder = folder
        self.jobs = jobs
        self.cluster = cluster
        if split is not None:
            self.split = split

    def iter_to(self, until: Stage) -> Iterator[Progress]:
        """Every stage that is missing, in order, up to one."""
        ways = {
            "model": self.iter_model,
            "rules": self.iter_rules,
            "merge": self.iter_merge,
            "resamples": self.iter_resamples,
        }
        for stage in self.missing(until):
            yield from ways[stage]()

    def missing(self, until: Stage) -> list[Stage]:
        """The stages that have yet to be gone through, up to one."""
        made = {
            "model": "labelled",
            "rules": "local_rules",
            "merge": "hierarchy",
            "resamples": "resamples",
        }
        wanted = EVERY_STAGE[: EVERY_STAGE.index(until) + 1]
        return [stage for stage in wanted if made[stage] not in vars(self)]

    @cached_property
    def split(self) -> SplitTable:
        """The table, its records shared out."""
        data = self.settings.data
        return split_table(open_table(data, self.folder), data)

    def iter_model(self) -> Iterator[Progress]:
        """Train or open the black box, and ask it about the records."""
        yield from self._iter_black_box()
        self.labelled = ask(self.settings.box, self.black_box, self.split)
        yield Progress("model", 1, 1)

    def _iter_black_box(self) -> Iterator[Progress]:
        yield Progress("model", 0, 1)
        for step in iter_black_box(self.settings.box, self.split, self.folder, jobs=self.jobs):
            if isinstance(step, TrainingProgress):
                yield Progress("model", step.done, step.total + 1)
            else:
                self.black_box = step

    @cached_property
    def black_box(self) -> BlackBox:
        """What is asked."""
        made: BlackBox = self._made("model", "black_box")
        return made

    @cached_property
    def labelled(self) -> LabelledTable:
        """The records with what the black box says of them."""
        made: LabelledTable = self._made("model", "labelled")
        return made

    def iter_rules(self) -> Iterator[Progress]:
        """Make local rules, or read those that were made elsewhere."""
        settings, made = self.settings.rules, list[LocalRule]()
        if self.brought is not None:
            made = measured(self.brought, self.labelled.reference)
            yield Progress("rules", len(made), len(made))
        else:
            for block in iter_rules(
                self.labelled, self.black_box, settings, jobs=self.jobs, cluster=self.cluster
            ):
                made += block.rules
                yield Progress("rules", block.done, block.total)
        self.local_rules = made

    @cached_property
    def brought(self) -> list[Rule] | None:
        """Rules that were made elsewhere; None where they are made here."""
        settings = self.settings.rules
        if settings.file is None:
            return None
        data = read_bytes(self.folder / settings.file)
        return read_brought(data, settings.name or settings.file, self.labelled.schema)

    @cached_property
    def local_rules(self) -> list[LocalRule]:
        """One for each explained record, or those that were brought."""
        made: list[LocalRule] = self._made("rules", "local_rules")
        return made

    @property
    def rules(self) -> list[Rule]:
        """What is merged: the local rules, without what is barred from the start."""
        barred = self.settings.selection.barred_from_start
        return without_barred((local.rule for local in self.local_rules), barred)

    @cached_property
    def reference(self) -> Reference:
        """What is merged and chosen on: explained records, all with a label, or drawn ones."""
        if not self.settings.synthetic:
            wide = self.settings.merge.reference == "labelled"
            return labelled_reference(self.labelled) if wide else self.labelled.reference
        return drawn_reference(self.labelled, self.brought or self.local_rules, self.black_box)

    def iter_merge(self) -> Iterator[Progress]:
        """Merge the local rules to the end."""
        hierarchy = Hierarchy.start(self.rules, self.reference, self.settings.merge)
        total = max(len(hierarchy.local_rules) - 1, 1)
        for step in iter_merges(hierarchy, self.reference):
            yield Progress("merge", step.number, total)
        self.hierarchy = hierarchy
        yield Progress("merge", total, total)

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """Every merge."""
        made: Hierarchy = self._made("merge", "hierarchy")
        return made

    @cached_property
    def theory(self) -> RankedTheory:
        """The rules that the settings choose, in the order in which they decide."""
        return chosen_theory(self.hierarchy, self.reference, self.settings.selection)

    def iter_resamples(self) -> Iterator[Progress]:
        """Draw the explained records anew, again and again, to see which rules stay."""
        made: list[Resample] = []
        for each in self._resamples(0):
            made.append(each)
            yield Progress("resamples", len(made), TEN)
        self.resamples = made

    def _resamples(self, start: int) -> Iterator[Resample]:
        return iter_resamples(
            self.local_rules,
            self.reference,
            self.settings.merge,
            self.settings.selection,
            seed=self.settings.data.seed,
            start=start,
            by_record=self.brought is None and not self.settings.synthetic,
        )

    @cached_property
    def resamples(self) -> list[Resample]:
        """What came of each draw."""
        made: list[Resample] = self._made("resamples", "resamples")
        return made

    def steer(self, steering: Steering) -> None:
        """Change the theory by hand; merged again only if a feature is barred from the start."""
        selection = replace(self.settings.selection, steering=tuple(steering_to_list(steering)))
        barred = self.settings.selection.barred_from_start
        self.settings = replace(self.settings, selection=selection)
        vars(self).pop("theory", None)
        if selection.barred_from_start != barred:
            vars(self).pop("hierarchy", None)
        vars(self).pop("resamples", None)

    def _made(self, stage: Stage, part: str) -> Any:
        """A part, once its stage has been gone through."""
        for _ in self.iter_to(stage):
            pass
        return vars(self)[part]
