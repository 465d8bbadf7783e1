"""What auditors of classifiers ask besides: mistakes, probabilities, reasons that may be fair."""

from __future__ import annotations

from dataclasses import dataclass

from glocalx.audit.as_tables import Row, Rows, flat_row, group_cells
from glocalx.audit.audit import Audit
from glocalx.audit.calibration import CalibrationTable, calibration_table
from glocalx.audit.parity import ParityTable, parity_tables
from glocalx.audit.settings import Answerer
from glocalx.audit.source import Source
from glocalx.audit.strata import StratifiedTable, stratified_table
from glocalx.audit.true_outcome import TrueOutcome
from glocalx.errors import GLocalXError


@dataclass(frozen=True, slots=True)
class ClassifierQuestions:
    """What is asked, before anything is counted.

    Parameters
    ----------
    given
        Columns that may rightly make a difference.
    probability
        The column with the probability of the outcome asked about.
    truth
        Where the true outcome is from; None: from the table's own labels, if from anywhere.
    """

    given: tuple[str, ...] = ()
    probability: str | None = None
    truth: TrueOutcome | None = None


@dataclass(frozen=True, slots=True)
class ClassifierAudit:
    """All that was found.

    Parameters
    ----------
    parity
        Precision, hits and false alarms, by whose answers; empty without the true outcome.
    calibration
        None without probabilities, or without the true outcome.
    given
        None where no factor is named.
    """

    questions: ClassifierQuestions
    parity: tuple[ParityTable, ...]
    calibration: CalibrationTable | None
    given: StratifiedTable | None

    @property
    def is_empty(self) -> bool:
        return not self.parity and self.calibration is None and self.given is None


def audit_classifier(
    source: Source, audit: Audit, questions: ClassifierQuestions
) -> ClassifierAudit:
    """Ask these questions of the records of an audit."""
    calibration = given = None
    if questions.probability is not None:
        if not audit.tally.has_truth:
            raise GLocalXError(
                "Whether probabilities keep their word can only be told where the true outcome is "
                "known. Name its column."
            )
        calibration = calibration_table(source, audit, questions.probability)
    if questions.given:
        answerer: Answerer = "black box" if audit.tally.has_black_box else "theory"
        given = stratified_table(source, audit, questions.given, answerer)
    return ClassifierAudit(questions, parity_tables(audit), calibration, given)


def classifier_tables(found: ClassifierAudit) -> dict[str, list[Row]]:
    """Every table by name, for JSON and CSV; those that nothing was asked for are left out."""
    tables = {
        "parity": [*map(flat_row, _parity(found))],
        "calibration": [*map(flat_row, _calibration(found))],
        "given": [*map(flat_row, _given(found))],
    }
    return {name: rows for name, rows in tables.items() if rows}


def _parity(found: ClassifierAudit) -> Rows:
    for table in found.parity:
        for row in table.rows:
            yield {
                **group_cells(row),
                "answers_by": table.answerer,
                "records": row.size,
                "against": row.against,
                **{
                    f"{measure} {name}": value
                    for measure, gap in row.gaps.items()
                    for name, value in {
                        "rate": gap.own.rate(),
                        "of": gap.own.size,
                        "difference": gap.difference,
                        "p_value": gap.p_value,
                        "p_adjusted": gap.adjusted,
                        "verdict": gap.verdict,
                    }.items()
                },
                "equalized odds p_value": row.p_value,
                "equalized odds p_adjusted": row.adjusted,
                "equalized odds verdict": row.verdict,
            }


def _calibration(found: ClassifierAudit) -> Rows:
    for row in () if found.calibration is None else found.calibration.rows:
        yield {
            **group_cells(row),
            "records": row.observed.size,
            "mean_probability": row.probability,
            "came_true": row.observed.rate(),
            "expected_calibration_error": row.error,
            "p_value": row.p_value,
            "p_adjusted": row.adjusted,
            "verdict": row.verdict,
            **{
                f"{name} from {tenth.low:g}": value
                for tenth in row.tenths
                for name, value in {
                    "records": tenth.observed.size,
                    "mean_probability": tenth.probability,
                    "came_true": tenth.observed.rate().value,
                }.items()
            },
        }


def _given(found: ClassifierAudit) -> Rows:
    if found.given is None:
        return
    for row in found.given.rows:
        yield {
            **group_cells(row),
            "answers_by": found.given.answerer,
            "against": row.against,
            "factors": ", ".join(found.given.factors),
            "difference": row.crude,
            "difference_given": row.given,
            "strata": row.strata,
            "records_compared": row.compared,
            "records": row.total,
            "p_value": row.p_value,
            "p_adjusted": row.adjusted,
            "reversed": row.is_reversed,
            "verdict": row.said,
        }
