"""What is done to the code: Cosmic Ray's operators, and three that it lacks.

Cosmic Ray replaces every sign by every other. We take for each sign its neighbour and its opposite
(`<` becomes `<=` and `>=`): what these do not show, the others do not show either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import parso
from cosmic_ray.operators.operator import Example, Operator
from cosmic_ray.plugins import get_operator

_COMPARISONS = (
    "Lt_LtE Lt_GtE LtE_Lt LtE_Gt Gt_GtE Gt_LtE GtE_Gt GtE_Lt Eq_NotEq NotEq_Eq Is_IsNot IsNot_Is"
)
_BINARY = (
    "Add_Sub Sub_Add Mul_Div Div_Mul FloorDiv_Mul Mod_Mul Pow_Mul LShift_RShift RShift_LShift "
    "BitOr_BitAnd BitAnd_BitOr BitXor_BitAnd"
)
_UNARY = "Delete_USub Delete_Not Delete_Invert"
_OTHERS = (
    "AddNot ReplaceTrueWithFalse ReplaceFalseWithTrue ReplaceAndWithOr ReplaceOrWithAnd "
    "ReplaceBreakWithContinue ReplaceContinueWithBreak NumberReplacer RemoveDecorator "
    "ZeroIterationForLoop"
)
_OPPOSITE = {
    "min": "max",
    "max": "min",
    "minimum": "maximum",
    "maximum": "minimum",
    "any": "all",
    "all": "any",
}


class SwapName(Operator):
    """`min` becomes `max`, `any` becomes `all`, and the other way round."""

    def mutation_positions(self, node: Any) -> Iterator[Any]:
        if node.type == "name" and node.value in _OPPOSITE:
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        node.value = _OPPOSITE[node.value]
        return node

    @classmethod
    def examples(cls) -> Sequence[Example]:
        return (Example("x = min(a, b)", "x = max(a, b)"),)


class DropStatement(Operator):
    """A statement that is there for what it does, not for its value, is left out."""

    def mutation_positions(self, node: Any) -> Iterator[Any]:
        if node.type == "simple_stmt" and _does_something(node.children[0]):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        instead = parso.parse("pass").children[0]
        instead.prefix = node.get_first_leaf().prefix
        node.children[0] = instead
        return node

    @classmethod
    def examples(cls) -> Sequence[Example]:
        return (Example("x.append(1)\n", "pass\n"), Example("x += 1\n", "pass\n"))


class DropElement(Operator):
    """A tuple in brackets loses one of its elements, a sort key one of its tie-breaks."""

    def mutation_positions(self, node: Any) -> Iterator[Any]:
        if _is_tuple(node):
            for element in node.children[1].children[::2]:
                yield element.start_pos, element.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        elements = [each.get_code().strip() for each in node.children[1].children[::2]]
        del elements[index]
        instead = parso.parse(f"({', '.join(elements)},)").children[0]
        instead.get_first_leaf().prefix = node.get_first_leaf().prefix
        return instead

    @classmethod
    def examples(cls) -> Sequence[Example]:
        return (Example("x = (a, b)", "x = (b,)"), Example("x = (a, b)", "x = (a,)", occurrence=1))


def _does_something(statement: Any) -> bool:
    if statement.type == "expr_stmt":
        target, sign = statement.children[:2]
        in_place = getattr(sign, "value", "=") != "="
        return in_place or (sign.type == "operator" and target.type == "atom_expr")
    called = statement.type == "atom_expr" and statement.children[-1].get_code()[:1] == "("
    return called or statement.type == "del_stmt"


def _is_tuple(node: Any) -> bool:
    if node.type != "atom" or node.children[0].value != "(":
        return False
    inside = node.children[1]
    return inside.type == "testlist_comp" and getattr(inside.children[1], "value", "") == ","


@cache
def operators() -> tuple[Operator, ...]:
    """All operators of a run, in a fixed order."""
    names = [f"ReplaceComparisonOperator_{name}" for name in _COMPARISONS.split()]
    names += [f"ReplaceBinaryOperator_{name}" for name in _BINARY.split()]
    names += [f"ReplaceUnaryOperator_{name}" for name in _UNARY.split()]
    found = [get_operator(f"core/{name}")() for name in (*names, *_OTHERS.split())]
    return (*found, SwapName(), DropStatement(), DropElement())
