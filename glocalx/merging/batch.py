"""The batch of records on which one merge is made."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from glocalx.rules.coverage import Bits, bits_of
from glocalx.rules.scoring import Reference


class BatchSampler:
    """Draws records stratified by black-box label, from a seeded generator.

    The records of each label are shuffled and dealt out batch by batch, then shuffled anew, so
    batches in a row have different records. A batch depends on the seed and its own number
    alone: a run that goes on where it was stopped needs no more to draw the very same batches.

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
        self._seed = (seed, stream)
        self._whole = batch_size >= reference.size
        strata = [np.flatnonzero(reference.labels == name) for name in reference.outcomes]
        quotas = _shares([len(stratum) for stratum in strata], batch_size)
        self._strata = [pair for pair in zip(strata, quotas, strict=True) if pair[1]]
        self._shuffled: dict[int, tuple[int, npt.NDArray[np.intp]]] = {}

    def draw(self, number: int) -> Bits:
        """The batch of iteration `number`."""
        if self._whole:
            return self._everything
        chosen = np.zeros(self._size, dtype=bool)
        for place, (stratum, quota) in enumerate(self._strata):
            deal, turn = divmod(number, len(stratum) // quota)
            chosen[self._deal(place, deal)[turn * quota : (turn + 1) * quota]] = True
        return bits_of(chosen)

    def _deal(self, place: int, deal: int) -> npt.NDArray[np.intp]:
        """The records of a stratum, shuffled for the `deal`-th time."""
        known = self._shuffled.get(place)
        if known is None or known[0] != deal:
            rng = np.random.default_rng((*self._seed, place, deal))
            known = self._shuffled[place] = (deal, rng.permutation(self._strata[place][0]))
        return known[1]


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
