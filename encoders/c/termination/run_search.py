"""Search for runs that do not end soon: random ones, then hill climbing towards longer ones.

The choices of a run are steady: an edge that chooses again mostly chooses the same, so that states recur. Of a run that
ends some choices are changed, most often those made last, and the change is kept if the run is no shorter.
"""

import math
import random
import time
from collections.abc import Iterator, Mapping, Sequence

from chcverify.effort import EQUAL_SHARE, MAX_TRIED
from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import Random, Recorded, Scalar
from encoders.c.execution.interpreter import Execution, ExecutionLimits, Machine
from encoders.c.execution.testing.random_runs import constants_of
from encoders.c.termination.recurring_states import advance_to_recurrence
from encoders.c.types.c_types import CFloat, CType

Choices = Mapping[tuple[int, CType], Scalar]
"""The steady choice of each edge, by its identity and the type."""


# Chosen by hand on termination tasks of SV-COMP; none is measured by itself.
CHANGES = (0.0, 0.1, 0.0, 1.0, 0.03)
"""How often an edge changes its choice, run by run."""
RARE_CHANGES = (0.03, 0.01, 0.1)
"""That of longer runs, which leave one loop after many iterations and stay in another one."""
FREQUENT_CHANGES = (1.0, 0.5, 0.2)
"""That of runs that may end, in which a state comes again by other choices before."""
FEW_VALUES = 2
"""Values that an edge chooses, in runs whose states can only recur where it chooses now one and now another: what is
computed from few values has mostly few states. Chosen by hand."""
SPECIAL_FLOATS = 0.1
"""Probability that a floating-point number that is drawn is infinite or no number. Chosen by hand."""


class SteadyChoices(Random):
    """Random choices; most stay the same for each edge. chosen: so far, the edge that first chose last, last.

    change: how often an edge chooses anew. kept: choices to begin with. values: that an edge chooses from at most, None
    for any number.
    """

    def __init__(
        self,
        seed: int,
        constants: Sequence[int],
        bound: int,
        change: float,
        checks_memory: bool,
        kept: Choices,
        values: int | None = None,
    ) -> None:
        super().__init__(seed, constants, bound, checks_memory)
        self.chosen: dict[tuple[int, CType], Scalar] = {}
        self._kept = kept
        self._change = change
        self._values = values
        self._drawn_before: dict[tuple[int, CType], list[Scalar]] = {}
        self._edge: ir.Edge | None = None

    def begin(self, edge: ir.Edge) -> None:
        self._edge = edge

    def scalar(self, kind: CType) -> Scalar:
        key = id(self._edge), kind
        if key not in self.chosen:
            self.was_asked = True
            self.chosen[key] = self._kept[key] if key in self._kept else self._drawn(kind)
            self._drawn_before[key] = [self.chosen[key]]
        elif self._change and self._random.random() < self._change:
            before = self._drawn_before[key]
            if self._values is None:
                self.chosen[key] = self._drawn(kind)
            elif len(before) < self._values:
                before.append(self._other_than(before[0], kind))
                self.chosen[key] = before[-1]
            else:
                self.chosen[key] = self._random.choice(before)
        return self.chosen[key]

    def _other_than(self, value: Scalar, kind: CType) -> Scalar:
        """A second value: in half of the cases 0, or 1 where the first one is 0, since many choices are conditions."""
        return int(not value) if self._random.random() < 0.5 else self._drawn(kind)

    def _drawn(self, kind: CType) -> Scalar:
        """Any value; of floating-point numbers also those that loops do not expect: infinities, and what is no
        number."""
        if isinstance(kind, CFloat) and self._random.random() < SPECIAL_FLOATS:
            return self._random.choice((math.nan, math.inf, -math.inf))
        return super().scalar(kind)


