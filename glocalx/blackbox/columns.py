"""The columns that a model expects, matched with the columns that a table has.

Exporters rename: “Debt to income (%)” becomes `Debt_to_income`, “Größe” `Groesse`. A column that is
called so in other letters is taken where it is the only one, and that is said; all else is asked.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, TypeAlias, TypedDict

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
        held = {
            "anything": True,
            "number": not feature.is_categorical,
            "whole number": feature.is_whole,
            "text": feature.is_categorical,
        }
        return held[self.holds]


class SaidColumns(TypedDict, total=False):
    """What a person says of the columns of a model.

    Parameters
    ----------
    columns
        For a model that takes a matrix: its columns, in order. Left out: as in the table.
    renamed
        For a column that the model names what the table calls it, where that is not found.
    """

    columns: Sequence[str] | None
    renamed: Mapping[str, str] | None


class OpenColumnsError(GLocalXError):
    """A model whose columns only a person can tell.

    Parameters
    ----------
    inputs
        The columns that it names and the table does not have, each with the column that was
        probably meant, or None.
    free
        The columns of the table that it does not name.
    width
        Without `inputs`: how many columns it takes, in its order; None for any number.
    """

    def __init__(
        self,
        sentence: str,
        inputs: Sequence[Sequence[str | None]] = (),
        free: Sequence[str] = (),
        width: int | None = None,
    ) -> None:
        super().__init__(sentence)
        self.inputs = tuple((str(name), meant) for name, meant in inputs)
        self.free = tuple(free)
        self.width = width


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

    def problem(self, model: str) -> str:
        """Every mismatch in one sentence, and what to do."""
        parts = [
            f"“{name}” is missing" + (f" (did you mean “{meant}”?)" if meant else "")
            for name, meant in self.missing
        ]
        parts += [_wrong_text(expected, feature) for expected, feature in self.wrong]
        unused = f" Columns that it does not use: {listing(self.unused)}." if self.unused else ""
        return (
            f"The model “{model}” does not fit the table: {'; '.join(parts)}.{unused} "
            "Rename the columns, say which is which, or use a model made for this table."
        )


def compare_columns(
    expected: Sequence[Expected], schema: Schema, renamed: Mapping[str, str] | None = None
) -> ColumnMatch:
    """Match by name, and by likeness where there is one column alone that is called alike.

    `renamed`: for an expected column what the table calls it, as a person says.

    Examples
    --------
    >>> hours, rest = Feature("Hours per week", "integer"), Feature("Rest (%)", "numeric")
    >>> schema = Schema((hours, rest), ("no", "yes"))
    >>> compare_columns([Expected("rest"), Expected("hours_per_week")], schema).columns
    ('Rest (%)', 'Hours per week')
    >>> compare_columns([Expected("hours_a_week")], schema).missing
    (('hours_a_week', 'Hours per week'),)
    >>> compare_columns([Expected("f0")], schema, {"f0": "Hours per week"}).columns
    ('Hours per week',)
    """
    renamed = renamed or {}
    said = {column.name: renamed.get(column.name, column.name) for column in expected}
    told = {name: column for name, column in said.items() if column in schema}
    strange = [column for column in expected if column.name not in told]
    told |= _called_alike(strange, [n for n in schema.names if n not in told.values()], schema)
    columns = tuple(told.get(column.name) for column in expected)
    found = set(told.values())
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
        With all that is missing or of the wrong kind, and what is not used; an `OpenColumnsError`
        where a person can help by saying which is which.
    """
    match = compare_columns(expected, schema, renamed)
    if match.missing:
        raise OpenColumnsError(match.problem(model), match.missing, match.unused)
    if match.wrong:
        raise GLocalXError(match.problem(model))
    return tuple(name for name in match.columns if name is not None)


def matched_notes(pairs: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """One sentence with what is called otherwise in the model and in the table, if anything.

    Examples
    --------
    >>> matched_notes([("age", "age"), ("Debt_to_income", "Debt to income (%)")])
    ('Matched: Debt_to_income = Debt to income (%).',)
    """
    said = [f"{expected} = {column}" for expected, column in pairs if expected != column]
    return (f"Matched: {', '.join(said)}.",) if said else ()


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
        raise OpenColumnsError(
            f"The model “{model}” takes a matrix of {width:,} columns and {len(names):,} {have}. "
            f"Name its {width:,} columns in the order in which it was trained.",
            width=width,
        )
    numbers = [Expected(name, "number") for name in names]
    match = compare_columns(numbers, schema)
    if match.missing:
        raise GLocalXError(match.problem(model))
    if match.wrong:
        texts = listing(feature.name for _, feature in match.wrong)
        raise OpenColumnsError(
            f"The model “{model}” takes one matrix of numbers, which cannot hold the text in "
            f"{texts}. Name number columns only, or export the model together with its encoding, "
            "one input for each column.",
            width=width,
        )
    return tuple(name for name in match.columns if name is not None)


def _called_alike(
    expected: Sequence[Expected], candidates: Sequence[str], schema: Schema
) -> dict[str, str]:
    """For expected columns the one candidate that is called alike, if it is alike to no other.

    First by all of the name, then without the unit: signs, and what stands in brackets.
    """
    found: dict[str, str] = {}
    for units in (True, False):
        spelled = {name: _spellings(name, units) for name in candidates}
        alike = {}
        for column in (column for column in expected if column.name not in found):
            own = _spellings(column.name, units)
            free = [n for n in candidates if n not in found.values() and spelled[n] & own]
            alike[column.name] = [n for n in free if column.accepts(schema[n])] or free
        claims = Counter(name for names in alike.values() for name in names)
        found |= {
            column: names[0]
            for column, names in alike.items()
            if len(names) == 1 and claims[names[0]] == 1
        }
    return found


_SIGNS = {"%": ("percent", "pct"), "€": ("eur", "euro"), "$": ("usd", "dollar"), "£": ("gbp",)}
_UMLAUTS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ø": "oe", "å": "aa"}
)


def _spellings(name: str, units: bool) -> set[str]:
    """How exporters may write a name: its letters and digits alone, in their ways with the rest."""
    names = [unicodedata.normalize("NFKC", name)]
    for sign, words in _SIGNS.items():
        names = [each.replace(sign, word) for each in names for word in words]
    if not units:
        names += [name, *(re.sub(r"\([^)]*\)|\[[^\]]*\]", "", each) for each in names)]
    written = set()
    for each in dict.fromkeys(names):
        letters = unicodedata.normalize("NFKD", each)
        without_marks = "".join(part for part in letters if not unicodedata.combining(part))
        only_ascii = each.encode("ascii", "ignore").decode()
        written |= {_plain(way) for way in (each.translate(_UMLAUTS), without_marks, only_ascii)}
    return written - {""}


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _meant(name: str, candidates: Sequence[str]) -> str | None:
    plain = {_plain(candidate): candidate for candidate in reversed(candidates)}
    close = get_close_matches(_plain(name), plain, n=1, cutoff=0.8)
    return plain[close[0]] if close else None


def _wrong_text(expected: Expected, feature: Feature) -> str:
    holds = {
        "numeric": "numbers with decimals",
        "integer": "whole numbers",
        "date": "dates",
        "categorical": "text",
    }[feature.kind]
    return f"“{feature.name}” holds {holds} and the model takes {expected.holds}s"
