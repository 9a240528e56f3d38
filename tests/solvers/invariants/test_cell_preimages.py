"""Weakest preconditions at a symbolic index: their law, and the engine `cell-goals` on loops that need them."""

import pytest
import z3
from invariant_loops import proves

from chcverify.horn.io.reader import read_horn_text
from chcverify.horn.system import Application, Clause, HornSystem
from chcverify.results.result import Unknown
from chcverify.terms.core.traversal import free_variables, substitute
from chcverify.transforms.abstractions.cell_morphing import CellMorphing
from chcverify.transforms.exact.normalisation import Normalise
from solvers.engine import Context
from solvers.invariants.cell_goals_engine import CellGoals
from solvers.invariants.cell_preimages import CellPreimages, without_choices
from solvers.invariants.cell_terms import named_formals, solved_for

# 0 <= n => P(n, {start}, a)                       a loop that writes each cell
# P(n, i, a) & {more} => P(n, {next}, a with {first})
# P(n, i, a) & not {more} => Q(n, 0, a)            a loop that changes each cell
# Q(n, i, a) & i < n => Q(n, i + 1, a with {second})
# Q(n, i, a) & i >= n => R(n, 0, a)                a loop that compares each cell
# R(n, i, a) & i < n => R(n, i + 1, a)
# R(n, i, a) & i < n & a[i] != {goal} => false
THREE_LOOPS = """
(set-logic HORN)
(declare-fun P (Int Int (Array Int Int)) Bool)
(declare-fun Q (Int Int (Array Int Int)) Bool)
(declare-fun R (Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (=> (<= 0 n) (P n {start} a))))
(assert (forall ((n Int) (i Int) (a (Array Int Int))) (=> (and (P n i a) {more}) (P n {next} {first}))))
(assert (forall ((n Int) (i Int) (a (Array Int Int))) (=> (and (P n i a) (not {more})) (Q n 0 a))))
(assert (forall ((n Int) (i Int) (a (Array Int Int))) (=> (and (Q n i a) (< i n)) (Q n (+ i 1) {second}))))
(assert (forall ((n Int) (i Int) (a (Array Int Int))) (=> (and (Q n i a) (>= i n)) (R n 0 a))))
(assert (forall ((n Int) (i Int) (a (Array Int Int))) (=> (and (R n i a) (< i n)) (R n (+ i 1) a))))
(assert (forall ((n Int) (i Int) (a (Array Int Int)))
  (=> (and (R n i a) (< i n) (not (= (select a i) {goal}))) false)))
(check-sat)
"""
UP = {"start": "0", "more": "(< i n)", "next": "(+ i 1)"}
DOWN = {"start": "(- n 1)", "more": "(>= i 0)", "next": "(- i 1)"}
_BY_PARITY = {
    "first": "(store a i (ite (= (mod i 2) 0) i (- i)))",
    "second": "(ite (= (mod i 2) 0) (store a i (- (select a i) i)) (store a i (+ (select a i) i)))",
}
_REVERSED = {"first": "(store a (- n (+ i 1)) (* 3 i))", "second": "(store a i (+ (select a i) 1))"}
_SQUARES = {"first": "(store a i (* i i))", "second": "(store a i (+ (select a i) (* 2 i) 1))"}


_EVERY_SECOND = {"first": "(store a i (ite (= (mod i 2) 0) 1 3))", "second": "(store a i (+ (select a i) 2))"}
_EVERY_THIRD = {"first": "(store a i (ite (= (mod i 3) 0) 1 3))", "second": "(store a i (+ (select a i) 2))"}


def three_loops(writes: dict[str, str], goal: str, direction: dict[str, str], stride: int = 1) -> HornSystem:
    """The system with a cell for its array, and distinct variables for arguments, as engines get it.

    stride: what the second loop adds to its counter.
    """
    text = THREE_LOOPS.format(goal=goal, **writes, **direction).replace("(Q n (+ i 1)", f"(Q n (+ i {stride})")
    system, _ = Normalise().apply(read_horn_text(text, "three-loops.smt2"))
    return Normalise().apply(CellMorphing().apply(system)[0])[0]


SAFE = {
    "by parity": three_loops(_BY_PARITY, "0", UP),
    "downwards": three_loops(_BY_PARITY, "0", DOWN),
    "reversed": three_loops(_REVERSED, "(+ 1 (* 3 (- n (+ i 1))))", UP),
    "squares": three_loops(_SQUARES, "(* (+ i 1) (+ i 1))", UP),
    "every second": three_loops(_EVERY_SECOND, "3", UP, stride=2),
    "every third": three_loops(_EVERY_THIRD, "3", UP, stride=3),
}
UNSAFE = {
    "wrong parity": three_loops(_BY_PARITY, "(ite (= i 5) 1 0)", UP),
    "not reversed": three_loops(_REVERSED, "(+ 1 (* 3 i))", UP),
    "wrong square": three_loops(_SQUARES, "(+ 2 (* i i))", UP),
    "every second of thirds": three_loops(_EVERY_THIRD, "3", UP, stride=2),
    "every third of seconds": three_loops(_EVERY_SECOND, "3", UP, stride=3),
}


@pytest.mark.parametrize("name", SAFE)
def test_proves(name: str) -> None:
    assert proves(SAFE[name], CellGoals().solve(SAFE[name], Context.within(600)))


@pytest.mark.parametrize("name", UNSAFE)
def test_unsafe_is_never_called_safe(name: str) -> None:
    assert isinstance(CellGoals().solve(UNSAFE[name], Context.within(10)), Unknown)


