"""What a reader of an audit has to know: what was missing, unknown, banded or too small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from glocalx.audit.settings import AuditSettings
from glocalx.audit.source import Source
from glocalx.audit.subgroups import SubgroupTable
from glocalx.audit.tally import Ints, Tally
from glocalx.table.clean import fill_text
from glocalx.words.phrases import counted, listing, shown


def notes_on(
    source: Source,
    tally: Tally,
    table: SubgroupTable,
    asked: AuditSettings,
    used: Sequence[str],
) -> tuple[str, ...]:
    """Everything that has to be said, a sentence or two each."""
    columns = list(dict.fromkeys([*used, *(axis.name for axis in tally.axes)]))
    return (
        *_bands(tally),
        *_gaps(source, columns, {axis.name: axis.missing for axis in tally.axes}),
        *_unseen(source.unseen(used)),
        *_labels(tally, tally.black_box, "black-box label", "agreement with the black box"),
        *_labels(tally, tally.truth, "true label", "what needs the truth"),
        *_groups(table),
        *_favourable(asked),
    )


def _bands(tally: Tally) -> Iterator[str]:
    for axis in tally.axes:
        if not axis.feature.is_categorical:
            groups = ", ".join(axis.groups)
            yield f"{shown(axis.name)} is a number and is looked at in bands: {groups}."


def _gaps(source: Source, columns: Sequence[str], groups: dict[str, str]) -> Iterator[str]:
    for name, number in source.gaps(columns).items():
        have, them = ("has", "it") if number == 1 else ("have", "them")
        said = f"{counted(number, 'record')} {have} no value in {shown(name)}"
        held = f"the group {shown(groups[name])} holds {them}" if name in groups else ""
        if name in source.fills:
            fill = fill_text(source.feature(name).kind, source.fills[name])
            also = f", but {held}" if held else ""
            yield (
                f"{said}; {fill} was filled in before the black box was asked, and rules see that, "
                f"too{also}."
            )
        else:
            also = f", and {held}" if held else ""
            asks = name in source.schema and source.schema[name].gaps
            which = "only a condition that asks for it" if asks else "no condition on it"
            yield f"{said}: {which} covers {them}{also}."


def _unseen(unseen: dict[str, int]) -> Iterator[str]:
    for name, number in unseen.items():
        yield (
            f"{counted(number, 'record')} {'has' if number == 1 else 'have'} a category of "
            f"{shown(name)} that the rules do not know; no condition on it covers "
            f"{'it' if number == 1 else 'them'}."
        )


def _labels(tally: Tally, labels: Ints, called: str, lost: str) -> Iterator[str]:
    unknown = tally.records(labels < 0)
    if unknown == tally.size:
        yield f"No {called}s are given, so {lost} is undefined."
    elif unknown:
        have = "has" if unknown == 1 else "have"
        yield f"{counted(unknown, 'record')} {have} no {called} and {have} no part in {lost}."


def _favourable(asked: AuditSettings) -> Iterator[str]:
    if asked.favourable is None:
        yield (
            "Which outcome is favourable was not said, so the four-fifths rule, which speaks of "
            "that outcome, is not applied."
        )


def _groups(table: SubgroupTable) -> Iterator[str]:
    small = [group.title for group in table.subgroups if 0 < group.size < table.enough]
    empty = sum(group.size == 0 for group in table.subgroups)
    if small:
        are = "is" if len(small) == 1 else "are"
        yield (
            f"{counted(len(small), 'group')} with fewer than {table.enough:,} records {are} shown "
            f"as not enough records: {listing(small, 5)}."
        )
    if empty:
        do, their = ("does", "its") if empty == 1 else ("do", "their")
        yield f"{counted(empty, 'group')} {do} not occur; {their} rates are undefined."
    compared = max(table.compared.values(), default=0)
    if compared > 1:
        yield (
            f"{counted(compared, 'comparison')} are made at once, so p-values are made stricter "
            "by Holm’s method; intervals are not."
        )
