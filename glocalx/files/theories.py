"""Theories as files: the rules in the order in which they decide, and the default."""

from __future__ import annotations

from pathlib import Path

from glocalx.errors import GLocalXError
from glocalx.files.document import check_document, number, read_document, refusing, write_document
from glocalx.files.rules import rule_to_dict, rules_from
from glocalx.rules.classifier import RankedRule, RankedTheory
from glocalx.rules.schema import Schema

THEORY = "glocalx/theory"


def write_theory(path: Path, theory: RankedTheory) -> None:
    """Write a theory with the order of its rules and what the reference records say of them."""
    rules = [
        {
            **rule_to_dict(ranked.rule),
            "accuracy": ranked.accuracy,
            "fidelity": ranked.fidelity,
            "covered": ranked.covered,
            "agreed": ranked.agreed,
        }
        for ranked in theory.ranked
    ]
    write_document(path, THEORY, theory.schema, {"default": theory.default, "rules": rules})


def read_theory(path: Path) -> RankedTheory:
    """Read a theory."""
    document = read_document(path)
    with refusing(path):
        check_document(document, THEORY)
        schema = Schema.from_dict(document["schema"])
        items = document["rules"]
        ranked = tuple(
            RankedRule(
                rule,
                number(item["accuracy"]),
                number(item["fidelity"]),
                int(item["covered"]),
                int(item["agreed"]),
            )
            for item, rule in zip(items, rules_from(items, schema), strict=True)
        )
        if document["default"] not in schema.outcomes:
            raise GLocalXError(f"the default “{document['default']}” is none of the outcomes.")
        return RankedTheory(schema, ranked, document["default"])
