"""Records shared out: the three-way split of the paper, and samples of big tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.apportionment import apportioned
from glocalx.errors import GLocalXError
from glocalx.table.findings import Finding
from glocalx.table.outcomes import Texts
from glocalx.table.table import Table
from glocalx.table.understanding import read_categories
from glocalx.words.phrases import counted, listing, shown

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """The places of the records to train the black box, to explain, and to test.

    Each is sorted; together they are all records, each once. Where the black box comes from
    elsewhere, nobody trains. Where nothing is held out, the explained records are those to test on.
    """

    train: Places
    explain: Places
    test: Places
    seed: int
    findings: tuple[Finding, ...] = ()

    @property
    def nothing_held_out(self) -> bool:
        """Whether rules are judged on the very records from which they are made."""
        return np.array_equal(self.test, self.explain)

    @property
    def alone(self) -> tuple[Places, Places, Places]:
        """To train on, to explain, and held out, which may be none: every record in one of them."""
        return self.train, self.explain, self.test[:0] if self.nothing_held_out else self.test

    @property
    def background(self) -> Places:
        """Records that stand for all, from which nothing is held out: to fit on, to draw from."""
        return self.train if self.train.size else self.explain


def split(table: Table, train: float = 0.70, explain: float = 0.21, seed: int = 0) -> Split:
    """Share out the records of a table, stratified by target.

    Every outcome is shared out by itself. One that has as many records as there are parts or
    more is in every part; one that has fewer goes into one part, and that is said.

    Where nothing is trained here and a column says which records the model has seen, only records
    that it has not seen are for testing; those that are too many to test on are explained.

    Parameters
    ----------
    train, explain
        Shares of the records; the rest is for testing. Nothing may be left for that: rules are
        then judged on the records that are explained.
    seed
        Decides, with the target and nothing else, which records go where.
    """
    shares = _checked_shares(train, explain)
    parts: list[list[Places]] = [[], [], []]
    small: list[str] = []
    unseen = None if train else unseen_records(table)
    generator = np.random.default_rng(seed)
    first = next(place for place, share in enumerate(shares) if share)
    for outcome, records in _by_outcome(table.target):
        counts = _counts(records.size, shares)
        if counts is None:
            small.append(outcome)
            counts = [records.size if place == first else 0 for place in range(3)]
        shuffled = generator.permutation(records)
        if unseen is not None:
            shuffled = shuffled[np.argsort(unseen[shuffled], kind="stable")]
            counts = _at_most(counts, int(np.count_nonzero(unseen[records])))
        for part, chosen in zip(parts, np.split(shuffled, np.cumsum(counts)[:-1]), strict=True):
            part.append(chosen)
    places = [np.sort(np.concatenate(part)) for part in parts]
    for place, share, name in zip(places, shares, ("train on", "explain", "test on"), strict=True):
        if share and not place.size:
            raise GLocalXError(
                f"The table has {counted(table.size, 'record')}, too few to have one to {name}. "
                "Bring more records, or change the shares."
            )
    train_on, explained, tested = places
    sentence = (
        f"{counted(len(small), 'outcome')} with too few records to be in every part went into "
        f"one: {listing(small)}."
    )
    rare = Finding("rare outcome", "warning", None, sentence)
    findings = (rare,) if small else ()
    return Split(train_on, explained, tested if shares[2] else explained, seed, findings)


def unseen_records(table: Table) -> npt.NDArray[np.bool_] | None:
    """Which records the model has not seen, as a column says; None where none has that role.

    An empty cell does not say so.
    """
    name = table.choices.outcome("seen")
    if name is None:
        return None
    read = read_categories(table.raw, name, table.choices.kinds.get(name)).take(table.rows)
    said = {text: _SEEN.get(text.strip().casefold()) for text in read.categories}
    strange = [text for text, seen in said.items() if seen is None]
    if strange:
        raise GLocalXError(
            f"The column {shown(name)} should say which records the model has seen, and says "
            f"{listing(strange)}. Write train or test, yes or no, 1 or 0."
        )
    unseen = np.array([*(not said[text] for text in read.categories), False])[read.values]
    if not unseen.any():
        raise GLocalXError(
            f"The column {shown(name)} marks no record as one that the model has not seen, so none "
            "can be held out. Bring some that were not trained on, or leave the column out."
        )
    return unseen


_SEEN = {
    **dict.fromkeys(("train", "training", "seen", "yes", "y", "true", "1"), True),
    **dict.fromkeys(("test", "testing", "validation", "valid", "holdout", "held out"), False),
    **dict.fromkeys(("unseen", "new", "no", "n", "false", "0"), False),
}


def sample_rows(table: Table, n: int, seed: int = 0) -> Table:
    """At most `n` records of a table, stratified by target where there is one; said in a finding.

    Every outcome keeps at least one record.
    """
    if n >= table.size:
        return table
    has_target = table.choices.outcome("target") is not None
    texts = table.target if has_target else np.full(table.size, "", dtype=object)
    generator = np.random.default_rng(seed)
    groups = [generator.permutation(records) for _, records in _by_outcome(texts)]
    if n < len(groups):
        raise GLocalXError(
            f"A sample of {counted(n, 'record')} cannot hold {counted(len(groups), 'outcome')}. "
            f"Ask for at least {len(groups)}."
        )
    exact = [n * (group.size / table.size) for group in groups]
    sizes = apportioned(n, exact, [1] * len(groups))
    chosen = np.concatenate([group[:size] for group, size in zip(groups, sizes, strict=True)])
    sentence = f"{chosen.size:,} of {table.size:,} records are used, drawn at random (seed {seed})."
    return table.only(np.sort(chosen), Finding("sample", "info", None, sentence))


def _checked_shares(train: float, explain: float) -> tuple[float, float, float]:
    test = round(1 - train - explain, 9)
    if not (train >= 0 and explain > 0 and test >= 0):
        raise GLocalXError(
            f"Shares of {train:g} to train and {explain:g} to explain cannot be. Give shares from "
            "0 to 1, together at most 1, with something to explain."
        )
    return train, explain, test


def _by_outcome(texts: Texts) -> list[tuple[str, Places]]:
    """The places of each outcome, outcomes in sorted order."""
    codes, names = pd.factorize(texts, sort=True)
    order = np.argsort(codes, kind="stable")
    groups = np.split(order, np.cumsum(np.bincount(codes))[:-1])
    return [(str(name), group) for name, group in zip(names, groups, strict=True)]


def _counts(size: int, shares: Sequence[float]) -> list[int] | None:
    """Whole numbers in these shares, none of them 0 where its share is not; None if too few."""
    least = [int(share > 0) for share in shares]
    exact = [size * share for share in shares]
    return None if size < sum(least) else apportioned(size, exact, least)


def _at_most(counts: Sequence[int], tested: int) -> list[int]:
    """The counts with at most so many to test on; the others are explained."""
    train, explain, test = counts
    more = max(test - tested, 0)
    return [train, explain + more, test - more]
