"""Settings for all tests, and the order in which two processes share them."""

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "default",
    max_examples=25,  # of each property; there are many properties, and every run draws others
    deadline=None,  # a shared machine is slow now and then
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

LONGEST = ("browser", "cli", "extraction", "blackbox", "workspace", "ui", "audit")
PLACES = {f"tests/{room}/": place for place, room in enumerate(LONGEST)}


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What a file's tests share is made once, in one process; the longest do not come last."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.split("::")[0]))
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    return next((p for room, p in PLACES.items() if item.nodeid.startswith(room)), len(PLACES))
