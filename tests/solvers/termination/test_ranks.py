"""Ranks are found where there are linear ones, and their proofs are accepted."""

import time

import pytest
import z3

from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.certificate.termination import RankingProof
from chcverify.horn.system import Clause, HornSystem, Predicate
from solvers.engine import Context
from solvers.termination.linear_cubes import CONSTANT, cube_of
from solvers.termination.proofs import PRESETS, prove_with_invariants
from solvers.termination.ranking_search import NotFound, prove
from solvers.termination.relaxation import relaxed
from solvers.termination.searched_paths import cut_points_of
from solvers.termination.templates import CubeStep, LinearRanks
from tests.chcverify.certificate.termination_systems import endless, nested, phases, recursion

x, y, other = z3.Ints("x y other")
swap, least = z3.Bool("swap"), z3.If(x < y, x, y)


def accepted(system: HornSystem, proof: RankingProof) -> bool:
    return certify(system, proof, time.monotonic() + 600, "off").accepted


@pytest.mark.parametrize("make", [nested, phases, recursion])
def test_ranks_relative_to_a_model(make: object) -> None:
    system, known = make()  # type: ignore[operator]
    assert accepted(system, prove(system, known.model, time.monotonic() + 600, is_thorough=True))


def loop(arguments: tuple[z3.ArithRef, ...], after: tuple[z3.ArithRef, ...], guard: z3.BoolRef) -> HornSystem:
    """head(any) and guard & head(arguments) => head(after)."""
    head = Predicate("head", (z3.IntSort(),) * len(arguments))
    return HornSystem.of(
        [Clause(head(*arguments), (), z3.BoolVal(True)), Clause(head(*after), (head(*arguments),), guard)]
    )


CASES = {
    "a counter that wraps from -8 to 7": loop((x,), (z3.If(x == -8, z3.IntVal(7), x - 1),), z3.And(x != 0, x >= -8)),
    "the smaller of two, which stays in one of them": loop(
        (x, y), (z3.If(swap, other, least - 1), z3.If(swap, least - 1, other)), z3.And(x > 0, y > 0)
    ),
}
LINEAR = {
    "x decreases by 2 y - 1, and 2 y >= 1": loop((x, y), (x - 2 * y + 1, y), z3.And(x >= 0, 2 * y >= 1)),
    "a quotient by a variable": loop((x, y), (x / y, y), z3.And(x >= y, y > 1)),
}


@pytest.mark.parametrize("system", CASES.values(), ids=CASES)
def test_ranks_with_cases(system: HornSystem) -> None:
    with pytest.raises(NotFound):
        prove(system, true_model(system), time.monotonic() + 600, is_thorough=False)
    assert accepted(system, prove(system, true_model(system), time.monotonic() + 600, is_thorough=True))


@pytest.mark.parametrize("system", LINEAR.values(), ids=LINEAR)
def test_linear_ranks_of_integers(system: HornSystem) -> None:
    assert accepted(system, prove(system, true_model(system), time.monotonic() + 600, is_thorough=False))


def test_no_ranks_for_a_run_that_does_not_end() -> None:
    system, _ = endless()
    with pytest.raises(NotFound, match="head"):
        prove(system, true_model(system), time.monotonic() + 20, is_thorough=True)


def test_invariants_of_abstract_interpretation() -> None:
    """for (y = 2, x = any; x > 0; x -= y): without y > 0 there is no rank."""
    head = Predicate("head", (z3.IntSort(), z3.IntSort()))
    clauses = [
        Clause(head(x, z3.IntVal(2)), (), z3.BoolVal(True)),  # head(x, 2)
        Clause(head(x - y, y), (head(x, y),), x > 0),  # head(x, y) & x > 0 => head(x - y, y)
    ]
    system = HornSystem.of(clauses)
    with pytest.raises(NotFound):
        prove_with_invariants(system, true_model(system), (), Context.within(20))
    assert accepted(system, prove_with_invariants(system, true_model(system), PRESETS, Context.within(600)))


def test_without_cycles_there_is_nothing_to_rank() -> None:
    head = Predicate("head", (z3.IntSort(),))
    system = HornSystem.of([Clause(head(x), (), x > 0)])
    proof = prove(system, true_model(system), time.monotonic() + 600, is_thorough=True)
    assert proof.nodes == () and cut_points_of(system) == frozenset()
    assert accepted(system, proof)


def test_polyhedra_of_steps() -> None:
    """x > 2 & y = ite(x > 5, x - 3, 0) & z = y + 1, where x = 9: over x and z, x >= 6 and z = x - 2."""
    z = z3.Int("z")
    formula = z3.And(x > 2, y == z3.If(x > 5, x - 3, 0), z == y + 1)
    solver = z3.Solver()
    solver.add(formula, x == 9)
    assert solver.check() == z3.sat
    cube = cube_of(formula, solver.model(), [x, z])
    rows = {(row.sum.get(x.get_id(), 0), row.sum.get(z.get_id(), 0), row.sum.get(CONSTANT, 0)) for row in cube.rows}
    assert (-1, 0, 6) in rows and (-1, 0, 3) not in rows, "x >= 3 follows from x >= 6"
    assert any(row.is_equality for row in cube.rows)


def test_the_least_rank_of_a_polyhedron() -> None:
    head = Predicate("head", (z3.IntSort(),))
    solver = z3.Solver()
    formula = z3.And(x >= 1, y == x - 2)
    solver.add(formula)
    assert solver.check() == z3.sat
    step = CubeStep(head, head, (x,), (y,), cube_of(formula, solver.model(), [x, y]), frozenset({0}))
    template = LinearRanks([head], 2)
    template.require(step, decrease=1, bounded=True)
    found = template.solution()
    assert found is not None
    # x >= 1 & y = x - 2 => rank(x) >= 0 & rank(x) > rank(y)
    first, last = (z3.substitute(found[head], (head.formals[0], value)) for value in (x, y))
    assert z3.Solver().check(formula, z3.Not(z3.And(first >= 0, first > last))) == z3.unsat


def true_model(system: HornSystem) -> Model:
    return Model({predicate: z3.BoolVal(True) for predicate in system.predicates})


def test_relaxed_formulas_follow() -> None:
    """x mod 3 = 1 & a[x] = y & y <= x & x * y > 2: what is not linear may be any number, the same for equal terms."""
    cells = z3.Array("cells", z3.IntSort(), z3.IntSort())
    linear = y <= x
    formula = z3.And(x % 3 == 1, x % 3 < other, cells[x] == y, linear, x * y > 2, cells == z3.Store(cells, x, y))
    found = relaxed(formula)
    assert relaxed(linear).eq(linear) and relaxed(found).eq(found)
    assert z3.Solver().check(found, y > x) == z3.unsat and z3.Solver().check(found, other < 2) == z3.unsat
    assert z3.Solver().check(found, x == 0, y == 0) == z3.sat


def test_ranks_that_do_not_depend_on_what_a_loop_computes() -> None:
    """for (y = 9, x = any; y > 0; y--) x = x * x / y;"""
    system = loop((x, y), ((x * x) / y, y - 1), y > 0)
    proof = prove(system, true_model(system), time.monotonic() + 600, is_thorough=False, is_relaxed=True)
    assert accepted(system, proof)
    quotient = LINEAR["a quotient by a variable"]
    with pytest.raises(NotFound):
        prove(quotient, true_model(quotient), time.monotonic() + 600, is_thorough=False, is_relaxed=True)
