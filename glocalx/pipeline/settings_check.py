"""Settings out of a file are checked like what a person types: each by itself, with its place.

The types say what a setting is for whoever writes code; here is what JSON may hold for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from glocalx.errors import GLocalXError

Check: TypeAlias = Callable[[Any], bool]
MOST_SEED = 2**32 - 1

ROLES = ("feature", "sensitive", "target", "predictions", "true label", "seen", "ignored")
KINDS = ("numeric", "integer", "date", "categorical", "boolean", "text", "identifier")
MAY_CHANGE = ("never", "up", "down", "any")


def check_settings(data: object) -> None:
    """Refuse settings that nobody could have chosen.

    Raises
    ------
    GLocalXError
        Which setting it is, and what stands there.
    """
    _check_part("", data, _PARTS)
    assert isinstance(data, Mapping)  # it was checked
    for part, table in _TABLES.items():
        _check_part(part, data.get(part, {}), table)
    rules = data.get("rules", {})
    _check_part("rules.extraction", rules.get("extraction", {}), _EXTRACTION)
    shares = data.get("data", {})
    if shares.get("train", 0) + shares.get("explain", 0) > 1:
        raise _refused("data.explain", shares["explain"])


def _check_part(part: str, given: object, table: Mapping[str, Check]) -> None:
    if not isinstance(given, Mapping):
        raise _refused(part or "settings", given)
    for name, value in given.items():
        place = f"{part}.{name}" if part else str(name)
        if name not in table:
            raise GLocalXError(
                f"This run has the setting “{place}”, which this version does not know. It is "
                "damaged, or was made by another version. Start a new run."
            )
        if not table[name](value):
            raise _refused(place, value)


def _refused(place: str, value: object) -> GLocalXError:
    said = repr(value)
    return GLocalXError(
        f"The setting “{place}” of this run is {said[:60]}{'…' if len(said) > 60 else ''}, which "
        "it cannot be. It is damaged, or was made by another version. Start a new run."
    )


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _truth(value: Any) -> bool:
    return isinstance(value, bool)


def _object(value: Any) -> bool:
    return isinstance(value, Mapping)


def _or_none(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _one_of(*known: str) -> Check:
    return lambda value: isinstance(value, str) and value in known


def _whole(least: int, most: int | None = None) -> Check:
    return lambda value: type(value) is int and value >= least and (most is None or value <= most)


def _number(least: float, most: float) -> Check:
    return lambda value: (
        type(value) in (int, float) and math.isfinite(value) and least <= value <= most
    )


def _list_of(check: Check) -> Check:
    return lambda value: isinstance(value, list | tuple) and all(map(check, value))


def _by_name(check: Check) -> Check:
    return lambda value: (
        isinstance(value, Mapping)
        and all(isinstance(name, str) and check(each) for name, each in value.items())
    )


def _brought(file: str) -> dict[str, Check]:
    """A file in the run's folder, which has one name only."""
    return {"file": _or_none(_one_of(file)), "name": _text, "content": _text}


_PARTS: Mapping[str, Check] = {
    **dict.fromkeys(("data", "box", "rules", "merge", "selection"), _object),
    "synthetic": _truth,
}
_TABLES: Mapping[str, Mapping[str, Check]] = {
    "data": {
        **_brought("table"),
        "sample": _or_none(_text),
        "roles": _by_name(_one_of(*ROLES)),
        "kinds": _by_name(_one_of(*KINDS)),
        "labels": _by_name(_text),
        "sensitive": _by_name(_truth),
        "left_out": _by_name(_one_of(*ROLES)),
        "may_change": _by_name(_one_of(*MAY_CHANGE)),
        "positive": _or_none(_text),
        "bands": _list_of(_number(-math.inf, math.inf)),
        "most_rows": _whole(1),
        "train": _number(0, 1),
        "explain": _number(0, 1),
        "seed": _whole(0, MOST_SEED),
        "gaps": _one_of("keep", "fill"),
        "drawn": _or_none(_truth),
    },
    "box": {
        **_brought("model"),
        "source": _one_of("train", "model", "predictions", "labels"),
        "kind": _one_of("rf", "mlp", "svm", "gb"),
        "preset": _one_of("quick", "paper"),
        "trusted": _list_of(_text),
        "columns": _or_none(_list_of(_text)),
        "renamed": _or_none(_by_name(_text)),
        "outcomes": _or_none(_by_name(_text)),
    },
    "rules": {
        **_brought("rules"),
        "extraction": _object,
        "records": _whole(1),
        "pool": _or_none(_whole(1)),
    },
    "merge": {
        "batch_size": _whole(1),
        "seed": _whole(0, MOST_SEED),
        "fidelity_weight": _number(0, math.inf),
        "complexity_weight": _number(0, math.inf),
        "bic_on": _one_of("all", "batch", "whole"),
        "reference": _one_of("explained", "labelled"),
        "patience": _or_none(_whole(1)),
        "shards": _or_none(_whole(1)),
    },
    "selection": {
        "by": _one_of("budget", "alpha", "alpha_q"),
        "value": _number(0, 1e9),
        "steering": _list_of(_object),
        "price": _or_none(_number(0, math.inf)),
        "conditions": _or_none(_whole(1)),
        "together": _truth,
        "steady": _truth,
    },
}
_EXTRACTION: Mapping[str, Check] = {
    "extractor": _text,
    "neighbours": _whole(1),
    "resample": _number(0, 1),
    "precision": _number(0, 1),
    "refine": _truth,
    "evidence": _whole(0),
    "counterfactuals": _whole(0),
    "generations": _whole(0),
}
