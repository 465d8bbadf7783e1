"""Whether a rule stays: in how many resamples one like it returns."""

from __future__ import annotations

from dataclasses import dataclass

NEARLY = 0.5
"""From which similarity of coverage on two rules of one outcome count as nearly the same."""


@dataclass(frozen=True, slots=True)
class RuleReturns:
    """What other records would have made of a rule.

    Parameters
    ----------
    times
        In how many resamples a rule of its outcome with nearly the same coverage was chosen; None
        for a rule that was changed or written by hand, which no resample can choose.
    limit
        The least Jaccard similarity of coverage that counts as nearly the same.
    precision
        95 % Wilson interval of the share of the held-out records it covers on which the black box
        agrees; None where it covers none.

    Examples
    --------
    >>> RuleReturns(8, 10).said, RuleReturns(None, 10).said
    ('returns in 8 of 10 resamples', 'no resamples: by hand')
    """

    times: int | None
    of: int
    limit: float = NEARLY
    precision: tuple[float, float] | None = None

    @property
    def said(self) -> str:
        """In a few words."""
        if self.times is None:
            return "no resamples: by hand"
        return f"returns in {self.times} of {self.of} resamples"
