"""Certificates: the derivation of a fact on values, and facts as a model."""

from collections.abc import Sequence

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.terms.walk import conjunction, disjunction
from solvers.explicit.plans import run
from solvers.explicit.table import Fact, Table, agreement
from solvers.explicit.values import ANY, AnyValue, Cells, Value, is_known, term_of


def derivation(system: HornSystem, table: Table, query: Fact) -> Derivation | None:
    """The derivation with some value for each ANY; None if it does not go through with these."""
    facts = table.facts
    needed = _needed(facts, query)
    place: dict[int, int] = {}
    steps: list[Step] = []
    values: dict[int, tuple[Value, ...]] = {}
    for number in [*needed, None]:
        fact = query if number is None else facts[number]
        head = _again(fact, [values[premise] for premise in fact.premises])
        if head is None or not all(map(is_known, head)):
            return None
        clause = system.clauses[fact.plan.clause]
        sorts = () if clause.head is None else clause.head.predicate.sorts
        by_atom = {join.atom: place[n] for join, n in zip(fact.plan.joins, fact.premises, strict=True)}
        terms = tuple(term_of(value, sort) for value, sort in zip(head, sorts, strict=True))
        steps.append(Step(fact.plan.clause, terms, tuple(by_atom[i] for i in range(len(clause.body)))))
        if number is not None:
            values[number], place[number] = head, len(steps) - 1
    return Derivation(tuple(steps))


def _needed(facts: Sequence[Fact], query: Fact) -> list[int]:
    """Numbers of the facts below, premises first: those of premises are smaller."""
    seen = set(query.premises)
    stack = list(seen)
    while stack:
        new = [premise for premise in facts[stack.pop()].premises if premise not in seen]
        seen.update(new)
        stack.extend(new)
    return sorted(seen)


def _again(fact: Fact, premises: Sequence[tuple[Value, ...]]) -> tuple[Value, ...] | None:
    """The head's values from those of the premises, if all guards hold for sure."""
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


def model(table: Table) -> Model:
    """Each predicate holds for its facts."""
    return Model(
        {
            predicate: _one_of(predicate.formals, [table.facts[number].values for number in numbers])
            for predicate, numbers in table.joined.items()
        }
    )


def _one_of(formals: Sequence[z3.ExprRef], points: Sequence[tuple[Value, ...]]) -> z3.BoolRef:
    """The disjunction of the points; what is equal in all of a group of them is said once."""
    if not points:
        return z3.BoolVal(False)
    distinct = [len({point[column] for point in points}) for column in range(len(formals))]
    common = [_is(formal, points[0][i]) for i, formal in enumerate(formals) if distinct[i] == 1]
    left = [i for i, number in enumerate(distinct) if number > 1]
    if not left:
        return conjunction(common)
    by = min(left, key=lambda i: distinct[i])
    others = [i for i in left if i != by]
    groups: dict[Value, list[tuple[Value, ...]]] = {}
    for point in points:
        groups.setdefault(point[by], []).append(tuple(point[i] for i in others))
    rest = [formals[i] for i in others]
    cases = [conjunction([_is(formals[by], value), _one_of(rest, group)]) for value, group in groups.items()]
    return conjunction([*common, disjunction(cases)])


def _is(term: z3.ExprRef, value: Value) -> z3.BoolRef:
    """term = value, nothing of what is ANY."""
    if is_known(value):
        return term == term_of(value, term.sort())
    if isinstance(value, AnyValue):
        return z3.BoolVal(True)
    assert isinstance(value, Cells) and isinstance(term, z3.ArrayRef)
    # a default that is known, with unknown cells, is not worth a quantifier
    return conjunction([_is(term[term_of(index, term.domain())], element) for index, element in value.cells.items()])
