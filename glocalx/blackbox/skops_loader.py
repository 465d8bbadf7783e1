"""In the child process: a skops file is looked through, loaded and asked."""

from __future__ import annotations

from typing import Any

import pandas as pd
import skops.io

from glocalx.blackbox.python_object import PythonBlackBox
from glocalx.blackbox.skops_check import check_archive, refuse_types, unknown_types
from glocalx.blackbox.skops_objects import check_objects
from glocalx.confined.child import Loaded
from glocalx.confined.wire import Arrays, Texts, plain_array
from glocalx.rules.schema import Schema


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
    check_objects(model, name)
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
