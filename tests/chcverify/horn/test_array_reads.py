"""Reads of arrays as choices: equivalent, and of no array that is written."""

import random

import z3

from chcverify.terms.array_reads import expanded_reads
from chcverify.terms.core.traversal import subterms

i, j, x = z3.Ints("i j x")
p = z3.Bool("p")
b = z3.BitVec("b", 3)
ARRAY = z3.ArraySort(z3.IntSort(), z3.IntSort())
a = z3.Const("a", ARRAY)


def check(formula: z3.BoolRef, variables: bool = True) -> None:
    """Equivalent; no writes are left, and without `variables` no reads either."""
    found = expanded_reads(formula)
    solver = z3.Solver()
    solver.add(found != formula)
    assert solver.check() == z3.unsat
    kinds = {term.decl().kind() for term in subterms(found) if z3.is_app(term)}
    assert z3.Z3_OP_STORE not in kinds and z3.Z3_OP_CONST_ARRAY not in kinds
    assert variables or z3.Z3_OP_SELECT not in kinds


def test_tables() -> None:
    table = z3.K(z3.IntSort(), z3.IntVal(0))
    for number in (-3, -2, 0, 1, 2, 3, 7, 9):
        table = z3.Store(table, number, (number * number) % 5)
    check(z3.Select(table, i) == x, variables=False)
    check(z3.Select(table, 3) == x, variables=False)
    words = z3.K(z3.BitVecSort(3), z3.BitVecVal(9, 8))
    for number in (0, 1, 6, 7):
        words = z3.Store(words, number, z3.BitVecVal(number + 1, 8))
    check(z3.UGT(z3.Select(words, b), 3), variables=False)


def test_random_arrays() -> None:
    generator = random.Random(3)

    def term(depth: int) -> z3.ArithRef:
        if depth == 0 or generator.random() < 0.2:
            return generator.choice((i, j, x, z3.IntVal(generator.randint(-1, 2))))
        if generator.random() < 0.5:
            return z3.Select(array(depth - 1), term(depth - 1))
        return term(depth - 1) + term(depth - 1)

    def array(depth: int) -> z3.ArrayRef:
        if depth == 0:
            return generator.choice((a, z3.K(z3.IntSort(), x)))
        if generator.random() < 0.3:
            return z3.If(p, array(depth - 1), array(depth - 1))
        return z3.Store(array(depth - 1), term(depth - 1), term(depth - 1))

    for _ in range(60):
        check(z3.Select(array(3), term(1)) <= term(2))


def test_other_formulas_stay() -> None:
    formula = z3.And(a == z3.Store(a, i, x), p)
    assert expanded_reads(formula).eq(formula)
