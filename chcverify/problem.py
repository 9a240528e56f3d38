"""What is to be decided, whatever the language: a Horn system, and how its certificates speak about the input."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.outcome import Status
from chcverify.source import SourceInvariant, TraceStep
from chcverify.task import Task


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

    def trace(self, derivation: Derivation) -> tuple[TraceStep, ...]:
        """The run that the derivation describes, executed again; Refused if that run does not reach the error."""
        ...


@dataclass(frozen=True, eq=False)
class HornProblem:
    """Horn clauses: their own certificates say all there is."""

    system: HornSystem
    words: Mapping[Status, str]

    def invariants(self, model: Model) -> tuple[SourceInvariant, ...]:
        return ()

    def trace(self, derivation: Derivation) -> tuple[TraceStep, ...]:
        return ()


@dataclass(frozen=True, eq=False)
class CProblem:
    """A C program: models are invariants of its lines, derivations are runs."""

    system: HornSystem
    words: Mapping[Status, str]
    encoding: Any

    def invariants(self, model: Model) -> tuple[SourceInvariant, ...]:
        return tuple(self.encoding.invariants(model))

    def trace(self, derivation: Derivation) -> tuple[TraceStep, ...]:
        from encoders.c.replay import replay

        execution = replay(self.encoding, derivation)
        if execution.outcome != "violation":
            raise Refused(f"the replay does not confirm the derivation: {execution.outcome}")
        return tuple(execution.trace)


def load(task: Task) -> Problem:
    """The problem of the task. Raises InputError for what is no input, Refused for what is not modelled."""
    return _load_c(task) if task.language == "c" else _load_horn(task)


def _load_horn(task: Task) -> Problem:
    from chcverify.horn.read import read_horn

    return HornProblem(read_horn(task.input_file), {"safe": "sat", "unsafe": "unsat", "unknown": "unknown"})


def _load_c(task: Task) -> Problem:
    from chcverify.errors import InputError
    from encoders.c.encode import encode
    from encoders.c.errors import SourceError, Unsupported
    from encoders.c.frontend import load_program
    from encoders.c.types import DATA_MODELS

    if task.property != "unreach-call":
        raise Refused(f"unsupported property: {task.property}")
    try:
        program = load_program(task.input_file, DATA_MODELS[task.data_model or "LP64"], task.property)
        encoding = encode(program, task.property)
    except SourceError as error:
        where = error.origin
        raise InputError(where.file, where.line, where.column, error.message) from error
    except Unsupported as error:
        raise Refused(str(error)) from error
    words: dict[Status, str] = {"safe": "true", "unsafe": f"false({task.property})", "unknown": "unknown"}
    return CProblem(encoding.system, words, encoding)
