"""A workspace, for what the road and stored runs have in common."""

from tests.workspace.conftest import workspace

__all__ = ["workspace"]
