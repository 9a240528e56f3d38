"""Runs that do not end: a run that comes from a state to the same state again, found by execution and executed again.

The state is that of the clauses: the values that are live at a location. Where it recurs, the same choices lead around
again, and again.
"""

import time
from collections.abc import Iterator, Sequence

from chcverify.certificate.termination import Lasso
from chcverify.lazy_dataclass import dataclass
from chcverify.results.source_facts import TraceStep
from encoders.c.certificates.run_to_derivation import steps_of_run
from encoders.c.cfa import ir
from encoders.c.encoding.encoder import Encoding
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import Inputs, InputStep, Random, Recorded, Scalar
from encoders.c.execution.interpreter import Execution, ExecutionLimits, Machine
from encoders.c.execution.random_runs import constants_of
from encoders.c.execution.trace_recorder import TraceRecorder
from encoders.c.execution.undefined_behaviour import detect_undefined_behaviour
from encoders.c.types.c_types import CType


@dataclass(frozen=True)
class EndlessRunTuning:
    """Limits of the search for runs that do not end. Chosen by hand on termination tasks of SV-COMP."""

    short_runs: int = 15
    """Runs of so many steps (executed edges) at most, ..."""
    short_steps: int = 200
    long_runs: int = 40
    """... and of so many of them. Derivations of longer ones take long."""
    long_steps: tuple[int, ...] = (1_000, 5_000)
    rounds: int = 3
    """Times around the cycle that are executed again, at least."""


TUNING = EndlessRunTuning()


@dataclass(frozen=True, eq=False)
class EndlessRun:
    """A run to a state, and around a cycle back to it. Its inputs: the choices up to there, and those of the cycle."""

    lasso: Lasso
    stem: tuple[InputStep, ...]
    cycle: tuple[InputStep, ...]
    path: tuple[ir.Edge, ...]
    """The edges of the stem and of the cycle."""
    cycle_length: int
    """Edges of the cycle."""


class _Steady(Random):
    """Random choices, of which most stay the same for each edge, so that states recur."""

    def __init__(self, seed: int, constants: list[int], bound: int, change: float, checks_memory: bool) -> None:
        super().__init__(seed, constants, bound, checks_memory)
        self._change = change
        self._edge: ir.Edge | None = None
        self._chosen: dict[int, Scalar] = {}

    def begin(self, edge: ir.Edge) -> None:
        self._edge = edge

    def scalar(self, kind: CType) -> Scalar:
        key = id(self._edge)
        if key not in self._chosen or self._random.random() < self._change:
            self._chosen[key] = super().scalar(kind)
        return self._chosen[key]


def find_endless_run(encoding: Encoding, seed: int, until: float, *, long: bool) -> EndlessRun | None:
    """A run that does not end and has no undefined behaviour, by random runs; None if none is found.

    until: time.monotonic() to stop at. long: by longer runs than at first.
    """
    steps = TUNING.long_steps * TUNING.long_runs if long else (TUNING.short_steps,) * TUNING.short_runs
    for execution in _unfinished_runs(encoding.program, seed, until, steps):
        try:
            found = _recurrence(encoding, execution, until)
        except TimeoutError:
            return None
        if found is not None and not reason_against(encoding, found, until):
            return found
    return None


def _unfinished_runs(program: ir.Program, seed: int, until: float, lengths: Sequence[int]) -> Iterator[Execution]:
    """Runs that reach their limit of steps; lengths: of these limits."""
    constants, automata = sorted(constants_of(program)), Automata(program)
    for number, steps in enumerate(lengths):
        if time.monotonic() >= until:
            return
        change = (0.0, 0.1, 0.0, 1.0, 0.03)[number % 5]
        oracle = _Steady(seed * 1_000_003 + number, constants, 1 << (number % 5), change, automata.checks_memory)
        execution = Machine(automata, oracle, ExecutionLimits(steps=steps, until=until)).run()
        if execution.outcome == "limit" and time.monotonic() < until:
            yield execution
        if not oracle.was_asked and execution.outcome != "limit":
            return  # all runs are this one


def _recurrence(encoding: Encoding, execution: Execution, until: float) -> EndlessRun | None:
    """The part of the run up to the first fact that recurs. TimeoutError at time.monotonic() until."""
    going_on = lambda: time.monotonic() < until  # noqa: E731
    steps, positions = steps_of_run(encoding, execution.path, execution.inputs, going_on)
    chain = [len(steps) - 1] if steps else []
    while chain and steps[chain[-1]].premises:
        chain.append(steps[chain[-1]].premises[0])
    known: dict[tuple[object, ...], int] = {}
    for number in reversed(chain):
        head = encoding.system.clauses[steps[number].clause].head
        assert head is not None
        fact = head.predicate.name, *(argument.get_id() for argument in steps[number].arguments)
        begin = known.setdefault(fact, number)
        if begin != number and positions[begin] < positions[number]:
            first, last = positions[begin], positions[number]
            choices = _choices(execution, (first, last))
            inputs = tuple(execution.inputs)
            return EndlessRun(
                Lasso(tuple(steps[: number + 1]), begin),
                inputs[: choices[0]],
                inputs[choices[0] : choices[1]],
                tuple(execution.path[:last]),
                last - first,
            )
    return None


def _choices(execution: Execution, positions: tuple[int, ...]) -> list[int]:
    """The number of choices of the run before each position of its path."""
    inputs, taken, counts = tuple(execution.inputs), 0, []
    for position in range(len(execution.path) + 1):
        counts.append(taken)
        if position < len(execution.path) and taken < len(inputs) and inputs[taken].edge is execution.path[position]:
            taken += 1
    return [counts[position] for position in positions]


def reason_against(encoding: Encoding, run: EndlessRun, until: float) -> str:
    """Why the run, executed to the state and around the cycle again and again, is none without end; "" if it is one."""
    needed = len(run.path) + (TUNING.rounds - 1) * run.cycle_length
    limits = ExecutionLimits(steps=2 * needed + 100, until=until)  # returns are steps, too, and no edges
    inputs = _repeated(run, limits.steps)
    _, undefined = detect_undefined_behaviour(encoding.program, inputs, limits)
    if undefined:
        return f"undefined behaviour: {undefined[0]}"
    execution = Machine(Automata(encoding.program), Recorded(inputs), limits).run()
    if execution.outcome != "limit" or time.monotonic() >= until:
        return f"the run comes to an {execution.outcome}"
    around = list(run.path[len(run.path) - run.cycle_length :])
    expected = list(run.path) + around * (TUNING.rounds - 1)
    if len(execution.path) < needed or any(
        one is not other for one, other in zip(execution.path, expected, strict=False)
    ):
        return "the run leaves the cycle"
    return ""


def trace_of(encoding: Encoding, run: EndlessRun) -> tuple[TraceStep, ...]:
    """The steps of the run to the state and once around the cycle, for people."""
    recorder = TraceRecorder(ExecutionLimits().trace)
    oracle = Recorded(_repeated(run, len(run.path)))
    machine = Machine(Automata(encoding.program), oracle, ExecutionLimits(steps=len(run.path)), recorder)
    return tuple(machine.run().trace)


def _repeated(run: EndlessRun, steps: int) -> Inputs:
    """Inputs for so many steps."""
    rounds = steps // max(1, run.cycle_length) + 1
    return Inputs((*run.stem, *(run.cycle * rounds)))
