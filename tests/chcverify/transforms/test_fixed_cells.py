"""Arrays at numbers as cells: the law on random systems whose arguments are kept in arrays, and what stays an array."""

import pytest
import z3
from exhaustive_systems import BITS, systems
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.roles import Role
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import conjunction
from chcverify.transforms.base import Identity
from chcverify.transforms.exact.arrays.fixed_cells import FixedCells
from chcverify.transforms.pipeline import default_pipeline

from .law import assert_derivation, assert_law, assert_law_without_arrays, assert_model

INT = z3.IntSort()
MEMORY = z3.ArraySort(BITS, BITS)
ARRAY = z3.ArraySort(INT, INT)
a, b = z3.Consts("a b", ARRAY)
i, j, x = z3.Ints("i j x")
TRUE = z3.BoolVal(True)
P = Predicate("P", (INT, ARRAY), names=("i", "a"))
Q = Predicate("Q", (ARRAY, ARRAY))


@st.composite
def memory_systems(draw: st.DrawFn) -> HornSystem:
    """A random system over two-bit vectors whose predicates have one array in the place of their arguments."""
    given_system = draw(systems(sorts=(BITS,)))
    packed = {p: Predicate(p.name, (MEMORY,)) for p in given_system.predicates}

    def clause(before: Clause) -> Clause:
        arrays = [z3.Const(f"m{k}", MEMORY) for k in range(len(before.body))]
        parts = [before.constraint]
        for array, atom in zip(arrays, before.body, strict=True):
            parts += [array[k] == argument for k, argument in enumerate(atom.arguments)]
        body = tuple(packed[atom.predicate](array) for array, atom in zip(arrays, before.body, strict=True))
        if before.head is None:
            return Clause(None, body, conjunction(parts))
        base = draw(st.sampled_from([*arrays, z3.K(BITS, z3.BitVecVal(2, 2)), z3.Const("m", MEMORY)]))
        if arrays and draw(st.booleans()):
            base = z3.If(z3.Const("v0", BITS) == 1, base, arrays[0])
        for k, argument in enumerate(before.head.arguments):
            base = z3.Store(base, k, argument)
        if draw(st.booleans()):
            return Clause(packed[before.head.predicate](base), body, conjunction(parts))
        result = z3.Const("r", MEMORY)
        return Clause(packed[before.head.predicate](result), body, conjunction([*parts, result == base]))

    return HornSystem.of(map(clause, given_system.clauses), tuple(packed.values()))


@given(system=memory_systems())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_certificates_come_back(system: HornSystem) -> None:
    assert_law_without_arrays(FixedCells(), system)


@given(system=systems())
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_systems_without_arrays_stay(system: HornSystem) -> None:
    assert_law(FixedCells(), system)
    assert FixedCells().apply(system)[0] is system


def counter(cell: z3.ArithRef, wanted: int) -> HornSystem:
    """A counter in a cell: a[7] = 0; for (i = 0; i < 3; i++) a[cell]++; then a[7] != wanted is an error."""
    return HornSystem.of(
        [
            Clause(P(z3.IntVal(0), z3.Store(a, 7, 0)), (), TRUE),
            Clause(P(i + 1, z3.Store(a, cell, a[cell] + 1)), (P(i, a),), i < 3),
            Clause(None, (P(i, a),), z3.And(i == 3, a[7] != wanted)),
        ]
    )


def test_a_counter_in_a_cell_is_an_argument() -> None:
    system = counter(z3.IntVal(7), 3)
    after, back = FixedCells().apply(system)
    (predicate,) = after.predicates
    assert predicate.sorts == (INT, INT)
    assert predicate.names == ("i", "a[7]")
    assert predicate.role(1) is Role.SCALAR
    first, cell = predicate.formals
    model = Model({predicate: z3.And(first == cell, first <= 3)})
    assert_model(after, model)
    assert_model(system, back.model(model))


