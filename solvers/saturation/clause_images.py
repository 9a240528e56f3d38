"""A clause as a map from sets of facts to the facts of its head; the solver that it asks."""

from collections.abc import Iterable, Mapping, Sequence

import z3

from chcverify.effort import MOMENT_MS
from chcverify.horn.system import Clause, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.bitvectors.opposite_inequalities import with_equations
from chcverify.terms.bitvectors.words_apart import OtherOperations, WordsApart
from chcverify.terms.core.traversal import (
    conjunction,
    conjuncts,
    defined_variable,
    disjunction,
    equation,
    free_variables,
    is_value,
    is_variable,
    substitute,
    subterms,
)
from chcverify.terms.quantifiers.elimination import eliminate


@dataclass(frozen=True, eq=False)
class ConstrainedFact:
    """All states of a predicate that satisfy a formula over its formals, as a clause derives them from premises."""

    predicate: Predicate
    formula: z3.BoolRef
    clause: int
    premises: tuple["ConstrainedFact", ...]

    @property
    def is_single(self) -> bool:
        """Is it one state, by an equation for each argument?"""
        known = _known_values(self.formula)
        return all(formal.get_id() in known for formal in self.predicate.formals)


class FactSolver:
    """One solver for all questions, and one for questions about words that hardly depend on how sums are computed.

    Clauses ask about the same facts at the same arguments: what was learned for one, such as which facts exclude each
    other, is of use for all. Two systems over bit-vectors took 4 and 6 s of the processor instead of 15 and 20.
    """

    def __init__(self, seed: int) -> None:
        self._exact = _LiteralSolver(seed)
        self._weaker: _LiteralSolver | None = _LiteralSolver(seed, WordsApart())

    def check(
        self, choices: Sequence[Sequence[z3.BoolRef]], others: Sequence[z3.BoolRef], timeout_ms: int
    ) -> tuple[z3.CheckSatResult, tuple[int, ...]]:
        """Whether some formulas, one of each list, are satisfiable together with the others; then their positions.

        timeout_ms: milliseconds for each question.
        """
        if self._weaker is not None:
            try:
                if self._weaker.check(choices, others, timeout_ms)[0] == z3.unsat:
                    return z3.unsat, ()
            except OtherOperations:
                self._weaker = None
        return self._exact.check(choices, others, timeout_ms)


class _LiteralSolver:
    """A solver in which each formula has a Boolean variable. words: makes the formulas weaker."""

    def __init__(self, seed: int, words: WordsApart | None = None) -> None:
        self._solver = z3.SimpleSolver()
        self._solver.set("random_seed", seed)
        self._words = words
        self._literals: dict[int, tuple[z3.BoolRef, z3.BoolRef]] = {}  # by the id of the formula; keeps it alive
        self._questions = 0

    def check(
        self, choices: Sequence[Sequence[z3.BoolRef]], others: Sequence[z3.BoolRef], timeout_ms: int
    ) -> tuple[z3.CheckSatResult, tuple[int, ...]]:
        """As of FactSolver. Raises OtherOperations if a formula cannot be made weaker."""
        self._questions += 1
        # question & facts at arguments, by their literals
        asked = z3.Bool(f"question.{self._questions}")
        literals = [[self._literal(formula) for formula in each] for each in choices]
        parts = [*map(disjunction, literals), *map(self._literal, others)]
        self._solver.set("timeout", timeout_ms)
        self._solver.add(z3.Implies(asked, conjunction(parts)))
        answer = self._solver.check(asked)
        model = self._solver.model() if answer == z3.sat else None
        self._solver.add(z3.Not(asked))
        if model is None:
            return answer, ()
        return answer, tuple(next(i for i, part in enumerate(each) if _holds(part, model)) for each in literals)

    def _literal(self, formula: z3.BoolRef) -> z3.BoolRef:
        """A Boolean variable with the truth value of the formula."""
        if z3.is_not(formula):
            return z3.Not(self._literal(formula.arg(0)))
        if formula.get_id() not in self._literals:
            literal = z3.Bool(f"fact.{len(self._literals)}")
            self._solver.add(literal == self._stated(formula))
            self._literals[formula.get_id()] = literal, formula
        return self._literals[formula.get_id()][0]

    def _stated(self, formula: z3.BoolRef) -> z3.BoolRef:
        if self._words is None:
            return formula
        stated = self._words.weaker(formula)
        self._solver.add(*self._words.new_facts())
        return stated


