"""Compiled functions that read and write cells themselves, compared with those that ask the state of the run."""

import random

import pytest

from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import Inputs, Recorded
from encoders.c.execution.interpreter import ExecutionLimits, Machine
from encoders.c.execution.trace_recorder import TraceRecorder
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

KINDS = ("unsigned char", "short", "int", "unsigned", "long", "_Bool", "float", "double")


class ByState(Automata):
    """Automata whose functions leave each access to the state of the run."""

    direct = False


def program(seed: int) -> str:
    """Writes and reads of elements of two arrays, the second one of which is also accessed under other types."""
    draw = random.Random(seed)
    kind = draw.choice(KINDS)
    lines = [f"int main(void) {{ {kind} a[8]; union {{ {kind} own[8]; char bytes[64]; int words[16]; }} u; long s = 0;"]
    lines.append("for (int i = 0; i < 64; i++) u.bytes[i] = 0;" if draw.random() < 0.7 else "u.words[1] = 5;")
    for _ in range(25):
        where, value = draw.randrange(8), draw.randrange(-3, 200)
        lines.append(
            draw.choice(
                (
                    f"a[{where}] = {value};",
                    f"a[{where}] = a[{where}] + {value};",
                    f"u.own[{where}] = {value};",
                    f"u.words[{2 * where}] = {value};",
                    f"u.bytes[{5 * where}] = {value % 100};",
                    f"s = s + (long) a[{where}];",
                    f"s = 3 * s + u.bytes[{7 * where}];",
                    f"for (int i = {where}; i < 8; i++) {{ a[i] = i; s += (long) a[i]; }}",
                )
            )
        )
    return "\n".join([*lines, "if (s != 1234567) reach_error(); }"])


@pytest.mark.parametrize("seed", range(60))
def test_direct_access_changes_nothing(seed: int) -> None:
    loaded = load_source("void reach_error(void);\n" + program(seed), "test.c", LP64)
    first, second = (
        Machine(code(loaded), Recorded(Inputs(())), ExecutionLimits(), TraceRecorder(1_000)).run()
        for code in (Automata, ByState)
    )
    assert (first.outcome, first.reason, first.steps) == (second.outcome, second.reason, second.steps)
    assert first.trace == second.trace and first.trace
