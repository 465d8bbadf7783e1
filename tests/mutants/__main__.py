"""`make mutants`: every mutant of the core against the tests that should notice it."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from random import Random

from tests.mutants.killing import TESTS, passes_as_it_is, prepare, survived, survived_again
from tests.mutants.mutants import Mutant, iter_places, mutant_at, mutants_of, survivors

HEAD = (
    f"{'module':34} {'mutants':>8} {'killed':>7} {'listed':>7} {'lived':>6} {'share':>7} {'s':>6}"
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("modules", nargs="*", help="files to mutate; otherwise all")
    parser.add_argument("--share", type=int, help="this many mutants in all, drawn by --draw")
    parser.add_argument("--draw", type=int, default=0, help="which draw: a number, as of a day")
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    prepare()
    modules = asked.modules or list(TESTS)
    if asked.share is not None:
        return run_share(drawn(modules, asked.share, asked.draw), asked.processes)
    return run_all(modules, asked.processes)


def run_all(modules: list[str], processes: int) -> int:
    """Print the table of all modules and every survivor that is not listed."""
    print(HEAD, flush=True)
    total: Counter[str] = Counter()
    alive: list[Mutant] = []
    idle: list[str] = []
    for module in modules:
        began = time.monotonic()
        if not passes_as_it_is(module):
            print(f"{module}: its tests fail without any mutant")
            return 1
        counts, living, unneeded = judged(module, processes)
        alive += living
        idle += unneeded
        total += counts
        print(row(module, counts, time.monotonic() - began), flush=True)
    print(row("all", total, 0))
    for mutant in alive:
        print(f"\nlived: {mutant}")
    for name in idle:
        print(f"\nlisted, but killed or gone: {name}")
    return 1 if alive else 0


def judged(module: str, processes: int) -> tuple[Counter[str], list[Mutant], list[str]]:
    """The counts of one module, its survivors that are not listed, and entries of no use."""
    mutants = mutants_of(module)
    alive = survived(mutants, processes)
    names = {name for name in survivors() if name[0] == module}
    listed = [mutant for mutant in alive if mutant.name in names]
    unlisted = survived_again([m for m in alive if m.name not in names], processes)
    unneeded = sorted(names - {mutant.name for mutant in listed})
    counts = Counter(mutants=len(mutants), listed=len(listed), lived=len(unlisted))
    counts["killed"] = len(mutants) - len(listed) - len(unlisted)
    return counts, unlisted, [f"{module}\n  - {was}\n  + {now}" for _, was, now in unneeded]


def row(name: str, counts: Counter[str], seconds: float) -> str:
    """One line of the table; the share is that of the killed among those that are not listed."""
    behaving = counts["mutants"] - counts["listed"]
    share = f"{counts['killed'] / behaving:.1%}" if behaving else ""
    figures = "".join(
        f" {counts[key]:{width}}"
        for key, width in (("mutants", 8), ("killed", 7), ("listed", 7), ("lived", 6))
    )
    return f"{name:34}{figures} {share:>7} {seconds:6.0f}"


def drawn(modules: list[str], share: int, draw: int) -> list[Mutant]:
    """Mutants that differ from draw to draw."""
    places = [place for module in modules for place in iter_places(module)]
    Random(draw).shuffle(places)
    found: list[Mutant] = []
    for place in places:
        mutant = mutant_at(place)
        if mutant is not None:
            found.append(mutant)
        if len(found) == share:
            break
    return found


def run_share(mutants: list[Mutant], processes: int) -> int:
    """Print the drawn mutants that live and are not listed."""
    listed = survivors()
    unlisted = [mutant for mutant in mutants if mutant.name not in listed]
    alive = survived_again(survived(unlisted, processes), processes)
    print(f"{len(mutants)} mutants drawn, {len(unlisted)} of them not listed, {len(alive)} lived")
    for mutant in alive:
        print(f"\nlived: {mutant}")
    return 1 if alive else 0


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets: the same in every run
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tests.mutants", *sys.argv[1:]])
    sys.exit(main())
