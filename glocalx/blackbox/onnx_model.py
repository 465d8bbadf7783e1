"""ONNX files as black boxes, run by onnxruntime in a child process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.blackbox.base import (
    AskedBlackBox,
    answered_numbers,
    checked_outcomes,
    label_texts,
    require_columns,
)
from glocalx.blackbox.columns import (
    Expected,
    OpenColumnsError,
    SaidColumns,
    compare_columns,
    match_columns,
    matched_notes,
    matrix_columns,
)
from glocalx.blackbox.onnx_facts import OnnxFacts, OnnxInput
from glocalx.confined.handed_file import ConfinedFile, HandedFile
from glocalx.confined.wire import Texts, plain_array
from glocalx.errors import GLocalXError
from glocalx.rules.bands import Bands
from glocalx.rules.codes import NO_CODE, Coded
from glocalx.rules.schema import Schema
from glocalx.words.phrases import listing

_LOADER = "glocalx.blackbox.onnx_loader:load_onnx"


def open_onnx(
    data: bytes,
    schema: Schema,
    *,
    name: str = "model.onnx",
    sample: pd.DataFrame | None = None,
    **said: Unpack[SaidColumns],
) -> OnnxBlackBox:
    """Check an ONNX file, match its columns with the table, and load it in a child process.

    Parameters
    ----------
    sample
        Clean records to ask for labels where the file does not tell its classes.
    said
        About its columns; see :class:`SaidColumns`.
    """
    worker = ConfinedFile(HandedFile(name, _LOADER, data, {"name": name}))
    told = worker.start()
    try:
        graph = OnnxFacts.from_told(told)
    except (KeyError, TypeError, ValueError):
        raise GLocalXError(f"The model “{name}” does not say what it takes and gives.") from None
    assigned = _assigned_columns(graph.inputs, schema, name, said)
    return OnnxBlackBox(worker, graph, assigned, sample, Bands.of(schema))


def _assigned_columns(
    inputs: tuple[OnnxInput, ...],
    schema: Schema,
    model: str,
    said: SaidColumns,
) -> tuple[tuple[str, ...], ...]:
    """For each input the columns of the table that go into it.

    Inputs of one column each are matched by name. A matrix has no names: its columns are taken
    as they are stated, or as they stand in the table.
    """
    stated, renamed = said.get("columns"), said.get("renamed") or {}
    only = inputs[0] if len(inputs) == 1 else None
    expected = [Expected(each.name, each.holds) for each in inputs]
    by_name = all(each.width == 1 for each in inputs) and (
        only is None or not compare_columns(expected, schema, renamed).missing
    )
    if by_name and stated is None:
        return tuple((name,) for name in match_columns(expected, schema, model, renamed))
    if only is not None and only.kind is not None:
        return (matrix_columns(only.width, schema, model, stated),)
    return _blocks(inputs, schema, model, stated)


def _blocks(
    inputs: tuple[OnnxInput, ...], schema: Schema, model: str, stated: Sequence[str] | None
) -> tuple[tuple[str, ...], ...]:
    """Several matrices, or one of texts: the columns in order, cut to their widths."""
    names = schema.names if stated is None else tuple(stated)
    widths = [len(names) if len(inputs) == 1 and not e.width else e.width or 0 for e in inputs]
    if sum(widths) != len(names) or 0 in widths:
        into = listing(each.name for each in inputs)
        raise OpenColumnsError(
            f"The model “{model}” takes {sum(widths):,} columns in {into}, and "
            f"there are {len(names):,}. Name its columns in the order in which it was trained.",
            width=sum(widths),
        )
    kinds = [each.holds for each, width in zip(inputs, widths, strict=True) for _ in range(width)]
    expected = [Expected(name, holds) for name, holds in zip(names, kinds, strict=True)]
    names = match_columns(expected, schema, model)
    ends = np.cumsum(widths)
    return tuple(names[end - width : end] for end, width in zip(ends, widths, strict=True))


class OnnxBlackBox(AskedBlackBox):
    """A graph in a child process.

    Numbers go in as the graph declares them. Where that is 32 bits, values are rounded to the
    nearest: the order of values is kept, so a threshold between two values stays between them
    unless both round to the same. A missing number goes in as NaN, a missing text as
    :attr:`OnnxFacts.missing_text`.
    """

    def __init__(
        self,
        worker: ConfinedFile,
        graph: OnnxFacts,
        assigned: tuple[tuple[str, ...], ...],
        sample: pd.DataFrame | None = None,
        bands: Bands | None = None,
    ) -> None:
        self._worker = worker
        self._graph = graph
        self._assigned = assigned
        self.name = worker.file.name
        self.columns = tuple(dict.fromkeys(name for names in assigned for name in names))
        self.notes = matched_notes(
            (each.name, names[0])
            for each, names in zip(graph.inputs, assigned, strict=True)
            if each.width == 1
        )
        self._bands = None if graph.label is not None else bands
        self._has_probabilities = graph.scores is not None and self._bands is None
        told = self._bands.names if self._bands else graph.classes
        self._told = told or self._asked_classes(sample)
        self.outcomes = checked_outcomes(self._told, self.name)

    def _ask_labels(self, frame: pd.DataFrame) -> npt.NDArray[Any]:
        answers = self._ask(frame)
        if self._graph.label is not None:
            return answers[self._graph.label]
        assert self._graph.scores is not None  # one of the two is there
        if self._bands is not None:
            return self._bands.texts(answered_numbers(answers[self._graph.scores], self.name))
        scores = self._two_sided(answers[self._graph.scores])
        if np.isnan(scores).any():
            return np.where(np.isnan(scores).any(axis=1), np.nan, 0.0)
        if scores.shape[1] != len(self._told):
            raise GLocalXError(
                f"The model “{self.name}” gives {scores.shape[1]:,} numbers for each record and "
                f"has {len(self._told):,} classes. Export a classifier."
            )
        chosen: npt.NDArray[np.object_] = np.array(self._told, dtype=object)[scores.argmax(axis=1)]
        return chosen

    def _ask_probabilities(self, frame: pd.DataFrame) -> npt.NDArray[np.float64] | None:
        scores = self._two_sided(self._ask(frame)[str(self._graph.scores)])
        if np.isnan(scores).any() or _are_probabilities(scores):
            return scores
        return None  # a decision function, or the output of a last layer

    def close(self) -> None:
        """End the child process; the next question starts it again."""
        self._worker.close()

    def _ask(self, frame: pd.DataFrame) -> dict[str, npt.NDArray[Any]]:
        feeds = {
            each.name: self._feed(each, frame[list(names)])
            for each, names in zip(self._graph.inputs, self._assigned, strict=True)
        }
        answers = self._worker.ask("run", feeds)
        return {name: plain_array(answer) for name, answer in answers.items()}

    def _feed(self, each: OnnxInput, frame: pd.DataFrame) -> npt.NDArray[Any] | Texts:
        shape = (len(frame),) if each.rank == 1 else (len(frame), frame.shape[1])
        if each.kind is None:
            return _text_feed(frame, shape, self._graph.missing_text)
        columns = [_numbers(frame[name], self.name) for name in frame.columns]
        if each.kind.kind != "f" and (lacking := [n for n in frame.columns if frame[n].hasnans]):
            raise GLocalXError(
                f"The model “{self.name}” takes no missing values in {listing(lacking)}, only "
                "whole numbers. Fill the gaps, or export it with inputs of decimal numbers."
            )
        with np.errstate(over="ignore"):
            return np.column_stack(columns).astype(each.kind).reshape(shape)

    def _two_sided(self, scores: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """A matrix with a column for each class, also if only the second one is given."""
        values = scores.astype(np.float64).reshape(len(scores), -1)
        if values.shape[1] != 1:
            return values
        if not np.isnan(values).any() and ((values < 0) | (values > 1)).any():
            raise GLocalXError(
                f"The model “{self.name}” answers with numbers such as {values.max():.4g}, neither "
                "labels nor probabilities. Choose an outcome of numbers and cut it into bands, or "
                "export a classifier with probabilities."
            )
        return np.hstack([1.0 - values, values])

    def _asked_classes(self, sample: pd.DataFrame | None) -> tuple[str, ...]:
        """The labels given to `sample`, or as many numbers as there are scores."""
        numbered = self._graph.numbered
        if sample is not None and self._graph.label is not None:
            require_columns(sample, self.columns, self.name)
            found = set(label_texts(self._ask(sample)[self._graph.label], self.name))
            return numbered if numbered and found <= set(numbered) else tuple(sorted(found))
        if numbered is None:
            raise GLocalXError(
                f"The model “{self.name}” does not say which classes it knows. Export it with its "
                "classes, or give a sample of records to ask it about."
            )
        return numbered


def _text_feed(frame: pd.DataFrame, shape: tuple[int, ...], missing: str) -> Texts:
    parts: list[npt.NDArray[np.int32]] = []
    texts: list[str] = []
    for name in frame.columns:
        coded = Coded.of(frame[name])
        known = len(texts) + len(coded.texts)
        parts.append(np.where(coded.codes == NO_CODE, known, coded.codes + len(texts)))
        texts += [*coded.texts, missing]
    return Texts(np.column_stack(parts).reshape(shape).astype(np.int32), tuple(texts))


def _numbers(column: pd.Series[Any], model: str) -> npt.NDArray[Any]:
    if pd.api.types.is_numeric_dtype(column):
        return column.to_numpy()
    truths = column.astype("str").str.casefold().map({"true": 1, "false": 0})
    if (truths.isna() & column.notna()).any():
        raise GLocalXError(
            f"The model “{model}” takes true or false in “{column.name}”, which holds other text. "
            "Use a model made for this table."
        )
    return truths.to_numpy()


def _are_probabilities(scores: npt.NDArray[np.float64]) -> bool:
    within = bool(((scores >= -1e-6) & (scores <= 1 + 1e-6)).all())
    return within and bool(np.allclose(scores.sum(axis=1), 1.0, atol=1e-3))
