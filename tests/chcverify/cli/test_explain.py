"""Invariants, traces and verdicts as people see them."""

import io
import json
import os
import re
import termios
import time
from dataclasses import replace

import pytest
import z3

from chcverify.explain.invariant_lines import invariant_lines, invariants_json
from chcverify.explain.live_view import LiveView
from chcverify.explain.obstacle import obstacle
from chcverify.explain.text_lines import Line, line, show, wrap
from chcverify.explain.trace_lines import trace_json, trace_lines, violated
from chcverify.explain.verdict_lines import obstacle_text, verdict_lines
from chcverify.horn.origin import LOOP_HEAD
from chcverify.horn.system import Clause, HornSystem, Origin, Predicate
from chcverify.results.events import EngineEvent, PhaseStarted
from chcverify.results.outcome import Obstacle, Outcome
from chcverify.results.reasons import Cause, main_cause
from chcverify.results.repeated_steps import folds
from chcverify.results.source_facts import SourceInvariant, TraceStep


def step(number: int, text: str, kind: str = "statement", **changes: str) -> TraceStep:
    return TraceStep(Origin("p.c", number), "main", kind, text, tuple(changes.items()))


def loop(iterations: int) -> list[TraceStep]:
    steps = [step(2, "int x = 0;", x="0")]
    for count in range(1, iterations + 1):
        steps += [step(3, "x < n", "condition"), step(4, "x++;", x=str(count))]
    return [*steps, step(3, "!(x < n)", "condition"), step(6, "reach_error()", "violation")]


def texts(lines: list[Line]) -> list[str]:
    return [item.text for item in lines]


def test_loop_heads_come_first_and_the_rest_on_demand() -> None:
    invariants = [
        SourceInvariant(Origin("p.c", 3), "main", False, "x == 1"),
        SourceInvariant(Origin("p.c", 9), "main", True, "x <= n"),
        SourceInvariant(Origin("p.c", 5), "main", True, "x >= 0"),
        SourceInvariant(Origin("p.c", 5), "main", True, "x >= 0"),
    ]
    short = texts(invariant_lines(invariants, verbose=False))
    assert short == [
        "invariants",
        "  p.c:5  loop head in main",
        "    x >= 0",
        "  p.c:9  loop head in main",
        "    x <= n",
        "  (at other places: -v)",
    ]
    assert texts(invariant_lines(invariants, verbose=True))[-2:] == ["  p.c:3  in main", "    x == 1"]
    assert [item["line"] for item in invariants_json(invariants)] == [5, 9, 3]


def test_equal_iterations_are_one_fold() -> None:
    (fold,) = folds(loop(10))
    assert (fold.start, fold.period, fold.count) == (1, 2, 10)
    assert folds(loop(3)) == []


def test_a_folded_trace_keeps_first_second_and_last_iteration() -> None:
    shown = texts(trace_lines(loop(10), verbose=False))
    assert [text for text in shown if "x++" in text] == [f"  p.c:4  x++;   x = {n}" for n in (1, 2, 10)]
    assert "      ... 7 more iterations of lines 3 to 4 ..." in shown
    assert len([text for text in texts(trace_lines(loop(10), verbose=True)) if "x++" in text]) == 10
    assert len(trace_json(loop(10))) == len(loop(10))


def test_iterations_on_different_paths_are_not_folded_into_each_other() -> None:
    steps = []
    for count in range(6):
        steps += [step(3, "c", "condition"), step(4 + count % 2, "x++;")]
    (fold,) = [*folds(steps), *folds(steps * 2)][-1:]
    assert fold.period == 4


def test_inputs_are_listed_and_the_violation_is_marked() -> None:
    steps = [step(2, "n = __VERIFIER_nondet_int()", "input", n="7"), step(6, "reach_error()", "violation")]
    shown = texts(trace_lines(steps, verbose=False))
    assert shown[-1] == "inputs  n = 7"
    assert shown[-2].endswith("<- violation")


def test_conditions_say_whether_they_held_and_inputs_have_their_values() -> None:
    steps = [
        TraceStep(Origin("p.c", 3, 7), "main", "condition", "i < n", holds=False),
        TraceStep(Origin("p.c", 4, 7), "main", "input", "__VERIFIER_nondet_int()", value="5"),
    ]
    shown = texts(trace_lines(steps, verbose=False))
    assert shown[2:] == [
        "  p.c:3  condition false: i < n",
        "  p.c:4  __VERIFIER_nondet_int()   = 5  <- input",
        "inputs  __VERIFIER_nondet_int() = 5",
    ]
    first, second = trace_json(steps)
    assert (first["holds"], second["value"]) == (False, "5")
    assert "value" not in first and "holds" not in second


