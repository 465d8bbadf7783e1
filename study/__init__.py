"""The study of the paper, done again: what GLocalX, its rivals and the black boxes reach.

Cells of work (data set, black box, seed) run on all cores and are kept as files; tables, the page
and the Markdown are rendered from these alone.
"""

from study.page import write_report
from study.plan import StudyCell, StudySettings, planned_cells
from study.results import Study
from study.running import iter_cells

__all__ = ["Study", "StudyCell", "StudySettings", "iter_cells", "planned_cells", "write_report"]
