"""Values of facts: numbers, Booleans, arrays, and ANY where a fact holds whatever the value is.

Bit-vectors are unsigned ints, reals Fractions. What is computed from ANY is ANY, unless the other operands decide it.
(Explicit values with an unknown one, as in Beyer, Löwe: Explicit-State Software Model Checking Based on CEGAR and
Interpolation, FASE 2013, Section 2.)
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import z3

from chcverify.effort import MAX_BUILT
from chcverify.terms.evaluation.python_code import NotComputable, compile_operator
from chcverify.terms.native.arena import Arena, ArenaTerm


class Undecided(Exception):
    """Raised if a choice depends on ANY."""


class AnyValue:
    """The class of ANY. Equality is identity: facts are compared as they are."""

    __slots__ = ()

    def _result(self, *_: object) -> "AnyValue":
        return ANY

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __abs__ = _result
    __floordiv__ = __rfloordiv__ = __truediv__ = __rtruediv__ = __mod__ = __rmod__ = _result
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __invert__ = _result
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _result
    __lt__ = __le__ = __gt__ = __ge__ = _result

    def __bool__(self) -> bool:
        raise Undecided

    def __repr__(self) -> str:
        return "ANY"


ANY = AnyValue()


class Others(AnyValue):
    """All values but those in `excluded`. Equality is that of the sets; what is computed from it is ANY."""

    __slots__ = ("excluded",)

    def __init__(self, excluded: frozenset["Value"]) -> None:
        self.excluded = excluded

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Others) and self.excluded == other.excluded

    def __hash__(self) -> int:
        return hash(self.excluded)

    def __repr__(self) -> str:
        return f"ANY except {sorted(map(repr, self.excluded))}"


class Cells:
    """An array: `default` except in `cells`, whose values differ from it. Immutable. known: True if no value is ANY."""

    __slots__ = ("_hash", "cells", "default", "known")

    def __init__(self, default: "Value", cells: Mapping["Value", "Value"]) -> None:
        self.default = default
        self.cells = cells
        self.known: bool = is_exact(default) and all(map(is_exact, cells.values()))
        self._hash = hash((default, frozenset(cells.items())))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Cells)
            and self._hash == other._hash
            and self.default == other.default
            and self.cells == other.cells
        )


Value = int | bool | Fraction | Cells | AnyValue
Truth = bool | AnyValue


def read(array: Value, index: Value) -> Value:
    """The element of the array at the index; ANY if either is unknown."""
    if not isinstance(array, Cells):
        return ANY
    if not array.cells:
        return array.default
    return ANY if not is_exact(index) else array.cells.get(index, array.default)


def store(array: Value, index: Value, value: Value) -> Value:
    """The array after a store; a store at an unknown index makes the whole array ANY."""
    if not is_exact(index):
        return ANY
    default = array.default if isinstance(array, Cells) else ANY
    cells = dict(array.cells) if isinstance(array, Cells) else {}
    if value == default:
        cells.pop(index, None)
    else:
        cells[index] = value
    return constant(default) if not cells else Cells(default, cells)


def constant(value: Value) -> Value:
    """The array with this value everywhere."""
    return ANY if value is ANY else Cells(value, {})


def equal(left: Value, right: Value) -> Truth:
    """Equality of values; ANY if it depends on ANY, or for arrays on an element outside all cells."""
    if isinstance(left, AnyValue) or isinstance(right, AnyValue):
        return False if _excludes(left, right) or _excludes(right, left) else ANY
    if not isinstance(left, Cells) or not isinstance(right, Cells):
        return left == right
    if left == right:
        return True if left.known else ANY
    parts = [equal(read(left, cell), read(right, cell)) for cell in left.cells.keys() | right.cells.keys()]
    if False in parts:
        return False
    return ANY  # the defaults differ, but the cells may be all that there are


def _excludes(left: Value, right: Value) -> bool:
    return isinstance(left, Others) and right in left.excluded


def is_exact(value: Value) -> bool:
    """True if the value contains no ANY."""
    return value.known if isinstance(value, Cells) else not isinstance(value, AnyValue)


def is_large(value: Value) -> bool:
    """True if the value contains a number, indices aside, longer than `MAX_BUILT`."""
    if isinstance(value, Cells):
        return any(map(is_large, (value.default, *value.cells.values())))
    if isinstance(value, Fraction):
        return max(abs(value.numerator), value.denominator).bit_length() > MAX_BUILT
    return isinstance(value, int) and value.bit_length() > MAX_BUILT


def _conjunction(*parts: Truth) -> Truth:
    return False if False in parts else ANY if ANY in parts else True


def _disjunction(*parts: Truth) -> Truth:
    return True if True in parts else ANY if ANY in parts else False


def _implication(left: Truth, right: Truth) -> Truth:
    return True if left is False or right is True else ANY if ANY in (left, right) else False


def _choice(condition: Truth, then: Value, otherwise: Value) -> Value:
    if condition is ANY:
        return then if then == otherwise else ANY
    return then if condition else otherwise


def _distinct(*terms: Value) -> Truth:
    pairs = [equal(a, b) for i, a in enumerate(terms) for b in terms[:i]]
    return False if True in pairs else ANY if ANY in pairs else True


def _unknown(*_: Value) -> AnyValue:
    return ANY


_OPERATIONS: Mapping[int, Callable[..., Value]] = {
    z3.Z3_OP_EQ: equal,
    z3.Z3_OP_IFF: equal,
    z3.Z3_OP_DISTINCT: _distinct,
    z3.Z3_OP_XOR: _distinct,
    z3.Z3_OP_AND: _conjunction,
    z3.Z3_OP_OR: _disjunction,
    z3.Z3_OP_IMPLIES: _implication,
    z3.Z3_OP_ITE: _choice,
    z3.Z3_OP_SELECT: read,
    z3.Z3_OP_STORE: store,
    z3.Z3_OP_CONST_ARRAY: constant,
}


def function_of(arena: Arena, term: ArenaTerm) -> Callable[..., Any]:
    """The function of the term's outermost operation on values; it may raise Undecided or NotComputable.

    Operations without an implementation yield ANY.
    """
    own = _OPERATIONS.get(arena.kind(term))
    if own is not None:
        return own
    try:
        return compile_operator(arena.wrap(term))
    except NotComputable:
        return _unknown


def numeral(term: z3.ExprRef) -> Value:
    """The value of a numeral or Boolean constant; ANY for terms of other sorts."""
    if z3.is_true(term) or z3.is_false(term):
        return bool(z3.is_true(term))
    if isinstance(term, z3.IntNumRef | z3.BitVecNumRef):
        return int(term.as_long())
    return Fraction(term.as_fraction()) if isinstance(term, z3.RatNumRef) else ANY


def zero(sort: z3.SortRef) -> Value:
    """A default value of the sort; ANY for sorts without values here."""
    if isinstance(sort, z3.ArraySortRef):
        return constant(zero(sort.range()))
    if sort == z3.RealSort():
        return Fraction(0)
    if sort == z3.BoolSort():
        return False
    return 0 if sort.kind() in (z3.Z3_INT_SORT, z3.Z3_BV_SORT) else ANY


def term_of(value: Value, sort: z3.SortRef) -> z3.ExprRef:
    """A value without ANY as a term of the sort."""
    if isinstance(value, Cells):
        assert isinstance(sort, z3.ArraySortRef)
        term = z3.K(sort.domain(), term_of(value.default, sort.range()))
        for index, element in value.cells.items():
            term = z3.Store(term, term_of(index, sort.domain()), term_of(element, sort.range()))
        return term
    assert not isinstance(value, AnyValue)
    if sort == z3.BoolSort():
        return z3.BoolVal(bool(value))
    if isinstance(sort, z3.BitVecSortRef):
        return z3.BitVecVal(int(value), sort)
    return (z3.IntVal if sort == z3.IntSort() else z3.RealVal)(value)