def test_the_violated_condition_is_shown_with_its_values() -> None:
    def call(text: str, **changes: str) -> TraceStep:
        return TraceStep(Origin("p.c", 9), "main", "call", text, tuple(changes.items()))

    before = [step(2, "x = 1", x="1"), step(3, "y = 2", y="2"), call("check(x == y)", ok="0")]
    inside = [TraceStep(Origin("p.c", 1), "check", kind, text) for kind, text in (("condition", "!ok"),)]
    end = TraceStep(Origin("p.c", 1), "check", "violation", "reach_error()")
    assert violated([*before, *inside, end]) == ("check(x == y)", {"x": "1", "y": "2"})
    asserted = [*before[:2], step(5, "assert(x > y)", "violation")]
    assert violated(asserted) == ("assert(x > y)", {"x": "1", "y": "2"})
    assert "violated  assert(x > y)  where x = 1, y = 2" in texts(trace_lines(asserted, verbose=False))
    assert violated(before) is None
    recursive = [call("main(x)", x="1"), step(1, "x = 1", x="1"), step(2, "assert(x)", "violation")]
    assert violated(recursive[:1] + recursive[2:]) is None


def test_long_traces_show_their_beginning_and_their_end() -> None:
    steps = [step(number, f"s{number}") for number in range(1, 500)]
    shown = texts(trace_lines(steps, verbose=False))
    assert len(shown) < 120 and any("more lines: -v" in text for text in shown)
    assert len(trace_lines(steps, verbose=True)) > 499


@pytest.mark.parametrize("width", [40, 80])
def test_lines_fit_the_page(width: int) -> None:
    item = line("    " + "aaaa bbbbb " * 40 + "c" * 200, hang=6)
    assert all(len(piece) <= width for piece in wrap(item, width))
    assert "".join(wrap(item, width)).replace(" ", "") == item.text.replace(" ", "")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colour_only_on_terminals_and_without_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    item = Line((("true", "good"), (": decided " * 20, "")))
    plain, colour, refused = io.StringIO(), Terminal(), Terminal()
    show([item], plain)
    show([item], colour)
    monkeypatch.setenv("NO_COLOR", "1")
    show([item], refused)
    assert "\x1b[" in colour.getvalue()
    assert "\x1b[" not in plain.getvalue() + refused.getvalue()
    assert max(map(len, plain.getvalue().splitlines())) <= 80


