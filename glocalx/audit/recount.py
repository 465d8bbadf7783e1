"""All that an audit was counted from, so that anybody can count it again.

As CSV, one row for each record: what was said of it, by which rule, and in which groups it is.
Every figure can be counted again from these rows, with any other program. Of an audit in memory, as
plain JSON, too: the records with the answers of the model and the truth, what was asked, and where
each record stands in its table. The model itself is not in it: what only the model can answer is
not recounted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.audit.audit import Audit, run_audit
from glocalx.audit.classifier_audit import ClassifierAudit, ClassifierQuestions, audit_classifier
from glocalx.audit.frame_source import FrameSource
from glocalx.audit.settings import AuditSettings
from glocalx.audit.source import Source
from glocalx.audit.tally import Ints
from glocalx.audit.true_outcome import TrueOutcome
from glocalx.errors import GLocalXError
from glocalx.export.csv import table_to_csv
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.schema import Schema

RECORDS = "records.csv"
ROWS = 100_000  # records at a time
COUNTED = "counted.json"
KIND = "glocalx/counted"
VERSION = 1
ASKS_THE_MODEL = ("flips", "flips_by_rule")
"""Tables that cannot be counted again without the model."""


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """What was counted.

    Parameters
    ----------
    source
        The records with the true labels of the table, as the audit saw them.
    judged
        The same with a truth of its own where one was named, as mistakes were counted.
    settings, questions
        What was asked.
    places, parts, identifiers
        Where each record stands in its table, what it was for, and what people call it.
    """

    source: FrameSource = field(repr=False)
    judged: FrameSource = field(repr=False)
    settings: AuditSettings
    questions: ClassifierQuestions
    places: Sequence[int] = field(repr=False)
    parts: Sequence[str] = field(repr=False)
    identifiers: Sequence[str | None] | None = field(default=None, repr=False)

    def audits(self, theory: RankedTheory) -> tuple[Audit, ClassifierAudit]:
        """Count everything."""
        audit = judged = run_audit(self.source, theory, self.settings)
        if self.questions.truth is not None:
            asked = replace(self.settings, features=self.settings.by)
            judged = run_audit(self.judged, theory, asked)
        return audit, audit_classifier(self.judged, judged, self.questions)

    def record_file(self, audit: Audit) -> bytes:
        """A row for each record, as CSV."""
        rows = iter_record_rows(
            self.source,
            audit,
            identifiers=self.identifiers,
            places=np.asarray(self.places, dtype=np.int64),
            parts=self.parts,
        )
        return "".join(["\ufeff", *iter_record_csv(rows)]).encode()

    def to_json(self) -> str:
        asked = asdict(replace(self.settings, flips=()))
        document = {
            "format": KIND,
            "version": VERSION,
            "schema": self.judged.schema.to_dict(),
            **self.judged.to_plain(),
            "labels": self.source.to_plain()["truth"],
            "settings": asked,
            "questions": asdict(self.questions),
            "places": [int(place) for place in self.places],
            "parts": list(self.parts),
            "identifiers": None if self.identifiers is None else list(self.identifiers),
        }
        return json.dumps(document, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Counted:
        """Read it back.

        Raises
        ------
        GLocalXError
            Where it is something else.
        """
        try:
            data = json.loads(text)
            if (data["format"], data["version"]) != (KIND, VERSION):
                raise ValueError(data["format"])
            schema, questions = Schema.from_dict(data["schema"]), data["questions"]
            truth = questions["truth"]
            means = () if truth is None else tuple((a, b) for a, b in truth["means"])
            told = [data[name] for name in ("places", "parts", "identifiers", "labels")]
            if {len(each) for each in told if each is not None} != {len(data["model"])}:
                raise ValueError("one for each record")
            return cls(
                FrameSource.of_plain(schema, {**data, "truth": data["labels"]}),
                FrameSource.of_plain(schema, data),
                _settings(data["settings"]),
                ClassifierQuestions(
                    tuple(questions["given"]),
                    questions["probability"],
                    None if truth is None else TrueOutcome(truth["column"], means),
                ),
                data["places"],
                data["parts"],
                data["identifiers"],
            )
        except (AttributeError, KeyError, TypeError, ValueError):
            raise GLocalXError(
                f"“{COUNTED}” does not hold what was counted. Take it from the ZIP of the page."
            ) from None


def _settings(data: Mapping[str, Any]) -> AuditSettings:
    features = data["features"]
    told = None if features is None else (f if isinstance(f, str) else tuple(f) for f in features)
    fixed = {"by": tuple(data["by"]), "features": told and tuple(told), "flips": ()}
    return AuditSettings(**{**data, **fixed})


def iter_record_rows(
    source: Source,
    audit: Audit,
    *,
    identifier: str | None = None,
    identifiers: Sequence[str | None] | None = None,
    places: npt.NDArray[np.int64] | None = None,
    parts: Sequence[str] | None = None,
) -> Iterator[pd.DataFrame]:
    """The rows, so many at a time, in the order of the table; what is not known is missing.

    Parameters
    ----------
    source
        The records that were audited.
    identifier
        A column by which people tell records apart.
    identifiers
        The same, for each record, where the source does not have it.
    places
        The row of each record in the table, from 0; by default as they stand.
    parts
        What each record was for (`held-out`, `explained`); None where nobody shared them out.
    """
    theory, start = audit.theory, 0
    names = () if identifier is None else (identifier,)
    for tally, texts in source.iter_records(theory.rules, audit.axes, names, ROWS):
        end = start + len(tally.count)
        row = np.arange(start, end) if places is None else places[start:end]
        deciding, outcomes = tally.deciding(), (*tally.outcomes, None)
        said = tally.outcomes_of(deciding, theory.default)
        columns: dict[str, object] = {"row": row + 1}
        if identifier is not None:
            columns["identifier"] = texts[identifier]
        if identifiers is not None:
            columns["identifier"] = list(identifiers[start:end])
        if parts is not None:
            columns["part"] = list(parts[start:end])
        columns |= {
            "model": _named(outcomes, tally.black_box),
            "rules": _named(outcomes, said),
            "deciding rule": pd.Series(deciding + 1, dtype="Int64").where(deciding >= 0),
            "truth": _named(outcomes, tally.truth),
        }
        for axis, codes in zip(tally.axes, tally.groups.T, strict=True):
            columns[f"group: {axis.name}"] = _named((*axis.groups, axis.missing), codes)
        yield pd.DataFrame(columns)
        start = end


def iter_record_csv(parts: Iterable[pd.DataFrame]) -> Iterator[str]:
    """The rows as CSV, a text for each part: texts defused, what is missing left empty."""
    for number, frame in enumerate(parts):
        names = list(map(str, frame.columns))
        values = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
        rows = [dict(zip(names, row, strict=True)) for row in values]
        yield table_to_csv(rows, names, header=not number)


def _named(names: Sequence[str | None], codes: Ints) -> object:
    """The texts behind codes; −1 is the last of them."""
    return pd.array(np.array(names, dtype=object)[codes], dtype="str")
