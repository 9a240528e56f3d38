"""Searches for schedules and inputs of a program with threads that violate a check, or show a data race.

A run that is found is executed again from its record, on an interpreter that looks for undefined behaviour; what that
run does decides.
"""

import math
import random
import time
from collections.abc import Iterator, Sequence

from chcverify.effort import MAX_ALTERNATIVES, MAX_BUILT, MAX_COMBINED, MAX_COMPARED, MAX_VISITED
from chcverify.quick_dataclass import dataclass
from chcverify.results.source_facts import TraceStep
from chcverify.results.violation import Violation
from encoders.c.cfa import ir
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import Random, Recorded
from encoders.c.execution.interpreter import ExecutionLimits, Machine
from encoders.c.execution.testing.random_runs import constants_of
from encoders.c.execution.threads.bounded_switches import BoundedSwitches
from encoders.c.execution.threads.guided_turns import GuidedStep, GuidedTurns
from encoders.c.execution.threads.race_prediction import predicted_races
from encoders.c.execution.threads.schedules import MAIN, Recording, Schedule, Strategy
from encoders.c.execution.threads.strategies import (
    FirstThreads,
    NewestFirst,
    RandomInterrupts,
    RandomPriorities,
    RandomWalk,
    Rounds,
    WhileFew,
)
from encoders.c.execution.threads.thread_recorder import ThreadRecorder
from encoders.c.execution.threads.thread_run import TOO_MANY_THREADS, Ending, Race, ThreadExecution, ThreadRun
from encoders.c.execution.threads.thread_steps import ThreadSteps
from encoders.c.execution.undefined_behaviour import CheckingMachine, RecordingAutomata, UndefinedBehaviour

LONG_PERIOD = 2
"""Once a run has met the limit, one of so many runs is long: in programs that start thousands of threads. Chosen by
hand."""
LONG_STEPS = (100_000, 100_000, 100_000, 2_000_000)
"""Steps of a long run, one of these. Measured on loops that start 10,000 threads: 0.04 million steps to start them, 0.9
million, which take 5 s, for all that they do."""
FEW_THREADS_STEPS = 400_000
"""Steps of a long run with few threads: a loop that starts 10,000 threads and one that joins them need so many."""
MANY_THREADS_STARTED = 24
"""Threads beside main up to which no run is cut. If a program starts more, runs with different small numbers of threads
come one after another, and all systematic ones have SYSTEMATIC_THREADS. Of five tasks that start threads without end,
four errors need at most three threads beside main; a run in which all are started takes 5 s, one of three a thousandth
of that."""
FEW_THREADS_STARTED = (3, 2, 4, 3, 4, 1, 3, 2, 4, 3, 4)  # a number of them that no other period divides
SYSTEMATIC_THREADS = 3
"""Threads beside main of systematic runs; chosen by what was measured for MANY_THREADS_STARTED."""
STOPPING = (0.0005, 0.005, 0.05)  # probabilities that a thread of a long run stops; chosen by hand
# Of an interrupt before a turn, one for each run in turn: few first, for short traces. Chosen by hand.
INTERRUPT_PROBABILITIES = (0.02, 0.1, 0.3, 0.6)


@dataclass(frozen=True, eq=False)
class ThreadViolation:
    """A run that has been executed again from its schedule, and what it violates: a check, a race or a deadlock."""

    schedule: Schedule
    trace: tuple[TraceStep, ...]
    violation: Violation | None = None
    race: Race | None = None
    waiting: tuple[tuple[int, str], ...] = ()
    """The threads of a deadlock, with the positions where they wait."""
    undefined: tuple[UndefinedBehaviour, ...] = ()
    """Behaviour before the violation that C leaves undefined, but for which the run gives a value."""


@dataclass(frozen=True)
class Wanted:
    """What a search looks for. Violated checks of the program always end it."""

    race: bool = False
    deadlock: bool = False

    def accepts(self, run: ThreadExecution) -> bool:
        """True if the run is what is looked for."""
        match run.ending:
            case Ending.RACE:
                return self.race
            case Ending.DEADLOCK:
                return self.deadlock
            case ending:
                return ending is Ending.VIOLATION


ANY_CHECK = Wanted()


