"""What answers rest on, in sentences: for page, command and report alike."""

from __future__ import annotations

from collections.abc import Callable, Collection

from glocalx.questions.reliance import PairReliance, Reliance
from glocalx.words.figures import percent
from glocalx.words.phrases import counted, enumeration

_MOST_NAMED = 4  # in a sentence


def unnamed_sentence(
    reliance: Reliance, named: Collection[str], name: Callable[[str], str] = str
) -> str:
    """That the black box uses features which no rule names; empty where there are none."""
    first, *others = reliance.unnamed(named) or (None,)
    if first is None:
        return ""
    about = round(first.share * reliance.records)
    called = name(first.feature)
    said = (
        f"{reliance.whose} also uses {called}; no rule names it. With its values dealt out anew, "
        f"{percent(first.share, 1)} of the answers change (about {about:,} of "
        f"{reliance.records:,})."
    )
    if others:
        told = [f"{name(each.feature)} ({percent(each.share, 1)})" for each in others[:_MOST_NAMED]]
        if others[_MOST_NAMED:]:
            told.append(counted(len(others) - _MOST_NAMED, "more feature"))
        said += f" The same holds for {enumeration(told)}."
    return f"{said} Whoever reads the rules alone would not know."


def pair_sentence(pair: PairReliance, name: Callable[[str], str] = str) -> str:
    """What two features do together, in a sentence."""
    one, other = map(name, pair.features)
    said = (
        f"{one} and {other} matter together: for {percent(pair.only_both, 1)} of the records the "
        "answer changes only if both are dealt out anew"
    )
    if pair.only_one:
        said += f", and for {percent(pair.only_one, 1)} only if one of them is"
    return f"{said}."
