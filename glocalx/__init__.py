"""GLocalX: from local rules to a global explanation of a black box.

The way through: a table of explained records with their black-box labels (:class:`Reference`),
local rules built with its :class:`Schema`, a :class:`Hierarchy` of merges, and a
:class:`RankedTheory` that says how the black box decides. :class:`GLocalX` does it all at once.

Names are imported when they are first asked for: a process that needs a part of the library does
not wait for all of it. `__init__.pyi` says where each lives.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
