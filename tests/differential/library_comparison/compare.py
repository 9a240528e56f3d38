"""Compares what tools and the interpreter say about the same calls."""

import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from chcverify.results.checks import CheckKind
from encoders.c.certificates.run_to_derivation import derivation_of_run
from encoders.c.encoding.encoder import encode
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.interpreter import Execution, ExecutionLimits, Machine
from encoders.c.execution.trace_recorder import TraceRecorder
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

from ..memory.compare import ListedInputs
from .calls import Call, make, program
from .functions import FUNCTIONS
from .native_calls import NativeCall, Tool, native_calls

CALLS = 100  # in one program
FOLLOWED = 10  # where the clauses follow the runs: their number grows with the program
PROPERTY = "bounds,null,lifetime,free,uninitialised"
# Both arguments must be strings, says C, but glibc does not read the second one where the first is empty.
# The system only says that it cannot use what a bad pointer of read, write or fopen leads to.
_STRICTER = frozenset({"wcspbrk", "wcsspn", "wcscspn", "wcsstr", "read", "write", "send", "fopen"})
_STEPS = 20_000  # edges of a run; calls whose counts wrap around would go on for ever


@dataclass(frozen=True)
class Compared:
    """A call, and what differs; outcome: "safe", "violation", "not modelled", "open". difference: "" if none."""

    call: Call
    outcome: str
    difference: str
    clauses: bool = False


def compared(
    seed: int, count: int = CALLS, names: Sequence[str] = (), tool: Tool = Tool.VALGRIND, follow: bool = False
) -> list[Compared]:
    """The calls of a seed's program. follow: do the clauses follow the runs to violations, too?"""
    chosen = names or sorted(FUNCTIONS)
    calls = [make(number, seed * 1000 + number, chosen) for number in range(count)]
    text = program(calls)
    with tempfile.TemporaryDirectory() as folder:
        native = native_calls(text, count, Path(folder), tool)
    loaded = load_source(text, "calls.c", LP64, PROPERTY)
    encoding = encode(loaded) if follow else None
    automata, found = Automata(loaded), []
    for call, seen in zip(calls, native, strict=True):
        execution = _executed(automata, call)
        result = _result(call, seen, execution)
        if encoding is not None and execution.outcome == "error" and encoding.program is loaded:
            if derivation_of_run(encoding, execution.path, execution.inputs) is None:
                result = Compared(call, result.outcome, f"{result.difference} the clauses do not follow", True)
            else:
                result = Compared(call, result.outcome, result.difference, True)
        found.append(result)
    return found


def _executed(automata: Automata, call: Call) -> Execution:
    limits = ExecutionLimits(_STEPS)
    oracle = ListedInputs((call.number, *call.inputs))
    return Machine(automata, oracle, limits, TraceRecorder(limits.trace)).run()


def _result(call: Call, seen: NativeCall, execution: Execution) -> Compared:
    """What the tools and the interpreter say, compared."""
    if execution.outcome in ("stuck", "limit"):
        return Compared(call, "not modelled", "")
    kind = execution.violation.check.kind if execution.violation is not None else None
    is_violated = bool(seen.kind or seen.invalid)
    if kind is None:
        if call.function.is_open:
            return Compared(call, "open", "")
        if is_violated:
            return Compared(call, "violation", f"tools: {seen.kind or 'invalid access'}, interpreter: none")
        if seen.unwritten:
            return Compared(call, "violation", "tools: unwritten, interpreter: none")
        outputs = _outputs(execution)
        if seen.outputs != outputs:
            return Compared(call, "safe", f"results: gcc {seen.outputs}, interpreter {outputs}")
        return Compared(call, "safe", "")
    if is_violated or (kind is CheckKind.UNINITIALISED and seen.unwritten):
        return Compared(call, "violation", "")
    if seen.strict:
        return Compared(call, "open", "")
    if call.function.name in _STRICTER or call.function.is_open:
        return Compared(call, "open", "")
    decided = call.everywhere and seen.has_valgrind
    if not decided and (kind is CheckKind.UNINITIALISED or not is_seen(call.function.name)):
        return Compared(call, "open", "")
    return Compared(call, "safe", _more(kind, execution))


def _more(kind: CheckKind, execution: Execution) -> str:
    return f"tools: none, interpreter: {kind.value}: {execution.violation}"


def _outputs(execution: Execution) -> tuple[int, int]:
    found = {"out_0": 0, "out_1": 0}
    for step in execution.trace:
        found.update((name, int(value)) for name, value in step.changes if name in found)
    return found["out_0"], found["out_1"]


@cache
def _intercepted() -> frozenset[str]:
    """The functions that the address sanitizer looks into."""
    path = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    names = subprocess.run(["nm", "-D", path.stdout.strip()], capture_output=True, text=True, check=False)
    return frozenset(re.findall(r" [WT] (\w+)$", names.stdout, re.MULTILINE))


def is_seen(name: str) -> bool:
    """Does the address sanitizer look into the function?"""
    return name in _intercepted()
