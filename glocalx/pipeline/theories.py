"""Merge, select: from local rules to a hierarchy, and from that to the theory people read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from glocalx.blackbox.base import BlackBox, Labels
from glocalx.blackbox.predictions import StandIn
from glocalx.errors import GLocalXError
from glocalx.extraction.local_rule import LocalRule
from glocalx.files.steering import fitting_steering
from glocalx.merging.hierarchy import Hierarchy
from glocalx.pipeline.settings import SelectionSettings
from glocalx.pipeline.tables import LabelledTable
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.rules.steering import without_features
from glocalx.steering import steered_theory
from glocalx.synthetic import FeatureDistribution, synthetic_reference
from glocalx.words.phrases import listing

MOST_LABELLED = 10_000


def drawn_reference(
    labelled: LabelledTable,
    rules: Sequence[LocalRule] | Sequence[Rule],
    black_box: BlackBox | None = None,
) -> Reference:
    """GLocalX*: as many records as are explained, drawn like them and nobody's, to merge on.

    Parameters
    ----------
    rules
        The local rules, which label the records that are drawn where the black box does not.
    black_box
        Whom to ask about these records. A stand-in does not answer for a black box.
    """
    frame, seed = labelled.split.explain, labelled.split.parts.seed
    asked = None if isinstance(black_box, StandIn) else black_box
    distribution = FeatureDistribution(frame, labelled.schema)
    return synthetic_reference(distribution, rules, len(frame), black_box=asked, seed=seed)


def labelled_reference(labelled: LabelledTable, most: int = MOST_LABELLED) -> Reference:
    """The records of :func:`labelled_records`, to merge and choose on."""
    frame, labels = labelled_records(labelled, most)
    if frame is labelled.split.explain:
        return labelled.reference
    return Reference(Records(labelled.schema, frame), labels)


def labelled_records(
    labelled: LabelledTable, most: int = MOST_LABELLED
) -> tuple[pd.DataFrame, Labels]:
    """The explained records and those of the background, all with the labels they have already.

    `most`: all explained records are in it, and as many of the background, drawn at random, as fit
    below this number: with more, merging takes longer and gains little.
    """
    split, background, explained = labelled.split, labelled.background, labelled.explained_labels
    room = max(most - len(explained), 0)
    if background is None or not len(background) or not room:
        return split.explain, explained
    places = np.arange(len(background))
    if len(places) > room:
        drawn = np.random.default_rng((split.parts.seed, room)).permutation(places)[:room]
        places = np.sort(drawn)
    frame = pd.concat([split.explain, split.train.iloc[places]], ignore_index=True)
    return frame, np.concatenate([explained, background[places].astype(object)])


def without_barred(rules: Iterable[Rule], barred: Sequence[str]) -> list[Rule]:
    """Local rules to merge, none of which names a barred feature; those of nothing else are gone.

    Raises
    ------
    GLocalXError
        Where no rule is left.
    """
    if not barred:
        return list(rules)
    left = [made for rule in rules if len(made := without_features(rule, barred))]
    if not left:
        raise GLocalXError(f"Every local rule names {listing(barred)} alone. Bar fewer features.")
    return left


def chosen_theory(
    hierarchy: Hierarchy, reference: Reference, selection: SelectionSettings
) -> RankedTheory:
    """The theory that the settings choose and steer, its rules in the order they decide."""
    steering = fitting_steering(selection.steering, reference.records.schema)
    return steered_theory(hierarchy, reference, steering, **selection.to_options())
