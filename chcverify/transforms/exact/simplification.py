"""Simplify: solves each clause's equations, so that definitions move into arguments and local variables disappear."""

from weakref import WeakSet

from chcverify.effort import MAX_FORMULAS
from chcverify.horn.system import Clause, HornSystem
from chcverify.terms.arithmetic.equations import solve_equations
from chcverify.terms.native.arena import Arena, ArenaTerm
from chcverify.transforms.arena_clauses import ArenaClause, Atom, PassContext
from chcverify.transforms.base import BackTranslator, ClauseRenumbering


class Simplify:
    """Rewrites clauses into solved form and drops those that hold in every interpretation.

    Solved form: an equation that defines a local variable or an argument of the head is substituted away, one between
    arguments of the body or with a value as well. P(y) & h = y + l & l = 1 => Q(h) becomes P(y) => Q(y + 1).
    """

    name = "simplify"

    def __init__(self) -> None:
        self._solved: WeakSet[Clause] = WeakSet()  # what this pass made: in a pipeline most clauses come back unchanged

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        work = work or PassContext(system)
        clauses, indices, seen, late = [], [], set(), False
        for index, clause in enumerate(system.clauses):
            late = late or (index % 16 == 0 and work.late)
            if late:
                clauses.append(clause)
                indices.append(index)
                continue
            solved, clause_row = clause, work.clause_row(clause)
            if clause not in self._solved:
                found = solved_form(clause_row, work.arena)
                if found is None:
                    continue
                solved, clause_row = work.clause(found), found
                self._solved.add(solved)
            if (key := _identity(clause_row)) not in seen:
                seen.add(key)
                clauses.append(solved)
                indices.append(index)
        return HornSystem(system.predicates, tuple(clauses)), ClauseRenumbering(indices)


def solved_form(clause_row: ArenaClause, arena: Arena) -> ArenaClause | None:
    """The equivalent clause in solved form; None if it is valid: its constraint false or its head in its body."""
    in_body = {key for atom in clause_row.body for argument in atom.arguments for key in arena.variables(argument)}
    in_head = set() if clause_row.head is None else {k for a in clause_row.head.arguments for k in arena.variables(a)}

    def allowed(variable: ArenaTerm, term: ArenaTerm) -> int:
        if variable in in_body:
            return 1 if term in in_body or arena.is_value(term) else 0
        if arena.size(term) > MAX_FORMULAS:
            return 0
        return 2 if variable in in_head else 3

    solved = solve_equations([clause_row.constraint], allowed, arena)
    if arena.false in solved.rest:
        return None

    def rewrite(atom: Atom) -> Atom:
        substituted = (arena.substitute(argument, solved.definitions) for argument in atom.arguments)
        return Atom(atom.predicate, tuple(map(arena.simplify, substituted)))

    body = tuple(map(rewrite, clause_row.body))
    head = None if clause_row.head is None else rewrite(clause_row.head)
    if head is not None and any(head.predicate == a.predicate and head.arguments == a.arguments for a in body):
        return None
    return ArenaClause(head, body, arena.conjunction(solved.rest), clause_row.origin, clause_row.name)


def _identity(clause_row: ArenaClause) -> tuple[object, ...]:
    """Equal for equal clauses."""
    return (
        tuple((a.predicate.name, a.arguments) for a in clause_row.atoms),
        clause_row.head is None,
        clause_row.constraint,
    )
