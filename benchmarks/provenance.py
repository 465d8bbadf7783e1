"""Where a table of results comes from: command, versions, machine."""

from __future__ import annotations

import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import version

PACKAGES = ("glocalx", "numpy", "pandas", "scikit-learn", "scipy")


def provenance() -> str:
    """One paragraph of Markdown, to stand below a table."""
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    today = datetime.now(UTC).date().isoformat()
    given = list(sys.argv[1:])
    if "--cells" in given:
        given[given.index("--cells") + 1] = "DIR"  # somebody's folder
    command = " ".join(["python -m benchmarks", *given])
    return f"`{command}`, {today}; Python {platform.python_version()}, {versions}.\n"
