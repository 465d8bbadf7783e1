"""The columns that a model expects, matched with the columns that a table has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, TypeAlias

import pandas as pd

from glocalx.errors import GLocalXError
from glocalx.rules.schema import Feature, Schema
from glocalx.words.phrases import listing

Holds: TypeAlias = Literal["anything", "number", "whole number", "text"]


@dataclass(frozen=True, slots=True)
class Expected:
    """One column that a model takes, and what it must hold."""

    name: str
    holds: Holds = "anything"

    def accepts(self, feature: Feature) -> bool:
        match self.holds:
            case "anything":
                return True
            case "number":
                return not feature.is_categorical
            case "whole number":
                return feature.is_whole
            case "text":
                return feature.is_categorical


@dataclass(frozen=True, slots=True)
class ColumnMatch:
    """How the columns of a model and of a table go together.

    Parameters
    ----------
    columns
        For each expected column the column of the table, in the model's order; None where there
        is none.
    missing
        Expected columns that the table does not have, each with the column that was probably
        meant, or None.
    wrong
        Columns that are there and hold something else than the model takes.
    unused
        Columns of the table that the model does not ask for.
    """

    columns: tuple[str | None, ...]
    missing: tuple[tuple[str, str | None], ...]
    wrong: tuple[tuple[Expected, Feature], ...]
    unused: tuple[str, ...]

    @property
    def fits(self) -> bool:
        return not self.missing and not self.wrong

    def problem(self, model: str) -> str:
        """Every mismatch in one sentence, and what to do."""
        parts = [_missing_text(name, meant) for name, meant in self.missing]
        parts += [_wrong_text(expected, feature) for expected, feature in self.wrong]
        unused = f" Columns that it does not use: {listing(self.unused)}." if self.unused else ""
        return (
            f"The model “{model}” does not fit the table: {'; '.join(parts)}.{unused} "
            "Rename the columns, say which is which, or use a model made for this table."
        )


def compare_columns(
    expected: Sequence[Expected], schema: Schema, renamed: Mapping[str, str] | None = None
) -> ColumnMatch:
    """Match by name; `renamed` tells for an expected column what the table calls it.

    Examples
    --------
    >>> schema = Schema((Feature("Hours per week", "integer"),), ("no", "yes"))
    >>> match = compare_columns([Expected("hours_per_week", "number")], schema)
    >>> match.missing
    (('hours_per_week', 'Hours per week'),)
    >>> compare_columns(
    ...     [Expected("hours_per_week")], schema, {"hours_per_week": "Hours per week"}
    ... ).fits
    True
    """
    renamed = renamed or {}
    wanted = [renamed.get(column.name, column.name) for column in expected]
    columns = tuple(name if name in schema else None for name in wanted)
    found = {name for name in columns if name is not None}
    unused = tuple(name for name in schema.names if name not in found)
    missing = tuple(
        (column.name, _meant(column.name, unused))
        for column, name in zip(expected, columns, strict=True)
        if name is None
    )
    wrong = tuple(
        (column, schema[name])
        for column, name in zip(expected, columns, strict=True)
        if name is not None and not column.accepts(schema[name])
    )
    return ColumnMatch(columns, missing, wrong, unused)


def match_columns(
    expected: Sequence[Expected],
    schema: Schema,
    model: str,
    renamed: Mapping[str, str] | None = None,
) -> tuple[str, ...]:
    """For each expected column the column of the table; every mismatch is named.

    Raises
    ------
    GLocalXError
        With all that is missing or of the wrong kind, and what is not used.
    """
    match = compare_columns(expected, schema, renamed)
    if not match.fits:
        raise GLocalXError(match.problem(model))
    return tuple(name for name in match.columns if name is not None)


def matrix_columns(
    width: int | None, schema: Schema, model: str, stated: Sequence[str] | None = None
) -> tuple[str, ...]:
    """The columns of a model that takes one matrix of numbers, in its order.

    Such a model does not name its columns: they are taken as `stated`, or as they stand in the
    table if the table has exactly as many.
    """
    names = tuple(stated) if stated is not None else schema.names
    if width is not None and len(names) != width:
        have = "were named" if stated is not None else "are in the table"
        raise GLocalXError(
            f"The model “{model}” takes a matrix of {width:,} columns and {len(names):,} {have}. "
            f"Name its {width:,} columns in the order in which it was trained."
        )
    numbers = [Expected(name, "number") for name in names]
    match = compare_columns(numbers, schema)
    if match.missing:
        raise GLocalXError(match.problem(model))
    if match.wrong:
        texts = listing(feature.name for _, feature in match.wrong)
        raise GLocalXError(
            f"The model “{model}” takes one matrix of numbers, which cannot hold the text in "
            f"{texts}. Name number columns only, or export the model together with its encoding, "
            "one input for each column."
        )
    return names


def require_columns(frame: pd.DataFrame, names: Iterable[str], model: str) -> None:
    """Refuse records that lack a column which the model was opened with."""
    missing = [name for name in names if name not in frame.columns]
    if missing:
        raise GLocalXError(
            f"The model “{model}” needs {listing(missing)}, which the records do not have. "
            "Use the table for which the model was opened."
        )


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _meant(name: str, candidates: Sequence[str]) -> str | None:
    plain = {_plain(candidate): candidate for candidate in reversed(candidates)}
    if _plain(name) in plain:
        return plain[_plain(name)]
    close = get_close_matches(_plain(name), plain, n=1, cutoff=0.8)
    return plain[close[0]] if close else None


def _missing_text(name: str, meant: str | None) -> str:
    hint = f" (did you mean “{meant}”?)" if meant else ""
    return f"“{name}” is missing{hint}"


def _wrong_text(expected: Expected, feature: Feature) -> str:
    holds = {
        "numeric": "numbers with decimals",
        "integer": "whole numbers",
        "date": "dates",
        "categorical": "text",
    }[feature.kind]
    return f"“{feature.name}” holds {holds} and the model takes {expected.holds}s"
