"""The table of functions that were verified one by one."""

from chcverify.explain.entry_table import MAX_NAMES, entry_assumptions, entry_rows
from chcverify.horn.origin import Origin
from chcverify.results.assumption import Assumption
from chcverify.results.entry_function import EntryFunction
from chcverify.results.outcome import Outcome
from chcverify.results.source_facts import TraceStep


def assumed(name: str, kind: str = "function") -> Assumption:
    return Assumption(kind, name, "returns anything", "a.c", 3, 1)


def test_a_line_for_each_function_and_their_sum() -> None:
    step = TraceStep(Origin("a.c", 7), "f", "violation", "reach_error()")
    rows = [
        (EntryFunction("f", "a.c", 2), Outcome("unsafe", "false(unreach-call)", trace=(step,), seconds=1.25)),
        (EntryFunction("longer_name", "a.c", 9), Outcome("unknown", "unknown", "time limit", seconds=2)),
        (EntryFunction("g", "b.c", 4), Outcome("safe", "true", seconds=0.5)),
    ]
    lines = [line.text for line in entry_rows(rows)]
    assert len(lines) == 4
    assert "reach_error() at a.c:7" in lines[0] and "time limit" in lines[1] and "b.c:4" in lines[2]
    assert "3 functions" in lines[3] and "1 true, 1 false, 1 unknown" in lines[3]


def test_each_assumption_is_listed_once() -> None:
    many = tuple(assumed(f"f{number}") for number in range(MAX_NAMES + 2))
    outcome = Outcome("safe", "true", assumptions=(*many, assumed("g", "undeclared")))
    lines = entry_assumptions([(EntryFunction("main", "a.c", 1), outcome)] * 2)
    assert len(lines) == 2
    assert lines[0].startswith("assumed: f0, f1") and "and 2 more:" in lines[0]
    assert lines[1] == "warning: g returns anything"
