"""The transform: each argument of a datatype becomes the values of folds of it, and ghosts are their parameters.

With parameters, a fact P(x) becomes P'(g, f(g, x)) for all g, as in the morphing of cells. A model comes back by
P(x) := for all g. P'(g, f(g, x)), with the folds' definitions. A derivation comes back if its clauses, used in the same
order, have an instance over terms.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.effort import MAX_COMBINED, STEP_S
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, equation, is_value, is_variable, substitute
from chcverify.terms.datatype_terms import is_datatype, is_unary, solved
from chcverify.transforms.abstractions.catamorphisms.components import Template, as_number
from chcverify.transforms.abstractions.catamorphisms.possible_values import PossibleValues
from chcverify.transforms.abstractions.catamorphisms.term_abstraction import TermAbstraction
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator, Identity, TranslationError, steps_of

Ghosts = tuple[z3.ArithRef, ...]


class Folding:
    """Leaves systems as they are that have no datatypes, or have them within arrays.

    choose: the components for a system; None if they are not worth another variant.
    """

    def __init__(self, name: str, choose: Callable[[HornSystem], Template | None]) -> None:
        self.name = name
        self._choose = choose

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        if not _has_plain_datatypes(system):
            return system, Identity()
        template = self._choose(system)
        if template is None:
            return system, Identity()
        after = {predicate: _over_numbers(predicate, template) for predicate in system.predicates}
        common = _Common(template, after, PossibleValues(template), _passed_on(system))
        found = [_ClauseTranslation(clause, common) for clause in system.clauses]
        changed = HornSystem(tuple(after.values()), tuple(translation.clause() for translation in found))
        copies = [translation.copies for translation in found]
        return changed, _FoldingBackTranslator(system, template, after, copies)


def _has_plain_datatypes(system: HornSystem) -> bool:
    sorts = [sort for predicate in system.predicates for sort in predicate.sorts]
    if any(isinstance(sort, z3.ArraySortRef) and _holds_datatypes(sort) for sort in sorts):
        return False
    return any(isinstance(sort, z3.DatatypeSortRef) for sort in sorts)


def _holds_datatypes(sort: z3.SortRef) -> bool:
    stack = [sort]
    while stack:
        part = stack.pop()
        if isinstance(part, z3.DatatypeSortRef):
            return True
        if isinstance(part, z3.ArraySortRef):
            stack += [part.domain(), part.range()]
    return False


def _needs_ghosts(predicate: Predicate, template: Template) -> bool:
    return any(template.depends_on_ghosts(sort) for sort in predicate.sorts)


def _over_numbers(predicate: Predicate, template: Template) -> Predicate:
    """Ghosts first, if the predicate needs some; then its arguments in order."""
    sorts: list[z3.SortRef] = []
    if _needs_ghosts(predicate, template):
        sorts += [z3.IntSort()] * template.ghosts
    for sort in predicate.sorts:
        sorts += [z3.IntSort()] * len(template.of_sort(sort)) if isinstance(sort, z3.DatatypeSortRef) else [sort]
    return Predicate(predicate.name, tuple(sorts), predicate.origin)


@dataclass(frozen=True, eq=False)
class _Common:
    """What the clauses share. passed_on: by predicate the positions of numbers that its recursion does not change."""

    template: Template
    after: dict[Predicate, Predicate]
    possible: PossibleValues
    passed_on: Mapping[Predicate, frozenset[int]]


def _passed_on(system: HornSystem) -> dict[Predicate, frozenset[int]]:
    """The positions of numbers that every recursive call has from the head; of predicates that call themselves."""
    found: dict[Predicate, frozenset[int]] = {}
    for clause in system.clauses:
        head = clause.head
        for atom in clause.body:
            if head is None or atom.predicate != head.predicate:
                continue
            pairs = enumerate(zip(head.arguments, atom.arguments, strict=True))
            same = frozenset(i for i, (a, b) in pairs if is_variable(a) and a.eq(b) and _is_number(a))
            found[head.predicate] = found.get(head.predicate, same) & same
    return found


def _is_number(term: z3.ExprRef) -> bool:
    return term.sort().kind() == z3.Z3_INT_SORT or is_unary(term.sort())


class _ClauseTranslation:
    """One clause. copies: how often each body atom occurs in the result, one for each choice of its ghosts."""

    def __init__(self, clause: Clause, common: "_Common") -> None:
        self.before, self.template, self.after = clause, common.template, common.after
        self._passed_on = common.passed_on
        template = common.template
        self.copies: tuple[int, ...] = ()
        atoms = clause.applications
        arguments = [argument for atom in atoms for argument in atom.arguments]
        self.constraint, terms = solved(clause.constraint, arguments)
        rest = iter(terms)
        self.atoms = [replace(atom, arguments=tuple(next(rest) for _ in atom.arguments)) for atom in atoms]
        self.ghosts: list[Ghosts] = [()]
        ghosts: list[tuple[Ghosts, z3.ExprRef | None]] = []
        if template.ghosts and any(_needs_ghosts(atom.predicate, template) for atom in atoms):
            ghosts = list(self._choices())
            self.ghosts = [ghost for ghost, _ in ghosts]
        self.numbers = TermAbstraction(template, self.ghosts, common.possible)
        for ghost, term in ghosts:
            if term is not None:
                self.numbers.conditions += [ghost[0] == self._size(term)]

    def _choices(self) -> Iterator[tuple[Ghosts, z3.ExprRef | None]]:
        """Values for the ghosts, or new ones with the term whose size they are.

        The head's ghosts, which the body has, too; without a head that has some, numbers of the clause.
        """
        head = self.before.head
        if head is not None and _needs_ghosts(head.predicate, self.template):
            yield tuple(z3.FreshConst(z3.IntSort(), "ghost") for _ in range(self.template.ghosts)), None
            return
        for term in self._candidates()[:MAX_COMBINED]:
            is_number = term.sort().kind() == z3.Z3_INT_SORT
            ghost = as_number(term) if is_number else z3.FreshInt("ghost")
            yield (ghost,) * self.template.ghosts, None if is_number else term

    def _candidates(self) -> list[z3.ExprRef]:
        """Numbers of the clause, best those that recursion passes on, then those of several atoms; else any integer."""
        uses: Counter[int] = Counter()
        variables: dict[int, z3.ExprRef] = {}
        parameters: dict[int, z3.ExprRef] = {}
        for atom in self.atoms:
            passed_on = self._passed_on.get(atom.predicate, frozenset())
            for position, argument in enumerate(atom.arguments):
                if is_variable(argument) and _is_number(argument):
                    variables[argument.get_id()] = argument
                    uses[argument.get_id()] += 1
                    if position in passed_on and _needs_ghosts(atom.predicate, self.template):
                        parameters[argument.get_id()] = argument
        several = [variables[key] for key, count in uses.items() if count > 1]
        return (
            list(parameters.values()) or several or list(variables.values()) or [z3.FreshConst(z3.IntSort(), "ghost")]
        )

    def _size(self, term: z3.ExprRef) -> z3.ArithRef:
        """The size of a number in unary notation."""
        size = self.template.size(term.sort())
        slots = zip(self.numbers.slots(term.sort()), self.numbers.values(term), strict=True)
        return next((value for slot, value in slots if slot.component is size), z3.FreshConst(z3.IntSort(), "any"))

    def clause(self) -> Clause:
        """The clause over numbers."""
        body, head = self.atoms, None
        if self.before.head is not None:
            *body, last = self.atoms
            head = self._application(last, self.ghosts[0])
        instances = [self._instances(atom) for atom in body]
        self.copies = tuple(map(len, instances))
        premises = [new for copies in instances for new in copies]
        constraint = self.numbers.formula(self.constraint, weaken=True)
        whole = conjunction([constraint, *self.numbers.conditions])
        return Clause(head, tuple(premises), whole, self.before.origin, self.before.name)

    def _instances(self, atom: Application) -> list[Application]:
        ghosts = self.ghosts if _needs_ghosts(atom.predicate, self.template) else [()]
        return [self._application(atom, ghost) for ghost in ghosts]

    def _application(self, atom: Application, ghost: Ghosts) -> Application:
        arguments: list[z3.ExprRef] = list(ghost) if _needs_ghosts(atom.predicate, self.template) else []
        for argument in atom.arguments:
            if is_datatype(argument):
                arguments += self.numbers.selected(argument, ghost)
            else:
                arguments.append(self.numbers.term(argument))
        return Application(self.after[atom.predicate], tuple(arguments))


@dataclass(frozen=True, eq=False)
class _FoldingBackTranslator:
    """See the module's docstring. copies: of each body atom of each clause."""

    before: HornSystem
    template: Template
    after: dict[Predicate, Predicate]
    copies: Sequence[tuple[int, ...]]

    def model(self, model: Model) -> Model:
        formulas = {predicate: self._formula(predicate, model) for predicate in self.before.predicates}
        return Model(formulas, folds=self.template.folds())

    def _formula(self, predicate: Predicate, model: Model) -> z3.BoolRef:
        ghosts: list[z3.ArithRef] = []
        if _needs_ghosts(predicate, self.template):
            ghosts = [z3.Int(f"ghost{i}") for i in range(self.template.ghosts)]
        values: list[z3.ExprRef] = list(ghosts)
        for formal in predicate.formals:
            if is_datatype(formal):
                values += [component.of(formal, ghosts) for component in self.template.of_sort(formal.sort())]
            else:
                values.append(formal)
        after = self.after[predicate]
        formula = substitute(model[after], zip(after.formals, values, strict=True))
        return z3.ForAll(ghosts, formula) if ghosts else formula

    def derivation(self, derivation: Derivation) -> Derivation:
        """Of an atom that was used with several ghosts the premise for the first of them counts."""
        steps = []
        for step in steps_of(derivation):
            starts = accumulate(self.copies[step.clause], initial=0)
            premises = tuple(step.premises[start] for start, _ in zip(starts, self.copies[step.clause], strict=False))
            steps.append(Step(step.clause, step.arguments, premises))
        return Derivation(tuple(_on_terms(self.before, steps)))


