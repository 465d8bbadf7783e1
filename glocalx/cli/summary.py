"""What came out of a road: as plain data, and as the lines that a person reads."""

from __future__ import annotations

from typing import Any

from glocalx.blackbox.predictions import StandIn
from glocalx.cli.output import DRAWN_NOTE, result_lines, summarise
from glocalx.cli.steering import steering_lines
from glocalx.evaluation.verdict import enough_rules, enough_said, verdict_on
from glocalx.pipeline.road import Road
from glocalx.pipeline.settings import Stage
from glocalx.rules.classifier import RankedTheory
from glocalx.selection import iter_budget
from glocalx.words.phrases import NOTHING_HELD_OUT, counted, judged_on, listing
from glocalx.words.wording import Wording


def summary_of(road: Road, seconds: dict[Stage, float]) -> dict[str, Any]:
    """What came out, as plain data."""
    labelled = road.labelled
    made_here = road.brought is None
    wording = Wording(labelled.schema, road.reference.records)
    verdict = verdict_on(
        road.theory, labelled.held_out, unseen=not road.split.parts.nothing_held_out
    )
    summary = {
        **summarise(seconds["merge"], road.hierarchy, road.theory, labelled.held_out, wording),
        **verdict.to_dict(wording.outcome),
        "enough_rules": _enough(road),
        "black_box_accuracy": labelled.box_accuracy,
        "extraction_seconds": round(seconds["rules"], 4) if made_here else 0.0,
        "records": len({local.record for local in road.local_rules})
        if made_here
        else labelled.reference.size,
        "synthetic": road.settings.synthetic,
    }
    if isinstance(road.black_box, StandIn):
        summary["stand_in_agreement"] = road.black_box.agreement
    return summary


def _enough(road: Road) -> int | None:
    """From how many rules on nothing is gained; None where they were not chosen by budget."""
    theory, held_out = road.theory, road.labelled.held_out
    if road.settings.selection.by != "budget" or not theory.size:
        return None
    path = list(iter_budget(theory.rules, road.reference))  # as they were chosen, one by one
    fewer = (RankedTheory.of(path[:size], road.reference) for size in range(1, len(path) + 1))
    return enough_rules(
        {each.size: each.predict(held_out.records) == held_out.labels for each in fewer}
    )


def summary_lines(road: Road, summary: dict[str, Any]) -> list[str]:
    """The summary that a person reads."""
    table, box, held_out = road.split.table, road.black_box, road.labelled.held_out.size
    seeds = road.settings.rules.pool
    pool = f", {seeds} for each record from {seeds} seeds," if seeds else ""
    lines = [
        f"{table.size:,} records of “{table.raw.name}”, {len(table.features)} features, explained "
        f"with {len(road.local_rules):,} local rules{pool} in "
        f"{summary['extraction_seconds']:.1f} s.",
    ]
    if road.settings.box.source != "labels":
        lines.append(
            f"Black box: {box.name}, right on {summary['black_box_accuracy']:.1%} of "
            f"{judged_on(held_out, road.settings.unseen)}. The rules explain it, mistakes included."
        )
    if road.split.parts.nothing_held_out:
        lines.append(NOTHING_HELD_OUT)
    if isinstance(box, StandIn):
        lines.append(
            f"There is no model, only its answers: a stand-in was asked, which agrees with them "
            f"on {box.agreement:.1%} of {box.judged:,} held-out records."
        )
    elif not road.settings.box.is_trained_here:
        lines += getattr(box, "notes", ())
    if road.labelled.unread:
        lines.append(f"Not read by the model, so in no rule: {listing(road.labelled.unread, 20)}.")
    if summary["synthetic"]:
        lines.append(DRAWN_NOTE)
    lines += [summary["verdict"], summary["verdict_evidence"]]
    if summary["model_only"]:
        lines.append(summary["model_only"])
    lines += [curve["sentence"] for curve in summary["curves"][:1]]
    if summary["kappa"] is not None:
        lines.append(
            f"Cohen’s kappa is {summary['kappa']:.2f}: 1 is always, 0 no more than chance."
        )
    if summary["enough_rules"] is not None:
        lines.append(enough_said(summary["enough_rules"], summary["size"]))
    lines += result_lines(summary, road.theory, counted(held_out, road.labelled.judged_name))
    lines += steering_lines(summary, road.theory)
    if summary["changes"] is not None:
        lines.append(summary["changes"])
    lines += [f"Note: {sentence}" for sentence in summary["giveaways"]]
    lines += [f"Note: {finding.sentence}" for finding in table.findings]
    return lines
