"""In the child process: a skops file is looked through, loaded and asked.

Types that are harmless otherwise open files or run code by what their attributes say, and a tree
whose branches lead back is never left. A file can say the same in many ways, so what was loaded is
looked at before anything is asked, and not how it was written down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import skops.io
from sklearn.tree._tree import Tree

from glocalx.blackbox.python_object import PythonBlackBox
from glocalx.blackbox.skops_check import check_archive, refuse_types, unknown_types
from glocalx.confined.child import Loaded
from glocalx.confined.wire import Arrays, Texts, plain_array
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Schema

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


def list_types(content: bytes, options: dict[str, Any]) -> Loaded:
    """Only lists the types in a skops file that need consent."""
    name = str(options["name"])
    types = _asked_types(content, name)
    refuse_types(types, types, name)
    return Loaded({"types": types})


def load_skops(content: bytes, options: dict[str, Any]) -> Loaded:
    """Loads an estimator with the types that were consented to; asks it as Python objects are."""
    name, trusted = str(options["name"]), list(options["trusted"])
    types = _asked_types(content, name)
    refuse_types(types, trusted, name)
    model = skops.io.loads(content, trusted=types)
    _check_objects(model, name)
    _keep_to_one_process(model)
    schema = Schema.from_dict(options["schema"])
    columns, renamed = options["columns"], options["renamed"]
    box = PythonBlackBox(model, schema, columns=columns, renamed=renamed, name=name)

    def answer(question: str, arrays: Arrays) -> Arrays:
        frame = pd.DataFrame(
            {
                name: pd.Series(
                    plain_array(array), dtype="str" if isinstance(array, Texts) else None
                )
                for name, array in arrays.items()
            }
        )
        if question == "labels":
            return {"labels": Texts.of(box.labels(frame))}
        values = box.probabilities(frame)
        return {} if values is None else {"probabilities": values}

    about = {
        "outcomes": list(box.outcomes),
        "columns": list(box.columns),
        "notes": list(box.notes),
        "probabilities": callable(getattr(model, "predict_proba", None)),
    }
    return Loaded(about, answer=answer)


def _asked_types(content: bytes, name: str) -> list[str]:
    """The types that need consent by our list or by that of skops."""
    types = unknown_types(check_archive(content, name))
    return sorted({*types, *skops.io.get_untrusted_types(data=content)})


def _keep_to_one_process(model: Any) -> None:
    """A forest saved with `n_jobs=-1` must not start workers here."""
    if not hasattr(model, "get_params"):
        return
    jobs = [name for name in model.get_params(deep=True) if name.split("__")[-1] == "n_jobs"]
    model.set_params(**dict.fromkeys(jobs, 1))


def _check_objects(model: object, name: str) -> None:
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
