"""With every sample and every model: a rule covers its record and says what was said of it."""

from functools import cache

import pytest

from glocalx.blackbox.presets import MODEL_KINDS
from glocalx.blackbox.trained import train
from glocalx.extraction.iterate import local_rules
from glocalx.extraction.settings import EXTRACTORS, ExtractionSettings
from glocalx.rules.coverage import Records
from glocalx.table import Table, sample_rows
from glocalx.table.samples import load_sample, sample_names

RECORDS = range(6)


@cache
def small(sample: str) -> Table:
    return sample_rows(load_sample(sample), 400)


EVERY_KIND = [("german", kind) for kind in MODEL_KINDS]
EVERY_SAMPLE = [(sample, "svm") for sample in sample_names()]


@pytest.mark.parametrize(("sample", "kind"), dict.fromkeys(EVERY_KIND + EVERY_SAMPLE))
def test_a_rule_covers_its_record_and_carries_its_label(sample, kind):
    table = small(sample)
    frame, schema = table.frame, table.schema()
    box = train(kind, frame, table.target, schema)
    labels = box.labels(frame)
    records = Records(schema, frame)
    for extractor in EXTRACTORS:
        settings = ExtractionSettings(extractor=extractor, neighbours=200, generations=3)
        made = local_rules(frame, box, schema, background=frame, settings=settings, records=RECORDS)
        assert [local.record for local in made] == list(RECORDS)
        for local in made:
            assert records.coverage(local.rule) >> local.record & 1
            assert local.rule.outcome == labels[local.record]
