"""The derivation of a query from the table: evaluated once more, with a value for each ANY."""

from collections.abc import Mapping, Sequence

from chcverify.certificate.derivation import Derivation, Step
from chcverify.horn.system import HornSystem
from solvers.explicit.fact_table import Fact, Table, agreement
from solvers.explicit.fact_values import ANY, Value, is_exact, term_of
from solvers.explicit.join_plans import run


def derivation(system: HornSystem, table: Table, query: Fact) -> Derivation | None:
    """The derivation with the least values where they are bounded, zero elsewhere; None if a guard fails then."""
    values: dict[int, tuple[Value, ...]] = {}
    position: dict[int, int] = {}
    steps: list[Step] = []
    for number in [*needed_facts(table.facts, query), None]:
        fact = query if number is None else table.facts[number]
        head = _again(fact, [values[premise] for premise in fact.premises])
        if head is None or not all(map(is_exact, head)):
            return None
        steps.append(_step(system, fact, head, position))
        if number is not None:
            values[number], position[number] = head, len(steps) - 1
    return Derivation(tuple(steps))


def _step(system: HornSystem, fact: Fact, head: Sequence[Value], position: Mapping[int, int]) -> Step:
    """The step that derives `head`. position: of each premise among the steps."""
    clause = system.clauses[fact.plan.clause]
    sorts = () if clause.head is None else clause.head.predicate.sorts
    by_atom = {join.atom: position[n] for join, n in zip(fact.plan.joins, fact.premises, strict=True)}
    arguments = tuple(term_of(value, sort) for value, sort in zip(head, sorts, strict=True))
    return Step(fact.plan.clause, arguments, tuple(by_atom[i] for i in range(len(clause.body))))


def needed_facts(facts: Sequence[Fact], query: Fact) -> list[int]:
    """The numbers of the facts below the query, ascending: facts come after their premises in the table."""
    seen = set(query.premises)
    stack = list(seen)
    while stack:
        new = [premise for premise in facts[stack.pop()].premises if premise not in seen]
        seen.update(new)
        stack.extend(new)
    return sorted(seen)


def _again(fact: Fact, premises: Sequence[tuple[Value, ...]]) -> tuple[Value, ...] | None:
    """The head's values computed from those of the premises; None unless all guards are certainly true."""
    plan = fact.plan
    slots = list(plan.template)
    if not plan.sure:
        return None
    for join, values in zip(plan.joins, premises, strict=True):
        if agreement(join, slots, values) is not True:
            return None
        for position, slot in join.new:
            slots[slot] = values[position]
        if run(join.block, slots) is not True:
            return None
    for free, value in zip(plan.free, fact.choice, strict=True):
        slots[free.slot] = free.one(slots) if value is ANY else value
    return tuple(slots[i] for i in plan.head) if run(plan.end, slots) is True else None
