"""Walks on handles against their definitions on z3py terms."""

import pytest
import z3
from horn_generate import systems
from hypothesis import given, settings

from chcverify.horn.system import HornSystem
from chcverify.terms.core.traversal import (
    applications_of,
    fold,
    free_variables,
    is_nonlinear,
    is_plain_arithmetic,
    is_quantifier_free,
    is_variable,
    subterms,
)


def reference(*roots: z3.ExprRef) -> list[z3.ExprRef]:
    out: dict[int, z3.ExprRef] = {}
    stack = list(roots)
    while stack:
        term = stack.pop()
        out.setdefault(term.get_id(), term)
        stack.extend(term.children())
    return list(out.values())


@settings(max_examples=50, deadline=None)
@given(system=systems())
def test_walks(system: HornSystem) -> None:
    roots = [clause.constraint for clause in system.clauses]
    found, expected = list(subterms(*roots)), reference(*roots)
    assert {term.get_id() for term in found} == {term.get_id() for term in expected}
    assert len(found) == len(expected)
    place = {term.get_id(): i for i, term in enumerate(found)}
    assert all(place[child.get_id()] < place[term.get_id()] for term in found for child in term.children())
    variables = free_variables(*roots)
    assert {v.get_id() for v in variables} == {term.get_id() for term in expected if is_variable(term)}
    assert [type(term) for term in variables] == [type(z3.Const(v.decl().name(), v.sort())) for v in variables]
    for root in roots:
        height = fold(root, lambda _, below: 1 + max(below, default=0))
        assert height <= len(reference(root))


def test_walks_go_below_quantifiers_and_deep() -> None:
    x, y = z3.Ints("x y")
    assert free_variables(z3.ForAll([x], x > y)) == (y,)
    assert free_variables() == ()
    term = x
    for _ in range(10_000):
        term = term + y
    assert sum(1 for _ in subterms(term)) == 10_002


def test_quantifier_free() -> None:
    n = z3.Int("n")
    assert is_quantifier_free(n + 1 > 0)
    assert not is_quantifier_free(z3.And(n > 0, z3.ForAll([n], n > 1)))
    assert not is_quantifier_free(z3.Lambda([n], n)[3] > 0)


def test_applications_of_a_function_are_found_once_each():
    x = z3.Int("x")
    term = z3.And(x + 1 > (x + 1) * 2, z3.ForAll([x], x + 3 > 2), z3.K(z3.IntSort(), x + 2)[x] == 0)
    expected = [part for part in subterms(term) if z3.is_app_of(part, z3.Z3_OP_ADD)]
    found = list(applications_of(term, z3.Z3_OP_ADD))
    assert len(found) == 3 and [part.eq(other) for part, other in zip(found, expected, strict=True)] == [True] * 3
    assert list(applications_of(term, z3.Z3_OP_MUL)) == [(x + 1) * 2]
    assert list(applications_of(x, z3.Z3_OP_ADD)) == []


def test_negated_numerals_and_quotients_of_numerals_are_numbers() -> None:
    """As clauses and models write them; z3 folds them only where it simplifies."""
    names = "(declare-fun x () Int) (declare-fun y () Int) (declare-fun r () Real)"
    for text, expected in (
        ("(> (* (- 1) x) 0)", False),
        ("(> (* (/ 1 2) r) 0.0)", False),
        ("(> (* (- (/ 1 2)) r) 0.0)", False),
        ("(> (mod x (- 3)) 0)", False),
        ("(> (* (- x) y) 0)", True),
        ("(> (* (+ y 1) x) 0)", True),
        ("(> (mod 7 x) 0)", True),
    ):
        (formula,) = z3.parse_smt2_string(f"{names} (assert {text})")
        assert any(map(is_nonlinear, subterms(formula))) == expected, text


X, Y, R, B = z3.Int("x"), z3.Int("y"), z3.Real("r"), z3.Bool("b")
A = z3.Array("a", z3.IntSort(), z3.IntSort())


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ([], True),
        ([z3.And(B, X + 2 * Y <= 3, z3.Implies(X == 1, R < 2))], True),
        ([X % 4 == 1], False),
        ([2**40 * X <= Y], False),
        ([X**2 == Y], False),
        ([X, z3.If(B, z3.ToReal(X), R) > -1], True),
        ([X, X * Y], False),
        ([z3.And(B, X % Y == 0)], False),
        ([A], False),
        ([z3.Select(A, X) == 1], False),
        ([z3.BitVec("w", 8) == 3], False),
        ([z3.Function("f", z3.IntSort(), z3.IntSort())(X) == 0], False),
        ([z3.ForAll(X, X > Y)], False),
        ([z3.Exists(X, X > Y)], False),
    ],
)
def test_plain_arithmetic(terms, expected):
    """Elsewhere only z3's clock ends some of its steps: a question of `df-poly` took ten minutes, one about
    (1103515245 * x + 12345) mod 2^32 took 13 seconds."""
    assert is_plain_arithmetic(*terms) is expected