def _on_terms(system: HornSystem, steps: Sequence[Step]) -> list[Step]:
    """The same clauses in the same order, over terms; TranslationError if there are none."""
    solver = z3.SimpleSolver()
    solver.set("timeout", int(1000 * STEP_S))
    facts: list[tuple[z3.ExprRef, ...]] = []
    for number, step in enumerate(steps):
        clause = system.clauses[step.clause]
        names = [(v, z3.Const(f"{v.decl().name()}@{number}", v.sort())) for v in clause.variables]
        solver.add(substitute(clause.constraint, names))
        for atom, premise in zip(clause.body, step.premises, strict=True):
            arguments = (substitute(argument, names) for argument in atom.arguments)
            solver.add(*(equation(a, b) for a, b in zip(arguments, facts[premise], strict=True)))
        head = () if clause.head is None else clause.head.arguments
        facts.append(tuple(substitute(argument, names) for argument in head))
    # the constraints of all steps & each body atom's arguments are those of its premise
    if solver.check() != z3.sat:
        raise TranslationError("the steps over numbers have no instance over terms")
    model = solver.model()
    found = []
    for step, fact in zip(steps, facts, strict=True):
        values = tuple(z3.simplify(model.eval(argument, model_completion=True)) for argument in fact)
        if not all(map(is_value, values)):
            raise TranslationError("the terms of a derivation have no values")
        found.append(Step(step.clause, values, step.premises))
    return found
