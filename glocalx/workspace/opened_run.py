"""The road of a run: what is in its folder is read, what is missing is made and written there.

Each stage writes as it goes. Drawing no further stops it anywhere; beginning again goes on behind
what is in the folder, to the same result.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from glocalx.blackbox.base import BlackBox
from glocalx.extraction.local_rule import LocalRule
from glocalx.files.journals import (
    HierarchyJournal,
    HierarchyReader,
    LocalRulesJournal,
    LocalRulesReader,
    ResamplesJournal,
    ResamplesReader,
)
from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.iterate import iter_merges
from glocalx.merging.search import never
from glocalx.pipeline.asking import ask
from glocalx.pipeline.extracting import block_size, chosen_records, iter_rules, measured
from glocalx.pipeline.resampling import TEN
from glocalx.pipeline.road import Progress, Road
from glocalx.pipeline.settings import Stage
from glocalx.pipeline.tables import LabelledTable
from glocalx.pipeline.theories import chosen_theory
from glocalx.rules.scoring import Reference
from glocalx.workspace.labels_file import read_labels, write_background, write_labels
from glocalx.workspace.run import Run
from glocalx.workspace.trained_model import keep_trained, open_black_box

FLUSH_SECONDS = 0.2


class OpenedRun(Road):
    """A run with its parts, each read once, when it is first asked for.

    Parameters
    ----------
    run
        Whose folder it is.
    jobs
        See :class:`glocalx.pipeline.road.Road`.
    stop
        Asked while merging; True ends it.
    tell
        Is told how far it is between two pieces of work that can be kept, too.
    """

    def __init__(
        self,
        run: Run,
        *,
        jobs: int = 1,
        stop: Callable[[], bool] = never,
        tell: Callable[[Progress], object] | None = None,
    ) -> None:
        super().__init__(run.settings, run.folder, jobs=jobs)
        self.run = run
        self.stop = stop
        self.tell = tell or (lambda _: None)

    def missing(self, until: Stage) -> list[Stage]:
        """The stages that have yet to run; a run from elsewhere lacks the model it trained."""
        missing = self.run.missing(until)
        if missing == ["resamples"]:
            return missing  # nobody is asked
        return missing if "model" in missing or self.run.has_black_box else ["model", *missing]

    def iter_model(self) -> Iterator[Progress]:
        """Make the black box, ask it, and keep what it said."""
        yield from self._iter_black_box()
        said = ask(self.settings.box, self.black_box, self.split)
        notes = list(getattr(self.black_box, "notes", ()))
        trained = keep_trained(self.black_box, self.folder)
        write_labels(self.run, said, {"notes": notes, "trained": trained})
        yield Progress("model", 1, 1)

    @cached_property
    def black_box(self) -> BlackBox:
        """The black box to be asked; the model stage must be done."""
        return open_black_box(self.run, self.labelled)

    @cached_property
    def labelled(self) -> LabelledTable:
        """The records with their labels; the model stage must be done."""
        return read_labels(self.run, self.split)

    @cached_property
    def reference(self) -> Reference:
        """What is merged and chosen on; runs of earlier versions do not know their background."""
        wide = self.settings.merge.reference == "labelled" and len(self.split.train)
        if wide and self.labelled.background is None:
            asked = self.black_box.labels(self.split.train)
            write_background(self.run, asked)
            self.labelled = replace(self.labelled, background=asked)
        return super().reference

    def iter_rules(self) -> Iterator[Progress]:
        """Write local rules, or those that were made elsewhere."""
        if self.brought is not None:
            yield from self._iter_brought()
            return
        settings = self.settings.rules
        one_seed = len(chosen_records(self.labelled, settings))
        total = one_seed * (settings.pool or 1)
        made = self._whole_blocks(one_seed)
        yield Progress("rules", made, total)
        with self._rules_journal() as journal:
            for block in iter_rules(
                self.labelled,
                self.black_box,
                settings,
                made=made,
                jobs=self.jobs,
                drafted=lambda n: self.tell(Progress("rules", n, total)),
            ):
                journal.add_rules(block.rules)
                yield Progress("rules", block.done, total)
            journal.finish()

    def _rules_journal(self) -> LocalRulesJournal:
        return LocalRulesJournal(self.run.file("rules"), {"key": self.settings.key("rules")})

    def _whole_blocks(self, one_seed: int) -> int:
        """How many rules earlier, interrupted work left; those of a block that it had not finished
        are made again, see :func:`~glocalx.pipeline.extracting.block_size`.
        """
        if not self.run.begun("rules"):
            return 0
        file, block = self.run.file("rules"), block_size(self.settings.rules)
        rules = LocalRulesReader(file, self.labelled.schema).refresh()
        begun = len(rules) % one_seed
        whole = len(rules) - begun % block
        if whole < len(rules):
            file.unlink()
            with self._rules_journal() as journal:
                journal.add_rules(rules[:whole])
        return whole

    def _iter_brought(self) -> Iterator[Progress]:
        """Each different rule once, measured here."""
        reference = self.labelled.reference
        different = Hierarchy.start(self.brought or [], reference).local_rules
        self.run.file("rules").unlink(missing_ok=True)
        with self._rules_journal() as journal:
            journal.add_rules(measured(different, reference))
            journal.finish()
        yield Progress("rules", len(different), len(different))

    @cached_property
    def local_rules(self) -> list[LocalRule]:
        """All local rules; the rules stage must be done."""
        return LocalRulesReader(self.run.file("rules"), self.labelled.schema).refresh()

    def iter_merge(self) -> Iterator[Progress]:
        """Merge the local rules to the end."""
        hierarchy = self.hierarchy
        rules = len(hierarchy.local_rules)
        total = max(rules - 1, 1)
        head = {"key": self.settings.key("merge"), "local_rules": rules}
        yield Progress("merge", len(hierarchy.steps), total)
        with HierarchyJournal(self.run.file("merge"), head, hierarchy) as journal:
            waiting: list[MergeStep] = []
            flushed = time.monotonic()
            for step in iter_merges(hierarchy, self.reference, stop=self.stop):
                waiting.append(step)
                if time.monotonic() - flushed > FLUSH_SECONDS:
                    journal.add_steps(waiting)
                    waiting, flushed = [], time.monotonic()
                    yield Progress("merge", step.number, total)
            journal.add_steps(waiting)
            if hierarchy.finished:
                journal.finish()
        yield Progress("merge", total if hierarchy.finished else len(hierarchy.steps), total)

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """As far as it is made; the rules stage must be done."""
        start = Hierarchy.start(self.rules, self.reference, self.settings.merge)
        if not self.run.begun("merge"):
            return start
        reader = HierarchyReader(self.run.file("merge"), self.labelled.schema, start.local_rules)
        return reader.refresh() or start

    def iter_resamples(self) -> Iterator[Progress]:
        """Draw the explained records anew; what was drawn before stays."""
        head = {"key": self.settings.key("resamples")}
        file, done = self.run.file("resamples"), 0
        if self.run.begun("resamples"):
            done = len(ResamplesReader(file, self.labelled.schema).refresh())
        yield Progress("resamples", done, TEN)
        with ResamplesJournal(file, head) as journal:
            for each in self._resamples(done):
                journal.add_resample(each)
                yield Progress("resamples", each.number + 1, TEN)
            journal.finish()

    def figures(self, now: Run | None = None) -> dict[str, Any]:
        """What the list of runs shows, as far as the run has come.

        `now`: the run as it is saved by now: somebody may have chosen another theory.
        """
        run = now or self.run
        if not run.done("model"):
            return {}
        table = self.split.table
        made: dict[str, Any] = {"black_box": self.labelled.box_name, "records": table.size}
        if not run.done("rules"):
            return made
        hierarchy = self.hierarchy
        made |= {
            "local_rules": len(self.local_rules),
            "different_rules": len(hierarchy.local_rules),
        }
        if not run.done("merge"):
            return made
        theory = chosen_theory(hierarchy, self.reference, run.settings.selection)
        return made | {
            "merges": sum(step.changes_rules for step in hierarchy.steps),
            "rules": len(theory.ranked),
            "fidelity": theory.fidelity(self.labelled.held_out),
        }
