"""Sums and products of any number of terms, none of which is an operation with one argument."""

import re
from pathlib import Path

import pytest
import z3

from chcverify.terms.core.sums import product_of, sum_of

ROOT = Path(__file__).parents[3]
x, y = z3.Ints("x y")
w = z3.BitVec("w", 8)


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (sum_of([]), "0"),
        (product_of([]), "1"),
        (sum_of([x]), "x"),
        (product_of([x]), "x"),
        (sum_of([w]), "w"),
        (sum_of([x, y]), "(+ x y)"),
        (product_of([x, y, x]), "(* x y x)"),
    ],
)
def test_few_terms(term: z3.ExprRef, text: str) -> None:
    assert term.sexpr() == text


def test_nothing_else_makes_sums_of_lists() -> None:
    files = (path for top in ("chcverify", "encoders", "solvers") for path in (ROOT / top).rglob("*.py"))
    found = [str(path) for path in files if re.search(r"z3\.(Sum|Product)\(", path.read_text())]
    assert not found
