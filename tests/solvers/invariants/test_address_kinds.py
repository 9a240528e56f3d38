"""The kinds of addresses: which arguments are addresses of blocks of one region, and which cells lie there."""

import z3

from chcverify.horn.roles import Role
from chcverify.horn.system import Clause, HornSystem, Predicate
from solvers.invariants.links.address_arguments import addresses_of
from solvers.invariants.links.address_kinds import address_kinds


def _two_regions() -> HornSystem:
    """P(x, y, k, c, d): x and c are addresses of one region, with the cells c; y and d of another one."""
    x, y, k, c, d, e, f = z3.Ints("x y k c d e f")
    roles = (Role.SCALAR, Role.SCALAR, Role.INDEX, Role.CELL, Role.CELL)
    p = Predicate("P", (z3.IntSort(),) * 5, roles=roles)
    start = Clause(p(x, y, k, c, d), (), z3.And(x == -4, y == -4))
    store = Clause(p(x, y, k, z3.If(x == k, x, c), z3.If(k == y, y, d)), (p(x, y, k, c, d),), z3.Or(x != k, c == c))
    same = z3.Or(z3.Not(x == y), c == e)
    follow = Clause(p(c, f, k, c, d), (p(x, y, x, c, d), p(x, y, y, e, f), p(x, y, k, c, d)), same)
    return HornSystem.of([start, store, follow])


def test_regions_are_told_apart_though_all_cells_are_at_one_index() -> None:
    system = _two_regions()
    p, found = system.predicates[0], address_kinds(system)
    assert found.may_be_equal((p, 0), (p, 3))
    assert found.may_be_equal((p, 1), (p, 4))
    assert not found.may_be_equal((p, 0), (p, 1))
    assert found.may_be_in((p, 0), (p, 3))
    assert not found.may_be_in((p, 1), (p, 3))
    assert not found.share_blocks((p, 3), (p, 4))


def test_what_meets_the_index_is_an_address_in_any_region() -> None:
    system = _two_regions()
    found = addresses_of(system)
    assert found is not None
    assert found.positions[system.predicates[0]] == {0, 1, 2, 3, 4}


def test_cells_that_no_clause_changes_may_lie_anywhere() -> None:
    x, k, c = z3.Ints("x k c")
    p = Predicate("P", (z3.IntSort(),) * 3, roles=(Role.SCALAR, Role.INDEX, Role.CELL))
    found = address_kinds(HornSystem.of([Clause(p(x, k, c), (), x == 0)]))
    assert found.may_be_in((p, 0), (p, 2))
    assert found.share_blocks((p, 2), (p, 2))
