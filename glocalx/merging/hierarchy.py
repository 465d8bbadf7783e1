"""The hierarchy: every merge, in order, from the local rules to the theories that are left.

Theories are numbered: 0 to n − 1 are the distinct local rules in canonical order, each a theory
of its own, and merge number k makes theory n + k − 1. A hierarchy is the record of its merges; at
any time it is as complete as its last step, so a run can stop anywhere and go on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from glocalx.errors import GLocalXError
from glocalx.merging.operators import Cut, Join
from glocalx.merging.search import MergeSettings, Search, Trial, never
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory


@dataclass(frozen=True, slots=True)
class MergeStep:
    """One accepted merge and all that a reader may ask about it.

    Parameters
    ----------
    number
        The place of the step, from 1.
    trial
        The pair, its similarity, both BICs and fidelities.
    theory
        The number of the theory that was made.
    rules
        The rules of that theory.
    rules_out, rules_in
        What the merge took away from the two theories and what it put there.
    joins, cuts
        What was joined and cut, with the change on each feature.
    rejected
        The more similar pairs that were tried first and turned down: merging them would have
        raised the BIC.
    piece
        Which piece of the run the step belongs to; the last piece merges what shards left.
    theories_left, rules_left
        How many there are after the step, in the whole run.
    progress
        How far along the run is, at least; a run that ends early jumps to 1.
    """

    number: int
    trial: Trial
    theory: int
    rules: frozenset[Rule]
    rules_out: tuple[Rule, ...]
    rules_in: tuple[Rule, ...]
    joins: tuple[Join, ...]
    cuts: tuple[Cut, ...]
    rejected: tuple[Trial, ...]
    piece: int
    theories_left: int
    rules_left: int
    progress: float

    @property
    def left(self) -> int:
        return self.trial.left

    @property
    def right(self) -> int:
        return self.trial.right

    @property
    def changes_rules(self) -> bool:
        """Whether any rule came or went; if not, the two only stand together in the tree."""
        return bool(self.rules_in or self.rules_out)

    @property
    def cuts_something(self) -> bool:
        """Whether a cut took anything, or all, from a rule."""
        return any(cut.after != cut.before for cut in self.cuts)

    @property
    def kind(self) -> str:
        """In a word what the step did: `join`, `cut`, `join and cut` or `side by side`."""
        if not self.changes_rules:
            return "side by side"
        if self.joins:
            return "join and cut" if self.cuts_something else "join"
        return "cut"


@dataclass(slots=True)
class Hierarchy:
    """The record of a run: where it started, its settings, its steps so far.

    Parameters
    ----------
    local_rules
        The distinct local rules in canonical order.
    settings
        What steers the merge.
    fingerprint
        Of the reference records, on which alone the run can go on.
    steps
        The merges so far.
    endings
        For each finished piece the trials that were turned down before it gave up.
    finished
        Whether every piece has ended.
    """

    local_rules: tuple[Rule, ...]
    settings: MergeSettings
    fingerprint: str
    steps: list[MergeStep] = field(default_factory=list)
    endings: dict[int, tuple[Trial, ...]] = field(default_factory=dict)
    finished: bool = False

    @classmethod
    def start(
        cls, rules: Iterable[Rule], reference: Reference, settings: MergeSettings | None = None
    ) -> Hierarchy:
        """An empty hierarchy over these local rules, checked against the table they speak of."""
        schema = reference.records.schema
        local = Theory.of(schema.rule(dict(rule.premises), rule.outcome) for rule in rules).rules
        if not local:
            raise GLocalXError("There are no local rules to merge. Give at least one.")
        return cls(local, settings or MergeSettings(), reference.fingerprint())

    @property
    def accepted(self) -> int:
        return len(self.steps)

    @property
    def rejected(self) -> int:
        """How many candidates were tried and turned down, those of the last rounds included."""
        before_steps = sum(len(step.rejected) for step in self.steps)
        return before_steps + sum(map(len, self.endings.values()))

    def theory(self, number: int) -> Theory:
        """The theory with this number."""
        return Theory.of(self.rules_of(number))

    def rules_of(self, number: int) -> frozenset[Rule]:
        """The rules of one theory, in no order."""
        if number < len(self.local_rules):
            return frozenset((self.local_rules[number],))
        return self.steps[number - len(self.local_rules)].rules

    def numbers(self, at: int | None = None) -> list[int]:
        """The numbers of the theories after step `at` (0: the start, None: the newest)."""
        done = self.steps[: len(self.steps) if at is None else at]
        gone = {number for step in done for number in (step.left, step.right)}
        return [n for n in range(len(self.local_rules) + len(done)) if n not in gone]

    def theories(self, at: int | None = None) -> dict[int, Theory]:
        """The theories after step `at`, by number."""
        return {number: self.theory(number) for number in self.numbers(at)}

    def rules(self, at: int | None = None) -> Theory:
        """The union of the theories after step `at`."""
        return Theory.of(rule for number in self.numbers(at) for rule in self.rules_of(number))

    def every_rule(self) -> Theory:
        """Every rule that ever was in the hierarchy, the local ones included."""
        made = (rule for step in self.steps for rule in step.rules_in)
        return Theory.of((*self.local_rules, *made))

    def search(
        self,
        piece: int,
        starts: Sequence[int],
        reference: Reference,
        stop: Callable[[], bool] = never,
    ) -> Search:
        """The search of one piece, brought to where its steps so far left it."""
        theories = [self.rules_of(number) for number in starts]
        search = Search(theories, reference, self.settings, piece, stop)
        steps = [step for step in self.steps if step.piece == piece]
        numbers = [*starts, *(step.theory for step in steps)]
        place = {number: i for i, number in enumerate(numbers)}
        for step in steps:
            search.replace(place[step.left], place[step.right], step.rules)
        return search
