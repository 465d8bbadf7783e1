"""Settings for all tests."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "default",
    max_examples=50,  # of each property; there are many properties
    deadline=None,  # a shared machine is slow now and then
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")
