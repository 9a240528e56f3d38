"""MergeParallel: clauses with the same predicates in head and body become one. SplitDisjunctive: the inverse."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem
from chcverify.terms.arena import Arena
from chcverify.terms.walk import conjunction, conjuncts, disjuncts
from chcverify.transforms.base import BackTranslator, Identity, Selection, TranslationError
from chcverify.transforms.ground import Grounder
from chcverify.transforms.rows import Atom, Row, Workspace


class MergeParallel:
    """Joins clauses with the same head predicate and body predicates, in order, by the disjunction of their cases.

    Merged clauses have distinct variables in the body and, where their heads differ, in the head. `max_size` bounds
    the constraints that arise (nodes as trees), `queries` says whether queries are merged.
    """

    name = "merge"

    def __init__(self, max_size: int = 2_000, queries: bool = True) -> None:
        self.max_size = max_size
        self.queries = queries

    def apply(self, system: HornSystem, work: Workspace | None = None) -> tuple[HornSystem, BackTranslator]:
        work = work or Workspace(system)
        rows = work.rows(system.clauses)
        groups: dict[tuple[object, ...], list[int]] = {}
        for index, clause in enumerate(system.clauses):
            groups.setdefault(self._key(index, clause), []).append(index)
        packs = [pack for group in groups.values() for pack in self._packs(rows, group, work.arena)]
        if len(packs) == len(system.clauses):
            return system, Identity()
        clauses = tuple(
            system.clauses[pack[0]] if len(pack) == 1 else work.clause(merged([rows[i] for i in pack], work))
            for pack in packs
        )
        return HornSystem(system.predicates, clauses), _Choice(rows, packs, work)

    def _key(self, index: int, clause: Clause) -> tuple[object, ...]:
        if clause.is_query and not self.queries:
            return (index,)
        return (clause.is_query, *(atom.predicate.name for atom in clause.applications))

    def _packs(self, rows: Sequence[Row], group: Sequence[int], arena: Arena) -> list[list[int]]:
        """The group in order, cut where the sum of sizes exceeds the bound."""
        packs: list[list[int]] = []
        total = 0
        for index in group:
            terms = [rows[index].constraint, *(a for atom in rows[index].atoms for a in atom.arguments)]
            size = sum(map(arena.size, terms))
            if packs and total + size <= self.max_size:
                packs[-1].append(index)
                total += size
            else:
                packs.append([index])
                total = size
        return packs


def merged(rows: Sequence[Row], work: Workspace) -> Row:
    """The row that derives exactly what one of the rows derives; all have the same predicates in order."""
    first, arena = rows[0], work.arena
    body = tuple(
        Atom(atom.predicate, tuple(arena.fresh_of(b"b", sort) for sort in atom.predicate.sorts)) for atom in first.body
    )
    own = {argument for atom in body for argument in atom.arguments}
    variants = [_over(row, body, work) for row in rows]
    head = first.head
    if head is not None:
        columns = zip(*(row.head.arguments for row, _ in variants if row.head is not None), strict=True)
        shared = [c[0] if len(set(c)) == 1 and arena.variables(c[0]) <= own else None for c in columns]
        pairs = zip(shared, head.predicate.sorts, strict=True)
        head = Atom(head.predicate, tuple(arena.fresh_of(b"h", s) if a is None else a for a, s in pairs))
    cases = []
    for variant, equations in variants:
        if head is not None and variant.head is not None:
            sides = zip(head.arguments, variant.head.arguments, strict=True)
            equations = [*equations, *(arena.equation(a, b) for a, b in sides if a != b)]
        cases.append([*arena.conjuncts(variant.constraint), *equations])
    everywhere = set(cases[0]).intersection(*cases[1:])
    common = [part for part in dict.fromkeys(cases[0]) if part in everywhere]
    split = arena.disjunction(arena.conjunction(p for p in case if p not in everywhere) for case in cases)
    names = dict.fromkeys(row.name for row in rows if row.name)
    return Row(head, body, arena.conjunction([*common, split]), first.origin, " | ".join(names))


def _over(row: Row, body: Sequence[Atom], work: Workspace) -> tuple[Row, list[int]]:
    """The row over these body variables (its locals fresh), and the equations for its arguments that are terms."""
    arena = work.arena
    table: dict[int, int] = {}
    equations: list[tuple[int, int]] = []
    for old, new in zip(row.body, body, strict=True):
        for argument, variable in zip(old.arguments, new.arguments, strict=True):
            if arena.is_variable(argument) and argument not in table:
                table[argument] = variable
            else:
                equations.append((variable, argument))
    for variable in arena.in_order(work.variables(row) - table.keys()):
        table[variable] = arena.fresh(b"l", variable)
    head = row.head
    if head is not None:
        head = Atom(head.predicate, tuple(arena.substitute(a, table) for a in head.arguments))
    renamed = Row(head, tuple(body), arena.substitute(row.constraint, table), row.origin, row.name)
    return renamed, [arena.equation(variable, arena.substitute(term, table)) for variable, term in equations]


@dataclass(frozen=True, eq=False)
class _Choice:
    before: Sequence[Row]
    packs: Sequence[Sequence[int]]
    work: Workspace

    def model(self, model: Model) -> Model:
        return model

    def derivation(self, derivation: Derivation) -> Derivation:
        """Picks for each step the first merged clause of which it is an instance."""
        of, grounder = self.work.arena.of, Grounder(self.work.arena)
        steps: list[Step] = []
        for step in derivation.steps:
            pack = self.packs[step.clause]
            index = pack[0]
            if len(pack) > 1:
                body = [tuple(map(of, derivation.steps[p].arguments)) for p in step.premises]
                index = self._pick(pack, step, body, grounder)
            steps.append(Step(index, step.arguments, step.premises))
        return Derivation(tuple(steps))

    def _pick(self, pack: Sequence[int], step: Step, body: Sequence[Sequence[int]], grounder: Grounder) -> int:
        for index in pack:
            row = self.before[index]
            head = None if row.head is None else tuple(map(self.work.arena.of, step.arguments))
            if grounder.instance(row, head, body) is not None:
                return index
        raise TranslationError(f"no clause merged into clause {step.clause} has the values of its step")


class SplitDisjunctive:
    """One clause per disjunct of the constraint's disjunctions, as long as a clause yields at most `max_cases`."""

    name = "split"

    def __init__(self, max_cases: int = 16) -> None:
        self.max_cases = max_cases

    def apply(self, system: HornSystem, work: Workspace | None = None) -> tuple[HornSystem, BackTranslator]:
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
