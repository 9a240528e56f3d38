"""What traces of long runs tell, and what they leave out."""

import pytest
from repeated_runs import Given

from chcverify.explain.trace_lines import trace_lines
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.interpreter import ExecutionLimits, Machine, execute
from encoders.c.execution.trace_recorder import TraceRecorder
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

NESTED = """int main() {
  int s = 0;
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 50; j++)
      s = s + j;
  reach_error();
}"""
CALLED = """int f(int k) { int s = 0;
  while (k > 0) { s = s + nondet(); k = k - 1; }
  return s; }
int main() { int a = f(30); int b = f(20); if (a + b == 50) reach_error(); }"""
CHANGING = """int main() { int s = 0;
  for (int i = 0; i < 5000; i++)
    if (i % 3 == 0) s = s + 1; else if (i % 7 == 0) s = s + 2;
  reach_error(); }"""
BITS = "".join(f" if (i & {1 << bit}) s++;" for bit in range(12))
NEVER_THE_SAME = f"int main() {{ int s = 0; for (int i = 0; i < 4000; i++) {{{BITS} }} reach_error(); }}"


def executed(load, text, inputs, recorder):
    execution = Machine(Automata(load(text)), Given(inputs), ExecutionLimits(), recorder, keeps=False).run()
    assert execution.outcome == "error" and execution.trace[-1].kind == "violation"
    return execution


def trace(load, text, inputs=(), limit=10_000):
    """The trace of a run whose last 1,000 steps are recorded in any case."""
    steps = executed(load, text, inputs, TraceRecorder(limit, fold=True)).steps
    return executed(load, text, inputs, TraceRecorder(limit, fold=True, awake_from=steps - 1_000)).trace


def conditions_before_the_violation(text):
    execution = execute(load_source(text, "test.c", LP64, property="undefined-behaviour"), Given([]), ExecutionLimits())
    assert execution.outcome == "error"
    return [(step.text, step.holds) for step in execution.trace if step.kind == "condition"]


def test_conditions_are_those_of_the_program_and_not_of_its_checks():
    """Once each, with the truth of the whole, though its parts decide whether there is an access to check."""
    text = """int main() { int a[3] = {1, 0, 2}, i = 0;
      while (i < 3 && a[i] > 0) i++;
      int *p = i > 1 || a[i] == 1 ? a : 0;
      a[i + 3] = *p;
      return 0; }"""
    looped, chosen = "(i < 3) && (a[i] > 0)", "(i > 1) || (a[i] == 1)"
    found = conditions_before_the_violation(text)
    assert found[:2] == [(looped, True), (looped, False)]
    assert [test[0] for test in found[2:]] == [chosen] * len(found[2:]) and len(found) <= 3


def test_checks_that_hold_are_no_conditions():
    text = "int main() { int s = 1, d = 0; for (int i = 0; i < 2; i++) s = s * 2 + i; return s / d; }"
    assert conditions_before_the_violation(text) == [("i < 2", True), ("i < 2", True), ("i < 2", False)]


def left_out(steps):
    return [step.text for step in steps if step.kind == "repeated"]


def test_nested_loops_are_folded_inside_out(load):
    steps = trace(load, NESTED)
    inner, outer = "47 more iterations of the loop at line 5", "97 more iterations of the loop at line 4"
    assert left_out(steps) == [inner, inner, outer, inner]
    assert len(steps) < 70
    assert any(("s", str(100 * sum(range(50)))) in step.changes for step in steps)


@pytest.mark.parametrize(("ones", "counts"), [(50, (27, 17)), (20, (17, 7, 17))])
def test_a_loop_in_another_call_is_another_loop(load, ones, counts):
    """The first call has 30 inputs, the second 20; those after the first ones are 0."""
    steps = trace(load, CALLED.replace("50", str(ones)), [1] * ones)
    assert left_out(steps) == [f"{n} more iterations of the loop at line 3, with the same inputs" for n in counts]
    assert [step.kind for step in steps].count("call") == [step.kind for step in steps].count("return") + 1


def test_inputs_that_change_all_the_time_are_left_out_after_some(load):
    steps = trace(load, CALLED.replace("30", "300").replace("20", "200").replace("== 50", "> 0"), range(500))
    assert all(text.endswith(", with inputs") for text in left_out(steps)) and len(left_out(steps)) == 2
    assert len(steps) < 250


def test_paths_that_take_turns_are_folded_when_they_are_known(load):
    steps = trace(load, CHANGING)
    assert left_out(steps)[-1].endswith(" more iterations of the loop at line 3") and len(steps) < 300
    assert any(("i", "5000") in step.changes for step in steps[-5:])


