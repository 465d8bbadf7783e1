"""Mutants of a module: its code with one small change, and whether that changes what it does."""

from __future__ import annotations

import ast
import difflib
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

from tests.mutants.operators import operators

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

Place: TypeAlias = tuple[str, int, int]
"""Where a mutant can be made: the module, the operator's place, and which of its finds."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one module.

    Parameters
    ----------
    module
        The file, from the root of the project.
    line
        Where the change begins.
    was, becomes
        The changed lines before and after, without their indent. With the module they name the
        mutant, wherever its lines may move to.
    source
        The whole module after the change.
    meaning
        The module's meaning after the change; two mutants that mean the same are one.
    """

    module: str
    line: int
    was: str
    becomes: str
    source: str
    meaning: str

    @property
    def name(self) -> tuple[str, str, str]:
        return self.module, self.was, self.becomes

    def __str__(self) -> str:
        return f"{self.module}:{self.line}\n  - {self.was}\n  + {self.becomes}"


def iter_places(module: str) -> Iterator[Place]:
    """Every place of a module where an operator finds something to change."""
    finds: Counter[int] = Counter()
    for node in ast_nodes(get_ast(_code(module))):
        for number, operator in enumerate(operators()):
            for _ in operator.mutation_positions(node):
                yield module, number, finds[number]
                finds[number] += 1


def mutant_at(place: Place) -> Mutant | None:
    """The mutant of a place; None where the change is no Python, or one of annotations alone."""
    module, number, occurrence = place
    code = _code(module)
    changed = mutate_code(code, operators()[number], occurrence)
    meaning = _meaning(changed)
    if meaning is None or meaning == _meaning(code):
        return None
    before, after = code.splitlines(), changed.splitlines()
    blocks = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    edits = [block for block in blocks if block[0] != "equal"]
    start, end, new_start, new_end = edits[0][1], edits[-1][2], edits[0][3], edits[-1][4]
    if new_start == new_end:  # lines are gone: the one that follows tells which
        end, new_end = end + 1, new_end + 1
    was, becomes = _one(before[start:end]), _one(after[new_start:new_end])
    return Mutant(module, start + 1, was, becomes, changed, meaning)


def mutants_of(module: str) -> list[Mutant]:
    """Every mutant of a module, in the order of its lines; of two with one meaning the first."""
    found: dict[str, Mutant] = {}
    for mutant in map(mutant_at, iter_places(module)):
        if mutant is not None:
            found.setdefault(mutant.meaning, mutant)
    return sorted(found.values(), key=lambda each: (each.line, each.becomes))


def survivors() -> dict[tuple[str, str, str], str]:
    """The mutants that may live, each with the reason."""
    listed = tomllib.loads((HERE / "survivors.toml").read_text(encoding="utf-8"))
    return {
        (group["module"], was, becomes): group["reason"]
        for group in listed.get("survivors", ())
        for was, becomes in group["mutants"]
    }


def _code(module: str) -> str:
    return (ROOT / module).read_text(encoding="utf-8")


def _one(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())


def _meaning(code: str) -> str | None:
    """What the code says to Python, in one form; None where it is no Python."""
    try:
        return ast.dump(_Meaning().visit(ast.parse(code)))
    except SyntaxError:
        return None


class _Meaning(ast.NodeTransformer):
    """Drops what changes no answer (annotations, `strict` of zip, `repr` of a field); one `not`."""

    _negated = {  # noqa: RUF012 (a table)
        ast.Eq: ast.NotEq,
        ast.NotEq: ast.Eq,
        ast.Is: ast.IsNot,
        ast.IsNot: ast.Is,
        ast.In: ast.NotIn,
        ast.NotIn: ast.In,
        ast.Lt: ast.GtE,
        ast.GtE: ast.Lt,
        ast.Gt: ast.LtE,
        ast.LtE: ast.Gt,
    }

    def visit_arguments(self, node: ast.arguments) -> Any:
        """One list of arguments: a `*` or `/` among them says how to call, not what is done."""
        every = [*node.posonlyargs, *node.args, *node.kwonlyargs]
        given = [*node.defaults, *(each for each in node.kw_defaults if each)]
        one = ast.arguments([], every, node.vararg, [], [], node.kwarg, given)
        return self.generic_visit(one)

    def visit_Call(self, node: ast.Call) -> Any:
        node.keywords = [each for each in node.keywords if each.arg not in ("strict", "repr")]
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> Any:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.generic_visit(node)
        inner = node.operand
        if isinstance(node.op, ast.Not):
            if isinstance(inner, ast.UnaryOp) and isinstance(inner.op, ast.Not):
                return inner.operand
            if isinstance(inner, ast.Compare) and len(inner.ops) == 1:
                inner.ops = [self._negated[type(inner.ops[0])]()]
                return inner
        return node
