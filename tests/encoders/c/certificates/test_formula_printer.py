"""Formulas as C: signs, casts, parentheses, quantified variables."""

import shutil
import subprocess
from pathlib import Path

import pytest
import z3

from chcverify.explain.invariant_lines import invariant_lines
from chcverify.horn.system import Origin
from chcverify.results.source_facts import SourceInvariant
from encoders.c.certificates.invariants.formula_printer import c_text

x, y, z = z3.Ints("x y z")
q, r = z3.Ints("q!0 r!0")
s, t = z3.BitVecs("s t", 32)
u, w = z3.BitVecs("u w", 32)
f = z3.Bool("f")
a = z3.Array("a", z3.IntSort(), z3.IntSort())
NAMES = {variable: str(variable) for variable in (x, y, z, s, t, u, w, f, a)}

WORDS = [
    (s >= -1, "s >= -1"),
    (s == -7, "s == -7"),
    (u == -7, "u == 4294967289"),
    (z3.ULT(u, 2**31 + 1), "u < 2147483649"),
    (z3.ULT(s, 5), "(unsigned int)s < 5"),
    (z3.ULE(s, u), "(unsigned int)s <= u"),
    (s - 1 < t, "t > s - 1"),
    (u < -3, "(int)u < -3"),
    (z3.UDiv(u, w) == 3, "u / w == 3"),
    (s & 255 == 255, "(s & 255) == 255"),
]
FORMULAS = [
    (z3.Implies(f, x < y), "!f || y > x"),
    (z3.And(z3.Or(x > 0, y > 0), z > 0), "(x > 0 || y > 0) && z > 0"),
    ((x - y) * z == 3, "z * (x - y) == 3"),
    (2 * z3.If(f, x, y) <= 5 + x * y, "2 * (f ? x : y) <= x * y + 5"),
    (z3.ForAll([y], z3.Or(y <= x, a[y] == 0)), "\\forall y; y <= x || a[y] == 0"),
    (
        z3.ForAll([y], z3.Or(y <= x, z3.Exists([z], z3.And(z > y, a[z] == y)))),
        "\\forall y; y <= x || (\\exists z; z > y && a[z] == y)",
    ),
    (
        z3.ForAll([q], z3.Or(q <= x, z3.Exists([r], z3.And(r > q, a[r] == q)))),
        "\\forall m; m <= x || (\\exists k; k > m && a[k] == m)",
    ),
]


@pytest.mark.parametrize(("formula", "text"), [*WORDS, *FORMULAS])
def test_text(formula: z3.BoolRef, text: str) -> None:
    assert c_text(formula, NAMES, [u, w]) == text


VALUES = [0, 1, 5, 255, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 7, 2**32 - 3, 2**32 - 1]


def test_words_mean_in_c_what_they_mean_in_the_formula(tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    formulas = [formula for formula, _ in WORDS if "UDiv" not in str(formula)]
    formulas += [s + t * s == 7, z3.LShR(s, 3) == 31, z3.ZeroExt(32, s) < z3.ZeroExt(32, u), z3.Not(s - 1 > t)]
    lines, expected = [], []
    for i, one in enumerate(VALUES):
        values = dict(zip((s, t, u, w), (VALUES[(i + shift) % len(VALUES)] for shift in (0, 3, 5, 7)), strict=True))
        sets = " ".join(f"{variable} = {value}u;" for variable, value in values.items())
        for formula in formulas:
            instance = z3.substitute(formula, *((v, z3.BitVecVal(value, 32)) for v, value in values.items()))
            expected.append(str(int(z3.is_true(z3.simplify(instance)))))
            lines.append(f'{sets} printf("%d\\n", !!({c_text(formula, NAMES, [u, w])})); // {one}')
    source = "#include <stdio.h>\nint main(void) { int s, t; unsigned u, w;\n" + "\n".join(lines) + "\nreturn 0; }\n"
    (tmp_path / "p.c").write_text(source)
    program = str(tmp_path / "p")
    subprocess.run(["gcc", "-w", "-fwrapv", "-o", program, str(tmp_path / "p.c")], check=True, timeout=600)
    printed = subprocess.run([program], capture_output=True, text=True, check=True, timeout=600).stdout.split()
    assert printed == expected


def test_programs_without_loops_have_their_invariants_on_demand() -> None:
    invariants = [SourceInvariant(Origin("p.c", line), "main", False, "x == 1") for line in range(1, 90)]
    assert len(invariant_lines(invariants, verbose=False)) <= 2
    assert len(invariant_lines(invariants, verbose=True)) > 89
