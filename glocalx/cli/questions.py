"""What commands ask the black box besides labels: changes that work, what answers rest on."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from glocalx.blackbox.base import stands_in
from glocalx.blackbox.giveaways import find_giveaways
from glocalx.errors import GLocalXError
from glocalx.export.csv import table_to_csv
from glocalx.pipeline.road import Road
from glocalx.questions.changes import ChangeFinder, WorkingChange
from glocalx.questions.curve_cuts import curve_told
from glocalx.questions.curves import cuts_of, feature_curve, premises_on
from glocalx.questions.permissions import MayChange, Permissions
from glocalx.questions.reliance import box_reliance
from glocalx.questions.reliance_said import unnamed_sentence
from glocalx.rules.theory import named_features
from glocalx.words.phrases import listing
from glocalx.words.wording import Wording

FILE = "changes.csv"
MOST = 100
CURVES = 3  # of the features on which most rests
_OPTIONS: dict[str, tuple[MayChange, str]] = {
    "fixed": ("never", "a feature that no proposed change may touch"),
    "only_up": ("up", "a number that may only go up, such as age"),
    "only_down": ("down", "a number that may only go down"),
    "may_change": ("any", "a sensitive feature that may be proposed all the same"),
}


def add_permission_options(parser: argparse.ArgumentParser) -> None:
    """What may change: `--fixed sex --only-up age`."""
    group = parser.add_argument_group("changes that work")
    for name, (_, told) in _OPTIONS.items():
        group.add_argument(
            f"--{name.replace('_', '-')}",
            action="append",
            default=[],
            metavar="COLUMN",
            help=f"{told}; may be given several times",
        )


def add_change_options(parser: argparse.ArgumentParser) -> None:
    """The same, and for how many records changes are looked for."""
    add_permission_options(parser)
    parser.add_argument(
        "--changes",
        type=int,
        default=MOST,
        metavar="N",
        help="look for changes that work for N explained records and write changes.csv "
        f"(default: {MOST}; 0: none)",
    )


def ways_from(options: argparse.Namespace) -> dict[str, MayChange]:
    """What the options say may change."""
    said: dict[str, MayChange] = {}
    for option, (way, _) in _OPTIONS.items():
        for name in getattr(options, option):
            if said.setdefault(name, way) != way:
                raise GLocalXError(
                    f"“{name}” is named in two options that say how it may change. Leave one out."
                )
    return said


def write_changes(road: Road, folder: Path, most: int) -> str | None:
    """Write the changes of some explained records; a sentence about them, None where none."""
    if most < 1:
        return None
    split, schema, permissions = road.split, road.labelled.schema, permissions_of(road)
    finder = ChangeFinder(
        road.black_box, schema, split.background, permissions, seed=split.parts.seed
    )
    made = {each.record: each for each in road.local_rules if each.record >= 0}
    places = sorted(made)[:most] or list(range(min(most, len(split.explain))))
    hints = [made[place].hints if place in made else [] for place in places]
    frame = split.explain.iloc[places].reset_index(drop=True)
    found = finder.found(frame, hints)
    rows = [
        {
            "record": (place if split.drawn else int(split.parts.explain[place])) + 1,
            "answer": each.outcome,
            "changes": changes_text(change),
            "answer then": change.outcome,
            "best at": ", ".join(change.merits),
            "features": len(change.changes),
            "distance": round(change.distance, 3),
        }
        for place, each in zip(places, found, strict=True)
        for change in each.changes
    ]
    names = ("record", "answer", "changes", "answer then", "best at", "features", "distance")
    (folder / FILE).write_text(table_to_csv(rows, names), encoding="utf-8", newline="")
    changed = sum(bool(each.changes) for each in found)
    told = permissions.sentence({name: name for name in schema.names})
    whom = "stand-in" if stands_in(road.black_box) else "black box"
    return (
        f"Changes that work, each confirmed by the {whom}: found for {changed:,} of "
        f"{len(found):,} records ({FILE}). {told}".strip()
    )


def giveaways_told(road: Road) -> list[str]:
    """A sentence for each column that alone tells the answer, and the option that leaves it out."""
    brought = road.settings.box.source == "model"  # it reads the column, so it has to get it
    return [
        each.sentence + ("" if brought else f" (--ignore {shlex.quote(each.feature)})")
        for each in find_giveaways(
            road.labelled.split.explain, road.labelled.reference.labels, road.labelled.schema
        )
    ]


def rests_on(road: Road) -> dict[str, object]:
    """What the black box's answers to held-out records rest on, and what no rule names of it."""
    split, schema = road.split, road.labelled.schema
    if not len(split.test):
        return {"rests_on": None, "model_only": "", "curves": []}
    found = box_reliance(road.black_box, split.test, schema, seed=split.parts.seed)
    named = named_features(road.theory.rules)
    wording = Wording(schema)
    first = [each.feature for each in found.features if each.is_used and each.feature in named]
    return {
        "rests_on": found.to_dict(),
        "model_only": unnamed_sentence(found, named, wording.name),
        "curves": [_curve(road, name, wording) for name in first[:CURVES]],
    }


def _curve(road: Road, feature: str, wording: Wording) -> dict[str, object]:
    """How the answers move along a feature, and whether the rules cut where the model does."""
    split, premises = road.split, premises_on(road.theory.rules, feature)
    made = feature_curve(
        road.black_box,
        split.test,
        road.labelled.schema,
        feature,
        cuts=cuts_of(premises),
        preferred=split.positive,
        seed=split.parts.seed,
    )
    return {**made.to_dict(), "sentence": curve_told(made, road.theory.rules, wording)}


def permissions_of(road: Road) -> Permissions:
    """What may change; refused where a name is no feature."""
    said, table = road.settings.data.may_change, road.split.table
    known = [column.name for column in table.features]
    strange = [name for name in said if name not in known]
    if strange:
        raise GLocalXError(
            f"“{strange[0]}” is said to change in some way, but is no feature of the table. It "
            f"has: {listing(known)}."
        )
    return Permissions.of(said, table.sensitive).checked(table.schema())


def changes_text(change: WorkingChange) -> str:
    """A change in one line, with the very values that the black box was asked about."""
    return "; ".join(
        f"{each.feature}: {_value(each.after)} (was {_value(each.before)})"
        for each in change.changes
    )


def _value(value: object) -> str:
    if value is None:
        return "missing"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return str(value)
