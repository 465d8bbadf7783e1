"""The colours of a report on paper and in the dark, and how well text reads on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

LIGHT: Mapping[str, str] = {
    "page": "#FDFCFA",
    "soft": "#F3F1EB",
    "ink": "#1E2630",
    "muted": "#5B616A",
    "line": "#E1DDD3",
    "grid": "#ECE9E2",
    "axis": "#8B9099",
    "accent": "#0E6B63",
    "flag": "#FFF8E1",
    "flag-ink": "#7A5600",
}
DARK: Mapping[str, str] = {
    "page": "#14181D",
    "soft": "#1F262D",
    "ink": "#E7E9EB",
    "muted": "#A9B0B8",
    "line": "#323B45",
    "grid": "#262E36",
    "axis": "#9AA3AD",
    "accent": "#7FD3C8",
    "flag": "#3A2F10",
    "flag-ink": "#F3D58A",
}

# Of outcomes and nothing else: mark, text, ground. The one asked about is first. Okabe and Ito's
# colours, told apart by people with any colour sight; each has a symbol too.
LIGHT_OUTCOMES = (
    ("#D55E00", "#A84600", "#FCEBDD"),
    ("#0072B2", "#005A8E", "#E3F0F8"),
    ("#C06A98", "#8F3F6B", "#F9EAF2"),
    ("#009E73", "#00664A", "#E0F3EC"),
    ("#7A7F87", "#5B616A", "#EFEDE7"),
)
DARK_OUTCOMES = (
    ("#F0904D", "#F6B184", "#43260F"),
    ("#56B4E9", "#8CCBF0", "#143246"),
    ("#DDA0C3", "#EBC2D9", "#43233A"),
    ("#4CC3A0", "#8CDCC4", "#0F3A2E"),
    ("#8A929C", "#A9B0B8", "#262D35"),
)
SYMBOLS = "●■▲◆○"

LIGHT_ENDS = ("#8E5BA8", "#F7F5F0", "#3E8E55")  # less than everyone, the same, more
DARK_ENDS = ("#8A5FA8", "#1F262D", "#4B9460")
STEPS = 4
"""Shades on either side of the middle."""


def shades(ends: Sequence[str]) -> list[tuple[str, str]]:
    """From less to more: each ground with the ink that reads better on it."""
    less, middle, more = ends
    grounds = [mixed(middle, less, step / STEPS) for step in range(STEPS, 0, -1)]
    grounds += [mixed(middle, more, step / STEPS) for step in range(STEPS + 1)]
    inks = ("#000000", "#FFFFFF")
    return [(ground, max(inks, key=lambda ink: contrast(ground, ink))) for ground in grounds]


def mixed(one: str, other: str, part: float) -> str:
    """A colour on the way from one to another."""
    pairs = zip(_channels(one), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * part):02X}" for a, b in pairs)


def contrast(one: str, other: str) -> float:
    """The contrast of WCAG, from 1 to 21; text needs 4.5.

    Examples
    --------
    >>> contrast("#FFFFFF", "#000000")
    21.0
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _channels(colour: str) -> list[int]:
    return [int(colour[start : start + 2], 16) for start in (1, 3, 5)]


def _luminance(colour: str) -> float:
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in _channels(colour))
    ]
    return sum(
        weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True)
    )