def test_what_is_never_the_same_is_cut_in_the_middle(load):
    steps = trace(load, NEVER_THE_SAME, limit=100)
    texts = [text for text in left_out(steps) if text.endswith("more steps")]
    assert len(texts) == 1 and len(steps) < 210
    assert ("i", "0") in steps[2].changes and any(("i", "4000") in step.changes for step in steps[-5:])


PHASES = """int main() { int a = 0, b = 0, c = 0;
  for (int i = 0; i < 3000; i++) a = a + 1;
  for (int i = 0; i < 2000; i++) { b = b + 1; if (i == 1500) b = b + 10; }
  while (c < 1000) { int k = 0; while (k < 3) k = k + 1; c = c + 1; }
  reach_error(); }"""


def iterations(steps, line, text):
    """How often a step with the text was executed by what the trace says, and the counts of iterations left out."""
    counts = [int(found.split()[0].replace(",", "")) for found in left_out(steps) if found.endswith(f"at line {line}")]
    return sum(step.text == text for step in steps) + sum(counts), counts


@pytest.mark.parametrize(("line", "text", "count"), [(3, "a = a + 1", 3000), (4, "b = b + 1", 1999)])
def test_iterations_that_are_only_counted_are_all_told(load, line, text, count):
    """Of the iteration with the new path, the trace has the steps from there on."""
    steps = executed(load, PHASES, (), TraceRecorder(10_000, fold=True)).trace
    assert iterations(steps, line, text)[0] == count
    assert len(steps) < 100


def test_a_new_path_ends_the_rest_and_is_shown(load):
    steps = executed(load, PHASES, (), TraceRecorder(10_000, fold=True)).trace
    assert len(iterations(steps, 4, "b = b + 1")[1]) == 2
    assert ("b", "1511") in [change for step in steps for change in step.changes]
    assert [step.holds for step in steps if step.text == "i < 3000"][-1] is False  # where the loop is left
    assert iterations(steps, 5, "c = c + 1")[0] == 1000


@pytest.mark.parametrize(
    "text",
    [
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s++; return s; } int main() { int t = f(120);"
        " for (int i = 0; i < 300; i++) t++; if (t == 420) reach_error(); }",
        "int a[130][130]; void fill(void) { for (int i = 0; i < 130; i++) for (int j = 0; j < 130; j++) a[i][j] = j; }"
        " int main() { int t = 0; fill(); for (int i = 0; i < 300; i++) t++; if (a[129][7] == 7) reach_error(); }",
        "int f(int k) { int s = 0; for (int i = 0; i < 200; i++) { s++; if (k > 0 && i == 150) s += f(k - 1); }"
        " return s; } int main() { int t = f(2); t = t + 1; if (t == 601) reach_error(); }",
    ],
    ids=["as many iterations as are recorded", "nested loops", "a loop that calls its own function"],
)
def test_functions_may_be_left_while_iterations_are_counted(load, text):
    """The recorder was asked about locations that it did not collect any more."""
    steps = executed(load, text, (), TraceRecorder(10_000, fold=True)).trace
    assert steps[-1].kind == "violation" and steps[-2].kind == "condition"


def test_a_path_that_comes_back_is_shown_once(load):
    """It was shown in parts, each time from a later step on."""
    text = """int main() { int x = 0;
      for (int i = 0; i < 6000; i++) if (i % 500 == 499) { x = x + 1; x = x + 2; x = x + 3; }
      reach_error(); }"""
    steps = executed(load, text, (), TraceRecorder(10_000, fold=True)).trace
    shown = [step.text for step in steps if step.text.startswith("x = x +")]
    assert shown == ["x = x + 1", "x = x + 2", "x = x + 3"] and len(left_out(steps)) == 2


def test_the_end_of_a_run_is_recorded(load):
    """Without that, the values of the iteration that violates would be missing."""
    text = "int main() { int s = 0; for (int i = 0; i < 9000; i++) { s = s + 2; if (s == 17000) reach_error(); } }"
    assert [step.changes for step in trace(load, text) if step.text == "s = s + 2"][-1] == (("s", "17000"),)
    assert left_out(trace(load, text)) == ["8,496 more iterations of the loop at line 2"]


def test_inputs_of_iterations_that_are_only_counted_may_be_any(load):
    text = "int main() { for (int i = 0; i < 900; i++) if (nondet() == i + 7) reach_error(); }"
    steps = executed(load, text, [5] * 890 + [897], TraceRecorder(10_000, fold=True)).trace
    assert left_out(steps) == ["888 more iterations of the loop at line 2, with inputs"]


def test_people_are_told_in_one_line(load):
    shown = [line.text for line in trace_lines(trace(load, CALLED, [1] * 50), verbose=False)]
    assert "      ... 27 more iterations of the loop at line 3, with the same inputs ..." in shown
    assert any(line.startswith("inputs") and "..." in line for line in shown)
