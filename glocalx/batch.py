"""The batch of records on which one merge is made."""

from __future__ import annotations

import numpy as np

from glocalx.coverage import Bits, bits_of
from glocalx.scoring import Reference


class BatchSampler:
    """Draws records stratified by black-box label, from a seeded generator.

    The generator is counter-based: a batch depends on the seed and its own number alone. A run
    that goes on where it was stopped needs no more than these to draw the very same batches.

    Parameters
    ----------
    reference
        The records and their labels.
    batch_size
        Records in a batch; all of them if there are not more.
    seed, stream
        The seed of the run and a number that tells its parts apart.
    """

    def __init__(self, reference: Reference, batch_size: int, seed: int, stream: int) -> None:
        self._everything = reference.records.everything
        self._size = reference.size
        self._key = np.array((seed, stream), dtype=np.uint64)
        self._whole = batch_size >= reference.size
        self._strata = [np.flatnonzero(reference.labels == name) for name in reference.outcomes]
        self._quotas = _shares([len(stratum) for stratum in self._strata], batch_size)

    def draw(self, number: int) -> Bits:
        """The batch of iteration `number`."""
        if self._whole:
            return self._everything
        counter = np.array((0, number, 0, 0), dtype=np.uint64)  # the first word counts draws
        rng = np.random.Generator(np.random.Philox(key=self._key, counter=counter))
        chosen = np.zeros(self._size, dtype=bool)
        for stratum, quota in zip(self._strata, self._quotas, strict=True):
            chosen[rng.choice(stratum, quota, replace=False, shuffle=False)] = True
        return bits_of(chosen)


def _shares(counts: list[int], wanted: int) -> list[int]:
    """`wanted` places shared out in proportion to `counts`, the largest remainders rounded up.

    Examples
    --------
    >>> _shares([90, 10], 15)
    [14, 1]
    >>> _shares([70, 20, 10], 5)
    [4, 1, 0]
    """
    total = sum(counts)
    wanted = min(wanted, total)
    exact = [count * wanted / total for count in counts]
    shares = [int(share) for share in exact]
    by_remainder = sorted(range(len(counts)), key=lambda i: (shares[i] - exact[i], i))
    for i in by_remainder[: wanted - sum(shares)]:
        shares[i] += 1
    return shares
