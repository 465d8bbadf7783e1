"""What a budget chooses from: the rules of a hierarchy or of several, and wider ones."""

from __future__ import annotations

from collections.abc import Iterable

from glocalx.merging.hierarchy import Hierarchy
from glocalx.rules.idle import without_idle
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory

FEW_RULES = 200  # with more, wider rules gain nothing: benchmarks/results/candidates.md


def budget_candidates(hierarchy: Hierarchy, reference: Reference) -> Theory:
    """What a budget chooses from: every rule of the hierarchy, and wider ones where it has few."""
    rules = hierarchy.every_rule()
    return without_idle(rules if rules.size >= FEW_RULES else with_wider(rules), reference)


def with_wider(rules: Iterable[Rule]) -> Theory:
    """The rules, and each of them without one of its premises, as long as one is left."""
    given = tuple(rules)
    wider = (each for rule in given if len(rule) > 1 for each in without_one(rule))
    return Theory.of((*given, *wider))


def pooled(hierarchies: Iterable[Hierarchy]) -> Theory:
    """Every rule of several hierarchies: of other seeds, or of resamples of the records.

    What one seed happens to find, the others mostly do not. A choice from all of them together
    depends less on the seed: two such choices agree on more records than two of one seed each.
    """
    return Theory.of(rule for hierarchy in hierarchies for rule in hierarchy.every_rule())


def without_one(rule: Rule) -> list[Rule]:
    """The rule without each of its conditions in turn."""
    return [
        Rule((*rule.premises[:place], *rule.premises[place + 1 :]), rule.outcome)
        for place in range(len(rule))
    ]
