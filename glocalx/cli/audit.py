"""`glocalx audit`: what each rule of a theory covers, and whom."""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path
from typing import Any

from glocalx.audit import Audit, AuditSettings, json_ready, open_files, run_audit
from glocalx.classifier import RankedTheory
from glocalx.cli.options import checked_folder, pairs_from
from glocalx.cli.output import print_json, print_lines
from glocalx.errors import GLocalXError
from glocalx.files import read_theory
from glocalx.phrases import counted, listing
from glocalx.report import Explained, collect_report, report_files
from glocalx.wording import Wording


def add_to(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "audit",
        help="what each rule of a theory covers, and whom",
        description="Count whom the rules of a theory cover and decide about, group by group, "
        "straight from a CSV or Parquet file of any size. Gaps are not filled here: a missing "
        "value satisfies no condition, and is counted.",
    )
    parser.add_argument("theory", type=Path, metavar="THEORY.json")
    parser.add_argument("table", type=Path, metavar="TABLE", help="a CSV or Parquet file")
    parser.add_argument(
        "--by", nargs="+", required=True, metavar="COLUMN", help="the sensitive columns"
    )
    parser.add_argument(
        "--reference",
        nargs="+",
        default=[],
        metavar="COLUMN=GROUP",
        help="compare with this group instead of with everyone else",
    )
    parser.add_argument(
        "--outcome",
        help="the outcome asked about (default: the first that is not what happens without a rule)",
    )
    parser.add_argument(
        "--traits",
        nargs="+",
        default=[],
        metavar="COLUMN[=CATEGORY]",
        help="what to tell about those behind each answer (default: the sensitive columns)",
    )
    parser.add_argument("--label", metavar="COLUMN", help="the true labels")
    parser.add_argument("--predictions", metavar="COLUMN", help="the black-box labels")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    folder = checked_folder(options.out)
    theory = read_theory(options.theory)
    settings = AuditSettings(
        _outcome(theory, options.outcome),
        tuple(options.by),
        against=pairs_from("--reference", options.reference, "race=Other") or "everyone else",
        features=_traits(options.traits),
    )
    with open_files(
        [options.table], theory.schema, black_box=options.predictions, truth=options.label
    ) as source:
        audit = run_audit(source, theory, settings)
    wording = Wording(theory.schema)
    report = collect_report(
        theory,
        title=f"Whom the rules of {options.theory.name} cover",
        audit=audit,
        explained=_explained(options, audit),
        wording=wording,
    )
    for name, content in report_files(report).items():
        (folder / name).write_bytes(content)
    if options.json:
        print_json(dict(json_ready(audit, wording)))
    else:
        print_lines(
            [*_lines(audit, settings, wording), f"Written to {folder}: start with report.html."]
        )


def _explained(options: argparse.Namespace, audit: Audit) -> Explained:
    """What the files tell; how the rules were made is not in them."""
    return Explained(
        table=options.table.name,
        table_fingerprint=_fingerprint(options.table),
        records=audit.records,
        features=len(audit.theory.schema.features),
        black_box=f"answers in the column “{options.predictions}”" if options.predictions else None,
        theory_fingerprint=_fingerprint(options.theory),
    )


def _fingerprint(path: Path) -> str:
    with path.open("rb") as file:
        return f"SHA-256 {hashlib.file_digest(file, 'sha256').hexdigest()}"


def _outcome(theory: RankedTheory, wanted: str | None) -> str:
    """The outcome asked for; by default the first that is not what no rule gives."""
    if wanted is None:
        return next(name for name in theory.schema.outcomes if name != theory.default)
    if wanted not in theory.schema.outcomes:
        raise GLocalXError(
            f"The theory does not know the outcome “{wanted}”. "
            f"It knows: {listing(theory.schema.outcomes)}."
        )
    return wanted


def _traits(given: list[str]) -> tuple[str | tuple[str, str], ...] | None:
    """Columns, or columns with one of their categories."""
    pairs = [each.split("=", 1) for each in given]
    return tuple((p[0], p[1]) if len(p) > 1 else p[0] for p in pairs) or None


def _lines(audit: Audit, settings: AuditSettings, wording: Wording) -> list[str]:
    """The audit in a few sentences; the tables hold the rest."""
    named = [
        f"Rule {place} names {listing(sensitive)} outright: {wording.rule(rule)}"
        for place, rule in enumerate(audit.theory.rules, start=1)
        if (sensitive := [name for name in rule.features if name in settings.by])
    ]
    return [
        f"{counted(audit.records, 'record')}, {counted(audit.theory.size, 'rule')}; asked about "
        f"“{settings.outcome}” by {listing(settings.by)}.",
        *named,
        *(f"Note: {note}" for note in audit.notes),
        "A difference is not yet discrimination, and no difference is not yet fairness.",
    ]
