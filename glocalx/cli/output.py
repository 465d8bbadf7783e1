"""What the commands tell a person, or a program: how far they are, and what came out."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from glocalx.merging.hierarchy import Hierarchy
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.scoring import Reference
from glocalx.words.phrases import counted, listing
from glocalx.words.wording import Wording

T = TypeVar("T")

WIDTH = 30  # of the progress bar
DRAWN_NOTE = (
    "GLocalX*: the rules were merged and chosen on records drawn from the distribution of the "
    "features, not on real ones."
)


def summarise(
    seconds: float,
    hierarchy: Hierarchy,
    theory: RankedTheory,
    held_out: Reference,
    wording: Wording,
) -> dict[str, Any]:
    """What came out, as plain data; `seconds`: how long merging took."""
    return {
        "seconds": round(seconds, 4),
        "distinct_rules": len(hierarchy.local_rules),
        "accepted": hierarchy.accepted,
        "rejected": hierarchy.rejected,
        "rules_left": hierarchy.rules().size,
        "size": theory.size,
        "length": theory.length,
        "fidelity": theory.fidelity(held_out),
        "majority_fidelity": held_out.having[theory.default].bit_count() / held_out.size,
        "rules": [wording.rule(rule) for rule in theory.rules],
        "by_hand": [wording.by_hand(ranked.mark) for ranked in theory.ranked],
        "returns": [ranked.returns.times for ranked in theory.ranked if ranked.returns],
    }


def result_lines(summary: dict[str, Any], theory: RankedTheory, judged_on: str) -> list[str]:
    """The result in sentences, and the rules as a numbered list."""
    return [
        f"{summary['distinct_rules']:,} distinct local rules, {summary['accepted']:,} merges, "
        f"{summary['rules_left']:,} rules left, in {summary['seconds']:.1f} s.",
        f"A theory of {counted(summary['size'], 'rule')}, {summary['length']:.1f} conditions each, "
        f"agrees with the black box on {summary['fidelity']:.1%} of {judged_on}; always answering "
        f"“{theory.default}” would on {summary['majority_fidelity']:.1%}.",
        "The first rule that applies decides:",
        *(
            f"{i:3}  {rule}" + (f"  [{mark}]" if mark else "") + _returns(theory, i)
            for i, (rule, mark) in enumerate(
                zip(summary["rules"], summary["by_hand"], strict=True), start=1
            )
        ),
        f"     otherwise → {theory.default}",
        *([theory.never_said] if theory.never_said else []),
    ]


def _returns(theory: RankedTheory, place: int) -> str:
    returns = theory.ranked[place - 1].returns
    return f"  ({returns.said})" if returns else ""


def unseen_notes(records: Records, file: str) -> list[str]:
    """What is in the table that the rules do not know."""
    return [
        f"“{column}” of “{file}” has categories that the rules do not know: "
        f"{listing(unseen)}, in {counted(sum(unseen.values()), 'record')}; no condition on "
        "this column covers them."
        for column, unseen in records.unseen.items()
    ]


def print_json(summary: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(summary, ensure_ascii=False) + "\n")


def print_lines(lines: list[str]) -> None:
    sys.stdout.write("\n".join(lines) + "\n")


def hand_over(
    folder: Path, summary: dict[str, Any], lines: list[str], more: Sequence[str], *, json: bool
) -> None:
    """Write the summary beside theory, hierarchy and local rules, and print it."""
    (folder / "summary.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    if json:
        print_json(summary)
    else:
        files = ["theory.json", "hierarchy.json", "local_rules.json", "summary.txt", *more]
        print_lines([*lines, f"Written to {folder}: {', '.join(files)}."])


def seconds_of(
    items: Iterable[T], share: Callable[[T], float], tell: Callable[[T], str], *, quiet: bool
) -> float:
    """Do the work while a bar on standard error shows how far it is; the seconds it took.

    Parameters
    ----------
    share
        How much of the whole is done with an item, from 0 to 1.
    tell
        A few words about where things stand.
    quiet
        Show nothing, as also happens where standard error is not a terminal.
    """
    quiet = quiet or not sys.stderr.isatty()
    begun = drawn = time.perf_counter()
    for item in items:
        now = time.perf_counter()
        if not quiet and now - drawn > 0.1:
            drawn = now
            _draw(share(item), now - begun, tell(item))
    if not quiet:
        sys.stderr.write("\r\x1b[K")
    return time.perf_counter() - begun


def _draw(share: float, seconds: float, words: str) -> None:
    full = int(share * WIDTH)
    left = seconds / share - seconds if share > 0 else 0.0
    bar = "█" * full + "░" * (WIDTH - full)
    sys.stderr.write(f"\r\x1b[K{bar} {share:4.0%}  about {left:.0f} s left  {words}")
    sys.stderr.flush()
