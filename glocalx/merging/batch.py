"""The batch of records on which one merge is made."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from glocalx.apportionment import apportioned
from glocalx.rules.coverage import Bits, bits_of
from glocalx.rules.scoring import Reference


class BatchSampler:
    """Draws records stratified by black-box label, from a seeded generator.

    Every outcome that occurs has the share of places that its records have, and at least one, so
    rules about a rare outcome meet in every batch. A batch size below the number of outcomes that
    occur is raised to it.

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
        occurring = [name for name in reference.outcomes if reference.having[name]]
        size = min(max(batch_size, len(occurring)), reference.size)
        self._whole = size == reference.size
        strata = [np.flatnonzero(reference.labels == name) for name in occurring]
        exact = [len(stratum) * size / reference.size for stratum in strata]
        quotas = apportioned(size, exact, [1] * len(strata))
        self._strata = list(zip(strata, quotas, strict=True))
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
