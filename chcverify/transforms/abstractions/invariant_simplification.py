"""Simplification by invariants: of comparisons that bounds of arguments in derivable facts make true or false.

Thus arithmetic that a loop's own tests do not keep from wrapping around loses its choices, as with a counter that goes
along with the one that is tested. The bounds do not become part of clauses, since they are no tests of the program.
"""

from collections.abc import Mapping

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, conjuncts, free_variables, subterms
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator
from chcverify.transforms.exact.interval_simplification import simplify_by_intervals


class InvariantSimplification:
    """invariants: inductive together, for some of the predicates. Those conjuncts decide that are about one argument
    alone; models get all.
    """

    name = "within bounds"

    def __init__(self, invariants: Mapping[Predicate, z3.BoolRef]) -> None:
        self.invariants = invariants

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        work = work or PassContext(system)
        bounds = {p: [t for t in conjuncts(f) if len(free_variables(t)) == 1] for p, f in self.invariants.items()}
        clauses = []
        for clause in system.clauses:
            known = [atom.instance(bound) for atom in clause.body for bound in bounds.get(atom.predicate, ())]
            clause_row = simplify_by_intervals(work.clause_row(clause), list(map(work.arena.handle, known)), work.arena)
            clauses.append(work.clause(clause_row))
        return HornSystem(system.predicates, tuple(clauses)), _BoundsBackTranslator(self.invariants)


@dataclass(frozen=True, eq=False)
class _BoundsBackTranslator:
    invariants: Mapping[Predicate, z3.BoolRef]

    def model(self, model: Model) -> Model:
        return model.updated({p: conjunction([model[p], formula]) for p, formula in self.invariants.items()})

    def derivation(self, derivation: Derivation) -> Derivation:
        return derivation


def without_arrays(system: HornSystem) -> tuple[HornSystem, Mapping[Predicate, Predicate]]:
    """The system without arrays and their constraints, which derives more, and its predicates by those before."""
    kept = {
        p: [i for i, sort in enumerate(p.sorts) if not isinstance(sort, z3.ArraySortRef)] for p in system.predicates
    }
    smaller = {p: p.restricted(positions) for p, positions in kept.items()}

    def shrink(atom: Application) -> Application:
        return Application(smaller[atom.predicate], tuple(atom.arguments[i] for i in kept[atom.predicate]))

    def rewrite(clause: Clause) -> Clause:
        head = None if clause.head is None else shrink(clause.head)
        scalar = conjunction([part for part in conjuncts(clause.constraint) if not _mentions_arrays(part)])
        return Clause(head, tuple(map(shrink, clause.body)), scalar, clause.origin, clause.name)

    return HornSystem(tuple(smaller.values()), tuple(map(rewrite, system.clauses))), smaller


def reads_at_ites(system: HornSystem) -> bool:
    """True if an array is read or written at a sum that may wrap around (an if-then-else)."""
    roots = [t for c in system.clauses for t in (c.constraint, *(a for atom in c.applications for a in atom.arguments))]
    indices = [term.arg(1) for term in subterms(*roots) if z3.is_select(term) or z3.is_store(term)]
    return any(z3.is_app_of(term, z3.Z3_OP_ITE) for term in subterms(*indices) if z3.is_int(term))


def _mentions_arrays(term: z3.ExprRef) -> bool:
    return any(isinstance(part.sort(), z3.ArraySortRef) for part in subterms(term))
