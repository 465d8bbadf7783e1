"""`glocalx explain --distribution`: a model, and how its features are distributed; no records."""

from __future__ import annotations

import argparse
import time

import numpy as np

from glocalx.blackbox.check import check_black_box, check_gaps
from glocalx.blackbox.model_file import open_model
from glocalx.cli.options import (
    checked_folder,
    merge_settings,
    processes,
    said_of_model,
    selection_settings,
)
from glocalx.cli.output import hand_over, result_lines, seconds_of, summarise
from glocalx.errors import GLocalXError
from glocalx.extraction.iterate import local_rules
from glocalx.extraction.settings import ExtractionSettings
from glocalx.file_bytes import read_bytes
from glocalx.files import write_hierarchy, write_local_rules, write_theory
from glocalx.marginals import read_distribution
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.iterate import iter_merges
from glocalx.pipeline.theories import chosen_theory
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.words.wording import Wording

EXPLAINED, BACKGROUND, HELD_OUT = 1_000, 2_000, 1_000  # records drawn
NEED_RECORDS = (
    *("target", "bands", "ignore", "predictions", "train", "seen", "drawn", "synthetic", "rules"),
    *("pool", "cluster", "resamples", "bar", "direction", "pin", "remove", "change", "write"),
    *("steer", "fixed", "only_up", "only_down", "may_change"),
)
NOTE = (
    "GLocalX* from a distribution alone: every record was drawn, each feature on its own, so some "
    "could not be. The model was asked about all of them; what it says of real records is not "
    "known here."
)


def explain_distribution(options: argparse.Namespace) -> None:
    """From a distribution and a model to a theory."""
    _refuse(options)
    folder, jobs = checked_folder(options.out), processes(options.jobs)
    marginals = read_distribution(options.distribution)
    explained = EXPLAINED if options.records is None else options.records
    sizes = (explained, BACKGROUND, HELD_OUT)
    everyone = marginals.sample(sum(sizes), options.seed)
    box = open_model(
        options.model.name,
        read_bytes(options.model),
        Schema(marginals.features, ("no", "yes")),  # the model says which outcomes there are
        **said_of_model(options),
        sample=everyone,
    )
    check_gaps(box, everyone)
    check_black_box(box, everyone)
    labels = np.asarray(box.labels(everyone), dtype=object).astype(str).astype(object)
    read = tuple(each for each in marginals.features if each.name in box.columns)
    schema = Schema(read, tuple(sorted({*map(str, box.outcomes), *labels})))
    explain, background, test = (
        everyone[end - size : end].reset_index(drop=True)
        for size, end in zip(sizes, np.cumsum(sizes), strict=True)
    )
    begun = time.perf_counter()
    local = local_rules(
        explain,
        box,
        schema,
        background=background,
        settings=ExtractionSettings(extractor=options.extractor),
        seed=options.seed,
        jobs=jobs,
    )
    seconds = time.perf_counter() - begun
    last = explained if options.reference == "explained" else explained + BACKGROUND
    known = Reference(Records(schema, everyone[:last]), labels[:last])
    held_out = Reference(Records(schema, test), labels[-HELD_OUT:])
    hierarchy = Hierarchy.start((each.rule for each in local), known, merge_settings(options))
    merging = seconds_of(
        iter_merges(hierarchy, known),
        lambda step: step.progress,
        lambda step: f"{step.rules_left:,} rules",
        quiet=options.json,
    )
    theory = chosen_theory(hierarchy, known, selection_settings(options))
    wording = Wording(schema, known.records)
    summary = {
        **summarise(merging, hierarchy, theory, held_out, wording),
        "extraction_seconds": round(seconds, 4),
        "records": len(local),
        "drawn": True,
    }
    lines = [
        f"{len(local):,} drawn records of “{options.distribution.name}”, "
        f"{len(schema.features)} features, explained in {seconds:.1f} s.",
        f"Black box: {box.name}. {NOTE}",
        *result_lines(summary, theory, f"{held_out.size:,} further drawn records"),
    ]
    write_hierarchy(folder / "hierarchy.json", hierarchy, schema)
    write_local_rules(folder / "local_rules.json", local, schema)
    write_theory(folder / "theory.json", theory)
    hand_over(folder, summary, lines, [], json=options.json)


def _refuse(options: argparse.Namespace) -> None:
    """What makes no sense without records."""
    if options.table is not None:
        raise GLocalXError("Give a table or --distribution, not both.")
    if options.model is None:
        raise GLocalXError(
            "A distribution has no answers. Give the model to ask with --model FILE."
        )
    if options.records is not None and options.records < 1:
        raise GLocalXError("Explain at least 1 record.")
    for name in NEED_RECORDS:
        if getattr(options, name):
            option = f"--{name.replace('_', '-')}"
            raise GLocalXError(f"“{option}” needs the records of a table. Leave it out.")
