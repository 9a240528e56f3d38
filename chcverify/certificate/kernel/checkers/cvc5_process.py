"""Processes of cvc5 that answer scripts, and one that is started before it is needed. Imports no solver."""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from chcverify.certificate.kernel.checkers.cvc5_fork import ForkedCvc5
from chcverify.effort import GRACE_S

_NEW, _USED = b"1", b"2"  # the byte in the pipe of a spare process: before and after its first use
# Without `site`, whose work takes as long as the rest of Python's start; the worker gets this process's path instead.
_COMMAND = (
    sys.executable,
    "-P",
    "-S",
    "-c",
    "from chcverify.certificate.kernel.checkers.cvc5_worker import main; main()",
)
_PROJECT = Path(__file__).parents[4]

Process = subprocess.Popen[bytes] | ForkedCvc5


def worker_environment() -> dict[str, str]:
    """The environment in which a worker loads its modules from where this process does.

    With the option -P of Python it then loads none from the current directory: a file called cvc5 beside a program that
    is verified must not answer for cvc5.
    """
    path = os.pathsep.join([*filter(None, sys.path), str(_PROJECT)])
    return {**os.environ, "PYTHONPATH": path}


def _start(fork: ForkedCvc5 | None = None) -> Process:
    """A process that loads cvc5: the fork that waits for that, or a new interpreter."""
    process: Process
    if fork is not None:
        fork.start()
        process = fork
    else:
        pipe, env = subprocess.PIPE, worker_environment()
        process = subprocess.Popen(_COMMAND, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, bufsize=0, env=env)
    os.set_blocking(process.stdin.fileno(), False)  # type: ignore[union-attr]
    return process


def _end(process: Process) -> None:
    """Kills it, whoever's child it is: Popen.kill does nothing in a process that did not start it."""
    if process.returncode is None:
        with contextlib.suppress(OSError):
            os.kill(process.pid, signal.SIGKILL)
    process.communicate()


@dataclass(frozen=True)
class Claimed:
    """A process of cvc5 that is claimed. greets: it has not named itself yet."""

    process: Process
    greets: bool


class WarmCvc5:
    """A process of cvc5 for one at a time who claims it, in this process or in one that is forked from it.

    cvc5 takes longer to load than most certificates take to check. Whoever starts it stops it; dead or not, nobody
    else gets its number until then. Who claimed it and has all its answers may give it back; from others it is lost.
    """

    def __init__(self, fork: ForkedCvc5 | None = None) -> None:
        """fork: that waits to load cvc5, to be used up; None for a new interpreter. OSError if it does not start."""
        self._process = _start(fork)
        self._token, self._give = os.pipe()  # its one byte is the right to the process
        os.set_blocking(self._token, False)
        os.write(self._give, _NEW)

    def claim(self) -> Claimed | None:
        """The process; None while somebody else has it."""
        try:
            token = os.read(self._token, 1)
        except BlockingIOError:
            return None
        return Claimed(self._process, token == _NEW)

    def give_back(self) -> None:
        """For the one who claimed it, if no answer is outstanding."""
        os.write(self._give, _USED)

    def stop(self) -> None:
        """Ends the process."""
        os.close(self._token)
        os.close(self._give)
        _end(self._process)


class Cvc5:
    """A process of cvc5, the spare one if it can be had, that answers scripts until the deadline (time.monotonic()),
    and is started again where it died."""

    def __init__(self, deadline: float, spare: WarmCvc5 | None = None) -> None:
        self._deadline = deadline
        self._process: Process | None = None
        self._spare = spare
        self._is_lent = False
        self._received = b""

    def __enter__(self) -> "Cvc5":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is None and self._is_lent and self._spare is not None and not self._received:
            self._spare.give_back()  # after an answer that did not come it would have been stopped
            self._process, self._is_lent = None, False
        self._stop()

    def check(self, text: str, seconds: float) -> tuple[str, str]:
        """ "sat", "unsat", "unknown" or "refused" (what cvc5 does not support), with cvc5's reason for the last two; at
        most `seconds` and a moment."""
        end = min(self._deadline, time.monotonic() + seconds)
        try:
            if self._process is None:
                self._begin(end)
            request = {"script": text, "milliseconds": max(1, int((end - time.monotonic()) * 1000))}
            self._send(json.dumps(request).encode() + b"\n", end + GRACE_S)
            reply = self._receive(end + GRACE_S)
            return str(reply["answer"]), str(reply["reason"])
        except (OSError, EOFError, TimeoutError, ValueError, KeyError) as error:
            self._stop()
            return "unknown", "timeout" if isinstance(error, TimeoutError) else f"cvc5 gave no answer ({error})"

    def _begin(self, end: float) -> None:
        claimed = self._spare.claim() if self._spare else None
        self._is_lent = claimed is not None
        self._process, self._received = claimed.process if claimed else _start(), b""
        if claimed is not None and not claimed.greets:
            return
        self._receive(max(end, time.monotonic() + 1) + GRACE_S)  # it says who it is

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
            _end(self._process)
            self._process, self._is_lent = None, False
