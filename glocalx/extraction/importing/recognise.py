"""Rules of others, whichever of the known forms they have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.extraction.importing.anchors import anchored, is_anchor
from glocalx.extraction.importing.imported import ImportedRule
from glocalx.extraction.importing.literal import python_values
from glocalx.extraction.importing.lore import explained, is_explanation, is_printed, printed
from glocalx.rules.schema import Schema


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
    items = python_values(data)
    if is_explanation(items) or is_anchor(items) or is_printed(items):
        items = [items]
    if not isinstance(items, list) or not items:
        raise GLocalXError(
            "There are no rules in what was given. Give rules of LORE or Anchors, one or a list."
        )
    return [
        _imported(item, schema, f"rule {number:,}", class_names)
        for number, item in enumerate(items, 1)
    ]


def _imported(
    item: Any, schema: Schema, place: str, class_names: Sequence[str] | None
) -> ImportedRule:
    if is_explanation(item):
        return explained(item, schema, place)
    if is_anchor(item):
        return anchored(item, schema, place, class_names)
    if is_printed(item):
        return printed(item, schema, place)
    raise GLocalXError(
        f"{place.capitalize()} has none of the forms that LORE and Anchors write. Give the rules "
        "as the other program wrote them."
    )
