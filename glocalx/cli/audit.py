"""`glocalx audit`: what each rule of a theory covers, and whom."""

from __future__ import annotations

import argparse
from contextlib import AbstractContextManager
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
from glocalx.audit.audit import Combinations
from glocalx.audit.classifier_audit import audit_classifier
from glocalx.audit.comparison import ENOUGH
from glocalx.audit.duckdb_files import Streamed
from glocalx.audit.grouping import Against
from glocalx.audit.source import Fill, Source
from glocalx.cli.classifier import add_classifier_options, means_from, questions_from
from glocalx.cli.evidence import (
    add_evidence_options,
    prepared_from,
    verify,
    write_evidence,
    write_records,
    written_lines,
)
from glocalx.cli.options import checked_folder
from glocalx.cli.output import print_json, print_lines
from glocalx.errors import GLocalXError
from glocalx.files import read_theory
from glocalx.report import Provenance, collect_report, report_files
from glocalx.report.chain import fingerprint
from glocalx.report.report import program_versions
from glocalx.report.sentences import CAVEAT
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.schema import Schema
from glocalx.table.samples import sample_file, sample_info, sample_names
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
    parser.add_argument("--out", type=Path, metavar="DIR")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_classifier_options(parser)
    add_evidence_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if options.verify is not None:
        return verify(options, audited_into)
    given = {"THEORY.json": options.theory, "TABLE": options.table}
    given |= {"--by": options.by, "--out": options.out}
    lacking = [name for name, value in given.items() if not value]
    if lacking:
        raise GLocalXError(f"An audit needs {listing(given)}; {listing(lacking)} is not given.")
    folder = checked_folder(options.out)
    options = _with_sample(options)
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
        _outcome(theory, options.outcome),
        tuple(options.by),
        bands=_bands(options),
        favourable=_known(theory, options.favourable),
        combinations=options.combinations,
        against=_against(options),
        enough=_smallest(options.smallest),
        features=_traits(options.traits, [*theory.schema.names, *options.by]),
    )
    with _opened(options, theory) as source:
        audit = run_audit(source, theory, settings)
        classifier = audit_classifier(source, audit, questions_from(options, theory.schema))
        write_records(folder, source, audit, options)
    report = collect_report(
        theory,
        title=f"Whom the rules of {options.called} cover",
        audit=audit,
        explained=_explained(options, audit),
        wording=Wording(theory.schema),
        made=made,
        prepared=prepared_from(options),
        classifier=classifier,
        versions=options.versions,
    )
    files = report_files(report)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    write_evidence(folder, list(files), audit, source.fills, options, made)
    return audit


def _opened(options: argparse.Namespace, theory: RankedTheory) -> AbstractContextManager[Source]:
    known = Streamed(
        black_box=options.predictions,
        truth=options.label,
        fills=_fills(options.fill, theory.schema),
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


def _explained(options: argparse.Namespace, audit: Audit) -> Provenance:
    """What the files tell; how the rules were made is not in them."""
    return Provenance(
        table=": ".join(filter(None, [options.table.name, options.within])),
        table_fingerprint=f"SHA-256 {fingerprint(options.table)}",
        records=audit.records,
        features=len(audit.theory.schema.features),
        black_box=f"answers in the column “{options.predictions}”" if options.predictions else None,
        theory_fingerprint=f"SHA-256 {fingerprint(options.theory)}",
    )


def _fills(given: list[str], schema: Schema) -> dict[str, Fill]:
    """What stood in for missing values, a number where the column holds numbers."""
    names = list(schema.names)
    fills: dict[str, Fill] = {}
    for column, text in _pairs("--fill", given, names, "age=34", "the theory").items():
        try:
            fills[column] = text if schema[column].is_categorical else float(text)
        except ValueError:
            raise GLocalXError(
                f"“--fill {column}={text}” is no number. Write it as age=34."
            ) from None
    return fills


def _with_sample(options: argparse.Namespace) -> argparse.Namespace:
    """The same, with what is known of a sample where one is named."""
    name = str(options.table)
    if name not in sample_names() or options.table.exists():
        return options
    sample = sample_info(name)
    known = {
        "table": sample_file(name),
        "label": options.label or sample.target,
        "favourable": options.favourable or sample.favourable,
    }
    return argparse.Namespace(**{**vars(options), **known})


def _against(options: argparse.Namespace) -> Against:
    if options.reference == ["largest"] and "largest" not in options.by:
        return "largest group"
    named = _pairs("--reference", options.reference, options.by, "race=Other")
    return named or "everyone else"


def _smallest(records: int) -> int:
    if records < 1:
        raise GLocalXError("“--smallest” takes a number of records, at least 1.")
    return records


def _outcome(theory: RankedTheory, wanted: str | None) -> str:
    """The outcome asked for; by default the first that is not what no rule gives."""
    known = _known(theory, wanted)
    return known or next(name for name in theory.schema.outcomes if name != theory.default)


def _known(theory: RankedTheory, wanted: str | None) -> str | None:
    """An outcome of the theory, or None."""
    if wanted is not None and wanted not in theory.schema.outcomes:
        raise GLocalXError(
            f"The theory does not know the outcome “{wanted}”. "
            f"It knows: {listing(theory.schema.outcomes)}."
        )
    return wanted


def _pairs(
    option: str, given: list[str], known: list[str], example: str, namer: str = "“--by”"
) -> dict[str, str]:
    """What was given as `COLUMN=VALUE`; names of columns may well hold an equals sign."""
    pairs = [_split(each, known) for each in given]
    for text, (_, value) in zip(given, pairs, strict=True):
        if value is None:
            raise GLocalXError(f"“{option} {text}” says nothing. Write it as {example}.")
    strange = [column for column, _ in pairs if column not in known]
    if strange:
        raise GLocalXError(
            f"“{option}” speaks of {listing(strange)}, which {namer} does not name. Name it there, "
            "too."
        )
    return {column: value for column, value in pairs if value is not None}


def _split(text: str, columns: list[str]) -> tuple[str, str | None]:
    """A column and what was said of it; None where nothing was."""
    if text in columns:
        return text, None
    for column in sorted(columns, key=len, reverse=True):
        if text.startswith(f"{column}="):
            return column, text.removeprefix(f"{column}=")
    column, _, value = text.partition("=")
    return column, value if "=" in text else None


def _bands(options: argparse.Namespace) -> dict[str, tuple[float, ...]]:
    bands = {}
    for column, text in _pairs("--bands", options.bands, options.by, "age=25,45").items():
        try:
            bands[column] = tuple(float(end) for end in text.split(","))
        except ValueError:
            raise GLocalXError(
                f"“--bands {column}={text}” is no list of numbers. Write it as age=25,45."
            ) from None
    return bands


def _traits(given: list[str], columns: list[str]) -> tuple[str | tuple[str, str], ...] | None:
    """Columns, or columns with one of their categories."""
    pairs = [_split(each, columns) for each in given]
    return tuple(c if value is None else (c, value) for c, value in pairs) or None


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
        CAVEAT,
    ]
