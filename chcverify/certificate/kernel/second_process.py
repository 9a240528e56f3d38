"""Independent questions answered by two processes: this one and a fork of it, which take them from one queue.

The fork has the same obligations in its memory and asks the same solver; only its findings come back, each with the
number of its question. It ends with this process, and is ended with the answers: nothing is left behind. Where it dies,
what it had taken stays unanswered.
"""

import contextlib
import json
import os
import select
import signal
import time
from collections.abc import Callable, Iterator, Sequence

from chcverify.certificate.kernel.obligation import CheckFinding
from chcverify.effort import GRACE_S, MAX_BUILT
from chcverify.process_lifetime import end_with_parent

_TICKET = 4
_MOST_BYTES = 1_000
"""Bytes of a reason. Chosen by hand: a pipe takes lines of less than 4,096 bytes at once."""

Ask = Callable[[int], CheckFinding]


def answers(questions: Sequence[int], ask: Ask, deadline: float) -> Iterator[tuple[int, CheckFinding]]:
    """The numbers of the questions with their findings, as they come, until the deadline (time.monotonic()).

    For a process without other threads inside a solver. Close the iterator to end the fork before all are answered.
    """
    queue, fill = os.pipe()
    for ticket in questions[:MAX_BUILT]:  # a pipe holds 64 kB
        os.write(fill, ticket.to_bytes(_TICKET, "big"))
    os.close(fill)
    results, report = os.pipe()
    parent = os.getpid()
    pid = _forked()
    if pid == 0:
        _answer_in_fork(queue, report, ask, deadline, parent)
    os.close(report)
    try:
        reader = _Reader(results)
        while time.monotonic() < deadline and (question := _taken(queue)) is not None:
            yield question, ask(question)
            yield from reader.lines(0.0)
        while not reader.ended and (left := deadline + GRACE_S - time.monotonic()) > 0:
            yield from reader.lines(left)
    finally:
        if pid is not None:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        os.close(queue)
        os.close(results)


def _forked() -> int | None:
    """As os.fork; None where no more processes are allowed: this one then answers alone."""
    try:
        return os.fork()
    except OSError:
        return None


def _taken(queue: int) -> int | None:
    """The next question; None if there are no more. A ticket is read as a whole by one of the processes."""
    ticket = os.read(queue, _TICKET)
    return int.from_bytes(ticket, "big") if len(ticket) == _TICKET else None


def _answer_in_fork(queue: int, report: int, ask: Ask, deadline: float, parent: int) -> None:
    """The fork's whole life; never returns."""
    try:
        end_with_parent()
        while os.getppid() == parent and time.monotonic() < deadline and (question := _taken(queue)) is not None:
            finding = ask(question)
            reason = finding.reason.encode("ascii", "replace")[:_MOST_BYTES].decode()
            os.write(report, json.dumps([question, finding.status, reason]).encode() + b"\n")
    finally:
        os._exit(0)


class _Reader:
    """What the fork reports. ended: it has closed its end."""

    def __init__(self, results: int) -> None:
        self.ended = False
        self._results = results
        self._received = b""

    def lines(self, seconds: float) -> Iterator[tuple[int, CheckFinding]]:
        """The findings that have come, or come within this time."""
        while not self.ended and select.select([self._results], [], [], seconds)[0]:
            data = os.read(self._results, 65536)
            self.ended = not data
            *lines, self._received = (self._received + data).split(b"\n")
            for line in lines:
                question, status, reason = json.loads(line)
                yield int(question), CheckFinding(status, str(reason))
            seconds = 0.0
