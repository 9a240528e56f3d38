"""Assembler statements: those that execute nothing keep all values, the others are not modelled."""

import shutil
import subprocess
from pathlib import Path

import pytest

from encoders.c.cfa.ir import Havoc, Nondet, Trap
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import load_source
from encoders.c.lowering.environment import Assembler, Surroundings, UndefinedFunctions
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


OUTPUTS = """
extern void abort(void);
struct s {{ int m; }};
int main(void) {{ struct s z = {{ 5 }}; int x = 1, y = 2, *p = &x; (void)p; {statement}; return x + y + z.m; }}
"""


@pytest.mark.parametrize(
    ("statement", "written", "clobbers"),
    [
        ('asm("nop")', 0, False),
        ('asm("" : "=r"(x))', 1, False),
        ('asm("" : [a] "=r" (x), "+m" (*p) : [b] "0"(y), "r"(x ? y : 3) : "cc")', 2, False),
        ('asm("" : "=" "m" (((struct s *)&z)->m) : : "cc", "memory")', 1, True),
        ('asm("" : "=r"(x) : "r"(x++))', 1, False),
    ],
)
def test_outputs_have_any_values_when_asked_for(statement: str, written: int, clobbers: bool, tmp_path: Path) -> None:
    text = OUTPUTS.format(statement=statement)
    surroundings = Surroundings(UndefinedFunctions.HAVOC, assembler=Assembler.OUTPUTS)
    edges = load_source(text, "p.c", LP64, surroundings=surroundings).functions["main"].edges
    assert not any(isinstance(edge.operation, Trap) for edge in edges)
    assert sum(isinstance(edge.operation, Nondet) for edge in edges) == written
    assert any(isinstance(edge.operation, Havoc) for edge in edges) == clobbers
    if shutil.which("gcc"):
        (tmp_path / "p.c").write_text(text)
        subprocess.run(["gcc", "-fsyntax-only", str(tmp_path / "p.c")], check=True)


@pytest.mark.parametrize(
    "statement",
    ['asm("" : "=r"(p))', 'asm("" : "=m"(z))', 'asm goto("" : : : : end); end:', 'asm("" : "=r" x)'],
)
def test_other_outputs_and_jumps_are_not_modelled(statement: str) -> None:
    surroundings = Surroundings(UndefinedFunctions.HAVOC, assembler=Assembler.OUTPUTS)
    program = load_source(OUTPUTS.format(statement=statement), "p.c", LP64, surroundings=surroundings)
    assert any(isinstance(edge.operation, Trap) for edge in program.functions["main"].edges)


def test_clobbers_of_memory_follow_the_rule_of_functions_without_a_body() -> None:
    for mode, is_trap in ((UndefinedFunctions.PURE, False), (UndefinedFunctions.REFUSE, True)):
        surroundings = Surroundings(mode, assembler=Assembler.OUTPUTS)
        text = OUTPUTS.format(statement='asm("nop" : : "r"(p) : "memory")')
        edges = load_source(text, "p.c", LP64, surroundings=surroundings).functions["main"].edges
        assert any(isinstance(edge.operation, Trap) for edge in edges) == is_trap
        assert not any(isinstance(edge.operation, Havoc) for edge in edges)
