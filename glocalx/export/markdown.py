"""A theory, or any table, as Markdown. Text from the table shows as text, whatever it contains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from glocalx.rules.classifier import RankedTheory
from glocalx.words.escape import as_markdown
from glocalx.words.wording import Wording


def markdown_table(header: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A table, every cell escaped.

    Examples
    --------
    >>> print(markdown_table(["rule", "covers"], [["a", 3]]), end="")
    | rule | covers |
    | --- | --- |
    | a | 3 |
    """
    lines = [_line(header), _line(["---"] * len(header), escape=False)]
    return "\n".join([*lines, *map(_line, rows)]) + "\n"


def _line(cells: Sequence[object], *, escape: bool = True) -> str:
    texts = [as_markdown(cell) if escape else str(cell) for cell in cells]
    return f"| {' | '.join(texts)} |"


def theory_to_markdown(theory: RankedTheory, wording: Wording | None = None) -> str:
    """The rules as a table, in the order in which they decide, and what of them is by hand.

    `wording`: how rules read; with records, thresholds are rounded as far as these allow.
    """
    wording = wording or Wording(theory.schema)
    marked = any(ranked.mark for ranked in theory.ranked)
    rows: list[Sequence[object]] = [
        (
            place,
            wording.premises(ranked.rule) or "always",
            ranked.rule.outcome,
            f"{ranked.covered:,}",
            f"{ranked.agreed / ranked.covered:.1%}" if ranked.covered else "none covered",
            *([wording.by_hand(ranked.mark)] if marked else []),
        )
        for place, ranked in enumerate(theory.ranked, start=1)
    ]
    rows.append(("", "otherwise", theory.default, "", "", *([""] if marked else [])))
    header = ["Rule", "If", "Then", "Records covered", "Black box agrees"]
    header += ["By hand"] if marked else []
    opening = "The first rule that applies decides."
    fills = wording.fills(theory.rules)
    if fills:
        opening += f" {as_markdown(fills)}"
    if theory.never_said:
        opening += f" {theory.never_said}"
    for sentence in wording.steered(theory.steering):
        opening += f"\n\n{as_markdown(sentence)}"
    return f"{opening}\n\n" + markdown_table(header, rows)