def test_lines_are_as_wide_as_the_terminal_that_they_go_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where standard output leads to a file."""
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    controller, terminal = os.openpty()
    termios.tcsetwinsize(terminal, (24, 50))
    with os.fdopen(terminal, "w") as stream, os.fdopen(controller, "rb") as shown:
        show([line("word " * 30)], stream)
        pieces = os.read(shown.fileno(), 10_000).decode().splitlines()
    assert 40 < max(map(len, pieces)) <= 50


def test_the_headline_names_engine_and_checkers() -> None:
    outcome = Outcome("safe", "true", seconds=1.234, engine="spacer", checkers=("z3", "cvc5"))
    assert texts(verdict_lines(outcome, False)) == ["true: decided by spacer in 1.23 s; model accepted by z3 and cvc5"]


def test_unknown_has_a_reason_and_a_hint() -> None:
    late = Outcome("unknown", "unknown", reason="time limit during solve", seconds=5, cause=Cause.TIME)
    shown = texts(verdict_lines(late, False))
    assert shown[0] == "unknown after 5.00 s: time limit during solve"
    assert "--timeout" in shown[1]
    assert "smaller input" in texts(verdict_lines(replace(late, is_read=False), False))[1]


def test_unknown_says_what_was_hard_and_engines_give_their_reasons_on_demand() -> None:
    head = [Origin("p.c", line, 1) for line in (4, 9)]
    outcome = Outcome(
        "unknown",
        "unknown",
        reason="no engine decided it",
        reasons={"pdr": "out of time", "df on cells": "reduction: nothing to change"},
        cause=Cause.TIME,
        obstacle=Obstacle((Origin("p.c", 12, 5),), tuple(head)),
    )
    brief, whole = ("\n".join(texts(verdict_lines(outcome, verbose))) for verbose in (False, True))
    assert "hard: the assertion at p.c:12 behind the loops at lines 4, 9" in brief
    assert "-v says" in brief and "nothing to change" not in brief
    assert "df on cells: reduction: nothing to change" in whole
    queries = Obstacle(tuple(Origin("p.smt2", line) for line in range(5)), predicates=("inv",), of_program=False)
    assert obstacle_text(queries) == "the queries at p.smt2:0, 1, 2, 3 and 1 more over inv"


def test_the_obstacle_is_the_loop_next_to_the_query() -> None:
    first, last, after = (Predicate(name, (), Origin("p.c", line, 1, note)) for name, line, note in LOCATIONS)
    clauses = [(first, ()), (first, (first,)), (last, (first,)), (last, (last,)), (after, (last,)), (None, (after,))]
    system = HornSystem.of(
        [
            Clause(head() if head else None, tuple(p() for p in body), z3.BoolVal(True), Origin("p.c", 9))
            for head, body in clauses
        ]
    )
    found = obstacle(system, [Origin("p.c", 9)], of_program=True)
    assert found is not None and [origin.line for origin in found.loops] == [5]
    assert [origin.line for origin in found.assertions] == [9]


LOCATIONS = [("a", 2, LOOP_HEAD), ("b", 5, LOOP_HEAD), ("c", 8, "")]


def test_main_cause_says_what_would_help() -> None:
    assert main_cause([Cause.NO_FORM, Cause.TIME, Cause.GAVE_UP]) is Cause.TIME
    assert main_cause([Cause.TIME, Cause.REFUSED]) is Cause.REFUSED
    assert main_cause([]) is Cause.GAVE_UP


def test_a_verdict_against_the_task_is_pointed_out() -> None:
    assert any("expects" in text for text in texts(verdict_lines(Outcome("safe", "true", expected=False), False)))
    assert not Outcome("unknown", "unknown", expected=False).contradicts_task


def test_of_clauses_the_certificate_is_shown_on_demand() -> None:
    model = "(\n(define-fun p ((x Int)) Bool\n  (>= x 0))\n)\n"
    safe = Outcome("safe", "sat", certificate=model)
    assert texts(verdict_lines(safe, True))[1:] == ["model", "  (define-fun p ((x Int)) Bool", "    (>= x 0))"]
    assert len(verdict_lines(safe, False)) == 1
    steps = [
        {"clause": 0, "predicate": "p", "arguments": ["0"], "premises": []},
        {"clause": 2, "predicate": None, "arguments": [], "premises": [0]},
    ]
    unsafe = Outcome("unsafe", "unsat", certificate=json.dumps({"steps": steps}))
    facts = ["  0: p(0) by clause 0", "  1: false from 0 by clause 2"]
    assert texts(verdict_lines(unsafe, True))[1:] == ["derivation", *facts]
    many = Outcome("safe", "sat", certificate="x\n" * 122)
    assert texts(verdict_lines(many, True))[-1] == "  ... 2 more lines: --certificate FILE ..."


def test_the_live_view_has_one_line_for_each_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    screen.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    with LiveView(time.monotonic()) as view:
        view.on_event(PhaseStarted("solve"))
        view.on_event(EngineEvent("pdr", "frame", {"depth": 3, "lemmas": 17}))
        view.on_event(EngineEvent("bmc", "unknown", {"reason": "a long\nreason " * 20}))
        view.on_event(EngineEvent("spacer", "certify", {}))
        view.refresh()
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue()).splitlines()
    assert [text for text in lines if "frame" in text and "depth 3, lemmas 17" in text]
    assert [text for text in lines if "gave up" in text and "a long reason" in text and len(text) <= 80]
    assert any("being checked" in text for text in lines)
    assert max(map(len, lines)) <= 80


def test_steps_of_threads_are_told_apart() -> None:
    places = (("main", 1), ("f", 2), ("f", 3), ("f", 3))
    steps = [TraceStep(Origin("p.c", 1), name, "statement", "x++;", thread=thread) for name, thread in places]
    headings = [text for text in texts(trace_lines(steps, verbose=True)) if text.startswith("  in ")]
    assert headings == ["  in main, thread 1", "  in f, thread 2", "  in f, thread 3"]
    assert [item["thread"] for item in trace_json(steps)] == [1, 2, 3, 3]
    assert "thread" not in trace_json([step(1, "x++;")])[0]


def test_a_path_is_told_once_for_each_function() -> None:
    steps = [
        TraceStep(Origin("far/away/p.c", line), "main", "statement", "x++;", (("x", str(line)),)) for line in (1, 2)
    ]
    assert texts(trace_lines(steps, verbose=True))[1:] == [
        "  in main  far/away/p.c",
        "  p.c:1  x++;   x = 1",
        "  p.c:2  x++;   x = 2",
    ]
