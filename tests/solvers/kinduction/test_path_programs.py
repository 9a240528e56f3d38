"""Path programs."""

import z3
from recording_bus import Bus
from unrolling_systems import validate

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unsafe
from solvers.engine import Context
from solvers.kinduction.engine import KInduction
from solvers.kinduction.path_programs import PathPrograms, path_program

INT = z3.IntSort()
x, y, x1, y1 = z3.Ints("x y x1 y1")
P, Q = Predicate("P", (INT, INT)), Predicate("Q", (INT, INT))


def two_phases() -> HornSystem:
    """Safe by x >= 0 in both loops, which no k gives."""
    return HornSystem.of(
        [
            # 0: x = 0 & y = 0 => P(x, y)
            Clause(P(x, y), (), z3.And(x == 0, y == 0)),
            # 1: P(x, y) & x1 = x + 1 & y1 = y => P(x1, y1)
            Clause(P(x1, y1), (P(x, y),), z3.And(x1 == x + 1, y1 == y)),
            # 2: P(x, y) & x1 = x + 2 & y1 = y => P(x1, y1)
            Clause(P(x1, y1), (P(x, y),), z3.And(x1 == x + 2, y1 == y)),
            # 3: P(x, y) & x1 = x & y1 = 0 => Q(x1, y1)
            Clause(Q(x1, y1), (P(x, y),), z3.And(x1 == x, y1 == 0)),
            # 4: Q(x, y) & x1 = x + 1 & (y1 = 0 | x < 0 & y1 = 1) => Q(x1, y1)
            Clause(Q(x1, y1), (Q(x, y),), z3.And(x1 == x + 1, z3.Or(y1 == 0, z3.And(x < 0, y1 == 1)))),
            # 5: Q(x, y) & y = 1 => false
            Clause(None, (Q(x, y),), y == 1),
        ]
    )


def test_the_program_of_a_path_has_a_way_to_it_and_its_loops() -> None:
    program = path_program(two_phases(), [4, 4, 4, 5])
    assert program is not None
    assert program.clauses == (0, 3, 4, 5)
    assert path_program(two_phases(), [0, 1, 1, 3, 5]).clauses == (0, 1, 3, 5)  # type: ignore[union-attr]


def test_no_program_without_a_fact() -> None:
    system = HornSystem.of([Clause(P(x1, y1), (P(x, y),), x1 == x), Clause(None, (P(x, y),), x > 0)])
    assert path_program(system, [0, 1]) is None


def test_invariants_of_a_path_program_hold_in_the_whole() -> None:
    system, bus = two_phases(), Bus()
    learner = PathPrograms(system, Context(Context.within(600).deadline, bus=bus))
    lemmas = learner.learn([4, 4, 5], {})
    assert isinstance(lemmas, list)
    assert lemmas == bus.lemmas
    solver = z3.Solver()
    solver.add(*(lemma.formula for lemma in lemmas if lemma.predicate == Q), Q.formals[0] < 0)
    assert solver.check() == z3.unsat
    assert learner.learn([4, 4, 4, 5], {}) == []  # the same path program


def test_k_induction_learns_from_its_failed_steps() -> None:
    context = Context(Context.within(600).deadline, options={"path-programs": "true"})
    result = KInduction().solve(two_phases(), context)
    assert isinstance(result, Safe)
    validate(two_phases(), result)


def test_a_violation_of_the_path_program_is_one_of_the_whole() -> None:
    system = HornSystem.of([*two_phases().clauses[:5], Clause(None, (Q(x, y),), z3.And(x > 3, y == 0))])
    result = PathPrograms(system, Context.within(600)).learn([4, 5], {})
    assert isinstance(result, Unsafe)
    validate(system, result)
