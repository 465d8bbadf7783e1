"""Bands for outcomes that are numbers: what people write, and what is proposed to them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import DataSettings
from glocalx.pipeline.tables import open_table
from glocalx.rules.bands import Bands
from glocalx.table import Table
from glocalx.words.phrases import shown

_PARTS = re.compile(r"\s*(\d+)\s*parts?\s*")


def outcome_numbers(table: Table, column: str) -> npt.NDArray[np.float64] | None:
    """The numbers of a column that could be cut into bands, NaN where missing; None if none."""
    read = table.unfilled(column)
    if read.kind not in ("numeric", "integer", "identifier") or not read.is_number:
        return None
    return np.asarray(read.values, dtype=np.float64)


def target_bands(text: str, data: DataSettings, folder: Path = Path()) -> tuple[float, ...]:
    """Where the target of a table is cut: the numbers in a text, or those that make equal parts."""
    parts = _PARTS.fullmatch(text)
    if parts is None:
        return written_cuts(text)
    plain = open_table(replace(data, roles={}, bands=()), folder)
    target = next((name for name, role in data.roles.items() if role == "target"), None)
    numbers = None if target is None else outcome_numbers(plain, target)
    if numbers is None:
        raise GLocalXError(
            f"The column {shown(target or '')} holds no numbers, so it cannot be cut into parts. "
            "Leave the bands out, or choose a column of numbers."
        )
    return Bands.equal(numbers, int(parts[1])).cuts


def written_cuts(text: str) -> tuple[float, ...]:
    """The numbers in a text, parted by semicolons or spaces; commas group thousands.

    Examples
    --------
    >>> written_cuts("180,000; 250000"), written_cuts("-0.5 0.5")
    ((180000.0, 250000.0), (-0.5, 0.5))
    """
    cuts = []
    for piece in re.split(r"[;\s]+", text.strip().replace("−", "-")):
        grouped = re.fullmatch(r"-?\d{1,3}(,\d{3})+(\.\d*)?", piece)
        try:
            cuts.append(float(piece.replace(",", "") if grouped else piece))
        except ValueError:
            raise GLocalXError(
                f"{shown(piece)} is not a number to cut at. Write numbers such as 180000 or "
                "180000; 250000, with a point before decimals."
            ) from None
    return Bands(tuple(cuts)).cuts
