"""MergeParallel: clauses with the same predicates in head and body become one. SplitDisjunctive: the inverse."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import Application, Clause, HornSystem
from chcverify.terms.equations import apply_table
from chcverify.terms.occurrence import Occurrences
from chcverify.terms.walk import conjunction, conjuncts, disjunction, disjuncts
from chcverify.transforms.base import BackTranslator, Identity, Selection, TranslationError
from chcverify.transforms.ground import Assignment, Grounder


class MergeParallel:
    """Joins clauses with the same head predicate and body predicates, in order, by the disjunction of their cases.

    Merged clauses have distinct variables in the body and, where their heads differ, in the head. `max_size` bounds
    the constraints that arise (nodes as trees), `queries` says whether queries are merged.
    """

    name = "merge"

    def __init__(self, max_size: int = 2_000, queries: bool = True) -> None:
        self.max_size = max_size
        self.queries = queries

    def apply(self, system: HornSystem) -> tuple[HornSystem, BackTranslator]:
        memo = Occurrences()
        groups: dict[tuple[object, ...], list[int]] = {}
        for index, clause in enumerate(system.clauses):
            groups.setdefault(self._key(index, clause), []).append(index)
        packs = [pack for group in groups.values() for pack in self._packs(system, group, memo)]
        if len(packs) == len(system.clauses):
            return system, Identity()
        clauses = tuple(
            system.clauses[pack[0]] if len(pack) == 1 else merged([system.clauses[i] for i in pack], memo)
            for pack in packs
        )
        return HornSystem(system.predicates, clauses), _Choice(system, packs)

    def _key(self, index: int, clause: Clause) -> tuple[object, ...]:
        if clause.is_query and not self.queries:
            return (index,)
        return (clause.is_query, *(atom.predicate.name for atom in clause.applications))

    def _packs(self, system: HornSystem, group: Sequence[int], memo: Occurrences) -> list[list[int]]:
        """The group in order, cut where the sum of sizes exceeds the bound."""
        packs: list[list[int]] = []
        total = 0
        for index in group:
            clause = system.clauses[index]
            terms = [clause.constraint, *(a for atom in clause.applications for a in atom.arguments)]
            size = sum(memo.size(term) for term in terms)
            if packs and total + size <= self.max_size:
                packs[-1].append(index)
                total += size
            else:
                packs.append([index])
                total = size
        return packs


def merged(clauses: Sequence[Clause], memo: Occurrences) -> Clause:
    """The clause that derives exactly what one of the clauses derives; all have the same predicates in order."""
    first = clauses[0]
    body = tuple(_fresh(atom, "b") for atom in first.body)
    variants = [_over(clause, body, memo) for clause in clauses]
    head = first.head
    if head is not None:
        rows = [clause.head.arguments for clause, _ in variants if clause.head is not None]
        shared = [
            column[0] if all(a.eq(column[0]) for a in column) and memo.variables(column[0]) <= _keys(body) else None
            for column in zip(*rows, strict=True)
        ]
        sorts = head.predicate.sorts
        arguments = [z3.FreshConst(s, "h") if a is None else a for a, s in zip(shared, sorts, strict=True)]
        head = Application(head.predicate, tuple(arguments))
    cases = []
    for variant, equations in variants:
        if head is not None and variant.head is not None:
            pairs = zip(head.arguments, variant.head.arguments, strict=True)
            equations = [*equations, *(a == b for a, b in pairs if not a.eq(b))]
        cases.append([*conjuncts(variant.constraint), *equations])
    common = {p.get_id(): p for p in cases[0]}
    for case in cases[1:]:
        keys = {p.get_id() for p in case}
        common = {key: part for key, part in common.items() if key in keys}
    split = disjunction(conjunction(p for p in case if p.get_id() not in common) for case in cases)
    names = dict.fromkeys(clause.name for clause in clauses if clause.name)
    return Clause(head, body, conjunction([*common.values(), split]), first.origin, " | ".join(names))


def _fresh(atom: Application, prefix: str) -> Application:
    return Application(atom.predicate, tuple(z3.FreshConst(sort, prefix) for sort in atom.predicate.sorts))


def _keys(body: Sequence[Application]) -> set[int]:
    return {argument.get_id() for atom in body for argument in atom.arguments}


def _over(clause: Clause, body: Sequence[Application], memo: Occurrences) -> tuple[Clause, list[z3.BoolRef]]:
    """The clause over these body variables (its locals fresh), and the equations for its arguments that are terms."""
    table: Assignment = {}
    equations: list[tuple[z3.ExprRef, z3.ExprRef]] = []
    for old, new in zip(clause.body, body, strict=True):
        for argument, variable in zip(old.arguments, new.arguments, strict=True):
            if argument.get_id() in memo.variables(argument) and argument.get_id() not in table:
                table[argument.get_id()] = (argument, variable)
            else:
                equations.append((variable, argument))
    for variable in clause.variables:
        if variable.get_id() not in table:
            memo.variables(variable)
            table[variable.get_id()] = (variable, z3.FreshConst(variable.sort(), "l"))
    head = clause.head
    if head is not None:
        head = Application(head.predicate, tuple(apply_table(a, table, memo) for a in head.arguments))
    renamed = Clause(head, tuple(body), apply_table(clause.constraint, table, memo), clause.origin, clause.name)
    return renamed, [variable == apply_table(term, table, memo) for variable, term in equations]


@dataclass(frozen=True, eq=False)
class _Choice:
    before: HornSystem
    packs: Sequence[Sequence[int]]

    def model(self, model: Model) -> Model:
        return model

    def derivation(self, derivation: Derivation) -> Derivation:
        """Picks for each step the first merged clause of which it is an instance."""
        grounder = Grounder()
        steps: list[Step] = []
        for step in derivation.steps:
            pack = self.packs[step.clause]
            index = pack[0]
            if len(pack) > 1:
                body = [derivation.steps[p].arguments for p in step.premises]
                index = self._pick(pack, step, body, grounder)
            steps.append(Step(index, step.arguments, step.premises))
        return Derivation(tuple(steps))

    def _pick(self, pack: Sequence[int], step: Step, body: Sequence[Sequence[z3.ExprRef]], grounder: Grounder) -> int:
        for index in pack:
            clause = self.before.clauses[index]
            head = None if clause.head is None else step.arguments
            if grounder.instance(clause, head, body) is not None:
                return index
        raise TranslationError(f"no clause merged into clause {step.clause} has the values of its step")


class SplitDisjunctive:
    """One clause per disjunct of the constraint's disjunctions, as long as a clause yields at most `max_cases`."""

    name = "split"

    def __init__(self, max_cases: int = 16) -> None:
        self.max_cases = max_cases

    def apply(self, system: HornSystem) -> tuple[HornSystem, BackTranslator]:
        clauses: list[Clause] = []
        indices: list[int] = []
        for index, clause in enumerate(system.clauses):
            for constraint in self._cases(clause.constraint):
                clauses.append(Clause(clause.head, clause.body, constraint, clause.origin, clause.name))
                indices.append(index)
        if len(clauses) == len(system.clauses):
            return system, Identity()
        return HornSystem(system.predicates, tuple(clauses)), Selection(indices)

    def _cases(self, constraint: z3.BoolRef) -> list[z3.BoolRef]:
        choices: list[list[z3.BoolRef]] = []
        count = 1
        for part in conjuncts(constraint):
            options = disjuncts(part)
            if count * len(options) <= self.max_cases:
                count *= len(options)
                choices.append(options)
            else:
                choices.append([part])
        cases = [conjunction(c for part in choice for c in conjuncts(part)) for choice in product(*choices)]
        return cases if len(cases) > 1 else [constraint]
