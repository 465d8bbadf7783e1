"""Extract: one local rule for each record that is explained, or rules that were made elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial

import numpy as np

from glocalx.blackbox.base import BlackBox
from glocalx.errors import GLocalXError
from glocalx.extraction.iterate import ROWS_PER_BLOCK, iter_local_rules
from glocalx.extraction.local_rule import LocalRule, RuleBlock
from glocalx.pipeline.settings import RuleSettings
from glocalx.pipeline.tables import LabelledTable
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference

NO_RECORD = -1
"""The record of a local rule that was made elsewhere."""
ONE_CORE_RECORDS = 400  # below, starting processes costs more than they save
_POOL = 0xB001  # so that no other draw from the same seed is the same


def chosen_records(labelled: LabelledTable, rules: RuleSettings) -> list[int]:
    """Which of the records are explained: all, or as many as wanted, drawn at random."""
    size, most = labelled.reference.size, rules.records
    if most < 1:
        raise GLocalXError("Explain at least 1 record.")
    if most >= size:
        return list(range(size))
    generator = np.random.default_rng(labelled.split.parts.seed)
    chosen: list[int] = generator.choice(size, most, replace=False).tolist()
    return sorted(chosen)


def block_size(rules: RuleSettings) -> int:
    """How many rules are made together, always.

    A black box that multiplies matrices can answer a borderline row otherwise in other company,
    so the blocks must be the same however many processes work, and wherever work was interrupted.
    """
    return max(ROWS_PER_BLOCK // rules.extraction.neighbours, 1)


def iter_rules(
    labelled: LabelledTable,
    black_box: BlackBox,
    rules: RuleSettings,
    *,
    records: Sequence[int] | None = None,
    made: int = 0,
    jobs: int = 1,
    cluster: str | None = None,
    drafted: Callable[[int], object] | None = None,
) -> Iterator[RuleBlock]:
    """Local rules, block by block; of a pool first all of one seed, then all of the next.

    Parameters
    ----------
    records
        The places of the records to explain; by default those that the settings choose.
    made
        How many of the rules there are already; they are passed over.
    jobs, cluster
        Processes here, or the address of a Dask scheduler; they change nothing but the time.
    drafted
        Is told, between blocks too, how many rules are as good as made.
    """
    wanted = chosen_records(labelled, rules) if records is None else records
    split, draws = labelled.split, rules.pool or 1
    for draw in range(draws):
        before = draw * len(wanted)
        left = wanted[max(made - before, 0) :]
        start = before + len(wanted) - len(left)
        blocks = iter_local_rules(
            split.explain,
            black_box,
            labelled.schema,
            background=split.background,
            settings=rules.extraction,
            seed=seed_of(split.parts.seed, draw),
            records=left,
            jobs=jobs if len(left) > ONE_CORE_RECORDS else 1,
            cluster=cluster,
            block=block_size(rules),
            drafted=None if drafted is None else partial(_told, drafted, start),
        )
        with closing(blocks):
            for block in blocks:
                yield RuleBlock(block.rules, start + block.done, draws * len(wanted))


def _told(drafted: Callable[[int], object], start: int, count: int) -> None:
    drafted(start + count)


def seed_of(seed: int, draw: int) -> int:
    """The seed of one of a pool's draws: the first is the run's own, and no two pools share one."""
    if not draw:
        return seed
    return int(np.random.SeedSequence((seed, _POOL, draw)).generate_state(1)[0])


def measured(rules: Sequence[Rule], reference: Reference) -> list[LocalRule]:
    """Rules that were made elsewhere as local rules, held against the records here."""
    scores = [reference.score(rule) for rule in rules]
    return [
        LocalRule(rule, NO_RECORD, score.covered, score.agreed, reference.size)
        for rule, score in zip(rules, scores, strict=True)
    ]
