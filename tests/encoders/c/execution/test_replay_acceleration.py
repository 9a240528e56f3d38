"""Repetitions that are skipped: the run is the one that executes each of them, whatever the loops do."""

import random

import pytest

from encoders.c.certificates.derivation_replay import replay
from encoders.c.cfa import ir
from encoders.c.encoding.encoder import encode
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import Inputs, Random, Recorded
from encoders.c.execution.interpreter import Execution, ExecutionLimits, Machine, execute
from encoders.c.execution.replay_acceleration import ReplayAcceleration
from solvers.acceleration.engine import Acceleration
from solvers.engine import Context

LIMITS = ExecutionLimits(steps=3_000_000)


def executed(
    of: ir.Program, stops: list[int] | None, inputs: Inputs | None = None
) -> tuple[Execution, dict[str, object]]:
    """The execution, with leaps if there are stops, and what the globals hold at its end."""
    oracle = Recorded(inputs or Inputs())
    acceleration = None if stops is None else ReplayAcceleration(oracle, stops)
    machine = Machine(Automata(of), oracle, LIMITS, keeps=False, acceleration=acceleration)
    execution = machine.run()
    return execution, {name: sorted(made.cells.items(), key=str) for name, made in machine.globals.items()}


def check(of: ir.Program, inputs: Inputs | None = None) -> Execution:
    """With and without leaps: the same."""
    (one, state), (other, same) = executed(of, [10**9], inputs), executed(of, None, inputs)
    assert (one.outcome, one.steps, state) == (other.outcome, other.steps, same)
    return one


def loops(seed: int) -> str:
    """A loop with conditions that change in the middle, wrap-around, an inner loop, a call; then the error."""
    draw = random.Random(seed)

    def number(most: int = 30_000) -> int:
        return draw.randint(0, most)

    kinds = ["unsigned", "int", "unsigned short", "unsigned char", "long"]
    statements = [
        "x++;",
        f"y += {number(5)};",
        f"z -= {number(3)};",
        f"if (x == {number()}) z = {number(9)};",
        f"if (x + t == {number()}) z = {number(9)};",
        f"if (y < {number()}) y += 2; else z++;",
        f"if (t > {number()}) x--;",
        f"w = 3 * x >= {number()};",
        f"for (i = 0; i < {number(4)}; i++) x++;",
        f"more({number(4)});",
        f"if (x != {number()}) z++;",
    ]
    body = " ".join(draw.sample(statements, draw.randint(1, 4)))
    return f"""{" ".join(f"{draw.choice(kinds)} {name} = {number(9)};" for name in "xyzw")}
unsigned t, i;
static void more(int by) {{ y += by; if (z == 77) z++; }}
int main(void) {{ while (t < {20_000 + number()}) {{ {body} t++; }} reach_error(); }}"""


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12])  # 5: runs that repeat nothing
def test_replays_are_the_same(load, monkeypatch, seed):
    """Of derivations whose cycles say where leaps must end."""
    encoding = encode(load(loops(seed)))
    answer = Acceleration().solve(encoding.system, Context.within(600))
    derivation = answer.derivation
    whole = replay(encoding, derivation, traced=False)
    told = replay(encoding, derivation)
    monkeypatch.setattr("encoders.c.certificates.derivation_replay.MAX_STEPWISE_STEPS", 0)
    skipped_steps = replay(encoding, derivation, traced=False)
    assert whole.outcome == told.outcome == "error" and not whole.skipped_steps
    assert told.steps == whole.steps and told.trace[-1].kind == "violation"
    assert (
        skipped_steps.steps == whole.steps if skipped_steps.outcome == "error" else "undefined" in skipped_steps.reason
    )


def test_it_does_leap(load):
    """More steps than are executed in a minute."""
    of = load("unsigned x; unsigned long y; int main() { while (x < 4000000000u) { x++; y += 2; } }")
    oracle = Recorded(Inputs())
    machine = Machine(
        Automata(of),
        oracle,
        ExecutionLimits(steps=10**12),
        keeps=False,
        acceleration=ReplayAcceleration(oracle, [10**12]),
    )
    assert machine.run().outcome == "end" and machine.steps > machine.skipped_steps > 10**10
    values = {name.split("!")[0]: made.cells[0][1] for name, made in machine.globals.items()}
    assert sorted(values.values()) == [4_000_000_000, 8_000_000_000]


@pytest.mark.parametrize("test", ["nondet() > 5", "nondet() != 10000"])
def test_choices_are_executed(load, test):
    of = load(f"unsigned t, x; int main() {{ while (t < 30000) {{ if ({test}) x++; t++; }} }}")
    inputs = execute(of, Random(7, (5, 6), 10), LIMITS).inputs
    check(of, inputs)
    assert len(list(inputs)) == 30_000


@pytest.mark.parametrize(
    "body",
    [
        "while (t < 40000) { a[t % 10] = t; t++; }",
        "for (int j = 0; j < 40000; j++) t = j;",
        "int *p = &t; while (*p < 40000) *p += 1;",
        "float f = 0; while (t < 40000) { f += 1; t++; } t = f;",
        "double f = 0; while (t < 40000) { f = -f; t++; } a[0] = 1 / f > 0;",
        "while (t < 40000) { struct { int u, v; } s = { t, 1 }; t = s.u + s.v; }",
        "int *p = a; while (t < 40000) { p = t % 2 ? a : a + 1; t++; } *p = 5;",
        "int k = -20000; while (k < 20000) { if (k < 0) t++; k++; }",
        "unsigned char c = 1; do { c++; t++; } while (t < 70000); a[1] = c;",
        "goto inside; back: t++; inside: if (t < 40000) goto back;",
        "while (1) { t++; if (t >= 33333) break; }",
        "while (1) if (t) t = 1;",
    ],
)
def test_whatever_loops_do(load, body):
    check(load(f"int t, a[10]; int main() {{ {body} }}"))


@pytest.mark.parametrize(
    ("body", "overflow"),
    [
        ("w = 3 * (int)x >= 0; x++;", False),
        ("w++; x++;", False),
        ("w += 5; x++;", True),
        ("int v = x; w = v; x++;", False),
    ],
)
def test_undefined_behaviour_of_repetitions_that_were_only_tried_is_none(load, body, overflow):
    encoding = encode(load(f"unsigned x; int w; int main() {{ while (x < 700000000u) {{ {body} }} reach_error(); }}"))
    answer = Acceleration().solve(encoding.system, Context.within(600))
    execution = replay(encoding, answer.derivation, traced=False)
    assert (
        execution.outcome == ("stuck" if overflow else "error") and ("signed overflow" in execution.reason) == overflow
    )


def test_the_trace_shows_that_iterations_were_skipped(load):
    encoding = encode(load("unsigned x, y; int main() { while (x < 90000) { x++; y += 2; } reach_error(); }"))
    answer = Acceleration().solve(encoding.system, Context.within(600))
    execution = replay(encoding, answer.derivation)
    repeated = [step.text for step in execution.trace if step.kind == "repeated"]
    assert execution.outcome == "error" and any("skipped at once" in text for text in repeated)
    assert execution.trace[-1].kind == "violation" and len(execution.trace) < 60
