"""Numbers as people write them: 3.5, 3,5, 1,234.5, 1.234,5, 1 234, 1'234, −7."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from glocalx.table.cells import Cells, as_bool

FloatArray = npt.NDArray[np.float64]
_EXPONENT = r"([eE][+-]?\d+)?"
_INFINITE = r"(?i)^[+-]?inf(inity)?$"
_SPACED = r"^[+-]?[1-9]\d{0,2}([ '’\x{a0}\x{202f}]\d{3})+([.,]\d*)?$"
_CODE = r"^0\d+$"


@dataclass(frozen=True, slots=True)
class NumberForm:
    """How the numbers of a column are written.

    Parameters
    ----------
    decimal
        What stands before the decimals.
    thousands
        What stands between groups of three digits; empty where nothing does.
    """

    decimal: str = "."
    thousands: str = ""

    @property
    def pattern(self) -> str:
        point, group = rf"\{self.decimal}", rf"\{self.thousands}"
        plain = rf"(\d+{point}?\d*|{point}\d+){_EXPONENT}"
        grouped = rf"[1-9]\d{{0,2}}({group}\d{{3}})+({point}\d*)?"
        return rf"^[+-]?({plain}|{grouped})$" if self.thousands else rf"^[+-]?{plain}$"

    def parse(self, texts: pa.Array) -> FloatArray:
        """The number of each text, NaN for those that are none, ±∞ for infinite ones."""
        numbers = _plain_numbers(texts) if self == NumberForm() else None
        if numbers is not None:
            return numbers
        texts = _tidied(texts)
        is_number = as_bool(pc.match_substring_regex(texts, rf"{self.pattern}|{_INFINITE}"))
        if self.thousands:
            texts = pc.replace_substring(texts, self.thousands, "")
        if self.decimal != ".":
            texts = pc.replace_substring(texts, self.decimal, ".")
        numbers = pc.cast(pc.if_else(pa.array(is_number), texts, "nan"), pa.float64())
        return np.asarray(numbers, dtype=np.float64)


POINT = NumberForm()
GROUPED_POINT = NumberForm(".", ",")
COMMA = NumberForm(",", ".")


def number_form(
    cells: Cells, preferred: NumberForm | None = None, *, decimal_comma: bool = False
) -> tuple[NumberForm, float]:
    """The form that most cells fit, and the share of the known cells that fit it.

    Codes such as `007` are not numbers: one of them, and nothing in the column is.

    Parameters
    ----------
    preferred
        The form of another table, taken where it fits no worse; codes may then be numbers.
    decimal_comma
        True where the file writes decimal commas: `1,234` is then 1.234 and `1.234` is 1234.
    """
    if not cells.known or (preferred is None and cells.matching(_CODE).any()):
        return preferred or POINT, 0.0
    counts = cells.counts
    forms = (COMMA, POINT) if decimal_comma else (POINT, GROUPED_POINT, COMMA)
    best, most = preferred or POINT, 0
    for form in (best, *forms) if preferred else forms:
        if np.isnan(form.parse(cells.probe())).all():
            continue
        fitting = int(counts[~np.isnan(form.parse(cells.texts))].sum())
        if fitting > most:
            best, most = form, fitting
        if most == cells.known:
            break
    return best, most / cells.known


def example_of_form(cells: Cells, form: NumberForm) -> tuple[str, float] | None:
    """A cell that is not written as programs write numbers, and the number it was read as."""
    if form == POINT and _plain_numbers(cells.texts) is not None:
        return None
    plain = as_bool(pc.match_substring_regex(cells.texts, rf"{POINT.pattern}|{_INFINITE}"))
    if form == COMMA:
        plain &= ~as_bool(pc.match_substring_regex(cells.texts, r"\."))
    numbers = form.parse(cells.texts)
    unusual = np.flatnonzero(~plain & np.isfinite(numbers))
    if not unusual.size:
        return None
    place = int(unusual[0])
    return str(cells.texts[place]), float(numbers[place])


def _plain_numbers(texts: pa.Array) -> FloatArray | None:
    """The quick way: numbers as programs write them, None where a text is something else."""
    try:
        return np.asarray(pc.cast(texts, pa.float64()), dtype=np.float64)
    except pa.ArrowInvalid:
        return None


def _tidied(texts: pa.Array) -> pa.Array:
    """Minus signs and spaces between thousands as a program writes them."""
    if not as_bool(pc.match_substring_regex(texts, r"[− '’\x{a0}\x{202f}]")).any():
        return texts
    texts = pc.replace_substring(texts, "−", "-")
    spaced = as_bool(pc.match_substring_regex(texts, _SPACED))
    if spaced.any():
        closed = pc.replace_substring_regex(texts, r"[ '’\x{a0}\x{202f}]", "")
        texts = pc.if_else(pa.array(spaced), closed, texts)
    return texts
