"""A model that commands ask: opened from a file, about the records of a table or some of them."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
import pandas as pd

from glocalx.audit import FrameSource
from glocalx.audit.flips import FlipRecords
from glocalx.audit.source import Source
from glocalx.audit.streaming import DrawnRecords, StreamedSource
from glocalx.blackbox.base import BlackBox
from glocalx.blackbox.model_file import open_model
from glocalx.cli.options import said_of_model
from glocalx.errors import GLocalXError
from glocalx.questions.applied import filled
from glocalx.rules.classifier import RankedTheory
from glocalx.words.phrases import counted

MOST_RECORDS = 100_000
"""Of a larger table so many records are drawn, of which the model is asked."""
_TRIED = 2_000


@dataclass(frozen=True, slots=True)
class AskedModel:
    """What is audited where a model is given.

    Parameters
    ----------
    source
        The records with its answers: all of the table, or those that were drawn.
    changeable
        Records that can be changed and asked about again.
    notes
        What was drawn, and where the model says something else than the table.
    drawn
        The records in memory, where these are the ones that are counted.
    """

    box: BlackBox
    source: Source
    changeable: FlipRecords
    notes: tuple[str, ...]
    drawn: DrawnRecords | None


def opened_model(
    options: argparse.Namespace, theory: RankedTheory, sample: pd.DataFrame
) -> BlackBox:
    """The model of `--model`; the sample shows it what records look like."""
    try:
        data = options.model.read_bytes()
    except OSError as error:
        raise GLocalXError(
            f"The model “{options.model.name}” cannot be read: {error.strerror}. Check its name."
        ) from None
    return open_model(
        options.model.name,
        data,
        theory.schema,
        **said_of_model(options),
        sample=sample[:_TRIED],
    )


def ask_model(
    options: argparse.Namespace, theory: RankedTheory, source: StreamedSource
) -> AskedModel:
    """Ask the model about the records of a table, or about as many as can be asked about.

    Where the table has the model's answers, these are counted on all records, and the model is
    asked for flips alone.
    """
    further = [*options.given, *([options.probability] if options.probability else [])]
    names = tuple(dict.fromkeys([*theory.schema.names, *options.by, *further]))
    drawn = source.drawn(names, MOST_RECORDS, identifier=options.identifier)
    frame = filled(drawn.frame[list(theory.schema.names)].fillna(dict(source.fills)), theory)
    box = opened_model(options, theory, frame)
    answers = np.asarray(box.labels(frame), dtype=object)
    own = FrameSource(theory.schema, drawn.frame, answers, drawn.truth, source.fills)
    changeable = FlipRecords(own, frame, box.labels, box.columns)
    notes = []
    if drawn.black_box is not None:
        other = int(np.count_nonzero(drawn.black_box.astype(str) != answers.astype(str)))
        if other:
            notes.append(
                f"The model gives another answer than the column “{options.predictions}” for "
                f"{other:,} of {counted(len(frame), 'record')}. Counted is the column; flips "
                "compare the model with itself."
            )
    if len(frame) < source.size:
        which = "flips are of these."
        if drawn.black_box is None:
            which = "all figures are of these. Give its answers as --predictions to count all."
        notes.append(
            f"The model was asked about {len(frame):,} of {source.size:,} records, drawn at "
            f"random; {which}"
        )
    if drawn.black_box is not None:
        return AskedModel(box, source, changeable, tuple(notes), None)
    return AskedModel(box, own, changeable, tuple(notes), drawn)
