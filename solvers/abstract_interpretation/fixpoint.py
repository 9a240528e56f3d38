"""The fixpoint of an abstract interpretation: for each predicate a value that contains all of its derivable facts.

Cousot, Cousot: Abstract interpretation (POPL 1977) [CousotCousot1977].

What is computed. Each predicate has an abstract value: for example bounds of its arguments, or linear equations between
them. At first every value is empty. For a clause, z3 is asked for a step from the values of the body to a head that the
head's value does not contain. If there is one, the head's value is joined with it: it becomes the least value of the
domain that contains both. That is repeated, clause by clause in the order of the loops, until no clause has such a
step. Bounds that keep growing are widened, so that this ends.

Why it is right. At the end, z3 has shown for each clause that no step leads out of the values. So they are closed under
the clauses, and contain every derivable fact, whatever the domains did on the way: a domain that joins or widens
wrongly costs precision or time, never correctness. Asking a solver for steps, instead of computing them by transfer
functions of each domain, makes this hold for any clause, also for nonlinear ones with several body atoms.

Example, with bounds. P(0); P(x) and x < 9 give P(x + 1). The first clause gives x = 0, so the value is [0, 0]. The
second one has the step from 0 to 1, which is outside: [0, 1]. After some such steps the upper bound is widened: it
moves on to the next number that the clauses mention, or to a neighbour of such a number. From 9 no step leads further:
[0, 9] contains all facts.

A value is a disjunction over partitions (`Cell`): the facts for which a few chosen terms have the same values, for
example the same Booleans, share an abstract value.
"""

import heapq
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from fractions import Fraction
from itertools import chain
from typing import Any

import z3

from chcverify.effort import LONG_QUESTION_RESOURCES, MAX_FORMULAS, QUESTION_MS, QUESTION_S
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.graphs import components, reverse_postorder
from chcverify.terms.core.traversal import (
    conjunction,
    conjuncts,
    disjunction,
    free_variables,
    is_plain_arithmetic,
    kind_of,
    substitute,
)
from chcverify.terms.native.model_values import values_in
from solvers.abstract_interpretation.copied_bounds import CopiedBounds
from solvers.abstract_interpretation.domains.basic_domains import AbstractValue, Bounds, Vector, numeral
from solvers.abstract_interpretation.domains.budget import Budget
from solvers.abstract_interpretation.simultaneous_violation import SimultaneousViolation
from solvers.engine import Context

Invariants = dict[Predicate, z3.BoolRef]
Cell = tuple[bool | Fraction, ...] | None
"""None: the cell of what came after the last cell that the budget allows."""


@dataclass(frozen=True)
class Component:
    """A domain of a product.

    features: the terms of a predicate that it tracks; bit-vector features count as unsigned numbers. start: its value
    for a first vector of their values.
    """

    features: Callable[[Predicate], Sequence[z3.ExprRef]]
    start: Callable[[Vector, Sequence[Any]], AbstractValue]


@dataclass(frozen=True)
class Point:
    """A concrete fact: the values of its predicate's splits, and one feature vector per component."""

    cell: Cell
    vectors: list[list[Fraction]]


class StepAnswer(Enum):
    """An answer to a step query without a model."""

    NONE = "there is no such step"
    UNKNOWN = "the solver cannot tell"


