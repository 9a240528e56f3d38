"""Clauses with invariants that are known before engines begin: smaller ones, whose models prove the others.

Nothing is trusted: a model is conjoined with the invariants, and checked on the clauses that they were made from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.lazy_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, conjuncts
from chcverify.transforms.base import BackTranslator, ClauseRenumbering

Invariants = Mapping[Predicate, z3.BoolRef]
# Of z3, for the question if a clause can be passed: a millisecond, on clauses of ten programs with threads.
QUESTION_RESOURCES = 20_000


@dataclass(frozen=True, eq=False)
class ConjoiningBackTranslator:
    """The back-translator of clauses from which those are gone that invariants exclude."""

    known: Invariants
    renumbering: ClauseRenumbering

    def model(self, model: Model) -> Model:
        """The model with the invariants, one of the clauses before if these are inductive."""
        model = self.renumbering.model(model)
        known = {p: formula for p, formula in self.known.items() if p in model.interpretations}
        return model.updated(conjunctions([model.interpretations, known]))

    def derivation(self, derivation: Derivation) -> Derivation:
        """The same steps, with the numbers of the clauses before."""
        return self.renumbering.derivation(derivation)


class KnownInvariants:
    """Invariants of predicates, and the clauses that they make smaller. The predicates are those of several systems
    that share clauses; each clause is looked at once."""

    def __init__(self, known: Invariants) -> None:
        self.known = known
        self._model, self._solver = Model(known), z3.Solver()
        self._solver.set("rlimit", QUESTION_RESOURCES)
        self._strengthened: dict[int, tuple[Clause, Clause | None]] = {}  # by the id of the clause, which stays alive

    def fit(self, system: HornSystem) -> bool:
        """Are there invariants of the system's predicates?"""
        return any(predicate in self.known for predicate in system.predicates)

    def pruned(self, system: HornSystem) -> tuple[HornSystem, BackTranslator]:
        """The clauses that the invariants do not exclude."""
        return self._of_kept(system, strengthened=False)

    def strengthened(self, system: HornSystem) -> tuple[HornSystem, BackTranslator]:
        """As `pruned`; each clause has the invariants of its body's atoms as well."""
        return self._of_kept(system, strengthened=True)

    def _of_kept(self, system: HornSystem, strengthened: bool) -> tuple[HornSystem, BackTranslator]:
        indices, clauses = list[int](), list[Clause]()
        for index, clause in enumerate(system.clauses):
            stronger = self._with_invariants(clause)
            if stronger is not None:
                indices.append(index)
                clauses.append(stronger if strengthened else clause)
        smaller = HornSystem(system.predicates, tuple(clauses))
        return smaller, ConjoiningBackTranslator(self.known, ClauseRenumbering(indices))

    def _with_invariants(self, clause: Clause) -> Clause | None:
        """The clause with the invariants of its body's atoms; None if they exclude it."""
        if id(clause) not in self._strengthened:
            self._strengthened[id(clause)] = clause, self._made(clause)
        return self._strengthened[id(clause)][1]

    def _made(self, clause: Clause) -> Clause | None:
        known = [atom for atom in clause.body if atom.predicate in self.known]
        parts = [part for atom in known for part in [self._model.instantiate(atom)] if not z3.is_true(part)]
        self._solver.push()
        # constraint and invariants of the body's atoms
        self._solver.add(clause.constraint, *parts)
        answer = self._solver.check()
        self._solver.pop()
        return None if answer == z3.unsat else replace(clause, constraint=conjunction([clause.constraint, *parts]))


def conjunctions(models: Sequence[Invariants]) -> dict[Predicate, z3.BoolRef]:
    """For each predicate the conjunction of its interpretations, each part once."""
    found: dict[Predicate, dict[int, z3.BoolRef]] = {}
    for model in models:
        for predicate, formula in model.items():
            parts = found.setdefault(predicate, {})
            parts.update((part.get_id(), part) for part in conjuncts(formula))
    return {predicate: conjunction(parts.values()) for predicate, parts in found.items()}
