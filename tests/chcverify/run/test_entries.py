"""Functions verified one by one: which, and what they give together."""

import time
from contextlib import closing
from pathlib import Path

import pytest

from chcverify.errors import InputError
from chcverify.options import InputOptions, Limits, Options
from chcverify.results.entry_function import EntryFunction
from chcverify.results.outcome import Outcome, Status
from chcverify.run import entries
from chcverify.run.entries import EntryOutcome, combined, entry_functions, runs
from chcverify.task import Task, resolve

TEXT = "static int one(int n) { return n; }\nint two(int n) { return one(n); }\nint main(void) { return two(1); }\n"


def outcomes(*statuses: Status) -> list[EntryOutcome]:
    return [EntryOutcome(EntryFunction(s, "a.c", 1), Outcome(s, f"word of {s}")) for s in statuses]


def test_false_counts_before_unknown_and_unknown_before_true() -> None:
    assert combined(outcomes("safe", "unknown", "unsafe")) == ("word of unsafe", 1)
    assert combined(outcomes("safe", "unknown")) == ("word of unknown", 3)
    assert combined(outcomes("safe", "safe")) == ("word of safe", 0)
    with pytest.raises(InputError):
        combined([])


def test_functions_by_patterns(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(TEXT)
    task = Task(str(path), "c", "unreach-call")
    (found,) = entry_functions(task, ["tw*"], Limits.of(600), time.monotonic()).functions
    assert (found.name, found.line) == ("two", 2)
    with pytest.raises(InputError):
        entry_functions(task, ["no_such_function"], Limits.of(600), time.monotonic())


def test_small_limits_for_each_function_leave_time_to_read_the_files(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(entries, "WAIT_S", 600.0)  # whatever else the machine does
    path = tmp_path / "a.c"
    path.write_text("int one(void) { return 1; }\nint two(void) { return 2; }\n")
    found = entry_functions(Task(str(path), "c", "unreach-call"), ["*"], Limits.of(1e-3), time.monotonic()).functions
    assert [entry.name for entry in found] == ["one", "two"]


SIDES = """int good(int n) { return n < 0 ? 0 : 10 / (n + 1u); }
int bad(int n) { return 10 / n; }
int none(void) { return 1; }
int late(int n) { return n == 7 ? 1 / (n - 7) : 0; }
"""


@pytest.mark.parametrize("jobs", [1, 3])
def test_functions_side_by_side_come_in_their_order(tmp_path: Path, jobs: int) -> None:
    path = tmp_path / "a.c"
    path.write_text(SIDES)
    options = Options(InputOptions(str(path), property="division", all_checks=True), Limits.of(600, jobs=jobs))
    task = resolve(options.input)
    named = tuple(EntryFunction(name, str(path), 1) for name in ("late", "good", "none", "bad"))
    found = [(each.entry.name, each.outcome.status) for each in runs(task, named, options)]
    assert found == [("late", "unsafe"), ("good", "safe"), ("none", "safe"), ("bad", "unsafe")]


def test_functions_side_by_side_end_with_the_iteration(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("int f(int n) { while (n) n = n * n + 3; return 0; }\nint g(void) { return 0; }\n")
    options = Options(InputOptions(str(path), property="overflow"), Limits.of(600, jobs=2))
    task = resolve(options.input)
    named = tuple(EntryFunction(name, str(path), 1) for name in ("g", "f"))
    with closing(runs(task, named, options)) as outcomes:
        assert next(outcomes).entry.name == "g"
    assert not [child for child in Path("/proc/self/task").glob("*/children") if child.read_text()]
