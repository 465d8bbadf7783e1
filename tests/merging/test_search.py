"""One search by itself: its settings, rounds, stops and replays."""

import math
from functools import cache
from itertools import count

import pytest

from glocalx.errors import GLocalXError
from glocalx.merging.search import BY_THE_WHOLE, WEIGHTS, MergeSettings, Round, Search
from tests.merging.test_against_plain import town

WORLD = town(11, rules=24, records=120)
LESS = math.nextafter(0, -1)
MORE = math.nextafter(1e6, math.inf)


@cache
def reference():
    return WORLD.reference


def search(stop=None, stream: int = 0, **settings) -> Search:
    chosen = MergeSettings(**{"batch_size": 12, **settings})
    theories = [frozenset({rule}) for rule in WORLD.rules]
    return Search(theories, reference(), chosen, stream, stop or give_up(2000))


def give_up(trials: int):
    """A search that asks more often than that would never end."""
    asked = count()

    def stop() -> bool:
        assert next(asked) < trials
        return False

    return stop


@cache
def rounds(bic_on: str = "all") -> list[Round]:
    return list(search(bic_on=bic_on))


def test_the_settings_are_those_of_the_paper_unless_told():
    assert MergeSettings().to_dict() == {
        "batch_size": 128,
        "seed": 0,
        "fidelity_weight": 1.0,
        "complexity_weight": 0.1,
        "bic_on": "all",
        "reference": "explained",
        "patience": None,
        "shards": None,
    }


@pytest.mark.parametrize(
    ("name", "allowed", "refused", "sentence"),
    [
        ("batch_size", [1, 128], [0, -1], "batch size must be a whole number of at least 1"),
        ("seed", [0, 2**32 - 1], [-1, 2**32], "from 0 to 4,294,967,295"),
        ("fidelity_weight", [0, 1e6], [LESS, MORE, math.nan], "fidelity weight must be a number"),
        ("complexity_weight", [0, 1e6], [LESS, MORE, math.inf], "complexity weight must be"),
        ("bic_on", ["all", "batch", "whole"], ["some", ""], "“all” records, on the “batch” or by"),
        ("reference", ["explained", "labelled"], ["all", ""], "“explained” or all “labelled”"),
        ("patience", [None, 1, 300], [0, -1], "Patience must be none or at least 1"),
        ("shards", [None, 1, 7], [0, -1], "Shards must be none or at least 1"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_in_a_sentence(name, allowed, refused, sentence):
    for value in allowed:
        assert MergeSettings(**{name: value}).to_dict()[name] == value
    for value in refused:
        with pytest.raises(GLocalXError, match=sentence):
            MergeSettings(**{name: value})


def test_rounds_end_with_the_one_that_found_no_merge():
    *merged, last = rounds()
    assert all(each.accepted is not None for each in merged)
    assert last.accepted is None
    assert all(trial.bic_merged > trial.bic_union for each in rounds() for trial in each.rejected)


def test_a_search_knows_its_theories_and_how_many_rounds_it_went():
    found = search()
    alive = dict(found.theories)
    assert alive == dict(enumerate(frozenset({rule}) for rule in WORLD.rules))
    for number, each in enumerate(found):
        if each.accepted is None:
            break
        trial, resolution = each.accepted
        del alive[trial.left], alive[trial.right]
        alive[len(WORLD.rules) + number] = resolution.rules
        assert found.theories == alive
        assert found.rounds == number + 1
    assert found.rounds == len(rounds()) - 1


def test_it_is_asked_before_every_trial_whether_to_stop():
    """And once more before it is seen that no pair is left."""
    tried = sum(len(each.rejected) + (each.accepted is not None) for each in rounds())
    asked = count()
    assert list(search(stop=lambda: next(asked) < 0)) == rounds()
    assert next(asked) == tried + 1
    asked = count()
    assert list(search(stop=lambda: next(asked) == tried)) == rounds()[:-1]
    assert not list(search(stop=lambda: True))


@pytest.mark.parametrize("bic_on", ["all", "batch", "whole"])
def test_what_was_replayed_is_not_searched_again(bic_on):
    whole = rounds(bic_on)
    for done in (1, len(whole) // 2, len(whole) - 1):
        resumed = search(bic_on=bic_on)
        for each in whole[:done]:
            trial, resolution = each.accepted
            resumed.replace(trial.left, trial.right, resolution.rules)
        assert resumed.rounds == done
        assert list(resumed) == whole[done:]


@pytest.mark.parametrize("patience", [1, 2, 3])
def test_patience_ends_a_search_after_so_many_rejected_in_a_row(patience):
    end = next(n for n, each in enumerate(rounds()) if len(each.rejected) == patience)
    assert rounds()[end].accepted is not None
    expected = [*rounds()[:end], Round(rounds()[end].rejected)]
    assert list(search(patience=patience)) == expected


def test_each_stream_draws_its_own_batches():
    assert list(search(stream=1)) != rounds()


def test_nobody_stops_a_search_that_is_not_told_to_ask():
    theories = [frozenset({rule}) for rule in WORLD.rules[:4]]
    *_, last = Search(theories, reference(), MergeSettings(), 0)
    assert last.accepted is None


def test_theories_that_share_a_rule_are_worth_what_is_left_of_them():
    """The one of a single rule and one with a narrower rule beside it: the single rule is left."""
    everywhere = WORLD.schema.rule({"age": (0, 200)}, "low")
    somewhere = WORLD.schema.rule({"age": (20, 60), "score": (0, 0.5)}, "low")
    theories = [frozenset({everywhere}), frozenset({everywhere, somewhere})]
    settings = MergeSettings(batch_size=len(WORLD.frame))
    merged, last = Search(theories, reference(), settings, 0)
    trial, resolution = merged.accepted
    assert resolution.rules == {everywhere}
    assert trial.bic_union - trial.bic_merged == pytest.approx(0.1 * 0.5 * math.log(120))
    assert last == Round(())


def test_each_way_to_judge_has_its_weight():
    """What docs/differences.md and the benchmarks say of them."""
    assert WEIGHTS == {"all": 0.1, "batch": 0.1, "whole": 0.05}
    assert WEIGHTS["all"] == MergeSettings().complexity_weight
    assert WEIGHTS["whole"] == BY_THE_WHOLE.complexity_weight
