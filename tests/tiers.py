"""Selects tests by the processor time that they took when they were last recorded.

    pytest                        the quick tier: every test file, QUICK_CASES of each test function, quick ones
    pytest --tier whole           all tests
    pytest --tier rest            those that are not in the quick tier, and take at most REST_CASE_S
    pytest --tier long            all others: searches, campaigns and twins that each change need not repeat
    pytest PATH, pytest -k NAME   all tests of what is named
    pytest --tier whole --record-times     all tests; writes tests/recorded_times.json again
    pytest --tier quick --record-times     those of a tier, or of what is named; the times of others stay

A test is in the quick tier if its record is at most QUICK_CASE_S, or if it has none (a new test, or one that takes next
to nothing); of a function with more than QUICK_CASES such cases only so many are, spread over all of them. The cheapest
test of a file is in it where the file would have none otherwise. The files in `tests` itself, about the house, are in
it as a whole.
"""

import json
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path

QUICK_CASE_S = 0.3
"""Processor seconds of a case, its child processes included, up to which it is in the quick tier."""
QUICK_CASES = 5
"""Cases of a parametrised test function that are in the quick tier. Of 10,900 cases, 4,500 are left; on a busy machine
they take 360 s of the processor, and 100 s more with cases of up to 0.5 s."""
REST_CASE_S = 0.5
"""Processor seconds of a case up to which it is in the tier `rest`. On a busy machine the 5,500 cases below it take
some 730 s of the processor; the 290 of 0.5 to 0.6 s took 170 s, the 370 up to 0.8 s would add 270 s, and continuous
integration would take more than 20 minutes."""
RECORDED_FROM_S = 0.3
"""Cases that take less are not written into the record, which keeps it short: they are quick in any case."""
RECORD = Path(__file__).parent / "recorded_times.json"


class Tier(Enum):
    """Which tests a run of pytest executes."""

    QUICK = "quick"
    REST = "rest"
    LONG = "long"
    WHOLE = "whole"


def file_of(node_id: str) -> str:
    """The path of the test's file, relative to the checkout."""
    return node_id.partition("::")[0]


def quick_tests(node_ids: Sequence[str], recorded_s: Mapping[str, float]) -> frozenset[str]:
    """The tests of the quick tier among `node_ids`.

    Args:
        node_ids: all tests, as pytest names them (`tests/test_x.py::test_y[case]`).
        recorded_s: processor seconds by test; a test without an entry counts as quick.
    """
    by_file: dict[str, list[str]] = defaultdict(list)
    by_function: dict[str, list[str]] = defaultdict(list)
    for node_id in node_ids:
        by_file[file_of(node_id)].append(node_id)
        if recorded_s.get(node_id, 0.0) <= QUICK_CASE_S:
            by_function[_function_of(node_id)].append(node_id)
    quick = {case for cases in by_function.values() for case in spread(cases, QUICK_CASES)}
    quick.update(test for test in node_ids if file_of(test).count("/") == 1)
    for tests in by_file.values():
        if quick.isdisjoint(tests):
            quick.add(min(tests, key=lambda test: recorded_s[test]))
    return frozenset(quick)


def spread(cases: Sequence[str], count: int) -> list[str]:
    """At most `count` of the cases, at equal distances, the first among them."""
    if len(cases) <= count:
        return list(cases)
    return [cases[number * len(cases) // count] for number in range(count)]


def _function_of(node_id: str) -> str:
    """The test function without the brackets that name a case."""
    return node_id.partition("[")[0]


def selected(tier: Tier, node_ids: Sequence[str], recorded_s: Mapping[str, float]) -> frozenset[str]:
    """The tests of the tier among `node_ids`; `recorded_s` as for `quick_tests`."""
    if tier is Tier.WHOLE:
        return frozenset(node_ids)
    quick = quick_tests(node_ids, recorded_s)
    if tier is Tier.QUICK:
        return quick
    is_long = tier is Tier.LONG
    return frozenset(test for test in node_ids if (recorded_s.get(test, 0.0) > REST_CASE_S) is is_long) - quick


def read_record(path: Path = RECORD) -> dict[str, float]:
    """The recorded processor seconds by test; empty if there is no record."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write_record(seconds: Mapping[str, float], path: Path = RECORD) -> None:
    """Writes the processor seconds of the tests that took at least RECORDED_FROM_S, the most expensive first."""
    kept = {test: round(time_s, 1) for test, time_s in seconds.items() if time_s >= RECORDED_FROM_S}
    ordered = dict(sorted(kept.items(), key=lambda item: (-item[1], item[0])))
    path.write_text(json.dumps(ordered, indent=0) + "\n", encoding="utf-8")


def processor_seconds() -> float:
    """Processor time of this process and of all its ended children, in seconds."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
