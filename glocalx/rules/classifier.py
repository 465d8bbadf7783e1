"""A theory as a classifier: its rules in the order in which they decide.

The most accurate rule that covers a record decides; where no rule covers it, the majority
outcome of the reference records does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.errors import GLocalXError
from glocalx.rules.coverage import Bits, Records, mask_of
from glocalx.rules.dialects import DUCKDB, Dialect
from glocalx.rules.returns import RuleReturns
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.rules.sql import rule_condition, sql_comment
from glocalx.rules.steering import NOTHING_STEERED, HandMark, Steering
from glocalx.rules.theory import Theory, named_features


@dataclass(frozen=True, slots=True)
class RankedRule:
    """A rule with what the reference records say about it.

    Parameters
    ----------
    rule
        The rule.
    accuracy
        Laplace accuracy, by which rules are ranked.
    fidelity
        One outcome against the rest: how well the rule alone tells its outcome.
    covered, agreed
        Reference records it covers, and of these how many the black box labels as it does.
    mark
        What of it is by hand; None where nothing is.
    returns
        In how many resamples one like it returns; None where nobody has looked.
    """

    rule: Rule
    accuracy: float
    fidelity: float
    covered: int
    agreed: int
    mark: HandMark | None = None
    returns: RuleReturns | None = None


@dataclass(frozen=True, slots=True)
class RecordExplanation:
    """Why a theory says what it says about one record.

    Parameters
    ----------
    outcome
        What the theory says.
    covering
        The places (from 0) of the rules that cover the record, the deciding one first.
    black_box
        What the black box said, None if it was not asked.
    """

    outcome: str
    covering: tuple[int, ...]
    black_box: str | None = None

    @property
    def deciding(self) -> int | None:
        """The place of the rule that decides, None where the default does."""
        return self.covering[0] if self.covering else None

    @property
    def agrees(self) -> bool | None:
        """Whether theory and black box say the same, None if the black box was not asked."""
        return None if self.black_box is None else self.black_box == self.outcome


@dataclass(frozen=True, slots=True)
class RankedTheory:
    """Rules that decide one after the other, and the default for records that none covers.

    Parameters
    ----------
    schema
        Of the table that the rules belong to.
    ranked
        The rules, the most accurate first.
    default
        The outcome where no rule applies.
    steering
        What people changed by hand; its rules carry their marks.
    """

    schema: Schema
    ranked: tuple[RankedRule, ...]
    default: str
    steering: Steering = NOTHING_STEERED

    @classmethod
    def of(cls, rules: Iterable[Rule], reference: Reference) -> RankedTheory:
        """These rules in the order that the reference records give them."""
        ranked = []
        for rule in reference.ranked(set(rules)):
            score = reference.score(rule)
            ranked.append(
                RankedRule(rule, score.accuracy, score.fidelity, score.covered, score.agreed)
            )
        return cls(reference.records.schema, tuple(ranked), reference.majority)

    @property
    def theory(self) -> Theory:
        return Theory.of(self.rules)

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(ranked.rule for ranked in self.ranked)

    @property
    def outcomes(self) -> tuple[str, ...]:
        """What each rule answers; last, the default."""
        return (*(rule.outcome for rule in self.rules), self.default)

    @property
    def size(self) -> int:
        return len(self.ranked)

    @property
    def length(self) -> float:
        return self.theory.length

    @property
    def may_decide(self) -> int:
        """How many rules there are up to the first without conditions: none below it decides."""
        everyone = (place for place, rule in enumerate(self.rules, start=1) if not len(rule))
        return next(everyone, self.size)

    @property
    def never_said(self) -> str:
        """Which rules can never decide, in a sentence; empty where each can."""
        last = self.may_decide
        if last == self.size:
            return ""
        rules = f"Rule {self.size}" if last + 1 == self.size else f"Rules {last + 1} to {self.size}"
        return f"{rules} can never decide: rule {last} covers everyone."

    def to_sql(
        self,
        dialect: Dialect = DUCKDB,
        *,
        table: str | Sequence[str] | None = None,
        outcome: str = "outcome",
        rule: str | None = None,
    ) -> str:
        """The theory as SQL that gives the outcome of each record.

        Parameters
        ----------
        dialect
            The SQL of which database.
        table
            Where given, a whole query on this table: its name, or its parts as in
            `("schema", "table")`. Otherwise the `CASE` expression alone.
        outcome
            What the query calls the column with the outcome.
        rule
            Where given, the query has a further column of this name with the number of the
            deciding rule, counted from 1; NULL where no rule covers the record.

        Notes
        -----
        A NULL is a missing value, and so is a NaN. What is by hand is said in comments.
        """
        told = [f"SQL for {dialect.title}. {dialect.note}", *self.steering.sentences()]
        told += [self.never_said] if self.never_said else []
        comments = [sql_comment(each) for each in told]
        said = [_answer_in_sql(each, dialect) for each in self.ranked]
        decided = self._first_that_applies(said, dialect.text(self.default), dialect)
        if table is None:
            return "\n".join([*comments, decided])
        columns = [f"{decided} AS {dialect.name(outcome)}"]
        if rule is not None:
            numbers = [str(place) for place in range(1, self.size + 1)]
            deciding = self._first_that_applies(numbers, "NULL", dialect)
            columns.append(f"{deciding} AS {dialect.name(rule)}")
        parts = [table] if isinstance(table, str) else list(table)
        source = ".".join(map(dialect.name, parts))
        return "\n".join([*comments, "SELECT *,", ",\n".join(columns), f"FROM {source}\n"])

    def _first_that_applies(self, results: list[str], otherwise: str, dialect: Dialect) -> str:
        """The result of the first rule that covers a record; results are SQL, not texts."""
        if not results:
            return otherwise
        notation = dialect.notation
        lines = [
            f"  WHEN {rule_condition(rule, self.schema, notation)} THEN {result}"
            for rule, result in zip(self.rules, results, strict=True)
        ]
        return "\n".join(["CASE", *lines, f"  ELSE {otherwise}", "END"])

    def iter_decided(self, records: Records) -> Iterator[Bits]:
        """For each rule in turn the records that it decides; last, those left to the default."""
        undecided = records.everything
        for rule in self.rules:
            decided = records.coverage(rule) & undecided
            undecided ^= decided
            yield decided
        yield undecided

    def deciding(self, frame: pd.DataFrame) -> npt.NDArray[np.int64]:
        """For each row the place of the rule that decides, −1 where none covers it.

        The frame needs the features that rules name, and no others.
        """
        used = named_features(self.rules)
        features = tuple(each for each in self.schema.features if each.name in used)
        if not features:  # a rule without conditions covers everyone
            return np.full(len(frame), 0 if self.size else -1, dtype=np.int64)
        records = Records(replace(self.schema, features=features), frame)
        places = np.full(len(frame), -1, dtype=np.int64)
        for place, decided in enumerate(self.iter_decided(records)):
            if place < self.size:
                places[mask_of(decided, len(frame))] = place
        return places

    def predict(self, records: Records) -> npt.NDArray[np.object_]:
        """The outcome for each record."""
        predicted = np.empty(records.size, dtype=object)
        for outcome, decided in zip(self.outcomes, self.iter_decided(records), strict=True):
            predicted[mask_of(decided, records.size)] = outcome
        return predicted

    def fidelity(self, other: Reference) -> float:
        """Share of (held-out) records where this theory and the black box agree."""
        agreed = (
            (decided & other.having.get(outcome, 0)).bit_count()
            for outcome, decided in zip(
                self.outcomes, self.iter_decided(other.records), strict=True
            )
        )
        return sum(agreed) / other.size

    def explain(
        self, records: Records, place: int, black_box: str | None = None
    ) -> RecordExplanation:
        """Which rules cover record number `place`, which one decides, and what the others say."""
        if not 0 <= place < records.size:
            raise GLocalXError(
                f"There is no record {place}: the table has {records.size:,}, counted from 0."
            )
        bit = 1 << place
        covering = tuple(i for i, rule in enumerate(self.rules) if records.coverage(rule) & bit)
        outcome = self.rules[covering[0]].outcome if covering else self.default
        return RecordExplanation(outcome, covering, black_box)


def _answer_in_sql(ranked: RankedRule, dialect: Dialect) -> str:
    said = dialect.text(ranked.rule.outcome)
    return f"{said} {sql_comment(ranked.mark.said)}" if ranked.mark else said
