"""The second opinion: the same obligations refuted by cvc5, which reads them as SMT-LIB text.

Text and not pysmt: one path for every theory (pysmt has no datatypes), and what is solved is what a user could feed to
cvc5 by hand. cvc5 works in a process of its own, so that neither a crash nor a query that outlives its limit touches
the verdict.
"""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import metadata
from types import TracebackType

import z3

from chcverify.certificate.check import HOLDS, Finding, Verdict, check
from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.certificate.obligations import Obligation, derivation_obligations, model_obligations
from chcverify.horn.system import HornSystem
from chcverify.terms.binders import rename_apart
from chcverify.terms.smtlib import benchmark

_BATCH = 64
_GRACE = 0.3


def checker() -> str:
    """The name and version of the second solver."""
    try:
        return f"cvc5 {metadata.version('cvc5')}"
    except metadata.PackageNotFoundError:
        return "cvc5"


def check_model(system: HornSystem, model: Model, deadline: float) -> Verdict:
    """As chcverify.certificate.check.check_model, by cvc5."""
    return check(lambda: model_obligations(system, model), discharge, checker(), deadline)


def check_derivation(system: HornSystem, derivation: Derivation, deadline: float) -> Verdict:
    """As chcverify.certificate.check.check_derivation, by cvc5; z3 guesses the values of undetermined variables."""
    return check(lambda: derivation_obligations(system, derivation, deadline), discharge, checker(), deadline)


def discharge(obligations: Sequence[Obligation], deadline: float) -> list[Finding]:
    """cvc5's finding for each obligation, in order. Stops at the first that fails: the others are then unknown.

    Ground obligations go in batches. What a first round over all, with a fair share of the time each, leaves open is
    asked again with all the time that is left.
    """
    findings = [Finding("unknown", "not reached in time")] * len(obligations)
    with Cvc5(deadline) as solver:
        waiting = list(_batches(obligations))
        for is_last in (False, True):
            again = []
            for position, batch in enumerate(waiting):
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    return findings
                share = remaining if is_last else max(0.2, 2 * remaining / (len(waiting) - position))
                finding = _ask(solver, [obligations[index] for index in batch], min(share, remaining))
                for index in batch:
                    findings[index] = finding
                if finding.status == "fails":
                    return findings
                if finding.status == "unknown":
                    again.extend([[index] for index in batch] if len(batch) > 1 else [batch])
            waiting = again
    return findings


def _batches(obligations: Sequence[Obligation]) -> Iterator[list[int]]:
    """The indices of the obligations, in order; consecutive ground ones together."""
    batch: list[int] = []
    for index, obligation in enumerate(obligations):
        if batch and (not obligation.ground or len(batch) == _BATCH):
            yield batch
            batch = []
        batch.append(index)
        if not obligation.ground:
            yield batch
            batch = []
    if batch:
        yield batch


def _ask(solver: "Cvc5", batch: Sequence[Obligation], seconds: float) -> Finding:
    # exists variables. body & constraint & ~head;  of ground obligations: ~(instance_1 & ... & instance_n)
    try:
        negated = [obligation.negated() for obligation in batch]
        text = script(negated[0] if len(negated) == 1 else z3.Or(negated), batch[0].variables)
    except (z3.Z3Exception, ValueError) as error:
        return Finding("unknown", str(error))
    answer, reason = solver.check(text, seconds)
    if answer == "unsat":
        return HOLDS
    if answer == "sat":
        names = "it does" if len(batch) == 1 else f"this step or one of the {len(batch) - 1} after it does"
        return Finding("fails", f"{names} not hold")
    return Finding("unknown", reason)


def script(formula: z3.BoolRef, variables: Sequence[z3.ExprRef]) -> str:
    """A script that checks the formula, with names that no printer can confuse. variables: its free ones."""
    _, renamed = rename_apart(formula, variables, [f"v_{i}" for i in range(len(variables))], benchmark(formula))
    return "(set-logic ALL)\n" + benchmark(renamed)


class Cvc5:
    """A process of cvc5 that answers scripts until the deadline, and is started again where it died."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self._process: subprocess.Popen[bytes] | None = None
        self._received = b""

    def __enter__(self) -> "Cvc5":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stop()

    def check(self, text: str, seconds: float) -> tuple[str, str]:
        """ "sat", "unsat" or "unknown", with cvc5's reason for the last; at most `seconds` and a moment."""
        end = min(self._deadline, time.monotonic() + seconds)
        try:
            if self._process is None:
                self._start(end)
            request = {"script": text, "milliseconds": max(1, int((end - time.monotonic()) * 1000))}
            self._send(json.dumps(request).encode() + b"\n", end + _GRACE)
            reply = self._receive(end + _GRACE)
            return str(reply["answer"]), str(reply["reason"])
        except (OSError, EOFError, TimeoutError, ValueError, KeyError) as error:
            self._stop()
            return "unknown", "timeout" if isinstance(error, TimeoutError) else f"cvc5 gave no answer ({error})"

    def _start(self, end: float) -> None:
        command = [sys.executable, "-m", "chcverify.certificate.cvc5_worker"]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, bufsize=0)
        self._received = b""
        os.set_blocking(self._stream("stdin"), False)
        self._receive(max(end, time.monotonic() + 1) + _GRACE)

    def _stream(self, name: str) -> int:
        return int(getattr(self._process, name).fileno())

    def _send(self, data: bytes, end: float) -> None:
        view = memoryview(data)
        while view:
            if not select.select([], [self._stream("stdin")], [], max(0.0, end - time.monotonic()))[1]:
                raise TimeoutError
            view = view[os.write(self._stream("stdin"), view[:65536]) :]

    def _receive(self, end: float) -> dict[str, str]:
        while b"\n" not in self._received:
            if not select.select([self._stream("stdout")], [], [], max(0.0, end - time.monotonic()))[0]:
                raise TimeoutError
            data = os.read(self._stream("stdout"), 65536)
            if not data:
                raise EOFError("it ended")
            self._received += data
        line, _, self._received = self._received.partition(b"\n")
        reply: dict[str, str] = json.loads(line)
        return reply

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
