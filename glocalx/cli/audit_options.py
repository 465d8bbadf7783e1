"""What `glocalx audit` is told: groups, bands, outcomes, flips, checked before anything is read."""

from __future__ import annotations

import argparse

from glocalx.audit.classifier_audit import ClassifierQuestions
from glocalx.audit.flips import FlipPlan, GroupChange
from glocalx.audit.grouping import Against
from glocalx.audit.source import Fill
from glocalx.audit.true_outcome import TrueOutcome
from glocalx.cli.options import pairs_from
from glocalx.errors import GLocalXError
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.schema import Schema
from glocalx.table.samples import sample_file, sample_info, sample_names
from glocalx.words.phrases import listing

EXAMPLE = "'race=Other>Caucasian'"


def add_classifier_options(parser: argparse.ArgumentParser) -> None:
    """Where the truth is, what may rightly make a difference, and how large one may be."""
    group = parser.add_argument_group("classifiers")
    group.add_argument(
        "--means",
        nargs="+",
        default=[],
        metavar="VALUE=OUTCOME",
        help="what a value of the column “--label” means, where it is not what the model was "
        "trained to say: --label again --means 1=High 0=Low",
    )
    group.add_argument(
        "--given",
        nargs="+",
        default=[],
        metavar="COLUMN",
        help="compare groups among records that are alike in these columns, too",
    )
    group.add_argument(
        "--probability",
        metavar="COLUMN",
        help="probabilities, from 0 to 1, of the outcome asked about: do they keep their word?",
    )


def with_sample(options: argparse.Namespace) -> argparse.Namespace:
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


def against_from(options: argparse.Namespace) -> Against:
    if options.reference == ["largest"] and "largest" not in options.by:
        return "largest group"
    named = _pairs("--reference", options.reference, options.by, "race=Other")
    return named or "everyone else"


def flips_from(options: argparse.Namespace) -> tuple[FlipPlan, ...]:
    if options.flip and not options.model:
        raise GLocalXError("Flips are made by asking the model. Give it as --model.")
    plans = []
    for given in options.flip:
        pairs = _pairs("--flip", given, options.by, EXAMPLE)
        for column, text in pairs.items():
            if ">" not in text:
                raise GLocalXError(f"“--flip {column}={text}” names one group. Write {EXAMPLE}.")
        parted = ((column, text.split(">", 1)) for column, text in pairs.items())
        plans.append(FlipPlan(tuple(GroupChange(column, *groups) for column, groups in parted)))
    return tuple(plans)


def smallest_from(records: int) -> int:
    if records < 1:
        raise GLocalXError("“--smallest” takes a number of records, at least 1.")
    return records


def outcome_from(theory: RankedTheory, wanted: str | None) -> str:
    """The outcome asked for; by default the first that is not what no rule gives."""
    known = known_outcome(theory, wanted)
    return known or next(name for name in theory.schema.outcomes if name != theory.default)


def known_outcome(theory: RankedTheory, wanted: str | None) -> str | None:
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


def bands_from(options: argparse.Namespace) -> dict[str, tuple[float, ...]]:
    bands = {}
    for column, text in _pairs("--bands", options.bands, options.by, "age=25,45").items():
        try:
            bands[column] = tuple(float(end) for end in text.split(","))
        except ValueError:
            raise GLocalXError(
                f"“--bands {column}={text}” is no list of numbers. Write it as age=25,45."
            ) from None
    return bands


def traits_from(given: list[str], columns: list[str]) -> tuple[str | tuple[str, str], ...] | None:
    """Columns, or columns with one of their categories."""
    pairs = [_split(each, columns) for each in given]
    return tuple(c if value is None else (c, value) for c, value in pairs) or None


def fills_from(given: list[str], schema: Schema) -> dict[str, Fill]:
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


def means_from(options: argparse.Namespace, schema: Schema) -> dict[str, str]:
    """What values of the true labels mean."""
    means = pairs_from("--means", options.means, "1=High")
    if means and not options.label:
        raise GLocalXError("“--means” says what values of “--label” mean. Name that column.")
    strange = [outcome for outcome in means.values() if outcome not in schema.outcomes]
    if strange:
        raise GLocalXError(
            f"“--means” speaks of {listing(strange)}, which is no outcome. There are: "
            f"{listing(schema.outcomes)}."
        )
    return means


def questions_from(options: argparse.Namespace, schema: Schema) -> ClassifierQuestions:
    """What is asked besides."""
    means = tuple(means_from(options, schema).items())
    return ClassifierQuestions(
        tuple(options.given),
        options.probability,
        TrueOutcome(options.label, means) if options.label else None,
    )
