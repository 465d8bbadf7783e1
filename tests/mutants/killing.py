"""Whether the tests of a module tell one of its mutants from the module.

A mutant costs what its tests cost: one process has read the large libraries, and each mutant is a
fork of it in which the mutated source stands for the module. Nothing is written to disk. Properties
are tried on the same examples every time, and time is counted in seconds of the processor, so a
busy machine changes no answer. The tests named for a module are those that have to notice: quick
ones, without other processes.
"""

from __future__ import annotations

import atexit
import gc
import importlib.abc
import importlib.util
import os
import resource
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tests.mutants.mutants import ROOT, Mutant

EXAMPLES = 25  # of each property; what lives is looked at once more with ten times as many
SECONDS = 20  # of the processor, for that many: several times what the tests of a module take
MEMORY = 4 << 30
LIBRARIES = ("pytest", "pandas", "scipy.stats", "joblib", "duckdb", "fairlearn.metrics", "openpyxl")

TESTS: dict[str, tuple[str, ...]] = {
    "glocalx/rules/rule.py": ("tests/rules/test_rule.py", "tests/rules/test_missing.py"),
    "glocalx/rules/coverage.py": ("tests/rules/test_coverage.py", "tests/rules/test_missing.py"),
    "glocalx/rules/scoring.py": ("tests/rules/test_scoring.py",),
    "glocalx/rules/classifier.py": ("tests/rules/test_classifier.py",),
    "glocalx/merging/operators.py": (
        "tests/merging/test_operators.py",
        "tests/merging/test_records_of_a_merge.py",
    ),
    "glocalx/merging/merger.py": (
        "tests/merging/test_merger.py",
        "tests/merging/test_records_of_a_merge.py",
    ),
    "glocalx/merging/batch.py": ("tests/merging/test_batch.py",),
    "glocalx/merging/pairs.py": (
        "tests/merging/test_pairs_of_many.py",
        "tests/merging/test_pairs.py",
    ),
    "glocalx/merging/search.py": (
        "tests/merging/test_search.py",
        "tests/merging/test_against_plain.py",
    ),
    "glocalx/merging/whole.py": ("tests/merging/test_whole.py",),
    "glocalx/selection/budget.py": ("tests/selection/test_selection.py",),
    "glocalx/selection/candidates.py": (
        "tests/selection/test_selection.py",
        "tests/selection/test_pricing.py",
    ),
    "glocalx/selection/filters.py": (
        "tests/selection/test_selection.py",
        "tests/selection/test_together.py",
    ),
    "glocalx/selection/pricing.py": ("tests/selection/test_pricing.py",),
    "glocalx/audit/intervals.py": ("tests/audit/test_intervals.py",),
    "glocalx/audit/responsibility.py": ("tests/audit/test_responsibility.py", "-k", "not compas"),
}
"""For each module under mutation the tests that have to notice, as pytest is told."""


def prepare() -> None:
    """Read once what every fork needs; nothing of the product, which is yet to be mutated."""
    for name in LIBRARIES:
        importlib.import_module(name)
    from hypothesis import HealthCheck, Phase, settings

    for times in (1, 10):
        settings.register_profile(
            f"mutants {times}",
            max_examples=EXAMPLES * times,
            derandomize=True,
            database=None,
            deadline=None,
            phases=(Phase.explicit, Phase.generate),  # a failure is enough, it need not be small
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
        )
    gc.freeze()  # what was read stays as it is, in one piece for all forks
    atexit.register(gc.unfreeze)


def survived(mutants: Iterable[Mutant], processes: int) -> list[Mutant]:
    """The mutants that no test notices, in the order of their lines."""
    alive = [mutant for mutant, killed in _iter_killed(mutants, processes, 1) if not killed]
    return sorted(alive, key=lambda each: (each.module, each.line, each.becomes))


def survived_again(mutants: Iterable[Mutant], processes: int) -> list[Mutant]:
    """Those of them that ten times as many examples do not show either."""
    killed = {mutant for mutant, dead in _iter_killed(mutants, processes, 10) if dead}
    return [mutant for mutant in mutants if mutant not in killed]


def _iter_killed(
    mutants: Iterable[Mutant], processes: int, times: int
) -> Iterator[tuple[Mutant, bool]]:
    """Each mutant with whether a test fails, or does not end, with it in place of its module."""
    running: dict[int, Mutant] = {}
    for mutant in mutants:
        if len(running) == processes:
            yield _ended(running)
        child = os.fork()
        if child == 0:
            _die_of(mutant, times)
        running[child] = mutant
    while running:
        yield _ended(running)


def _ended(running: dict[int, Mutant]) -> tuple[Mutant, bool]:
    child, status = os.wait()
    return running.pop(child), status != 0


def passes_as_it_is(module: str) -> bool:
    """Whether the module's tests pass without any change; without that nothing is proven."""
    source = (ROOT / module).read_text(encoding="utf-8")
    ((_, fails),) = _iter_killed([Mutant(module, 0, "", "", source, "")], 1, 1)
    return not fails


def _die_of(mutant: Mutant, times: int) -> None:
    """In the fork: run the tests and end with their answer."""
    code = 1
    try:
        nothing = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(nothing, stream)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS * times, SECONDS * times + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.alarm(30 * SECONDS * times)  # for one that waits for ever
        code = _run(mutant, times)
    finally:
        os._exit(code)


def _run(mutant: Mutant, times: int) -> int:
    import pytest

    os.chdir(ROOT)
    sys.meta_path.insert(0, _Instead(mutant))
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    without = ("cacheprovider", "unraisableexception", "threadexception")  # two sweep the memory
    quiet = ["-x", "-q", *(f"-pno:{name}" for name in without), "-p_hypothesis_pytestplugin"]
    profile = [
        f"--hypothesis-profile=mutants {times}",
        "--assert=plain",
    ]  # rewriting reads the file
    values = f"tests/mutants/test_values.py::test_values_are_frozen_and_slotted[{mutant.module}]"
    asked = [*quiet, *profile, values, mutant.module, *TESTS[mutant.module]]
    return int(pytest.main(asked, plugins=[_ExamplesFirst()]))


class _ExamplesFirst:
    """Tests of one example come before properties: most mutants die of them, sooner."""

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        from hypothesis import is_hypothesis_test

        items.sort(key=lambda item: is_hypothesis_test(getattr(item, "obj", None)))


class _Instead(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the mutant where Python looks for its module."""

    def __init__(self, mutant: Mutant) -> None:
        self._name = mutant.module.removesuffix(".py").replace("/", ".")
        self._path = str(ROOT / mutant.module)
        self._source = mutant.source

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> Any:
        if fullname != self._name:
            return None
        return importlib.util.spec_from_file_location(fullname, self._path, loader=self)

    def exec_module(self, module: Any) -> None:
        exec(compile(self._source, self._path, "exec"), module.__dict__)
