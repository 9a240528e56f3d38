"""What is to be decided, whatever the language: a Horn system, and how its certificates speak about the input."""

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.outcome import Status
from chcverify.source import SourceInvariant, TraceStep
from chcverify.task import Task

if TYPE_CHECKING:
    from chcverify.insight import Graph
    from encoders.c.encode import Encoding
    from encoders.c.interpret import Execution


HORN_WORDS: Mapping[Status, str] = {"safe": "sat", "unsafe": "unsat", "unknown": "unknown"}
REPLAY_SECONDS = 30.0  # of the program's automata, where a native run is to follow
NATIVE_SECONDS = 10.0  # of a native run
LONG_NATIVE_SECONDS = 60.0  # of one that is too long for the automata
WATCH_SECONDS = 10.0  # for undefined behaviour
DERIVING = 4  # times as long as random runs take at most, for the derivation of one
LONG_CALLS = 1000  # times the steps of a short random run, where calls that repeat others share their derivations
RANDOM_RUNS = 200  # of a program; most bugs that short random runs find show within the first 30


class Refused(Exception):
    """The problem, or the last step of an answer to it, is beyond what is modelled: `unknown` with this reason."""


class Problem(Protocol):
    """words: the verdicts as printed."""

    @property
    def system(self) -> HornSystem: ...

    @property
    def words(self) -> Mapping[Status, str]: ...

    def invariants(self, model: Model) -> tuple[SourceInvariant, ...]:
        """What the model says about the source."""
        ...

    def guess(self, seed: int, until: float) -> Derivation | None:
        """A derivation found by luck, before any engine is asked; until: time.monotonic() to stop at.

        Refused if luck found a violation that the clauses do not derive: then no model of them proves anything.
        """
        ...

    def replay(self, derivation: Derivation, until: float) -> None:
        """Executes the run that the derivation describes, until time.monotonic() is `until`; Refused if it does not
        reach the error."""
        ...

    def confirm(self, derivation: Derivation, until: float) -> None:
        """Executes the run, and the compiled program on its inputs; Refused if that cannot be done or does not reach
        the error. Runs that are too long for the first are left to the second."""
        ...

    def trace(self, derivation: Derivation, until: float) -> tuple[TraceStep, ...]:
        """The steps of a run that was confirmed, as far as there is time to tell them."""
        ...

    def warnings(self, derivation: Derivation, until: float) -> tuple[str, ...]:
        """The undefined behaviour on the way of the run, with its places."""
        ...

    def graphs(self) -> "tuple[Graph, ...]":
        """The input as graphs, for reports."""
        ...

    def variables(self) -> Mapping[str, frozenset[str]]:
        """The names that each function declares, and under "" those of variables that outlive calls."""
        ...


@dataclass(frozen=True, eq=False)
class HornProblem:
    """Horn clauses: their own certificates say all there is."""

    system: HornSystem
    words: Mapping[Status, str]

    def invariants(self, model: Model) -> tuple[SourceInvariant, ...]:
        return ()

    def guess(self, seed: int, until: float) -> Derivation | None:
        return None

    def replay(self, derivation: Derivation, until: float) -> None:
        return

    def confirm(self, derivation: Derivation, until: float) -> None:
        return

    def trace(self, derivation: Derivation, until: float) -> tuple[TraceStep, ...]:
        return ()

    def warnings(self, derivation: Derivation, until: float) -> tuple[str, ...]:
        return ()

    def graphs(self) -> "tuple[Graph, ...]":
        return ()

    def variables(self) -> Mapping[str, frozenset[str]]:
        return {}


