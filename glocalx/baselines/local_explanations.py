"""What local rules say of each record, in the form that methods which combine explanations take.

CEGA and CFIRE take any local explanation that names features. Here that is a local rule: for each
record the most accurate one that covers it and gives its own label.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from glocalx.errors import GLocalXError
from glocalx.rules.coverage import mask_of
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference


def features_named(rules: Sequence[Rule], reference: Reference) -> list[frozenset[str]]:
    """For each record the features that its explanation names; none where no rule explains it."""
    if not rules:
        raise GLocalXError("There are no local rules to combine. Give at least one.")
    schema = reference.records.schema
    known = [schema.rule(dict(rule.premises), rule.outcome) for rule in rules]
    named = [frozenset[str]()] * reference.size
    for rule in reversed(reference.ranked(set(known))):
        right = reference.score(rule).coverage & reference.having[rule.outcome]
        for place in mask_of(right, reference.size).nonzero()[0].tolist():
            named[place] = frozenset(rule.features)
    return named


def closed_itemsets(
    transactions: Iterable[frozenset[str]], least: int
) -> dict[frozenset[str], tuple[int, ...]]:
    """The closed itemsets that at least so many transactions hold, each with these transactions.

    An itemset is closed if no larger one is held by the same transactions: each is what some of
    them have in common.

    Examples
    --------
    >>> found = closed_itemsets(map(frozenset, ("ab", "abc", "bd", "b")), 2)
    >>> {"".join(sorted(items)): places for items, places in found.items()}
    {'ab': (0, 1), 'b': (0, 1, 2, 3)}
    """
    held = list(transactions)
    common: set[frozenset[str]] = set()
    for each in sorted(set(held), key=sorted):
        common |= {each & other for other in common} | {each}
    ordered = sorted(
        (items for items in common if items), key=lambda items: (-len(items), *sorted(items))
    )
    found = {
        items: tuple(place for place, each in enumerate(held) if items <= each) for items in ordered
    }
    return {items: places for items, places in found.items() if len(places) >= least}
