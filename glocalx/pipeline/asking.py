"""Ask: a black box trained here, opened from a file, or stood in for; and what it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from glocalx.blackbox.base import BlackBox, Labels
from glocalx.blackbox.check import check_black_box, check_gaps
from glocalx.blackbox.model_file import open_model
from glocalx.blackbox.nearest import NearestRecord
from glocalx.blackbox.predictions import StandIn
from glocalx.blackbox.trained import TrainingProgress, iter_training
from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import BoxSettings
from glocalx.pipeline.tables import LabelledTable, SplitTable

GIVEN = ("predictions", "labels")  # sources whose answers are in the table
_NOTHING: Labels = np.empty(0, dtype=object)


def iter_black_box(
    box: BoxSettings, split: SplitTable, folder: Path = Path(), *, jobs: int = 1
) -> Iterator[TrainingProgress | BlackBox]:
    """The steps of making a black box, and at last the black box.

    `folder`: where the model's file is, if it comes from one.
    """
    table, parts = split.table, split.parts
    if box.source == "train":
        for step in iter_training(
            box.kind,
            split.train,
            table.target[parts.train],
            table.schema(),
            preset=box.preset,
            seed=parts.seed,
            jobs=jobs,
        ):
            yield step
            if step.box is not None:
                yield step.box
    elif box.source in GIVEN and split.drawn:
        raise GLocalXError(
            "Drawn records have no answers in the table, and there is no model to ask. Bring the "
            "model, train one here, or explain the table’s own records."
        )
    elif box.source == "labels":
        yield nearest_record(split)
    elif box.source == "predictions":
        answers = _given(box, split)
        schema = table.schema(answers)
        yield StandIn.fit(split.background, answers[parts.background], schema, parts.seed, jobs)
    else:
        model = open_brought(box, split, folder)
        check_gaps(model, table.frame)
        tried, places = (split.test, parts.test) if split.drawn else (split.explain, parts.explain)
        check_black_box(model, tried, table.target[places])
        yield model


def nearest_record(split: SplitTable) -> NearestRecord:
    """The labels of the table, which need no file to be asked again."""
    table, places = split.table, split.parts.explain
    return NearestRecord.of(split.explain, table.target[places], table.schema())


def open_brought(box: BoxSettings, split: SplitTable, folder: Path = Path()) -> BlackBox:
    """The model in a file that a person brought."""
    if box.file is None:
        raise GLocalXError("No model file is chosen. Upload one, or train a black box here.")
    try:
        data = (folder / box.file).read_bytes()
    except OSError as error:
        raise GLocalXError(
            f"The model “{box.name}” cannot be read: {error.strerror}. Bring it again."
        ) from None
    return open_model(
        box.name,
        data,
        split.table.schema(),
        trusted=box.trusted,
        columns=box.columns,
        renamed=box.renamed,
        outcomes=box.outcomes,
        sample=split.background,
    )


def ask(box: BoxSettings, black_box: BlackBox, split: SplitTable) -> LabelledTable:
    """The records with the labels that the black box gives, or gave in the table, to them.

    Rules speak of what it reads, so the schema has these features and no others.
    """
    if box.source in GIVEN:
        given, parts = _given(box, split), split.parts
        explain, test, train = given[parts.explain], given[parts.test], given[parts.train]
    else:
        explain, test, train = (
            black_box.labels(frame) if len(frame) else _NOTHING
            for frame in (split.explain, split.test, split.train)
        )
    outcomes = {*map(str, black_box.outcomes), *map(str, explain), *map(str, test)}
    outcomes |= set(map(str, train))
    schema = split.table.schema(sorted(outcomes), black_box.columns)
    return LabelledTable.of(split, black_box.name, schema, (explain, test), background=train)


def _given(box: BoxSettings, split: SplitTable) -> Labels:
    """The answers that stand in the table."""
    if box.source == "labels":
        return split.table.target
    if split.table.predictions is None:
        raise GLocalXError(
            "No column holds the predictions. Give one the role “predictions”, or train a "
            "black box here."
        )
    return split.table.predictions
