"""The candidate invariants that the refutation of queries needs, shown to be inductive backwards from the queries.

An inductive validity core of candidates that need not all be invariants: a query asks for those candidates of its body
that its refutation uses, each of these for candidates of the bodies before it, and so on. What no query asks for is
never looked at. A candidate that a clause may violate is refused, and what was shown by it is shown again without it.
Ghassabani, Gacek, Whalen: Efficient generation of inductive validity cores for safety properties (FSE 2016)
[GhassabaniGacekWhalen2016].
"""

import heapq
import time
from collections.abc import Iterable, Mapping, Sequence

import z3

from chcverify.certificate.model import Model
from chcverify.certificate.search.candidate_consecution import (
    FALSE_GOAL,
    Candidate,
    CandidateConsecution,
    Candidates,
    KnownSupports,
)
from chcverify.effort import MAX_TRIED
from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.graphs import reverse_postorder
from chcverify.terms.core.traversal import conjunction


@dataclass(frozen=True)
class _Proof:
    """One step of the induction: goals, candidates of a clause's head, follow from the support, those of its body."""

    goals: frozenset[Candidate]
    support: frozenset[Candidate]


class ValidityCore:
    """A growing inductive set of candidates. Systems share clauses; candidates are over the formals of predicates."""

    def __init__(self, system: HornSystem, candidates: Mapping[Predicate, Sequence[z3.BoolRef]]) -> None:
        self._system = system
        self._candidates = Candidates(candidates)
        self._known = KnownSupports()
        self._proofs: dict[int, list[_Proof]] = {}
        self._users: dict[Candidate, set[int]] = {}
        self._wanted: set[Candidate] = set()
        self._refused: set[Candidate] = set()
        self._pending: dict[int, set[Candidate]] = {}
        self._queue: list[tuple[int, int]] = []
        self._order = _positions(system)

    def refuted(self, queries: Iterable[int], until: float) -> frozenset[int]:
        """Those of the queries that candidates refute which are inductive. until: time.monotonic() at which what is not
        shown counts as refused; what is shown is kept."""
        asked = sorted(queries, key=self._last_position)
        for first in range(0, len(asked), MAX_TRIED):
            for query in asked[first : first + MAX_TRIED]:
                self._ask(query, (FALSE_GOAL,))
            if not self._all_shown(until):
                break
        return frozenset(query for query in asked if self._proofs.get(query))

    def _last_position(self, query: int) -> int:
        """The last position of a predicate in the body of a query."""
        return max((self._order[atom.predicate] for atom in self._system.clauses[query].body), default=-1)

    def _all_shown(self, until: float) -> bool:
        """Shows all that was asked for, or refuses it; False if there was no time for that."""
        while self._queue:
            if time.monotonic() > until:
                self._give_up()
                return False
            _, index = heapq.heappop(self._queue)
            goals = self._pending.pop(index, set()) - self._refused
            if goals:
                self._show(index, goals)
        return True

    def model(self, queries: Iterable[int]) -> Model:
        """The model of what the refutation of these queries needs, which were refuted all."""
        needed: dict[Predicate, set[int]] = {}
        used = set[int]()  # proofs, by their ids: most show many goals
        work = [(query, FALSE_GOAL) for query in queries]
        while work:
            index, goal = work.pop()
            proof = self._proof(index, goal)
            if id(proof) in used:
                continue
            used.add(id(proof))
            for predicate, number in proof.support:
                assert predicate is not None
                found = needed.setdefault(predicate, set())
                if number not in found:
                    found.add(number)
                    work += [(defining, (predicate, number)) for defining in self._system.defining[predicate]]
        return Model(
            {
                predicate: conjunction(
                    [self._candidates.formula(predicate, i) for i in sorted(needed.get(predicate, ()))]
                )
                for predicate in self._system.predicates
            }
        )

    def _proof(self, index: int, goal: Candidate) -> _Proof:
        return next(proof for proof in self._proofs[index] if goal in proof.goals)

    def _ask(self, index: int, goals: Iterable[Candidate]) -> None:
        """Puts goals of a clause's head on the list of what is to be shown."""
        if index not in self._pending:
            self._pending[index] = set()
            head = self._system.clauses[index].head
            # last ones first: then most of what is asked of a predicate is known when its clauses are looked at
            heapq.heappush(self._queue, (-len(self._order) if head is None else -self._order[head.predicate], index))
        self._pending[index].update(goals)

    def _show(self, index: int, goals: set[Candidate]) -> None:
        """Shows goals of one clause, and asks for what that needs; refuses those that do not follow."""
        clause = self._system.clauses[index]
        found = CandidateConsecution(clause, self._candidates, self._refused, self._known).shown(goals)
        if found.goals:
            self._proofs.setdefault(index, []).append(_Proof(found.goals, found.support))
            for candidate in found.support:
                self._users.setdefault(candidate, set()).add(index)
                if candidate not in self._wanted:
                    self._wanted.add(candidate)
                    for defining in self._defining(candidate):
                        self._ask(defining, (candidate,))
        self._refuse(goals - found.goals - {FALSE_GOAL})

    def _defining(self, candidate: Candidate) -> Sequence[int]:
        """The clauses that derive what it is about."""
        predicate, _ = candidate
        return () if predicate is None else self._system.defining[predicate]

    def _refuse(self, candidates: Iterable[Candidate]) -> None:
        """What was shown by these candidates is to be shown again."""
        for candidate in candidates:
            self._refused.add(candidate)
            for user in self._users.pop(candidate, ()):
                for proof in self._without(user, candidate):
                    self._ask(user, proof.goals)

    def _without(self, index: int, candidate: Candidate) -> list[_Proof]:
        """Forgets the proofs of a clause that use the candidate, and yields them."""
        proofs = self._proofs[index]
        self._proofs[index] = [proof for proof in proofs if candidate not in proof.support]
        return [proof for proof in proofs if candidate in proof.support]

    def _give_up(self) -> None:
        """Refuses what is not shown, and what was shown by it, without asking a solver."""
        work = [goal for goals in self._pending.values() for goal in goals]
        self._pending.clear()
        self._queue.clear()
        while work:
            candidate = work.pop()
            if candidate in self._refused or candidate == FALSE_GOAL:
                continue
            self._refused.add(candidate)
            for user in self._users.pop(candidate, ()):
                work += [goal for proof in self._without(user, candidate) for goal in proof.goals]


def _positions(system: HornSystem) -> dict[Predicate, int]:
    """A number for each predicate; without cycles, greater than those of the predicates that it is derived from."""
    following: dict[Predicate, list[Predicate]] = {predicate: [] for predicate in system.predicates}
    first: dict[Predicate, None] = {}
    for clause in system.clauses:
        if clause.head is None:
            continue
        if clause.is_fact:
            first[clause.head.predicate] = None
        for atom in clause.body:
            following[atom.predicate].append(clause.head.predicate)
    order = reverse_postorder([*first, *system.predicates], following.__getitem__)
    return {predicate: position for position, predicate in enumerate(order)}
