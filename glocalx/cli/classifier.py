"""Options of `glocalx audit` for what auditors of classifiers ask besides."""

from __future__ import annotations

import argparse

from glocalx.audit.classifier_audit import ClassifierQuestions
from glocalx.audit.true_outcome import TrueOutcome
from glocalx.cli.options import pairs_from
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Schema
from glocalx.words.phrases import listing


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
