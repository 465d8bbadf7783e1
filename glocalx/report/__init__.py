"""One HTML file that says what was explained, in which rules, how well, and whom they fall on.

First everything is collected (:func:`collect_report`), then it is rendered
(:func:`render_report`), or written in every form there is (:func:`report_files`).
"""

from glocalx.report.collecting import collect_report
from glocalx.report.content import Explained, HeldOut, Method, ReportContent
from glocalx.report.files import report_files
from glocalx.report.page import render_report

__all__ = [
    "Explained",
    "HeldOut",
    "Method",
    "ReportContent",
    "collect_report",
    "render_report",
    "report_files",
]
