"""Systems in which something is not modelled: what the verdict depends on, and violations that do not depend on it.

A trap is a query for what is not modelled. Once a derivation ends in one, the clauses have no model, so no engine can
prove anything on them; violations are then searched without the traps. A derivation without traps is one of all
clauses. A model without traps says that only runs that come to a trap may violate the property.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from chcverify.horn.system import HornSystem
from chcverify.portfolio.run_plan import Certificate, CertificationResult, Certify, EngineRun, PortfolioResult
from chcverify.problems.protocol import Problem
from chcverify.results.reasons import Cause
from chcverify.results.result import Result, Safe, Unknown, Unsafe

_OTHERS_HOLD = "; the runs that do not come there are proved"


class CertifiedRun(Protocol):
    """The part of a run that is used here. certified_by: time.monotonic() for answers."""

    certified_by: float

    def portfolio(
        self, system: HornSystem, plan: Sequence[EngineRun], deadline: float, certify: Certify
    ) -> PortfolioResult: ...

    def certify_answer(self, problem: Problem, answer: Certificate) -> CertificationResult:
        """Checks an answer on the problem's own clauses."""
        ...

    def certify_model(self, system: HornSystem, answer: Safe) -> CertificationResult:
        """Checks a model of other clauses."""
        ...

    def is_one_of_several(self, problem: Problem, answer: Result) -> bool:
        """Is the answer about one of several checks, which are decided without that one afterwards?"""
        ...


def solve_beyond_traps(problem: Problem, plan: Sequence[EngineRun], run: CertifiedRun) -> PortfolioResult:
    """The first answer that is accepted on the problem's own clauses; if it depends on a trap, Unknown or a
    violation."""

    def until_trap(answer: Certificate) -> CertificationResult:
        """As `certify_answer`; a derivation that ends in a trap ends the portfolio, too."""
        found = run.certify_answer(problem, answer)
        dependence = problem.dependence(answer.derivation) if isinstance(answer, Unsafe) else ""
        if found.accepted or found.cause is not Cause.NOT_CONFIRMED or not dependence:
            return found
        return CertificationResult(True, dependence=dependence)

    found = run.portfolio(problem.system, plan, run.certified_by, until_trap)
    dependence = found.certification.dependence if found.certification is not None else ""
    if not dependence:
        return found
    without = None if run.is_one_of_several(problem, found.result) else problem.without_traps()

    def violation(answer: Certificate) -> CertificationResult:
        """A derivation must be one of the problem's own clauses; a model proves nothing but what is said of it."""
        if isinstance(answer, Unsafe):
            return run.certify_answer(problem, answer)
        assert without is not None
        return run.certify_model(without, answer)

    others = found if without is None else run.portfolio(without, plan, run.certified_by, violation)
    if without is not None and isinstance(others.result, Unsafe):
        return others
    reason = f"depends on {dependence}{_OTHERS_HOLD if isinstance(others.result, Safe) else ''}"
    return replace(
        others,
        result=Unknown(reason),
        certification=None,
        reasons={found.engine: reason},
        causes={found.engine: Cause.DEPENDS},
        depends_on=dependence,
    )
