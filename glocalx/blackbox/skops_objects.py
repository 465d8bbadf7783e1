"""What must be true of the objects in a skops file before they are asked anything.

Types that are harmless otherwise open files or run code by what their attributes say, and a tree
whose branches lead back is never left. A file can say the same in many ways, so this looks at
what was loaded, and not at how it was written down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.tree._tree import Tree

from glocalx.errors import GLocalXError

_FUNCTIONS = ("func", "inverse_func")
_PLACES = (
    "memory",
    "cachedir",
    "cache_dir",
    "location",
    "path",
    "filename",
    "file_name",
    "log_dir",
)
_NO_PLACE = (type(None), bool, int, float, np.ndarray)
_LEAF = -1


def check_objects(model: object, name: str) -> None:
    """Refuse what would read files, call functions of the file's choice, or never end."""
    for each in _held(model):
        kind, said = type(each).__name__, _attributes(each)
        if any(said.get(attribute) is not None for attribute in _FUNCTIONS):
            raise _refused(name, f"a {kind}, which calls whatever function the file names")
        if "input" in said and str(said["input"]) != "content":
            raise _refused(name, f"a {kind} that opens the files named in the table")
        if any(not isinstance(said.get(place), _NO_PLACE) for place in _PLACES):
            raise _refused(name, f"a {kind} that works with files of this machine")
        if not _can_be_left(each, kind):
            raise _refused(name, "a tree whose branches do not end in leaves")


def _refused(name: str, why: str) -> GLocalXError:
    return GLocalXError(
        f"The file “{name}” holds {why}; it was not opened. Save the model without it, or export "
        "it to ONNX."
    )


def _held(model: object) -> Iterator[object]:
    """Everything in an object, however deep; without recursion, which has an end."""
    waiting, seen = [model], dict[int, object]()
    while waiting:
        each = waiting.pop()
        if id(each) not in seen:
            seen[id(each)] = each  # kept, so that no other object gets its number
            yield each
            waiting.extend(_parts(each))


def _parts(each: object) -> Iterable[Any]:
    if isinstance(each, dict):
        return [*each.keys(), *each.values()]
    if isinstance(each, list | tuple | set | frozenset):
        return each
    if isinstance(each, np.ndarray):
        return list(each.flat) if each.dtype.hasobject and not each.dtype.names else ()
    return _attributes(each).values()


def _attributes(each: object) -> dict[str, Any]:
    return {} if isinstance(each, type) else getattr(each, "__dict__", {})


def _can_be_left(each: object, kind: str) -> bool:
    """Whether each branch of a tree leads further down, and at last to a leaf."""
    if isinstance(each, Tree):
        left, right = each.children_left, each.children_right
        inner = (left != _LEAF) | (right != _LEAF)
        known = (each.feature >= 0) & (each.feature < each.n_features)
        return bool(known[inner].all()) and _go_down(left, right, inner)
    if kind == "TreePredictor":
        nodes = getattr(each, "nodes")  # noqa: B009  # a type that is not public
        return _go_down(nodes["left"], nodes["right"], nodes["is_leaf"] == 0)
    return True


def _go_down(left: npt.NDArray[Any], right: npt.NDArray[Any], inner: npt.NDArray[np.bool_]) -> bool:
    places = np.arange(len(left))
    below = [
        (side.astype(np.int64) > places) & (side.astype(np.int64) < len(left))
        for side in (left, right)
    ]
    return bool((below[0] & below[1])[inner].all())
