"""A clause as a map from sets of facts to the facts of its head; the solver that it asks."""

from collections.abc import Iterable, Mapping, Sequence

import z3

from chcverify.horn.system import Clause, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.bitvectors.opposite_inequalities import with_equations
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

_ELIMINATION_MS = 300
"""Of an elimination: light ones take 10 ms, others of bit-vectors mostly find nothing (systems of tasks at hand)."""


@dataclass(frozen=True, eq=False)
class ConstrainedFact:
    """All states of a predicate that satisfy a formula over its formals, as a clause derives them from premises."""

    predicate: Predicate
    formula: z3.BoolRef
    clause: int
    premises: tuple["ConstrainedFact", ...]


class FactSolver:
    """One solver for all questions.

    Clauses ask about the same facts at the same arguments: what was learned for one, such as which facts exclude each
    other, is of use for all. Two systems over bit-vectors took 4 and 6 s of the processor instead of 15 and 20.
    """

    def __init__(self, seed: int) -> None:
        self._solver = z3.SimpleSolver()
        self._solver.set("random_seed", seed)
        self._literals: dict[int, tuple[z3.BoolRef, z3.BoolRef]] = {}  # by the id of the formula; keeps it alive
        self._questions = 0

    def literal(self, formula: z3.BoolRef) -> z3.BoolRef:
        """A Boolean variable with the truth value of the formula."""
        if formula.get_id() not in self._literals:
            literal = z3.Bool(f"fact.{len(self._literals)}")
            self._solver.add(literal == formula)
            self._literals[formula.get_id()] = literal, formula
        return self._literals[formula.get_id()][0]

    def check(self, formulas: Sequence[z3.BoolRef], timeout_ms: int) -> tuple[z3.CheckSatResult, z3.ModelRef | None]:
        """Whether the formulas are satisfiable together, and then a model, within timeout_ms milliseconds."""
        self._questions += 1
        # question & facts at arguments, by their literals
        asked = z3.Bool(f"question.{self._questions}")
        self._solver.set("timeout", timeout_ms)
        self._solver.add(z3.Implies(asked, conjunction(formulas)))
        answer = self._solver.check(asked)
        model = self._solver.model() if answer == z3.sat else None
        self._solver.add(z3.Not(asked))
        return answer, model


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
        choices = [[solver.literal(self._at(fact, i)) for fact in found] for i, found in enumerate(body)]
        goal = []
        if self.clause.head is not None:
            head = len(self.clause.body)
            goal = [z3.Not(solver.literal(self._at(fact, head))) for fact in facts[self.clause.head.predicate]]
        # constraint & facts(body) & ~facts(head)
        answer, model = solver.check([self.constraint, *map(disjunction, choices), *goal], timeout_ms)
        if model is None:
            return answer, ()
        return answer, tuple(
            next(fact for fact, part in zip(found, parts, strict=True) if _holds(part, model))
            for found, parts in zip(body, choices, strict=True)
        )

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
        projected = eliminate(others, formula, _ELIMINATION_MS)
        kept = z3.simplify(_without(formula, others) if projected is None else projected)
        return ConstrainedFact(predicate, with_equations(kept), self.index, tuple(premises))

    def _at(self, fact: ConstrainedFact, position: int) -> z3.BoolRef:
        """The fact's formula about the arguments of an atom; the head comes last."""
        return substitute(fact.formula, zip(fact.predicate.formals, self.arguments[position], strict=True))


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
