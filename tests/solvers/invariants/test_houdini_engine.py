"""The engine `houdini` and its candidates, in every theory that they fit."""

import pytest
import z3
from invariant_loops import loop, proves

from chcverify.effort import MAX_FORMULAS
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Unknown
from solvers.engine import Context, Lemma
from solvers.invariants.candidate_mining import mined
from solvers.invariants.houdini_engine import Houdini, first_that_excludes
from solvers.registry import get

x, y = z3.Ints("x y")
r, s = z3.Reals("r s")
b, c = z3.BitVecs("b c", 8)
f = z3.Bool("f")
p, q = z3.FPs("p q", z3.FPSort(4, 5))  # narrow, so that each query takes a tenth of a second

SAFE = {
    # the guard holds one step longer
    "bound": loop([x, y], z3.And(x == 0, y >= 0), [x + 1, y], x > y, guard=x < y),
    "octagon": loop([x, y], z3.And(x == y, x >= 3), [x + 1, y + 1], x - y > 1),
    "parity": loop([x, y], z3.And(x == 0, y == 1), [x + 2, y + 2], z3.Or(x % 2 == 1, y % 2 == 0)),
    "reals": loop([r, s], z3.And(r == 0, s == 1), [r / 2, s], r > s),
    "signed": loop([b], b == 5, [b + 1], b < 0, guard=b < 100),
    "unsigned": loop([b, c], z3.And(b == 0, z3.ULE(b, c)), [b + 1, c], z3.UGT(b, c), guard=z3.ULT(b, c)),
    "last bit": loop([b], b == 4, [b + 6], b & 1 == 1),
    "flag": loop([f, x], z3.And(f, x == 0), [z3.Not(f), z3.If(f, x + 1, x - 1)], z3.And(f, x != 0)),
    # p' = 0.5 p + q with q in [-1, 1]; the bound is that of the query
    "floats": loop(
        [p, q],
        z3.And(p == 0, q == 0),
        [p * 0.5 + q, q],
        z3.Not(z3.And(p >= -3, p <= 3)),
        guard=z3.And(q >= -1, q <= 1),
    ),
    "goal": loop([x, y], z3.And(x == 0, y == 0), [x + 1, y + 7], z3.And(x >= 0, y < 0)),
}


@pytest.mark.parametrize("name", SAFE)
def test_proves(name: str) -> None:
    assert proves(SAFE[name], Houdini().solve(SAFE[name], Context.within(600)))


@pytest.mark.parametrize("bad", [x == 7, x > 1000, y < x])
def test_unsafe_is_never_called_safe(bad: z3.BoolRef) -> None:
    system = loop([x, y], z3.And(x == 0, y == 2), [x + 1, y], bad)
    assert isinstance(Houdini().solve(system, Context.within(600)), Unknown)


def test_arrays_are_top_and_their_neighbours_are_not() -> None:
    a = z3.Array("a", z3.IntSort(), z3.IntSort())
    system = loop([a, x], x == 0, [z3.Store(a, x, x), x + 1], x < 0)
    assert proves(system, Houdini().solve(system, Context.within(600)))


def test_clauses_with_two_body_atoms() -> None:
    # x = 1 => Q(x); Q(x) & Q(y) => Q(x + y); Q(x) & x <= 0 => false
    Q, z = Predicate("Q", (z3.IntSort(),)), z3.Int("z")
    clauses = [Clause(Q(x), (), x == 1), Clause(Q(z), (Q(x), Q(y)), z == x + y), Clause(None, (Q(x),), x <= 0)]
    system = HornSystem.of(clauses)
    assert proves(system, Houdini().solve(system, Context.within(600)))


def test_the_number_of_candidates_is_bounded() -> None:
    many = [z3.Int(f"v{i}") for i in range(30)]
    system = loop(many, z3.And([v == i for i, v in enumerate(many)]), [v + 1 for v in many], many[0] < 0)
    assert all(len(formulas) == MAX_FORMULAS for formulas in mined(system).values())


def test_what_does_not_suffice_goes_to_the_bus() -> None:
    published: list[Lemma] = []

    class Bus:
        def publish(self, lemmas: list[Lemma]) -> None:
            published.extend(lemmas)

        def poll(self) -> list[Lemma]:
            return []

    system = loop([x, y], z3.And(x == 0, y == 0), [x + 1, y + 2 * x], y == 22)
    assert isinstance(Houdini().solve(system, Context(Context.within(600).deadline, bus=Bus())), Unknown)
    for lemma in published:
        solver = z3.Solver()
        # lemma(0, 0) must hold
        solver.add(z3.Not(z3.substitute(lemma.formula, *zip(lemma.predicate.formals, [z3.IntVal(0)] * 2, strict=True))))
        assert solver.check() == z3.unsat
    solver = z3.Solver()
    solver.add(*(lemma.formula for lemma in published), published[0].predicate.formals[0] < 0)
    assert solver.check() == z3.unsat


def test_the_names_of_the_engines() -> None:
    assert isinstance(get("houdini"), Houdini)
    assert get("ai").name == "df"


def test_no_time_is_no_answer() -> None:
    assert isinstance(Houdini().solve(SAFE["bound"], Context.within(0)), Unknown)


def test_rounds_that_end_with_the_time_say_so() -> None:
    """Rounds may end by themselves when the time is over: then the time is the reason, not the invariants."""
    system = SAFE["bound"]
    over, left = (first_that_excludes(iter(()), system, "name", Context.within(seconds)) for seconds in (0, 600))
    assert over == Unknown("name: time limit")
    assert left == Unknown("name: the invariants do not exclude every query")
