"""Assembler statements: those that execute nothing keep all values, the others are not modelled."""

import shutil
import subprocess
from pathlib import Path

import pytest

from encoders.c.cfa.ir import Trap
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

PROGRAM = """
extern void abort(void);
struct s {{ int m; }};
int f(int x, int y) {{ struct s z = {{ 5 }}; int *p = &x; (void)p; if (x) {statement}; return x + y + z.m; }}
int main(void) {{ int r = f(3, 4); if (r != 12) for (;;) abort(); return 0; }}
"""
BARRIERS = [
    '__asm__ __volatile__("" : "+r"(x))',
    'asm volatile("" : : : "memory")',
    'asm("")',
    'asm("" :: "r"(x), "g"(y) : "memory")',
    'asm("" "\\n" : "+r"(x), "+m"(z.m) : "r"(y))',
]
OTHERS = [
    'asm("nop")',
    'asm("" : "=r"(x))',
    'asm("" : "=r"(x) : "0"(y))',
    'asm("" : "+r"(x) : "0"(y))',
    'asm("" : "+m"(*p))',
    'asm("" : : "r"(x++))',
]


@pytest.mark.parametrize("statement", BARRIERS)
def test_barriers_keep_all_values(statement: str, tmp_path: Path) -> None:
    text = PROGRAM.format(statement=statement)
    program = load_source(text, "p.c", LP64)
    assert not any(isinstance(e.operation, Trap) for function in program.functions.values() for e in function.edges)
    checked = load_source(text.replace("for (;;) abort()", "reach_error()"), "p.c", LP64)
    assert execute(checked, Random(0, (), 9)).outcome == "end"
    if shutil.which("gcc"):
        (tmp_path / "p.c").write_text(text)
        subprocess.run(["gcc", "-O2", str(tmp_path / "p.c"), "-o", str(tmp_path / "p")], check=True)
        assert subprocess.run([str(tmp_path / "p")], check=False).returncode == 0


@pytest.mark.parametrize("statement", OTHERS)
def test_other_statements_are_not_modelled(statement: str) -> None:
    program = load_source(PROGRAM.format(statement=statement), "p.c", LP64)
    traps = [e.operation for e in program.functions["f"].edges if isinstance(e.operation, Trap)]
    assert [trap.what for trap in traps] == ["assembler statement"]
