"""Terms of algebraic data types."""

import z3

from chcverify.terms.datatype_terms import clamped, constructor_number, fields, is_datatype, is_enumeration, solved

_LIST = z3.Datatype("Numbers")
_LIST.declare("nil")
_LIST.declare("cons", ("head", z3.IntSort()), ("tail", _LIST))
LIST = _LIST.create()
COLOUR, (RED, GREEN) = z3.EnumSort("Colour", ("red", "green"))
x = z3.Int("x")
one, two = z3.Consts("one two", LIST)


def test_constructors_and_fields() -> None:
    assert is_datatype(one) and not is_datatype(x)
    assert is_enumeration(COLOUR) and not is_enumeration(LIST)
    assert [constructor_number(term) for term in (LIST.nil, LIST.cons(x, one), one)] == [0, 1, None]
    head, tail = map(z3.simplify, fields(LIST, 1, LIST.cons(x, one)))
    assert head.eq(x) and tail.eq(one)
    assert fields(LIST, 0, one) == []


def test_equations_define_variables() -> None:
    constraint, terms = solved(z3.And(one == LIST.cons(x, two), two == LIST.nil, x > 3), [one, LIST.tail(one)])
    assert constraint.eq(z3.simplify(x > 3))
    assert terms[0].eq(LIST.cons(x, LIST.nil)) and terms[1].eq(LIST.nil)


def test_values_between_bounds() -> None:
    for low, high in ((None, None), (2, None), (None, 5), (2, 5)):
        for value in range(9):
            above = value if high is None else min(value, high)
            expected = above if low is None else max(above, low)
            assert z3.simplify(clamped(z3.IntVal(value), low, high)).as_long() == expected
