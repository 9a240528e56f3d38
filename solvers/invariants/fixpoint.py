"""The fixpoint engine: abstract values per predicate, grown by solver models until every clause is closed.

Linear and nonlinear clauses alike: for each clause the solver is asked for a step that leaves the head's value; its
head is joined. When no clause has one, the values are inductive, whatever the domains did.
"""

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.walk import conjunction, disjunction, substitute
from solvers.engine import Context
from solvers.invariants.domains import Value, Vector

Invariants = dict[Predicate, z3.BoolRef]
Cell = tuple[bool, ...]
CHECK_MS = 1_000
MOST_JOINS = 400  # of one predicate; then it is given up as top


@dataclass(frozen=True)
class Component:
    """A domain of a product: which features of a predicate it talks about, and its value for a first vector.

    Bit-vector features count as unsigned numbers.
    """

    features: Callable[[Predicate], list[z3.ExprRef]]
    start: Callable[[Vector, Sequence[z3.ExprRef]], Value]


@dataclass(frozen=True)
class Point:
    """A concrete fact: which conditions hold in it, and one feature vector per component."""

    cell: Cell
    vectors: list[list[Fraction]]


class Answer(Enum):
    NONE = "there is no such step"
    UNKNOWN = "the solver cannot tell"


class Fixpoint:
    """Computes inductive invariants for a reduced product of components; `assumed` are invariants known before."""

    def __init__(
        self,
        system: HornSystem,
        components: Sequence[Component],
        assumed: Invariants,
        context: Context,
        conditions: Mapping[Predicate, Sequence[z3.BoolRef]] | None = None,
    ) -> None:
        self.system = system
        self.conditions = conditions or {}
        self.components = components
        self.assumed = assumed
        self.context = context
        self.joins: dict[Predicate, int] = dict.fromkeys(system.predicates, 0)
        self._features = {p: [component.features(p) for component in components] for p in system.predicates}
        # One product value per reached valuation of the predicate's conditions; none at all is bottom.
        self._values: dict[Predicate, dict[Cell, list[Value]]] = {p: {} for p in system.predicates}
        self._top: set[Predicate] = set()
        self._solvers: dict[int, z3.Solver] = {}
        self._order = evaluation_order(system)

    def run(self) -> Invariants | None:
        """Inductive invariants (false for what is unreachable), or None at the deadline."""
        rules = [i for i, clause in enumerate(self.system.clauses) if clause.head is not None]
        queue = [(self._position(index), index) for index in rules]
        heapq.heapify(queue)
        waiting = set(rules)
        while queue:
            if self.context.remaining() <= 0:
                return None
            _, index = heapq.heappop(queue)
            waiting.discard(index)
            clause = self.system.clauses[index]
            assert clause.head is not None
            if not self._close(index, clause):
                continue
            for user in self.system.using[clause.head.predicate]:
                if user not in waiting and not self.system.clauses[user].is_query:
                    waiting.add(user)
                    heapq.heappush(queue, (self._position(user), user))
        return {predicate: self.formula(predicate) for predicate in self.system.predicates}

    def formula(self, predicate: Predicate) -> z3.BoolRef:
        """The current value, with what was assumed."""
        assumed = self.assumed.get(predicate, z3.BoolVal(True))
        if predicate in self._top:
            return assumed
        return conjunction([assumed, self._own(predicate)])

    def _position(self, index: int) -> int:
        head = self.system.clauses[index].head
        assert head is not None
        return self._order[head.predicate]

    def _close(self, index: int, clause: Clause) -> bool:
        """Joins heads of the clause until none is outside the head's value; was anything joined?"""
        head = clause.head
        assert head is not None
        changed = False
        while head.predicate not in self._top and self.context.remaining() > 0:
            point = self._outside(index, clause)
            if point is Answer.NONE:
                return changed
            changed = True
            self.joins[head.predicate] += 1
            if isinstance(point, Point) and self.joins[head.predicate] <= MOST_JOINS:
                self._join(head.predicate, point)
            else:
                self._top.add(head.predicate)
        return changed

    def _outside(self, index: int, clause: Clause) -> Point | Answer:
        """The head of a step that leaves the head's value, or that there is none, or that the solver cannot tell."""
        head = clause.head
        assert head is not None
        solver = self._solvers.get(index)
        if solver is None:
            solver = self._solvers[index] = z3.SimpleSolver()
            solver.add(clause.constraint)
        solver.push()
        try:
            instance = list(zip(head.predicate.formals, head.arguments, strict=True))
            for atom in clause.body:
                body = zip(atom.predicate.formals, atom.arguments, strict=True)
                solver.add(substitute(self.formula(atom.predicate), body))
            solver.add(z3.Not(substitute(self._own(head.predicate), instance)))
            solver.set("timeout", max(1, min(CHECK_MS, int(1000 * self.context.remaining()))))
            # value(body) & constraint & ~value(head)
            answer = solver.check()
            if answer != z3.sat:
                return Answer.NONE if answer == z3.unsat else Answer.UNKNOWN
            return self._evaluate(solver.model(), head.predicate, instance) or Answer.UNKNOWN
        finally:
            solver.pop()

    def _own(self, predicate: Predicate) -> z3.BoolRef:
        """The value without the assumption, which holds of every head anyway."""
        cells = []
        for cell, values in self._values[predicate].items():
            parts = [c if holds else z3.Not(c) for c, holds in zip(self._conditions(predicate), cell, strict=True)]
            for value, features in zip(values, self._features[predicate], strict=True):
                parts.extend(value.formula(features))
            cells.append(conjunction(parts))
        return disjunction(cells)

    def _conditions(self, predicate: Predicate) -> Sequence[z3.BoolRef]:
        return self.conditions.get(predicate, ())

    def _evaluate(
        self, model: z3.ModelRef, predicate: Predicate, instance: list[tuple[z3.ExprRef, z3.ExprRef]]
    ) -> Point | None:
        held = [model.eval(substitute(c, instance), model_completion=True) for c in self._conditions(predicate)]
        vectors = []
        for features in self._features[predicate]:
            values = [model.eval(substitute(feature, instance), model_completion=True) for feature in features]
            if not all(z3.is_rational_value(v) or z3.is_int_value(v) or z3.is_bv_value(v) for v in values):
                return None  # an algebraic number, say
            vectors.append([_fraction(value) for value in values])
        return Point(tuple(z3.is_true(value) for value in held), vectors)

    def _join(self, predicate: Predicate, point: Point) -> None:
        values = self._values[predicate].get(point.cell)
        if values is None:
            parts = zip(self.components, point.vectors, self._features[predicate], strict=True)
            self._values[predicate][point.cell] = [component.start(v, features) for component, v, features in parts]
            return
        for value, vector in zip(values, point.vectors, strict=True):
            value.join(vector)


def _fraction(value: z3.ExprRef) -> Fraction:
    return Fraction(value.as_fraction()) if z3.is_rational_value(value) else Fraction(value.as_long())


def evaluation_order(system: HornSystem) -> dict[Predicate, int]:
    """Reverse postorder of the graph body -> head, from the facts: loop bodies settle before what follows them."""
    order: list[Predicate] = []
    seen: set[Predicate] = set()
    roots = [c.head.predicate for c in system.clauses if c.is_fact and c.head is not None]
    for root in [*roots, *system.predicates]:
        stack = [(root, False)]
        while stack:
            predicate, done = stack.pop()
            if done:
                order.append(predicate)
            elif predicate not in seen:
                seen.add(predicate)
                stack.append((predicate, True))
                heads = [system.clauses[i].head for i in system.using[predicate]]
                stack.extend((head.predicate, False) for head in heads if head is not None)
    return {predicate: position for position, predicate in enumerate(reversed(order))}
