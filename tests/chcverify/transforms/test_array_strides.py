"""Indices in steps of their divisor: arrays that are filled at every fourth index, and what stays as it is."""

import pytest
import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.transforms.base import Identity
from chcverify.transforms.exact.arrays.array_bases import ArrayBases
from chcverify.transforms.exact.arrays.array_strides import ArrayStrides
from chcverify.transforms.pipeline import Pipeline

from .law import assert_derivation, assert_model

INT = z3.IntSort()
ARRAY = z3.ArraySort(INT, INT)
a = z3.Const("a", ARRAY)
base, i, j, x = z3.Ints("base i j x")
TRUE = z3.BoolVal(True)
P = Predicate("P", (INT, INT, ARRAY))
WORDS = z3.ArraySort(z3.BitVecSort(8), INT)
W = Predicate("W", (WORDS,))
w = z3.Const("w", WORDS)


def filled(address: z3.ArithRef, read: z3.ArithRef) -> HornSystem:
    """for (i = 0; i < 5; i++) a[address] = i; then a[read] < 0 is an error for 0 <= j < i."""
    return HornSystem.of(
        [
            Clause(P(base, z3.IntVal(0), a), (), TRUE),
            Clause(P(base, i + 1, z3.Store(a, address, i)), (P(base, i, a),), i < 5),
            Clause(None, (P(base, i, a),), z3.And(j >= 0, j < i, a[read] < 0)),
        ]
    )


def test_every_fourth_cell() -> None:
    system = filled(4 * i, 4 * j)
    after, back = ArrayStrides().apply(system)
    assert str(after.clauses[1].head) == str(P(base, i + 1, z3.Store(a, i, i)))
    _, count, array = P.formals
    model = Model({P: z3.ForAll([x], z3.Implies(z3.And(x >= 0, x < count), array[x] >= 0))})
    assert_model(after, model)
    assert_model(system, back.model(model))


def test_every_fourth_cell_from_an_address() -> None:
    system = filled(base + 4 * i + 8, 4 * j + base + 8)
    after, back = Pipeline((ArrayBases(), ArrayStrides()), rounds=1).apply(system)
    assert str(after.clauses[1].head) == str(P(base, i + 1, z3.Store(a, 2 + i, i)))
    _, count, array = P.formals
    model = Model({P: z3.ForAll([x], z3.Implies(z3.And(x >= 0, x < count), array[x + 2] >= 0))})
    assert_model(after, model)
    assert_model(system, back.model(model))


def test_cells_of_a_derivation_are_where_they_were() -> None:
    system = filled(base + 4 * i, base + 4 * j + 4)
    _, back = Pipeline((ArrayBases(), ArrayStrides()), rounds=1).apply(system)
    address = z3.IntVal(100)
    cells = z3.K(INT, z3.IntVal(-1))
    first = Step(0, (address, z3.IntVal(0), cells), ())
    second = Step(1, (address, z3.IntVal(1), z3.Store(cells, 0, 0)), (0,))
    derivation = back.derivation(Derivation((first, second, Step(2, (), (1,)))))
    assert_derivation(system, derivation)


UNCHANGED = {
    "no common divisor": filled(4 * i, 6 * j + 3),
    "a product of variables": filled(i * base, 4 * j),
    "words": HornSystem.of([Clause(W(z3.Store(w, 4, 1)), (), TRUE), Clause(None, (W(w),), w[8] == 2)]),
    "no access": HornSystem.of([Clause(P(base, i, a), (), TRUE), Clause(None, (P(base, i, a),), i < 0)]),
}


@pytest.mark.parametrize("name", UNCHANGED)
def test_what_stays(name: str) -> None:
    system = UNCHANGED[name]
    result, back = ArrayStrides().apply(system)
    assert result is system
    assert isinstance(back, Identity)
