"""Recursive predicates over integers in closed form: those whose only step adds constants to their arguments.

From the clauses  base_1(x) => P(x), ..., base_n(x) => P(x)  and  P(x) & guard(x) => P(x + d)  come the clauses

    base_i(y) & k >= 0 & x = y + k d & (k = 0 or guard(y) & guard(y + (k - 1) d)) => P(x)

without y and k, which is exact where the guard is convex: it then holds of all points between two of which it holds.
Addition, subtraction, comparison and equality of numbers in unary notation are such predicates, and as facts they can
be unfolded. Loops with one step are accelerated likewise by Boigelot: On iterating linear transformations over
recognizable sets of integers (2003) [Boigelot2003].
"""

from collections.abc import Mapping, Sequence

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.effort import MAX_BUILT, MAX_CASES, MOMENT_MS, QUESTION_RESOURCES
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.irredundant import follows
from chcverify.terms.core.traversal import (
    conjunction,
    conjuncts,
    disjunction,
    equation,
    is_nonlinear,
    is_variable,
    substitute,
    subterms,
)
from chcverify.terms.datatype_terms import is_enumeration
from chcverify.terms.quantifiers.elimination import eliminate
from chcverify.transforms.arena_clauses import PassContext
from chcverify.transforms.base import BackTranslator, Identity, TranslationError, steps_of

_SUMS = {z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_UMINUS, z3.Z3_OP_MUL, z3.Z3_OP_ANUM}
_CONVEX = {z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT, z3.Z3_OP_EQ}


@dataclass(frozen=True, eq=False)
class _Recursion:
    """The clauses of a predicate, by their indices, and what the step does: adds `step` where `guard` holds.

    step: by position; 0 for arguments that are no integers. guard: over the predicate's formals.
    """

    predicate: Predicate
    bases: tuple[int, ...]
    recursive: int
    step: tuple[int, ...]
    guard: z3.BoolRef

    def moved(self, values: Sequence[z3.ExprRef], count: z3.ArithRef) -> list[z3.ExprRef]:
        """The arguments `count` steps later."""
        return [value + count * by if by else value for value, by in zip(values, self.step, strict=True)]

    def path(self, base: Clause, count: z3.ArithRef) -> z3.BoolRef:
        """The base's constraint, a number of steps that is not negative, and the guard before the first and last."""
        assert base.head is not None
        start = base.head.arguments
        steps = conjunction(self._guard_at(values) for values in (start, self.moved(start, count - z3.IntVal(1))))
        if follows(z3.And(base.constraint, count >= 1), steps):
            return conjunction([base.constraint, count >= 0])
        return conjunction([base.constraint, count >= 0, z3.Or(count == 0, steps)])

    def _guard_at(self, values: Sequence[z3.ExprRef]) -> z3.BoolRef:
        return substitute(self.guard, list(zip(self.predicate.formals, values, strict=True)))


class ClosedForms:
    """Replaces the clauses of such predicates by facts."""

    name = "closed-forms"

    def apply(self, system: HornSystem, work: PassContext | None = None) -> tuple[HornSystem, BackTranslator]:
        closed: dict[Predicate, tuple[_Recursion, list[z3.BoolRef]]] = {}
        for predicate in system.predicates:
            if work is not None and work.late:
                break
            found = _recursion(system, predicate)
            facts = None if found is None else _closed(system, found)
            if found is not None and facts is not None:
                closed[predicate] = found, facts
        if not closed:
            return system, Identity()
        clauses: list[Clause] = []
        before: list[int] = []
        for index, clause in enumerate(system.clauses):
            entry = None if clause.head is None else closed.get(clause.head.predicate)
            if entry is not None and index == entry[0].recursive:
                continue
            if entry is not None:
                predicate = entry[0].predicate
                fact = entry[1][entry[0].bases.index(index)]
                clause = Clause(Application(predicate, predicate.formals), (), fact, clause.origin, clause.name)
            clauses.append(clause)
            before.append(index)
        return HornSystem(system.predicates, tuple(clauses)), _ClosedFormsBackTranslator(system, closed, before)


def _recursion(system: HornSystem, predicate: Predicate) -> _Recursion | None:
    """The predicate's recursion; None if it has another form."""
    if not predicate.sorts or not all(map(_is_scalar, predicate.sorts)):
        return None
    indices = system.defining[predicate]
    bases = tuple(i for i in indices if system.clauses[i].is_fact)
    recursive = [i for i in indices if not system.clauses[i].is_fact]
    if len(recursive) != 1 or not 0 < len(bases) <= MAX_CASES:
        return None
    clause = system.clauses[recursive[0]]
    if [atom.predicate for atom in clause.body] != [predicate] or _is_hard(clause.constraint):
        return None
    step = _step(predicate, clause)
    if step is None or not any(step):
        return None
    step_clause = _renamed(clause)
    pairs = zip(step_clause.body[0].arguments, predicate.formals, strict=True)
    matrix = conjunction([step_clause.constraint, *(equation(argument, formal) for argument, formal in pairs)])
    # exists variables. constraint & arguments of the body = formals
    guard = eliminate(step_clause.variables, matrix, MOMENT_MS)
    if guard is None:
        return None
    guard = z3.simplify(guard, arith_lhs=True)
    if not all(_is_convex(part) for part in conjuncts(guard)):
        return None
    return _Recursion(predicate, bases, recursive[0], step, guard)


