"""The derivation tree that constrained facts stand for, as a formula about the states of its steps."""

from collections.abc import Sequence

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.effort import MAX_FORMULAS
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import equation, free_variables, substitute
from solvers.saturation.clause_images import ClauseImage, ConstrainedFact


class TooLarge(Exception):
    """The tree has too many steps."""


@dataclass(frozen=True, eq=False)
class _TreeStep:
    clause: int
    state: tuple[z3.ExprRef, ...]
    premises: tuple[int, ...]


class DerivationFormula:
    """The formula of one tree, whose root is a query. Raises TooLarge.

    images: of all clauses, by number. query: the number of the violated one. premises: a fact for each of its atoms.
    """

    def __init__(self, images: Sequence[ClauseImage], query: int, premises: Sequence[ConstrainedFact]) -> None:
        self.images = images
        self.steps: list[_TreeStep] = []
        self.solver = z3.Solver()
        self._single: dict[ConstrainedFact, int] = {}  # the steps that derive facts of a single state
        numbers = tuple(self._subtree(fact) for fact in premises)
        self._step(query, (), numbers)

    def check(self, timeout_ms: int) -> z3.CheckSatResult:
        """Is there a derivation along this tree?"""
        self.solver.set("timeout", timeout_ms)
        # for each step: constraint & arguments of the body = states of the premises & arguments of the head = its state
        return self.solver.check()

    def derivation(self) -> Derivation:
        """The tree with the values of the last check."""
        model = self.solver.model()
        return Derivation(
            tuple(
                Step(
                    step.clause, tuple(model.eval(value, model_completion=True) for value in step.state), step.premises
                )
                for step in self.steps
            )
        )

    def _subtree(self, root: ConstrainedFact) -> int:
        """The number of the step that derives the fact."""
        stack: list[tuple[ConstrainedFact, list[int]]] = [(root, [])]
        while True:
            fact, below = stack[-1]
            if fact in self._single:
                stack.pop()
                if not stack:
                    return self._single[fact]
                stack[-1][1].append(self._single[fact])
                continue
            if len(self.steps) + len(stack) > MAX_FORMULAS:
                raise TooLarge
            if len(below) < len(fact.premises):
                stack.append((fact.premises[len(below)], []))
                continue
            stack.pop()
            number = len(self.steps)
            state = tuple(z3.Const(f"step{number}.{i}", sort) for i, sort in enumerate(fact.predicate.sorts))
            self._step(fact.clause, state, tuple(below))
            if fact.is_single:
                self._single[fact] = number
            if not stack:
                return number
            stack[-1][1].append(number)

    def _step(self, clause: int, state: tuple[z3.ExprRef, ...], below: tuple[int, ...]) -> None:
        """Adds the instance of a clause that derives the state from those of the steps below, by their numbers."""
        image, number = self.images[clause], len(self.steps)
        variables = free_variables(image.constraint, *(argument for each in image.arguments for argument in each))
        renamed = [(v, z3.Const(f"{v.decl().name()}@{number}", v.sort())) for v in variables]
        states = [self.steps[premise].state for premise in below]
        states += [] if image.clause.head is None else [state]
        for arguments, values in zip(image.arguments, states, strict=True):
            self.solver.add(
                *(equation(substitute(a, renamed), value) for a, value in zip(arguments, values, strict=True))
            )
        self.solver.add(substitute(image.constraint, renamed))
        self.steps.append(_TreeStep(clause, state, below))
