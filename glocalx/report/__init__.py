"""One HTML file that says what was explained, in which rules, how well, and whom they fall on.

First everything is collected (:func:`collect_report`), then it is rendered
(:func:`render_report`), or written in every form there is (:func:`report_files`). Its tables and
sentences are plain values, and the page Audit draws the same.
"""

from glocalx.report.facts import HeldOut, MethodUsed, Prepared, Provenance
from glocalx.report.render import render_report, report_files
from glocalx.report.report import ReportContent, collect_report

__all__ = [
    "HeldOut",
    "MethodUsed",
    "Prepared",
    "Provenance",
    "ReportContent",
    "collect_report",
    "render_report",
    "report_files",
]
