"""Disjunctive invariants: a derivable fact was derived by one of the clauses, whose guard held before the step.

For P with clauses body_i & c_i => P(s_i), whatever the body's facts are, every fact of P satisfies

OR_i  exists variables. linear(c_i) & $ = s_i

After a loop, the counter is either still at its initial value or one step past a value that satisfied the guard. This
is a disjunction, so no conjunctive domain expresses it. Made for loops with a counter; where no head argument is a
variable plus a number the disjunction is empty. Option last-clause=off of the engine `congruences` switches it off.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import product

import z3

from chcverify.effort import MAX_ALTERNATIVES, MAX_COMPARED, MOMENT_MS
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import conjunction, conjuncts, free_variables, is_variable, subterms
from chcverify.terms.quantifiers.elimination import eliminate
from solvers.abstract_interpretation.fixpoint import Invariants
from solvers.engine import Context
from solvers.invariants.congruences.congruence_candidates import definitions

_PLAIN = {
    z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_UMINUS, z3.Z3_OP_ANUM, z3.Z3_OP_UNINTERPRETED,
    z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT, z3.Z3_OP_NOT, z3.Z3_OP_EQ,
}  # fmt: skip
_Case = tuple[z3.ExprRef, tuple[z3.BoolRef, ...]]
"""A value and the conditions under which it is the value."""
_Guard = tuple[z3.BoolRef, frozenset[int]]
"""A conjunct of a constraint and the ids of its variables."""
_Assignment = tuple[z3.ExprRef, z3.ExprRef, tuple[z3.BoolRef, ...]]
"""A formal, a value, and the conditions under which it is the formal's value."""


def last_clause_postconditions(system: HornSystem, context: Context) -> Invariants:
    """A disjunction of conjunctions for each predicate whose clauses have few simple cases; others are left out."""
    found = {p: _of_predicate(system, p, context) for p in system.predicates}
    return {p: z3.Or(cases) for p, cases in found.items() if cases}


def _of_predicate(system: HornSystem, predicate: Predicate, context: Context) -> list[z3.BoolRef]:
    """The cases of all clauses; none if a clause gives no constraint, or there are too many."""
    found: list[z3.BoolRef] = []
    for index in system.defining[predicate]:
        for case in _of_clause(system.clauses[index], predicate):
            if z3.is_true(case) or len(found) == MAX_ALTERNATIVES or context.remaining() <= 0:
                return []
            if not z3.is_false(case):
                found.append(case)
    return found


def _of_clause(clause: Clause, predicate: Predicate) -> Iterator[z3.BoolRef]:
    """All cases of the clause over the predicate's formals, also impossible ones; just true if they are too many."""
    guards = [(part, _variables(part)) for part in conjuncts(clause.constraint) if _is_plain(part)]
    assignments = _assignments(clause, predicate, guards)
    if math.prod(map(len, assignments)) > MAX_COMPARED:
        yield z3.BoolVal(True)
        return
    for choice in product(*assignments):
        yield _case(predicate, guards, choice)


def _case(predicate: Predicate, guards: Sequence[_Guard], choice: Sequence[_Assignment]) -> z3.BoolRef:
    """exists variables. guards & tests & formals = values, of one alternative per formal; true if elimination fails."""
    formals = {formal.get_id() for formal in predicate.formals}
    assigned = frozenset[int]().union(*(_variables(value) for _, value, _ in choice))
    tests = [(test, _variables(test)) for _, _, when in choice for test in when if _is_plain(test)]
    parts = [part for part, variables in (*guards, *tests) if variables <= assigned]
    parts += [formal == value for formal, value, _ in choice]
    others = [v for v in free_variables(*parts) if v.get_id() not in formals]
    case = eliminate(others, conjunction(parts), MOMENT_MS)
    return z3.BoolVal(True) if case is None else z3.simplify(case)


def _assignments(clause: Clause, predicate: Predicate, guards: Sequence[_Guard]) -> list[list[_Assignment]]:
    """For each head argument with a simple value its alternatives: (formal, value, conditions of that value).

    Values whose variables no guard relates to others are left out: no case would constrain them.
    """
    assert clause.head is not None
    values = {variable.get_id(): value for variable, value in definitions(clause)}
    related = frozenset[int]().union(*(variables for _, variables in guards if len(variables) > 1))
    found = []
    for formal, argument in zip(predicate.formals, clause.head.arguments, strict=True):
        value = values.get(argument.get_id(), argument)
        variables = _variables(value)
        if variables and variables.isdisjoint(related):
            continue
        alternatives = _values(value)
        if alternatives:
            found.append([(formal, each, when) for each, when in alternatives])
    return found


def _variables(term: z3.ExprRef) -> frozenset[int]:
    """The ids of the term's variables."""
    return frozenset(variable.get_id() for variable in free_variables(term))


def _values(term: z3.ExprRef) -> Sequence[_Case]:
    """The alternatives of a variable plus a number, a number, or a choice among a few such; none for other terms."""
    found: list[_Case] = []
    stack: list[_Case] = [(term, ())]
    while stack and len(stack) + len(found) <= MAX_ALTERNATIVES:
        value, when = stack.pop()
        if z3.is_app_of(value, z3.Z3_OP_ITE):
            test, yes, no = value.children()
            stack += [(no, (*when, z3.Not(test))), (yes, (*when, test))]
        elif z3.is_int(value) and _is_plain(value) and len(free_variables(value)) <= 1:
            found.append((value, when))
        else:
            return ()
    return () if stack else found


def _is_plain(term: z3.ExprRef) -> bool:
    """True for sums, and comparisons of sums, of integer variables and numbers."""
    return all(z3.is_app(t) and t.decl().kind() in _PLAIN and _is_scalar(t) for t in subterms(term))


def _is_scalar(term: z3.ExprRef) -> bool:
    return z3.is_int(term) or (z3.is_bool(term) and not is_variable(term))
