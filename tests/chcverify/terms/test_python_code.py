"""Terms as Python functions: as the solver's simplifier says."""

import itertools
from fractions import Fraction

import pytest
import z3

from chcverify.terms.evaluation.python_code import NotComputable, compile_operator, compile_term

N, M = z3.Ints("n m")
X, Y = z3.BitVecs("x y", 8)
K = z3.Int("k")
INTEGERS = [
    2 * N - M + 3,
    -N * M,
    N / 3 + M % 4,
    N / -3 + M % -4,
    z3.If(z3.And(N < M, z3.Or(N >= 0, M == 2)), N, z3.If(z3.Not(N <= M), M, 7)),
    z3.If(z3.Implies(N > 1, M != N), 1, 0),
    z3.Select(z3.Store(z3.K(z3.IntSort(), 5), N, M), 2),
    z3.Select(z3.Lambda([K], z3.If(K < N, K * M, 1)), M),
    z3.Select(z3.Lambda([K], z3.Select(z3.Lambda([K], K + N), K * 2)), M),
]
BITS = [
    X + Y * 3 - 1,
    ~X & Y | X ^ 5,
    -X,
    z3.Concat(X, Y),
    z3.Extract(5, 2, X),
    z3.SignExt(8, X) + z3.ZeroExt(8, Y),
    z3.If(X < Y, X, Y),
    z3.If(z3.ULE(X, Y), X, Y),
    z3.If(z3.Or(X >= Y, z3.UGT(X, 200)), z3.Int2BV(z3.BV2Int(Y) + 300, 8), Y),
    X << (Y & 15),
    X >> (Y & 15),
    z3.LShR(X, Y & 15),
    z3.LShR(X, Y),
    z3.UDiv(X, Y),
    z3.URem(X, Y),
    X / Y,
    z3.SRem(X, Y),
]


@pytest.mark.parametrize("term", INTEGERS)
def test_integers(term):
    computed = compile_term(term, (N, M))
    for n, m in itertools.product(range(-5, 6), repeat=2):
        expected = z3.simplify(z3.substitute(term, (N, z3.IntVal(n)), (M, z3.IntVal(m))))
        assert computed(n, m) == expected.as_long(), (n, m)


@pytest.mark.parametrize("term", BITS)
def test_bit_vectors(term):
    computed = compile_term(term, (X, Y))
    for x, y in itertools.product((0, 1, 5, 127, 128, 200, 255), repeat=2):
        expected = z3.simplify(z3.substitute(term, (X, z3.BitVecVal(x, 8)), (Y, z3.BitVecVal(y, 8))))
        assert computed(x, y) == expected.as_long(), (x, y)


@pytest.mark.parametrize(
    "term",
    [
        N + M,
        z3.Exists([K], K == N),
        z3.If(z3.K(z3.IntSort(), N) == z3.K(z3.IntSort(), 1), 1, 2),
        z3.ToReal(N) + z3.Q(1, 2),
    ],
)
def test_what_has_no_function_is_told(term):
    with pytest.raises(NotComputable):
        compile_term(term, (N,))


def test_division_by_zero_is_left_to_the_solver():
    with pytest.raises(NotComputable):
        compile_term(N / M, (N, M))(1, 0)


def test_one_operation_of_values():
    assert compile_operator(z3.UDiv(X + 1, Y))(7, 2) == 3
    r = z3.Real("r")
    assert compile_operator(r / 3)(Fraction(1), Fraction(3)) == Fraction(1, 3)
    assert compile_operator(z3.ToInt(r))(Fraction(-1, 2)) == -1
    with pytest.raises(NotComputable):
        compile_operator(r / 3)(Fraction(1), Fraction(0))
    with pytest.raises(NotComputable):
        compile_operator(z3.Exists([K], K == N))
