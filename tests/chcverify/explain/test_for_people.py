"""What people see of checks, of an undecided system, and of a run that goes on."""

import io

import pytest
import z3

from chcverify.display_limits import IN_A_LIST
from chcverify.explain import live_view
from chcverify.explain.check_table import check_lines, summary_line
from chcverify.explain.live_view import LiveView
from chcverify.explain.obstacle import obstacle
from chcverify.explain.trace_lines import trace_lines
from chcverify.horn.origin import LOOP_HEAD, Origin
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.checks import Check, CheckKind, CheckStatus, CheckVerdict
from chcverify.results.events import EngineEvent, PhaseStarted, Stage
from chcverify.results.source_facts import TraceStep

INT = z3.IntSort()
x = z3.Int("x")


def verdict(line: int, status: CheckStatus, file: str = "a.c") -> CheckVerdict:
    return CheckVerdict(Check(Origin(file, line), CheckKind.DIVISION, f"1 / d{line}"), status)


def test_proved_checks_are_listed_if_they_are_few() -> None:
    few = [verdict(line, CheckStatus.PROVED) for line in range(3)] + [verdict(9, CheckStatus.VIOLATED)]
    assert len(check_lines(few)) == 5 and check_lines([]) == []
    many = [verdict(line, CheckStatus.PROVED) for line in range(IN_A_LIST + 1)] + [verdict(90, CheckStatus.UNKNOWN)]
    assert len(check_lines(many)) == 2 and len(check_lines(many, verbose=True)) == IN_A_LIST + 3
    assert "line 90: 1 / d90" in check_lines(many)[0].text
    assert summary_line(many).text == f"{IN_A_LIST + 2} checks: {IN_A_LIST + 1} proved, 1 unknown"
    two_files = [verdict(1, CheckStatus.PROVED), verdict(2, CheckStatus.PROVED, "dir/b.c")]
    assert "b.c:2" in check_lines(two_files)[1].text


def test_members_of_the_implementation_are_left_out_of_the_start() -> None:
    origin = Origin("a.c", 1)
    steps = [
        TraceStep(origin, "<init>", "statement", text, ((text.split(" = ")[0], "0"),))
        for text in ("x = 0", "m.__data.__lock = 0", "s.__own.a = 0", "y = s.__n", "__x = 1")
    ]
    steps.append(TraceStep(origin, "main", "statement", "m.__data.__lock = 1"))
    shown = [each.text for each in trace_lines(steps, verbose=False)]
    assert sum("__lock = 0" in each or "__own" in each for each in shown) == 0
    assert sum("= " in each for each in shown) == 4
    assert sum("= " in each.text for each in trace_lines(steps, verbose=True)) == 6


def test_the_obstacle_is_the_loop_next_to_the_query() -> None:
    first, second, after = Predicate("first", (INT,)), Predicate("second", (INT,)), Predicate("after", (INT,))
    system = HornSystem.of(
        [
            Clause(first(x), (), x == 0),
            Clause(first(x + 1), (first(x),), z3.BoolVal(True)),
            Clause(second(x), (first(x),), z3.BoolVal(True)),
            Clause(second(x - 1), (second(x),), z3.BoolVal(True)),
            Clause(after(x), (second(x),), x == 7),
            Clause(None, (after(x),), x > 0),
        ]
    )
    found = obstacle(system, [Origin("a.smt2", 8)], of_program=False)
    assert found is not None
    assert found.predicates == ("second",) and found.assertions == (Origin("a.smt2", 8),)
    nothing = HornSystem.of([Clause(None, (), x > 0)])
    assert obstacle(nothing, [], of_program=False) is None


def test_loops_of_a_program() -> None:
    loop = Predicate("loop", (INT,), origin=Origin("a.c", 4, 1, LOOP_HEAD))
    system = HornSystem.of([Clause(loop(x), (), x == 0), Clause(None, (loop(x),), x > 0)])
    found = obstacle(system, [Origin("a.c", 9), Origin("a.c", 9)], of_program=True)
    assert found is not None
    assert [origin.line for origin in found.loops] == [4] and [origin.line for origin in found.assertions] == [9]


def test_the_live_view(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    assert live_view.wanted()
    with LiveView(0.0) as view:
        view.on_event(PhaseStarted("solve"))
        view.on_event(EngineEvent("pdr", "frames", {"frames": 3}))
        view.on_event(EngineEvent("bmc", Stage.UNKNOWN, {"reason": "nothing more\nto try"}))
        view.refresh()
    text = terminal.getvalue()
    assert "solve" in text and "pdr" in text and "frames 3" in text and "gave up" in text
    monkeypatch.setenv("TERM", "dumb")
    assert not live_view.wanted()
