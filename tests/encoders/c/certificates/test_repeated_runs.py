"""Derivations with cycles: their runs, executed and told."""

import math
import shutil
import time
from dataclasses import replace

import pytest
import z3
from repeated_runs import repeated, values_of

from chcverify.certificate.derivation import Cycle, Derivation
from chcverify.certificate.kernel.checkers.z3_checker import check_derivation
from chcverify.problems.c_problem import CProblem, c_words
from chcverify.problems.protocol import Refused
from encoders.c.certificates.derivation_replay import replay
from encoders.c.certificates.derivation_to_inputs import inputs_of
from encoders.c.certificates.region_cells import elements
from encoders.c.encoding.encoder import encode
from encoders.c.execution.inputs import Inputs
from encoders.c.execution.interpreter import ExecutionLimits, run

SAME = """int main() {
  int n = nondet(), s = 0;
  for (int i = 0; i < BOUND; i++) {
    if (nondet() != 5) return 0;
    s++;
  }
  if (s == BOUND && n == 3) reach_error();
}"""
GROWING = SAME.replace("!= 5", "!= 2 * i + 1")
SHORT = 6
"""Iterations of the runs that the derivations are made of."""


def derivation(load, text, count, inputs):
    small, large = (encode(load(text.replace("BOUND", str(bound)))) for bound in (SHORT, count))
    return large, repeated(small, inputs, large, count - SHORT)


@pytest.mark.parametrize("count", [SHORT, 50, 40_000])
@pytest.mark.parametrize(("text", "inputs"), [(SAME, [5] * SHORT), (GROWING, list(range(1, 13, 2)))])
def test_the_run_reaches_the_error(load, text, inputs, count):
    encoding, found = derivation(load, text, count, [3, *inputs])
    assert any(isinstance(step, Cycle) for step in found.steps)
    assert check_derivation(encoding.system, found, time.monotonic() + 600).accepted
    chosen = values_of(inputs_of(encoding, found))
    growth = inputs[1] - inputs[0]
    numbers = [value for value in chosen if isinstance(value, int)]
    assert numbers == [3, *(inputs[0] + growth * i for i in range(count))]
    execution = replay(encoding, found)
    assert execution.outcome == "error" and execution.trace[-1].kind == "violation"
    folded = [step.text for step in execution.trace if step.kind == "repeated"]
    assert bool(folded) == (count > 1000) and len(execution.trace) < 1000
    if growth == 0 and folded:
        assert folded == ["39,997 more iterations of the loop at line 4, with inputs"]
        assert execution.steps > 5 * count and not execution.path


def test_a_wrong_count_does_not_reach_the_error(load):
    encoding, found = derivation(load, SAME, 50, [3, *[5] * SHORT])
    changed = [Cycle(s.variable, s.count - 1, s.start, s.links) if isinstance(s, Cycle) else s for s in found.steps]
    assert replay(encoding, Derivation(tuple(changed))).outcome == "end"


def problem(load, tmp_path, text, count, inputs):
    encoding, found = derivation(load, text, count, inputs)
    file = tmp_path / "program.c"
    file.write_text("void reach_error(); int nondet(); " + text.replace("BOUND", str(count)))
    encoding = replace(encoding, program=replace(encoding.program, file=str(file)))
    return CProblem(encoding.system, c_words("unreach-call"), encoding), found


def test_a_long_run_is_told_as_it_is_confirmed(load, tmp_path):
    decided, found = problem(load, tmp_path, SAME, 40_000, [3, *[5] * SHORT])
    assert decided.recorded_trace(found) == ()
    decided.replay(found, time.monotonic() + 600)
    recorded = decided.recorded_trace(found)
    assert recorded[-1].kind == "violation" and recorded == decided.trace(found, time.monotonic() + 600)


def test_a_short_run_is_told_as_it_is_confirmed(load, tmp_path):
    decided, found = problem(load, tmp_path, SAME, 50, [3, *[5] * SHORT])
    decided.replay(found, time.monotonic() + 600)
    recorded = decided.recorded_trace(found)
    assert recorded[-1].kind == "violation" and recorded == decided.trace(found, time.monotonic() + 600)
    between, found = problem(load, tmp_path, SAME, 1_500, [3, *[5] * SHORT])
    between.replay(found, time.monotonic() + 600)
    assert between.recorded_trace(found) == ()


def test_a_known_run_confirms_nothing(load, tmp_path):
    decided, found = problem(load, tmp_path, SAME, 50, [3, *[5] * SHORT])
    other = run(load("int main() { return 0; }"), Inputs())
    decided.runs[:] = [(found, other)]
    assert decided.replay(found, time.monotonic() + 600) is found
    assert decided.runs[0][1].outcome == "error" != other.outcome


def test_what_is_too_long_is_refused_at_once(load, tmp_path):
    decided, found = problem(load, tmp_path, SAME, 2_000_000_000, [3, *[5] * SHORT])
    with pytest.raises(Refused, match=r"the run has [\d,]{14} steps, .*--replay native"):
        decided.replay(found, time.monotonic() + 600)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc runs the programs")
@pytest.mark.parametrize(("text", "inputs"), [(SAME, [5] * SHORT), (GROWING, list(range(1, 13, 2)))])
def test_a_native_run_decides_what_is_too_long(load, tmp_path, text, inputs, monkeypatch):
    monkeypatch.setattr("encoders.c.certificates.derivation_replay.MAX_STEPS_PER_SECOND", 1)
    monkeypatch.setattr("encoders.c.execution.native.native_replay.STEP_S", 0.2)
    decided, found = problem(load, tmp_path, text, 200_000, [3, *inputs])
    decided.confirm(found, time.monotonic() + 600)
    trace = decided.trace(found, time.monotonic() + 600)
    assert trace[0].kind == "call" and trace[-1].kind == "violation"
    (tmp_path / "program.c").write_text("void reach_error(); int nondet(); int main() { nondet(); return 0; }")
    with pytest.raises(Refused, match="the native run does not reach the error: it ends"):
        decided.confirm(found, time.monotonic() + 600)


def test_warnings_of_long_runs_end(load, tmp_path, monkeypatch):
    decided, found = problem(load, tmp_path, SAME, 1_000, [3, *[5] * SHORT])
    assert decided.warnings(found, math.inf) == ()
    monkeypatch.setattr("chcverify.problems.c_problem.LONG_STEP_S", 0.0)
    assert "after the first 0 steps is not known" in decided.warnings(found, math.inf)[0]


def test_limits_by_time(load):
    endless = load("int main(){ while (1); }")
    limits = ExecutionLimits(steps=10**12, until=time.monotonic() + 0.1)
    assert run(endless, Inputs(), limits).outcome == "limit"


@pytest.mark.parametrize("bits", [0, 64])
def test_elements_of_arrays(bits):
    index = z3.BitVec("k", bits) if bits else z3.Int("k")
    base = z3.K(index.sort(), z3.IntVal(9))
    inside = z3.And(z3.ULT(index, 100), index != 7) if bits else z3.And(index >= 0, index < 100, index != 7)
    array = z3.Lambda([index], z3.If(inside, z3.IntVal(4), z3.Select(z3.Store(base, 200, 1), index)))
    number = z3.BitVecVal if bits else (lambda value, _: z3.IntVal(value))
    at = elements(array, lambda term: term.as_long(), lambda value: value)
    for k in (-1, 0, 7, 99, 100, 200):
        assert at(k) == z3.simplify(z3.Select(array, number(k, bits))).as_long()
