"""The portfolio on clauses that known invariants make smaller: first with these invariants, then without."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from chcverify.effort import BRIEF_SHARE
from chcverify.horn.system import HornSystem
from chcverify.portfolio.run_plan import Certificate, CertificationResult, Certify, PortfolioResult, Reduce
from chcverify.results.result import Safe, Unsafe
from chcverify.transforms.base import BackTranslator, Chain, TranslationError
from chcverify.transforms.known_invariants import KnownInvariants

T = TypeVar("T")
Solve = Callable[[HornSystem, float, Certify], PortfolioResult]
"""A portfolio: its result for a system, by a time.monotonic(), whose certificate is accepted."""


def solve_with_invariants(
    system: HornSystem, known: KnownInvariants, share: float, deadline: float, certify: Certify, solve: Solve
) -> PortfolioResult:
    """The result for the clauses with the invariants in a share of the time left, else for those that these leave.

    Certificates are carried back before they are checked. deadline: time.monotonic().
    """
    until = time.monotonic() + share * (deadline - time.monotonic())
    asked = time.monotonic() + BRIEF_SHARE * (deadline - time.monotonic())
    smaller, back = known.strengthened(system, asked)
    first = _solve_changed(smaller, back, until, certify, solve)
    if isinstance(first.result, Safe | Unsafe) or share >= 1.0:
        return first
    smaller, back = known.pruned(system, asked)
    return _with_reasons_of(first, _solve_changed(smaller, back, deadline, certify, solve))


def of_pruned(reduce: Reduce, known: KnownInvariants) -> Reduce:
    """The variants of the clauses that invariants leave, as engines had them in the second try."""

    def changed(system: HornSystem) -> tuple[HornSystem, BackTranslator, Mapping[str, Any]] | None:
        smaller, before = known.pruned(system)
        found = reduce(smaller)
        return None if found is None else (found[0], Chain((before, found[1])), found[2])

    return changed


def _with_reasons_of(first: PortfolioResult, second: PortfolioResult) -> PortfolioResult:
    """The second result, with what the first one says of runs: in its labels, these knew the invariants."""

    def both(one: Mapping[str, T], other: Mapping[str, T]) -> dict[str, T]:
        return {**{f"{label} with invariants": value for label, value in one.items()}, **other}

    return replace(
        second,
        reasons=both(first.reasons, second.reasons),
        causes=both(first.causes, second.causes),
        statistics=both(first.statistics, second.statistics),
        depends_on=second.depends_on or first.depends_on,
    )


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
