"""Growth: sums of arguments that no step of a loop increases, though each summand grows.

In `s += i; i++` with i < 500 the number s has no bound of its own, but s - 499 * i never increases. Cost analysis
bounds what loops use by such sums [AlbertEtAl2011]: where `s` grows by at most c in the steps of a loop in which a
counter `i` grows by at least d, the sum d * s - c * i does not grow there; where it grows elsewhere (an inner counter
starts again), another counter is subtracted in the same manner. The sums found are templates only: the fixpoint
computes which of their bounds hold.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import z3

from chcverify.effort import MAX_ALTERNATIVES, MAX_COMBINED, MOMENT_MS
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.graphs import components
from chcverify.terms.core.sums import sum_of
from chcverify.terms.core.traversal import conjuncts, is_variable, substitute
from chcverify.terms.core.unionfind import UnionFind
from solvers.abstract_interpretation.partitioning import NEAR_WORD_LIMIT
from solvers.abstract_interpretation.segmentation import scalar_arguments
from solvers.engine import Context

LARGEST_STEP = 1 << 10
"""Of a counter, downwards. With four times as many, a system of two phases took 3.6 s in place of 1.4 s."""

Position = tuple[Predicate, int]
"""An argument of a predicate. One position stands for all that copies of one variable have in a loop."""
Sum = Mapping[Position, int]
"""Coefficients of a linear combination; a variable that a predicate does not have counts as 0 there."""


@dataclass(frozen=True)
class Growth:
    """sums: for each predicate the sums over its formals that no step of its loop increases, of two arguments and more.

    is_open: some argument grows by numbers that have no bound in the invariants so far.
    """

    sums: Mapping[Predicate, Sequence[z3.ArithRef]]
    is_open: bool = False


def growth(system: HornSystem, known: Mapping[Predicate, z3.BoolRef], context: Context) -> Growth:
    """The growth of arguments without bounds in the invariants `known` (over the formals), as far as time allows."""
    found: dict[Predicate, list[z3.ArithRef]] = {predicate: [] for predicate in system.predicates}
    is_open = False
    for loop in _loops(system, known):
        for variable in loop.unbounded(known)[:MAX_ALTERNATIVES]:
            for sign in (1, -1):
                if context.remaining() <= 0:
                    return Growth(found, is_open)
                is_open = is_open or loop.is_open({variable: sign})
                total = loop.without_growth({variable: sign})
                if total is not None and len(total) > 1:
                    for predicate in loop.predicates:
                        found[predicate].append(sum_value(total, loop.columns[predicate], predicate.formals))
    return Growth(found, is_open)


def sum_value(total: Sum, columns: Mapping[Position, int], arguments: Sequence[z3.ExprRef]) -> z3.ArithRef:
    """The value of a sum by a predicate's arguments. columns: the position of each variable that the predicate has."""
    summands = [c * arguments[columns[variable]] for variable, c in total.items() if variable in columns]
    result: z3.ArithRef = sum_of(summands)
    return result


def _within(term: z3.ExprRef, most: int) -> z3.BoolRef:
    """-most <= term <= most"""
    return z3.And(term >= -most, term <= most)


def _loops(system: HornSystem, known: Mapping[Predicate, z3.BoolRef]) -> Iterator["_Loop"]:
    """The loops of the system: strongly connected components of its predicates, with their steps."""

    def following(predicate: Predicate) -> Iterator[Predicate]:
        return (head.predicate for i in system.using[predicate] if (head := system.clauses[i].head) is not None)

    for component in components(system.predicates, following):
        steps = list(_steps(system, frozenset(component), known))
        if steps:
            yield _Loop(component, steps)


def _steps(
    system: HornSystem, members: frozenset[Predicate], known: Mapping[Predicate, z3.BoolRef]
) -> Iterator["_Step"]:
    for clause in system.clauses:
        if clause.head is not None and clause.head.predicate in members:
            for atom in clause.body:
                if atom.predicate in members:
                    yield _Step(clause, atom, clause.head, known)


class _Step:
    """A step from a fact of a body atom to one of the head. copies: pairs of positions (head, body) of one value."""

    def __init__(
        self, clause: Clause, atom: Application, head: Application, known: Mapping[Predicate, z3.BoolRef]
    ) -> None:
        self.body = atom
        self.head = head
        self._solver = z3.SimpleSolver()
        self._solver.set("timeout", MOMENT_MS)
        self._solver.add(clause.constraint)
        for each in clause.body:
            if each.predicate in known:
                pairs = zip(each.predicate.formals, each.arguments, strict=True)
                self._solver.add(substitute(known[each.predicate], pairs))
        self._equal: UnionFind[int] = UnionFind()
        for part in filter(z3.is_eq, conjuncts(clause.constraint)):
            if all(map(is_variable, part.children())):
                self._equal.union(part.arg(0).get_id(), part.arg(1).get_id())

    def copies(self) -> Iterator[tuple[Position, Position]]:
        """Positions (head, body) with the same value, by the equations of the clause."""
        sources = {self._equal.find(a.get_id()): j for j, a in enumerate(self.body.arguments) if z3.is_int(a)}
        for i, argument in enumerate(self.head.arguments):
            source = sources.get(self._equal.find(argument.get_id()))
            if source is not None:
                yield (self.head.predicate, i), (self.body.predicate, source)

    def greatest(self, change: z3.ArithRef, steady: z3.BoolRef, least: int) -> int | None:
        """The greatest value of `change` from `least` up, where `steady` holds; least - 1 if there is none.

        None: there is no bound, or the solver gives up.
        """
        self._solver.push()
        try:
            self._solver.add(steady)
            low, high = least - 1, least
            while high <= NEAR_WORD_LIMIT:
                # known(body) & constraint & steady & change >= high
                answer = self._solver.check(change >= high)
                if answer == z3.unsat:
                    return self._between(change, low, high)
                if answer != z3.sat:
                    return None
                low = self._solver.model().eval(change, model_completion=True).as_long()
                high = max(2 * low, low + 1)
            return None
        finally:
            self._solver.pop()

    def is_within(self, value: z3.ArithRef) -> bool:
        """Does what is known say that the value is close to 0?"""
        # known(body) & constraint & |value| > bound
        return bool(self._solver.check(z3.Not(_within(value, NEAR_WORD_LIMIT))) == z3.unsat)

    def _between(self, change: z3.ArithRef, low: int, high: int) -> int | None:
        """The greatest value of `change`, which is at least `low` and less than `high`, by bisection."""
        while high - low > 1:
            middle = (low + high) // 2
            # known(body) & constraint & steady & change >= middle
            answer = self._solver.check(change >= middle)
            if answer == z3.sat:
                low = self._solver.model().eval(change, model_completion=True).as_long()
            elif answer == z3.unsat:
                high = middle
            else:
                return None
        return low


