"""Merging step by step: searches find merges, the hierarchy records them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import replace

from joblib import Parallel, delayed

from glocalx.errors import GLocalXError
from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.merger import Resolution
from glocalx.merging.search import MergeSettings, Round, Search, Trial, never
from glocalx.merging.shards import shard_rules
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory


def iter_merges(
    hierarchy: Hierarchy,
    reference: Reference,
    *,
    jobs: int = 1,
    stop: Callable[[], bool] = never,
) -> Iterator[MergeStep]:
    """Merge on from where the hierarchy stands, adding each step to it, until it is finished.

    Stop drawing to pause; call again to go on. What comes out is the same however often the run
    was stopped and however many processes worked on it.

    Parameters
    ----------
    hierarchy
        The record so far, as :meth:`Hierarchy.start` or a file gives it.
    reference
        The same reference records as ever.
    jobs
        Processes for the shards; they change nothing but the time.
    stop
        Asked before every candidate that is tried here, of which there may be thousands between
        two steps; True ends the iteration, and calling again goes on. (Shards in other
        processes are not asked.)
    """
    if hierarchy.fingerprint != reference.fingerprint():
        raise GLocalXError(
            "This hierarchy was begun on other records or other labels. "
            "Open it with its own table, or start a new one."
        )
    shards = shard_rules(
        hierarchy.local_rules, reference, hierarchy.settings.shards, hierarchy.settings.seed
    )
    recorder = _Recorder(hierarchy)
    open_shards = [piece for piece in range(len(shards)) if piece not in hierarchy.endings]
    searches = (hierarchy.search(piece, shards[piece], reference, stop) for piece in open_shards)
    for piece, found in zip(open_shards, _results(searches, jobs), strict=True):
        yield from recorder.record(piece, shards[piece], found)
        if piece not in hierarchy.endings:
            return
    last = len(shards)
    if last > 1 and last not in hierarchy.endings:
        starts = hierarchy.numbers(sum(step.piece < last for step in hierarchy.steps))
        yield from recorder.record(last, starts, hierarchy.search(last, starts, reference, stop))
        if last not in hierarchy.endings:
            return
    hierarchy.finished = True


def merged(
    rules: Iterable[Rule],
    reference: Reference,
    settings: MergeSettings | None = None,
    *,
    jobs: int = 1,
) -> Hierarchy:
    """The hierarchy of these rules, merged to the end."""
    hierarchy = Hierarchy.start(rules, reference, settings)
    for _ in iter_merges(hierarchy, reference, jobs=jobs):
        pass
    return hierarchy


def _results(searches: Iterable[Search], jobs: int) -> Iterable[Iterable[Round]]:
    """What each search finds: drawn one by one here, or as whole lists from other processes."""
    if jobs == 1:
        return searches
    found: Iterable[list[Round]] = Parallel(n_jobs=jobs, return_as="generator")(
        delayed(list)(search) for search in searches
    )
    return found


class _Recorder:
    """Writes what searches find into the hierarchy, in its own numbers."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.hierarchy = hierarchy
        self._uses = Counter(
            rule for number in hierarchy.numbers() for rule in hierarchy.rules_of(number)
        )

    def record(
        self, piece: int, starts: Sequence[int], rounds: Iterable[Round]
    ) -> Iterator[MergeStep]:
        """One step for each merge; the trials of the last round go to the endings."""
        numbers = [*starts, *(s.theory for s in self.hierarchy.steps if s.piece == piece)]
        for each in rounds:
            rejected = _renumbered(each.rejected, numbers)
            if each.accepted is None:
                self.hierarchy.endings[piece] = rejected
                return
            trial, resolution = each.accepted
            (trial,) = _renumbered((trial,), numbers)
            step = self._step(piece, trial, resolution, rejected)
            self.hierarchy.steps.append(step)
            numbers.append(step.theory)
            yield step

    def _count(self, out: Set[Rule], into: Set[Rule], twice: Set[Rule]) -> None:
        """Keep count of how many theories hold each rule."""
        self._uses.update(into)
        for rule in (*out, *twice):
            self._uses[rule] -= 1
            if not self._uses[rule]:
                del self._uses[rule]

    def _step(
        self, piece: int, trial: Trial, resolution: Resolution, rejected: tuple[Trial, ...]
    ) -> MergeStep:
        hierarchy = self.hierarchy
        left, right = hierarchy.rules_of(trial.left), hierarchy.rules_of(trial.right)
        union = left | right
        out, into = union - resolution.rules, resolution.rules - union
        self._count(out, into, left & right)
        count, leaves = len(hierarchy.steps) + 1, len(hierarchy.local_rules)
        return MergeStep(
            number=count,
            trial=trial,
            theory=leaves + count - 1,
            rules=resolution.rules,
            rules_out=Theory.of(out).rules,
            rules_in=Theory.of(into).rules,
            joins=resolution.joins,
            cuts=resolution.cuts,
            rejected=rejected,
            piece=piece,
            theories_left=leaves - count,
            rules_left=len(self._uses),
            progress=count / max(leaves - 1, 1),
        )


def _renumbered(trials: Sequence[Trial], numbers: Sequence[int]) -> tuple[Trial, ...]:
    return tuple(
        replace(trial, left=numbers[trial.left], right=numbers[trial.right]) for trial in trials
    )
