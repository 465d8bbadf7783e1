"""Which conditions of a rule go without saying, because the others imply them.

"aged 26 or younger" says nothing beside "age group is under 25". What implies what is looked up in
the records: a condition is implied if every record that meets the other conditions meets it too.
Where few records meet them that may be chance, so an implication needs evidence: enough records
that meet all the others, or enough that meet a single one of the others that implies it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import reduce
from operator import and_

from glocalx.rules.coverage import Bits, Records
from glocalx.rules.rule import Categories, Premise

NamedPremise = tuple[str, Premise]


class Implications:
    """Finds the conditions that others imply.

    Parameters
    ----------
    records
        Where implications are looked up.
    always
        Features of which no condition is left out, unless a condition on another of them implies
        it alone.
    evidence
        How many records have to bear an implication out.
    """

    def __init__(self, records: Records, always: Collection[str], evidence: int) -> None:
        self._records = records
        self._always = frozenset(always)
        self._evidence = max(evidence, 1)

    def said(
        self, premises: tuple[NamedPremise, ...], text: Callable[[str, Premise], str]
    ) -> tuple[NamedPremise, ...]:
        """The premises that need saying; together they cover the same records as all.

        Categories are left out before numbers, then what is longer to say.
        """
        kept = {name: self._records.satisfying(name, premise) for name, premise in premises}

        def reluctance(named: NamedPremise) -> tuple[bool, int, str]:
            return not isinstance(named[1], Categories), -len(text(*named)), named[0]

        for name, _ in sorted(premises, key=reluctance):
            if len(kept) > 1 and self._is_implied(name, kept):
                del kept[name]
        return tuple(named for named in premises if named[0] in kept)

    def _is_implied(self, name: str, kept: dict[str, Bits]) -> bool:
        bits = kept[name]
        others = [other for other in kept if other != name]
        if name in self._always:
            others = [other for other in others if other in self._always]
        elif self._implies(reduce(and_, map(kept.__getitem__, others)), bits):
            return True
        return any(self._implies(kept[other], bits) for other in others)

    def _implies(self, some: Bits, others: Bits) -> bool:
        return not some & ~others and some.bit_count() >= self._evidence
