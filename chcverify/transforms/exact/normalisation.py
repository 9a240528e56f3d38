"""Normalise: the arguments of each clause become distinct variables, all else goes into its constraint."""

from chcverify.horn.system import HornSystem
from chcverify.terms.native.arena import Arena, ArenaTerm
from chcverify.transforms.arena_clauses import ArenaClause, Atom, PassContext
from chcverify.transforms.base import BackTranslator, ClauseRenumbering, Identity


class Normalise:
    """Each argument that is no variable, or one met before, becomes a fresh variable equal to it."""

    name = "normalise"

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        work = work or PassContext(system)
        clause_rows = work.clause_rows(system.clauses)
        normal = [normal_form(clause_row, work.arena) for clause_row in clause_rows]
        if all(new is old for new, old in zip(normal, clause_rows, strict=True)):
            return system, Identity()
        pairs = zip(system.clauses, clause_rows, normal, strict=True)
        clauses = tuple(clause if new is old else work.clause(new) for clause, old, new in pairs)
        return HornSystem(system.predicates, clauses), ClauseRenumbering(range(len(clauses)))


def normal_form(clause_row: ArenaClause, arena: Arena) -> ArenaClause:
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

    body = tuple(Atom(atom.predicate, tuple(map(name, atom.arguments))) for atom in clause_row.body)
    head = (
        None
        if clause_row.head is None
        else Atom(clause_row.head.predicate, tuple(map(name, clause_row.head.arguments)))
    )
    if not equations:
        return clause_row
    constraint = arena.conjunction([*arena.conjuncts(clause_row.constraint), *equations])
    return ArenaClause(head, body, constraint, clause_row.origin, clause_row.name)
