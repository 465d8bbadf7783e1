"""Theories as files: the rules in the order in which they decide, and the default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.files.document import document_text, number, opened_document, write_document
from glocalx.files.rules import rule_to_dict, rules_from
from glocalx.files.steering import (
    mark_from_dict,
    mark_to_dict,
    steering_from_list,
    steering_to_list,
)
from glocalx.rules.classifier import RankedRule, RankedTheory
from glocalx.rules.returns import RuleReturns
from glocalx.rules.schema import Schema

THEORY = "glocalx/theory"


def write_theory(path: Path, theory: RankedTheory, sensitive: Iterable[str] | None = None) -> None:
    """Write a theory; see :func:`theory_text`."""
    write_document(path, theory_text(theory, sensitive))


def theory_text(theory: RankedTheory, sensitive: Iterable[str] | None = None) -> str:
    """A theory with the order of its rules, what the reference records say of them, and what of it
    is by hand, as its file has it.

    `sensitive`: the features that are sensitive, so that nobody proposes to change them; None where
    that is not known.
    """
    rules = [
        {
            **rule_to_dict(ranked.rule),
            "accuracy": ranked.accuracy,
            "fidelity": ranked.fidelity,
            "covered": ranked.covered,
            "agreed": ranked.agreed,
            **({"by_hand": mark_to_dict(ranked.mark)} if ranked.mark else {}),
            **({"returns": asdict(ranked.returns)} if ranked.returns else {}),
        }
        for ranked in theory.ranked
    ]
    content = {"default": theory.default, "rules": rules}
    if theory.steering:
        content["steering"] = steering_to_list(theory.steering)
    if sensitive is not None:
        content["sensitive"] = [name for name in sensitive if name in theory.schema]
    return document_text(THEORY, theory.schema, content)


def read_sensitive(path: Path) -> tuple[str, ...] | None:
    """Which features a theory's file says are sensitive; None where it does not say."""
    with opened_document(path, THEORY) as document:
        said = document.get("sensitive")
        if said is None:
            return None
        names = Schema.from_dict(document["schema"]).names
        if not isinstance(said, list) or any(name not in names for name in said):
            raise GLocalXError("“sensitive” is to be a list of its features.")
        return tuple(said)


def read_theory(path: Path) -> RankedTheory:
    """Read a theory."""
    with opened_document(path, THEORY) as document:
        schema = Schema.from_dict(document["schema"])
        items = document["rules"]
        ranked = tuple(
            RankedRule(
                rule,
                number(item["accuracy"]),
                number(item["fidelity"]),
                int(item["covered"]),
                int(item["agreed"]),
                mark_from_dict(item.get("by_hand"), schema),
                _returns(item.get("returns")),
            )
            for item, rule in zip(items, rules_from(items, schema), strict=True)
        )
        if document["default"] not in schema.outcomes:
            raise GLocalXError(f"the default “{document['default']}” is none of the outcomes.")
        steering = steering_from_list(document.get("steering", []), schema)
        return RankedTheory(schema, ranked, document["default"], steering)


def _returns(item: Mapping[str, Any] | None) -> RuleReturns | None:
    if item is None:
        return None
    times, precision = item["times"], item["precision"]
    return RuleReturns(
        None if times is None else int(times),
        int(item["of"]),
        number(item["limit"]),
        None if precision is None else (number(precision[0]), number(precision[1])),
    )
