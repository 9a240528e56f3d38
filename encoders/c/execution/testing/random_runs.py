"""Short random runs of a program, which find most violations."""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from chcverify.effort import MAX_ALTERNATIVES
from chcverify.processor_time import ProcessorLimit
from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import postorder, roots
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import FIRST_CHOICES, Redrawn, Scalar
from encoders.c.execution.interpreter import Execution, ExecutionLimits, Machine
from encoders.c.execution.testing.recorded_comparisons import ComparisonRecorder
from encoders.c.types.c_types import CInteger

LONGER_RUN_FACTOR = 10
"""Steps of a random run that is tried again, as a multiple of those of a short one; derivations of longer runs take too
long to check. Chosen by hand."""
LARGEST_FLOAT = math.ldexp(2 - 2.0**-23, 127)  # of the type float
ADDED = (1, 4)  # to a choice, in neighbouring runs: a byte or an element, and a word


@dataclass(frozen=True)
class ViolatingRun:
    """A random run that reached the error."""

    number: int
    """Of its seed."""
    others: Mapping[int, int]
    """Values in the place of drawn ones, by the number of the choice."""
    drawn: tuple[Scalar, ...]
    """Its first choices."""

    def neighbours(self) -> Iterator[tuple[int, Mapping[int, int]]]:
        """Runs with a larger value for one choice: an object that is too small by one element is the next time so for
        what comes behind that access."""
        for added in ADDED:
            for position, value in enumerate(self.drawn):
                if isinstance(value, int):
                    yield self.number, {**self.others, position: value + added}


@dataclass(eq=False)
class KnownRuns:
    """What runs of a program leave for those of the same program with other checks that are assumed."""

    violating: list[ViolatingRun] = field(default_factory=list)
    """Runs, each of which violates another check."""
    most_steps: int | None = None
    """Of a run that is wanted now; None: any number."""
    most_seconds: float = math.inf
    """Of the processor, for all runs that are made now, beside the limit that is given."""
    attempts: "RandomAttempts | None" = None
    """Those that are left: the others reached no error, which they do not, either, where more checks are assumed."""
    automata: Automata | None = None
    """Compiled for the last program."""
    constants: Sequence[int] = ()
    """Integers of that program, in order."""
    numbers: Sequence[float] = ()
    """Floating-point constants of that program, in order."""
    comparisons: ComparisonRecorder | None = None
    """Compiled for the program whose comparisons were recorded last."""

    def oracle(self, seed: int, number: int, others: Mapping[int, int], most: int = FIRST_CHOICES) -> Redrawn:
        """Draws the inputs of a run of the program that was compiled last. number, others: as of ViolatingRun. most: of
        its choices that are recorded."""
        assert self.automata is not None
        bound, memory = 1 << (number % 8), self.automata.checks_memory
        return Redrawn(seed * 1_000_003 + number, self.constants, bound, memory, others, most, self.numbers)

    def begin_again(self) -> None:
        """Random runs begin with the first again, as checks that were assumed are not any more."""
        self.attempts = None

    def puts_off(self, found: Execution) -> bool:
        """True if the violating run that was found last has too many steps; it will be found again."""
        if self.most_steps is None or len(found.path) <= self.most_steps:
            return False
        self.violating.pop()
        return True

    def compiled(self, program: ir.Program) -> Automata:
        """The automata of a program, with what was compiled before."""
        found = None if self.automata is None else self.automata.assuming(program)
        if found is None:
            found, self.constants = Automata(program), sorted(constants_of(program))
            self.numbers = sorted(_numbers_of(program))
            self.begin_again()
        self.automata = found
        return found

    def recorder(self) -> ComparisonRecorder:
        """The automata that record comparisons, of the program that was compiled last; nothing is recorded yet."""
        assert self.automata is not None
        program = self.automata.program
        found = None if self.comparisons is None else self.comparisons.assuming(program)
        self.comparisons = found or ComparisonRecorder(program)
        self.comparisons.recorded.clear()
        return self.comparisons