class Fixpoint:
    """Computes inductive invariants for a reduced product of components.

    assumed: invariants that are already proved. splits: for each predicate terms over its formals, of Boolean, numeric
    or bit-vector sort, whose values partition its facts.
    """

    def __init__(
        self,
        system: HornSystem,
        components: Sequence[Component],
        assumed: Invariants,
        context: Context,
        splits: Mapping[Predicate, Sequence[z3.ExprRef]] | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.system = system
        self.components = components
        self.assumed = assumed
        self.context = context
        self.budget = budget or Budget()
        self.order = evaluation_order(system)
        self.features = {p: [component.features(p) for component in components] for p in system.predicates}
        self._splits = splits or {}
        self._is_plain = is_plain_arithmetic(*self._terms_of_questions())
        # One product value per reached cell; none at all is bottom.
        self.values: dict[Predicate, dict[Cell, list[AbstractValue]]] = {p: {} for p in system.predicates}
        self._copied = CopiedBounds(system, self.features, self.values)
        self._looping = looping_clauses(system, self.order)
        self._joins: dict[Predicate, int] = dict.fromkeys(system.predicates, 0)
        self._top: set[Predicate] = set()
        # Terms of the values above, as long as these stay as they are.
        self._parts: dict[tuple[Predicate, Cell], list[z3.BoolRef]] = {}
        self._partitions: dict[tuple[Predicate, Cell], z3.BoolRef] = {}
        self._terms: dict[Predicate, z3.BoolRef] = {}
        self._formulas: dict[Predicate, z3.BoolRef] = {}  # with what is assumed
        self._conditions: dict[tuple[Predicate, Cell], z3.BoolRef] = {}
        # For each clause its head's splits, and its features for each component.
        self._instances: dict[int, list[list[z3.ExprRef]]] = {}
        # For each clause a solver with its constraint, and below a first push the values of its body as they were last.
        self._solvers: dict[int, z3.Solver] = {}
        self._asserted: dict[int, list[z3.BoolRef]] = {}
        self._violations: dict[int, SimultaneousViolation] = {}
        self._heads: dict[int, tuple[z3.ExprRef, ...]] = {}

    def _terms_of_questions(self) -> Iterator[z3.ExprRef]:
        """What questions to the solver are made of."""
        for clause in self.system.clauses:
            yield clause.constraint
            for atom in clause.applications:
                yield from atom.arguments
        yield from self.assumed.values()
        for terms in (*chain(*self.features.values()), *self._splits.values()):
            yield from terms

    def steps(self) -> Iterator[Sequence[Predicate]]:
        """Closes one clause after the other, yielding after each; at the end, if in time, the values are inductive.

        Yields the predicates whose values have become inductive and that no later step extends: the strongly connected
        components before that of the next clause. Who narrows them at once spares those that follow from wide bounds.
        """
        unsettled = deque(sorted(self.order, key=self.order.__getitem__))
        rules = [i for i, clause in enumerate(self.system.clauses) if clause.head is not None]
        queue = [(self._position(index), index) for index in rules]
        heapq.heapify(queue)
        waiting = set(rules)
        while queue:
            _, index = heapq.heappop(queue)
            waiting.discard(index)
            clause = self.system.clauses[index]
            assert clause.head is not None
            if self._close(index, clause):
                for user in self.system.using[clause.head.predicate]:
                    if user not in waiting and not self.system.clauses[user].is_query:
                        waiting.add(user)
                        heapq.heappush(queue, (self._position(user), user))
            following = self._position(queue[0][1])[0] if queue else 1
            settled: list[Predicate] = []
            while unsettled and self.order[unsettled[0]][0] < following:
                settled.append(unsettled.popleft())
            yield settled

    def invariants(self) -> Invariants:
        """The current values as formulas over the formals; false for unreachable predicates."""
        return {predicate: self.formula(predicate) for predicate in self.system.predicates}

    def formula(self, predicate: Predicate) -> z3.BoolRef:
        """The conjunction of the current value and the assumed invariant."""
        if predicate not in self._formulas:
            assumed = self.assumed.get(predicate, z3.BoolVal(True))
            is_top = predicate in self._top
            self._formulas[predicate] = assumed if is_top else conjunction([assumed, self._own(predicate)])
        return self._formulas[predicate]

    def _position(self, index: int) -> tuple[int, int]:
        head = self.system.clauses[index].head
        assert head is not None
        return self.order[head.predicate]

    def _close(self, index: int, clause: Clause) -> bool:
        """Joins heads of the clause until none is outside the head's value; True if anything was joined."""
        assert clause.head is not None
        recursive = any(atom.predicate == clause.head.predicate for atom in clause.body)
        violation = self._renewed_violation(index)
        changed, is_open = False, True
        while is_open:
            with self._bodies(index) as solver:
                while is_open := self._join_outside(index, clause.head, violation, solver):
                    changed = True
                    if recursive:  # the body's value has grown
                        break
        return changed

    def _join_outside(self, index: int, head: Application, violation: SimultaneousViolation, solver: z3.Solver) -> bool:
        """Joins a head that is outside the head's value, then those far outside; False if none is, or no time."""
        if head.predicate in self._top or self.context.remaining() <= 0:
            return False
        # Within one scope each goal implies those before it, so they may stay.
        found = self._ask(index, z3.Not(self._own(head.predicate)), solver)
        if found is StepAnswer.NONE:
            return False
        point = None if isinstance(found, StepAnswer) else self._evaluate(found, index, head)
        self._joins[head.predicate] += 1
        most = MAX_FORMULAS * max(1, len(self.values[head.predicate]))
        if point is not None and self._joins[head.predicate] <= most:
            cell = self._join(index, head.predicate, point)
            self._join_violating_many(index, head, cell, violation, solver)
        else:
            self.budget.weaken("predicate to true")
            self._top.add(head.predicate)
            self._formulas.pop(head.predicate, None)
        return True

    def _join_violating_many(
        self, index: int, head: Application, cell: Cell, violation: SimultaneousViolation, solver: z3.Solver
    ) -> None:
        """Joins heads that violate many conjuncts of one kind, such as upper bounds, of the cell's value."""
        predicate = head.predicate
        for kind in dict.fromkeys(map(kind_of, self._cell_parts(predicate, cell))):
            while self.context.remaining() > 0:
                alike = [part for part in self._cell_parts(predicate, cell) if kind_of(part) == kind]
                model = violation.find(alike, solver)
                point = None if model is None else self._evaluate(model, index, head)
                if point is None or self._join(index, predicate, point) != cell:
                    break

    def step(self, index: int, goal: z3.BoolRef) -> z3.ModelRef | StepAnswer:
        """A step of the clause from the current values whose head satisfies the goal (over the head's formals)."""
        with self._bodies(index) as solver:
            return self._ask(index, goal, solver)

    def step_violating_many(self, index: int, goal: z3.BoolRef, parts: Sequence[z3.BoolRef]) -> z3.ModelRef | None:
        """A step of the clause whose head satisfies the goal and violates at least two parts, or None.

        None means that a few queries have found none.
        """
        with self._bodies(index) as solver:
            solver.add(self._reached(index, goal))
            return self._renewed_violation(index).find(parts, solver)

    def _renewed_violation(self, index: int) -> SimultaneousViolation:
        violation = self._violations.setdefault(
            index, SimultaneousViolation(lambda formula: self._reached(index, formula))
        )
        violation.renew()
        return violation

    @contextmanager
    def _bodies(self, index: int) -> Iterator[z3.Solver]:
        """A solver that holds value(body) & constraint; what is added within this context manager is dropped behind it.

        The values stay asserted until they change: narrowing asks many questions about the same ones.
        """
        solver = self._solver(index)
        body = self.system.clauses[index].body
        values, asserted = [self.formula(atom.predicate) for atom in body], self._asserted.get(index)
        if asserted is None or not all(a.eq(b) for a, b in zip(values, asserted, strict=True)):
            if asserted is not None:
                solver.pop()
            solver.push()
            solver.add([atom.instance(value) for atom, value in zip(body, values, strict=True)])
            self._asserted[index] = values
        solver.push()
        try:
            yield solver
        finally:
            solver.pop()

    def _solver(self, index: int) -> z3.Solver:
        """The solver of a clause, which holds its constraint."""
        if index not in self._solvers:
            clause = self.system.clauses[index]
            solver = self._solvers[index] = z3.SimpleSolver()
            solver.set("rlimit", LONG_QUESTION_RESOURCES)
            if not self._is_plain:  # else units of resources are enough; starting z3's clock costs a short question
                solver.set("timeout", QUESTION_MS)
            solver.add(clause.constraint)
            self._heads[index] = defined_head(clause)
        return self._solvers[index]

    def _ask(self, index: int, goal: z3.BoolRef, solver: z3.Solver) -> z3.ModelRef | StepAnswer:
        reached = self._reached(index, goal)
        # Equal sums of bit-vectors should look equal: as circuits they are hard to compare.
        solver.add(z3.simplify(reached) if any(map(z3.is_bv, self._heads[index])) else reached)
        if self.context.remaining() < QUESTION_S:
            solver.set("timeout", max(1, int(1000 * self.context.remaining())))
        # value(body) & constraint & goal(head)
        answer = solver.check()
        if answer != z3.sat:
            return StepAnswer.NONE if answer == z3.unsat else StepAnswer.UNKNOWN
        return solver.model()

    def _reached(self, index: int, formula: z3.BoolRef) -> z3.BoolRef:
        """A formula over the formals of the clause's head, for its arguments."""
        head = self.system.clauses[index].head
        assert head is not None
        return substitute(formula, zip(head.predicate.formals, self._heads[index], strict=True))

    def _own(self, predicate: Predicate) -> z3.BoolRef:
        """The value without the assumption, which holds of every head anyway."""
        if predicate not in self._terms:
            self._terms[predicate] = disjunction([self._partition(predicate, cell) for cell in self.values[predicate]])
        return self._terms[predicate]

    def _partition(self, predicate: Predicate, cell: Cell) -> z3.BoolRef:
        """The condition and the abstract value of one partition."""
        key = predicate, cell
        if key not in self._partitions:
            parts = [self.cell_formula(predicate, cell), *self._cell_parts(predicate, cell)]
            self._partitions[key] = conjunction(parts)
        return self._partitions[key]

    def _cell_parts(self, predicate: Predicate, cell: Cell) -> list[z3.BoolRef]:
        """The conjuncts of the abstract value of one partition."""
        key = predicate, cell
        if key not in self._parts:
            pairs = zip(self.values[predicate][cell], self.features[predicate], strict=True)
            self._parts[key] = [part for value, features in pairs for part in value.formula(features)]
        return self._parts[key]

    def changed(self, predicate: Predicate, cell: Cell) -> None:
        """Drops cached terms of the partition; must be called after each change of its value."""
        self._parts.pop((predicate, cell), None)
        self._partitions.pop((predicate, cell), None)
        self._terms.pop(predicate, None)
        self._formulas.pop(predicate, None)

    def cell_formula(self, predicate: Predicate, cell: Cell) -> z3.BoolRef:
        """The condition under which facts belong to the partition; true for None."""
        if cell is None:
            return z3.BoolVal(True)
        key = predicate, cell
        if key not in self._conditions:
            splits: Sequence[Any] = self._splits.get(predicate, ())
            self._conditions[key] = conjunction(
                (term if value else z3.Not(term)) if isinstance(value, bool) else term == numeral(value, term)
                for term, value in zip(splits, cell, strict=True)
            )
        return self._conditions[key]

    def _evaluate(self, model: z3.ModelRef, index: int, head: Application) -> Point | None:
        """The head's fact in the model; None if one of its values is not a rational number."""
        if index not in self._instances:
            groups = (self._splits.get(head.predicate, ()), *self.features[head.predicate])
            old, new = head.predicate.formals, head.arguments
            self._instances[index] = [
                [substitute(term, zip(old, new, strict=True)) for term in terms] for terms in groups
            ]
        rows: list[list[bool | Fraction]] = []
        for terms in self._instances[index]:
            values = values_in(model, terms)
            if any(value is None for value in values):
                return None
            rows.append([value for value in values if value is not None])
        return Point(tuple(rows[0]), [[Fraction(value) for value in row] for row in rows[1:]])

    def _join(self, index: int, predicate: Predicate, point: Point) -> Cell:
        """Joins the point, a head of the clause; returns the partition that contains it."""
        cells, cell = self.values[predicate], point.cell
        if cell not in cells and len(cells) >= self.budget.cells:
            self.budget.weaken("cell to the others")
            cell = None
        self.changed(predicate, cell)
        values = cells.get(cell)
        if values is None:
            parts = zip(self.components, point.vectors, self.features[predicate], strict=True)
            cells[cell] = [component.start(v, features) for component, v, features in parts]
            return cell
        for c, (value, vector) in enumerate(zip(values, point.vectors, strict=True)):
            if vector and isinstance(value, Bounds) and value.is_widened_by(vector):
                stops = {i: bounds for (own, i), bounds in self._copied.stops(index).items() if own == c}
                value.join(vector, stops, doubling=index in self._looping)
            elif vector:
                value.join(vector)
        return cell


def defined_head(clause: Clause) -> tuple[z3.ExprRef, ...]:
    """The head's arguments, those that an equation of the constraint defines replaced by their terms."""
    assert clause.head is not None
    own = {argument.get_id() for argument in clause.head.arguments}
    terms: dict[int, z3.ExprRef] = {}
    for equation in filter(z3.is_eq, conjuncts(clause.constraint)):
        for variable, term in (equation.children(), reversed(equation.children())):
            if variable.get_id() in own and all(v.get_id() not in own for v in free_variables(term)):
                terms.setdefault(variable.get_id(), term)
    return tuple(terms.get(argument.get_id(), argument) for argument in clause.head.arguments)


def looping_clauses(system: HornSystem, order: Mapping[Predicate, tuple[int, int]]) -> frozenset[int]:
    """The indices of the clauses that lie on a cycle of predicates, body to head. order: see `evaluation_order`."""
    return frozenset(
        i
        for i, clause in enumerate(system.clauses)
        if clause.head is not None
        and any(order[atom.predicate][0] == order[clause.head.predicate][0] for atom in clause.body)
    )


def evaluation_order(system: HornSystem) -> dict[Predicate, tuple[int, int]]:
    """The number of each predicate's strongly connected component, and its number in reverse postorder.

    Of the graph body -> head, from the facts: loops settle before what follows them, their bodies in order.
    """

    def following(predicate: Predicate) -> list[Predicate]:
        heads = [system.clauses[i].head for i in system.using[predicate]]
        return [head.predicate for head in reversed(heads) if head is not None]

    roots = [c.head.predicate for c in system.clauses if c.is_fact and c.head is not None]
    ordered = reverse_postorder([*roots, *system.predicates], following)
    component = {p: -i for i, members in enumerate(components(ordered, following)) for p in members}
    return {predicate: (component[predicate], position) for position, predicate in enumerate(ordered)}
