"""The tree: what a cover hides, and what comes back when it ends."""

import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from solvers.lawi.unwinding import Unwinding, Vertex
from solvers.pdr.transition_system.rule_system import RuleSystem


def chain(length: int) -> tuple[Unwinding, list[Vertex]]:
    """x = 0 => P(x); P(x) => P(x + 1); the fact's vertex and its descendants, all of them expanded but the last."""
    x, y = z3.Ints("x y")
    p = Predicate("P", (z3.IntSort(),))
    system = HornSystem.of([Clause(p(x), (), x == 0), Clause(p(y), (p(x),), y == x + 1), Clause(None, (p(x),), x < 0)])
    problem = RuleSystem(system)
    fact, step = problem.rules[0]
    unwinding = Unwinding(problem)
    vertices: list[Vertex] = []
    for _ in range(length):
        vertices.append(unwinding.vertex(vertices[-1] if vertices else None, step if vertices else fact))
        unwinding.insert(vertices[-1])
        vertices[-1].expanded = len(vertices) < length
    return unwinding, vertices


def test_a_covered_vertex_hides_its_subtree_until_it_is_uncovered() -> None:
    unwinding, (first, second, third, last) = chain(4)
    unwinding.cover(second, first)
    assert third.hidden_by() is second and first.hidden_by() is None
    assert unwinding.next() is None
    unwinding.uncover(second)
    assert unwinding.next() is last and unwinding.next() is None


def test_a_vertex_that_becomes_covered_covers_nothing_any_more() -> None:
    unwinding, (first, second, third, last) = chain(4)
    unwinding.cover(last, third)
    unwinding.cover(second, first)
    assert last.coverer is None and not third.covered
    unwinding.uncover(second)
    assert unwinding.next() is last


def test_only_earlier_vertices_that_are_not_hidden_can_cover() -> None:
    unwinding, (first, second, third, last) = chain(4)
    assert list(unwinding.possible_coverers(last)) == [third, second, first]
    unwinding.cover(second, first)
    assert list(unwinding.possible_coverers(last)) == [first]
