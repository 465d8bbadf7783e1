"""How the records are shared out, as one bar."""

from __future__ import annotations

from glocalx.plots.canvas import Canvas, Picture
from glocalx.plots.colours import Palette, blend
from glocalx.words.figures import percent
from glocalx.words.phrases import counted

HEIGHT, BAR = 44.0, 30.0  # pixels


def split_bar(
    train: int, explain: int, test: int, palette: Palette, *, training: str = "train the black box"
) -> Picture:
    """How the records are shared out: to train the black box, to explain, and held out.

    `training`: what the first ones do; a part that is empty is not spoken of.
    """
    total = max(train + explain + test, 1)
    parts = (
        (train, training, palette.mixed),
        (explain, "explain", palette.accent),
        (test, "held out", blend(palette.ink, palette.ground, 0.08)),
    )
    canvas = Canvas(palette=palette)
    canvas.parts(
        (
            (count, f"{counted(count, 'record')}: {name}, {percent(count / total)}", colour)
            for count, name, colour in parts
        ),
        total,
        (HEIGHT - BAR) / 2,
        BAR,
    )
    first = f"{train:,} ({percent(train / total)}) {training}, " if train else ""
    alt = (
        f"Of {counted(train + explain + test, 'record')}, {first}{explain:,} "
        f"({percent(explain / total)}) are explained and {test:,} ({percent(test / total)}) are "
        "held out."
    )
    return canvas.picture(HEIGHT, alt, right=0)
