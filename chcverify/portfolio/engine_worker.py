"""One engine in its worker: transforms that the engine needs, the engine, back-translation, certificate as text.

All of it happens in the worker, so that its limits cover all of it, and a crash costs this engine only.
"""

import time
from collections.abc import Mapping
from typing import Any

from chcverify.certificate.files.certificate_text import (
    derivation_from_text,
    derivation_to_text,
    model_from_text,
    model_to_text,
)
from chcverify.effort import GRACE_S, QUESTION_S
from chcverify.horn.system import HornSystem
from chcverify.portfolio.lemma_bus import WorkerBus
from chcverify.portfolio.messages import EngineProgress, Report
from chcverify.portfolio.processes import Channel, Message
from chcverify.portfolio.run_plan import Certificate, EngineRun
from chcverify.quick_dataclass import dataclass
from chcverify.results.events import Stage
from chcverify.results.reasons import Cause
from chcverify.results.result import Safe, Unknown, Unsafe
from chcverify.transforms.base import BackTranslator, TranslationError
from solvers.engine import Context, LemmaBus, NoBus, Requirements
from solvers.registry import get

BACK_SHARE = 0.04
"""Of the time of an engine's run, kept for back-translation, but at most QUESTION_S. Chosen by hand."""


@dataclass(frozen=True, eq=False)
class VariantSystem:
    """The system as given, a variant of it for engines, and the back-translator."""

    original: HornSystem
    system: HornSystem
    back: BackTranslator


def run_engine(problem: VariantSystem, run: EngineRun, deadline: float, seed: int, channel: Channel) -> Report:
    """Runs the engine until the deadline (time.monotonic()). Sends EngineProgress and Lemmas."""
    engine = get(run.engine)
    system, links = problem.system, [problem.back]
    if engine.requires.linear and not system.is_linear:
        return Report("unknown", "takes linear clauses only")
    for transform in _needed(engine.requires, system):
        system, back = transform.apply(system)
        links.append(back)
    shared = system.predicates == problem.system.predicates
    bus: LemmaBus = WorkerBus(channel, system, run.label) if shared else NoBus()
    reserve = min(QUESTION_S, BACK_SHARE * max(0.0, deadline - time.monotonic()))
    statistics: dict[str, Any] = {}

    def progress(phase: str, figures: Mapping[str, Any]) -> None:
        channel.send(Message(EngineProgress(phase, dict(figures))))

    result = engine.solve(system, Context(deadline - reserve, seed, bus, progress, statistics, run.options))
    if isinstance(result, Unknown):
        late = time.monotonic() >= deadline - reserve - GRACE_S
        return Report("unknown", result.reason, statistics, Cause.TIME if late else Cause.GAVE_UP)
    progress(Stage.BACK_TRANSLATION, {})
    try:
        if isinstance(result, Safe):
            model = result.model
            for link in reversed(links):
                model = link.model(model)
            return Report("safe", model_to_text(problem.original, model, for_people=False), statistics)
        derivation = result.derivation
        for link in reversed(links):
            derivation = link.derivation(derivation)
        return Report("unsafe", derivation_to_text(problem.original, derivation), statistics)
    except TranslationError as error:
        return Report("unknown", f"certificate not carried back: {error}", statistics, Cause.REFUSED)


def certificate(system: HornSystem, report: Report) -> Certificate:
    """The certificate of the report, read from its text; InputError if it is not one for the system."""
    if report.kind == "safe":
        return Safe(model_from_text(system, report.text))
    return Unsafe(derivation_from_text(system, report.text))


def _needed(requires: Requirements, system: HornSystem) -> list[Any]:
    """The transforms that make the system one that the engine takes."""
    if requires.normal and not all(clause.is_normal for clause in system.clauses):
        from chcverify.transforms.exact.normalisation import Normalise

        return [Normalise()]
    return []
