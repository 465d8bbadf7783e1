"""What an ONNX graph takes and gives, as the child process tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from glocalx.blackbox.columns import Holds


@dataclass(frozen=True, slots=True)
class OnnxInput:
    """One input: a column, or a matrix of `width` columns (None: any number).

    `kind` is None for text.
    """

    name: str
    kind: np.dtype[Any] | None
    width: int | None
    rank: int

    @property
    def holds(self) -> Holds:
        if self.kind is None:
            return "text"
        return {"f": "number", "b": "anything"}.get(self.kind.kind, "whole number")  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class OnnxFacts:
    """What the graph takes, where its label and its scores come out, and its classes if told.

    `numbered` are the classes 0, 1, … up to the number of scores: a guess where none are told.
    `missing_text` is what stands for a missing text, which ONNX itself does not have.
    """

    inputs: tuple[OnnxInput, ...]
    label: str | None
    scores: str | None
    classes: tuple[str, ...] | None
    numbered: tuple[str, ...] | None
    missing_text: str = ""

    @classmethod
    def from_told(cls, told: Mapping[str, Any]) -> OnnxFacts:
        """Out of JSON that nobody has checked yet."""
        inputs = tuple(
            OnnxInput(
                str(each["name"]),
                None if each["kind"] is None else np.dtype(str(each["kind"])),
                None if each["width"] is None else int(each["width"]),
                int(each["rank"]),
            )
            for each in told["inputs"]
        )
        label, scores = (None if told[n] is None else str(told[n]) for n in ("label", "scores"))
        classes, numbered = (
            None if told[name] is None else tuple(map(str, told[name]))
            for name in ("classes", "numbered")
        )
        missing = str(told["missing_text"])
        if (label is None and scores is None) or any(e.rank not in (1, 2) for e in inputs):
            raise ValueError("neither a label nor scores, or arrays that are no table")
        return cls(inputs, label, scores, classes, numbered, missing)
