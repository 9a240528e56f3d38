"""Oracles with given values, and recorded ones."""

from encoders.c.cfa import ir
from encoders.c.execution.inputs import Inputs, Recorded
from encoders.c.execution.interpreter import execute
from encoders.c.execution.oracles import RecordingOracle, WitnessOracle

TEXT = """int main() {
  int a = nondet(), b = nondet(), sum = 0;
  for (int i = 0; i < 3; i++) sum += nondet();
  if (a == 7 && b == 8 && sum == 9) reach_error();
  return 0; }"""


def calls(program: ir.Program) -> list[tuple[str, int, int | None]]:
    edges = [edge for f in program.functions.values() for edge in f.edges if isinstance(edge.operation, ir.Nondet)]
    return [(edge.origin.file, edge.origin.line, edge.origin.column) for edge in edges if edge.origin.line > 1]


def test_values_of_calls_in_their_order(load) -> None:
    program = load(TEXT)
    first, second, third = sorted(calls(program))
    given = {first: [7], second: [8], third: [2, 3, 4]}
    assert execute(program, WitnessOracle(given, {}, Recorded(Inputs()))).outcome == "error"
    given[third] = [2, 3]
    assert execute(program, WitnessOracle(given, {}, Recorded(Inputs()))).outcome == "end"
    assert execute(program, WitnessOracle(given, {}, Recorded(Inputs()), {third: 4})).outcome == "error"


def test_recorded_choices_give_the_same_run(load) -> None:
    program = load(TEXT)
    first, second, third = sorted(calls(program))
    given = WitnessOracle({first: [7], second: [8], third: [2, 3, 4]}, {}, Recorded(Inputs()))
    recording = RecordingOracle(other=given)
    assert execute(program, recording).outcome == "error"
    assert execute(program, RecordingOracle(recording.choices)).outcome == "error"
    assert execute(program, RecordingOracle(recording.choices[:-1])).outcome == "end"
