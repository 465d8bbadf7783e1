"""Settings for all tests, what all processes share, and the order in which they share tests."""

import atexit
import gc
import os
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from glocalx.confined import children

# Compiled files are kept, whatever the shell says: every process would compile all tests again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

settings.register_profile(
    "default",
    max_examples=25,  # of each property; there are many properties, and every run draws others
    deadline=None,  # a shared machine is slow now and then
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

SELDOM = (50_000, 20, 20)
LONGEST = ("browser", "ui", "cli", "workspace", "extraction", "blackbox", "study", "audit")
PLACES = {f"tests/{room}/": place for place, room in enumerate(LONGEST)}
BROWSER_GROUPS = {  # of about the same length; each has a server and a browser
    "own servers, or none": ("whole_road", "sign_in", "report", "drawn_figures"),
    "brought files": ("data_page", "bands", "steering", "plain_text", "start_page", "runs_page"),
}


def pytest_configure(config: pytest.Config) -> None:
    """One warm process reads files for all tests, servers and workers: they inherit its name."""
    if not hasattr(config, "workerinput"):
        children.warm_up()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest do not come last."""
    items.sort(key=lambda item: _place(item.nodeid))


def pytest_collection_finish() -> None:
    """What was imported stays: without this, every run of a page sweeps through all of it.

    And as on the server, cycles are looked for seldom.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)
    atexit.register(gc.unfreeze)


def _place(test: str) -> int:
    return next((p for room, p in PLACES.items() if test.startswith(room)), len(PLACES))


def group(test: str) -> str:
    """What a file's tests share is made once, in one process; a server and a browser for pages.

    >>> group("tests/rules/test_rule.py::test_hull_holds_both")
    'tests/rules/test_rule.py'
    >>> group("tests/browser/test_runs_page.py::test_a_run_is_listed")
    'brought files'
    """
    file = test.split("::")[0]
    if not file.startswith("tests/browser/"):
        return file
    groups = BROWSER_GROUPS.items()
    return next((g for g, names in groups if any(n in file for n in names)), "a finished run")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Groups as above, in the order of the tests: xdist's own need an id that pytest 9.2 fixes."""
    from xdist.scheduler import LoadScopeScheduling

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group(nodeid)

    config.option.loadscopereorder = False
    return Groups(config, log)
