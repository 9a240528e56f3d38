"""Engine `links`: inductive clauses about what addresses lead to.

First the strongest of two literals, by Houdini: Flanagan, Leino (FME 2001) [FlanaganLeino2001]. A candidate is made
when a fact violates a shorter one. If they do not exclude every query, clauses of any width are found from the queries
backwards.
"""

from collections.abc import Mapping, Sequence

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem, Predicate
from chcverify.results.result import Result, Safe, Unknown
from chcverify.terms.native.raw import Raw
from solvers.engine import Context, Requirements
from solvers.invariants.links.address_arguments import addresses_of
from solvers.invariants.links.clause_sets import ClauseSet
from solvers.invariants.links.directed_clauses import DirectedClauses, NotInTime
from solvers.invariants.links.inductive_clauses import NeededClauses, close
from solvers.invariants.links.link_literals import trial_facts
from solvers.invariants.links.link_vocabulary import literals_of
from solvers.invariants.links.named_clauses import NamedClause


class Links:
    """Safe when the clauses exclude every query."""

    name = "links"
    description = "inductive clauses about the addresses of linked data"
    requires = Requirements()

    def solve(self, system: HornSystem, context: Context) -> Result:
        addresses = addresses_of(system)
        if addresses is None:
            return Unknown(f"{self.name}: there is no linked data in this form of the clauses")
        literals = {p: literals_of(p, addresses) for p in system.predicates}
        sets = {p: ClauseSet(literals[p], trial_facts(p, addresses, context.seed), width=2) for p in system.predicates}
        raw = Raw(z3.Context())
        steps = [NamedClause(raw, clause, literals) for clause in system.clauses]
        context.progress(self.name, {"literals": sum(map(len, literals.values()))})
        try:
            needed = self._needed(steps, sets, context)
        except NotInTime:
            return Unknown(f"{self.name}: time limit")
        if needed is None:
            return Unknown(f"{self.name}: the literals do not exclude every query")
        context.statistics["clauses"] = sum(map(len, needed.values()))
        return Safe(Model({p: sets[p].formula(needed[p]) for p in system.predicates}))

    def _needed(
        self, steps: Sequence[NamedClause], sets: Mapping[Predicate, ClauseSet], context: Context
    ) -> Mapping[Predicate, set[int]] | None:
        """Clauses that are inductive and exclude every query; None if there are none. Raises NotInTime."""
        if not close(steps, sets, context):
            raise NotInTime
        clauses = {p: found.invariants() for p, found in sets.items()}
        needed = NeededClauses(steps, clauses, context)
        if needed.find():
            return needed.needed
        context.progress(self.name, {"clauses": sum(map(len, clauses.values()))})
        more = DirectedClauses(steps, {p: found.literals for p, found in sets.items()}, clauses, context).find()
        if more is None:
            return None
        needed = NeededClauses(steps, {p: [*clauses[p], *more[p]] for p in sets}, context)
        if not needed.find():
            raise NotInTime
        return needed.needed
