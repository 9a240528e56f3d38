"""Repetitions that are gone over: the run is the one that executes each of them, whatever the loops do."""

import random

import pytest

from encoders.c import ir
from encoders.c.automata import Automata
from encoders.c.encoding.inputs import Inputs, Random, Recorded
from encoders.c.frontend import load_source
from encoders.c.interpret import Execution, Limits, Machine, execute
from encoders.c.journal import Journal
from encoders.c.types import LP64

LIMITS = Limits(steps=3_000_000)
HEAD = "void reach_error(void) {}\nextern int __VERIFIER_nondet_int(void);\n"


def program(body: str, before: str = "") -> ir.Program:
    return load_source(f"{HEAD}{before}\nint main(void) {{\n{body}\nreturn 0;\n}}\n", "program.c", LP64)


def executed(
    of: ir.Program, leaps: bool, inputs: Inputs | None = None, journal: Journal | None = None
) -> tuple[Execution, dict[str, object]]:
    """The execution, and what the globals hold at its end."""
    oracle = Recorded(inputs or Inputs())
    machine = Machine(Automata(of), oracle, LIMITS, journal, keeps=False, recording=oracle if leaps else None)
    execution = machine.run()
    return execution, {name: sorted(made.cells.items(), key=str) for name, made in machine.globals.items()}


def check(of: ir.Program, inputs: Inputs | None = None) -> Execution:
    """With and without leaps: the same."""
    (one, state), (other, same) = executed(of, True, inputs), executed(of, False, inputs)
    assert (one.outcome, one.steps, state) == (other.outcome, other.steps, same)
    return one


def loops(seed: int) -> tuple[str, str]:
    """Globals, and a loop over them with conditions in the middle, wrap-around, inner loops and calls."""
    draw = random.Random(seed)

    def number(most: int = 40_000) -> int:
        return draw.randint(0, most)

    kinds = ["unsigned", "int", "unsigned short", "unsigned char", "long"]
    before = "\n".join(f"{draw.choice(kinds)} {name} = {number(9)};" for name in "xyz")
    before += "\nunsigned t, i;\nstatic void more(int by) { y += by; if (z == 77) z++; }"
    statements = [
        "x++;",
        f"y += {number(5)};",
        f"z -= {number(3)};",
        f"if (x == {number()}) z = {number(9)};",
        f"if (y < {number()}) y += 2; else z++;",
        f"if (t > {number()}) x--;",
        "if (x % 2) y++;",
        f"for (i = 0; i < {number(6)}; i++) x++;",
        f"more({number(4)});",
        "{ int w = 3; w += y; x = w; }",
        f"if (x != {number()}) z++;",
    ]
    body = " ".join(draw.sample(statements, draw.randint(1, 4)))
    return before, f"while (t < {30_000 + number(30_000)}) {{ {body} t++; }}\nif (y > 5) reach_error();"


@pytest.mark.parametrize("seed", range(40))
def test_random_loops_end_as_if_executed(seed):
    before, body = loops(seed)
    check(program(body, before))


def test_it_does_leap():
    """More steps than are executed in a minute."""
    of = program("while (x < 4000000000u) { x++; y += 2; }", "unsigned x; unsigned long y;")
    oracle = Recorded(Inputs())
    machine = Machine(Automata(of), oracle, Limits(steps=10**12), keeps=False, recording=oracle)
    assert machine.run().outcome == "end" and machine.steps > 10**10
    values = {name.split("!")[0]: made.cells[0][1] for name, made in machine.globals.items()}
    assert sorted(values.values()) == [4_000_000_000, 8_000_000_000]


@pytest.mark.parametrize("test", ["__VERIFIER_nondet_int() > 5", "__VERIFIER_nondet_int() != 10000"])
def test_choices_are_executed(test):
    of = program(f"while (t < 30000) {{ if ({test}) x++; t++; }}", "unsigned t, x;")
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
        "while (t < 40000) { struct { int u, v; } s = { t, 1 }; t = s.u + s.v; }",
        "int *p = a; while (t < 40000) { p = t % 2 ? a : a + 1; t++; } *p = 5;",
        "int k = -20000; while (k < 20000) { if (k) t++; k++; }",
        "unsigned char c = 1; do { c++; t++; } while (t < 70000); a[1] = c;",
        "goto inside; back: t++; inside: if (t < 40000) goto back;",
        "while (1) { t++; if (t == 33333) break; }",
        "while (t < 60000) { t++; if (t == 41234) a[3] = t; if (a[3] && t > 50000) a[4]++; }",
    ],
)
def test_whatever_loops_do(body):
    check(program(body, "int t, a[10];"))


def test_the_trace_says_that_iterations_were_gone_over():
    of = program("while (x < 90000) { x++; y += 2; } reach_error();", "unsigned x, y;")
    journal = Journal(100, fold=True)
    execution, _ = executed(of, True, journal=journal)
    told = [step.text for step in execution.trace if step.kind == "repeated"]
    assert execution.outcome == "error" and any("gone over" in text for text in told)
    assert execution.trace[-1].kind == "violation" and len(execution.trace) < 60
