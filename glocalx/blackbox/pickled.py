"""Pickles: only where the person who runs the program has switched them on."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence

import joblib
import pandas as pd

from glocalx.blackbox.python_object import PythonBlackBox, first_line
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Schema

SWITCH = "GLOCALX_ALLOW_PICKLE"
PICKLE_WARNING = (
    "A pickle is a program: opening it runs whatever its maker put inside, with all rights that "
    "you have on this machine. Open only pickles that you made yourself."
)


def pickles_allowed() -> bool:
    """True where the environment says `GLOCALX_ALLOW_PICKLE=1`."""
    return os.environ.get(SWITCH) == "1"


def open_pickle(
    data: bytes,
    schema: Schema,
    *,
    name: str = "model.pkl",
    columns: Sequence[str] | None = None,
    sample: pd.DataFrame | None = None,
) -> PythonBlackBox:
    """Run a pickle (or joblib file) and ask what comes out of it; refused unless switched on."""
    if not pickles_allowed():
        raise GLocalXError(
            f"The file “{name}” is a pickle, and a pickle is a program that could do anything on "
            "this machine, so it was not opened. Export the model to ONNX or save it with skops; "
            f"whoever starts the program can allow pickles with {SWITCH}=1."
        )
    try:
        model = joblib.load(io.BytesIO(data))  # reads plain pickles too
    except Exception as error:  # a pickle may raise anything
        raise GLocalXError(
            f"The pickle “{name}” cannot be opened ({type(error).__name__}: {first_line(error)}). "
            "It may be cut off, or need packages that are not installed here."
        ) from error
    return PythonBlackBox(model, schema, columns=columns, sample=sample, name=name)
