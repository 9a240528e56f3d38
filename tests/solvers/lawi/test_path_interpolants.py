"""Infeasible paths: what refutes them, and interpolants that are near the end of the path."""

from itertools import pairwise

import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.native.raw import RawModel, Term
from solvers.engine import Context
from solvers.lawi.path_interpolants import PathInterpolation
from solvers.pdr.transition_system.rule_system import RuleSystem

INT = z3.IntSort()


def interpolation() -> PathInterpolation:
    x = z3.Int("x")
    p = Predicate("P", (INT,))
    system = HornSystem.of([Clause(p(x), (), x == 0), Clause(None, (p(x),), x < 0)])
    return PathInterpolation(RuleSystem(system), Context.within(60))


def terms(paths: PathInterpolation, steps: list[list[z3.BoolRef]]) -> list[list[Term]]:
    return [[paths.raw.handle(part) for part in step] for step in steps]


def test_a_feasible_path_has_a_model() -> None:
    x, y = z3.Ints("x y")
    paths = interpolation()
    found = paths.refute(terms(paths, [[x == 1], [y == x + 1], [y == 2]]))
    assert isinstance(found, RawModel) and found.eval(paths.raw.handle(y)) == paths.raw.handle(z3.IntVal(2))


def test_only_the_last_steps_refute_if_they_are_enough() -> None:
    # x = 1, y = x + 1 & y >= 0, y < 0: the first step and y = x + 1 are not needed
    x, y = z3.Ints("x y")
    paths = interpolation()
    path = terms(paths, [[x == 1], [y == x + 1, y >= 0], [y < 0]])
    core = paths.refute(path)
    assert core == [[], [path[1][1]], [path[2][0]]]
    first, second = paths.interpolants(core)
    assert first == paths.raw.true and second != paths.raw.true


def test_each_interpolant_follows_from_the_one_before_and_its_step() -> None:
    # x0 = 0, x1 = x0 + 1 or x1 = x0 + 2, ..., x4 > 8
    states = [z3.Int(f"x{i}") for i in range(5)]
    steps = [[states[0] == 0]]
    steps += [[z3.Or(new == old + 1, new == old + 2)] for old, new in pairwise(states)]
    steps += [[states[-1] > 8]]
    paths = interpolation()
    core = paths.refute(terms(paths, steps))
    assert not isinstance(core, RawModel)
    found = [z3.BoolVal(True), *(paths.raw.wrap(term, z3.main_ctx()) for term in paths.interpolants(core))]
    for before, step, after in zip(found, steps, [*found[1:], z3.BoolVal(False)], strict=True):
        solver = z3.Solver()
        # I_(k-1) & A_k & not I_k
        assert solver.check(before, *step, z3.Not(after)) == z3.unsat