def test_a_wrong_counter_is_found() -> None:
    system = counter(z3.IntVal(7), 2)
    _, back = FixedCells().apply(system)
    facts = [Step(min(k, 1), (z3.IntVal(k), z3.IntVal(k)), (k - 1,) if k else ()) for k in range(4)]
    assert_derivation(system, back.derivation(Derivation((*facts, Step(2, (), (3,))))))


DIFFERENT = Clause(None, (Q(a, b),), z3.And(a[1] == b[1], a != b))
KEPT = {
    "an index that is no number": counter(i, 3),
    "arrays that are compared": HornSystem.of([Clause(Q(a, z3.Store(b, 1, a[1])), (), TRUE), DIFFERENT]),
    "two constant arrays": HornSystem.of(
        [Clause(Q(z3.K(INT, z3.IntVal(k)), b), (), b == z3.K(INT, z3.IntVal(1))) for k in (0, 1)]
        + [Clause(None, (Q(a, a),), a[3] == 0)]
    ),
    "a quantifier": HornSystem.of(
        [Clause(P(i, a), (), z3.ForAll([j], a[j] == 0)), Clause(None, (P(i, a),), a[1] == 1)]
    ),
    "arrays in one of two cases": HornSystem.of(
        [Clause(Q(a, b), (), z3.Or(a == b, a[1] == 1)), Clause(None, (Q(a, b),), a[1] == b[1])]
    ),
    "many cells": HornSystem.of(
        [Clause(P(i, a), (), TRUE), Clause(None, (P(i, a),), conjunction([a[k] == 1 for k in range(40)]))]
    ),
}


@pytest.mark.parametrize("name", KEPT)
def test_what_stays_an_array(name: str) -> None:
    system = KEPT[name]
    result, back = FixedCells().apply(system)
    assert result is system
    assert isinstance(back, Identity)


def test_arrays_of_arrays_lose_a_dimension() -> None:
    # P(m) & m' = store(m, 1, store(m[1], x, 5)) => P(m'); P(m) & m[1][x] = 6 => false
    table = z3.ArraySort(INT, ARRAY)
    m = z3.Const("m", table)
    rows = Predicate("rows", (table,))
    zero = z3.K(INT, z3.K(INT, z3.IntVal(0)))
    system = HornSystem.of(
        [
            Clause(rows(zero), (), TRUE),
            Clause(rows(z3.Store(m, 1, z3.Store(m[1], x, z3.IntVal(5)))), (rows(m),), TRUE),
            Clause(None, (rows(m),), m[1][x] == 6),
        ]
    )
    after, back = FixedCells().apply(system)
    (predicate,) = after.predicates
    assert predicate.sorts == (ARRAY,)
    model = Model({predicate: z3.ForAll([x], predicate.formals[0][x] <= 5)})
    assert_model(after, model)
    assert_model(system, back.model(model))


def test_a_sum_in_a_block_needs_no_array() -> None:
    # the address is an argument, too: P(s, 0, a); P(s, i, a) & i < 5 => P(s, i + 1, store(a, s, a[s] + i)); a[s] < 0
    block = Predicate("block", (INT, INT, ARRAY))
    system = HornSystem.of(
        [
            Clause(block(z3.IntVal(1 << 48), z3.IntVal(0), z3.Store(a, 1 << 48, 0)), (), TRUE),
            Clause(block(x, i + 1, z3.Store(a, x, a[x] + i)), (block(x, i, a),), i < 5),
            Clause(None, (block(x, i, a),), a[x] < 0),
        ]
    )
    after, back = default_pipeline().apply(system)
    (predicate,) = after.predicates
    assert predicate.sorts == (INT, INT)
    assert_model(system, back.model(Model({predicate: z3.And(*(formal >= 0 for formal in predicate.formals))})))


def test_a_fact_about_any_array_comes_back() -> None:
    system = HornSystem.of([Clause(P(i, a), (), a[2] == i), Clause(None, (P(i, a),), i == 4)])
    after, back = FixedCells().apply(system)
    four = z3.IntVal(4)
    derivation = Derivation((Step(0, (four, four), ()), Step(1, (), (0,))))
    assert_derivation(after, derivation)
    assert_derivation(system, back.derivation(derivation))
