"""Engine `links`: the strongest inductive clauses about what addresses lead to.

Flanagan, Leino: Houdini (FME 2001) [FlanaganLeino2001]; a candidate is made when a fact violates a shorter one.
"""

from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unknown
from solvers.engine import Context, Requirements
from solvers.invariants.links.address_arguments import addresses_of
from solvers.invariants.links.clause_sets import ClauseSet
from solvers.invariants.links.inductive_clauses import InductiveClauses
from solvers.invariants.links.link_literals import trial_facts
from solvers.invariants.links.link_vocabulary import literals_of
from solvers.invariants.links.links_tuning import LINKS_TUNING


class Links:
    """Safe when the clauses exclude every query."""

    name = "links"
    description = "inductive clauses about the addresses of linked data"
    requires = Requirements()

    def solve(self, system: HornSystem, context: Context) -> Result:
        addresses = addresses_of(system)
        if addresses is None:
            return Unknown(f"{self.name}: there is no linked data")
        literals = {p: literals_of(p, addresses) for p in system.predicates}
        trials = {p: list(trial_facts(p, addresses, context.seed)) for p in system.predicates}
        for width in range(LINKS_TUNING.first_width, LINKS_TUNING.max_width + 1):
            context.progress(self.name, {"width": width})
            context.statistics["width"] = width
            sets = {p: ClauseSet(literals[p], trials[p], width) for p in system.predicates}
            search = InductiveClauses(system, sets, context)
            if not search.close():
                return Unknown(f"{self.name}: time limit")
            needed = search.needed()
            if needed is not None:
                context.statistics["clauses"] = sum(map(len, needed.values()))
                return Safe(Model({p: sets[p].formula(clauses) for p, clauses in needed.items()}))
        return Unknown(f"{self.name}: the invariants do not exclude every query")
