"""The search for the next merge: one piece of work, from theories to those that are left.

A piece is self-contained: theories, reference records, settings and the number of its stream of
batches are all it needs, so pieces can run in other processes or on other machines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from glocalx.errors import GLocalXError
from glocalx.merging.batch import BatchSampler
from glocalx.merging.merger import Groups, Merger, Resolution
from glocalx.merging.pairs import PairQueue
from glocalx.merging.whole import Whole
from glocalx.rules.coverage import Bits
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference, bic, mean_length

MOST_WEIGHT = 1e6


@dataclass(frozen=True, slots=True)
class MergeSettings:
    """What steers the merge.

    Parameters
    ----------
    batch_size
        Records on which a merge is made.
    seed
        The same seed gives the same batches, and so the same hierarchy.
    fidelity_weight, complexity_weight
        How much fidelity and rule length count in the BIC.
    bic_on
        What a merge is judged by: the two theories on `all` reference records (the paper's way)
        or on the `batch` alone, or the `whole`: all rules of all theories on all records.
    reference
        On which records the road merges and chooses: the `explained` ones (the paper's way), or
        all that the black box has `labelled` already, background records too. Who calls the
        library's parts hands over the records.
    patience
        End the run after that many rejected candidates in a row; None: never, the paper's way.
    shards
        Merge the rules in that many groups of similar ones first, then what is left of these
        with each other; 1: all at once, the paper's way; None: one for each 5,000 rules.
    """

    batch_size: int = 128
    seed: int = 0
    fidelity_weight: float = 1.0
    complexity_weight: float = 0.1
    bic_on: Literal["all", "batch", "whole"] = "all"
    reference: Literal["explained", "labelled"] = "explained"
    patience: int | None = None
    shards: int | None = None

    def __post_init__(self) -> None:
        checks = {
            "The batch size must be a whole number of at least 1": self.batch_size >= 1,
            "The seed must be a whole number from 0 to 4,294,967,295": 0 <= self.seed < 2**32,
            "The fidelity weight must be a number from 0 to a million": (
                0 <= self.fidelity_weight <= MOST_WEIGHT
            ),
            "The complexity weight must be a number from 0 to a million": (
                0 <= self.complexity_weight <= MOST_WEIGHT
            ),
            "BIC is measured on “all” records, on the “batch” or by the “whole”": (
                self.bic_on in ("all", "batch", "whole")
            ),
            "The reference is the “explained” or all “labelled” records": (
                self.reference in ("explained", "labelled")
            ),
            "Patience must be none or at least 1": self.patience is None or self.patience >= 1,
            "Shards must be none or at least 1": self.shards is None or self.shards >= 1,
        }
        for sentence, holds in checks.items():
            if not holds:
                raise GLocalXError(f"{sentence}.")

    def bic(self, fidelity: float, complexity: float, size: int) -> float:
        """The BIC with these weights."""
        return bic(
            fidelity,
            complexity,
            size,
            fidelity_weight=self.fidelity_weight,
            complexity_weight=self.complexity_weight,
        )

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


WEIGHTS = {"all": 0.1, "batch": 0.1, "whole": 0.05}
"""The usual complexity weight of each way to judge: what is weighed differs."""
BY_THE_WHOLE = MergeSettings(
    bic_on="whole", complexity_weight=WEIGHTS["whole"], reference="labelled"
)
"""How the command merges unless told otherwise; `MergeSettings()` is the paper's way."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A pair of theories and what merging them would be worth.

    Parameters
    ----------
    left, right
        Numbers of the two theories, the older first.
    similarity
        Jaccard similarity of what they cover.
    bic_union, bic_merged
        BIC of the two side by side and merged; merged is kept if it is not higher.
    fidelity_union, fidelity_merged
        Fidelity of the two side by side and merged.
    """

    left: int
    right: int
    similarity: float
    bic_union: float
    bic_merged: float
    fidelity_union: float
    fidelity_merged: float

    @property
    def accepted(self) -> bool:
        return self.bic_merged <= self.bic_union


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a search: the trials turned down, then the one that was accepted.

    Without an accepted trial it is the last round: no pair was worth merging.
    """

    rejected: tuple[Trial, ...]
    accepted: tuple[Trial, Resolution] | None = None


def never() -> bool:
    """Do not stop."""
    return False


class Search:
    """Finds one merge after the other among theories numbered from 0 in their given order.

    Parameters
    ----------
    theories
        The theories to start from.
    reference, settings
        On what, and how.
    stream
        Which of the seed's streams of batches to use.
    stop
        Asked before every trial; True ends the search there.
    """

    def __init__(
        self,
        theories: Sequence[frozenset[Rule]],
        reference: Reference,
        settings: MergeSettings,
        stream: int,
        stop: Callable[[], bool] = never,
    ) -> None:
        self._stop = stop
        self.reference = reference
        self.settings = settings
        self.theories: dict[int, frozenset[Rule]] = dict(enumerate(theories))
        self.rounds = 0
        self._created = len(theories)
        self._merger = Merger(reference)
        self._sampler = BatchSampler(reference, settings.batch_size, settings.seed, stream)
        self._coverage = {n: self._covered(rules) for n, rules in self.theories.items()}
        self._queue: PairQueue | None = None
        self._whole = Whole(theories, reference) if settings.bic_on == "whole" else None
        self._unions: dict[int, dict[int, tuple[float, float]]] = {}
        self._trials: dict[int, dict[Any, tuple[Trial, frozenset[Rule]]]] = {}

    def __iter__(self) -> Iterator[Round]:
        """Every round in turn; the last one has no merge, unless the search was stopped."""
        while (found := self._next_round()) is not None:
            if found.accepted is not None:
                trial, resolution = found.accepted
                self.replace(trial.left, trial.right, resolution.rules)
            yield found
            if found.accepted is None:
                return

    def _next_round(self) -> Round | None:
        """The next round; None where the search was told to stop before it ended."""
        if self._queue is None:
            self._queue = PairQueue(self.reference.size, sorted(self._coverage.items()))
        batch = self._sampler.draw(self.rounds)
        rejected: list[Trial] = []
        patience = self.settings.patience
        while patience is None or len(rejected) < patience:
            if self._stop():
                return None
            pair = self._queue.pop()
            if pair is None:
                break
            trial, rules, groups = self._try(*pair, batch)
            if trial.accepted:
                self._queue.push_back((t.similarity, t.left, t.right) for t in rejected)
                return Round(tuple(rejected), (trial, self._merger.resolution(rules, groups)))
            rejected.append(trial)
        return Round(tuple(rejected))

    def _try(
        self, similarity: float, left: int, right: int, batch: Bits
    ) -> tuple[Trial, frozenset[Rule], Groups]:
        """What merging a pair on the batch is worth, the rules it leaves and the groups it met."""
        a, b = self.theories[left], self.theories[right]
        shared = self._coverage[left] & self._coverage[right] & batch
        groups = self._merger.groups(a, b, shared)
        if self._whole is not None:
            rules = self._merger.apply(a | b, groups)
            return self._judged(self._whole, similarity, left, right, rules), rules, groups
        known = self._trials.setdefault(right, {})
        key = (left, groups if self.settings.bic_on == "all" else batch)
        if key not in known:
            rules = self._merger.apply(a | b, groups)
            among = None if self.settings.bic_on == "all" else batch
            union = self._worth_of_union(left, right, among)
            merged = union if rules == a | b else self._worth(rules, among)
            trial = Trial(left, right, similarity, union[0], merged[0], union[1], merged[1])
            known[key] = (trial, rules)
        return *known[key], groups

    def _judged(
        self, whole: Whole, similarity: float, left: int, right: int, rules: frozenset[Rule]
    ) -> Trial:
        """What the whole is worth before and after a merge."""
        size = self.reference.size
        after_merge = whole.size_with(self.theories[left], self.theories[right], rules)
        sizes = (whole.size, after_merge)
        bics = (self.settings.bic(agreed / size, words, size) for words, agreed in sizes)
        return Trial(left, right, similarity, *bics, *(agreed / size for _, agreed in sizes))

    def _worth_of_union(self, left: int, right: int, among: Bits | None) -> tuple[float, float]:
        if among is not None:
            return self._worth(self.theories[left] | self.theories[right], among)
        known = self._unions.setdefault(right, {})
        if left not in known:
            known[left] = self._worth(self.theories[left] | self.theories[right], None)
        return known[left]

    def _worth(self, rules: frozenset[Rule], among: Bits | None) -> tuple[float, float]:
        """BIC and fidelity of these rules."""
        fidelity = self.reference.fidelity(rules, among)
        size = self.reference.size if among is None else among.bit_count()
        return self.settings.bic(fidelity, mean_length(rules), size), fidelity

    def _covered(self, rules: frozenset[Rule]) -> Bits:
        covered = 0
        for rule in rules:
            covered |= self.reference.score(rule).coverage
        return covered

    def replace(self, left: int, right: int, rules: frozenset[Rule]) -> None:
        """Carry out a merge: one that was found here, or by an earlier run."""
        if self._whole is not None:
            self._whole.replace(self.theories[left], self.theories[right], rules)
        for number in (left, right):
            del self.theories[number], self._coverage[number]
            self._unions.pop(number, None)
            self._trials.pop(number, None)
            if self._queue is not None:
                self._queue.remove(number)
        number = self._created
        self.theories[number] = rules
        self._coverage[number] = self._covered(rules)
        if self._queue is not None:
            self._queue.add(number, self._coverage[number])
        self._created += 1
        self.rounds += 1
