"""The portfolio on clauses that known invariants make smaller: first with these invariants, then without."""

import time
from collections.abc import Callable
from dataclasses import replace

from chcverify.horn.system import HornSystem
from chcverify.portfolio.run_plan import Certificate, CertificationResult, Certify, PortfolioResult
from chcverify.results.result import Safe, Unsafe
from chcverify.transforms.base import BackTranslator, Chain, TranslationError
from chcverify.transforms.exact.cone_of_influence import ConeOfInfluence
from chcverify.transforms.known_invariants import KnownInvariants

Solve = Callable[[HornSystem, float, Certify], PortfolioResult]
"""A portfolio: its result for a system, by a time.monotonic(), whose certificate is accepted."""


def solve_with_invariants(
    system: HornSystem, known: KnownInvariants, share: float, deadline: float, certify: Certify, solve: Solve
) -> PortfolioResult:
    """The result for the clauses with the invariants in a share of the time left, else for those that these leave.

    Certificates are carried back before they are checked. deadline: time.monotonic().
    """
    until = time.monotonic() + share * (deadline - time.monotonic())
    cone, back = ConeOfInfluence().apply(system)
    smaller, conjoining = known.strengthened(cone)
    found = _solve_changed(smaller, Chain((back, conjoining)), until, certify, solve)
    if isinstance(found.result, Safe | Unsafe) or share >= 1.0:
        return found
    smaller, conjoining = known.pruned(cone)
    return _solve_changed(smaller, Chain((back, conjoining)), deadline, certify, solve)


def _solve_changed(
    system: HornSystem, back: BackTranslator, deadline: float, certify: Certify, solve: Solve
) -> PortfolioResult:
    """The portfolio's result on changed clauses, carried back to those before."""

    def before(answer: Certificate) -> Certificate:
        if isinstance(answer, Safe):
            return Safe(back.model(answer.model))
        return Unsafe(back.derivation(answer.derivation))

    def certify_before(answer: Certificate) -> CertificationResult | bool | str:
        try:
            return certify(before(answer))
        except TranslationError as error:
            return str(error)

    found = solve(system, deadline, certify_before)
    return replace(found, result=before(found.result)) if isinstance(found.result, Safe | Unsafe) else found
