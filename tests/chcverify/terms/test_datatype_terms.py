"""Terms of datatypes: constructors, fields, and equations solved for variables."""

import pytest
import z3

from chcverify.terms.datatype_terms import clamped, constructor_number, fields, is_enumeration, solved

_PAIR = z3.Datatype("IntPair")
_PAIR.declare("none")
_PAIR.declare("both", ("first", z3.IntSort()), ("second", z3.IntSort()))
PAIR = _PAIR.create()
COLOUR, (RED, GREEN) = z3.EnumSort("Colour", ("red", "green"))
p, q = z3.Consts("p q", PAIR)
n = z3.Int("n")


def test_constructors() -> None:
    assert constructor_number(PAIR.both(n, n)) == 1
    assert constructor_number(PAIR.none) == 0
    assert constructor_number(p) is None
    assert is_enumeration(COLOUR)
    assert not is_enumeration(PAIR)
    assert [str(field) for field in fields(PAIR, 1, p)] == ["first(p)", "second(p)"]


@pytest.mark.parametrize(("value", "expected"), [(-3, 0), (1, 1), (9, 2)])
def test_clamped(value: int, expected: int) -> None:
    assert z3.simplify(clamped(z3.IntVal(value), 0, 2)).as_long() == expected


def test_equations_are_solved() -> None:
    constraint, terms = solved(z3.And(p == PAIR.both(n, 1), q == p, n > 0), [p, q])
    assert all(term.eq(PAIR.both(n, 1)) for term in terms)
    assert z3.is_true(z3.simplify(constraint == (n > 0)))


def test_equations_of_constructors_are_taken_apart() -> None:
    constraint, _ = solved(PAIR.both(n, 1) == PAIR.both(2, 1), [])
    assert z3.is_true(z3.simplify(constraint == (n == 2)))
    constraint, _ = solved(PAIR.both(n, 1) == PAIR.none, [])
    assert z3.is_false(constraint)
