"""Which features of a record may change, and in which direction: the person's to say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from glocalx.errors import GLocalXError
from glocalx.rules.schema import Schema
from glocalx.words.phrases import listing, shown

MayChange: TypeAlias = Literal["never", "up", "down", "any"]
WAYS: tuple[MayChange, ...] = get_args(MayChange)


@dataclass(frozen=True, slots=True)
class Permissions:
    """What a change may touch.

    Parameters
    ----------
    ways
        By feature: `never`, only `up`, only `down`, or `any`. What is not named may change in any
        way.
    sensitive
        The features that may not change because they are sensitive and nobody said otherwise.

    Examples
    --------
    >>> Permissions.of({"age": "up"}, sensitive=["sex"]).way("sex")
    'never'
    >>> Permissions.of({"sex": "any"}, sensitive=["sex"]).way("sex")
    'any'
    """

    ways: Mapping[str, MayChange] = field(default_factory=dict)
    sensitive: tuple[str, ...] = ()

    @classmethod
    def of(cls, said: Mapping[str, MayChange], sensitive: Iterable[str] = ()) -> Permissions:
        """What a person said; a sensitive feature that nobody spoke of is left alone."""
        silent = tuple(name for name in sensitive if name not in said)
        return cls({**dict.fromkeys(silent, "never"), **said}, silent)

    def way(self, feature: str) -> MayChange:
        """How a feature may change."""
        return self.ways.get(feature, "any")

    def checked(self, schema: Schema) -> Permissions:
        """The same; refused where it cannot be meant of these features."""
        for name, way in self.ways.items():
            if way not in WAYS:
                raise GLocalXError(
                    f"{shown(name)} may change “{way}”, which says nothing. Use one of "
                    f"{', '.join(WAYS)}."
                )
            if way in ("up", "down") and name in schema and schema[name].is_categorical:
                raise GLocalXError(
                    f"{shown(name)} holds categories, which have no up and down. Say that it never "
                    "changes, or nothing."
                )
        return self

    def sentence(self, names: Mapping[str, str] | None = None) -> str:
        """What was left alone, in words; empty where everything may change.

        `names`: how the features are called; only these are named. All, as they are, by default.
        """
        called = {name: name for name in self.ways} if names is None else names
        ways = {name: way for name, way in self.ways.items() if name in called}

        def those(*wanted: str) -> list[str]:
            return [called[name] for name in ways if ways[name] in wanted]

        silent = [called[name] for name in self.sensitive if name in called]
        fixed = [each for each in those("never") if each not in silent]
        parts = []
        if silent:
            parts.append(f"{listing(silent)} is left alone because it is sensitive")
            if len(silent) > 1:
                parts[-1] = f"{listing(silent)} are left alone because they are sensitive"
        if fixed:
            parts.append(f"{listing(fixed)} never {'changes' if len(fixed) == 1 else 'change'}")
        parts += [f"{shown(each)} only goes up" for each in those("up")]
        parts += [f"{shown(each)} only goes down" for each in those("down")]
        text = "; ".join(parts)
        return f"{text}." if text else ""