@pytest.mark.parametrize("name", [*SAFE, *UNSAFE])
def test_a_precondition_implies_what_it_is_the_precondition_of(name: str) -> None:
    system = {**SAFE, **UNSAFE}[name]
    preimages = CellPreimages(system)
    for index in system.queries:
        query = system.clauses[index]
        goals = list(preimages.before(query, z3.BoolVal(False), ()))
        assert goals
        for goal in goals:
            _require_implied(query, goal, z3.BoolVal(True), z3.BoolVal(False))
    for clause, equations in preimages.writes:
        for goal in preimages.goals(4, 2):
            for equation in equations:
                for before in preimages.before_write(clause, equation, goal):
                    assert clause.head is not None
                    _require_implied(clause, before, equation, _of(goal, clause.head))


def _require_implied(clause: Clause, before: z3.BoolRef, equation: z3.BoolRef, after: z3.BoolRef) -> None:
    """The precondition is one of a body atom: for some of them it implies the formula."""
    solver = z3.Solver()
    # constraint & equation & AND before(atom) & ~after is unsatisfiable
    solver.add(clause.constraint, equation, *(_of(before, atom) for atom in clause.body), z3.Not(after))
    assert solver.check() == z3.unsat


def _of(formula: z3.BoolRef, atom: Application) -> z3.BoolRef:
    names = (name for _, name in named_formals(atom.predicate))
    return substitute(formula, list(zip(names, atom.arguments, strict=True)))


# 1 < n => P(n, 0, a)
# P(n, i, a) & i + 1 < n => P(n, i + 2, a with a[i] = 1, a[i + 1] = 2)      two cells in each step
# P(n, i, a) & i + 1 >= n => Q(n, 0, a)
# Q(n, i, a) & i + 1 < n => Q(n, i + 2, a)
# Q(n, i, a) & i + 1 < n & (a[i] != 1 or a[i + 1] != {second}) => false      compared at once
TWO_CELLS = """
(set-logic HORN)
(declare-fun P (Int Int (Array Int Int)) Bool)
(declare-fun Q (Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (=> (< 1 n) (P n 0 a))))
(assert (forall ((n Int) (i Int) (a (Array Int Int)))
  (=> (and (P n i a) (< (+ i 1) n)) (P n (+ i 2) (store (store a i 1) (+ i 1) 2)))))
(assert (forall ((n Int) (i Int) (a (Array Int Int))) (=> (and (P n i a) (>= (+ i 1) n)) (Q n 0 a))))
(assert (forall ((n Int) (i Int) (a (Array Int Int))) (=> (and (Q n i a) (< (+ i 1) n)) (Q n (+ i 2) a))))
(assert (forall ((n Int) (i Int) (a (Array Int Int)))
  (=> (and (Q n i a) (< (+ i 1) n) (not (and (= (select a i) 1) (= (select a (+ i 1)) {second})))) false)))
(check-sat)
"""


def two_cells(second: str) -> HornSystem:
    """The system as engines get it. second: what is expected in the second of two cells."""
    system, _ = Normalise().apply(read_horn_text(TWO_CELLS.format(second=second), "two-cells.smt2"))
    return Normalise().apply(CellMorphing().apply(system)[0])[0]


def test_proves_what_a_query_demands_of_two_cells() -> None:
    system = two_cells("2")
    assert proves(system, CellGoals().solve(system, Context.within(600)))


def test_a_wrong_second_cell_is_never_called_safe() -> None:
    assert isinstance(CellGoals().solve(two_cells("1"), Context.within(10)), Unknown)


def test_goals_do_not_mention_counters() -> None:
    preimages = CellPreimages(SAFE["by parity"])
    assert not any(str(v) in preimages.counters for goal in preimages.goals(10, 3) for v in free_variables(goal))


def test_an_equation_that_is_not_linear_is_not_solved() -> None:
    x, y = z3.Ints("x y")
    assert solved_for(x % 2 == y, x) is None
    assert solved_for(x * x == y, x) is None
    found = solved_for(y - x == 3, x)
    assert found is not None
    assert z3.simplify(found - (y - 3)).eq(z3.IntVal(0))


def test_sums_that_wrap_around_are_compared_without_choices() -> None:
    x, y = z3.Ints("x y")
    wrapped = z3.If(x <= 7, x + 2, x - 18)
    bounds = [x >= -10, x <= 9]
    assert without_choices([*bounds, wrapped == 3])[-1].eq(z3.simplify(x + 2 == 3))
    assert without_choices([*bounds, z3.Not(wrapped == -9)])[-1].eq(z3.simplify(z3.Not(x - 18 == -9)))
    assert len(without_choices([*bounds, wrapped <= 9])) == len(bounds)  # all words of the machine are
    for part in (wrapped == y, wrapped <= 5, z3.Not(wrapped > 5)):  # either case is possible
        assert z3.And(without_choices([*bounds, part])).eq(z3.And([z3.simplify(each) for each in (*bounds, part)]))


@pytest.mark.parametrize("number", range(-12, 12))
def test_conjunctions_without_choices_mean_the_same(number: int) -> None:
    x, y = z3.Ints("x y")
    sum_ = z3.If(x + y <= 9, z3.If(x + y >= -10, x + y, x + y + 20), x + y - 20)
    given = [x >= -10, x <= 9, y >= 0, y <= 9, z3.If(sum_ <= 7, sum_ + 2, sum_ - 18) == number]
    solver = z3.Solver()
    solver.add(z3.And(given) != z3.And(without_choices(given)))
    assert solver.check() == z3.unsat