class _Loop:
    """The steps of one strongly connected component of predicates. columns: the variables of each predicate."""

    def __init__(self, predicates: Sequence[Predicate], steps: Sequence[_Step]) -> None:
        self.predicates = predicates
        self._steps = steps
        scalars = {p: {scalar.get_id() for scalar in scalar_arguments(p)} for p in predicates}
        positions = [(p, i) for p in predicates for i, formal in enumerate(p.formals) if z3.is_int(formal)]
        positions = [(p, i) for p, i in positions if p.formals[i].get_id() in scalars[p]]
        joined: UnionFind[Position] = UnionFind()
        for head, body in chain.from_iterable(step.copies() for step in steps):
            both = {joined.find(head), joined.find(body)}
            owners = [p for p, i in positions if joined.find((p, i)) in both]
            if len(owners) == len(set(owners)):  # two arguments of one predicate are two variables
                joined.union(head, body)
        self.columns: dict[Predicate, dict[Position, int]] = {p: {} for p in predicates}
        for predicate, i in positions:
            self.columns[predicate][joined.find((predicate, i))] = i
        self._variables = list(dict.fromkeys(chain.from_iterable(self.columns.values())))

    def unbounded(self, known: Mapping[Predicate, z3.BoolRef]) -> list[Position]:
        """The variables of all predicates of the loop that may be far from 0 by what is known."""
        found = []
        for variable in self._variables:
            if all(variable in columns for columns in self.columns.values()):
                predicate, i = variable
                solver = z3.SimpleSolver()
                solver.set("timeout", MOMENT_MS)
                # known & |x| > bound
                far = z3.Not(_within(predicate.formals[i], NEAR_WORD_LIMIT))
                solver.add(known.get(predicate, z3.BoolVal(True)), far)
                if solver.check() != z3.unsat:
                    found.append(variable)
        return found

    def is_open(self, start: Sum) -> bool:
        """True if a step may increase the sum without bound, by what is known."""
        return any(self._growth(step, start) is None for step in self._steps)

    def without_growth(self, start: Sum) -> Sum | None:
        """The sum minus multiples of counters, so that no step increases it; None if none was found."""
        total = dict(start)
        for _ in range(MAX_COMBINED + 1):
            growths = [self._growth(step, total) for step in self._steps]
            growing = [(step, most) for step, most in zip(self._steps, growths, strict=True) if most != 0]
            if not growing:
                return total
            greatest = max((most or 0 for _, most in growing), default=0)
            if None in growths or (counter := self._counter([step for step, _ in growing], total)) is None:
                return None
            variable, sign, least = counter
            divisor = math.gcd(least, greatest)
            total = {each: least // divisor * c for each, c in total.items()}
            total[variable] = -sign * greatest // divisor
        return None

    def _counter(self, steps: Sequence[_Step], total: Sum) -> tuple[Position, int, int] | None:
        """(variable, sign, least): sign * variable grows by `least` and more in each of the steps."""
        for variable in self._variables:
            for sign in (1, -1):
                if variable not in total:
                    # the least growth of the one is the greatest of its negation
                    falls = [self._growth(step, {variable: -sign}, least=-LARGEST_STEP) for step in steps]
                    known = [-most for most in falls if most is not None and most < 0]
                    if len(known) == len(steps):
                        return variable, sign, min(known)
        return None

    def _growth(self, step: _Step, total: Sum, least: int = 1) -> int | None:
        """How much the step increases the sum at most, if it does by `least`; machine integers must not wrap around.

        least - 1 if it never does, or if it sets the sum to a number with bounds, as the first step of a loop may do;
        None if there is no bound, or if the variables are not on both sides.
        """
        before, after = self.columns[step.body.predicate], self.columns[step.head.predicate]
        value = sum_value(total, after, step.head.arguments)
        if least > 0 and step.is_within(value):
            return least - 1
        steady = [
            _within(step.head.arguments[after[v]] - step.body.arguments[before[v]], NEAR_WORD_LIMIT)
            for v in total
            if v in before and v in after
        ]
        change = value - sum_value(total, before, step.body.arguments)
        return step.greatest(change, z3.And(steady), least)
