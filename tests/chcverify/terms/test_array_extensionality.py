"""What is rewritten about elements means the same in every structure, once all its indices are tried."""

import itertools

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from chcverify.certificate.kernel.structure import is_parametric_value
from chcverify.terms.core import array_extensionality as module
from chcverify.terms.core.array_extensionality import TooManyReads, has_lambda, pointwise
from chcverify.terms.core.traversal import free_variables

BIT = z3.BitVecSort(1)
ROW = z3.ArraySort(BIT, BIT)
TABLE = z3.ArraySort(BIT, ROW)
_NAMED = zip("bru", (BIT, ROW, TABLE), strict=True)
BITS, ROWS, TABLES = ([z3.Const(f"{name}{i}", sort) for i in range(2)] for name, sort in _NAMED)
DOMAINS = {
    "b": [0, 1],
    "r": list(itertools.product([0, 1], repeat=2)),
    "u": list(itertools.product(itertools.product([0, 1], repeat=2), repeat=2)),
}


@st.composite
def bits(draw, depth=3, bound=()):
    plain = st.sampled_from([*BITS, *bound, z3.BitVecVal(0, 1), z3.BitVecVal(1, 1)])
    kind = draw(st.sampled_from(["plain", "select", "select", "ite"] if depth else ["plain"]))
    if kind == "select":
        return z3.Select(draw(rows(depth - 1, bound)), draw(bits(depth - 1, bound)))
    if kind == "ite":
        return z3.If(draw(formulas(depth - 1, bound)), draw(bits(depth - 1, bound)), draw(bits(depth - 1, bound)))
    return draw(plain)


@st.composite
def rows(draw, depth=3, bound=()):
    return draw(_arrays(ROWS, bits, depth, bound, lambda depth: tables(depth, bound)))


@st.composite
def tables(draw, depth=3, bound=()):
    return draw(_arrays(TABLES, rows, depth, bound, None))


@st.composite
def _arrays(draw, plain, elements, depth, bound, outer):
    kinds = ["plain", "const", "store", "ite", "lambda", "lambda"] + ["select"] * (outer is not None)
    kind = draw(st.sampled_from(kinds if depth > 0 else ["plain"]))
    if kind == "const":
        return z3.K(BIT, draw(elements(depth - 1, bound)))
    if kind == "store":
        array = draw(_arrays(plain, elements, depth - 1, bound, outer))
        return z3.Store(array, draw(bits(depth - 1, bound)), draw(elements(depth - 1, bound)))
    if kind == "ite":
        branches = [draw(_arrays(plain, elements, depth - 1, bound, outer)) for _ in range(2)]
        return z3.If(draw(formulas(depth - 1, bound)), *branches)
    if kind == "lambda":
        k = z3.Const(f"k{len(bound)}", BIT)
        return z3.Lambda([k], draw(elements(depth - 1, (*bound, k))))
    if kind == "select":
        return z3.Select(draw(outer(depth - 1)), draw(bits(depth - 1, bound)))
    return draw(st.sampled_from(plain))


@st.composite
def formulas(draw, depth=3, bound=()):
    kind = draw(st.sampled_from(["bits", "rows", "rows", "tables", "not", "and", "or", "implies", "ite", "iff"]))
    if kind in ("bits", "rows", "tables") or depth <= 0:
        terms = {"rows": rows, "tables": tables}.get(kind, bits)
        return draw(terms(depth, bound)) == draw(terms(depth, bound))
    parts = [draw(formulas(depth - 1, bound)) for _ in range(3)]
    if kind == "not":
        return z3.Not(parts[0])
    if kind == "ite":
        return z3.If(*parts)
    if kind == "iff":
        return parts[0] == parts[1]
    return z3.Implies(*parts[:2]) if kind == "implies" else (z3.And if kind == "and" else z3.Or)(parts)


def value(term, known, stack=()):
    """In Python, apart from z3: bits as 0 and 1, arrays as pairs. stack: of bound variables, the innermost first."""
    if z3.is_var(term):
        return stack[z3.get_var_index(term)]
    if z3.is_quantifier(term):
        assert term.is_lambda() and term.num_vars() == 1
        return tuple(value(term.body(), known, (bit, *stack)) for bit in (0, 1))
    if z3.is_bv_value(term):
        return term.as_long()
    kind = term.decl().kind()
    if kind == z3.Z3_OP_UNINTERPRETED:
        return known[term.decl().name()]
    parts = [value(child, known, stack) for child in term.children()]
    if kind == z3.Z3_OP_STORE:
        return tuple(parts[2] if bit == parts[1] else parts[0][bit] for bit in (0, 1))
    return {
        z3.Z3_OP_SELECT: lambda: parts[0][parts[1]],
        z3.Z3_OP_CONST_ARRAY: lambda: (parts[0], parts[0]),
        z3.Z3_OP_ITE: lambda: parts[1] if parts[0] else parts[2],
        z3.Z3_OP_EQ: lambda: parts[0] == parts[1],
        z3.Z3_OP_NOT: lambda: not parts[0],
        z3.Z3_OP_AND: lambda: all(parts),
        z3.Z3_OP_OR: lambda: any(parts),
        z3.Z3_OP_IMPLIES: lambda: not parts[0] or parts[1],
        z3.Z3_OP_TRUE: lambda: True,
        z3.Z3_OP_FALSE: lambda: False,
    }[kind]()


