"""Ranges: comparisons that a clause's own bounds on its variables decide become true or false.

Where machine integers are bounded, arithmetic that wraps around is a choice over comparisons. Once clauses are unfolded
and counters have values, most of these can be decided: x + 1 does not overflow below x < 10.
"""

from weakref import WeakSet

from chcverify.horn.system import Clause, HornSystem
from chcverify.terms.arena import Arena
from chcverify.terms.bounds import Intervals
from chcverify.transforms.base import BackTranslator, Selection
from chcverify.transforms.rows import Atom, Row, Workspace


class Ranges:
    """Rewrites clauses into equivalent ones, clause by clause."""

    name = "ranges"

    def __init__(self) -> None:
        self._done: WeakSet[Clause] = WeakSet()  # what this pass has seen, in a pipeline

    def apply(self, system: HornSystem, work: Workspace | None = None) -> tuple[HornSystem, BackTranslator]:
        work = work or Workspace(system)
        clauses = []
        for clause in system.clauses:
            if clause not in self._done and not work.late:
                row = work.row(clause)
                decided = _decided(row, work.arena)
                clause = clause if decided is row else work.clause(decided)
                self._done.add(clause)
            clauses.append(clause)
        return HornSystem(system.predicates, tuple(clauses)), Selection(range(len(clauses)))


def _decided(row: Row, arena: Arena) -> Row:
    """The row, itself if nothing changes. Conjuncts that are bounds stay: they justify the rest."""
    parts = arena.conjuncts(row.constraint)
    intervals = Intervals(arena, parts)
    if not intervals.used:
        return row
    others = [part for part in parts if part not in intervals.used]
    table = intervals.decided([*others, *(argument for atom in row.atoms for argument in atom.arguments)])
    if not table:
        return row

    def rewrite(term: int) -> int:
        return arena.simplify(arena.replace(term, table))

    def atom(before: Atom) -> Atom:
        return Atom(before.predicate, tuple(map(rewrite, before.arguments)))

    rewritten = (part if part in intervals.used else rewrite(part) for part in parts)
    constraint = arena.conjunction(part for whole in rewritten for part in arena.conjuncts(whole))
    head = None if row.head is None else atom(row.head)
    return Row(head, tuple(map(atom, row.body)), constraint, row.origin, row.name)
