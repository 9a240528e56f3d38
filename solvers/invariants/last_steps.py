"""What the last step tells: a derivable fact was derived by one of the clauses, whose guard held before its step.

For P with clauses body_i & c_i => P(s_i), whatever the body's facts are, every fact of P is one of

    OR_i  exists variables. linear(c_i) & $ = s_i

so a loop's counter is at its start, or its last value was within the loop's guard. No conjunction says that.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, product

import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.eliminate import eliminate
from chcverify.terms.walk import conjunction, conjuncts, free_variables, is_variable, subterms
from solvers.invariants.congruences import definitions
from solvers.invariants.fixpoint import Invariants

MOST_CASES = 8  # of one predicate
ELIMINATION_MS = 100
_PLAIN = {
    z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_UMINUS, z3.Z3_OP_ANUM, z3.Z3_OP_UNINTERPRETED,
    z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT, z3.Z3_OP_NOT, z3.Z3_OP_EQ,
}  # fmt: skip
_Case = tuple[z3.ExprRef, tuple[z3.BoolRef, ...]]
"""A value and when it is the one."""


def last_steps(system: HornSystem) -> Invariants:
    """A disjunction of conjunctions for each predicate of whose last steps enough is known."""
    found = {p: _of_predicate(system, p) for p in system.predicates}
    return {p: z3.Or(cases) for p, cases in found.items() if cases}


def _of_predicate(system: HornSystem, predicate: Predicate) -> list[z3.BoolRef]:
    """The cases; none if a clause tells nothing, or they are too many."""
    cases: list[z3.BoolRef] = []
    for index in system.defining[predicate]:
        for case in _of_clause(system.clauses[index], predicate):
            if z3.is_true(case) or len(cases) == MOST_CASES:
                return []
            if not z3.is_false(case):
                cases.append(case)
    return cases


def _of_clause(clause: Clause, predicate: Predicate) -> Iterator[z3.BoolRef]:
    """The cases over the predicate's formals."""
    assert clause.head is not None
    known = {variable.get_id(): value for variable, value in definitions(clause)}
    guards = [part for part in conjuncts(clause.constraint) if _is_plain(part)]
    related = {v.get_id() for part in guards for v in free_variables(part) if len(free_variables(part)) > 1}
    moves = []
    for formal, argument in zip(predicate.formals, clause.head.arguments, strict=True):
        value = known.get(argument.get_id(), argument)
        if not free_variables(value) or any(v.get_id() in related for v in free_variables(value)):
            values = _values(value)
            moves += [[(formal, each, when) for each, when in values]] if values else []
    for choice in islice(product(*moves), MOST_CASES + 1):
        tests = [test for _, _, when in choice for test in when]
        told = {v.get_id() for _, value, _ in choice for v in free_variables(value)}
        parts = [part for part in (*guards, *tests) if {v.get_id() for v in free_variables(part)} <= told]
        equations = [formal == value for formal, value, _ in choice]
        own = {formal.get_id() for formal in predicate.formals}
        variables = [v for v in free_variables(*parts, *equations) if v.get_id() not in own]
        case = eliminate(variables, conjunction([*parts, *equations]), ELIMINATION_MS)
        yield z3.BoolVal(True) if case is None else z3.simplify(case)


def _values(term: z3.ExprRef) -> Sequence[_Case]:
    """Of a variable plus a number, a number, or a choice among such; none for others."""
    found: list[_Case] = []
    stack: list[_Case] = [(term, ())]
    while stack:
        value, when = stack.pop()
        if z3.is_app_of(value, z3.Z3_OP_ITE):
            test, yes, no = value.children()
            stack += [(no, (*when, z3.Not(test))), (yes, (*when, test))]
        elif z3.is_int(value) and _is_plain(value) and len(free_variables(value)) <= 1:
            found.append((value, when))
        else:
            return ()
    return found


def _is_plain(term: z3.ExprRef) -> bool:
    """A sum, or a comparison of sums, of integer variables and numbers."""
    return all(z3.is_app(t) and t.decl().kind() in _PLAIN and _is_scalar(t) for t in subterms(term))


def _is_scalar(term: z3.ExprRef) -> bool:
    return z3.is_int(term) or (z3.is_bool(term) and not is_variable(term))
