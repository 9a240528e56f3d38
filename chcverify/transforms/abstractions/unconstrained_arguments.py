"""Unconstrained arguments go: whether a fact holds does not depend on their values.

Such as arrays before a program first looks at them. Models come back as they are, since they say nothing of what went;
derivations do not, as one fact would stand for many.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import free_variables, is_variable, substitute
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator, Identity, TranslationError

Position = tuple[Predicate, int]


class UnconstrainedArguments:
    """Removes unconstrained arguments; best on the solved form of clauses.

    An argument is unconstrained if in every head of its predicate it is a variable that the clause does not constrain,
    except as an unconstrained argument of body atoms (greatest fixpoint).
    """

    name = "unconstrained"

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        free = _unconstrained(system)
        if not free:
            return system, Identity()
        kept = {p: [i for i in range(p.arity) if (p, i) not in free] for p in system.predicates}
        smaller = {p: p.restricted(kept[p]) for p in system.predicates}

        def shrink(atom: Application) -> Application:
            return Application(smaller[atom.predicate], tuple(atom.arguments[i] for i in kept[atom.predicate]))

        def rewrite(clause: Clause) -> Clause:
            head = None if clause.head is None else shrink(clause.head)
            return Clause(head, tuple(map(shrink, clause.body)), clause.constraint, clause.origin, clause.name)

        result = HornSystem(tuple(smaller[p] for p in system.predicates), tuple(map(rewrite, system.clauses)))
        return result, _UnconstrainedBackTranslator(kept, smaller)


def _unconstrained(system: HornSystem) -> set[Position]:
    free = {(p, i) for p in system.predicates for i in range(p.arity)}
    rules = [(clause.head, _positions(clause)) for clause in system.clauses if clause.head is not None]
    changed = True
    while changed:
        changed = False
        for head, positions in rules:
            for i in range(head.predicate.arity):
                if (head.predicate, i) in free and (positions[i] is None or not free.issuperset(positions[i] or ())):
                    free.discard((head.predicate, i))
                    changed = True
    return free


def _positions(clause: Clause) -> list[list[Position] | None]:
    """For each argument of the head its positions in the body; None if it is constrained."""
    assert clause.head is not None
    said = {v.get_id() for v in free_variables(clause.constraint)}
    body: dict[int, list[Position]] = {}
    for atom in clause.body:
        for i, argument in enumerate(atom.arguments):
            for variable in free_variables(argument):
                body.setdefault(variable.get_id(), []).append((atom.predicate, i))
                if not is_variable(argument):
                    said.add(variable.get_id())
    uses = Counter(v.get_id() for argument in clause.head.arguments for v in free_variables(argument))
    found: list[list[Position] | None] = []
    for argument in clause.head.arguments:
        key = argument.get_id()
        known = not is_variable(argument) or key in said or uses[key] > 1
        found.append(None if known else body.get(key, []))
    return found


@dataclass(frozen=True, eq=False)
class _UnconstrainedBackTranslator:
    kept: Mapping[Predicate, Sequence[int]]
    smaller: Mapping[Predicate, Predicate]

    def model(self, model: Model) -> Model:
        return Model({before: self._formula(before, after, model[after]) for before, after in self.smaller.items()})

    def _formula(self, before: Predicate, after: Predicate, formula: z3.BoolRef) -> z3.BoolRef:
        formals = [before.formals[i] for i in self.kept[before]]
        return substitute(formula, zip(after.formals, formals, strict=True))

    def derivation(self, derivation: Derivation) -> Derivation:
        raise TranslationError("a derivation without the unconstrained arguments may need several values of them")
