"""k-induction with generators of invariants: KI<-KIPDR, KI<-DF, KI<-DF;KIPDR.

Beyer, Dangl: Software verification with PDR (TACAS 2020) [BeyerDangl2020], section 4.1. k-induction and its generator
take turns in one process, and neither uses more time than the other by more than one turn; in two processes they
exchange lemmas through the bus instead.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

from chcverify.effort import EQUAL_SHARE, MAIN_SHARE
from chcverify.horn.system import HornSystem
from chcverify.quick_dataclass import dataclass
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from solvers.abstract_interpretation.engine import analysis_steps
from solvers.engine import Context, Lemma, Requirements
from solvers.kinduction import combined_case
from solvers.kinduction.combined_case import CombinedRun
from solvers.kinduction.engine import DeepeningRun, KInductionRun
from solvers.kinduction.kipdr import KiPdrRun


class InProcessBus:
    """A bus between two engines of one process; forwards to, and reads from, an outer bus as well."""

    def __init__(self, outer: Context) -> None:
        self._outer = outer
        self._waiting: list[Lemma] = []

    @property
    def is_empty(self) -> bool:
        """True if everything that the other engine published has been read."""
        return not self._waiting

    def publish(self, lemmas: list[Lemma]) -> None:
        """Keeps the lemmas for the other engine and forwards them to the outer bus."""
        self._waiting.extend(lemmas)
        self._outer.bus.publish(lemmas)

    def poll(self) -> list[Lemma]:
        """The other engine's lemmas since the last call, and those of the outer bus."""
        lemmas, self._waiting = self._waiting, []
        return lemmas + self._outer.bus.poll()


class PublishOnlyBus:
    """The generator's end of the bus: forwards its lemmas and returns none."""

    def __init__(self, pipe: InProcessBus) -> None:
        self._pipe = pipe

    def publish(self, lemmas: list[Lemma]) -> None:
        self._pipe.publish(lemmas)

    def poll(self) -> list[Lemma]:
        return []


@dataclass(frozen=True)
class SeededKInduction:
    """k-induction with generators: first all passes of abstract interpretation take their turns, then KIPDR."""

    name: str
    description: str
    data_flow: bool = False
    """Does abstract interpretation generate invariants?"""
    kipdr: bool = False
    """Does KIPDR? On nonlinear systems it is left out."""
    combined: bool = False
    """Is it combined-case k-induction that uses the invariants?"""
    requires: ClassVar[Requirements] = Requirements()

    def check_options(self, given: Mapping[str, str]) -> None:
        """Raises ValueError for anything but an option of the engine that uses the invariants."""
        if self.combined:
            combined_case.check_options(given)
        elif given:
            raise ValueError(f"{self.name} has no options")

    def solve(self, system: HornSystem, context: Context) -> Result:
        pipe = InProcessBus(context)
        run = CombinedRun if self.combined else KInductionRun
        main: DeepeningRun = run(system, replace(context, bus=pipe))
        generator = self._generator(system, replace(context, bus=PublishOnlyBus(pipe), statistics={}))
        generating, lead = True, 0.0  # of the generator over k-induction, in seconds of the processor
        while context.remaining() > 0:
            start = time.process_time()
            result = main.advance()
            stuck = isinstance(result, Unknown) and generating  # more invariants may help
            if result is not None and not stuck:
                return result
            lead -= time.process_time() - start
            while generating and (lead < 0 or (stuck and pipe.is_empty)) and context.remaining() > 0:
                start = time.process_time()
                found = next(generator, Unknown("nothing more"))
                if isinstance(found, Safe | Unsafe):
                    return found
                generating = found is None
                lead += time.process_time() - start
        return Unknown(f"time limit at k = {main.k}")

    def _generator(self, system: HornSystem, context: Context) -> Iterator[Safe | Unsafe | None]:
        """Takes a turn at each step; yields an answer last, if it finds one itself."""
        if self.data_flow:
            for _ in analysis_steps(system, "df", context.first(EQUAL_SHARE)):
                yield None
        if self.kipdr and system.is_linear:
            run = KiPdrRun(system, context.first(MAIN_SHARE))
            while not isinstance(result := run.advance(), Unknown):
                yield result


def kind_kipdr() -> SeededKInduction:
    """The engine `kind+kipdr` (KI<-KIPDR)."""
    return SeededKInduction("kind+kipdr", "k-induction with invariants of property-directed k-induction", kipdr=True)


def kind_df() -> SeededKInduction:
    """The engine `kind+df` (KI<-DF)."""
    return SeededKInduction("kind+df", "k-induction with invariants of abstract interpretation", data_flow=True)


def kind_df_kipdr() -> SeededKInduction:
    """The engine `kind+df;kipdr` (KI<-DF;KIPDR)."""
    description = "k-induction with invariants of abstract interpretation, then kipdr"
    return SeededKInduction("kind+df;kipdr", description, data_flow=True, kipdr=True)


def combined_df() -> SeededKInduction:
    """The engine `combined+df`: combined-case k-induction with invariants of abstract interpretation."""
    description = "combined-case k-induction with invariants of abstract interpretation"
    return SeededKInduction("combined+df", description, data_flow=True, combined=True)