@dataclass(frozen=True, eq=False)
class CProblem:
    """A C program: models are invariants of its lines, derivations are runs."""

    system: HornSystem
    words: Mapping[Status, str]
    encoding: "Encoding"

    def invariants(self, model: Model) -> tuple[SourceInvariant, ...]:
        from encoders.c.invariants import source_invariants

        return tuple(source_invariants(self.encoding, model))

    def guess(self, seed: int, until: float) -> Derivation | None:
        from encoders.c.encoding.derive import derivation_of_run
        from encoders.c.interpret import LONGER, random_runs

        longer = LONGER if self.system.is_linear else LONG_CALLS
        patience = until + DERIVING * (until - time.monotonic())
        found = random_runs(self.encoding.program, seed, RANDOM_RUNS, until=until, longer=longer)
        if found is None:
            return None
        try:
            derivation = derivation_of_run(self.encoding, found.path, found.inputs, lambda: time.monotonic() < patience)
        except TimeoutError:
            raise Refused("a run of the program reaches the error, but takes too long to be derived") from None
        if derivation is None:
            raise Refused("a run of the program reaches the error, but could not be derived from the clauses")
        return derivation

    def replay(self, derivation: Derivation, until: float) -> None:
        execution = self._executed(derivation, until)
        if execution.is_unfinished:
            raise Refused(f"the violation is not confirmed: {execution.reason}; --replay native may decide it")

    def confirm(self, derivation: Derivation, until: float) -> None:
        from encoders.c.errors import SourceError
        from encoders.c.preprocess import read_source
        from encoders.c.replay_native import NativeLimits, replay_native

        if self.encoding.property != "unreach-call":
            raise Refused(f"a native run does not show a violation of {self.encoding.property}")
        left = until - time.monotonic()
        execution = self._executed(derivation, until - max(0.5 * left, left - REPLAY_SECONDS))
        try:
            text = read_source(Path(self.encoding.program.file))
        except SourceError as error:
            raise Refused(str(error)) from error
        most = LONG_NATIVE_SECONDS if execution.is_unfinished else NATIVE_SECONDS
        seconds = max(0.1, min(most, until - time.monotonic()))
        found = replay_native(text, self.encoding.program, execution, NativeLimits(seconds))
        if not found.confirmed:
            raise Refused(f"not confirmed natively: {found.reason}")

    def trace(self, derivation: Derivation, until: float) -> tuple[TraceStep, ...]:
        from encoders.c.interpret import Limits
        from encoders.c.replay import replay, rest_of

        execution = replay(self.encoding, derivation, Limits(until=until), traced=True)
        trace = tuple(execution.trace)
        if execution.outcome == "error" or self.encoding.property != "unreach-call":
            return trace
        return (*trace, *rest_of(self.encoding, derivation, execution))

    def warnings(self, derivation: Derivation, until: float) -> tuple[str, ...]:
        from encoders.c.encoding.back import inputs_of
        from encoders.c.interpret import Limits
        from encoders.c.undefined import watch

        limits = Limits(steps=sys.maxsize, until=min(until, time.monotonic() + WATCH_SECONDS))
        execution, found = watch(self.encoding.program, inputs_of(self.encoding, derivation), limits)
        texts = tuple(map(str, found))
        if execution.outcome == "limit":
            return (*texts, f"undefined behaviour after the first {execution.steps:,} steps is not known")
        return texts

    def graphs(self) -> "tuple[Graph, ...]":
        from encoders.c.draw import control_flow

        return control_flow(self.encoding.program)

    def variables(self) -> Mapping[str, frozenset[str]]:
        program = self.encoding.program
        own = {name: (*body.parameters, *body.locals) for name, body in program.functions.items()}
        groups = {**own, "": program.globals}
        return {name: frozenset(variable.name for variable in group) for name, group in groups.items()}

    def _executed(self, derivation: Derivation, until: float) -> "Execution":
        """The run, to the error or until there is no more time."""
        from encoders.c.interpret import Limits
        from encoders.c.replay import replay

        execution = replay(self.encoding, derivation, Limits(until=until), traced=False)
        if execution.outcome != "error" and not execution.is_unfinished:
            why = execution.reason or f"it comes to an {execution.outcome}"
            raise Refused(f"the replay does not reach the error: {why}")
        return execution


def load(task: Task) -> Problem:
    """The problem of the task. Raises InputError for what is no input, Refused for what is not modelled."""
    return _load_c(task) if task.language == "c" else _load_horn(task)


def _load_horn(task: Task) -> Problem:
    from chcverify.horn.read import read_horn

    return HornProblem(read_horn(task.input_file), HORN_WORDS)


def _load_c(task: Task) -> Problem:
    from chcverify.errors import InputError
    from encoders.c.encode import encode
    from encoders.c.errors import SourceError, Unsupported
    from encoders.c.frontend import load_program
    from encoders.c.types import DATA_MODELS

    if task.property not in ("unreach-call", "no-overflow"):
        raise Refused(f"unsupported property: {task.property}")
    try:
        program = load_program(task.input_file, DATA_MODELS[task.data_model or "LP64"], task.property)
        encoding = encode(program, task.property)
    except SourceError as error:
        where = error.origin
        raise InputError(where.file, where.line, where.column, error.message) from error
    except Unsupported as error:
        raise Refused(str(error)) from error
    return CProblem(encoding.system, c_words(task.property), encoding)


def c_words(property: str) -> Mapping[Status, str]:
    """The verdicts about a program as printed."""
    return {"safe": "true", "unsafe": f"false({property})", "unknown": "unknown"}
