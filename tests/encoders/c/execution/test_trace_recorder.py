"""What traces of long runs tell, and what they leave out."""

import pytest
from repeated_runs import Given

from chcverify.explain.trace_lines import trace_lines
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.interpreter import ExecutionLimits, Machine
from encoders.c.execution.trace_recorder import TraceRecorder

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


def trace(load, text, inputs=(), limit=10_000):
    recorder = TraceRecorder(limit, fold=True)
    execution = Machine(Automata(load(text)), Given(inputs), ExecutionLimits(), recorder, keeps=False).run()
    assert execution.outcome == "error" and execution.trace[-1].kind == "violation"
    return execution.trace


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


def test_people_are_told_in_one_line(load):
    shown = [line.text for line in trace_lines(trace(load, CALLED, [1] * 50), verbose=False)]
    assert "      ... 27 more iterations of the loop at line 3, with the same inputs ..." in shown
    assert any(line.startswith("inputs") and "..." in line for line in shown)
