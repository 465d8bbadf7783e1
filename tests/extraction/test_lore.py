import numpy as np

from glocalx.extraction.encoding import Encoding
from glocalx.extraction.neighbourhood import Population, bred_neighbourhoods
from glocalx.extraction.oracle import Oracle
from glocalx.extraction.settings import ExtractionSettings
from tests.extraction.small_worlds import BANK, bank_box, customers

NO_GAPS = np.array([-1, -1], dtype=np.int32)


def bred(settings: ExtractionSettings, count: int = 6):
    frame, background = customers(count), customers(400, seed=1)
    encoding = Encoding(BANK, [frame, background])
    oracle = Oracle(bank_box(), encoding)
    codes = encoding.encode(frame)
    streams = [np.random.default_rng([0, record]) for record in range(count)]
    labels = oracle.labels(codes)
    made = bred_neighbourhoods(
        codes, labels, encoding.encode(background), encoding, oracle, settings, streams
    )
    return codes, labels, oracle, made


def test_every_row_is_kept_once_with_its_label_and_the_record_first():
    settings = ExtractionSettings(extractor="lore", neighbours=80, generations=5)
    codes, _, oracle, made = bred(settings)
    for record, (rows, labels) in zip(codes, made, strict=True):
        np.testing.assert_array_equal(rows[0], record)
        assert len(np.unique(rows, axis=0)) == len(rows) > 80
        np.testing.assert_array_equal(labels, oracle.labels(rows))


def test_breeding_finds_more_of_the_other_labels_than_chance_does():
    few = ExtractionSettings(extractor="lore", neighbours=200, generations=1, resample=0.2)
    many = ExtractionSettings(extractor="lore", neighbours=200, generations=12, resample=0.2)

    def share(settings: ExtractionSettings) -> float:
        _, own, _, made = bred(settings)
        return float(
            np.mean(
                [np.mean(labels != label) for label, (_, labels) in zip(own, made, strict=True)]
            )
        )

    assert share(many) > share(few)


def test_fitness_wants_the_label_and_closeness_but_not_the_record_itself():
    record = np.array([4, 1], dtype=np.int32)
    rows = np.array([[4, 1], [5, 1], [9, 1], [5, 0]], dtype=np.int32)
    population = Population(record, 0, True, np.array([10.0, 0.0]), NO_GAPS, rows)
    population.learn(np.array([0, 0, 0, 1]))
    np.testing.assert_allclose(population.fitness(), [1.0, 1.95, 1.75, 0.45])
    other = Population(record, 0, False, np.array([10.0, 0.0]), NO_GAPS, rows)
    other.learn(np.array([0, 0, 0, 1]))
    np.testing.assert_allclose(other.fitness(), [0.0, 0.95, 0.75, 1.45])
