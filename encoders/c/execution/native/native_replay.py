"""Replays violations natively: the user's program, compiled by gcc, reads the inputs of a run and must reach the error.

This runs code of unknown origin, so only on request, within limits on time, memory, files and processes, without an
environment, and in a directory of its own that is removed afterwards.
"""

import re
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from chcverify.effort import STEP_S
from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.execution.interpreter import Execution, ExecutionLimits
from encoders.c.execution.native.limited_process import NativeLimits as NativeLimits
from encoders.c.execution.native.limited_process import ending, run_in
from encoders.c.execution.native.native_harness import (
    ERROR,
    ERRORS,
    NotReplayable,
    RepeatedValues,
    harness,
    recorded,
    value_functions,
    wrapped,
)
from encoders.c.execution.native.program_texts import ProgramText, absolute
from encoders.c.execution.undefined_behaviour import detect_undefined_behaviour
from encoders.c.source.preprocessor import INCLUDE

_MISSING = re.compile(r"undefined reference to [`'](\w+)'")


@dataclass(frozen=True)
class NativeRun:
    """The result of a native run. reason: "" if and only if the run reached the error."""

    reason: str = ""

    @property
    def confirmed(self) -> bool:
        return not self.reason


class _Failed(Exception):
    """The run cannot be made: the reason."""


def replay_native(
    text: str | Sequence[ProgramText], program: ir.Program, execution: Execution, limits: NativeLimits | None = None
) -> NativeRun:
    """Compiles the program and runs it on the execution's inputs, also if that was too long to be finished.

    text: of the program's one file, or the texts of all its files. Only `confirmed` confirms the violation.
    """
    limits = limits or NativeLimits()
    try:
        _require_determined(program, execution, min(STEP_S, limits.seconds))
        values = recorded(execution.inputs)
        with tempfile.TemporaryDirectory(prefix="chcverify-") as directory:
            texts = (ProgramText(text, program.file),) if isinstance(text, str) else tuple(text)
            return _Replay(Path(directory), program, limits).run(texts, values)
    except (_Failed, NotReplayable) as failure:
        return NativeRun(str(failure))
    except OSError as error:
        return NativeRun(f"no native run: {error.strerror}")


def _require_determined(program: ir.Program, execution: Execution, seconds: float) -> None:
    """Raises _Failed if the run depends on values that C leaves open: the machine would choose them.

    Only the first `seconds` of a long run are checked.
    """
    limits = ExecutionLimits(steps=sys.maxsize, until=time.monotonic() + seconds)
    again, undefined = detect_undefined_behaviour(program, execution.inputs, limits)
    if again.outcome in ("end", "stuck"):
        raise _Failed("the run cannot be repeated")
    for event in undefined:
        if event.undetermined:
            raise _Failed(f"{event}: a native run cannot be given its value")


class _Replay:
    """One compilation and run, in a directory of its own."""

    def __init__(self, directory: Path, program: ir.Program, limits: NativeLimits) -> None:
        compiler = shutil.which("gcc")
        if compiler is None:
            raise _Failed("a native run needs gcc, and none is installed")
        self.directory, self.program, self.limits = directory, program, limits
        self.objects: list[str] = []
        mode = "-m32" if program.data_model.pointer == 4 else "-m64"
        self.gcc = [compiler, mode, "-std=gnu11", "-w", "-fwrapv", "-O0", "-fno-builtin"]

    def run(self, texts: Sequence[ProgramText], values: tuple[RepeatedValues, ...]) -> NativeRun:
        nonce = secrets.token_hex(16)
        self._require_linking()
        for number, text in enumerate(texts, 1):
            self._compile(text, values, f"program{number}")
        self.objects = [f"program{number}.o" for number in range(1, len(texts) + 1)]
        missing: frozenset[str] = frozenset()
        while more := self._link(harness(values, missing, nonce)):
            if more <= missing:
                raise _Failed(f"gcc does not find {', '.join(sorted(more))}")
            missing |= more
        status, said = self._limited([str(self.directory / "program")], processes=0)
        found = re.search(rf"^{nonce} (.*)$", said, re.MULTILINE)
        if found is not None and found[1] == ERROR:
            return NativeRun()
        return NativeRun(f"the native run does not reach the error: {found[1] if found else ending(status)}")

    def _require_linking(self) -> None:
        """Many systems have gcc, but no libraries for 32-bit programs."""
        self._write("probe.c", "int main(void) { return 0; }")
        if self._gcc(["-o", "probe", "-x", "c", "probe.c"])[0] != 0:
            raise _Failed(f"gcc does not link programs for {self.program.data_model.name} here")

    def _compile(self, text: ProgramText, values: tuple[RepeatedValues, ...], name: str) -> None:
        """The object file. Weak symbols give way to the harness, also where the program defines them as static."""
        around = ["-I", str(INCLUDE / "replaced"), "-iquote", str(Path(text.file).parent.absolute())]
        flags = [absolute(flag) for flag in text.flags]
        self._write(f"{name}.c", text.text)
        self._must("compile the program", [*around, *flags, "-x", "c", "-S", f"{name}.c"])
        weak = "".join(f"\t.weak\t{name}\n" for name in (*ERRORS, *value_functions(values)))
        with open(self.directory / f"{name}.s", "a", encoding="utf-8") as file:
            file.write(weak)
        self._must("assemble the program", ["-c", f"{name}.s"])

    def _link(self, code: str) -> frozenset[str]:
        """The functions that are missing; none once the executable is there."""
        self._write("harness.c", code)
        self._must("compile the harness", ["-O2", "-x", "c", "-c", "harness.c"])
        wraps = [f"-Wl,--wrap={name}" for name in wrapped()]
        status, said = self._gcc(["-o", "program", *wraps, "harness.o", *self.objects, "-lm"])
        if status == 0:
            return frozenset()
        missing = frozenset(_MISSING.findall(said))
        if not missing:
            raise _Failed(f"gcc cannot link for {self.program.data_model.name}: {_first(said)}")
        return missing

    def _must(self, what: str, arguments: list[str]) -> None:
        status, said = self._gcc(arguments)
        if status != 0:
            raise _Failed(f"gcc cannot {what} for {self.program.data_model.name}: {_first(said)}")

    def _gcc(self, arguments: list[str]) -> tuple[int | None, str]:
        return self._limited([*self.gcc, *arguments], processes=-1, TMPDIR=str(self.directory), LC_ALL="C")

    def _write(self, name: str, text: str) -> None:
        (self.directory / name).write_text(text, encoding="utf-8", errors="surrogateescape")

    def _limited(self, command: list[str], processes: int, **environment: str) -> tuple[int | None, str]:
        """The command's exit status (None: out of time) and standard error; nothing of its session lives on."""
        return run_in(self.directory, command, self.limits, processes, **environment)


def _first(said: str) -> str:
    """The first complaint, on one line."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return next((line for line in lines if re.search(r"error|cannot", line)), lines[0] if lines else "no reason given")
