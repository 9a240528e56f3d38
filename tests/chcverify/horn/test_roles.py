"""Roles of predicate arguments and origins of copies: kept through transforms, and read instead of names."""

import z3

from chcverify.horn.roles import Role
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.transforms.abstractions.cell_morphing import CellMorphing
from solvers.abstract_interpretation.segmentation import scalar_arguments

A = z3.ArraySort(z3.IntSort(), z3.IntSort())


def test_without_roles_the_sort_decides() -> None:
    predicate = Predicate("P", (z3.IntSort(), A))
    assert [predicate.role(i) for i in range(2)] == [Role.SCALAR, Role.ARRAY]


def test_restricted_keeps_names_and_roles_together() -> None:
    sorts = (z3.IntSort(),) * 3
    predicate = Predicate("P", sorts, names=("x", "k", "v"), roles=(Role.SCALAR, Role.INDEX, Role.CELL), copy_of="Q")
    smaller = predicate.restricted([0, 2])
    assert (smaller.names, smaller.roles, smaller.copy_of) == (("x", "v"), (Role.SCALAR, Role.CELL), "Q")
    assert predicate.restricted([0, 1, 2]) is predicate


def test_cells_announce_their_roles_whatever_the_arguments_are_called() -> None:
    predicate = Predicate("P", (z3.IntSort(), A), names=("odd]name[", "a"))
    x, a = predicate.formals
    system = HornSystem.of([Clause(predicate(x, a), (), x == 0), Clause(None, (predicate(x, a),), a[x] < x)])
    after = CellMorphing().apply(system)[0].predicates[0]
    assert [after.role(i) for i in range(after.arity)] == [Role.SCALAR, Role.INDEX, Role.CELL]
    assert [str(place) for place in scalar_arguments(after)] == ["$0"]
