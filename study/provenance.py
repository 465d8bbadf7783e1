"""How a study came about, in sentences: command, seeds, versions, what was left out."""

from __future__ import annotations

from glocalx.baselines import BASELINES
from glocalx.words.phrases import counted, listing
from study.plan import TOO_SLOW
from study.results import Study, pair_titles
from study.rivals import EXTRAS


def about_lines(study: Study, command: str) -> list[str]:
    """What a reader must know to do the study again."""
    settings = study.settings
    lines = [
        f"Command: {command}",
        f"{counted(len(study.cells), 'cell')}: {counted(len(study.pairs), 'pair')} of data set "
        f"and black box, seeds {', '.join(map(str, study.seeds))}. The seed decides the split, "
        "the black box, the local rules and the batches. Spread: sample deviation over seeds.",
        f"Versions: {_versions(study)}.",
        f"Black boxes: preset “{settings.preset}”{_slow(study)}. Local rules: "
        f"{settings.extraction.extractor}, {settings.extraction.neighbours:,} neighbours, "
        f"resample {settings.extraction.resample}, "
        f"{'refined' if settings.extraction.refine else 'plain tree paths'}.",
        f"Merging, as people get it: by the whole on all labelled records, complexity weight "
        f"{settings.merging.complexity_weight}, a price of {settings.price} for a condition. As in "
        "the paper: pair by pair on the explained records, complexity weight "
        f"{settings.as_printed.complexity_weight}, conditions free. Batches of "
        f"{settings.merging.batch_size}.",
        _records(study),
        f"Elapsed in the cells, added up: {_minutes(study)}.",
    ]
    absent = [BASELINES[key].title for key in EXTRAS if not study.has(key)]
    if absent:
        lines.append(f"Not fitted, for want of their packages or by choice: {listing(absent)}.")
    return lines


def _versions(study: Study) -> str:
    found: dict[str, str] = {}
    for cell in study.cells:
        for name, number in cell["versions"].items():
            known = found.setdefault(name, number)
            if number not in known.split(" and "):
                found[name] = f"{known} and {number}"
    return ", ".join(f"{name} {number}" for name, number in found.items())


def _slow(study: Study) -> str:
    quick = [pair for pair in TOO_SLOW if pair in study.pairs and study.settings.preset != "quick"]
    if not quick:
        return ""
    names = ", ".join("/".join(pair_titles(pair)) for pair in quick)
    return f", “quick” for {names}, whose exact kernel takes too long to ask"


def _records(study: Study) -> str:
    parts = []
    for pair in study.pairs:
        if not any(pair[0] == other[0] for other in study.pairs[: study.pairs.index(pair)]):
            counts = study.of(pair)[0]["records"]
            sizes = " / ".join(f"{counts[name]:,}" for name in ("train", "explain", "test"))
            parts.append(f"{pair_titles(pair)[0]} {sizes}")
    return f"Records to train on / to explain / held out: {'; '.join(parts)}."


def _minutes(study: Study) -> str:
    seconds = sum(cell["seconds"]["all"] for cell in study.cells)
    return f"{seconds / 60:,.0f} minutes" if seconds >= 120 else f"{seconds:.0f} seconds"
