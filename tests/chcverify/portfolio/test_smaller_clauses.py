"""The portfolio on clauses that known invariants make smaller: two tries, and certificates of the clauses before."""

import math
import time

import pytest
import z3

from chcverify.certificate.kernel.policy import certify
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.portfolio.run_plan import Certificate, Certify, PortfolioResult
from chcverify.portfolio.scheduler import as_given
from chcverify.portfolio.smaller_clauses import of_pruned, solve_with_invariants
from chcverify.results.result import Safe, Unknown, Unsafe
from chcverify.run.partial_invariants import inductive_core
from chcverify.transforms.known_invariants import KnownInvariants
from solvers.engine import Context
from solvers.spacer.engine import Spacer

P = Predicate("P", (z3.IntSort(),))
x, y = z3.Ints("x y")
KNOWN = KnownInvariants({P: P.formals[0] >= 0})
VARIANTS = {"original": of_pruned(as_given, KNOWN)}


def system(error: int) -> HornSystem:
    step = Clause(P(y), (P(x),), z3.And(x < 5, y == x + 1))
    never = Clause(P(y), (P(x),), z3.And(x < 0, y == 7))
    return HornSystem.of((Clause(P(x), (), x == 0), never, step, Clause(None, (P(x),), x == error)), (P,))


@pytest.mark.parametrize("error", [7, 4])
@pytest.mark.parametrize("late", [False, True])
def test_answers_are_of_the_clauses_before(error: int, late: bool) -> None:
    whole, seen = system(error), list[HornSystem]()

    def certified(answer: Certificate) -> bool:
        found = answer.model if isinstance(answer, Safe) else answer.derivation
        return certify(whole, found, time.monotonic() + 60, "off").accepted

    def solve(changed: HornSystem, deadline: float, accept: Certify) -> PortfolioResult:
        seen.append(changed)
        if late and len(seen) == 1:
            return PortfolioResult(Unknown("too late"))
        result = Spacer().solve(changed, Context.within(60))
        assert isinstance(result, Safe | Unsafe) and accept(result) is True
        return PortfolioResult(result, "spacer")

    found = solve_with_invariants(whole, KNOWN, 0.5, time.monotonic() + 60, certified, solve)
    assert isinstance(found.result, Safe | Unsafe) and isinstance(found.result, Safe) == (error == 7)
    assert certified(found.result)
    assert [len(each.clauses) for each in seen] == [3, 3][: 1 + late]


def test_known_invariants_are_candidates_where_there_is_no_verdict() -> None:
    whole = system(7)
    known = inductive_core(whole, {"original": ["((define-fun P ((x Int)) Bool (<= x 5)))"]}, VARIANTS, math.inf)
    solver = z3.Solver()
    # the invariants & not 0 <= x <= 5
    solver.add(known[P], z3.Not(z3.And(P.formals[0] >= 0, P.formals[0] <= 5)))
    assert solver.check() == z3.unsat
    only = inductive_core(whole, {"original": []}, VARIANTS, math.inf)
    assert only[P].eq(KNOWN.known[P])


def test_all_of_the_time_is_one_try() -> None:
    seen = []

    def solve(changed: HornSystem, deadline: float, accept: Certify) -> PortfolioResult:
        seen.append(changed)
        return PortfolioResult(Unknown("no engine"))

    solve_with_invariants(system(7), KNOWN, 1.0, time.monotonic() + 60, lambda answer: True, solve)
    assert len(seen) == 1
