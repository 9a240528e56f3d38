"""Ranges: comparisons that a clause's own bounds on its variables decide become true or false.

Where machine integers are bounded, arithmetic that wraps around is a choice over comparisons. Once clauses are unfolded
and counters have values, most of these can be decided: x + 1 does not overflow below x < 10.
"""

from collections.abc import Sequence
from weakref import WeakSet

from chcverify.horn.system import Clause, HornSystem
from chcverify.terms.arithmetic.bounds import decided
from chcverify.terms.native.arena import Arena, ArenaTerm
from chcverify.transforms.arena_clauses import ArenaClause, Atom, PassContext
from chcverify.transforms.base import BackTranslator, ClauseRenumbering


class IntervalSimplification:
    """Rewrites clauses into equivalent ones, clause by clause."""

    name = "ranges"

    def __init__(self) -> None:
        self._done: WeakSet[Clause] = WeakSet()  # what this pass has seen, in a pipeline

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        work = work or PassContext(system)
        clauses = []
        for clause in system.clauses:
            if clause not in self._done and not work.late:
                clause_row = work.clause_row(clause)
                after = simplify_by_intervals(clause_row, (), work.arena)
                clause = clause if after is clause_row else work.clause(after)
                self._done.add(clause)
            clauses.append(clause)
        return HornSystem(system.predicates, tuple(clauses)), ClauseRenumbering(range(len(clauses)))


def simplify_by_intervals(clause_row: ArenaClause, known: Sequence[ArenaTerm], arena: Arena) -> ArenaClause:
    """The simplified clause, itself if nothing changes. known: other bounds that hold, but are not added to it."""
    parts = arena.conjuncts(clause_row.constraint)
    arguments = [argument for atom in clause_row.atoms for argument in atom.arguments]
    parts_after, arguments_after = decided([*parts, *known], arena, arguments)
    parts_after = parts_after[: len(parts)]
    if (parts_after, arguments_after) == (list(parts), arguments):
        return clause_row
    rest = iter(arguments_after)
    atoms = [Atom(atom.predicate, tuple(next(rest) for _ in atom.arguments)) for atom in clause_row.atoms]
    head = None if clause_row.head is None else atoms.pop()
    constraint = arena.conjunction(part for whole in parts_after for part in arena.conjuncts(whole))
    return ArenaClause(head, tuple(atoms), constraint, clause_row.origin, clause_row.name)
