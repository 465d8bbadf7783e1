"""`glocalx audit`: what each rule of a theory covers, and whom."""

from __future__ import annotations

import argparse
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

from glocalx.audit import (
    Audit,
    AuditSettings,
    json_ready,
    open_database,
    open_files,
    run_audit,
)
from glocalx.audit.classifier_audit import audit_classifier
from glocalx.audit.comparison import ENOUGH
from glocalx.audit.findings import findings
from glocalx.audit.settings import Combinations
from glocalx.audit.source import Source
from glocalx.audit.streaming import Streamed, StreamedSource
from glocalx.cli.asked_model import ask_model
from glocalx.cli.audit_options import (
    add_classifier_options,
    against_from,
    bands_from,
    fills_from,
    flips_from,
    known_outcome,
    means_from,
    outcome_from,
    questions_from,
    smallest_from,
    traits_from,
    with_sample,
)
from glocalx.cli.evidence import (
    add_evidence_options,
    verify,
    write_evidence,
    write_records,
    written_lines,
)
from glocalx.cli.options import add_model_options, checked_folder
from glocalx.cli.output import print_json, print_lines
from glocalx.errors import GLocalXError
from glocalx.files import read_theory
from glocalx.report import Provenance, collect_report, report_files
from glocalx.report.chain import fingerprint
from glocalx.report.facts import Prepared
from glocalx.report.findings import FoundWords
from glocalx.report.report import program_versions
from glocalx.report.sentences import CAVEAT, close_proxies, without_marks
from glocalx.rules.classifier import RankedTheory
from glocalx.table.samples import sample_names
from glocalx.words.phrases import counted, listing
from glocalx.words.wording import Wording

DATABASES = (".duckdb", ".db", ".ddb")


def add_to(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "audit",
        help="what each rule of a theory covers, and whom",
        description="Count whom the rules of a theory cover and decide about, group by group, "
        "straight from a CSV or Parquet file or a DuckDB database of any size. A record without a "
        "value is in the group “missing”, and satisfies no condition unless “--fill” says what "
        "stood in for the value where the black box was asked.",
    )
    parser.add_argument("theory", type=Path, nargs="?", metavar="THEORY.json")
    parser.add_argument(
        "table",
        type=Path,
        nargs="?",
        metavar="TABLE",
        help=f"a CSV or Parquet file, a DuckDB database, or a sample: {', '.join(sample_names())}",
    )
    parser.add_argument(
        "--table",
        dest="within",
        metavar="NAME",
        help="which table or view of a DuckDB database (default: its only one)",
    )
    parser.add_argument("--by", nargs="+", metavar="COLUMN", help="the sensitive columns")
    parser.add_argument(
        "--reference",
        nargs="+",
        default=[],
        metavar="COLUMN=GROUP",
        help="compare with this group instead of with everyone else; “largest”: with the largest "
        "group of each column",
    )
    parser.add_argument(
        "--combinations",
        choices=get_args(Combinations),
        default="pairs",
        help="groups of columns together: none, of every two (default), or of all of them, too",
    )
    parser.add_argument(
        "--smallest",
        type=int,
        default=ENOUGH,
        metavar="RECORDS",
        help=f"fewer records in a group are not enough to say anything (default: {ENOUGH})",
    )
    parser.add_argument(
        "--bands",
        nargs="+",
        default=[],
        metavar="COLUMN=NUMBER,NUMBER",
        help="where bands of a number begin (default: three bands of about the same size)",
    )
    parser.add_argument(
        "--outcome",
        help="the outcome asked about (default: the first that is not what happens without a rule)",
    )
    parser.add_argument(
        "--tolerance",
        type=float,
        metavar="POINTS",
        help="a difference in points that you hold to be none; that differences are smaller is "
        "tested, too",
    )
    parser.add_argument(
        "--favourable",
        metavar="OUTCOME",
        help="the outcome that is good for those who get it: the four-fifths rule speaks of it",
    )
    parser.add_argument(
        "--traits",
        nargs="+",
        default=[],
        metavar="COLUMN[=CATEGORY]",
        help="what to tell about those behind each answer (default: the sensitive columns)",
    )
    parser.add_argument(
        "--fill",
        nargs="+",
        default=[],
        metavar="COLUMN=VALUE",
        help="what stood in for missing values of a column where the black box was asked",
    )
    parser.add_argument("--label", metavar="COLUMN", help="the true labels (known for samples)")
    parser.add_argument("--predictions", metavar="COLUMN", help="the black-box labels")
    parser.add_argument(
        "--model",
        type=Path,
        metavar="FILE",
        help="an ONNX or skops file: its answers are audited, and flip tests are made",
    )
    add_model_options(parser)
    parser.add_argument(
        "--flip",
        nargs="+",
        action="append",
        default=[],
        metavar="COLUMN=GROUP>GROUP",
        help="change this group into that, everything else stays; several columns are changed "
        "together; may be given several times (needs --model; default: each group into the "
        "largest other)",
    )
    parser.add_argument("--out", type=Path, metavar="DIR")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_classifier_options(parser)
    add_evidence_options(parser)