def _is_scalar(sort: z3.SortRef) -> bool:
    if isinstance(sort, z3.DatatypeSortRef):
        return is_enumeration(sort)
    return sort.kind() in (z3.Z3_INT_SORT, z3.Z3_BOOL_SORT)


def _is_hard(formula: z3.BoolRef) -> bool:
    return any(is_nonlinear(term) or z3.is_quantifier(term) for term in subterms(formula))


def _is_convex(part: z3.BoolRef) -> bool:
    """True if the conjunct is a linear (in)equality, or about arguments that stay."""
    if not any(z3.is_int(term) for term in subterms(part)):
        return True
    atom = part.arg(0) if z3.is_not(part) else part
    if z3.is_not(part) and z3.is_eq(atom):
        return False
    inner = (term for child in atom.children() for term in subterms(child))
    return atom.decl().kind() in _CONVEX and all(map(_is_linear, inner))


def _is_linear(term: z3.ExprRef) -> bool:
    return is_variable(term) or (term.decl().kind() in _SUMS and not is_nonlinear(term))


def _step(predicate: Predicate, clause: Clause) -> tuple[int, ...] | None:
    """What the clause adds to each argument; None if that is not the same for all instances."""
    assert clause.head is not None
    pairs = list(zip(clause.body[0].arguments, clause.head.arguments, strict=True))
    solver = z3.SimpleSolver()
    solver.set("rlimit", QUESTION_RESOURCES)
    solver.add(clause.constraint)
    # exists variables. constraint
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    step = []
    for sort, (old, new) in zip(predicate.sorts, pairs, strict=True):
        if sort.kind() == z3.Z3_INT_SORT:
            step.append(model.eval(new - old, model_completion=True).as_long())
        else:
            step.append(0)
    moved = conjunction(
        equation(new, old + by) if by else equation(new, old) for (old, new), by in zip(pairs, step, strict=True)
    )
    return tuple(step) if follows(clause.constraint, moved) else None


def _closed(system: HornSystem, found: _Recursion) -> list[z3.BoolRef] | None:
    """For each base clause what it and the steps derive, over the formals; None if elimination does not find it."""
    facts = []
    for index in found.bases:
        base = _renamed(system.clauses[index])
        if _is_hard(base.constraint):
            return None
        assert base.head is not None
        count = z3.FreshInt("steps")
        ends = zip(found.predicate.formals, found.moved(base.head.arguments, count), strict=True)
        matrix = conjunction([found.path(base, count), *(equation(formal, value) for formal, value in ends)])
        # exists count, variables. path & formals = arguments + count * step
        fact = eliminate([count, *base.variables], matrix, MOMENT_MS)
        if fact is None:
            return None
        facts.append(z3.simplify(fact, arith_lhs=True))
    return facts


def _renamed(clause: Clause) -> Clause:
    """The clause, which has a head, with new variables."""
    new = [(variable, z3.FreshConst(variable.sort())) for variable in clause.variables]

    def renamed(atom: Application) -> Application:
        return Application(atom.predicate, tuple(substitute(argument, new) for argument in atom.arguments))

    assert clause.head is not None
    return Clause(renamed(clause.head), tuple(map(renamed, clause.body)), substitute(clause.constraint, new))


@dataclass(frozen=True, eq=False)
class _ClosedFormsBackTranslator:
    """clauses: for each new clause the index of the clause before."""

    system: HornSystem
    closed: Mapping[Predicate, tuple[_Recursion, list[z3.BoolRef]]]
    clauses: Sequence[int]

    def model(self, model: Model) -> Model:
        """The closed form itself is the least interpretation, and so inductive and a model with the others."""
        return model.updated({predicate: disjunction(facts) for predicate, (_, facts) in self.closed.items()})

    def derivation(self, derivation: Derivation) -> Derivation:
        """A fact of a closed form becomes a base and so many steps."""
        steps: list[Step] = []
        place: list[int] = []
        for step in steps_of(derivation):
            index = self.clauses[step.clause]
            head = self.system.clauses[index].head
            entry = None if head is None else self.closed.get(head.predicate)
            if entry is None:
                steps.append(Step(index, step.arguments, tuple(place[premise] for premise in step.premises)))
            else:
                for new in self._expanded(entry[0], index, step.arguments):
                    premises = (len(steps) - 1,) if new.premises else ()
                    steps.append(Step(new.clause, new.arguments, premises))
            place.append(len(steps) - 1)
        return Derivation(tuple(steps))

    def _expanded(self, found: _Recursion, index: int, values: Sequence[z3.ExprRef]) -> list[Step]:
        base = _renamed(self.system.clauses[index])
        assert base.head is not None
        count = z3.FreshInt("steps")
        solver = z3.SimpleSolver()
        solver.set("rlimit", QUESTION_RESOURCES)
        solver.add(found.path(base, count))
        ends = zip(values, found.moved(base.head.arguments, count), strict=True)
        solver.add(*(equation(value, end) for value, end in ends))
        # exists count, variables. path & values = arguments + count * step
        if solver.check() != z3.sat:
            raise TranslationError(f"the steps of {found.predicate} were not found")
        number = solver.model().eval(count, model_completion=True).as_long()
        if number > MAX_BUILT:
            raise TranslationError(f"{found.predicate} is derived in {number} steps")
        steps = []
        for taken in range(number + 1):
            now = [z3.simplify(value) for value in found.moved(values, z3.IntVal(taken - number))]
            steps.append(Step(found.recursive if taken else index, tuple(now), (0,) if taken else ()))
        return steps
