"""All rules of all theories together: what a merge is worth to the whole.

The paper judges a merge by its own two theories. They do not see that a loss is made good by the
rules of a third theory, nor that a gain was there already; the whole does. A trial changes a few
rules, so nothing is counted anew: only the records that change hands are looked at, those of the
rules that go and those that new rules take over.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from glocalx.rules.coverage import Bits
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference

Rank: TypeAlias = tuple[Any, ...]
InLine: TypeAlias = tuple[Rank, Bits, Bits, Rule]  # its coverage; all records of its outcome
Hands: TypeAlias = list[tuple[InLine | None, Bits]]  # who decides records; None: the default
Replaced: TypeAlias = tuple[frozenset[Rule], frozenset[Rule], frozenset[Rule]]
_Tried: TypeAlias = tuple[Replaced, tuple[list[Rule], list[Rule], Hands, tuple[int, int]]]


class Whole:
    """The rules of all theories in the order in which they decide, and what each of them decides.

    Parameters
    ----------
    theories
        The theories to start from. A rule that several of them hold counts once.
    reference
        The records that all is measured on.
    """

    def __init__(self, theories: Iterable[frozenset[Rule]], reference: Reference) -> None:
        self._reference = reference
        self._default = reference.having[reference.majority]
        self._uses = Counter(rule for rules in theories for rule in rules)
        self._line = sorted(map(self._in_line, self._uses))
        self._decided: dict[Rule, Bits] = {}
        self._deciders: list[InLine] = []  # those that decide any record
        self._before: list[Bits] = [0]  # what those before each of them decide, as far as known
        self._correct: Bits = 0
        for entry, bits in self._deciding(reference.records.everything, 0, (), ()):
            self._give(entry, bits)
        self._words = sum(map(_words, self._uses))
        self._agreed = self._correct.bit_count()
        self._tried: _Tried | None = None  # mostly what comes to be

    def _in_line(self, rule: Rule) -> InLine:
        score = self._reference.score(rule)
        return score.rank, score.coverage, self._reference.having[rule.outcome], rule

    @property
    def size(self) -> tuple[int, int]:
        """Conditions and rules counted together; records on which rules and black box agree."""
        return self._words, self._agreed

    def size_with(
        self, left: frozenset[Rule], right: frozenset[Rule], rules: frozenset[Rule]
    ) -> tuple[int, int]:
        """The size if one theory with these rules took the place of two."""
        out, into = self._difference(left, right, rules)
        hands = list(self._changing_hands(out, into))
        words = sum(map(_words, into)) - sum(map(_words, out))
        size = self._words + words, self._agreed + self._gain(hands)
        self._tried = (left, right, rules), (out, into, hands, size)
        return size

    def replace(
        self, left: frozenset[Rule], right: frozenset[Rule], rules: frozenset[Rule]
    ) -> None:
        """Put one theory with these rules into the place of two."""
        if self._tried is None or self._tried[0] != (left, right, rules):
            self.size_with(left, right, rules)
        assert self._tried is not None
        out, into, hands, (self._words, self._agreed) = self._tried[1]
        self._tried = None
        self._hold(left, right, rules)
        for rule in out:
            entry = self._in_line(rule)
            del self._line[bisect_left(self._line, entry)]
            if self._decided.pop(rule, 0):
                self._stand_down(entry)
        for entry in map(self._in_line, into):
            insort(self._line, entry)
            self._take(entry, hands)
        for given, bits in hands:
            self._give(given, bits)

    def _difference(
        self, left: frozenset[Rule], right: frozenset[Rule], rules: frozenset[Rule]
    ) -> tuple[list[Rule], list[Rule]]:
        """Rules that no theory would hold any more, and those that none held before."""
        uses = self._uses
        gone = (left | right) - rules
        out = [rule for rule in gone if uses[rule] == (rule in left) + (rule in right)]
        return out, [rule for rule in rules if rule not in uses]

    def _gain(self, hands: Iterable[tuple[InLine | None, Bits]]) -> int:
        """On how many more records the rules agree with the black box once these change hands."""
        gain = 0
        for entry, bits in hands:
            right = entry[2] if entry else self._default
            gain += (bits & right).bit_count() - (bits & self._correct).bit_count()
        return gain

    def _hold(self, left: frozenset[Rule], right: frozenset[Rule], rules: frozenset[Rule]) -> None:
        """Keep count of how many theories hold each rule."""
        self._uses.update(rules)
        for rule in (*left, *right):
            self._uses[rule] -= 1
            if not self._uses[rule]:
                del self._uses[rule]

    def _take(self, new: InLine, hands: Iterable[tuple[InLine | None, Bits]]) -> None:
        """Whoever stood behind a new rule no longer decides what it takes over."""
        taken = 0
        for entry, bits in hands:
            taken |= bits if entry == new else 0
        behind = self._deciders[bisect_left(self._deciders, new) :]
        for entry in reversed([each for each in behind if self._decided[each[3]] & taken]):
            self._decided[entry[3]] &= ~taken
            if not self._decided[entry[3]]:
                del self._decided[entry[3]]
                self._stand_down(entry)

    def _stand_down(self, entry: InLine) -> None:
        """A rule decides nothing any more."""
        self._forget(entry)
        del self._deciders[bisect_left(self._deciders, entry)]

    def _give(self, entry: InLine | None, bits: Bits) -> None:
        """Let a rule in line, or the default, decide these records."""
        right = entry[2] if entry else self._default
        self._correct = (self._correct & ~bits) | (bits & right)
        if entry is None:
            return
        if entry[3] not in self._decided:
            insort(self._deciders, entry)
        self._decided[entry[3]] = self._decided.get(entry[3], 0) | bits
        self._forget(entry)

    def _forget(self, entry: InLine) -> None:
        """What is decided up to a rule in line has to be put together again."""
        del self._before[bisect_left(self._deciders, entry) + 1 :]

    def _decided_before(self, entry: InLine) -> Bits:
        """The records that rules before this one decide; put together as far as it is asked."""
        place = bisect_left(self._deciders, entry)
        while len(self._before) <= place:
            last = self._deciders[len(self._before) - 1][3]
            self._before.append(self._before[-1] | self._decided[last])
        return self._before[place]

    def _changing_hands(
        self, out: Sequence[Rule], into: Sequence[Rule]
    ) -> Iterator[tuple[InLine | None, Bits]]:
        """Who decides the records that would change hands; None: the default."""
        new = sorted(map(self._in_line, into))
        owners = [rule for rule in out if rule in self._decided]
        free = 0
        for rule in owners:
            free |= self._decided[rule]
        taken = free
        for entry in new:
            bits = entry[1] & ~(self._decided_before(entry) | taken)
            if bits:
                taken |= bits
                yield entry, bits
        if free:
            first = min(map(self._in_line, owners))
            yield from self._deciding(free, bisect_left(self._line, first), new, out)

    def _deciding(
        self, free: Bits, start: int, new: Sequence[InLine], out: Sequence[Rule]
    ) -> Iterator[tuple[InLine | None, Bits]]:
        """Who decides free records: the first in line from `start` on, or of `new` before it."""
        line, end = self._line, len(self._line)
        for stop, entry in (*((bisect_left(line, each), each) for each in new), (end, None)):
            for each in line[start:stop]:
                bits = each[1] & free
                if bits and each[3] not in out:
                    yield each, bits
                    free ^= bits
                    if not free:
                        return
            start = max(start, stop)
            if entry is not None and (bits := entry[1] & free):
                yield entry, bits
                free ^= bits
        if free:
            yield None, free


def _words(rule: Rule) -> int:
    """What reading a rule costs: its conditions, and itself."""
    return len(rule) + 1
