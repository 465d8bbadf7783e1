"""The stages of a run as work that can be stopped anywhere and goes on where it stood.

Each stage is a generator that writes into the run's folder as it goes and yields how far it is.
Drawing no further stops it; beginning again goes on behind what is in the folder.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from glocalx.blackbox.base import BlackBox, Labels
from glocalx.blackbox.trained import TrainingProgress
from glocalx.extraction.iterate import ROWS_PER_BLOCK, iter_local_rules
from glocalx.extraction.local_rule import LocalRule
from glocalx.files import read_rules
from glocalx.files.journals import HierarchyJournal, LocalRulesJournal, LocalRulesReader
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.iterate import iter_merges
from glocalx.merging.step import MergeStep
from glocalx.pipeline.settings import Stage
from glocalx.rules.classifier import RankedTheory
from glocalx.selection import select
from glocalx.workspace.black_boxes import (
    iter_making,
    keep_trained,
    open_black_box,
)
from glocalx.workspace.opening import (
    Explained,
    OpenedRun,
    Shared,
    chosen_records,
    codes_of,
)
from glocalx.workspace.run import Run

FLUSH_SECONDS = 0.2
NO_RECORD = -1
"""The record of a local rule that was made elsewhere."""
ONE_CORE_RECORDS = 400  # below, starting processes costs more than they save


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage is.

    Parameters
    ----------
    stage
        Which one.
    done, total
        In its own unit: fits, records, merges.
    """

    stage: Stage
    done: int
    total: int


def iter_run(
    run: Run,
    until: Stage,
    jobs: int,
    stop: Callable[[], bool],
    opened: OpenedRun | None = None,
) -> Iterator[Progress]:
    """Every stage that is missing, in order, up to one."""
    missing = run.missing(until)
    opened = opened or OpenedRun(run)
    if "model" in missing or not run.has_black_box:
        yield from iter_model(run, opened.shared, jobs)
    if "rules" in missing:
        yield from iter_rules(run, opened.facts, jobs)
    if "merge" in missing:
        yield from iter_merge(run, opened, stop)


def iter_model(run: Run, shared: Shared, jobs: int) -> Iterator[Progress]:
    """Train or open the black box, and ask it about the records to explain and the held-out."""
    yield Progress("model", 0, 1)
    made: BlackBox | None = None
    for step in iter_making(run.settings.box, shared, run.folder, jobs):
        if isinstance(step, TrainingProgress):
            yield Progress("model", step.done, step.total + 1)
        else:
            made = step
    assert made is not None  # the last step is the black box
    facts = _facts(run, shared, made)
    if run.done("model"):
        facts = _trained_again(json.loads(run.file("model").read_text(encoding="utf-8")), facts)
    beside = run.file("model").with_suffix(".part")
    beside.write_text(json.dumps(facts, ensure_ascii=False, default=str) + "\n", encoding="utf-8")
    beside.replace(run.file("model"))
    yield Progress("model", 1, 1)


def _facts(run: Run, shared: Shared, box: BlackBox) -> dict[str, Any]:
    table, parts = shared.table, shared.parts
    given = table.predictions if run.settings.box.source == "predictions" else None
    explain: Labels = box.labels(shared.explain) if given is None else given[parts.explain]
    test: Labels = box.labels(shared.test) if given is None else given[parts.test]
    outcomes = sorted({*map(str, box.outcomes), *map(str, explain), *map(str, test)})
    return {
        "format": "glocalx/black-box",
        "version": 1,
        "key": run.settings.key("model"),
        "name": box.name,
        "outcomes": outcomes,
        "explain": codes_of(explain, outcomes).tolist(),
        "test": codes_of(test, outcomes).tolist(),
        "notes": list(getattr(box, "notes", ())),
        "trained": keep_trained(box, run.folder),
        "table": table.fingerprint(),
        "finished": True,
    }


