"""Heavy parts of the library, imported once, by one thread at a time.

The first page needs none of them. They are imported while the person reads it, and every other
page waits for that: two threads that import the same packages at the same moment can trip over
each other's half-made modules.
"""

from __future__ import annotations

import threading
from importlib import import_module

PARTS = (
    "plotly.graph_objects",
    "glocalx.workspace.trained_model",
    "glocalx.baselines",
    "glocalx.evaluation",
    "glocalx.audit",
    "glocalx.report",
    "glocalx.export",
    "glocalx.rules.what_if",
    "ui.opened",
)
LOADERS = (  # what reads a person's files, see glocalx.confined
    "glocalx.table.confined_table:load_table",
    "glocalx.blackbox.skops_loader:load_skops",
    "glocalx.blackbox.onnx_loader:load_onnx",
)
AFTER_SECONDS = 2.0
_importing = threading.Lock()
_soon = threading.Event()


def ready() -> None:
    """Import everything, or wait until another thread has."""
    with _importing:
        for part in PARTS:
            import_module(part)


def _begin() -> None:
    """First the process that reads what people bring: it imports on its own while this one does."""
    with _importing:
        import_module("glocalx.confined.children").warm_up(*LOADERS)
    ready()


def ready_soon() -> None:
    """Begin to import in the background, a moment after the first page was asked for."""
    if not _soon.is_set():
        _soon.set()
        timer = threading.Timer(AFTER_SECONDS, _begin)
        timer.daemon = True
        timer.start()
