"""Concrete reachable facts: clauses executed forwards on random inputs, or on a solver's model where these fail."""

import random
import time
from collections.abc import Collection, Iterator, Mapping, Sequence

import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import conjuncts, free_variables, is_variable, substitute
from solvers.engine import Context
from solvers.invariants.data_driven.data_driven_tuning import DATA_DRIVEN_TUNING

Fact = tuple[z3.ExprRef, ...]


def reachable_facts(
    system: HornSystem, context: Context, largest: int = DATA_DRIVEN_TUNING.largest_value
) -> dict[Predicate, list[Fact]]:
    """Different facts of each predicate, up to a limit, in the order in which they were derived.

    Facts with numbers beyond `largest` in magnitude are neither kept nor followed: machine integers wrap around there.
    """
    chooser = random.Random(context.seed)
    facts: dict[Predicate, dict[Fact, None]] = {predicate: {} for predicate in system.predicates}
    rules = [_SampledRule(clause) for clause in system.clauses if clause.head is not None]
    end = time.monotonic() + DATA_DRIVEN_TUNING.sampling_time_fraction * context.remaining()
    for _ in range(DATA_DRIVEN_TUNING.max_executions):
        ready = [rule for rule in rules if rule.can_execute(facts)]
        if not ready or time.monotonic() >= end:
            break
        rule = chooser.choices(ready, [rule.weight for rule in ready])[0]
        _sample(rule, facts, chooser, largest)
    return {predicate: list(sampled) for predicate, sampled in facts.items()}


def _sample(
    rule: "_SampledRule", facts: dict[Predicate, dict[Fact, None]], chooser: random.Random, largest: int
) -> None:
    """Executes the rule once on chosen facts of its body, and adds the head's fact if it is new and small."""
    body = tuple(value for predicate in rule.sources for value in _choose(chooser, list(facts[predicate])))
    sampled = facts[rule.target]
    fact = rule.execute(body, chooser, not sampled)
    if fact is None or not _is_small(fact, largest) or fact in sampled:
        rule.barren += 1
    else:
        rule.barren = 0
        sampled[fact] = None


def _is_small(fact: Fact, largest: int) -> bool:
    """True if no number of the fact exceeds `largest` in magnitude."""
    return all(abs(number(value) or 0) <= largest for value in fact)


def _choose(chooser: random.Random, facts: Sequence[Fact]) -> Fact:
    """A fact of the list, one of the latest with some probability, to get far into loops."""
    is_late = chooser.random() < DATA_DRIVEN_TUNING.late_fact_probability
    return chooser.choice(facts[-DATA_DRIVEN_TUNING.late_facts :] if is_late else facts)


def number(value: z3.ExprRef) -> int | None:
    """The integer that a value is; bit-vectors are signed. None for any other value."""
    if z3.is_int_value(value):
        return int(value.as_long())
    if z3.is_bv_value(value):
        return int(value.as_signed_long())
    if z3.is_rational_value(value) and value.denominator_as_long() == 1:
        return int(value.numerator_as_long())
    return None


class _SampledRule:
    """A clause with a head, to be executed."""

    def __init__(self, clause: Clause) -> None:
        assert clause.head is not None
        self.target = clause.head.predicate
        self.sources = [atom.predicate for atom in clause.body]
        self.barren = 0
        self._head = clause.head.arguments
        self._body = [argument for atom in clause.body for argument in atom.arguments]
        self._constraint = clause.constraint
        self._inputs = list(_inputs(clause))
        self._done: set[tuple[z3.ExprRef, ...]] = set()

    def can_execute(self, facts: Mapping[Predicate, Collection[Fact]]) -> bool:
        """True if all body predicates have facts and the head's predicate has fewer than the limit."""
        return len(facts[self.target]) < DATA_DRIVEN_TUNING.max_facts and all(
            facts[predicate] for predicate in self.sources
        )

    @property
    def weight(self) -> float:
        """The relative frequency of execution: higher for clauses with a body, lower for unproductive ones."""
        return (DATA_DRIVEN_TUNING.step_weight if self.sources else 1.0) / (
            1 + self.barren // DATA_DRIVEN_TUNING.barren_executions
        )

    def execute(self, body: tuple[z3.ExprRef, ...], chooser: random.Random, insist: bool) -> Fact | None:
        """The head's values for these values of the body and random inputs; None if no execution succeeds.

        insist: if random inputs fail, a solver chooses the inputs.
        """
        if not self._inputs:
            if body in self._done:
                return None
            self._done.add(body)
        values = list(zip(self._body, body, strict=True))
        inputs = [(v, value) for v in self._inputs if (value := _random_value(v.sort(), chooser)) is not None]
        found = self._solved([*values, *inputs])
        return self._solved(values) if found is None and inputs and insist else found

    def _solved(self, values: list[tuple[z3.ExprRef, z3.ExprRef]]) -> Fact | None:
        constraint = z3.simplify(substitute(self._constraint, values))
        if z3.is_false(constraint):
            return None
        solver = z3.SimpleSolver()
        solver.set("timeout", DATA_DRIVEN_TUNING.solver_ms)
        # constraint(values), the other variables left open
        solver.add(constraint)
        if solver.check() != z3.sat:
            return None
        model = solver.model()
        return tuple(model.eval(substitute(argument, values), model_completion=True) for argument in self._head)


def _inputs(clause: Clause) -> Iterator[z3.ExprRef]:
    """The variables that neither a body atom nor an equation of the constraint determines."""
    given = {argument.get_id() for atom in clause.body for argument in atom.arguments}
    for part in conjuncts(clause.constraint):
        if z3.is_eq(part):  # of an equation between two variables one remains an input
            sides = [side.get_id() for side in part.children() if is_variable(side)]
            given |= {*[side for side in sides if side not in given][:1]}
    arguments = [argument for application in clause.applications for argument in application.arguments]
    yield from (v for v in free_variables(clause.constraint, *arguments) if v.get_id() not in given)


def _random_value(sort: z3.SortRef, chooser: random.Random) -> z3.ExprRef | None:
    """A small number; None for sorts whose values are left to the solver."""
    number = chooser.randint(-DATA_DRIVEN_TUNING.largest_input // 3, DATA_DRIVEN_TUNING.largest_input)
    if sort == z3.IntSort():
        return z3.IntVal(number)
    if sort == z3.RealSort():
        return z3.RealVal(number)
    if isinstance(sort, z3.BitVecSortRef):
        return z3.BitVecVal(number, sort)
    return z3.BoolVal(number % 2 == 0) if sort == z3.BoolSort() else None
