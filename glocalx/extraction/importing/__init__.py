"""Rules made by others: LORE and Anchors in the forms in which they hand out their rules."""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from glocalx.errors import GLocalXError
from glocalx.extraction.importing.anchors import anchored, is_anchor
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


_LONGEST = 100_000_000  # characters
_NUMPY = ("np", "numpy")
_NUMBERS = {"inf": math.inf, "nan": math.nan, "Infinity": math.inf, "NaN": math.nan}


def python_values(data: Any) -> Any:
    """Lists, dicts, texts and numbers, whatever the rules came as.

    Examples
    --------
    >>> python_values("{'val': np.float64(2.5)}")
    {'val': 2.5}
    """
    if isinstance(data, str):
        data = _parsed(data)
    return _without_numpy(data)


def _parsed(text: str) -> Any:
    if len(text) > _LONGEST:
        raise GLocalXError(
            f"The rules are a text of {len(text):,} characters, which is too long to be rules. "
            "Give the rules alone."
        )
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(_Bare().visit(ast.parse(text.strip(), mode="eval")).body)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError) as reason:
        line = getattr(reason, "lineno", None)
        where = f" (line {line:,})" if line else ""
        raise GLocalXError(
            f"The rules are neither JSON nor lists and dicts as Python prints them{where}. "
            "Give the text as the other program wrote it."
        ) from reason


class _Bare(ast.NodeTransformer):
    """Takes numpy's names away from what it prints: `np.float64(2.5)` is 2.5."""

    def visit_Call(self, node: ast.Call) -> Any:
        named = node.func
        from_numpy = (
            isinstance(named, ast.Attribute)
            and isinstance(named.value, ast.Name)
            and named.value.id in _NUMPY
        ) or (isinstance(named, ast.Name) and named.id == "array")
        if from_numpy and node.args:
            return self.visit(node.args[0])
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Constant(_NUMBERS[node.id]) if node.id in _NUMBERS else node


def _without_numpy(value: Any) -> Any:
    match value:
        case np.ndarray() | np.generic():
            return _without_numpy(value.tolist())
        case dict():
            return {
                key.item() if isinstance(key, np.generic) else key: _without_numpy(each)
                for key, each in value.items()
            }
        case list() | tuple():
            return [_without_numpy(each) for each in value]
    return value
