"""Random ways to end a program: exit handlers that register others or end it themselves; gcc against the interpreter.

Each scenario counts what runs, in order, in one number; it is printed after every step.
"""

import random
import subprocess
import tempfile
from pathlib import Path

from encoders.c.execution.interpreter import ExecutionLimits, execute
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

from ..memory.compare import ListedInputs

_DECLARED = """
int atexit(void (*)(void)); void exit(int); void _exit(int); void _Exit(int); void quick_exit(int); void abort(void);
int dprintf(int, const char *, ...); int __VERIFIER_nondet_int(void);
long long out_0;
static void step(int number) { out_0 = (out_0 * 31 + number) % 1000003; dprintf(1, "%lld\\n", out_0); }
"""
_ENDS = ("exit(0);", "exit(0);", "exit(3);", "_exit(0);", "_Exit(1);", "quick_exit(0);", "abort();")
_HANDLERS = 3  # of a scenario, at most


def exit_differences(seed: int, count: int = 30) -> list[str]:
    """What differs in the scenarios of a seed."""
    rng = random.Random(seed)
    text = program(rng, count)
    expected = _native(text, count)
    loaded = load_source(text, "exits.c", LP64)
    found = []
    for number in range(count):
        execution = execute(loaded, ListedInputs((number,)), ExecutionLimits(5000))
        values = [int(v) for step in execution.trace for name, v in step.changes if name == "out_0"]
        got = values[-1] if values else 0
        if got != expected[number]:  # also of runs that the program ends, where the interpreter is stuck
            found.append(f"scenario {number}: gcc {expected[number]}, interpreter {got} ({execution.outcome})")
    return found


def program(rng: random.Random, count: int) -> str:
    """Scenarios, of which a number that is read chooses one."""
    parts = [_DECLARED]
    for number in range(count):
        handlers = rng.randint(1, _HANDLERS)
        for handler in range(handlers):
            parts.append(f"static void h{number}_{handler}(void) {{ {_body(rng, number, handler)} }}")
        body = " ".join(_statement(rng, number, handlers) for _ in range(rng.randint(2, 6)))
        end = rng.choice((*_ENDS, "return;", "return;", "return;"))
        parts.append(f"static void run_{number}(void) {{ {body} {end} }}")
    cases = " ".join(f"case {number}: run_{number}(); break;" for number in range(count))
    parts.append(f"int main(void) {{ switch (__VERIFIER_nondet_int()) {{ {cases} }} step(9); return 0; }}")
    return "\n".join(parts)


def _body(rng: random.Random, number: int, handler: int) -> str:
    """A handler may register those before it, and end the program at once."""
    text = f"step({handler + 1});"
    if handler and rng.random() < 0.4:
        text += f" atexit(h{number}_{rng.randrange(handler)});"
    if rng.random() < 0.15:
        text += rng.choice((" _exit(0);", " abort();"))
    return text


def _statement(rng: random.Random, number: int, handlers: int) -> str:
    if rng.random() < 0.6:
        return f"atexit(h{number}_{rng.randrange(handlers)});"
    if rng.random() < 0.15:
        return f"if (out_0 % 2) {rng.choice(_ENDS)}"
    return f"step({rng.randint(4, 8)});"


def _native(text: str, count: int) -> list[int]:
    """The number that each scenario prints last."""
    harness = "\n#include <stdlib.h>\nstatic int chosen; extern int program_main(void);\n"
    harness += "int __VERIFIER_nondet_int(void) { return chosen; }\n"
    harness += "int main(int count, char **words) { chosen = atoi(words[1]); return program_main(); }\n"
    with tempfile.TemporaryDirectory() as folder:
        source, other, binary = Path(folder, "p.c"), Path(folder, "h.c"), Path(folder, "p")
        source.write_text(text.replace("int main(void)", "int program_main(void)"), encoding="utf-8")
        other.write_text(harness, encoding="utf-8")
        subprocess.run(["gcc", "-w", "-O0", "-o", binary, source, other], check=True, timeout=300)
        last = []
        for number in range(count):
            done = subprocess.run([binary, str(number)], capture_output=True, text=True, timeout=60)
            last.append(int(done.stdout.split()[-1]) if done.stdout.split() else 0)
    return last