def _trained_again(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The answers that the rules explain stay; if the new model gives others, that is said."""
    answers = [
        (a, b) for part in ("explain", "test") for a, b in zip(old[part], new[part], strict=True)
    ]
    other = sum(a != b for a, b in answers)
    if not other:
        return new
    note = (
        f"The black box was trained again on this machine and answers {other:,} of "
        f"{len(answers):,} records otherwise than the one that these rules explain."
    )
    return {**old, "trained": new["trained"], "notes": [*new["notes"], note]}


def iter_rules(run: Run, facts: Explained, jobs: int) -> Iterator[Progress]:
    """Write local rules, or read those that were made elsewhere."""
    head = {"key": run.settings.key("rules")}
    if run.settings.rules.file is not None:
        yield from _iter_imported(run, facts, head)
        return
    settings, shared = run.settings.rules, facts.shared
    wanted = chosen_records(len(shared.explain), settings.records, shared.parts.seed)
    block = max(ROWS_PER_BLOCK // settings.extraction.neighbours, 1)
    done = _whole_blocks(run, facts, head, block, len(wanted))
    left = wanted[done:]
    yield Progress("rules", done, len(wanted))
    with LocalRulesJournal(run.file("rules"), head) as journal:
        blocks = iter_local_rules(
            shared.explain,
            open_black_box(run, shared, facts.answers.facts),
            facts.schema,
            background=shared.train,
            settings=settings.extraction,
            seed=shared.parts.seed,
            records=left,
            jobs=jobs if len(left) > ONE_CORE_RECORDS else 1,
            block=block,
        )
        for made in blocks:
            journal.add_rules(made.rules)
            yield Progress("rules", done + made.done, len(wanted))
        journal.finish()


def _whole_blocks(run: Run, facts: Explained, head: dict[str, Any], block: int, wanted: int) -> int:
    """How many rules an earlier, interrupted work left; those of a block that it had not finished
    are made again.

    A black box that multiplies matrices can answer a borderline row otherwise in other company,
    so the blocks must be the same as in a run that was never interrupted.
    """
    if not run.begun("rules"):
        return 0
    rules = LocalRulesReader(run.file("rules"), facts.schema).refresh()
    whole = len(rules) if len(rules) >= wanted else len(rules) // block * block
    if whole < len(rules):
        run.file("rules").unlink()
        with LocalRulesJournal(run.file("rules"), head) as journal:
            journal.add_rules(rules[:whole])
    return whole


def _iter_imported(run: Run, facts: Explained, head: dict[str, Any]) -> Iterator[Progress]:
    path = run.folder / (run.settings.rules.file or "")
    rules, _ = read_rules(path, schema=facts.schema)
    rules = list(Hierarchy.start(rules, facts.reference).local_rules)
    reference = facts.reference
    run.file("rules").unlink(missing_ok=True)
    with LocalRulesJournal(run.file("rules"), head) as journal:
        journal.add_rules(
            LocalRule(
                rule,
                record=NO_RECORD,
                covered=reference.score(rule).covered,
                agreed=reference.score(rule).agreed,
                judged=reference.size,
            )
            for rule in rules
        )
        journal.finish()
    yield Progress("rules", len(rules), len(rules))


def iter_merge(run: Run, opened: OpenedRun, stop: Callable[[], bool]) -> Iterator[Progress]:
    """Merge the local rules to the end."""
    hierarchy = opened.hierarchy
    total = max(len(hierarchy.local_rules) - 1, 1)
    head = {"key": run.settings.key("merge"), "local_rules": len(hierarchy.local_rules)}
    yield Progress("merge", len(hierarchy.steps), total)
    with HierarchyJournal(run.file("merge"), head, hierarchy) as journal:
        waiting: list[MergeStep] = []
        flushed = time.monotonic()
        for step in iter_merges(hierarchy, opened.facts.reference, stop=stop):
            waiting.append(step)
            if time.monotonic() - flushed > FLUSH_SECONDS:
                journal.add_steps(waiting)
                waiting, flushed = [], time.monotonic()
                yield Progress("merge", step.number, total)
        journal.add_steps(waiting)
        if hierarchy.finished:
            journal.finish()
    yield Progress("merge", total if hierarchy.finished else len(hierarchy.steps), total)


def figures(opened: OpenedRun) -> dict[str, Any]:
    """What the list of runs shows about a run, as far as it has come."""
    run = opened.run
    if not run.done("model"):
        return {}
    facts = opened.facts
    made: dict[str, Any] = {"black_box": facts.answers.name, "records": facts.shared.table.size}
    if not run.done("rules"):
        return made
    local, hierarchy = opened.local_rules, opened.hierarchy
    made |= {"local_rules": len(local), "different_rules": len(hierarchy.local_rules)}
    if not run.done("merge"):
        return made
    chosen = select(hierarchy, facts.reference, **run.settings.selection.to_options())
    theory = RankedTheory.of(chosen, facts.reference)
    return made | {
        "merges": len(hierarchy.steps),
        "rules": len(theory.ranked),
        "fidelity": theory.fidelity(facts.held_out),
    }
