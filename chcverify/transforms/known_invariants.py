"""Clauses with invariants that are known before engines begin: smaller ones, whose models prove the others.

Nothing is trusted: a model is conjoined with the invariants, and checked on the clauses that they were made from.
"""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, conjuncts
from chcverify.transforms.base import BackTranslator

Invariants = Mapping[Predicate, z3.BoolRef]
QUESTION_RESOURCES = 20_000
"""Units of z3's resource limit for the question if a clause can be passed: a millisecond, on clauses of ten programs
with threads."""


@dataclass(frozen=True, eq=False)
class ConjoiningBackTranslator:
    """Carries certificates back from clauses that invariants made smaller or stronger.

    clauses: for each of them the index of the clause before.
    """

    known: Invariants
    clauses: Sequence[int]

    def model(self, model: Model) -> Model:
        """The model with the invariants, one of the clauses before if these are inductive."""
        known = {p: formula for p, formula in self.known.items() if p in model.interpretations}
        return model.updated(conjunctions([model.interpretations, known]))

    def derivation(self, derivation: Derivation) -> Derivation:
        """The same steps and cycles: the clauses before have the same atoms, and weaker constraints."""
        return derivation.renumbered(self.clauses)


class KnownInvariants:
    """Invariants of predicates, and the clauses that they make smaller. The predicates are those of several systems
    that share clauses; each clause is looked at once."""

    def __init__(self, known: Invariants, only: HornSystem | None = None) -> None:
        """only: the one system that they are of; None: of all that have the predicates."""
        self.only = only
        self.known = {p: formula for p, formula in known.items() if not z3.is_true(formula)}
        self._model, self._solver = Model(self.known), z3.Solver()
        self._solver.set("rlimit", QUESTION_RESOURCES)
        self._strengthened: dict[int, tuple[Clause, Clause | None]] = {}  # by the id of the clause, which stays alive

    def fit(self, system: HornSystem) -> bool:
        """Are there invariants of the system's predicates?"""
        return (self.only is None or self.only is system) and any(
            predicate in self.known for predicate in system.predicates
        )

    def pruned(self, system: HornSystem, until: float = math.inf) -> tuple[HornSystem, BackTranslator]:
        """The clauses that the invariants do not exclude, as far as they were asked about by time.monotonic() =
        until."""
        return self._of_kept(system, until, strengthened=False)

    def strengthened(self, system: HornSystem, until: float = math.inf) -> tuple[HornSystem, BackTranslator]:
        """As `pruned`; each clause has the invariants of its body's atoms as well."""
        return self._of_kept(system, until, strengthened=True)

    def _of_kept(self, system: HornSystem, until: float, strengthened: bool) -> tuple[HornSystem, BackTranslator]:
        indices, clauses = list[int](), list[Clause]()
        for index, clause in enumerate(system.clauses):
            stronger = self._with_invariants(clause, until)
            if stronger is not None:
                indices.append(index)
                clauses.append(stronger if strengthened else clause)
        smaller = HornSystem(system.predicates, tuple(clauses))
        return smaller, ConjoiningBackTranslator(self.known, indices)

    def _with_invariants(self, clause: Clause, until: float) -> Clause | None:
        """The clause with the invariants of its body's atoms; None if they exclude it."""
        atoms = [atom for atom in clause.body if atom.predicate in self.known]
        if not atoms:
            return clause
        known = self._strengthened.get(id(clause))
        if known is not None:
            return known[1]
        parts = [self._model.instantiate(atom) for atom in atoms]
        stronger = replace(clause, constraint=conjunction([clause.constraint, *parts]))
        if time.monotonic() > until:  # a later call may have time to ask
            return stronger
        found = stronger if self._is_possible(stronger) else None
        self._strengthened[id(clause)] = clause, found
        return found

    def _is_possible(self, stronger: Clause) -> bool:
        """False if a clause's constraint and the invariants of its body's atoms exclude each other."""
        self._solver.push()
        try:
            # constraint & invariants
            self._solver.add(stronger.constraint)
            return bool(self._solver.check() != z3.unsat)
        except z3.Z3Exception:
            return True
        finally:
            self._solver.pop()


def conjunctions(models: Sequence[Invariants]) -> dict[Predicate, z3.BoolRef]:
    """For each predicate the conjunction of its interpretations, each part once."""
    found: dict[Predicate, dict[int, z3.BoolRef]] = {}
    for model in models:
        for predicate, formula in model.items():
            parts = found.setdefault(predicate, {})
            parts.update((part.get_id(), part) for part in conjuncts(formula))
    return {predicate: conjunction(parts.values()) for predicate, parts in found.items()}
