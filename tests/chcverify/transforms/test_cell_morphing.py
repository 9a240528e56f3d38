"""Array cells: models of the system over cells are models of the system over arrays; derivations do not come back."""

import time

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe
from chcverify.transforms.abstractions.cell_morphing import CellMorphing
from chcverify.transforms.base import Chain, Identity, TranslationError
from chcverify.transforms.exact.normalisation import Normalise
from solvers.engine import Context, NoBus
from solvers.registry import get

INT = z3.IntSort()
ARRAY = z3.ArraySort(INT, INT)
LOOP = Predicate("loop", (INT, INT, ARRAY, ARRAY))
DONE = Predicate("done", (INT, INT, ARRAY, ARRAY))
i, n, k = z3.Ints("i n k")
a, b = z3.Array("a", INT, INT), z3.Array("b", INT, INT)
EXPRESSIONS = {
    "constant": lambda: z3.IntVal(7),
    "counter": lambda: i,
    "copy": lambda: b[i],
    "copy shifted": lambda: b[i + 1],
    "own cell before": lambda: a[i - 1],
    "indirect": lambda: a[b[i]],
}
PROPERTIES = {
    "constant": lambda: a[k] == 7,
    "counter": lambda: a[k] == k,
    "copy": lambda: a[k] == b[k],
    "bound": lambda: a[k] <= n,
}


def filled(written, wanted, step=1):
    """for (i = 0; i < n; i += step) a[i] = written; then every a[k] with 0 <= k < n is as wanted."""
    return HornSystem.of(
        (
            Clause(LOOP(i, n, a, b), (), i == 0),
            Clause(LOOP(i + step, n, z3.Store(a, i, written), b), (LOOP(i, n, a, b),), i < n),
            Clause(DONE(k, n, a, b), (LOOP(i, n, a, b),), z3.And(i >= n, k >= 0, k < n)),
            Clause(None, (DONE(k, n, a, b),), z3.Not(wanted)),
        )
    )


def solve(engine, system, seconds=600.0):
    system, back = Normalise().apply(system)
    result = get(engine).solve(system, Context(time.monotonic() + seconds, 0, NoBus(), lambda *_: None, {}, {}))
    return result, back


@pytest.mark.parametrize("what", ["constant", "counter", "copy"])
def test_a_filled_array(what):
    system = filled(EXPRESSIONS[what](), PROPERTIES[what]())
    cells, back = CellMorphing().apply(system)
    assert not any(isinstance(sort, z3.ArraySortRef) for predicate in cells.predicates for sort in predicate.sorts)
    result, normal = solve("df-segments", cells)
    assert isinstance(result, Safe)
    model = back.model(normal.model(result.model))
    assert certify(system, model, time.monotonic() + 600).accepted


def test_indices_are_counted_from_the_address_of_a_block():
    # int *a = malloc(...); a[0] = 0; for (i = 1; i < n; i++) a[i] = a[i - 1] + i; then a[0] is still 0
    block = 1 << 48
    first = z3.Store(a, block, z3.IntVal(0))
    system = HornSystem.of(
        (
            Clause(LOOP(i, n, first, b), (), i == 1),
            Clause(LOOP(i + 1, n, z3.Store(a, block + i, a[block - 1 + i] + i), b), (LOOP(i, n, a, b),), i < n),
            Clause(None, (LOOP(i, n, a, b),), z3.And(i >= 1, a[block] != 0)),
        )
    )
    cells, back = CellMorphing().apply(system)
    assert str(block) not in str(z3.simplify(cells.clauses[1].constraint))
    (predicate,) = cells.predicates
    counter, _, index, *values = predicate.formals
    model = back.model(Model({predicate: z3.And(counter >= 1, z3.Implies(index == 0, values[0] == 0))}))
    assert certify(system, model, time.monotonic() + 600).accepted


def test_indices_below_and_beside_an_address_are_counted_from_0():
    # the array is read at x - 2^48 and at y: no block begins where all of its indices begin
    read = z3.And(a[i - (1 << 48)] == 0, a[n] != 0)
    system = HornSystem.of((Clause(LOOP(i, n, a, b), (), a[n] == 0), Clause(None, (LOOP(i, n, a, b),), read)))
    cells, _ = CellMorphing().apply(system)
    indices = [atom.arguments[2] for atom in cells.clauses[1].body]
    assert {str(z3.simplify(index)) for index in indices} == {str(z3.simplify(i - (1 << 48))), "n"}


@settings(deadline=None, max_examples=20)
@given(st.sampled_from(sorted(EXPRESSIONS)), st.sampled_from(sorted(PROPERTIES)), st.integers(1, 2), st.integers(1, 2))
def test_models_come_back(written, wanted, step, indices):
    system = filled(EXPRESSIONS[written](), PROPERTIES[wanted](), step)
    cells, back = CellMorphing(indices).apply(system)
    result, normal = solve("spacer", cells, 0.3)
    if isinstance(result, Safe):
        found = certify(system, back.model(normal.model(result.model)), time.monotonic() + 5, "off")
        assert found.accepted or "counterexample" not in found.reason, found.reason


def test_arrays_of_arrays():
    matrix = z3.Array("m", INT, ARRAY)
    clause_rows = Predicate("rows", (INT, matrix.sort()))
    j = z3.Int("j")
    system = HornSystem.of(
        (
            Clause(clause_rows(i, matrix), (), i == 0),
            Clause(
                clause_rows(i + 1, z3.Store(matrix, i, z3.Store(matrix[i], 0, 5))),
                (clause_rows(i, matrix),),
                z3.BoolVal(True),
            ),
            Clause(None, (clause_rows(i, matrix),), z3.And(j >= 0, j < i, matrix[j][0] != 5)),
        )
    )
    rows_only, outer = CellMorphing().apply(system)
    cells, inner = CellMorphing().apply(rows_only)
    back = Chain((outer, inner))
    (cell,) = cells.predicates
    assert cell.sorts == (INT, INT, INT, INT)
    count, clause_row, column, value = cell.formals
    model = Model({cell: z3.Or(clause_row < 0, clause_row >= count, column != 0, value == 5)})
    assert certify(system, back.model(model), time.monotonic() + 600).accepted


def test_derivations_do_not_come_back():
    _, back = CellMorphing().apply(filled(z3.IntVal(7), a[k] == 7))
    with pytest.raises(TranslationError):
        back.derivation(Derivation(()))


def test_a_system_without_arrays_stays():
    point = Predicate("point", (INT,))
    system = HornSystem.of((Clause(point(i), (), i == 0),))
    same, back = CellMorphing().apply(system)
    assert same is system and isinstance(back, Identity)