Facts = Mapping[Predicate, Sequence[ConstrainedFact]]


@dataclass(frozen=True, eq=False)
class ClauseImage:
    """A clause whose equations are solved, so that atoms share variables."""

    index: int
    """Of the clause."""
    clause: Clause
    arguments: Sequence[Sequence[z3.ExprRef]]
    """Of the atoms, the head last."""
    constraint: z3.BoolRef
    """Without those equations, but with those that stand for two opposite inequalities."""

    @classmethod
    def of(cls, index: int, clause: Clause) -> "ClauseImage":
        """The image of the clause with that number."""
        parts, arguments = _solved(conjuncts(clause.constraint), [list(a.arguments) for a in clause.applications])
        names = _names(arguments, parts)
        renamed = [[substitute(argument, names) for argument in each] for each in arguments]
        return cls(index, clause, renamed, with_equations(substitute(conjunction(parts), names)))

    @property
    def computes(self) -> bool:
        """Are there arguments of the head that are neither variables nor values?"""
        head = () if self.clause.head is None else self.arguments[-1]
        return not all(is_variable(argument) or is_value(argument) for argument in head)

    def violation(
        self, facts: Facts, solver: FactSolver, timeout_ms: int
    ) -> tuple[z3.CheckSatResult, tuple[ConstrainedFact, ...]]:
        """unsat if the facts are closed under the clause; sat with a fact for each body atom that lead out of them.

        facts: of each predicate so far. timeout_ms: milliseconds for the question, after which the answer is unknown.
        """
        body = [facts[atom.predicate] for atom in self.clause.body]
        choices = [[self._at(fact, i) for fact in found] for i, found in enumerate(body)]
        goal = []
        if self.clause.head is not None:
            head = len(self.clause.body)
            goal = [z3.Not(self._at(fact, head)) for fact in facts[self.clause.head.predicate]]
        # constraint & facts(body) & ~facts(head)
        answer, chosen = solver.check(choices, [self.constraint, *goal], timeout_ms)
        return answer, tuple(found[i] for found, i in zip(body, chosen, strict=answer == z3.sat))

    def image(self, premises: Sequence[ConstrainedFact]) -> ConstrainedFact:
        """The facts that the clause derives from these premises, one for each body atom; an over-approximation where
        variables cannot be eliminated, since the conjuncts that mention them are left out."""
        assert self.clause.head is not None
        predicate = self.clause.head.predicate
        parts = [self.constraint, *(self._at(fact, i) for i, fact in enumerate(premises))]
        table: dict[z3.ExprRef, z3.ExprRef] = {}
        for formal, argument in zip(predicate.formals, self.arguments[-1], strict=True):
            if is_variable(argument) and argument not in table:
                table[argument] = formal
            else:
                parts.append(equation(formal, argument))
        formula = z3.simplify(substitute(conjunction(parts), table.items()))
        formals = {formal.get_id() for formal in predicate.formals}
        others = [variable for variable in free_variables(formula) if variable.get_id() not in formals]
        # exists others. constraint & facts(body) & formals = arguments
        projected = eliminate(others, formula, MOMENT_MS)
        kept = z3.simplify(_without(formula, others) if projected is None else projected)
        fact = _with_values(with_equations(kept))
        if self.computes:
            fact = _with_only_values(fact, predicate.formals)
        return ConstrainedFact(predicate, fact, self.index, tuple(premises))

    def _at(self, fact: ConstrainedFact, position: int) -> z3.BoolRef:
        """The fact's formula about the arguments of an atom; the head comes last."""
        return substitute(fact.formula, zip(fact.predicate.formals, self.arguments[position], strict=True))