@settings(max_examples=80, deadline=None)
@given(formulas(), st.data())
def test_equivalent_for_all_indices(goal, data):
    changed, fresh = pointwise(goal)
    variables = free_variables(goal)
    assert {v.get_id() for v in free_variables(changed)} <= {v.get_id() for v in (*variables, *fresh)}
    for _ in range(6):
        known = {str(v): data.draw(st.sampled_from(DOMAINS[str(v)[0]])) for v in variables}
        cases = itertools.product([0, 1], repeat=len(fresh))
        names = [v.decl().name() for v in fresh]
        for_all = all(value(changed, {**known, **dict(zip(names, case, strict=True))}) for case in cases)
        assert for_all == value(goal, known)


def test_no_lambda_is_left_where_equalities_are_positive():
    i, n, k = z3.Ints("i n k")
    base = z3.Store(z3.K(z3.IntSort(), z3.IntVal(0)), 3, 4)
    left = z3.Store(z3.Lambda([k], z3.If(k < n, 7, base[k])), n, 7)
    right = z3.Lambda([k], z3.If(k < n + 1, 7, base[k]))
    goal = z3.Implies(z3.Not(left[i] == 0), z3.Or(left == right, z3.And(right == left, z3.Not(right[i] > 3))))
    changed, fresh = pointwise(goal)
    assert not has_lambda(changed)
    assert len(fresh) == 2
    assert has_lambda(pointwise(z3.Not(goal))[0])


def test_several_indices():
    i, j, k, m = z3.Ints("i j k m")
    table = z3.Lambda([k, m], k - 2 * m)
    assert pointwise(z3.Select(table, i, j) == 0)[0].eq(i - 2 * j == 0)
    changed, fresh = pointwise(table == z3.Lambda([m, k], m - k - k))
    assert [index.sort() for index in fresh] == [z3.IntSort()] * 2
    solver = z3.Solver()
    solver.add(z3.Not(changed))
    assert solver.check() == z3.unsat


def test_deep_and_wide_terms(monkeypatch):
    i, k = z3.Ints("i k")
    array = z3.K(z3.IntSort(), z3.IntVal(0))
    for index in range(5000):
        array = z3.Store(array, index, index)
    changed, _ = pointwise(z3.Select(array, z3.IntVal(4999)) == 0)
    assert changed.eq(z3.IntVal(4999) == 0)
    family = z3.Lambda([k], k)
    for _ in range(20):  # each reads the one before twice
        family = z3.Lambda([k], z3.Select(family, k) + z3.Select(family, k - 1))
    monkeypatch.setattr(module, "_MAX_READS", 500)
    assert not has_lambda(pointwise(family[i] == 0)[0])  # at the same index it is read once
    other = z3.Lambda([k], k)
    for step in range(20):
        other = z3.Lambda([k], z3.Select(other, 3 * k + step) + z3.Select(other, 2 * k + 1))
    with pytest.raises(TooManyReads):
        pointwise(other[i] == 0)


def test_families():
    n, m, k, r = *z3.Ints("n m k"), z3.Real("r")
    assert is_parametric_value(n, n)
    assert is_parametric_value(z3.Lambda([k], z3.If(k % 3 == 0, 2 * n - k, z3.K(z3.IntSort(), n)[k])), n)
    assert is_parametric_value(z3.Lambda([k, m], k - m))
    for term in (m, n * n, n / m, m % n, n / z3.IntVal(0), n % 0, z3.Lambda([k], k + m), r, z3.ToReal(n) / n):
        assert not is_parametric_value(term, n)
    assert not is_parametric_value(n)
    assert not is_parametric_value(z3.Lambda([k], k).body(), n)
    assert not is_parametric_value(z3.ForAll([k], k > n), n)
    assert not is_parametric_value(z3.Function("f", z3.IntSort(), z3.IntSort())(n), n)
