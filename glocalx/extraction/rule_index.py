"""An index of local rules: built once, then searched and filtered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from glocalx.extraction.local_rule import LocalRule
from glocalx.rules.rule import Rule
from glocalx.words.wording import Wording

EVERY_SHARE = (0, 100)
COLUMNS = (
    *("number", "outcome", "then", "short", "coverage", "precision"),
    *("length", "features", "text", "which", "first", "same"),
)


@dataclass(frozen=True, slots=True)
class RuleFilter:
    """Which rules to show.

    Parameters
    ----------
    words
        All of them have to occur in the rule, in whatever form it is written.
    outcomes
        One of these; none: any.
    features
        The rule has to name all of these.
    length, coverage, precision
        From, to; the shares in whole percent. None: any.
    once
        Records that share a rule show it once.
    """

    words: str = ""
    outcomes: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    length: tuple[int, int] | None = None
    coverage: tuple[int, int] = EVERY_SHARE
    precision: tuple[int, int] = EVERY_SHARE
    once: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class RuleIndex:
    """Local rules and a frame to search them in, row for row.

    Parameters
    ----------
    rules
        In the order in which they were made.
    frame
        One row a rule. `number` is the record's, from 1; of rules made elsewhere, the rule's own.
    brought
        Whether the rules were made elsewhere, so that they belong to no record.
    """

    rules: tuple[LocalRule, ...] = field(repr=False)
    frame: pd.DataFrame = field(repr=False)
    brought: bool = False

    @property
    def different(self) -> int:
        """How many rules there are, equal ones counted once."""
        return int(self.frame["first"].sum())

    @property
    def lengths(self) -> tuple[int, int]:
        """The fewest and the most conditions."""
        return int(self.frame["length"].min()), int(self.frame["length"].max())

    def numbered(self, number: int | None) -> LocalRule | None:
        """The rule with this number."""
        places = self.frame.index[self.frame["number"] == number]
        return self.rules[int(places[0])] if len(places) else None

    def sharing(self, number: int) -> int:
        """How many rules are equal to that with this number, itself counted."""
        return int(self.frame.loc[self.frame["number"] == number, "same"].iloc[0])

    def row_of(self, number: int | None, shown: pd.DataFrame) -> int | None:
        """The row of `shown` with this number; where equal rules stand once, that of its equal."""
        which = self.frame.loc[self.frame["number"] == number, "which"]
        if number is None or which.empty:
            return None
        rows = shown["number"].eq(number).to_numpy()
        if not rows.any() and shown["which"].is_unique:
            rows = shown["which"].eq(which.iloc[0]).to_numpy()
        return int(rows.argmax()) if rows.any() else None

    def matching(self, wanted: RuleFilter) -> pd.DataFrame:
        """The rows that are wanted."""
        frame = self.frame
        kept = frame["length"].between(*(wanted.length or (0, 10_000)))
        for word in wanted.words.casefold().split():
            kept &= frame["text"].str.contains(word, regex=False)
        if wanted.outcomes:
            kept &= frame["outcome"].isin(wanted.outcomes)
        if wanted.features:
            named = frozenset(wanted.features)
            kept &= frame["features"].map(named.issubset)
        for column, wished in (("coverage", wanted.coverage), ("precision", wanted.precision)):
            if tuple(wished) != EVERY_SHARE:  # a share that is not known is within no limits
                kept &= frame[column].between(*wished)
        shown = frame[kept]
        return shown[~shown["which"].duplicated()] if wanted.once else shown


def index_rules(rules: Sequence[LocalRule], wording: Wording, brought: bool = False) -> RuleIndex:
    """The index of these rules; equal rules are put into words once."""
    counts = Counter(local.rule for local in rules)
    places = {rule: place for place, rule in enumerate(counts)}
    told = {rule: _told(rule, wording) for rule in counts}
    rows = [
        {
            "number": (place if brought else local.record) + 1,
            **told[local.rule],
            "coverage": _percent(local.coverage),
            "precision": _percent(local.precision),
            "which": places[local.rule],
            "same": counts[local.rule],
        }
        for place, local in enumerate(rules)
    ]
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    return RuleIndex(tuple(rules), frame.assign(first=~frame["which"].duplicated()), brought)


def _told(rule: Rule, wording: Wording) -> dict[str, Any]:
    short = wording.short(rule)
    names = (f"{name} {wording.name(name)}" for name in rule.features)
    text = " ".join((wording.sentence(rule), short, wording.premises(rule), *names))
    return {
        "outcome": rule.outcome,
        "then": [wording.outcome(rule.outcome)],
        "short": short,
        "length": len(rule),
        "features": frozenset(rule.features),
        "text": text.casefold(),
    }


def _percent(share: float) -> float:
    """In whole percent; what is not quite all is not shown as all, nor nothing as something."""
    whole = round(100 * share) if share == share else share
    return 99.0 if whole == 100 and share < 1 else float(whole)
