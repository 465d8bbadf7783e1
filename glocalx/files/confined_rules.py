"""Rules that somebody brings are read in a child process, and come back as plain data of ours."""

from __future__ import annotations

from typing import Any

from glocalx.confined.child import Loaded
from glocalx.confined.handed_file import HandedFile, read_confined
from glocalx.errors import GLocalXError
from glocalx.files.document import decoded
from glocalx.files.rules import parse_rules, rule_to_dict, rules_from
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema

RULES_LOADER = f"{__name__}:load_rules"


def read_brought(data: bytes, name: str, schema: Schema) -> list[Rule]:
    """The rules of a file of any format, each of which the table must be able to have.

    Raises
    ------
    GLocalXError
        With one sentence about what is wrong in the file.
    """
    options = {"name": name, "schema": schema.to_dict()}
    told = read_confined(HandedFile(name, RULES_LOADER, data, options, kind="file"))
    try:
        return list(rules_from(told.header["about"]["rules"], schema))
    except GLocalXError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError):
        raise GLocalXError(f"The file “{name}” holds no rules that can be read.") from None


def load_rules(content: bytes, options: dict[str, Any]) -> Loaded:
    """In the child: the rules as our own files have them."""
    name, schema = str(options["name"]), Schema.from_dict(options["schema"])
    rules, _ = parse_rules(decoded(content, name), name, schema)
    if not rules:
        raise GLocalXError(f"There are no rules in “{name}”. Bring a file with at least one.")
    return Loaded(
        {"rules": [rule_to_dict(_fitting(r, i, name, schema)) for i, r in enumerate(rules)]}
    )


def _fitting(rule: Rule, place: int, name: str, schema: Schema) -> Rule:
    try:
        return schema.rule(dict(rule.premises), rule.outcome)
    except GLocalXError as error:
        raise GLocalXError(
            f"The file “{name}” is about another table, see its rule {place + 1:,}. {error}"
        ) from None
