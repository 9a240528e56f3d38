"""Bounds of scalars decide what wraps around, and certificates come back in both directions."""

import time

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.portfolio.variants import SystemVariants
from chcverify.transforms.abstractions.invariant_simplification import (
    InvariantSimplification,
    reads_at_ites,
    without_arrays,
)

INT = z3.IntSort()
ARRAY = z3.ArraySort(INT, INT)
LOOP = Predicate("loop", (INT, INT, ARRAY), None, ("i", "j", "a"))
i, j, k = z3.Ints("i j k")
a = z3.Array("a", INT, INT)


def wrapped(term):
    return z3.If(term <= 2**31 - 1, term, term - 2**32)


def follows(bad):
    """for (i = 1, j = 0; i < 100; i++, j++) a[j + 1] = 7, where only i is tested; bad is an error."""
    return HornSystem.of(
        (
            Clause(LOOP(i, j, a), (), z3.And(i == 1, j == 0)),
            Clause(LOOP(i + 1, wrapped(j + 1), z3.Store(a, wrapped(j + 1), 7)), (LOOP(i, j, a),), i < 100),
            Clause(None, (LOOP(i, j, a),), bad),
        )
    )


def test_choices_in_indices_are_seen():
    assert reads_at_ites(follows(j > 200))
    assert not reads_at_ites(without_arrays(follows(j > 200))[0])


def test_bounds_decide_and_models_get_all():
    system = follows(j >= 100)
    x, y, _ = LOOP.formals
    invariant = z3.And(x == y + 1, x <= 100, y <= 99)
    plainer, back = InvariantSimplification({LOOP: invariant}).apply(system)
    assert plainer.clauses[1].head.arguments[1].eq(z3.simplify(j + 1))
    assert plainer.clauses[1].constraint.eq(i < 100)
    model = back.model(Model({LOOP: z3.BoolVal(True)}))
    assert certify(system, model, time.monotonic() + 600).accepted


def test_derivations_stay():
    system = follows(j == 0)
    plainer, back = InvariantSimplification({LOOP: LOOP.formals[1] <= 99}).apply(system)
    array = z3.K(INT, z3.IntVal(0))
    steps = (Step(0, (z3.IntVal(1), z3.IntVal(0), array), ()), Step(2, (), (0,)))
    for clauses in (plainer, system):
        assert certify(clauses, back.derivation(Derivation(steps)), time.monotonic() + 600).accepted


def test_cells_are_written_without_wrap_around():
    written = z3.And(k >= 1, k <= j, a[k] != 7)
    form = SystemVariants(time.monotonic() + 600).cells(follows(written))
    assert form is not None
    cells, back, _ = form
    assert "4294967296" not in str(cells)
    loop = next(p for p in cells.predicates if "a[k'0]" in p.names)
    named = dict(zip(loop.names, loop.formals, strict=True))
    filled = z3.Or(named["k'0"] < 1, named["k'0"] > named["j"], named["a[k'0]"] == 7)
    model = Model({p: filled if p is loop else z3.BoolVal(True) for p in cells.predicates})
    assert certify(follows(written), back.model(model), time.monotonic() + 600).accepted
