"""How numbers spread, and where they are cut into bands."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from glocalx.plots.canvas import Canvas, Picture
from glocalx.plots.colours import Palette
from glocalx.plots.scale import Scale
from glocalx.rules.bands import Bands
from glocalx.words.figures import percent, trimmed
from glocalx.words.phrases import counted

_BARS = 48
_HEIGHT, _FOOT, _HEAD = 104.0, 24.0, 20.0
_TAIL = 0.01  # of the numbers on either side may lie beyond the picture


def band_picture(numbers: npt.NDArray[np.float64], bands: Bands, palette: Palette) -> Picture:
    """The numbers as a histogram, every other band darker, with a line at each cut."""
    known = numbers[~np.isnan(numbers)]
    low, high = np.quantile(known, [_TAIL, 1 - _TAIL])
    low, high = min(low, bands.cuts[0]), max(high, bands.cuts[-1])
    scale = Scale(float(low), float(high))
    edges = np.linspace(low, high, _BARS + 1)
    counts, _ = np.histogram(np.clip(known, low, high), edges)
    canvas = Canvas(palette=palette)
    tallest = max(int(counts.max()), 1)
    for start, end, count in zip(edges, edges[1:], counts, strict=False):
        tall = _HEIGHT * count / tallest
        band = int(bands.places([(start + end) / 2])[0])
        fill = palette.mixed if band % 2 else palette.branch
        canvas.bar(
            scale.place(start), scale.place(end) - 0.002, _HEAD + _HEIGHT - tall, tall, fill=fill
        )
    canvas.level(0, 1, _HEAD + _HEIGHT, stroke=palette.line)
    for cut in bands.cuts:
        place = scale.place(cut)
        canvas.upright(place, _HEAD - 4, _HEAD + _HEIGHT, stroke=palette.ink, stroke_width=2)
        canvas.words(trimmed(cut, 12), place, 8, {"color": palette.ink})
    middle = 10 ** -min(0, int(np.floor(np.log10(max(high - low, 1e-12)))) - 2)
    ends = [np.round(end * middle) / middle for end in (low, high)]
    canvas.words(trimmed(ends[0], 6), 0, _HEAD + _HEIGHT + 14, anchor="start")
    canvas.words(trimmed(ends[1], 6), 1, _HEAD + _HEIGHT + 14, anchor="end")
    return canvas.picture(_HEAD + _HEIGHT + _FOOT, bands_said(numbers, bands), right=0)


def bands_said(numbers: npt.NDArray[np.float64], bands: Bands) -> str:
    """How many records each band has, in a sentence."""
    sizes = bands.sizes(numbers)
    total = max(sum(sizes), 1)
    said = ", ".join(
        f"{name}: {size:,} ({percent(size / total)})"
        for name, size in zip(bands.names, sizes, strict=True)
    )
    return f"Of {counted(sum(sizes), 'record')}, {said}."
