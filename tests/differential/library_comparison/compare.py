"""Compares what tools and the interpreter say about the same calls."""

import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from chcverify.results.checks import CheckKind
from encoders.c.certificates.run_to_derivation import derivation_of_run
from encoders.c.encoding.encoder import Encoding, encode
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
PROPERTY = "bounds,null,lifetime,free,uninitialised,overlap"
WITH_LEAKS = f"{PROPERTY},leak"
# C or POSIX asks for more than glibc and the system need: both arguments are strings, also where the first one is empty
# (wcspbrk, strtok_r ...), blocks are as long as is said, also where nothing is copied (bcopy, memmem), wmemcmp compares
# as many characters as it is told to (C11 7.29.4.4.5), names are strings; a bad pointer makes system calls fail only.
_STRICTER_NAMES = """
wcspbrk wcsspn wcscspn wcsstr strtok_r bcopy memmem wmemcmp strxfrm setenv unsetenv pathconf __snprintf_chk
read write pwrite send fopen
"""
_STRICTER = frozenset(_STRICTER_NAMES.split())
# Of these the tools see what glibc reads beyond what it needs (wmemcmp), or an overlap that is checked nowhere else: it
# depends on how much is copied before the end is found.
_LESS = frozenset({"wmemcmp", "strxfrm", "memccpy"})
_STEPS = 20_000  # edges of a run; calls whose counts wrap around would go on for ever


@dataclass(frozen=True)
class Compared:
    """A call, and what differs; outcome: "safe", "leak", "violation", "not modelled", "open".

    difference: "" if none.
    """

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
    loaded = load_source(text, "calls.c", LP64, PROPERTY if follow else WITH_LEAKS)
    encoding = encode(loaded) if follow else None
    automata, found = Automata(loaded), []
    for call, seen in zip(calls, native, strict=True):
        execution = _executed(automata, call)
        result = _result(call, replace(seen, leaks=seen.leaks and not follow), execution)
        if encoding is not None and execution.outcome == "error" and encoding.program is loaded:
            if not _follows(encoding, execution):
                result = Compared(call, result.outcome, f"{result.difference} the clauses do not follow", True)
            else:
                result = Compared(call, result.outcome, result.difference, True)
        found.append(result)
    return found


def _follows(encoding: Encoding, execution: Execution) -> bool:
    """Do the clauses derive the violation of the run?"""
    found = derivation_of_run(encoding, execution.path, execution.inputs, violation=execution.violation)
    return found is not None


def _executed(automata: Automata, call: Call) -> Execution:
    limits = ExecutionLimits(_STEPS)
    oracle = ListedInputs((call.number, *call.inputs))
    return Machine(automata, oracle, limits, TraceRecorder(limits.trace)).run()


def _result(call: Call, seen: NativeCall, execution: Execution) -> Compared:
    """What the tools and the interpreter say, compared."""
    if execution.outcome in ("stuck", "limit"):
        return Compared(call, "not modelled", "")
    kind = execution.violation.check.kind if execution.violation is not None else None
    if kind is None or kind is CheckKind.LEAK:
        return _without_violation(call, seen, execution)
    if seen.kind or seen.invalid or (kind is CheckKind.UNINITIALISED and seen.unwritten):
        return Compared(call, "violation", "")
    if _is_undecided(call, seen, kind):
        return Compared(call, "open", "")
    return Compared(call, "safe", f"tools: none, interpreter: {kind.value}: {execution.violation}")


def _without_violation(call: Call, seen: NativeCall, execution: Execution) -> Compared:
    """The comparison of a call that at most loses a block."""
    function, loses = call.function, execution.violation is not None
    found = seen.kind or ("invalid access" if seen.invalid else "unwritten" if seen.unwritten else "")
    if function.is_open or (function.name in _LESS and found):
        return Compared(call, "open", "")
    if seen.leaks and not loses and not found:
        return Compared(
            call, "open" if function.is_outside else "violation", "" if function.is_outside else "tools: leak"
        )
    if found:
        return Compared(call, "violation", f"tools: {found}, interpreter: {'leak' if loses else 'none'}")
    outputs = _outputs(execution)
    if seen.outputs != outputs and not loses:  # that may be before the end
        return Compared(call, "safe", f"results: gcc {seen.outputs}, interpreter {outputs}")
    return Compared(call, "leak" if loses else "safe", "")


def _is_undecided(call: Call, seen: NativeCall, kind: CheckKind) -> bool:
    """Do tools that report nothing leave it open if a call is a violation?"""
    name = call.function.name
    if seen.strict or call.function.is_open or name in _STRICTER:
        return True
    if kind is CheckKind.OVERLAP or ".*" in call.text:  # the tools look at some functions, and at some precisions only
        return True
    decided = call.everywhere and seen.has_valgrind
    return not decided and (kind is CheckKind.UNINITIALISED or not is_seen(name))


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
