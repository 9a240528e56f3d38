"""ConeOfInfluence: drops predicates that no facts derive, and predicates that reach no query."""

from collections.abc import Callable

import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator, ClauseRenumbering, Identity


class ConeOfInfluence:
    """Keeps the clauses whose body is derivable from facts and whose head reaches a query.

    A model gets `false` for what is not derivable (checked first) and `true` for what reaches no query.
    """

    name = "cone"

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        reached = derivable(system)
        alive = [all(atom.predicate in reached for atom in clause.body) for clause in system.clauses]
        needed = _needed(system, lambda index: alive[index])

        def stays(index: int, clause: Clause) -> bool:
            return alive[index] and (clause.head is None or clause.head.predicate in needed)

        kept = [index for index, clause in enumerate(system.clauses) if stays(index, clause)]
        predicates = tuple(p for p in system.predicates if p in reached and p in needed)
        if len(kept) == len(system.clauses) and predicates == system.predicates:
            return system, Identity()
        removed = {p: z3.BoolVal(p in reached) for p in system.predicates if p not in reached or p not in needed}
        return HornSystem(predicates, tuple(system.clauses[index] for index in kept)), ClauseRenumbering(kept, removed)


def derivable(system: HornSystem, is_possible: Callable[[int], bool] = lambda index: True) -> frozenset[Predicate]:
    """The predicates that clauses derive from facts, whatever their constraints are: the heads of clauses all of whose
    body predicates are derivable. is_possible: False for a clause, by its index, that is left out."""
    missing = [len({atom.predicate for atom in clause.body}) for clause in system.clauses]
    ready = [index for index, count in enumerate(missing) if count == 0 and is_possible(index)]
    found: set[Predicate] = set()
    while ready:
        head = system.clauses[ready.pop()].head
        if head is None or head.predicate in found:
            continue
        found.add(head.predicate)
        for user in system.using[head.predicate]:
            missing[user] -= 1
            if missing[user] == 0 and is_possible(user):
                ready.append(user)
    return frozenset(found)


def _needed(system: HornSystem, alive: Callable[[int], bool]) -> set[Predicate]:
    """Least fixpoint: body predicates of live queries and of live clauses that define needed predicates."""
    found: set[Predicate] = set()
    pending = [index for index in system.queries if alive(index)]
    while pending:
        for atom in system.clauses[pending.pop()].body:
            if atom.predicate not in found:
                found.add(atom.predicate)
                pending.extend(index for index in system.defining[atom.predicate] if alive(index))
    return found
