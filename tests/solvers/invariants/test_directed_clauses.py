"""Clauses over literals that are found from the queries backwards, and those of them that a proof needs."""

import itertools

import pytest
import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import conjunction
from chcverify.terms.native.raw import Raw
from solvers.engine import Context
from solvers.invariants.links.clause_sets import ClauseSet, bits
from solvers.invariants.links.directed_clauses import DirectedClauses, NotInTime
from solvers.invariants.links.inductive_clauses import Clauses, NeededClauses, close
from solvers.invariants.links.link_literals import Literal
from solvers.invariants.links.named_clauses import NamedClause

P = Predicate("P", (z3.IntSort(),) * 3)
X = z3.Ints("x y z")
ZERO = z3.IntVal(0)


def literals() -> list[Literal]:
    """Each of three numbers is 0, or it is not."""
    out = []
    for i, formal in enumerate(P.formals):
        out.append(Literal(formal == 0, lambda values, i=i: values[i] == 0))  # type: ignore[misc]
        out.append(Literal(formal != 0, lambda values, i=i: values[i] != 0))  # type: ignore[misc]
    return out


def system(forbidden: z3.BoolRef) -> HornSystem:
    """One of three numbers is 0: each may be set to anything while another one is."""
    x, y, z = X
    clauses = [Clause(P(ZERO, y, z), (), z3.BoolVal(True))]
    clauses += [Clause(P(*turned), (P(x, y, z),), z3.BoolVal(True)) for turned in itertools.permutations(X)]
    clauses.append(Clause(P(x, y, z), (P(x, ZERO, z), P(ZERO, y, z)), z3.And(x == 0, y != 0)))
    clauses.append(Clause(None, (P(x, y, z),), forbidden))
    return HornSystem.of(clauses)


def named(of: HornSystem) -> list[NamedClause]:
    raw = Raw(z3.Context())
    return [NamedClause(raw, clause, {P: literals()}) for clause in of.clauses]


def is_inductive(of: HornSystem, found: Clauses) -> bool:
    """Clauses hold of what steps lead to, and exclude every query."""
    terms = [literal.formula for literal in literals()]
    formula = conjunction([z3.Or([terms[i] for i in bits(clause)]) for clause in found[P]])
    for clause in of.clauses:
        solver = z3.Solver()
        solver.add(clause.constraint)
        for atom in clause.body:
            solver.add(z3.substitute(formula, *zip(P.formals, atom.arguments, strict=True)))
        if clause.head is not None:
            solver.add(z3.Not(z3.substitute(formula, *zip(P.formals, clause.head.arguments, strict=True))))
        if solver.check() != z3.unsat:
            return False
    return True


def test_a_clause_of_three_literals_is_found() -> None:
    of = system(z3.And([x != 0 for x in X]))
    steps = named(of)
    sets = {P: ClauseSet(literals(), [], 2)}
    assert close(steps, sets, Context.within(60))
    known = {P: sets[P].invariants()}
    assert not NeededClauses(steps, known, Context.within(60)).find()
    found = DirectedClauses(steps, {P: literals()}, known, Context.within(60)).find()
    assert found is not None
    assert is_inductive(of, found)
    needed = NeededClauses(steps, found, Context.within(60))
    assert needed.find()
    assert needed.needed[P] <= set(found[P])
    assert is_inductive(of, needed.needed)


@pytest.mark.parametrize("forbidden", [X[0] != 0, z3.And(X[0] != 0, X[1] != 0), X[0] == 1], ids=str)
def test_what_steps_lead_to_is_not_excluded(forbidden: z3.BoolRef) -> None:
    steps = named(system(forbidden))
    assert DirectedClauses(steps, {P: literals()}, {P: []}, Context.within(60)).find() is None


def test_the_search_ends_with_its_time() -> None:
    steps = named(system(z3.And([x != 0 for x in X])))
    with pytest.raises(NotInTime):
        DirectedClauses(steps, {P: literals()}, {P: []}, Context.within(0)).find()
