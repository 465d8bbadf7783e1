"""How people say a feature: phrases in place of "priors_count is at least 6".

All of it is data, kept with the feature in files, and optional. What is not given falls back to
the feature's label or name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.words.phrases import listing, shown

FORMS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("at_least", "at_most", "above", "below", "exactly"), frozenset({"n"})),
    "between": frozenset({"a", "b"}),
    **dict.fromkeys(("none", "some"), frozenset()),
    **dict.fromkeys(("about", "is", "is_not"), frozenset({""})),
}
"""The forms that a feature can have, and what each leaves open."""

_SAYS_NOTHING = re.compile(
    r"y(es)?|no?|t(rue)?|f(alse)?|ja?|nein|oui|non|s[iíì]|não|tak|nie|[+-]?\d{1,3}([.,]0)?", re.I
)

_BY_NAME = ("forms", "says", "says_not", "values")
_OPEN = re.compile(r"\{([nab]?)\}")


@dataclass(frozen=True, slots=True)
class Spoken:
    """Words for one feature.

    Parameters
    ----------
    called
        The name within a sentence, "race" for the label "Race".
    short
        The name within a table: "priors".
    noun
        What the feature counts, one and many: "prior offence" and "prior offences". A count is
        never below zero, so there can be "no prior offences".
    forms
        Whole conditions with a place for the numbers: `at_least`, `at_most`, `above`, `below` and
        `exactly` with `{n}` ("aged {n} or older"), `between` with `{a}` and `{b}`, both included;
        `about` with `{}` for "at least 5 €" and the like ("a fee of {}"); `none` and `some` for
        amounts that are never below zero ("no fee"); `is` and `is_not` with `{}` for categories
        ("born in {}").
    says
        Whole conditions for single categories: yes, "re-offended within two years".
    says_not
        Whole conditions for all categories but one: married, "not married".
    values
        What a value of the table means: F, "felony".

    Examples
    --------
    >>> age = Spoken(forms={"at_least": "aged {n} or older"})
    >>> age.form("at_least", n="42"), age.form("at_most", n="42")
    ('aged 42 or older', None)
    """

    called: str | None = None
    short: str | None = None
    noun: tuple[str, str] | None = None
    forms: Mapping[str, str] = field(default_factory=dict)
    says: Mapping[str, str] = field(default_factory=dict)
    says_not: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, template in self.forms.items():
            if name not in FORMS:
                raise GLocalXError(f"There is no form {shown(name)}. Use one of {listing(FORMS)}.")
            if set(_OPEN.findall(template)) != FORMS[name]:
                places = listing(f"{{{place}}}" for place in sorted(FORMS[name]))
                raise GLocalXError(
                    f"The form {shown(name)} reads {shown(template)}. "
                    + (f"It needs {places}." if places else "It has no place for a number.")
                )

    @property
    def is_amount(self) -> bool:
        """True where the feature is never below zero."""
        return self.noun is not None or "none" in self.forms

    def form(self, name: str, **numbers: str) -> str | None:
        """A form with its numbers, None where there is no such form; `{}` is filled by `n`."""
        template = self.forms.get(name)
        if template is None:
            return None
        return _OPEN.sub(lambda place: numbers[place[1] or "n"], template)

    def only_values(self) -> Spoken | None:
        """What is left when a person has given the feature another label."""
        return Spoken(values=self.values) if self.values else None

    def to_dict(self) -> dict[str, Any]:
        """What is given, for a file."""
        given = {name: getattr(self, name) for name in self.__slots__}
        return {
            name: dict(value) if isinstance(value, Mapping) else value
            for name, value in given.items()
            if value
        } | ({"noun": list(self.noun)} if self.noun else {})

    @classmethod
    def from_dict(cls, data: Any) -> Spoken:
        """The inverse of :meth:`to_dict`; whatever else a file may hold here is refused."""
        if not isinstance(data, Mapping):
            raise GLocalXError("The words for a feature are no JSON object.")
        unknown = [name for name in data if name not in cls.__slots__]
        if unknown:
            raise GLocalXError(
                f"There are no words called {shown(unknown[0])} for a feature. "
                f"Use {listing(cls.__slots__)}."
            )
        return cls(
            called=_text(data.get("called")),
            short=_text(data.get("short")),
            noun=_noun(data.get("noun")),
            **{name: words_by_name(data.get(name)) for name in _BY_NAME},
        )


def words_by_name(data: Any) -> dict[str, str]:
    """An object of a file that gives words for names; None is none."""
    if data is not None and not isinstance(data, Mapping):
        raise GLocalXError(f"{shown(data)} stands where words should.")
    return {str(name): _needed(text) for name, text in (data or {}).items()}


def _text(value: Any) -> str | None:
    return None if value is None else _needed(value)


def _noun(value: Any) -> tuple[str, str] | None:
    if value is None:
        return None
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise GLocalXError(f"Nouns are two, for one and for many, and not {shown(value)}.")
    return _needed(value[0]), _needed(value[1])


def _needed(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise GLocalXError(f"{shown(value)} stands where words should.")
    return value


def outcome_names(
    column: str, outcomes: Iterable[str], known: Mapping[str, str] | None = None
) -> dict[str, str]:
    """How outcomes are called: as is known, or with their column where they say nothing alone.

    Examples
    --------
    >>> outcome_names("Denied", ["yes", "no"]), outcome_names("Grade", ["high", "low"])
    ({'yes': 'Denied: yes', 'no': 'Denied: no'}, {})
    """
    silent = {each: f"{column}: {each}" for each in outcomes if _SAYS_NOTHING.fullmatch(each)}
    return {**silent, **(known or {})}