def run(options: argparse.Namespace) -> int:
    if options.verify is not None:
        return verify(options, audited_into)
    given = {"THEORY.json": options.theory, "TABLE": options.table}
    given |= {"--by": options.by, "--out": options.out}
    lacking = [name for name, value in given.items() if not value]
    if lacking:
        raise GLocalXError(f"An audit needs {listing(given)}; {listing(lacking)} is not given.")
    folder = checked_folder(options.out)
    options = with_sample(options)
    options.called, options.versions = options.theory.name, program_versions()
    audit = audited_into(options, folder, datetime.now(UTC))
    wording = Wording(audit.theory.schema)
    if options.json:
        print_json(dict(json_ready(audit, wording)))
    else:
        print_lines([*_lines(audit, audit.settings, wording), *written_lines(folder)])
    return 0


def audited_into(options: argparse.Namespace, folder: Path, made: datetime) -> Audit:
    """Make the audit and write all that it gives into a folder."""
    theory = read_theory(options.theory)
    settings = AuditSettings(
        outcome_from(theory, options.outcome),
        tuple(options.by),
        bands=bands_from(options),
        favourable=known_outcome(theory, options.favourable),
        combinations=options.combinations,
        against=against_from(options),
        enough=smallest_from(options.smallest),
        tolerance=None if options.tolerance is None else options.tolerance / 100,
        flips=flips_from(options),
        features=traits_from(options.traits, [*theory.schema.names, *options.by]),
    )
    with _opened(options, theory) as source:
        asked = ask_model(options, theory, source) if options.model else None
        records: Source = source if asked is None else asked.source
        audit = run_audit(records, theory, settings, asked.changeable if asked else None)
        audit = replace(audit, notes=(*audit.notes, *(asked.notes if asked else ())))
        classifier = audit_classifier(records, audit, questions_from(options, theory.schema))
        write_records(folder, records, audit, options, asked.drawn if asked else None)
    report = collect_report(
        theory,
        title=_title(options),
        audit=audit,
        explained=_explained(options, audit),
        wording=Wording(theory.schema),
        made=made,
        prepared=Prepared(options.prepared_by, options.purpose),
        classifier=classifier,
        versions=options.versions,
    )
    files = report_files(report)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    write_evidence(folder, list(files), audit, source.fills, options, made)
    return audit


def _opened(
    options: argparse.Namespace, theory: RankedTheory
) -> AbstractContextManager[StreamedSource]:
    known = Streamed(
        black_box=options.predictions,
        truth=options.label,
        fills=fills_from(options.fill, theory.schema),
        means=means_from(options, theory.schema),
    )
    if options.table.suffix.lower() in DATABASES:
        return open_database(options.table, options.within, theory.schema, **known)
    if options.within is not None:
        raise GLocalXError(
            f"“--table” names a table of a DuckDB database, and “{options.table.name}” is none. "
            f"Leave it out, or give a file that ends in one of {', '.join(DATABASES)}."
        )
    return open_files([options.table], theory.schema, **known)


def _title(options: argparse.Namespace) -> str:
    """What was audited: the model where it is at hand, else its answers, else the rules."""
    if options.model:
        return f"Audit of the model {options.model.name}"
    if options.predictions:
        return f"Audit of the answers in the column “{options.predictions}”"
    return f"Audit of the rules in {options.called}"


def _explained(options: argparse.Namespace, audit: Audit) -> Provenance:
    """What the files tell; how the rules were made is not in them."""
    return Provenance(
        table=": ".join(filter(None, [options.table.name, options.within])),
        table_fingerprint=f"SHA-256 {fingerprint(options.table)}",
        records=audit.records,
        features=len(audit.theory.schema.features),
        black_box=options.model.name
        if options.model
        else f"answers in the column “{options.predictions}”"
        if options.predictions
        else None,
        black_box_fingerprint=f"SHA-256 {fingerprint(options.model)}" if options.model else None,
        theory_fingerprint=f"SHA-256 {fingerprint(options.theory)}",
    )


def _lines(audit: Audit, settings: AuditSettings, wording: Wording) -> list[str]:
    """The audit in a few sentences, what was found first; the tables hold the rest."""
    words, found = FoundWords(audit, wording), findings(audit)
    named = [
        f"Rule {place} names {listing(sensitive)} outright: {wording.rule(rule)}"
        for place, rule in enumerate(audit.theory.rules, start=1)
        if (sensitive := [name for name in rule.features if name in settings.by])
    ]
    return [
        f"{counted(audit.records, 'record')}, {counted(audit.theory.size, 'rule')}; asked about "
        f"“{settings.outcome}” by {listing(settings.by)}.",
        f"{words.head(found)}. {words.under(found)}",
        *(f"  {without_marks(words.headline(each))}" for each in found.cards),
        *named,
        *map(without_marks, (*close_proxies(audit, wording), *words.flips_in_all())),
        *(f"Note: {note}" for note in audit.notes),
        CAVEAT,
    ]
