"""Engine `links`: the strongest inductive clauses over the order of addresses.

Flanagan, Leino: Houdini (FME 2001) [FlanaganLeino2001], with candidates that are made when a fact violates a shorter one.
"""

from dataclasses import dataclass

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.results.result import Result, Safe, Unknown
from chcverify.terms.core.traversal import conjunction, disjunction, substitute
from solvers.abstract_interpretation.engine import excludes_queries
from solvers.engine import Context, Requirements
from solvers.invariants.links.address_arguments import addresses_of
from solvers.invariants.links.clause_sets import ClauseSet
from solvers.invariants.links.link_literals import literals_of, trial_facts
from solvers.invariants.links.links_tuning import LINKS_TUNING
from solvers.invariants.model_minimisation import minimised


class Links:
    """Safe when the clauses exclude every query."""

    name = "links"
    description = "inductive clauses over the order of the addresses of linked data"
    requires = Requirements()

    def solve(self, system: HornSystem, context: Context) -> Result:
        addresses = addresses_of(system)
        if addresses is None:
            return Unknown(f"{self.name}: there is no linked data")
        sets = {
            p: ClauseSet(literals_of(p, addresses), trial_facts(p, addresses, context.seed)) for p in system.predicates
        }
        if not _closed(system, sets, context):
            return Unknown(f"{self.name}: time limit")
        known = {p: _formula(found) for p, found in sets.items()}
        if not excludes_queries(system, known, context):
            return Unknown(f"{self.name}: the invariants do not exclude every query")
        return Safe(minimised(system, Model(known), context))


def _formula(found: ClauseSet) -> z3.BoolRef:
    """The conjunction of the clauses."""
    return conjunction([_clause_term(clause, [x.formula for x in found.literals]) for clause in found.invariants()])


def _clause_term(clause: int, terms: list[z3.BoolRef]) -> z3.BoolRef:
    return disjunction([term for i, term in enumerate(terms) if clause >> i & 1])


def _closed(system: HornSystem, sets: dict[Predicate, ClauseSet], context: Context) -> bool:
    """Weakens the clauses until they are inductive; False if the time is over."""
    rules = [_Rule(clause, sets) for clause in system.clauses if clause.head is not None]
    pending = dict.fromkeys(sorted(rules, key=lambda rule: not rule.clause.is_fact))
    while pending:
        if context.remaining() <= 0:
            return False
        rule = next(iter(pending))
        del pending[rule]
        while (grown := rule.weaken(context)) is None:
            if context.remaining() <= 0:
                return False
        if grown:
            pending.update(dict.fromkeys(r for r in rules if rule.head.predicate in r.body_predicates))
    return True


class _Rule:
    """A clause of the system, with names for the literals of its atoms."""

    def __init__(self, clause: Clause, sets: dict[Predicate, ClauseSet]) -> None:
        assert clause.head is not None
        self.clause, self.sets, self.head = clause, sets, clause.head
        self.body_predicates = {atom.predicate for atom in clause.body}
        self.solver = z3.SimpleSolver()
        self.solver.add(clause.constraint)
        self.named = [self._names(number, atom) for number, atom in enumerate(clause.applications)]

    def _names(self, number: int, atom: Application) -> list[z3.BoolRef]:
        """A Boolean constant for each literal of an atom."""
        names = []
        pairs = list(zip(atom.predicate.formals, atom.arguments, strict=True))
        for i, literal in enumerate(self.sets[atom.predicate].literals):
            name = z3.Bool(f"literal {i} of atom {number}")
            self.solver.add(name == substitute(literal.formula, pairs))
            names.append(name)
        return names

    def weaken(self, context: Context) -> bool:
        """Weakens the clauses of the head until they follow from those of the body; True if they were changed."""
        target = self.sets[self.head.predicate]
        changed = False
        self.solver.push()
        for atom, names in zip(self.clause.body, self.named, strict=False):
            self.solver.add([_clause_term(clause, names) for clause in self.sets[atom.predicate].invariants()])
        while context.remaining() > 0:
            self.solver.push()
            # clauses(body) & constraint & OR ~clause(head)
            self.solver.add(disjunction([z3.Not(_clause_term(c, self.named[-1])) for c in target.invariants()]))
            self.solver.set("timeout", max(1, int(1000 * min(LINKS_TUNING.check_s, context.remaining()))))
            answer = self.solver.check()
            model = self.solver.model() if answer == z3.sat else None
            self.solver.pop()
            if model is None:
                break
            target.add(self._fact(model))
            changed = True
        self.solver.pop()
        return changed

    def _fact(self, model: z3.ModelRef) -> list[int]:
        values = []
        for argument in self.head.arguments:
            value = model.eval(argument, model_completion=True)
            values.append(value.as_long() if z3.is_int_value(value) else 0)
        return values
