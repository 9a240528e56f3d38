"""Runs that do not end: a run that comes from a state to the same state again, found by execution and executed again.

The state is that of the clauses: the values that are live at a location. Where it recurs, the same choices lead around
again, and again.
"""

import itertools
import time
from collections.abc import Iterable, Iterator

import z3

from chcverify.certificate.derivation import Step
from chcverify.certificate.termination import Lasso
from chcverify.effort import (
    MAX_ALTERNATIVES,
    MAX_BUILT,
    MAX_COMPARED,
    MAX_FORMULAS,
    MAX_TRIED,
    MAX_VISITED,
    REPETITIONS,
)
from chcverify.quick_dataclass import dataclass
from chcverify.results.source_facts import CYCLE, TraceStep
from encoders.c.certificates.run_to_derivation import steps_of_run
from encoders.c.cfa import ir
from encoders.c.encoding.encoder import Encoding
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import Inputs, InputStep, Recorded
from encoders.c.execution.interpreter import Execution, ExecutionLimits, Machine
from encoders.c.execution.trace_recorder import TraceRecorder
from encoders.c.execution.undefined_behaviour import detect_undefined_behaviour
from encoders.c.termination.partial_operations import is_undefined_for_some_values
from encoders.c.termination.recurring_states import state_recurs
from encoders.c.termination.run_search import RARE_CHANGES, RunSearch

LONG_STEPS = 1_000
"""Steps of the longer runs that are looked for. Chosen by hand on termination tasks of SV-COMP."""
CYCLE_BEGINS, SAME = "from here again and again", "the same state as before"
IN_SET = "here again, in a set of states that the run need not leave"
UNSEEN = "the clauses may leave out an operation on the cycle that is undefined for some values"


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


def find_endless_run(encoding: Encoding, seed: int, until: float, *, long: bool) -> EndlessRun | None:
    """A run that does not end and has no undefined behaviour, by random runs; None if none is found.

    until: time.monotonic() to stop at. long: by longer runs than at first.
    """
    for runs in promising_runs(encoding.program, seed, until, long=long):
        for execution in itertools.islice(runs, MAX_ALTERNATIVES):
            try:
                found = recurrence(encoding, execution, until)
            except TimeoutError:
                return None
            if found is not None and not reason_against(encoding, found, until):
                return found
    return None


