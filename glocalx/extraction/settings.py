"""What a person may choose about local rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from glocalx.errors import GLocalXError

Extractor: TypeAlias = Literal["neighbourhood", "lore"]
EXTRACTORS: tuple[Extractor, ...] = get_args(Extractor)


@dataclass(frozen=True, slots=True)
class ExtractionSettings:
    """How local rules are made.

    Parameters
    ----------
    extractor
        `neighbourhood`: neighbours drawn at random; `lore`: neighbours bred, in
        `generations` rounds, towards the border between the labels.
    neighbours
        Rows that the black box is asked about for each record; by `lore`, at most so many in
        each generation.
    resample
        Probability with which a feature of a neighbour takes another value.
    precision
        How right a rule must be on background records (Laplace accuracy) before it is made no
        longer. Higher: fewer records are covered, and more of them rightly. The default was
        chosen on COMPAS and Adult with random forests: there it gives a precision of 0.98 and
        0.97 on held-out records and about twice the coverage of Anchors. Above 0.95 the coverage
        falls fast, below 0.94 the precision on Adult does (`benchmarks/extractors.py`).
    refine
        Whether the rule is put together anew from neighbours and background (see `refine.py`).
        If not, it is the path of the tree as it stands: longer, covering less, right less often,
        and different for nearly every record, which leaves merging more to choose from.
    evidence
        At most so many background records are labelled and held against the rules.
    counterfactuals
        At most so many for each rule.
    generations
        Of `lore`.
    """

    extractor: Extractor = "neighbourhood"
    neighbours: int = 500
    resample: float = 0.5
    precision: float = 0.94
    refine: bool = True
    evidence: int = 10_000
    counterfactuals: int = 3
    generations: int = 10

    def __post_init__(self) -> None:
        if self.extractor not in EXTRACTORS:
            raise GLocalXError(
                f"The extractor “{self.extractor}” is not known. Use one of "
                f"{', '.join(EXTRACTORS)}."
            )
        for name, least in (
            ("neighbours", 10),
            ("evidence", 0),
            ("counterfactuals", 0),
            ("generations", 1),
        ):
            if getattr(self, name) < least:
                raise GLocalXError(f"“{name}” is {getattr(self, name):,}. Give at least {least}.")
        for name in ("resample", "precision"):
            if not 0 < getattr(self, name) <= 1:
                raise GLocalXError(
                    f"“{name}” is {getattr(self, name)}. Give a number above 0 and up to 1."
                )
