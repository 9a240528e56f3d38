"""Random runs of clauses with one body atom at most, by a solver: each step is an instance of its clause."""

import random
import time
from collections.abc import Iterator, Sequence

import z3

from chcverify.certificate.derivation import Step
from chcverify.certificate.termination import Lasso
from chcverify.effort import MAX_CASES, MAX_COMPARED, MAX_TRIED, QUESTION_MS
from chcverify.horn.system import Clause, HornSystem
from solvers.termination.recurrence_search import open_variables

Values = list[tuple[z3.ExprRef, z3.ExprRef]]


def clause_runs(system: HornSystem, seed: int, until: float) -> Iterator[tuple[Step, ...]]:
    """Runs of MAX_TRIED steps, from a clause without a body atom on. until: time.monotonic() to stop at.

    Where a clause leaves values open, a run keeps those that it chose first, as long as it can.
    """
    for number in range(MAX_COMPARED):
        found = _ClauseRun(system, random.Random(seed * 1_000_003 + number), until).steps()
        if time.monotonic() >= until:
            return
        if len(found) == MAX_TRIED:
            yield tuple(found)


def lasso_of(system: HornSystem, steps: Sequence[Step]) -> Lasso | None:
    """The part of a run up to the first fact that comes again; None if there is none."""
    known: dict[tuple[object, ...], int] = {}
    for number, step in enumerate(steps):
        head = system.clauses[step.clause].head
        assert head is not None
        fact = head.predicate.name, *(argument.get_id() for argument in step.arguments)
        begin = known.setdefault(fact, number)
        if begin != number:
            return Lasso(tuple(steps[: number + 1]), begin)
    return None


class _ClauseRun:
    def __init__(self, system: HornSystem, draw: random.Random, until: float) -> None:
        self.system, self.draw, self.until = system, draw, until
        self.chosen: dict[int, Values] = {}  # by clause

    def steps(self) -> list[Step]:
        """A run; shorter where no step leads on, or none was found in time."""
        found: list[Step] = []
        while len(found) < MAX_TRIED and time.monotonic() < self.until:
            step = self._next(found)
            if step is None:
                break
            found.append(step)
        return found

    def _next(self, found: Sequence[Step]) -> Step | None:
        clauses, last = self.system.clauses, self.system.clauses[found[-1].clause].head if found else None
        if last is None:
            numbers = [number for number, clause in enumerate(clauses) if clause.is_fact and clause.head is not None]
        else:
            following = self.system.using.get(last.predicate, ())
            numbers = [n for n in following if clauses[n].head is not None and len(clauses[n].body) == 1]
        self.draw.shuffle(numbers)
        for number in numbers:
            arguments = self._instance(number, self.system.clauses[number], found)
            if arguments is not None:
                return Step(number, arguments, (len(found) - 1,) if found else ())
        return None

    def _instance(self, number: int, clause: Clause, found: Sequence[Step]) -> tuple[z3.ExprRef, ...] | None:
        """The head's arguments of an instance of the clause behind the last step; None if there is none."""
        assert clause.head is not None
        solver = z3.SimpleSolver()
        solver.set("timeout", QUESTION_MS)
        solver.add(clause.constraint)
        for atom in clause.body:
            solver.add([a == value for a, value in zip(atom.arguments, found[-1].arguments, strict=True)])
        wanted = self.chosen.get(number) or self._first(clause)
        # the clause & the fact before & the values that are wanted, then without those
        answer = solver.check(*[variable == value for variable, value in wanted])
        if answer != z3.sat and (not wanted or solver.check() != z3.sat):
            return None
        model = solver.model()
        values = [(variable, model.eval(variable, model_completion=True)) for variable, _ in wanted]
        self.chosen.setdefault(number, values)
        return tuple(z3.simplify(model.eval(term, model_completion=True)) for term in clause.head.arguments)

    def _first(self, clause: Clause) -> Values:
        """Numbers for the open integers of a clause."""
        most = MAX_CASES
        return [
            (variable, z3.IntVal(self.draw.choice((0, 1, -1, self.draw.randint(-most, most)))))
            for variable in open_variables(clause)
            if variable.sort() == z3.IntSort()
        ]