class ThreadSearch:
    """The runs of a program with threads, whose edges access shared memory at most once each.

    runs, refused: how many runs there were, and how many of those that violated something did not when they were
    executed again, or behind undefined behaviour only.
    """

    def __init__(self, program: ir.Program, wanted: Wanted, seed: int = 0) -> None:
        self.program, self.wanted, self.seed = program, wanted, seed
        self.automata, self.known = Automata(program), ThreadSteps(program)
        self.constants = sorted(constants_of(program))
        self.runs = self.refused = 0
        self._turns = 50  # of the longest run so far
        self._is_limited = False  # has a run met the limit?
        self._is_endless = False  # does it start more threads than a run may have?
        self._is_cut = False  # has a run been cut because it started too many threads?
        self._recording = RecordingAutomata(program)
        operations = (edge.operation for function in program.functions.values() for edge in function.edges)
        interrupts = sum(isinstance(each, ir.CreateThread) and each.interrupts for each in operations)
        self._handlers = range(MAIN + 1, MAIN + 1 + interrupts)  # their threads are the first that are created

    def find(self, until: float, count: int = 1 << 62, long_until: float = 0.0) -> ThreadViolation | None:
        """The first violation of `count` runs that a second execution confirms; None if there is none.

        until: time.monotonic() to stop at. long_until: the same for programs with very many threads, if it is later.
        """
        systematic = BoundedSwitches(handlers=self._handlers)
        for number in range(count):
            is_long = self._is_limited or self._is_cut
            if time.monotonic() >= (max(until, long_until) if self._is_cut else until):
                break
            generator = random.Random(self.seed * 1_000_003 + number)
            strategy = systematic.next() if number % 2 else None  # every second run, while there are any
            if is_long and number % LONG_PERIOD == 0 and not self._is_endless:
                run = self._long_run(generator, number)
                self._is_endless |= run.reason == TOO_MANY_THREADS
            elif strategy is not None:
                # with the same inputs each time, so that all begin alike
                run = self._run_of_few(strategy, 1, SYSTEMATIC_THREADS if self._is_cut else MANY_THREADS_STARTED)
                systematic.ended(strategy, tuple(run.schedule))
            else:
                few = FEW_THREADS_STARTED[number // 2 % len(FEW_THREADS_STARTED)]
                started = few if self._is_cut else MANY_THREADS_STARTED
                run = self._run_of_few(self._drawn(generator, number), number, started)
            for schedule in self._schedules(run):
                found = self.judged(schedule)
                if found is not None:
                    return found
                self.refused += self.wanted.accepts(run)
        return None

    def follow(self, steps: Sequence[GuidedStep], until: float, count: int) -> ThreadViolation | None:
        """The first violation of `count` runs, with different inputs, that follow the steps of a derivation."""
        for number in range(count):
            if time.monotonic() >= until:
                break
            for schedule in self._schedules(self._run(GuidedTurns(steps, self.known.points), number)):
                found = self.judged(schedule)
                if found is not None:
                    return found
        return None

    def _drawn(self, generator: random.Random, number: int) -> Strategy:
        if self._handlers:
            probability = INTERRUPT_PROBABILITIES[number // 2 % len(INTERRUPT_PROBABILITIES)]
            return RandomInterrupts(generator, self._of_threads(generator, number), self._handlers, probability)
        return self._of_threads(generator, number)

    def _of_threads(self, generator: random.Random, number: int) -> Strategy:
        if number % 8 == 0:  # an eighth of the runs has rounds, a fourth goes at random
            main_turns = generator.choice((0, 0, 1, generator.randint(1, MAX_ALTERNATIVES)))
            return Rounds(generator.choice((1, 1, 2, generator.randint(1, MAX_ALTERNATIVES))), main_turns)
        if number % 4 == 2:
            return RandomWalk(generator, generator.choice((0.0, 0.5, 0.9)))
        return RandomPriorities(generator, self._turns, generator.randint(0, MAX_COMBINED))

    def _long_run(self, generator: random.Random, number: int) -> ThreadExecution:
        """A run of very many threads where only a few run at once, or all but a few."""
        if number // LONG_PERIOD % 4:  # a fourth of them is of all threads, which takes several times as long
            among = RandomPriorities(generator, MAX_COMPARED, generator.randint(1, MAX_COMBINED))
            return self._run(FirstThreads(among, generator.randint(2, MAX_COMBINED)), number, FEW_THREADS_STEPS)
        return self._run(NewestFirst(generator, generator.choice(STOPPING)), number, generator.choice(LONG_STEPS))

    def _run_of_few(self, strategy: Strategy, number: int, threads: int) -> ThreadExecution:
        """A run that is over when there are more threads than these and none of the first ones can go on."""
        among = WhileFew(strategy, threads)
        run = self._run(among, number, MAX_BUILT if self._is_cut else None)
        self._is_cut |= run.started > MANY_THREADS_STARTED
        return run

    def _run(self, strategy: Strategy, number: int, steps: int | None = None) -> ThreadExecution:
        self.runs += 1
        oracle = Random(self.seed * 1_000_003 + number, self.constants, 1 << (number % 8), self.automata.checks_memory)
        machine = Machine(self.automata, oracle, ExecutionLimits(steps=steps or MAX_VISITED, trace=0))
        execution = ThreadRun(machine, self.known, self.wanted.race)
        if isinstance(strategy, GuidedTurns):
            strategy.run = execution
        run = execution.run(strategy)
        if steps is None:
            self._turns = max(self._turns, run.turns)
            self._is_limited |= run.ending is Ending.LIMIT
        return run

    def _schedules(self, run: ThreadExecution) -> Iterator[Schedule]:
        """The schedules that may show what is looked for, by a run."""
        if self.wanted.accepts(run):
            yield run.schedule
        elif self.wanted.race:
            yield from predicted_races(run.log, run.schedule)

    def judged(self, schedule: Schedule) -> ThreadViolation | None:
        """Executes a schedule again: what it violates, None if nothing, or behind undefined behaviour."""
        limits = ExecutionLimits(steps=2 * max(MAX_VISITED, *LONG_STEPS), until=math.inf, trace=MAX_BUILT)
        oracle, recorder = Recorded(schedule.inputs), ThreadRecorder(MAX_BUILT)
        machine = CheckingMachine(self._recording, oracle, limits, recorder=recorder)
        run = ThreadRun(machine, self.known, self.wanted.race).run(Recording(schedule))
        events = tuple(machine.events)
        if not self.wanted.accepts(run) or any(not event.undetermined for event in events):
            return None
        return ThreadViolation(schedule, run.trace, run.violation, run.race, run.waiting, events)


def find_violation(
    program: ir.Program, seed: int, until: float, wanted: Wanted = ANY_CHECK, long_until: float = 0.0
) -> ThreadViolation | None:
    """A run that violates a check of the program, or has a data race or a deadlock if these are asked for.

    program: with one access to shared memory on each edge. until, long_until: as in ThreadSearch.find.
    """
    return ThreadSearch(program, wanted, seed).find(until, long_until=long_until)
