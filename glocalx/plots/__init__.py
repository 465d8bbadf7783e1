"""Figures: values of the library in, plotly figures out. The only place that imports plotly.

Every figure comes as a :class:`Drawing`, with a text that says what it shows; those that change
with every step of a merge as a :class:`Picture`, which a browser draws much sooner. A figure's
module is imported when it is first asked for, so that no page waits for the figures of another.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
