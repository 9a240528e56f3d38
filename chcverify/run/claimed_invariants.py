"""What a run makes of loop invariants that annotations claim: candidates, then lines about those that are wrong."""

import json
import time
from collections.abc import Sequence
from dataclasses import replace

from chcverify.cache.old_models import models_document
from chcverify.effort import EARLY_SHARE, STEP_S
from chcverify.horn.system import HornSystem
from chcverify.portfolio.processes import run_limited
from chcverify.portfolio.run_plan import EngineRun, Variant
from chcverify.portfolio.variants import SystemVariants
from chcverify.problems.protocol import Problem
from chcverify.results.result import Safe, Unsafe

ENGINE = "given-invariants"


def with_claims(problem: Problem, plan: Sequence[EngineRun], is_chosen: bool) -> Sequence[EngineRun]:
    """The plan, after runs on the invariants that the input claims, if there are any.

    is_chosen: did the user choose the engines? Then only those runs of the plan that are about claims get them.
    """
    claims = problem.claims()
    if claims is None or not claims.interpretations:
        return plan
    text = json.dumps(models_document(problem.system, claims))
    if is_chosen:
        return [replace(run, options={"claims": text}) if run.engine == ENGINE else run for run in plan]
    variants: tuple[Variant, ...] = ("reduced", "blocks")  # often the same, and then there is no second one
    return [*(EngineRun(ENGINE, variant, {"claims": text}, EARLY_SHARE) for variant in variants), *plan]


def claim_lines(problem: Problem, answer: Safe | Unsafe | None, until: float, memory_mb: int | None) -> tuple[str, ...]:
    """A line for each claim that could not be used or that a clause does not keep, but for those that a proof shows.

    until: time.monotonic() to stop at. A claim says nothing about the verdict, so that lines may be missing.
    """
    if problem.claims() is None:
        return ()
    model = answer.model if isinstance(answer, Safe) else None
    until = min(until, time.monotonic() + STEP_S)

    def found() -> tuple[str, ...]:
        return problem.claim_warnings(model, _blocks(problem.system, until), until)

    return run_limited(found, until - time.monotonic(), memory_mb).value or ()


def _blocks(system: HornSystem, until: float) -> HornSystem:
    """The clauses from loop head to loop head."""
    variants = SystemVariants(until)
    found = variants.blocks(system) or variants.reduced(system)
    return found[0]
