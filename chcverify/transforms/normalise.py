"""Normalise: the arguments of each clause become distinct variables, all else goes into its constraint."""

from chcverify.horn.system import HornSystem
from chcverify.terms.arena import Arena, ArenaTerm
from chcverify.transforms.base import BackTranslator, Identity, Selection
from chcverify.transforms.rows import Atom, Row, Workspace


class Normalise:
    """Each argument that is no variable, or one met before, becomes a fresh variable equal to it."""

    name = "normalise"

    def apply(self, system: HornSystem, work: Workspace | None = None) -> tuple[HornSystem, BackTranslator]:
        work = work or Workspace(system)
        rows = work.rows(system.clauses)
        normal = [normal_form(row, work.arena) for row in rows]
        if all(new is old for new, old in zip(normal, rows, strict=True)):
            return system, Identity()
        pairs = zip(system.clauses, rows, normal, strict=True)
        clauses = tuple(clause if new is old else work.clause(new) for clause, old, new in pairs)
        return HornSystem(system.predicates, clauses), Selection(range(len(clauses)))


def normal_form(row: Row, arena: Arena) -> Row:
    """An equivalent row whose arguments are distinct variables, across atoms, too; itself if it is one."""
    taken: set[ArenaTerm] = set()
    equations: list[ArenaTerm] = []

    def name(argument: ArenaTerm) -> ArenaTerm:
        if argument not in taken and arena.is_variable(argument):
            taken.add(argument)
            return argument
        fresh = arena.fresh_like(b"v", argument)
        taken.add(fresh)
        equations.append(arena.equation(fresh, argument))
        return fresh

    body = tuple(Atom(atom.predicate, tuple(map(name, atom.arguments))) for atom in row.body)
    head = None if row.head is None else Atom(row.head.predicate, tuple(map(name, row.head.arguments)))
    if not equations:
        return row
    constraint = arena.conjunction([*arena.conjuncts(row.constraint), *equations])
    return Row(head, body, constraint, row.origin, row.name)
