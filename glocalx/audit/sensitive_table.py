"""Who is covered: traits of the records behind each outcome and each rule, beside everyone.

With five features chosen on COMPAS this is the table of the paper: the mean and deviation of a
number, or the share of a category, among the records that the rules of an outcome cover.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from glocalx.audit.comparison import Share
from glocalx.audit.intervals import UNDEFINED, Estimate, mean_difference
from glocalx.audit.source import Source
from glocalx.audit.tally import Bools, Tally
from glocalx.errors import GLocalXError
from glocalx.rules.classifier import RankedTheory
from glocalx.words.phrases import listing, shown

Counting: TypeAlias = Literal["covered", "decided"]


@dataclass(frozen=True, slots=True)
class Trait:
    """A number, or one category, of which the table has a line.

    Parameters
    ----------
    column, title
        As in the table; as people say.
    category
        None for a number.
    """

    column: str
    title: str
    category: str | None = None


@dataclass(frozen=True, slots=True)
class RecordGroup:
    """Records that are looked at together.

    Parameters
    ----------
    kind
        Everyone; the records of an outcome's rules; the records of one rule.
    outcome, rule
        Which outcome; which rule, by its place from 0.
    records
        How many they are.
    """

    kind: Literal["everyone", "outcome", "rule"]
    outcome: str | None
    rule: int | None
    records: int

    @property
    def title(self) -> str:
        if self.rule is not None:
            return f"rule {self.rule + 1}"
        return self.outcome if self.outcome is not None else "everyone"


@dataclass(frozen=True, slots=True)
class TraitFigures:
    """One trait in one group.

    Parameters
    ----------
    known
        Records of the group with a value.
    mean, deviation
        Mean and sample deviation of a number; the share of a category, and the deviation of
        having it or not. NaN where undefined.
    difference
        Mean or share minus that of everyone. The group is part of everyone, so the interval is
        that of the difference to all the others, shrunk accordingly. 0 means like everyone.
    effect
        The difference in deviations of everyone: 0.2 is small, 0.8 large. NaN where nobody
        differs.
    """

    known: int
    mean: float
    deviation: float
    difference: Estimate
    effect: float


@dataclass(frozen=True, slots=True)
class SensitiveTable:
    """Traits (lines) by groups of records (columns).

    Parameters
    ----------
    counting
        Whether a group is what its rules cover, as in the paper, or what they decide.
    figures
        For each trait one entry per group.
    """

    traits: tuple[Trait, ...]
    groups: tuple[RecordGroup, ...]
    figures: tuple[tuple[TraitFigures, ...], ...]
    counting: Counting


def sensitive_table(
    source: Source,
    theory: RankedTheory,
    features: Sequence[str | tuple[str, str]],
    *,
    counting: Counting = "covered",
    tally: Tally | None = None,
) -> SensitiveTable:
    """Measure traits in the records of each outcome, of each rule, and of everyone.

    Parameters
    ----------
    features
        Columns, or pairs of a column and one of its categories. A column of categories has a
        line for each of them.
    counting
        `covered`: the records that a rule, or any rule of an outcome, covers; a record can be in
        several groups. `decided`: those that a rule decides, or that get the outcome.
    tally
        Counts that are already there; what they lack is counted.
    """
    figures: list[tuple[TraitFigures, ...]] = []
    traits: list[Trait] = []
    groups: tuple[RecordGroup, ...] = ()
    for wanted in features:
        column, category = (wanted, None) if isinstance(wanted, str) else wanted
        counted = _having(source, theory, column, tally)
        cells = _group_cells(counted, theory, counting)
        groups = tuple(group for group, _ in cells)
        for trait in _traits(source, column, category):
            traits.append(trait)
            figures.append(tuple(_figures(counted, trait, chosen) for _, chosen in cells))
    if not features:
        raise GLocalXError("No feature is chosen for the table. Choose at least one.")
    return SensitiveTable(tuple(traits), groups, tuple(figures), counting)


def _having(source: Source, theory: RankedTheory, column: str, tally: Tally | None) -> Tally:
    """Counts that tell this column apart."""
    if source.feature(column).is_categorical:
        if tally is not None and column in [axis.name for axis in tally.axes]:
            return tally
        return source.tally(theory.rules, [source.axis(column)], labels=False)
    if tally is not None and column in tally.moments:
        return tally
    return source.tally(theory.rules, labels=False, numbers=[column])


def _traits(source: Source, column: str, category: str | None) -> list[Trait]:
    feature = source.feature(column)
    title = feature.label or column
    if category is not None and category not in feature.domain:
        raise GLocalXError(
            f"{shown(column)} has no category {shown(category)}. "
            + (f"It has: {listing(feature.categories)}." if feature.categories else "It has none.")
        )
    if not feature.is_categorical:
        return [Trait(column, title)]
    chosen = feature.categories if category is None else (category,)
    return [Trait(column, title, each) for each in chosen]


def _group_cells(
    tally: Tally, theory: RankedTheory, counting: Counting
) -> list[tuple[RecordGroup, Bools]]:
    deciding = tally.deciding()
    given = tally.outcomes_of(deciding, theory.default)
    found: list[tuple[RecordGroup, Bools]] = [
        (RecordGroup("everyone", None, None, tally.size), tally.everyone)
    ]
    for place, outcome in enumerate(tally.outcomes):
        covered = tally.covered_by_outcome(outcome)
        cells = covered if counting == "covered" else given == place
        found.append((RecordGroup("outcome", outcome, None, tally.records(cells)), cells))
    for place, rule in enumerate(theory.rules):
        cells = tally.covers[:, place] if counting == "covered" else deciding == place
        found.append((RecordGroup("rule", rule.outcome, place, tally.records(cells)), cells))
    return found


def _figures(tally: Tally, trait: Trait, cells: Bools) -> TraitFigures:
    if trait.category is None:
        moments = tally.moments[trait.column]
        group, everyone = moments.of(cells), moments.of(tally.everyone)
        difference = mean_difference(group, moments.of(~cells))
    else:
        mine, rest = _having_it(tally, trait, cells), _having_it(tally, trait, ~cells)
        group = _moments_of(mine)
        everyone = _moments_of(Share(mine.hits + rest.hits, mine.size + rest.size))
        difference = mine.minus(rest)
    known, mean, deviation = group
    to_everyone = _to_everyone(difference, known, everyone[0])
    spread = everyone[2]
    effect = to_everyone.value / spread if spread > 0 else math.nan
    return TraitFigures(known, mean, deviation, to_everyone, effect)


def _to_everyone(to_rest: Estimate, known: int, everyone: int) -> Estimate:
    """group − everyone = (1 − the group's part of everyone) · (group − rest)."""
    if not known:
        return UNDEFINED
    if known == everyone:
        return Estimate(0.0, 0.0, 0.0)
    return to_rest.scaled(1 - known / everyone)


def _having_it(tally: Tally, trait: Trait, cells: Bools) -> Share:
    place = tally.place(trait.column)
    assert trait.category is not None
    codes = tally.groups[:, place]
    code = tally.axes[place].groups.index(trait.category)
    return Share.of(tally, codes == code, cells & (codes >= 0))


def _moments_of(share: Share) -> tuple[int, float, float]:
    """Number of values, mean and sample deviation of a column of 0 and 1."""
    size, mean = share.size, share.rate().value
    deviation = math.sqrt(mean * (1 - mean) * size / (size - 1)) if size > 1 else math.nan
    return size, mean, deviation
