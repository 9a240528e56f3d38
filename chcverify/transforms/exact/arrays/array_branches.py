"""Array branches: clauses of several paths, which differ in what they write, become a clause for each path."""

from collections.abc import Sequence

import z3

from chcverify.effort import MAX_ALTERNATIVES
from chcverify.horn.system import HornSystem
from chcverify.terms.native.arena import Arena, ArenaTerm
from chcverify.transforms.arena_clauses import ArenaClause, PassContext
from chcverify.transforms.base import BackTranslator, ClauseRenumbering, Identity
from chcverify.transforms.exact.simplification import solved_form


class ArrayBranches:
    """Splits clauses by Booleans under which equations between arrays hold. Best on solved clauses.

    Large blocks have such Booleans for the edges that a path takes: (not edge or b = store(a, i, x)). No transform for
    arrays looks into a disjunction, but once the edge is known the equation is solved. A clause with more than
    MAX_ALTERNATIVES paths stays as it is.
    """

    name = "branches"

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        if not system.has_arrays:
            return system, Identity()
        work = work or PassContext(system)
        clauses, indices = [], []
        for index, clause in enumerate(system.clauses):
            clause_row = work.clause_row(clause)
            cases = [clause_row] if work.late else _cases(clause_row, work.arena)
            clauses += [clause if case is clause_row else work.clause(case) for case in cases]
            indices += [index] * len(cases)
        if indices == list(range(len(system.clauses))):
            return system, Identity()
        return HornSystem(system.predicates, tuple(clauses)), ClauseRenumbering(indices)


def _cases(clause_row: ArenaClause, arena: Arena) -> Sequence[ArenaClause]:
    """The clause, or one for each valuation of the Booleans that decide between equations of arrays."""
    cases: list[ArenaClause] = []
    pending = [clause_row]
    while pending:
        case = pending.pop()
        edge = _edge(case, arena)
        if edge is None:
            cases.append(case)
        elif len(cases) + len(pending) >= MAX_ALTERNATIVES:
            return [clause_row]
        else:
            for literal in (arena.negate(edge), edge):
                constraint = arena.conjunction([literal, *arena.conjuncts(case.constraint)])
                decided = ArenaClause(case.head, case.body, constraint, case.origin, case.name)
                if (solved := solved_form(decided, arena)) is not None:
                    pending.append(solved)
    return cases


def _edge(clause_row: ArenaClause, arena: Arena) -> ArenaTerm | None:
    """A Boolean variable beside an equation of arrays in a disjunction; None if there is none."""
    for part in arena.conjuncts(clause_row.constraint):
        if arena.kind(part) != z3.Z3_OP_OR:
            continue
        literals = arena.children(part)
        if any(
            arena.kind(literal) == z3.Z3_OP_EQ and arena.is_array(arena.children(literal)[0]) for literal in literals
        ):
            for literal in literals:
                atom = arena.children(literal)[0] if arena.kind(literal) == z3.Z3_OP_NOT else literal
                if arena.is_variable(atom):
                    return atom
    return None
