"""Runs on mutated inputs of runs that covered something new: a greybox fuzzer on the automata.

A run covers pairs of an edge and the order of magnitude of how often it was executed. The inputs of one that covers a
new pair, or violates a check, are kept; later runs change a few of the choices of one that was kept. Böhme, Pham,
Roychoudhury: Coverage-based Greybox Fuzzing as Markov Chain (CCS 2016) [BohmePhamRoychoudhury2016]. First come the
choices that the comparisons of a kept run suggest (`recorded_comparisons.py`).
"""

import itertools
import random
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from chcverify.effort import MAX_ALTERNATIVES, MAX_COMBINED, MAX_COMPARED, MAX_TRIED
from chcverify.processor_time import ProcessorLimit
from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.execution.inputs import FIRST_CHOICES, Scalar
from encoders.c.execution.interpreter import Execution, ExecutionLimits, Machine
from encoders.c.execution.testing.random_runs import KnownRuns, ViolatingRun
from encoders.c.execution.testing.recorded_comparisons import ComparisonRecorder, Substitution

MAX_STEPS = 2_000
"""Steps of a run, as of short random ones. Chosen by hand."""
CORNERS = (15, 16, 31, 32, 63, 64, 127, 128, 255, 256, 32767, 32768, 65535, 65536, -1)  # where shifts and types end

HALF_RANGE = 1 << 30  # the least int that overflows when it is doubled


@dataclass(frozen=True)
class CoveringRun:
    """The inputs of a run that covered something new, or violated a check."""

    number: int
    """Of the seed of what is not among the first choices."""
    choices: tuple[Scalar, ...]
    """The first choices."""

    def integers(self) -> dict[int, int]:
        """Those that are integers, by their number."""
        return {place: value for place, value in enumerate(self.choices) if isinstance(value, int)}


@dataclass(frozen=True)
class GuidedInputs:
    """The inputs of a run that is to be made."""

    number: int
    """Of the seed of what is not among the choices."""
    choices: Mapping[int, int]
    """In the place of drawn ones, by number."""
    is_suggested: bool = False
    """By a comparison: it is recorded what the run compares, even if it covers nothing new, since one comparison after
    the other may come to hold."""
    unblocks: int = -1
    """The number of the choice that is another one since a run was blocked behind it; -1: none."""


@dataclass(eq=False)
class CoverageGuidedRuns:
    """A search that goes on where it stopped, for one program after another with the same automata."""

    seed: int
    kept: list[CoveringRun] = field(default_factory=list)
    """In their order."""
    covered: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    """The orders of magnitude of how often each edge was executed, by id() of the program's edge."""
    count: int = 0
    """Of all runs so far."""
    passed: int = 0
    """Of those that no assumption has ended."""
    corners: deque[GuidedInputs] = field(default_factory=deque)
    """Violating runs with a corner in the place of one choice, which are tried first: the check of the same place may
    fail in another way."""
    suggested: deque[GuidedInputs] = field(default_factory=deque)
    """Runs with one side of a comparison in the place of the other: first what the latest run suggests."""
    promising: deque[GuidedInputs] = field(default_factory=deque)
    """Those of them whose comparison decides about an edge that no run has passed."""
    unblocking: list[GuidedInputs] = field(default_factory=list)
    """Blocked runs with another last choice, which are tried first: assumptions are often about what was chosen last,
    as about the size of each object of a harness."""
    flipped: deque[GuidedInputs] = field(default_factory=deque)
    """Kept runs with 1 in the place of a 0, or the other way round: harnesses choose so whether a pointer is null."""
    equal: deque[GuidedInputs] = field(default_factory=deque)
    """Kept runs with one large number in the place of two choices: what is doubled when it is full overflows where both
    the number of elements and that of places are large."""
    substitutions: set[Substitution] = field(default_factory=set)
    """Those that were suggested so far."""

    def violating(self, program: ir.Program, known: KnownRuns, limit: ProcessorLimit) -> Execution | None:
        """A run that reaches the error, which is added to the known ones; None if none does within the limit, or if
        there is nothing to choose."""
        automata = known.compiled(program)
        draws = random.Random(self.seed * 1_000_003 + self.count)
        for planned in self._plans(draws, known):
            if not limit.is_left():
                return None
            self.count += 1
            oracle = known.oracle(self.seed, planned.number, planned.choices, MAX_TRIED)
            limits = ExecutionLimits.of(MAX_STEPS, limit)
            recorder = known.recorder() if planned.is_suggested else None
            execution = Machine(recorder or automata, oracle, limits).run()
            is_kept, run = self._covers_more(execution), CoveringRun(planned.number, tuple(oracle.drawn))
            if is_kept or execution.outcome == "error":
                self.kept.append(run)
                self.flipped.extend(_with_flipped_choice(run))
                self.equal.extend(_with_equal_choices(run))
            if execution.outcome == "error":
                first = tuple(oracle.drawn[:FIRST_CHOICES])
                known.violating.append(ViolatingRun(planned.number, planned.choices, first))
                self.corners.extend(_with_corners(run))
                return execution
            if not oracle.was_asked:
                return None
            self._unblock(planned, run, execution)
            if recorder is not None:
                self._follow(run, recorder)
            elif is_kept:
                self._follow(run, self._recorded(run, known, limits))
        return None

    def _plans(self, draws: random.Random, known: KnownRuns) -> Iterator[GuidedInputs]:
        """The runs to be made, without end."""
        while True:
            if self.unblocking:
                yield self.unblocking.pop()
            elif self.corners:
                yield self.corners.popleft()
            elif queue := next(filter(None, self._queues_of_turn()), None):
                yield queue.popleft()
            elif self.count < MAX_COMPARED or not self.kept:
                yield GuidedInputs(self.count, {})
            else:
                yield self._mutation(draws, known.constants)

    def _queues_of_turn(self) -> tuple[deque[GuidedInputs], ...]:
        """The queues whose turn it is, in their order; none in every fourth turn, which is one for mutations."""
        turns: tuple[tuple[deque[GuidedInputs], ...], ...] = (
            (self.promising, self.suggested), (self.flipped, self.equal), (self.suggested, self.promising), (),
            (self.promising, self.suggested), (self.equal, self.flipped), (self.suggested, self.promising), (),
        )  # fmt: skip
        return turns[self.count % len(turns)]

    def _unblock(self, planned: GuidedInputs, run: CoveringRun, execution: Execution) -> None:
        """Counts the run if it passed; plans a blocked one with another last choice, if that was not changed for this
        before."""
        if execution.outcome != "end" or execution.last is None or not isinstance(execution.last.operation, ir.Assume):
            self.passed += 1
            return
        last, choices = len(run.choices) - 1, run.integers()
        if planned.unblocks < last < MAX_TRIED - 1 and last in choices:
            self.unblocking.append(GuidedInputs(run.number, {**choices, last: int(choices[last] != 1)}, unblocks=last))

    def _mutation(self, draws: random.Random, constants: Sequence[int]) -> GuidedInputs:
        """A kept run with other values for some of its choices."""
        latest = self.kept[-MAX_ALTERNATIVES:]
        parent = draws.choice(latest if draws.random() < 0.5 else self.kept)
        choices = parent.integers()
        for _ in range(draws.randint(1, MAX_COMBINED)):
            if choices:
                place = draws.choice(list(choices))
                choices[place] = _mutated(choices[place], draws, constants)
        return GuidedInputs(parent.number if draws.random() < 0.7 else draws.getrandbits(30), choices)

    def _recorded(self, run: CoveringRun, known: KnownRuns, limits: ExecutionLimits) -> ComparisonRecorder:
        """Repeats a run to record what it compares."""
        recorder = known.recorder()
        Machine(recorder, known.oracle(self.seed, run.number, run.integers()), limits).run()
        return recorder

    def _follow(self, run: CoveringRun, recorder: ComparisonRecorder) -> None:
        """Plans the runs that the comparisons of a run suggest for its choices."""
        choices = run.integers()
        new = (item for item in recorder.substitutions(choices) if item not in self.substitutions)
        chosen = list(itertools.islice(new, MAX_COMPARED))
        self.substitutions.update(chosen)
        for item in reversed(chosen):
            leads_on = recorder.decides_another(item.node, self.covered.keys())
            plans = self.promising if leads_on else self.suggested
            plans.appendleft(GuidedInputs(run.number, {**choices, item.place: item.value}, True))

    def _covers_more(self, execution: Execution) -> bool:
        """Adds what the run covers."""
        counts = Counter(map(id, execution.path))
        new = [pair for pair in counts.items() if _magnitude(pair[1]) not in self.covered.get(pair[0], ())]
        for edge, count in new:
            self.covered[edge].add(_magnitude(count))
        return bool(new)


