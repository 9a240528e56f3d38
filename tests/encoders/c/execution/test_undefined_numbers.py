"""Numbers that C leaves undefined are in runs what code of gcc computes on x86-64."""

import math
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

from encoders.c.execution import c_arithmetic
from encoders.c.types.c_types import INT, LLONG, SCHAR, SHORT, UCHAR, UINT, ULLONG, USHORT, CInteger

_TYPES = (SCHAR, UCHAR, SHORT, USHORT, INT, UINT, LLONG, ULLONG)
_NUMBERS = (-1.0, 300.5, -40000.0, 3e9, -3e9, 5e9, 9.3e18, -9.3e18, 1.9e19, 1e30, math.inf, -math.inf, math.nan)
_COUNTS = (-33, -1, 0, 7, 31, 32, 33, 40, 63, 64, 65, 100)
_OPERANDS = (1, 5, 2147483647)
pytestmark = pytest.mark.skipif(
    shutil.which("gcc") is None or platform.machine() != "x86_64", reason="needs gcc for x86-64"
)


def _printed(path: Path, statements: list[str]) -> list[int]:
    """The numbers that a program with these statements prints, compiled without optimisation."""
    source, program = path / "program.c", path / "program"
    body = "\n".join(statements)
    source.write_text(f"#include <math.h>\n#include <stdio.h>\nint main(void) {{\n{body}\nreturn 0; }}\n")
    subprocess.run(["gcc", "-w", "-O0", "-fwrapv", str(source), "-o", str(program)], check=True)
    found = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    return [int(line) for line in found.split()]


def _literal(number: float) -> str:
    if math.isfinite(number):
        return repr(number)
    return "NAN" if math.isnan(number) else "INFINITY" if number > 0 else "-INFINITY"


def test_conversions(tmp_path: Path) -> None:
    cases = [(number, kind) for kind in _TYPES for number in _NUMBERS]
    statements = [
        f'{{ volatile double d = {_literal(number)}; {kind} x = d; printf("{_format(kind)}\\n", x); }}'
        for number, kind in cases
    ]
    expected = _printed(tmp_path, statements)
    assert [c_arithmetic.to_integer(number, kind, lambda value: value) for number, kind in cases] == expected


def test_shifts(tmp_path: Path) -> None:
    cases = [
        (operator, operand, count, kind)
        for kind in (INT, UINT, LLONG, ULLONG)
        for operator in ("<<", ">>")
        for operand in _OPERANDS
        for count in _COUNTS
    ]
    statements = [
        f"{{ volatile {kind} a = {operand}; volatile int b = {count}; {kind} x = a {operator} b; "
        f'printf("{_format(kind)}\\n", x); }}'
        for operator, operand, count, kind in cases
    ]
    expected = _printed(tmp_path, statements)
    found = [c_arithmetic.shift(*case, lambda value: value) for case in cases]
    assert found == expected


def _format(kind: CInteger) -> str:
    if kind.width == 64:
        return "%lld" if kind.signed else "%llu"
    return "%d" if kind.signed else "%u"