def promising_runs(program: ir.Program, seed: int, until: float, *, long: bool) -> Iterator[Iterator[Execution]]:
    """Runs of several kinds; most of them still go on after many steps; arguments as of `find_endless_run`."""
    search = RunSearch.of(program, seed + long, until)
    if long:
        yield search.unfinished((LONG_STEPS, MAX_BUILT) * (MAX_COMPARED // 2))
    else:
        yield search.unfinished((MAX_TRIED,) * MAX_ALTERNATIVES)
        yield search.unfinished((LONG_STEPS,) * MAX_ALTERNATIVES, RARE_CHANGES)
        yield search.longest(MAX_TRIED, MAX_FORMULAS)
        yield search.recurring(MAX_TRIED, MAX_FORMULAS)
    yield search.climbing(MAX_BUILT, MAX_VISITED)


def recurrence(encoding: Encoding, execution: Execution, until: float) -> EndlessRun | None:
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
    needed = len(run.path) + (REPETITIONS - 1) * run.cycle_length
    limits = ExecutionLimits(steps=2 * needed + 100, until=until)  # returns are steps, too, and no edges
    inputs = _repeated(run, limits.steps)
    begin, end = len(run.path) - run.cycle_length, len(run.path)
    # The first time around the cycle may still write variables that nobody reads again.
    if is_undefined_for_some_values(run.path[begin:]) and not state_recurs(
        encoding.program, inputs, end, end + run.cycle_length, limits
    ):
        return UNSEEN
    _, undefined = detect_undefined_behaviour(encoding.program, inputs, limits)
    if undefined:
        return f"undefined behaviour: {undefined[0]}"
    execution = Machine(Automata(encoding.program), Recorded(inputs), limits).run()
    if execution.outcome != "limit" or time.monotonic() >= until:
        return f"the run comes to an {execution.outcome}"
    around = list(run.path[begin:])
    expected = list(run.path) + around * (REPETITIONS - 1)
    if len(execution.path) < needed or any(
        one is not other for one, other in zip(execution.path, expected, strict=False)
    ):
        return "the run leaves the cycle"
    return ""


def trace_of(encoding: Encoding, run: EndlessRun) -> tuple[TraceStep, ...]:
    """The steps of the run to the state and once around the cycle, for people; a step marks each end of the cycle."""
    inputs = _repeated(run, len(run.path))
    return _marked_trace(encoding, inputs, run.lasso.steps[run.lasso.begin], run.cycle_length, len(run.path), SAME)


def _marked_trace(
    encoding: Encoding, inputs: Inputs, begin: Step, cycle_length: int, length: int, ends: str
) -> tuple[TraceStep, ...]:
    """The trace of a run, with a step at each end of its cycle: its last edges.

    begin: the step that derives the fact where the cycle begins. cycle_length, length: edges of the cycle and of the
    run. ends: what is said where the cycle ends.
    """
    whole, stem = (_trace(encoding, inputs, steps) for steps in (length, length - cycle_length))
    common = next((i for i, (a, b) in enumerate(zip(whole, stem, strict=False)) if a != b), min(len(whole), len(stem)))
    head = encoding.system.clauses[begin.clause].head
    assert head is not None
    location, origin = encoding.locations.get(head.predicate), head.predicate.origin  # no location: a call of itself
    if origin is None:
        return whole
    function = head.predicate.name if location is None else location.frame.function.name
    first, last = (TraceStep(origin, function, CYCLE, text) for text in (CYCLE_BEGINS, ends))
    return (*whole[:common], first, *whole[common:], last)


def _trace(encoding: Encoding, inputs: Inputs, steps: int) -> tuple[TraceStep, ...]:
    recorder = TraceRecorder(ExecutionLimits().trace)
    machine = Machine(Automata(encoding.program), Recorded(inputs), ExecutionLimits(steps=steps), recorder)
    return tuple(machine.run().trace)


def _repeated(run: EndlessRun, steps: int) -> Inputs:
    """Inputs for so many steps."""
    rounds = steps // max(1, run.cycle_length) + 1
    return Inputs((*run.stem, *(run.cycle * rounds)))


# Runs whose state need not recur --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class LongRun:
    """A run that has not ended after many steps, as steps of the clauses."""

    steps: tuple[Step, ...]
    positions: tuple[int, ...]
    """For each step the number of edges of the run up to it."""
    execution: Execution


def long_runs(encoding: Encoding, seed: int, until: float) -> Iterator[LongRun]:
    """Runs with the same choice at each edge that are still going on. until: time.monotonic() to stop at."""
    search = RunSearch.of(encoding.program, seed, until)
    for execution in search.climbing(MAX_BUILT, MAX_VISITED):
        try:
            run = long_run_of(encoding, execution, until)
        except TimeoutError:
            return
        if run is not None:
            yield run


def long_run_of(encoding: Encoding, execution: Execution, until: float) -> LongRun | None:
    """The first steps of an execution; None if there are none. TimeoutError at time.monotonic() until."""
    path = execution.path[:MAX_FORMULAS]
    steps, positions = steps_of_run(encoding, path, execution.inputs, lambda: time.monotonic() < until)
    return LongRun(tuple(steps), tuple(positions), execution) if steps else None


def are_inputs(encoding: Encoding, clause: int, variables: Iterable[z3.ExprRef]) -> bool:
    """True if values that a clause leaves open are inputs, and not what C leaves undefined or what is not modelled."""
    info = encoding.infos[clause]
    inputs = {item.term.get_id() for item in info.inputs if item.key == "value"}
    if any(variable.get_id() not in inputs for variable in variables):
        return False
    operation = None if info.edge is None else info.edge.operation
    return not info.inputs or (
        isinstance(operation, ir.Nondet) and not operation.is_estimate and not operation.is_unknown
    )


def reason_against_long_run(encoding: Encoding, run: LongRun, until: float) -> str:
    """Why the run, executed again, is no evidence; "" if it goes on and has no undefined behaviour."""
    repeated = run.execution.path[MAX_FORMULAS // 2 :]
    if is_undefined_for_some_values(repeated):
        return UNSEEN
    limits = ExecutionLimits(steps=len(run.execution.path), until=until)
    again, undefined = detect_undefined_behaviour(encoding.program, run.execution.inputs, limits)
    if undefined:
        return f"undefined behaviour: {undefined[0]}"
    return "" if again.outcome == "limit" and time.monotonic() < until else f"the run comes to an {again.outcome}"


def trace_of_long_run(encoding: Encoding, run: LongRun, begin: int) -> tuple[TraceStep, ...]:
    """The steps of the run to the step of this number, whose fact is in a closed recurrence set, and on to a fact of
    the same predicate; a step marks each end of that part: the shortest that the run then takes again, if there is one.
    """
    heads = [encoding.system.clauses[step.clause].head for step in run.steps]
    wanted = heads[begin]
    assert wanted is not None
    later = range(begin + 1, len(heads))
    ends = [n for n in later if (head := heads[n]) is not None and head.predicate == wanted.predicate]
    if not ends:
        return _trace(encoding, run.execution.inputs, len(run.execution.path))
    first, path = run.positions[begin], run.execution.path
    rounds = [run.positions[end] - first for end in ends]
    repeated = (n for n in rounds if path[first : first + n] == path[first + n : first + 2 * n])
    length = next(repeated, rounds[0])
    return _marked_trace(encoding, run.execution.inputs, run.steps[begin], length, first + length, IN_SET)
