"""k-induction fed by generators of invariants: KI<-KIPDR, KI<-DF, KI<-DF;KIPDR.

Beyer, Dangl: Software Verification with PDR, section 4.1. The generator and k-induction take turns in one process, so
that a run is deterministic; side by side in two processes they talk through the portfolio's bus instead.
"""

from dataclasses import replace

from chcverify.horn.system import HornSystem
from chcverify.result import Result, Unknown
from solvers.engine import Context, Lemma, Requirements
from solvers.unrolling.kinduction import KInductionRun
from solvers.unrolling.kipdr import KiPdrRun


class Pipe:
    """A bus between two engines of one process; forwards to, and reads from, an outer bus as well."""

    def __init__(self, outer: Context) -> None:
        self._outer = outer
        self._waiting: list[Lemma] = []

    def publish(self, lemmas: list[Lemma]) -> None:
        self._waiting.extend(lemmas)
        self._outer.bus.publish(lemmas)

    def poll(self) -> list[Lemma]:
        lemmas, self._waiting = self._waiting, []
        return lemmas + self._outer.bus.poll()


class Silent:
    """The generator's end of the pipe: what it publishes goes in; it hears only itself."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe

    def publish(self, lemmas: list[Lemma]) -> None:
        self._pipe.publish(lemmas)

    def poll(self) -> list[Lemma]:
        return []


class KindFedByKiPdr:
    """Engine `kind+kipdr` (KI<-KIPDR): each round deepens the generator, then k-induction with what it has learned."""

    name = "kind+kipdr"
    description = "k-induction fed by property-directed k-induction (linear systems)"
    requires = Requirements(linear=True)

    def solve(self, system: HornSystem, context: Context) -> Result:
        pipe = Pipe(context)
        generator = KiPdrRun(system, replace(context, bus=Silent(pipe), statistics={}))
        main = KInductionRun(system, replace(context, bus=pipe))
        while context.remaining() > 0:
            for run in (generator, main):
                result = run.advance()
                if result is not None and not (run is generator and isinstance(result, Unknown)):
                    return result
        return Unknown(f"time limit at k = {main.k}")
