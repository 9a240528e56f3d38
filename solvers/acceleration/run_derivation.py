"""Translates an accelerated run into a derivation."""

from collections.abc import Sequence

import z3

from chcverify.certificate.derivation import Cycle, Derivation, Link, Step, derived
from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.core.traversal import is_variable
from solvers.acceleration.compiled_rules import CompiledRule
from solvers.acceleration.loop_acceleration import Accelerated, Entry
from solvers.acceleration.parametric_values import ParametricValue
from solvers.acceleration.run_values import Value
from solvers.acceleration.value_terms import ValueTerms


def derivation(system: HornSystem, entries: Sequence[Entry]) -> Derivation:
    """The derivation with one step or cycle for each entry of the run; the last entry is a query's."""
    terms = ValueTerms()
    steps: list[Step | Cycle] = []
    for number, entry in enumerate(entries):
        premises = (number - 1,) if number else ()
        if isinstance(entry, Accelerated):
            before = entries[number - 1].state
            predicate = entry.law.rules[0].source
            assert predicate is not None
            for value, sort in zip(before, predicate.sorts, strict=True):
                terms.of(value, sort)  # so that the family's base array has a term
            cycle = _cycle(system, entry, number - 1, terms)
            for value, term in zip(entry.state, derived(system, cycle)[1], strict=True):
                terms.remember(value, term)
            steps.append(cycle)
        else:
            target = entry.rule.target
            sorts = () if target is None else target.sorts
            arguments = tuple(terms.of(value, sort) for value, sort in zip(entry.state, sorts, strict=True))
            steps.append(Step(entry.rule.clause, arguments, premises))
    return Derivation(tuple(steps))


def _cycle(system: HornSystem, entry: Accelerated, start: int, terms: ValueTerms) -> Cycle:
    """The cycle of the derivation for accelerated iterations. start: the number of the entry before it."""
    n = z3.FreshInt("n")
    law = entry.law
    links = []
    for rule, slots in zip(law.rules, law.slots, strict=True):
        assert rule.target is not None
        arguments = _terms(rule.target, [_value(slots[i]) for i in rule.head], terms, n)
        links.append(Link(rule.clause, arguments, (None,), _locals(system, rule, slots, terms, n)))
    predicate = law.rules[0].source
    assert predicate is not None
    next_ = [z3.substitute(term, (n, n + 1)) for term in _terms(predicate, law.begin, terms, n)]
    last = links[-1]
    links[-1] = Link(last.clause, tuple(map(z3.simplify, next_)), last.premises, last.values)
    return Cycle(n, entry.count, start, tuple(links))


def _terms(predicate: Predicate, values: Sequence[Value], terms: ValueTerms, n: z3.ArithRef) -> tuple[z3.ExprRef, ...]:
    return tuple(terms.of(value, sort, n) for value, sort in zip(values, predicate.sorts, strict=True))


def _locals(
    system: HornSystem, rule: CompiledRule, slots: Sequence[ParametricValue], terms: ValueTerms, n: z3.ArithRef
) -> tuple[tuple[z3.ExprRef, z3.ExprRef], ...]:
    """Values of the clause's variables that are not themselves arguments."""
    clause = system.clauses[rule.clause]
    determined = {a.get_id() for application in clause.applications for a in application.arguments if is_variable(a)}
    return tuple(
        (variable, terms.of(_value(slots[slot]), variable.sort(), n))
        for variable, slot in rule.variables
        if variable.get_id() not in determined
    )


def _value(value: ParametricValue) -> Value:
    assert value.value is not None
    return value.value