@dataclass(frozen=True, eq=False)
class RunSearch:
    """Runs of a program. until: time.monotonic() to stop at."""

    program: ir.Program
    automata: Automata
    constants: tuple[int, ...]
    seed: int
    until: float

    @classmethod
    def of(cls, program: ir.Program, seed: int, until: float) -> "RunSearch":
        """A search with the constants of the program as likely choices."""
        return cls(program, Automata(program), tuple(sorted(constants_of(program))), seed, until)

    def unfinished(self, lengths: Sequence[int], changes: Sequence[float] = CHANGES) -> Iterator[Execution]:
        """Random runs that reach their limit of steps (executed edges).

        lengths: these limits. changes: how often an edge chooses anew, run by run.
        """
        for number, steps in enumerate(lengths):
            if time.monotonic() >= self.until:
                return
            change = changes[number % len(changes)]
            oracle, execution = self._run(number, steps, change, {})
            if execution.outcome == "limit" and time.monotonic() < self.until:
                yield execution
            if not oracle.was_asked and execution.outcome != "limit":
                return  # all runs are this one

    def longest(self, steps: int, runs: int) -> Iterator[Execution]:
        """The longest of random runs first, whether they end or not: of one that ends a state may come again before.

        steps: executed edges of each at most. runs: that are executed.
        """
        found: list[Execution] = []
        for number in range(runs):
            if time.monotonic() >= self.until:
                break
            oracle, execution = self._run(number, steps, FREQUENT_CHANGES[number % len(FREQUENT_CHANGES)], {})
            if not oracle.was_asked:
                break  # all runs are this one
            found.append(execution)
        yield from sorted(found, key=lambda execution: -execution.steps)

    def recurring(self, steps: int, runs: int) -> Iterator[Execution]:
        """Runs up to a loop head whose state was there before, by choices from few values.

        steps: executed edges of each at most. runs: that are executed, in half of the time left.
        """
        now = time.monotonic()
        until = now + EQUAL_SHARE * (self.until - now)
        for number in range(runs):
            if time.monotonic() >= until:
                return
            oracle = self._oracle(number, 1.0, {}, FEW_VALUES)
            machine = Machine(self.automata, oracle, ExecutionLimits(steps=steps, until=until))
            if advance_to_recurrence(machine):
                limits = ExecutionLimits(steps=machine.steps, until=self.until)
                yield Machine(self.automata, Recorded(machine.inputs()), limits).run()
            if not oracle.was_asked:
                return  # all runs are this one

    def climbing(self, steps: int, runs: int) -> Iterator[Execution]:
        """Runs that reach a limit of steps, by hill climbing on the length. runs: that are executed, at most."""
        draw = random.Random(self.seed)
        best: dict[tuple[int, CType], Scalar] = {}
        longest, stale = -1, 0
        for number in range(runs):
            if time.monotonic() >= self.until:
                return
            oracle, execution = self._run(number, steps, 0.0, _changed(best, draw))
            goes_on = execution.outcome == "limit" and time.monotonic() < self.until
            if goes_on:
                yield execution
            if not oracle.was_asked:
                return  # all runs are this one
            if not goes_on:
                stale = 0 if execution.steps > longest else stale + 1
                if execution.steps >= longest:
                    best, longest = oracle.chosen, execution.steps
                if stale < MAX_TRIED:
                    continue
            best, longest, stale = {}, -1, 0

    def _run(self, number: int, steps: int, change: float, kept: Choices) -> tuple[SteadyChoices, Execution]:
        oracle = self._oracle(number, change, kept)
        return oracle, Machine(self.automata, oracle, ExecutionLimits(steps=steps, until=self.until)).run()

    def _oracle(self, number: int, change: float, kept: Choices, values: int | None = None) -> SteadyChoices:
        seed, bound = self.seed * 1_000_003 + number, 1 << (number % 5)
        return SteadyChoices(seed, self.constants, bound, change, self.automata.checks_memory, kept, values)


def _changed(choices: Choices, draw: random.Random) -> Choices:
    """The choices without some that are to be made anew.

    Late ones change more often: the square of a random number from 0 to 1 gives the distance from the last one. Three
    tasks of SV-COMP's openssl-simplified took 1.0, 1.6 and 2.5 s of the processor; with one of the last three choices
    in four of five cases they took over 13 s, 6.9 s and 1.9 s.
    """
    keys = list(choices)
    dropped = set()
    for _ in range(draw.randint(1, 2)):
        if keys:
            dropped.add(keys[-1 - int(len(keys) * draw.random() ** 2)])
    return {key: value for key, value in choices.items() if key not in dropped}
