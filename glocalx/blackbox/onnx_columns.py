"""Which columns of the table go into which input of an ONNX graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from glocalx.blackbox.columns import Expected, match_columns, matrix_columns
from glocalx.blackbox.onnx_graph import OnnxInput
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Schema
from glocalx.words.phrases import listing


def assigned_columns(
    inputs: tuple[OnnxInput, ...],
    schema: Schema,
    model: str,
    stated: Sequence[str] | None,
    renamed: Mapping[str, str],
) -> tuple[tuple[str, ...], ...]:
    """For each input the columns of the table that go into it.

    Inputs of one column each are matched by name. A matrix has no names: its columns are taken
    as `stated`, or as they stand in the table.
    """
    only = inputs[0] if len(inputs) == 1 else None
    by_name = all(each.width == 1 for each in inputs) and (
        only is None or renamed.get(only.name, only.name) in schema
    )
    if by_name and stated is None:
        expected = [Expected(each.name, each.holds) for each in inputs]
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
        raise GLocalXError(
            f"The model “{model}” takes {sum(widths):,} columns in {into}, and "
            f"there are {len(names):,}. Name its columns in the order in which it was trained."
        )
    kinds = [each.holds for each, width in zip(inputs, widths, strict=True) for _ in range(width)]
    expected = [Expected(name, holds) for name, holds in zip(names, kinds, strict=True)]
    match_columns(expected, schema, model)
    ends = np.cumsum(widths)
    return tuple(names[end - width : end] for end, width in zip(ends, widths, strict=True))