def _with_values(formula: z3.BoolRef) -> z3.BoolRef:
    """Equivalent: the values of variables in some conjuncts replace these in the others."""
    values: list[z3.BoolRef] = []
    while True:
        known: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = {}
        others: list[z3.BoolRef] = []
        for part in conjuncts(formula):
            pair = defined_variable(part)
            if pair is None or not is_value(pair[1]) or pair[0].get_id() in known:
                others.append(part)
            else:
                known[pair[0].get_id()] = pair
                values.append(part)
        if not known:
            return conjunction([*values, *others])
        formula = z3.simplify(substitute(conjunction(others), known.values()))


def _with_only_values(formula: z3.BoolRef, formals: Iterable[z3.ExprRef]) -> z3.BoolRef:
    """Equivalent: formals that can have one value only, such as n in 1 < n & n <= 2, are equal to it.

    What a clause computes of them, such as a product with another result, is then a number.
    """
    for formal in formals:
        if formal.get_id() not in _known_values(formula):
            value = _only_value(formal, formula)
            if value is not None:
                formula = _with_values(conjunction([equation(formal, value), formula]))
    return formula


def _known_values(formula: z3.BoolRef) -> set[int]:
    """Ids of the variables that a conjunct equates with a value."""
    pairs = [pair for part in conjuncts(formula) if (pair := defined_variable(part)) is not None]
    return {variable.get_id() for variable, term in pairs if is_value(term)}


def _only_value(variable: z3.ExprRef, formula: z3.BoolRef) -> z3.ExprRef | None:
    """The value that the variable has in all models of the formula; None if there are several, or no answer."""
    solver = z3.SimpleSolver()
    solver.set("timeout", MOMENT_MS)
    # formula
    solver.add(formula)
    if solver.check() != z3.sat:
        return None
    value = solver.model().eval(variable, model_completion=True)
    if not is_value(value):
        return None
    # formula & variable != value
    solver.add(z3.Not(equation(variable, value)))
    return value if solver.check() == z3.unsat else None


def _holds(formula: z3.BoolRef, model: z3.ModelRef) -> bool:
    return z3.is_true(model.eval(formula, model_completion=True))


def _without(formula: z3.BoolRef, variables: Iterable[z3.ExprRef]) -> z3.BoolRef:
    """The conjuncts that the variables do not occur in."""
    dropped = {variable.get_id() for variable in variables}
    return conjunction(
        part for part in conjuncts(formula) if all(term.get_id() not in dropped for term in subterms(part))
    )


def _solved(
    parts: list[z3.BoolRef], arguments: list[list[z3.ExprRef]]
) -> tuple[list[z3.BoolRef], list[list[z3.ExprRef]]]:
    """The parts and arguments without the variables that an equation defines."""
    done: list[z3.BoolRef] = []
    while parts:
        part = parts.pop()
        pair = defined_variable(part)
        if pair is None:
            done.append(part)
            continue
        parts = [substitute(other, [pair]) for other in parts]
        done = [substitute(other, [pair]) for other in done]
        arguments = [[substitute(argument, [pair]) for argument in each] for each in arguments]
    return done, arguments


def _names(
    arguments: Sequence[Sequence[z3.ExprRef]], parts: Sequence[z3.BoolRef]
) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
    """For each variable one that is named after its first position, so that clauses of one shape have the same."""
    found: dict[z3.ExprRef, str] = {}
    for i, each in enumerate(arguments):
        for position, argument in enumerate(each):
            if is_variable(argument):
                found.setdefault(argument, f"argument.{i}.{position}")
    for variable in free_variables(*parts, *(argument for each in arguments for argument in each)):
        found.setdefault(variable, f"other.{len(found)}")
    return [(variable, z3.Const(f"{name}.{variable.sort()}", variable.sort())) for variable, name in found.items()]