def _magnitude(count: int) -> int:
    """The class of how often an edge was executed: 1, 2, 3, 4 to 7, 8 to 15 and so on to 128 and more."""
    return -1 if count == 3 else min(count.bit_length(), 8)


@dataclass(frozen=True)
class GuidedSearch:
    """What is to be searched with the runs so far."""

    runs: CoverageGuidedRuns
    seconds: float
    """Of the processor."""
    until: float
    """time.monotonic() to stop at, whatever was used."""

    def violating(self, program: ir.Program, known: KnownRuns) -> Execution | None:
        """As `CoverageGuidedRuns.violating`, from now on."""
        return self.runs.violating(program, known, ProcessorLimit.of(self.seconds).within(self.until))


def _with_corners(run: CoveringRun) -> Iterator[GuidedInputs]:
    """A run, each time with a corner in the place of another one of its first choices."""
    choices = run.integers()
    for place in choices:
        if place < FIRST_CHOICES:
            yield from (GuidedInputs(run.number, {**choices, place: corner}) for corner in CORNERS)


def _with_flipped_choice(run: CoveringRun) -> Iterator[GuidedInputs]:
    """A run, each time with the other truth value for one of its first choices that may be one."""
    choices = run.integers()
    for place, value in choices.items():
        if place < FIRST_CHOICES and value in (0, 1):
            yield GuidedInputs(run.number, {**choices, place: 1 - value})


def _with_equal_choices(run: CoveringRun) -> Iterator[GuidedInputs]:
    """A run, each time with a large number in the place of two of its first choices."""
    choices = run.integers()
    places = [place for place in choices if place < FIRST_CHOICES]
    for pair in itertools.combinations(places, 2):
        yield GuidedInputs(run.number, {**choices, **dict.fromkeys(pair, HALF_RANGE)})


def _mutated(value: int, draws: random.Random, constants: Sequence[int]) -> int:
    """Another value: near, with another bit, one of the program's constants or of the corners, small, often 0, which
    strings end with, or any. The shares are chosen by hand."""
    way = draws.random()
    if way < 0.25:
        return value + draws.choice((-4, -1, 1, 4))
    if way < 0.4:
        return value ^ (1 << draws.randrange(32))
    if way < 0.65 and constants:
        return draws.choice(constants) + draws.choice((-1, 0, 0, 0, 1))
    if way < 0.8:
        return draws.choice(CORNERS)
    if way < 0.9:
        return draws.randint(0, 9)
    if way < 0.97:
        return 0
    return draws.randint(-(1 << 31), 1 << 31)
