"""What is to be decided, whatever the language: a Horn system, and how its certificates speak about the input."""

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from chcverify.assumption import Assumption
from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.outcome import Status
from chcverify.source import SourceInvariant, TraceStep
from chcverify.task import Task

if TYPE_CHECKING:
    from chcverify.horn.origin import Origin
    from chcverify.insight import Graph
    from encoders.c.encode import Encoding
    from encoders.c.environment import Surroundings
    from encoders.c.interpret import Execution


HORN_WORDS: Mapping[Status, str] = {"safe": "sat", "unsafe": "unsat", "unknown": "unknown"}


@dataclass(frozen=True)
class Tuning:
    """Limits for runs of programs.

    replay_s: of the program's automata, where a native run is to follow. native_s: of a native run, long_native_s: of
    one that is too long for the automata. watch_s: for undefined behaviour. deriving: times as long as random runs take
    at most, for the derivation of one. long_calls: times the steps of a short random run, where calls that repeat
        others share their derivations. random_runs: of a program; on tasks whose list was not kept, most
    bugs that short random runs find showed within the first 30. The others are not measured.
    """

    replay_s: float = 30.0
    native_s: float = 10.0
    long_native_s: float = 60.0
    watch_s: float = 10.0
    deriving: int = 4
    long_calls: int = 1000
    random_runs: int = 200


TUNING = Tuning()


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

    def warnings(self, derivation: Derivation, until: float, brief: bool = False) -> tuple[str, ...]:
        """The undefined behaviour on the way of the run, with its lines. brief: without what there was no time for."""
        ...

    def assertions(self) -> "tuple[Origin, ...]":
        """Where the queries come from in the input, as far as that is known."""
        ...

    def graphs(self) -> "tuple[Graph, ...]":
        """The input as graphs, for reports."""
        ...

    def assumptions(self, derivation: Derivation | None, until: float) -> tuple[Assumption, ...]:
        """What is taken for granted of what the input does not show, by all runs or by that of a derivation."""
        ...

    def is_vacuous(self, model: Model, until: float) -> bool:
        """Does the model show that no run comes to an assertion? until: time.monotonic() to stop at."""
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

    def warnings(self, derivation: Derivation, until: float, brief: bool = False) -> tuple[str, ...]:
        return ()

    def assertions(self) -> "tuple[Origin, ...]":
        return tuple(clause.origin for clause in self.system.clauses if clause.is_query and clause.origin is not None)

    def graphs(self) -> "tuple[Graph, ...]":
        return ()

    def assumptions(self, derivation: Derivation | None, until: float) -> tuple[Assumption, ...]:
        return ()

    def is_vacuous(self, model: Model, until: float) -> bool:
        return False

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

        longer = LONGER if self.system.is_linear else TUNING.long_calls
        patience = until + TUNING.deriving * (until - time.monotonic())
        found = random_runs(self.encoding.program, seed, TUNING.random_runs, until=until, longer=longer)
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
        execution = self._executed(derivation, until - max(0.5 * left, left - TUNING.replay_s))
        try:
            text = read_source(Path(self.encoding.program.file))
        except SourceError as error:
            raise Refused(str(error)) from error
        most = TUNING.long_native_s if execution.is_unfinished else TUNING.native_s
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

    def assertions(self) -> "tuple[Origin, ...]":
        from encoders.c.assertions import assertions

        return assertions(self.encoding)

    def warnings(self, derivation: Derivation, until: float, brief: bool = False) -> tuple[str, ...]:
        from encoders.c.encoding.back import inputs_of
        from encoders.c.interpret import Limits
        from encoders.c.undefined import watch

        limits = Limits(steps=sys.maxsize, until=min(until, time.monotonic() + TUNING.watch_s))
        execution, found = watch(self.encoding.program, inputs_of(self.encoding, derivation), limits)
        texts = tuple(dict.fromkeys(map(str, found)))
        if execution.outcome == "limit" and not brief:
            return (*texts, f"undefined behaviour after the first {execution.steps:,} steps is not known")
        return texts

    def graphs(self) -> "tuple[Graph, ...]":
        from encoders.c.draw import control_flow

        return control_flow(self.encoding.program)

    def assumptions(self, derivation: Derivation | None, until: float) -> tuple[Assumption, ...]:
        assumed = self.encoding.program.assumptions
        if derivation is None or not self.encoding.orders_addresses():
            return assumed  # proofs hold for all orders
        from encoders.c.interpret import orders

        return (*assumed, *orders(self._executed(derivation, until)))

    def is_vacuous(self, model: Model, until: float) -> bool:
        from encoders.c.vacuity import is_vacuous

        return is_vacuous(self.encoding, model, until)

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
        surroundings = surroundings_of(task)
        model = DATA_MODELS[task.data_model or "LP64"]
        program = load_program(task.input_file, model, task.property, surroundings=surroundings)
        encoding = encode(program, task.property)
    except SourceError as error:
        where = error.origin
        raise InputError(where.file, where.line, where.column, error.message) from error
    except Unsupported as error:
        raise Refused(str(error)) from error
    return CProblem(encoding.system, c_words(task.property), encoding)


def surroundings_of(task: Task) -> "Surroundings":
    """What is assumed of functions and objects that the program shares with others."""
    from encoders.c.environment import Surroundings, UndefinedFunctions, VolatileReads

    functions = UndefinedFunctions(task.undefined_functions) if task.undefined_functions else None
    volatile = VolatileReads(task.volatile) if task.volatile else None
    return Surroundings(functions, volatile, task.is_competition)


def c_words(property: str) -> Mapping[Status, str]:
    """The verdicts about a program as printed."""
    return {"safe": "true", "unsafe": f"false({property})", "unknown": "unknown"}
