from concurrent.futures import ThreadPoolExecutor

from sklearn.ensemble import HistGradientBoostingClassifier  # loads OpenMP
from threadpoolctl import threadpool_info

from glocalx.blackbox.threads import one_thread

assert HistGradientBoostingClassifier


def threads() -> list[int]:
    return [pool["num_threads"] for pool in threadpool_info()]


def test_one_thread_inside_and_as_before_outside():
    before = threads()
    with one_thread():
        assert set(threads()) == {1}
    assert threads() == before


def test_other_threads_too_and_all_is_put_back():
    def inside(_: int) -> set[int]:
        with one_thread():
            return set(threads())

    before = threads()
    with one_thread(), ThreadPoolExecutor(2) as executor:
        assert list(executor.map(inside, range(4))) == [{1}] * 4
    assert threads() == before
