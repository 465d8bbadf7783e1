"""What the benchmarks work on: a sample, a random forest, one local rule per explained record."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import pandas as pd
from joblib import Parallel, delayed

from glocalx.extraction.extract import Extraction
from glocalx.extraction.local_tree import LocalTree
from glocalx.extraction.neighbourhood import neighbours
from glocalx.pipeline.road import Road
from glocalx.pipeline.settings import ALL, DataSettings, RunSettings
from glocalx.pipeline.theories import labelled_reference
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference


@dataclass(frozen=True)
class Workload:
    """A sample, split as in the paper, and what the forest says about the two later parts."""

    schema: Schema
    explain: pd.DataFrame
    labels: npt.NDArray[np.object_]
    test: pd.DataFrame
    test_labels: npt.NDArray[np.object_]
    rules: tuple[Rule, ...]
    labelled: Reference
    """The explained records, and those of the background that the forest has labelled."""

    @property
    def reference(self) -> Reference:
        return Reference(Records(self.schema, self.explain), self.labels)

    @property
    def held_out(self) -> Reference:
        return Reference(Records(self.schema, self.test), self.test_labels)


@cache
def workload(sample: str, seed: int = 0) -> Workload:
    """The workload of one sample and seed; made once in a run."""
    road = Road(RunSettings(data=DataSettings(sample=sample, seed=seed, most_rows=ALL)))
    split, labelled = road.split, road.labelled
    rules = _tree_paths(
        Extraction(
            split.explain, road.black_box, labelled.schema, background=split.train, seed=seed
        )
    )
    return Workload(
        labelled.schema,
        split.explain,
        labelled.reference.labels,
        split.test,
        labelled.held_out.labels,
        rules,
        labelled_reference(labelled),
    )


def _tree_paths(work: Extraction) -> tuple[Rule, ...]:
    """For each record the path of a plain tree on 1,000 neighbours.

    Simpler than what the library does by default, on purpose: these rules are longer, more and
    messier, so merging has more to do.
    """
    records = range(len(work.codes))
    blocks = [records[start : start + 20] for start in range(0, len(records), 20)]
    made = Parallel(n_jobs=-1)(delayed(_paths_of_block)(work, block) for block in blocks)
    return tuple(rule for block in made for rule in block)


def _paths_of_block(work: Extraction, block: range) -> list[Rule]:
    streams = [np.random.default_rng((work.seed, record)) for record in block]
    drawn = [
        neighbours(work.codes[record], work.background, 1_000, 0.5, rng)
        for record, rng in zip(block, streams, strict=True)
    ]
    answers = np.split(work.oracle.labels(np.concatenate(drawn)), len(drawn))
    rules = []
    for record, rows, labels in zip(block, drawn, answers, strict=True):
        expanded = work.encoding.expand(rows)
        path = LocalTree(expanded, labels, work.seed).path(expanded[0])
        outcome = work.schema.outcomes[work.labels[record]]
        rules.append(work.encoding.rule(path, outcome))
    return rules
