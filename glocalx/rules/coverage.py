"""Which records a rule covers, and how similar two coverages are.

A set of records is a Python integer, one bit per record: bit `i` is record `i`. Intersection,
union and size are then `&`, `|` and `.bit_count()`, at memory speed and with no array per rule.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.errors import GLocalXError
from glocalx.rules.codes import NO_CODE, Coded, numbers_of
from glocalx.rules.rule import Categories, Interval, Premise, Rule
from glocalx.rules.schema import Feature, Schema

Bits: TypeAlias = int
BoolArray: TypeAlias = npt.NDArray[np.bool_]

UNSEEN = -2  # the place of a category that the schema does not have; NO_CODE: a missing one


def bits_of(mask: BoolArray) -> Bits:
    """The set of the records where `mask` is true.

    Examples
    --------
    >>> bin(bits_of(np.array([True, False, True])))
    '0b101'
    """
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


def mask_of(bits: Bits, size: int) -> BoolArray:
    """The inverse of :func:`bits_of` for `size` records."""
    packed = np.frombuffer(bits.to_bytes((size + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(packed, count=size, bitorder="little").astype(bool)


def similarity(a: Bits, b: Bits) -> float:
    """Jaccard similarity of two coverages; 0 where both are empty."""
    either = (a | b).bit_count()
    return (a & b).bit_count() / either if either else 0.0


class Records:
    """A table in the form that rules are tested on.

    Numbers are kept as floats and categories as their place in the feature's domain. A missing
    number or category satisfies the premises that include missing, unless the feature has a value
    that stands in for it; a category outside the domain satisfies no premise on that feature, and
    `unseen` counts these.

    Parameters
    ----------
    schema
        What the columns are.
    frame
        One row per record, with at least the columns of the schema.
    """

    def __init__(self, schema: Schema, frame: pd.DataFrame) -> None:
        missing = [name for name in schema.names if name not in frame.columns]
        if missing:
            raise GLocalXError(
                f"The table lacks the column “{missing[0]}”"
                + (f" and {len(missing) - 1} more" if len(missing) > 1 else "")
                + ". Add it, or use the table that the rules were made for."
            )
        self.schema = schema
        self.size = len(frame)
        self.everything: Bits = (1 << self.size) - 1
        self.unseen: dict[str, Mapping[str, int]] = {}
        self._columns = {
            feature.name: self._encode(feature, frame[feature.name]) for feature in schema.features
        }
        self._below: dict[tuple[str, float], Bits] = {}
        self._having: dict[tuple[str, str], Bits] = {}
        self._premises: dict[tuple[str, Premise], Bits] = {}

    def __len__(self) -> int:
        return self.size

    def taken(self, places: npt.NDArray[np.int64]) -> Records:
        """The records at these places, some of them several times."""
        taken = copy(self)
        taken.size = len(places)
        taken.everything = (1 << taken.size) - 1
        taken._columns = {name: values[places] for name, values in self._columns.items()}
        taken._below, taken._having, taken._premises = {}, {}, {}
        return taken

    def _encode(self, feature: Feature, column: pd.Series[Any]) -> npt.NDArray[Any]:
        if not feature.is_categorical:
            numbers = numbers_of(feature, column)
            if feature.fill is not None:
                numbers = np.where(np.isnan(numbers), feature.fill, numbers)
            return numbers
        coded = Coded.of(column)
        strange = coded.outside(feature.categories)
        if strange:
            self.unseen[feature.name] = strange
        codes = coded.among(feature.categories, outside=UNSEEN)
        if feature.fill is not None:
            codes[codes == NO_CODE] = feature.categories.index(str(feature.fill))
        return codes

    def values(self, feature: str) -> npt.NDArray[Any]:
        """The encoded column: floats, or places in the domain, else `NO_CODE` or `UNSEEN`."""
        return self._columns[feature]

    def coverage(self, rule: Rule) -> Bits:
        """The records that satisfy all premises of `rule`."""
        covered = self.everything
        for named in rule.premises:
            bits = self._premises.get(named)
            covered &= self.satisfying(*named) if bits is None else bits
        return covered

    def union(self, rules: Iterable[Rule]) -> Bits:
        """The records that any of the rules covers."""
        covered = 0
        for rule in rules:
            covered |= self.coverage(rule)
        return covered

    def satisfying(self, feature: str, premise: Premise) -> Bits:
        """The records that satisfy one premise."""
        bits = self._premises.get((feature, premise))
        if bits is None:
            bits = self._satisfying(feature, premise)
            self._premises[feature, premise] = bits
        return bits

    def _satisfying(self, feature: str, premise: Premise) -> Bits:
        bits = self._records_missing(feature) if premise.missing else 0
        if premise.is_only_missing:
            return bits
        match premise:
            case Interval(low, high):
                below = self._records_below(feature, high) ^ self._records_below(feature, low)
                return bits | below
            case Categories(values):
                for value in values:
                    bits |= self._records_having(feature, value)
                return bits

    def _records_missing(self, feature: str) -> Bits:
        values = self._columns[feature]
        categorical = self.schema[feature].is_categorical
        return bits_of(values == NO_CODE if categorical else np.isnan(values))

    def _records_below(self, feature: str, bound: float) -> Bits:
        bits = self._below.get((feature, bound))
        if bits is None:
            values = self._columns[feature]
            bits = bits_of(values < bound if bound < math.inf else ~np.isnan(values))
            self._below[feature, bound] = bits
        return bits

    def _records_having(self, feature: str, value: str) -> Bits:
        bits = self._having.get((feature, value))
        if bits is None:
            categories = self.schema[feature].categories
            known = value in categories
            bits = bits_of(self._columns[feature] == categories.index(value)) if known else 0
            self._having[feature, value] = bits
        return bits

    def fingerprint(self) -> str:
        """A short text that differs for other columns, categories or values, whatever the words."""
        digest = hashlib.sha256(repr(self.schema.to_dict(words=False)).encode())
        for name in self.schema.names:
            digest.update(np.ascontiguousarray(self._columns[name]).tobytes())
        return digest.hexdigest()[:16]

    def __getstate__(self) -> Mapping[str, Any]:
        return {**self.__dict__, "_below": {}, "_having": {}, "_premises": {}}
