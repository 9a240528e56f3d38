"""ArgumentRemoval: drops arguments that no clause looks at, or only to compute other such arguments."""

from collections.abc import Sequence
from dataclasses import dataclass

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.terms.occurrence import Occurrences, is_plain
from chcverify.terms.rewrite import replace
from chcverify.transforms.base import BackTranslator, Identity, TranslationError
from chcverify.transforms.ground import Grounder

Position = tuple[Predicate, int]


class ArgumentRemoval:
    """An argument is needed if some body use of it is no variable, or a variable that occurs at another needed place.

    Needed places are constraints, other body arguments and needed arguments of heads (least fixpoint). Best on the
    solved form of clauses (see Simplify). After ConstantPropagation this removes determined arguments, too.
    """

    name = "arguments"

    def apply(self, system: HornSystem) -> tuple[HornSystem, BackTranslator]:
        memo = Occurrences()
        needed = _needed(system, memo)
        kept = {p: tuple(i for i in range(p.arity) if (p, i) in needed) for p in system.predicates}
        if all(len(kept[p]) == p.arity for p in system.predicates):
            return system, Identity()
        smaller = {p: _smaller(p, kept[p]) for p in system.predicates}

        def shrink(atom: Application) -> Application:
            return Application(smaller[atom.predicate], tuple(atom.arguments[i] for i in kept[atom.predicate]))

        def rewrite(clause: Clause) -> Clause:
            if all(smaller[atom.predicate] is atom.predicate for atom in clause.applications):
                return clause
            head = None if clause.head is None else shrink(clause.head)
            return Clause(head, tuple(map(shrink, clause.body)), clause.constraint, clause.origin, clause.name)

        clauses = tuple(map(rewrite, system.clauses))
        result = HornSystem(tuple(smaller.values()), clauses)
        return result, _Back(system, result, kept)


def _smaller(predicate: Predicate, kept: Sequence[int]) -> Predicate:
    if len(kept) == predicate.arity:
        return predicate
    names = tuple(predicate.names[i] for i in kept) if len(predicate.names) == predicate.arity else ()
    return Predicate(predicate.name, tuple(predicate.sorts[i] for i in kept), predicate.origin, names)


def _needed(system: HornSystem, memo: Occurrences) -> set[Position]:
    """Worklist from the places that constrain, against the flow of values, to the positions they come from."""
    needed: set[Position] = set()
    pending: list[Position] = []

    def need(position: Position) -> None:
        if position not in needed:
            needed.add(position)
            pending.append(position)

    sources = [_sources(clause, memo) for clause in system.clauses]
    for clause, positions in zip(system.clauses, sources, strict=True):
        constrained = memo.variables(clause.constraint)
        for key, places in positions.items():
            if key < 0 or len(places) > 1 or key in constrained:
                for place in places:
                    need(place)
    while pending:
        predicate, i = pending.pop()
        for index in system.defining[predicate]:
            head = system.clauses[index].head
            assert head is not None
            for key in memo.variables(head.arguments[i]):
                for place in sources[index].get(key, ()):
                    need(place)
    return needed


def _sources(clause: Clause, memo: Occurrences) -> dict[int, list[Position]]:
    """For each variable the body positions it occurs in; those of other terms under -1, too, as they constrain."""
    table: dict[int, list[Position]] = {}
    for atom in clause.body:
        for i, argument in enumerate(atom.arguments):
            keys = memo.variables(argument)
            for key in keys if is_plain(argument) else (*keys, -1):
                table.setdefault(key, []).append((atom.predicate, i))
    return table


@dataclass(frozen=True, eq=False)
class _Back:
    before: HornSystem
    after: HornSystem
    kept: dict[Predicate, tuple[int, ...]]

    def model(self, model: Model) -> Model:
        """The same formulas over the arguments' old positions."""
        interpretations = dict(model.interpretations)
        for old in self.before.predicates:
            new, places = self.after.by_name[old.name], self.kept[old]
            if new.arity < old.arity:
                formula = interpretations.pop(new)
                interpretations[old] = replace(formula, new.formals, [old.formals[i] for i in places])
        return Model(interpretations)

    def derivation(self, derivation: Derivation) -> Derivation:
        """Recomputes the dropped arguments forward: whatever they are in the premises, the clause still applies."""
        grounder = Grounder()
        partial: dict[int, Clause] = {}
        values: list[tuple[z3.ExprRef, ...]] = []
        steps = []
        for step in derivation.steps:
            clause = self.before.clauses[step.clause]
            full = step.arguments
            if clause.head is not None and len(self.kept[clause.head.predicate]) < clause.head.predicate.arity:
                known = partial.setdefault(
                    step.clause,
                    Clause(self.after.clauses[step.clause].head, clause.body, clause.constraint),
                )
                found = grounder.instance(known, step.arguments, [values[p] for p in step.premises])
                if found is None:
                    raise TranslationError(f"no instance of clause {step.clause} completes its removed arguments")
                full = tuple(grounder.complete(argument, found) for argument in clause.head.arguments)
                for i, value in zip(self.kept[clause.head.predicate], step.arguments, strict=True):
                    full = (*full[:i], value, *full[i + 1 :])
            values.append(full)
            steps.append(Step(step.clause, full, step.premises))
        return Derivation(tuple(steps))
