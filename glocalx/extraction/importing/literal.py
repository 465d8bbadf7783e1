"""Text into plain values: JSON, or what Python prints, and nothing is ever run."""

from __future__ import annotations

import ast
import json
import math
from typing import Any

import numpy as np

from glocalx.errors import GLocalXError

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
        raise GLocalXError(
            "The rules are neither JSON nor lists and dicts as Python prints them"
            f"{_place(reason)}. Give the text as the other program wrote it."
        ) from reason


def _place(reason: BaseException) -> str:
    line = getattr(reason, "lineno", None)
    return f" (line {line:,})" if line else ""


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
            return {_key(key): _without_numpy(each) for key, each in value.items()}
        case list() | tuple():
            return [_without_numpy(each) for each in value]
    return value


def _key(key: Any) -> Any:
    return key.item() if isinstance(key, np.generic) else key
