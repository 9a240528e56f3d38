"""long double of the interpreter against the processor's."""

import math
import random
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from encoders.c.execution.c_arithmetic import float_binary, rounded, square_root
from encoders.c.types.c_types import DOUBLE, LDOUBLE
from encoders.c.types.float_rounding import FloatValue, round_to

PROGRAM = """
#include <math.h>
#include <stdio.h>
int main(void) {
  long double a, b;
  while (scanf("%La %La", &a, &b) == 2)
    printf("%La %La %La %La %La %a %a\\n", a + b, a - b, a * b, a / b, sqrtl(a), (double)a, (double)(float)a);
}
"""
SPECIAL = [
    "0x0p+0",
    "-0x0p+0",
    "inf",
    "-inf",
    "nan",
    "0x1p-16445",
    "0x1p-16382",
    "0x1.fffffffffffffffep+16383",
    "0x1p+0",
]


def value_of(text: str) -> FloatValue:
    """The number that a text of %La means."""
    if "n" in text:
        return float(text)
    mantissa, _, exponent = text.lower().replace("0x", "", 1).partition("p")
    whole, _, part = mantissa.lstrip("-").partition(".")
    value = Fraction(int(whole + part, 16)) * Fraction(2) ** (int(exponent) - 4 * len(part))
    if value == 0:
        return -0.0 if mantissa.startswith("-") else 0.0
    return round_to(-value if mantissa.startswith("-") else value, LDOUBLE)


def drawn(rng: random.Random) -> str:
    if rng.random() < 0.3:
        return rng.choice(SPECIAL)
    exponent = rng.choice([rng.randint(-70, 70), rng.randint(-16445, 16383)])
    return f"{rng.choice(['', '-'])}0x{rng.getrandbits(rng.choice([1, 24, 53, 64])) or 1:x}p{min(exponent, 16300):+d}"


def same(one: FloatValue, other: FloatValue) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        both = math.isnan(one) and math.isnan(other)
        return both or (one == other and math.copysign(1, one) == math.copysign(1, other))
    return one == other


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")
def test_operations_round_as_the_processor_does(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(PROGRAM, encoding="utf-8")
    subprocess.run(["gcc", "-w", "-O0", "-o", tmp_path / "p", tmp_path / "p.c", "-lm"], check=True)
    rng = random.Random(7)
    pairs = [(drawn(rng), drawn(rng)) for _ in range(2000)]
    given = "\n".join(f"{a} {b}" for a, b in pairs)
    lines = subprocess.run(
        [tmp_path / "p"], input=given, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert len(lines) == len(pairs)
    for (first, second), line in zip(pairs, lines, strict=True):
        a, b = value_of(first), value_of(second)
        found = [*(float_binary(operator, a, b, LDOUBLE) for operator in "+-*/"), square_root(a, LDOUBLE)]
        found.append(rounded(a, DOUBLE))
        for what, one, text in zip("+-*/rd", found, line.split(), strict=False):
            assert same(one, value_of(text)), f"{first} {what} {second}: {one}, not {text}"
