"""Each test file has a test in the quick tier, the tiers together are all tests, and the record is read as written."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.tiers import QUICK_CASES, RECORDED_FROM_S, REST_CASE_S, Tier, file_of, read_record, selected, write_record

_TESTS = st.builds(
    "tests/folder/test_{}.py::test_{}[{}]".format, *map(st.sampled_from, ("abc", "xy")), st.integers(0, 9)
)
_RECORDS = st.dictionaries(_TESTS, st.floats(0, 2 * REST_CASE_S))


@given(st.lists(_TESTS, unique=True), _RECORDS)
def test_tiers_divide_all_tests(tests: list[str], recorded_s: Mapping[str, float]) -> None:
    quick = selected(Tier.QUICK, tests, recorded_s)
    rest, long = (selected(tier, tests, recorded_s) for tier in (Tier.REST, Tier.LONG))
    assert quick | rest | long == selected(Tier.WHOLE, tests, recorded_s) == frozenset(tests)
    assert len(quick) + len(rest) + len(long) == len(tests)
    assert {file_of(test) for test in quick} == {file_of(test) for test in tests}
    assert all(recorded_s.get(test, 0) <= REST_CASE_S for test in rest)
    assert all(recorded_s[test] > REST_CASE_S for test in long)
    by_function = Counter(test.partition("[")[0] for test in quick)
    assert all(count <= QUICK_CASES for count in by_function.values())


def test_cases_of_a_function_are_spread() -> None:
    cases = [f"tests/folder/test_a.py::test_x[{number}]" for number in range(4 * QUICK_CASES)]
    assert selected(Tier.QUICK, cases, {}) == set(cases[::4])


def test_the_cheapest_test_of_a_file_stands_for_it() -> None:
    recorded_s = {"tests/folder/test_a.py::test_x": 9.0, "tests/folder/test_a.py::test_y": 5.0}
    assert selected(Tier.QUICK, list(recorded_s), recorded_s) == {"tests/folder/test_a.py::test_y"}


def test_the_tests_of_the_house_are_quick() -> None:
    assert selected(Tier.QUICK, ["tests/test_a.py::test_x"], {"tests/test_a.py::test_x": 9.0})


def test_the_record_holds_what_is_not_cheap(tmp_path: Path) -> None:
    path = tmp_path / "times.json"
    assert read_record(path) == {}
    write_record({"a": RECORDED_FROM_S / 2, "b": RECORDED_FROM_S, "c": 7.04}, path)
    assert list(read_record(path).items()) == [("c", 7.0), ("b", RECORDED_FROM_S)]
