"""What each rule covers, and whom: evidence for those who have to judge a black box.

Records come from memory (:class:`FrameSource`) or are streamed (:func:`open_files`,
:func:`open_database`); both are counted into a :class:`Tally`, from which everything follows.
A difference is not yet discrimination, and no difference is not yet fairness.
"""

from glocalx.audit.as_tables import audit_tables, json_ready
from glocalx.audit.audit import Audit, iter_audit, run_audit, usual_traits
from glocalx.audit.duckdb_files import open_database, open_files
from glocalx.audit.frame_source import FrameSource
from glocalx.audit.settings import AuditSettings
from glocalx.audit.tally import Tally

__all__ = [
    "Audit",
    "AuditSettings",
    "FrameSource",
    "Tally",
    "audit_tables",
    "iter_audit",
    "json_ready",
    "open_database",
    "open_files",
    "run_audit",
    "usual_traits",
]
