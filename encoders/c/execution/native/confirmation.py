"""Confirms a test of a violation: compiles it with what makes the failure visible and runs it, within limits."""

import re
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from encoders.c.execution.native.instruments import Instrument, instruments_of
from encoders.c.execution.native.limited_process import NativeLimits, ending, run_in
from encoders.c.execution.native.program_texts import absolute
from encoders.c.execution.native.violation_test import OWN_MAIN_FLAG, REACHED, ViolationTest

_MISSING = re.compile(r"undefined reference to [`'](\w+)'")
_DEFINED_TWICE = re.compile(r"symbol [`'](\w+)' is already defined|multiple definition of [`'](\w+)'")
_ASSERTION = re.compile(r"Assertion [`'].*' failed")
_POINTERS = (
    "buffer-overflow|buffer-underflow|negative-size-param|out of bounds|insufficient space|use-after|wild|"
    "null pointer|SEGV"
)
# What the instruments print about each kind of error; they do not look for the kinds that are missing.
_REPORTS = {
    **dict.fromkeys((CheckKind.BOUNDS, CheckKind.NULL, CheckKind.LIFETIME), _POINTERS),
    CheckKind.FREE: "double-free|attempting free|bad-free",
    **dict.fromkeys((CheckKind.LEAK, CheckKind.CLEANUP), "LeakSanitizer"),
    CheckKind.DIVISION: "division by zero|FPE",
    CheckKind.SHIFT: "shift",
    CheckKind.OVERFLOW: "signed integer overflow|cannot be represented|negation of",
    CheckKind.OVERLAP: "param-overlap",
    CheckKind.UNREACHABLE: "unreachable",
    CheckKind.BUILTIN: "passing zero to",
    CheckKind.VLA_BOUND: "non-positive value",
    CheckKind.CONVERSION: "implicit conversion|outside the range of representable values",
    CheckKind.UNINITIALISED: "uninitiali[sz]ed",
}
_QUIET = {"ASAN_OPTIONS": "symbolize=0:detect_leaks=DETECT", "UBSAN_OPTIONS": "symbolize=0"}


@dataclass(frozen=True)
class ConfirmedTest:
    """A test as a file, and how its run ended. reason: "" if and only if it failed in the intended way.

    instrument: what made the failure visible, for people.
    """

    code: str
    reason: str
    failure: str = ""
    instrument: str = ""

    @property
    def line(self) -> str:
        """What happened, for people."""
        if self.reason:
            return f"not confirmed: {self.reason}"
        return f"confirmed: compiled by {self.instrument} it fails ({self.failure})"


def confirm(test: ViolationTest, kind: CheckKind, seconds: float) -> ConfirmedTest:
    """Completes the test by the functions that the linker misses, and runs it. seconds: for each process.

    kind: of the violated check, on which the intended failure depends. Raises NotReplayable if the test
    cannot be written at all.
    """
    limits = NativeLimits(seconds, memory=None)
    tried: list[ConfirmedTest] = []
    for instrument in instruments_of(kind):
        made = replace(test, instrument=instrument)
        lacking = [program for program in instrument.programs if shutil.which(program) is None]
        if lacking:
            tried.append(ConfirmedTest(made.code(), f"{lacking[0]}, which it needs, is not installed"))
            continue
        try:
            with tempfile.TemporaryDirectory(prefix="chcverify-") as directory:
                found = _Confirmation(Path(directory), instrument, limits, kind).run(made)
        except OSError as error:
            found = ConfirmedTest(made.code(), f"it could not be run: {error.strerror}")
        if not found.reason:
            return found
        tried.append(found)
    return tried[0]


@dataclass(frozen=True)
class _Confirmation:
    directory: Path
    instrument: Instrument
    limits: NativeLimits
    kind: CheckKind

    def run(self, test: ViolationTest) -> ConfirmedTest:
        """The result of compiling and running the test."""
        while True:
            code = test.code()
            status, said = self._compiled(test, code)
            if status == 0:
                break
            missing = frozenset(_MISSING.findall(said)) - test.missing
            twice = frozenset(name for pair in _DEFINED_TWICE.findall(said) for name in pair) & test.missing
            if not missing and not twice:
                return ConfirmedTest(code, f"{self.instrument.compiler} does not compile it: {_first(said)}")
            test = replace(test, missing=(test.missing | missing) - twice)
        leaks = "1" if self.kind in (CheckKind.LEAK, CheckKind.CLEANUP) else "0"
        quiet = {name: value.replace("DETECT", leaks) for name, value in _QUIET.items()}
        command = _found([*self.instrument.runner, str(self.directory / "failing")])
        status, said = run_in(self.directory, command, self.limits, 0, **quiet)
        failure, reason = _failure(status, said, self.kind, self.instrument)
        return ConfirmedTest(code, reason, failure, self.instrument.name)

    def _compiled(self, test: ViolationTest, code: str) -> tuple[int | None, str]:
        (self.directory / "failing.c").write_text(code, encoding="utf-8", errors="surrogateescape")
        around = Path(test.program.file).parent.absolute()
        flags = [absolute(flag) for flag in test.program.flags if flag != OWN_MAIN_FLAG]
        others = [str(Path(other.file).absolute()) for other in test.others]
        command = [*_found(self.instrument.command(test.flags).split()), "-w", *flags, "-iquote", str(around)]
        command += ["-o", "failing", "failing.c", *others, "-lm"]
        return run_in(self.directory, command, self.limits, -1, TMPDIR=str(self.directory), LC_ALL="C")


def _found(command: list[str]) -> list[str]:
    """The command with the path of its program."""
    return [shutil.which(command[0]) or command[0], *command[1:]]


def _failure(status: int | None, said: str, kind: CheckKind, instrument: Instrument) -> tuple[str, str]:
    """How the run failed, and why that is not the intended failure ("" if it is)."""
    reported = re.search(instrument.report, said)
    if kind is CheckKind.ASSERTION:
        if REACHED in said:
            return "it reaches the violation", ""
        if status is not None and (found := _ASSERTION.search(said)):
            return found[0], ""
    elif reported and kind in _REPORTS and re.search(_REPORTS[kind], reported[0]):
        return reported[0].strip(), ""
    elif kind not in _REPORTS:
        return "", f"{instrument.name} does not look for this kind of error"
    if reported:
        return "", f"it fails before the violation, by {reported[0].strip()}"
    remark = re.search(r"chcverify: (.*)", said)
    return "", f"the run does not fail: {remark[1] if remark else ending(status)}"


def _first(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return next((line for line in lines if re.search(r"error|cannot|undefined", line)), lines[0] if lines else "?")
