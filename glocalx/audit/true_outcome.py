"""What really happened, in a column of its own: not what the model was trained to say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from glocalx.errors import GLocalXError
from glocalx.rules.rule import is_missing
from glocalx.rules.schema import outcome_text
from glocalx.words.phrases import enumeration, listing, shown


@dataclass(frozen=True, slots=True)
class TrueOutcome:
    """A column that holds the truth.

    Parameters
    ----------
    column
        Its name.
    means
        Pairs of a value and the outcome that it means; none: the values are the outcomes.

    Examples
    --------
    >>> truth = TrueOutcome("again", (("1", "High"), ("0", "Low")))
    >>> truth.said
    '“again”, where “1” means “High” and “0” means “Low”'
    >>> truth.outcomes([1.0, 0, None])
    ['High', 'Low', None]
    """

    column: str
    means: tuple[tuple[str, str], ...] = ()

    @property
    def said(self) -> str:
        """Where the truth is from, as within a sentence."""
        if not self.means:
            return shown(self.column)
        pairs = [f"{shown(value)} means {shown(outcome)}" for value, outcome in self.means]
        return f"{shown(self.column)}, where {enumeration(pairs)}"

    def outcomes(self, values: Iterable[object]) -> list[str | None]:
        """What each value means; None where it is missing.

        Raises
        ------
        GLocalXError
            Where a value has no meaning.
        """
        known = dict(self.means)
        found: list[str | None] = []
        for value in values:
            if is_missing(value):
                found.append(None)
                continue
            text = outcome_text(value)
            if known and text not in known:
                raise GLocalXError(
                    f"The value {shown(text)} of {shown(self.column)} means nothing yet: only "
                    f"{listing(known)} do. Say what it means, too."
                )
            found.append(known.get(text, text))
        return found
