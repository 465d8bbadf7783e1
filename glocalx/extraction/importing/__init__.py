"""Rules made by others: LORE and Anchors in the forms in which they hand out their rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.extraction.importing.anchors import anchored, is_anchor
from glocalx.extraction.importing.imported import ImportedRule
from glocalx.extraction.importing.literal import python_values
from glocalx.extraction.importing.lore import explained, is_explanation, is_printed, printed
from glocalx.rules.schema import Schema

__all__ = ["ImportedRule", "import_rules"]

Form = tuple[Callable[[Any], bool], Callable[[Any, Schema, str], ImportedRule]]


def import_rules(
    data: Any, schema: Schema, *, class_names: Sequence[str] | None = None
) -> list[ImportedRule]:
    """The rules of LORE or Anchors, in the words of a schema.

    Parameters
    ----------
    data
        One rule or a list of rules, as Python objects (numpy values may be inside), as JSON, or
        as the text that Python prints for them. Nothing in it is run or unpickled.
    schema
        The features and outcomes of the table that the rules are about.
    class_names
        For Anchors, which numbers the classes: their names in its order.

    Examples
    --------
    >>> from glocalx.rules.schema import Feature
    >>> schema = Schema((Feature("age", "integer"),), ("no", "yes"))
    >>> import_rules("[{'y': 'yes'}, {'age': '>23'}, [5.0, 1.0]]", schema)[0].rule.premises
    (('age', Interval(low=24.0, high=inf, missing=False)),)
    """
    forms: tuple[Form, ...] = (
        (is_explanation, explained),
        (is_anchor, partial(anchored, class_names=class_names)),
        (is_printed, printed),
    )
    items = python_values(data)
    if any(is_one(items) for is_one, _ in forms):
        items = [items]
    if not isinstance(items, list) or not items:
        raise GLocalXError(
            "There are no rules in what was given. Give rules of LORE or Anchors, one or a list."
        )
    rules = []
    for number, item in enumerate(items, 1):
        read = next((read for is_one, read in forms if is_one(item)), None)
        if read is None:
            raise GLocalXError(
                f"Rule {number:,} has none of the forms that LORE and Anchors write. Give the "
                "rules as the other program wrote them."
            )
        rules.append(read(item, schema, f"rule {number:,}"))
    return rules
