"""How few records a condition may keep out and still leave its rule, by folds as in `whole`."""

from __future__ import annotations

from benchmarks.cells import folds_of
from benchmarks.provenance import provenance
from benchmarks.ways import Way, ten_as_before, ten_plainer
from benchmarks.whole import CASES, RESULTS, SEED, rows_of, table_beside_first

SHARES = (0.0, 0.02, 0.05, 0.1, 0.2)
NONE = -1.0  # not even a condition that keeps nobody out goes
TEN: dict[str, Way] = {
    "every condition stays": ten_plainer(NONE),
    **{f"at most {share:.0%} kept out": ten_plainer(share) for share in SHARES},
    "as people get it": ten_as_before,
}


def main() -> None:
    """conditions that nearly everybody meets, by folds; writes results/idle.md (`--cells DIR`)"""
    rows = [
        row
        for table, kind, most in CASES
        for row in rows_of(table, kind, folds_of(table, kind, SEED, most), {"ten": TEN})
    ]
    table = table_beside_first(rows, list(TEN))
    text = "\n".join([f"# Conditions that nearly everybody meets\n\n{_INTRODUCTION}\n", table, ""])
    text += provenance()
    (RESULTS / "idle.md").write_text(text, "utf-8")
    print(text)


_INTRODUCTION = """Ten rules, merged pair by pair and chosen on the explained records; judged on \
the fold that had no part, see whole.md. A condition, or an end of it, leaves its rule where it \
keeps no more than a share of the known records out and the rule is no less accurate without it."""
