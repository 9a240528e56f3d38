"""Indices counted from bases: the law on random systems, arrays filled at an address, and what stays as it is."""

import pytest
import z3
from exhaustive_systems import BITS, systems
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import conjunction, free_variables, subterms
from chcverify.transforms.base import Identity, TranslationError
from chcverify.transforms.exact.arrays.array_bases import ArrayBases
from chcverify.transforms.exact.arrays.fixed_cells import FixedCells
from chcverify.transforms.pipeline import Pipeline

from .law import assert_derivation, assert_law_without_arrays, assert_model

INT = z3.IntSort()
ARRAY = z3.ArraySort(INT, INT)
MEMORY = z3.ArraySort(BITS, BITS)
a, b = z3.Consts("a b", ARRAY)
base, other, i, j, x = z3.Ints("base other i j x")
TRUE = z3.BoolVal(True)
P = Predicate("P", (INT, INT, ARRAY))


@st.composite
def memory_systems(draw: st.DrawFn) -> HornSystem:
    """A random system over two-bit vectors whose arguments are cells at 0, 1, ... from a base that clauses keep."""
    given_system = draw(systems(sorts=(BITS,)))
    packed = {p: Predicate(p.name, (BITS, MEMORY)) for p in given_system.predicates}
    address = z3.Const("address", BITS)

    def clause(before: Clause) -> Clause:
        arrays = [z3.Const(f"m{k}", MEMORY) for k in range(len(before.body))]
        parts = [before.constraint]
        for array, atom in zip(arrays, before.body, strict=True):
            parts += [array[address + k] == argument for k, argument in enumerate(atom.arguments)]
        body = tuple(packed[atom.predicate](address, array) for array, atom in zip(arrays, before.body, strict=True))
        if before.head is None:
            return Clause(None, body, conjunction(parts))
        written = draw(st.sampled_from([*arrays, z3.K(BITS, z3.BitVecVal(2, 2)), z3.Const("m", MEMORY)]))
        for k, argument in enumerate(before.head.arguments):
            written = z3.Store(written, k + address, argument)
        return Clause(packed[before.head.predicate](address, written), body, conjunction(parts))

    return HornSystem.of(map(clause, given_system.clauses), tuple(packed.values()))


@given(system=memory_systems())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_certificates_come_back(system: HornSystem) -> None:
    assert_law_without_arrays(Pipeline((ArrayBases(), FixedCells()), rounds=1), system)


@given(system=systems())
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_systems_without_arrays_stay(system: HornSystem) -> None:
    assert ArrayBases().apply(system)[0] is system


def filled(read: z3.ArithRef) -> HornSystem:
    """for (i = 0; i < 5; i++) a[base + i] = 7; then a[read] != 7 is an error for 0 <= j < 5."""
    return HornSystem.of(
        [
            Clause(P(base, z3.IntVal(0), a), (), TRUE),
            Clause(P(base, i + 1, z3.Store(a, i + base, 7)), (P(base, i, a),), i < 5),
            Clause(None, (P(base, i, a),), z3.And(i >= 5, j >= 0, j < 5, a[read] != 7)),
        ]
    )


def test_an_array_that_is_filled_from_an_address() -> None:
    system = filled(base + j)
    after, back = ArrayBases().apply(system)
    indices = [term for clause in after.clauses for term in _indices(clause)]
    assert indices
    assert not any(base.eq(variable) for term in indices for variable in free_variables(term))
    _, count, array = P.formals
    model = Model({P: z3.ForAll([x], z3.Implies(z3.And(x >= 0, x < count), array[x] == 7))})
    assert_model(after, model)
    assert_model(system, back.model(model))


def _indices(clause: Clause) -> list[z3.ExprRef]:
    terms = subterms(clause.constraint, *(a for atom in clause.applications for a in atom.arguments))
    return [term.arg(1) for term in terms if z3.is_select(term) or z3.is_store(term)]


def test_cells_of_a_derivation_are_moved() -> None:
    system = filled(base + j + 1)
    _, back = ArrayBases().apply(system)
    address, zeros = z3.IntVal(100), z3.K(INT, z3.IntVal(0))
    arrays = [zeros]
    for k in range(5):
        arrays.append(z3.Store(arrays[-1], k, 7))
    facts = [Step(min(k, 1), (address, z3.IntVal(k), arrays[k]), (k - 1,) if k else ()) for k in range(6)]
    derivation = back.derivation(Derivation((*facts, Step(2, (), (5,)))))
    assert z3.simplify(derivation.ground_steps[5].arguments[2][100]).eq(z3.IntVal(7))
    assert_derivation(system, derivation)


def test_an_array_without_known_cells_is_refused() -> None:
    _, back = ArrayBases().apply(filled(base + j))
    with pytest.raises(TranslationError, match="not given by its cells"):
        back.derivation(Derivation((Step(0, (z3.IntVal(1), z3.IntVal(0), a), ()),)))


TWO = Predicate("two", (INT, INT, ARRAY, ARRAY))
SWITCHES = z3.ArraySort(z3.BoolSort(), INT)
SWITCH = Predicate("switch", (z3.BoolSort(), SWITCHES))
flag, switches = z3.Bool("flag"), z3.Const("switches", SWITCHES)
WORD = Predicate("word", (BITS, ARRAY))
word = z3.Const("word", BITS)
UNCHANGED = {
    "an access that does not add the base": filled(j),
    "a base that grows": HornSystem.of(
        [
            Clause(P(base, i, z3.Store(a, base, 1)), (), TRUE),
            Clause(P(base + 1, i, z3.Store(a, base, 1)), (P(base, i, a),), TRUE),
            Clause(None, (P(base, i, a),), a[base] == 2),
        ]
    ),
    "twice the base": HornSystem.of(
        [Clause(P(base, i, z3.Store(a, base + base, 1)), (), TRUE), Clause(None, (P(base, i, a),), a[2 * base] == 2)]
    ),
    "arrays with different bases that are equal": HornSystem.of(
        [
            Clause(TWO(base, other, a, a), (), TRUE),
            Clause(None, (TWO(base, other, a, b),), a[base] != b[other]),
        ]
    ),
    "truth values": HornSystem.of(
        [
            Clause(SWITCH(flag, z3.Store(switches, flag, 1)), (), TRUE),
            Clause(None, (SWITCH(flag, switches),), switches[flag] == 2),
        ]
    ),
    "the number of a word": HornSystem.of(
        [
            Clause(WORD(word, z3.Store(a, z3.BV2Int(word), 1)), (), TRUE),
            Clause(None, (WORD(word, a),), a[z3.BV2Int(word)] == 2),
        ]
    ),
    "a quantifier": HornSystem.of(
        [Clause(P(base, i, a), (), z3.ForAll([j], a[base + j] == 0)), Clause(None, (P(base, i, a),), a[base] == 1)]
    ),
}


@pytest.mark.parametrize("name", UNCHANGED)
def test_what_stays(name: str) -> None:
    system = UNCHANGED[name]
    result, back = ArrayBases().apply(system)
    assert result is system
    assert isinstance(back, Identity)


def test_two_arrays_have_two_bases() -> None:
    system = HornSystem.of(
        [
            Clause(TWO(base, other, a, z3.Store(b, other, a[base])), (), TRUE),
            Clause(None, (TWO(base, other, a, b),), a[base] != b[other]),
        ]
    )
    after, back = ArrayBases().apply(system)
    assert {str(index) for clause in after.clauses for index in _indices(clause)} == {"0"}
    _, _, left, right = TWO.formals
    model = Model({TWO: left[0] == right[0]})
    assert_model(after, model)
    assert_model(system, back.model(model))
