"""Compares what a sanitizer and the interpreter say about the same run."""

from dataclasses import dataclass

from chcverify.results.checks import CheckKind
from encoders.c.execution.inputs import Inputs, Recorded
from encoders.c.execution.interpreter import Execution, ExecutionLimits, execute
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64, CInteger, CType

from .generate import MemoryProgram
from .sanitizers import PROTOTYPES, SanitizerReport

_LINES = PROTOTYPES.count("\n")
_STEPS = 200_000  # edges of a run; all programs are meant to end before


class ListedInputs(Recorded):
    """Gives listed values for calls of functions without a body, then zeros."""

    def __init__(self, values: tuple[int, ...]) -> None:
        super().__init__(Inputs())
        self._values = iter(values)

    def scalar(self, kind: CType) -> int | float:
        value = next(self._values, 0)
        return kind.wrap(value) if isinstance(kind, CInteger) else float(value)


@dataclass(frozen=True)
class Finding:
    """What the interpreter finds. kind: None if nothing. line: of the program. text: for people."""

    kind: CheckKind | None
    line: int
    text: str


def found(program: MemoryProgram, property: str) -> Finding:
    """The violation that the run on the program's inputs ends at. Raises ValueError if it is stuck."""
    execution = executed(program, property)
    if execution.outcome == "error":
        assert execution.violation is not None
        check = execution.violation.check
        return Finding(check.kind, check.origin.line - _LINES, str(execution.violation))
    if execution.outcome != "end":
        raise ValueError(f"{execution.outcome}: {execution.reason}")
    return Finding(None, 0, "")


def executed(program: MemoryProgram, property: str) -> Execution:
    """The run on the program's inputs."""
    loaded = load_source(PROTOTYPES + program.named(""), "program.c", LP64, property)
    return execute(loaded, ListedInputs(program.inputs), ExecutionLimits(_STEPS, trace=0))


def problems(program: MemoryProgram, report: SanitizerReport) -> list[str]:
    """The differences between the sanitizer's report and the interpreter's findings.

    Raises ValueError for runs that are stuck.
    """
    out: list[str] = []
    if report.kind is None and report.living is None:
        raise ValueError(f"not understood: {report.text[:2000]}")
    memory = found(program, "valid-memsafety")
    if memory.kind is CheckKind.LEAK and report.kind not in (None, CheckKind.LEAK):
        # The sanitizer looks for lost blocks at the end only: with a violation before that, these are not compared.
        memory = _without_leaks(program)
    kinds = {memory.kind, report.kind}
    if memory.kind is not report.kind and not kinds <= {CheckKind.BOUNDS, CheckKind.LIFETIME}:
        out.append(f"{memory.kind} at line {memory.line}, but the sanitizer: {report.kind} at line {report.line}")
    elif memory.kind is not CheckKind.LEAK and memory.line != report.line:
        out.append(f"{memory.kind} at line {memory.line}, but the sanitizer: line {report.line}")
    if report.living is not None:
        cleanup = found(program, "valid-memcleanup")
        if (cleanup.kind is not None) != (report.living > 0):
            out.append(f"at the end, {report.living} blocks live, but: {cleanup.text or 'no violation'}")
    return out


def _without_leaks(program: MemoryProgram) -> Finding:
    """The first violation of another kind. The property with all others has more checks, none of memory."""
    return found(program, "undefined-behaviour")