def random_runs(
    program: ir.Program,
    seed: int,
    count: int,
    steps: int = 2_000,
    limit: ProcessorLimit | None = None,
    longer: int = LONGER_RUN_FACTOR,
    known: KnownRuns | None = None,
) -> Execution | None:
    """The first of `count` short random runs that reaches the error, without trace; None if none does.

    steps: limit of each run, in executed edges. limit: of all runs; None: none. longer: after a quarter of the
    runs, and after all, some of those that reached the limit are tried again with so many times the steps. A program
    without inputs has one run only. The first run, and the longer one of a program without inputs, are made whatever
    the time. known: of runs that violate other checks the neighbours come first; the one that is found is added. Random
    runs go on where they stopped.
    """
    known = KnownRuns() if known is None else known
    search = _SeededRuns(known.compiled(program), seed, known)
    found, is_over = search.neighbour(LONGER_RUN_FACTOR * steps, limit)
    if found is not None or is_over:
        return found
    known.attempts = attempts = known.attempts or RandomAttempts(count, longer)
    while (attempt := attempts.current()) is not None:
        number, factor = attempt
        is_first = number == 0 and (attempts.draws_nothing or factor == 1)
        if limit is not None and not is_first and not limit.is_left():
            break
        limits = ExecutionLimits.of(factor * steps, None if is_first else limit)
        execution, was_asked = search.run(number, {}, limits)
        if execution.outcome == "error":
            return execution
        if not is_first and limit is not None and not limit.is_left():
            break  # the time may have cut it off
        attempts.passed(execution.outcome == "limit", was_asked)
    return None


class RandomAttempts:
    """The numbers of random runs in their order, each with its limit of steps, in times those of a short one."""

    def __init__(self, count: int, longer: int) -> None:
        self.draws_nothing = False
        """No run draws a value: each is as every other."""
        self._cut_off: list[int] = []  # numbers of short runs that reached the limit of steps
        self._left = self._all(count, longer)
        self._current = next(self._left, None)

    def current(self) -> tuple[int, int] | None:
        """The number of the run that is to be made, and its factor; None if all were made."""
        return self._current

    def passed(self, is_cut_off: bool, was_asked: bool) -> None:
        """The current run reaches no error. is_cut_off: it reached the limit of steps. was_asked: it drew a value."""
        assert self._current is not None
        number, factor = self._current
        if is_cut_off and factor == 1:
            self._cut_off.append(number)
        self.draws_nothing = not was_asked
        self._current = next(self._left, None)

    def _all(self, count: int, longer: int) -> Iterator[tuple[int, int]]:
        quarter = max(1, count // 4)
        yield from self._short(range(quarter))
        early = self._cut_off[:MAX_ALTERNATIVES]
        yield from [(number, longer) for number in early]
        yield from self._short(range(quarter, count))
        yield from [(number, longer) for number in self._cut_off[len(early) : MAX_ALTERNATIVES]]

    def _short(self, numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
        return itertools.takewhile(lambda _: not self.draws_nothing, ((number, 1) for number in numbers))


@dataclass(frozen=True, eq=False)
class _SeededRuns:
    """Random runs of one program."""

    automata: Automata
    seed: int
    known: KnownRuns

    def run(self, number: int, others: Mapping[int, int], limits: ExecutionLimits) -> tuple[Execution, bool]:
        """The run with a number, and whether it drew a value. others: as of ViolatingRun."""
        oracle = self.known.oracle(self.seed, number, others)
        execution = Machine(self.automata, oracle, limits).run()
        if execution.outcome == "error":
            self.known.violating.append(ViolatingRun(number, others, tuple(oracle.drawn)))
        return execution, oracle.was_asked

    def neighbour(self, steps: int, limit: ProcessorLimit | None) -> tuple[Execution | None, bool]:
        """A neighbour of a violating run that reaches the error, and whether the limit is over.

        Violating runs without such a neighbour are forgotten.
        """
        violating = self.known.violating
        limits = ExecutionLimits.of(steps, limit)
        while violating:
            for number, others in violating[-1].neighbours():
                if limit is not None and not limit.is_left():
                    return None, True
                execution, _ = self.run(number, others, limits)
                if execution.outcome == "error":
                    return execution, False
            violating.pop()
        return None, False


def constants_of(program: ir.Program) -> set[int]:
    """The integer constants of a program."""
    return {int(node.value) for node in _constants(program) if isinstance(node.type, CInteger)}


def _numbers_of(program: ir.Program) -> set[float]:
    """The floating-point constants of a program that are not too large for a float."""
    found = (abs(node.value) for node in _constants(program) if isinstance(node.value, float))
    return {value for value in found if value <= LARGEST_FLOAT}


def _constants(program: ir.Program) -> Iterator[ir.Constant]:
    for function in program.functions.values():
        for edge in function.edges:
            for root in roots(edge.operation):
                yield from (node for node in postorder(root) if isinstance(node, ir.Constant))
