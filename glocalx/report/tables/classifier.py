"""Mistakes, probabilities and differences given factors, as tables and sentences."""

from __future__ import annotations

from collections.abc import Callable

from glocalx.audit import Audit
from glocalx.audit.calibration import CalibrationTable, GroupCalibration
from glocalx.audit.classifier_audit import ClassifierAudit
from glocalx.audit.parity import GroupParity, ParityTable
from glocalx.audit.strata import Standardised, StratifiedTable
from glocalx.report.data_table import DataTable, PartOf, TableColumn, Value
from glocalx.report.tables.groups import CALLED
from glocalx.words.figures import points
from glocalx.words.phrases import counted, enumeration, listing

NO_EVIDENCE = "not enough records"


def parity_table(audit: Audit, table: ParityTable, outcome: str) -> DataTable:
    """Each group beside others; those of which nothing can be said are left to the files."""
    cells: dict[TableColumn, Callable[[GroupParity], Value]] = {
        TableColumn("Column"): lambda row: audit.title(row.columns),
        TableColumn("Group"): lambda row: row.title,
        TableColumn(
            "Precision", "share", help=f"Of those called {outcome}, the share for whom it is true."
        ): lambda row: row.gaps["precision"].own.rate(),
        TableColumn("Precision gap", "points", "… minus the others", "In points."): lambda row: (
            row.gaps["precision"].difference
        ),
        TableColumn(
            "Hits gap",
            "points",
            "Hits, minus the others",
            f"Of those for whom {outcome} is true, the share that is called so; in points.",
        ): lambda row: row.gaps["hits"].difference,
        TableColumn(
            "False alarms gap",
            "points",
            "False alarms, minus the others",
            f"Of those for whom {outcome} is not true, the share that is called so; in points.",
        ): lambda row: row.gaps["false alarms"].difference,
        TableColumn(
            "p",
            "p",
            "Corrected p",
            "That hits or false alarms differ, after Holm’s correction for all groups.",
        ): lambda row: row.adjusted,
        TableColumn("Verdict", title="Equalized odds"): lambda row: row.verdict,
    }
    rows = [row for row in table.rows if any(gap.enough for gap in row.gaps.values())]
    caption = f"Mistakes of {CALLED[table.answerer]}, group by group"
    return DataTable.of(caption, rows, cells, heading="Column")


def calibration_data(audit: Audit, table: CalibrationTable, outcome: str) -> DataTable:
    """What the probabilities promised each group, and what came."""
    cells: dict[TableColumn, Callable[[GroupCalibration], Value]] = {
        TableColumn("Column"): lambda row: audit.title(row.columns),
        TableColumn("Group"): lambda row: row.title,
        TableColumn("Records", "count"): lambda row: row.observed.size,
        TableColumn("Promised", "share", "Mean probability"): lambda row: row.probability,
        TableColumn(
            "Came", "share", outcome[:24], f"The share for whom {outcome} is true."
        ): lambda row: row.observed.rate(),
        TableColumn(
            "Gap", "points", "… minus the promise", "In points. Below 0: promised more."
        ): lambda row: row.gap,
        TableColumn(
            "Error",
            "number",
            "Calibration error",
            "How far promise and share are apart in each tenth of the scale, on average.",
            decimals=3,
        ): lambda row: row.error,
        TableColumn("p", "p", "Corrected p"): lambda row: row.adjusted,
        TableColumn("Verdict", title="What may be said"): lambda row: row.verdict,
    }
    rows = [row for row in table.rows if row.verdict != NO_EVIDENCE]
    return DataTable.of("Whether probabilities keep their word", rows, cells, heading="Column")


def given_table(audit: Audit, table: StratifiedTable) -> DataTable:
    """Each group before and after like is compared with like."""
    cells: dict[TableColumn, Callable[[Standardised], Value]] = {
        TableColumn("Column"): lambda row: audit.title(row.columns),
        TableColumn("Group"): lambda row: row.title,
        TableColumn("Difference", "points", "Difference, in points"): lambda row: row.crude,
        TableColumn(
            "Given", "points", f"Given {', '.join(table.factors)}"[:60], "Within strata, weighted."
        ): lambda row: row.given,
        TableColumn("Compared", "part", "Records in strata with both"): lambda row: PartOf(
            row.compared, row.total
        ),
        TableColumn("Strata", "count"): lambda row: row.strata,
        TableColumn("p", "p", "Corrected p", "Of Cochran, Mantel and Haenszel."): lambda row: (
            row.adjusted
        ),
        TableColumn("Verdict", title="What may be said"): lambda row: row.said,
    }
    rows = [row for row in table.rows if row.verdict != NO_EVIDENCE]
    caption = f"Called so by {CALLED[table.answerer]}, among records that are alike"
    return DataTable.of(caption, rows, cells, heading="Column")


def classifier_sentences(found: ClassifierAudit, outcome: str) -> list[str]:
    """What stands out, in sentences."""
    said = []
    for table in found.parity:
        beyond = [row.title for row in table.rows if row.verdict == "different"]
        sure = [row for row in table.rows if row.verdict != NO_EVIDENCE]
        whose = CALLED[table.answerer]
        if beyond:
            said.append(
                f"Equalized odds do not hold for {whose}: hits or false alarms differ for "
                f"{listing(beyond)}, after correction for {counted(table.compared, 'comparison')}."
            )
        elif sure:
            said.append(
                f"For {whose}, no difference of hits or false alarms is shown in "
                f"{counted(len(sure), 'group')} with enough records."
            )
        else:
            said.append(
                f"Mistakes of {whose} cannot be compared: no group has enough records with and "
                f"without {outcome} in truth."
            )
    if found.calibration is not None:
        off = [row.title for row in found.calibration.rows if row.verdict == "different"]
        said.append(
            f"Probabilities do not keep their word for {listing(off)}."
            if off
            else "No group is shown for which probabilities do not keep their word."
        )
    if found.given is not None:
        said += _given_said(found.given)
    return said


def _given_said(table: StratifiedTable) -> list[str]:
    factors = enumeration([f"“{name}”" for name in table.factors])
    turned = [
        f"{row.title}: {points(row.crude.value)} among all, {points(row.given.value)} given "
        f"{factors}"
        for row in table.rows
        if row.is_reversed
    ]
    left = [row.title for row in table.rows if row.verdict == "different"]
    said = [f"Simpson’s reversal: {each}." for each in turned]
    if left:
        said.append(f"Given {factors}, a difference is left for {listing(left)}.")
    elif not turned:
        said.append(f"Given {factors}, no difference is shown for any group.")
    return said
