"""Systems in which something is not modelled: what the verdict depends on, and violations that do not depend on it.

A trap is a query for what is not modelled. Once a derivation ends in one, the clauses have no model, so no engine can
prove anything on them; violations are then searched without the traps. A derivation without traps is one of all
clauses. A model without traps says that only runs that come to a trap may violate the property.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from chcverify.horn.system import HornSystem
from chcverify.portfolio.run_plan import Certificate, CertificationResult, Certify, EngineRun, PortfolioResult
from chcverify.problems.protocol import Problem
from chcverify.results.reasons import Cause
from chcverify.results.result import Safe, Unknown, Unsafe

_DEPENDS = "depends on"
_OTHERS_HOLD = "; the runs that do not come there are proved"


class RunPortfolio(Protocol):
    def __call__(self, system: HornSystem, plan: Sequence[EngineRun], certify: Certify) -> PortfolioResult: ...


def solve_beyond_traps(
    problem: Problem,
    plan: Sequence[EngineRun],
    portfolio: RunPortfolio,
    certify_answer: Callable[[Certificate], CertificationResult],
    certify_model: Callable[[HornSystem, Safe], CertificationResult],
) -> PortfolioResult:
    """The first answer that is accepted on the problem's own clauses; if it depends on a trap, Unknown or a violation.

    certify_answer: checks an answer on the problem's own clauses; certify_model: a model of other ones.
    """

    def until_trap(answer: Certificate) -> CertificationResult:
        """As `certify_answer`; a derivation that ends in a trap ends the portfolio, too."""
        found = certify_answer(answer)
        dependence = problem.dependence(answer.derivation) if isinstance(answer, Unsafe) else ""
        if found.accepted or found.cause is not Cause.NOT_CONFIRMED or not dependence:
            return found
        return CertificationResult(True, dependence, {_DEPENDS: dependence})

    found = portfolio(problem.system, plan, until_trap)
    dependence = str(found.certification.details.get(_DEPENDS, "")) if found.certification is not None else ""
    without = problem.without_traps()
    if not dependence or without is None:
        return found

    def violation(answer: Certificate) -> CertificationResult:
        """A derivation must be one of the problem's own clauses; a model proves nothing but what is said of it."""
        return certify_model(without, answer) if isinstance(answer, Safe) else certify_answer(answer)

    others = portfolio(without, plan, violation)
    if isinstance(others.result, Unsafe):
        return others
    reason = f"{_DEPENDS} {dependence}{_OTHERS_HOLD if isinstance(others.result, Safe) else ''}"
    return replace(
        others,
        result=Unknown(reason),
        certification=None,
        reasons={found.engine: reason},
        causes={found.engine: Cause.DEPENDS},
    )
