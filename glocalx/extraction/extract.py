"""Local rules for some records of a table: everything that one process needs, and the work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import cloudpickle  # type: ignore[import-untyped]
import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.blackbox.base import BlackBox
from glocalx.errors import GLocalXError
from glocalx.extraction.counterfactual import Alternative, Alternatives
from glocalx.extraction.encoding import Encoding, Expanded
from glocalx.extraction.local_rule import LocalRule
from glocalx.extraction.local_tree import Labels, LocalTree
from glocalx.extraction.neighbourhood import bred_neighbourhoods, neighbours
from glocalx.extraction.oracle import Oracle
from glocalx.extraction.refine import Demands, Evidence, Refinement, quantile_cuts
from glocalx.extraction.settings import ExtractionSettings
from glocalx.rules.branches import Branch
from glocalx.rules.codes import Codes
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference

_NEIGHBOURS_AGREE = 0.95  # of the neighbours that a shortened rule covers
_CUTS = 16  # for each number, at quantiles of the background


@dataclass(frozen=True, slots=True)
class _Draft:
    """A rule on its way: the branches that are left, and the leaves nearby."""

    record: int
    branches: tuple[Branch, ...]
    alternatives: list[Alternative]


class Extraction:
    """One table, one black box and one choice of settings; makes rules for any of the records.

    The rule of a record depends on the seed, the record and the settings, not on which other
    records are asked for with it: each record has a random stream of its own.

    Parameters
    ----------
    frame
        The records to explain, clean. Each rule is judged on the others of them.
    background
        Real records, clean: their values are drawn for neighbours, and they are labelled once
        and held against the rules.
    settings, seed
        How.
    """

    def __init__(
        self,
        frame: pd.DataFrame,
        black_box: BlackBox,
        schema: Schema,
        *,
        background: pd.DataFrame,
        settings: ExtractionSettings | None = None,
        seed: int = 0,
    ) -> None:
        _check(frame, background, schema, seed)
        self.settings = settings or ExtractionSettings()
        self.seed = seed
        self.schema = schema
        self.encoding = Encoding(schema, [frame, background])
        self.oracle = Oracle(black_box, self.encoding)
        self.codes = self.encoding.encode(frame)
        self.background = self.encoding.encode(background)
        self.labels = self.oracle.labels(self.codes)
        self.evidence = self._evidence()
        self.alternatives = Alternatives(self.encoding, _frequencies(self.background, schema))
        texts = [schema.outcomes[label] for label in self.labels]
        self.explained = Reference(Records(schema, frame), texts)
        self.demands = Demands(self.settings.precision, _NEIGHBOURS_AGREE, len(schema.outcomes))
        self._cuts = quantile_cuts(self.evidence, _CUTS)

    def _evidence(self) -> Evidence:
        """The background, or a seeded choice of it, labelled."""
        codes = self.background
        if len(codes) > self.settings.evidence:
            rng = np.random.default_rng([self.seed])
            codes = codes[np.sort(rng.permutation(len(codes))[: self.settings.evidence])]
        labels = self.oracle.labels(codes) if len(codes) else np.empty(0, dtype=np.intp)
        return Evidence(self.encoding.expand(codes), labels)

    def rules(
        self, records: Sequence[int], drafted: Callable[[], object] | None = None
    ) -> tuple[LocalRule, ...]:
        """The rules of these records, with one large call to the black box for all of them.

        `drafted`: is called when a rule is as good as made: a block may take a minute.
        """
        streams = [np.random.default_rng([self.seed, record]) for record in records]
        drafts = []
        for record, rng, (rows, labels) in zip(
            records, streams, self._neighbourhoods(records, streams), strict=True
        ):
            drafts.append(self._draft(record, rows, labels, rng))
            if drafted is not None:
                drafted()
        confirmed = self._confirmed(drafts)
        return tuple(
            self._finished(draft, answers) for draft, answers in zip(drafts, confirmed, strict=True)
        )

    def _neighbourhoods(
        self, records: Sequence[int], streams: list[np.random.Generator]
    ) -> list[tuple[Codes, Labels]]:
        codes = self.codes[list(records)]
        if self.settings.extractor == "lore":
            labels = self.labels[list(records)]
            return bred_neighbourhoods(
                codes, labels, self.background, self.encoding, self.oracle, self.settings, streams
            )
        count, resample = self.settings.neighbours, self.settings.resample
        drawn = [
            neighbours(record, self.background, count, resample, rng)
            for record, rng in zip(codes, streams, strict=True)
        ]
        answers = self.oracle.labels(np.concatenate(drawn))
        return list(zip(drawn, np.split(answers, len(drawn)), strict=True))

    def _draft(self, record: int, rows: Codes, labels: Labels, rng: np.random.Generator) -> _Draft:
        label = int(self.labels[record])
        near = Evidence(self.encoding.expand(rows), labels)
        tree = LocalTree(near.rows, labels, int(rng.integers(2**31)))
        path = tree.path(near.rows[0])
        branches = path
        if self.settings.refine:
            search = Refinement(label, near, self.evidence, self.demands)
            branches = search.rule([*path, *self._branches_of(near.rows[0])])
        if not path and len(self.evidence.rows):  # neighbours of one label: look further away
            tree = self._background_tree
        found = self.alternatives.nearest(
            tree, self.codes[record], near.rows[0], label, self.settings.counterfactuals
        )
        return _Draft(record, branches, found)

    def _branches_of(self, record: Expanded) -> list[Branch]:
        """At the quantiles of the background, the branches that a record takes."""
        codes = record.tolist()
        return [
            Branch(column, cut, codes[column] <= cut)
            for column, cuts in enumerate(self._cuts)
            for cut in cuts
        ]

    @cached_property
    def _background_tree(self) -> LocalTree:
        return LocalTree(self.evidence.rows, self.evidence.labels, self.seed)

    def _confirmed(self, drafts: list[_Draft]) -> list[list[bool]]:
        """Whether the black box agrees with each alternative of each draft."""
        pairs = [(draft.record, other) for draft in drafts for other in draft.alternatives]
        if not pairs:
            return [[] for _ in drafts]
        changed = np.stack([other.applied(self.codes[record]) for record, other in pairs])
        answers = iter(
            (self.oracle.labels(changed) == [other.label for _, other in pairs]).tolist()
        )
        return [[next(answers) for _ in draft.alternatives] for draft in drafts]

    def _finished(self, draft: _Draft, confirmed: list[bool]) -> LocalRule:
        record = draft.record
        rule = self.encoding.rule(draft.branches, self.schema.outcomes[self.labels[record]])
        covered = self.explained.records.coverage(rule) & ~(1 << record)
        told = [
            other.told(self.encoding, self.codes[record], yes)
            for other, yes in zip(draft.alternatives, confirmed, strict=True)
        ]
        return LocalRule(
            rule=rule,
            record=record,
            covered=covered.bit_count(),
            agreed=(covered & self.explained.having[rule.outcome]).bit_count(),
            judged=self.explained.size - 1,
            counterfactuals=tuple(sorted(told, key=lambda each: not each.confirmed)),
        )


def packed(work: Extraction) -> bytes:
    """The work for other processes of the same user; never for files that travel."""
    try:
        return bytes(cloudpickle.dumps(work))
    except Exception as reason:
        raise GLocalXError(
            f"The black box “{work.oracle.black_box.name}” cannot be sent to other processes "
            f"({type(reason).__name__}). Use one process."
        ) from reason


def unpacked(content: bytes) -> Extraction:
    """The work that was packed."""
    work: Extraction = cloudpickle.loads(content)
    return work


def _check(frame: pd.DataFrame, background: pd.DataFrame, schema: Schema, seed: int) -> None:
    for name, table in (("records to explain", frame), ("background", background)):
        if not len(table):
            raise GLocalXError(f"There are no {name}: the table is empty. Give at least one row.")
        missing = [column for column in schema.names if column not in table.columns]
        if missing:
            raise GLocalXError(
                f"The table of the {name} lacks the column “{missing[0]}”. Add it, or use the "
                "table that the features were taken from."
            )
    if seed < 0:
        raise GLocalXError(f"The seed is {seed}. Give a whole number from 0 up.")


def _frequencies(codes: Codes, schema: Schema) -> list[npt.NDArray[np.intp]]:
    return [
        np.bincount(codes[:, place], minlength=len(feature.categories))
        for place, feature in enumerate(schema.features)
    ]
