"""Rules made by others: LORE and Anchors in the forms in which they hand out their rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.extraction.importing.anchors import anchored, is_anchor
from glocalx.extraction.importing.literal import python_values
from glocalx.extraction.importing.lore import explained, is_explanation, is_printed, printed
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema

__all__ = ["import_rules"]

_FORMS: tuple[tuple[Callable[[Any], bool], Callable[[Any, Schema, str], Rule]], ...] = (
    (is_explanation, explained),
    (is_anchor, anchored),
    (is_printed, printed),
)


def import_rules(data: Any, schema: Schema) -> list[Rule]:
    """The rules of LORE or Anchors, in the words of a schema.

    Parameters
    ----------
    data
        One rule or a list of rules, as Python objects (numpy values may be inside), as JSON, or
        as the text that Python prints for them. Nothing in it is run or unpickled.
    schema
        The features and outcomes of the table that the rules are about.

    Examples
    --------
    >>> from glocalx.rules.schema import Feature
    >>> schema = Schema((Feature("age", "integer"),), ("no", "yes"))
    >>> import_rules("[{'y': 'yes'}, {'age': '>23'}, [5.0, 1.0]]", schema)[0].premises
    (('age', Interval(low=24.0, high=inf, missing=False)),)
    """
    items = python_values(data)
    if any(is_one(items) for is_one, _ in _FORMS):
        items = [items]
    if not isinstance(items, list) or not items:
        raise GLocalXError(
            "There are no rules in what was given. Give rules of LORE or Anchors, one or a list."
        )
    rules = []
    for number, item in enumerate(items, 1):
        read = next((read for is_one, read in _FORMS if is_one(item)), None)
        if read is None:
            raise GLocalXError(
                f"Rule {number:,} has none of the forms that LORE and Anchors write. Give the "
                "rules as the other program wrote them."
            )
        rules.append(read(item, schema, f"rule {number:,}"))
    return rules
