"""Functions in processes of their own: limited in time and memory, killed hard, never left behind.

Imports nothing heavy: the command's supervisor starts from here. A child
- leads a process group, so that a terminal's Ctrl-C reaches only the parent, which decides;
- dies with its parent (PR_SET_PDEATHSIG), and adopts what its own children leave behind (PR_SET_CHILD_SUBREAPER), so
  that the tree below it is complete whenever it is killed;
- has a limit on its address space, standard input and output on /dev/null, and one socket to the parent.

Fork only where no other thread is inside a solver: a lock that such a thread holds stays locked in the child.
"""

import contextlib
import faulthandler
import gc
import os
import pickle
import resource
import select
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from chcverify.options import MEGABYTE
from chcverify.process_lifetime import adopt_orphans, end_with_parent
from chcverify.quick_dataclass import dataclass
from chcverify.results.reasons import Cause

T = TypeVar("T")

_HEADER = struct.Struct("!Q")
_forking = threading.Lock()  # a child that another thread forks must not keep this one's end of the socket open


@dataclass(frozen=True)
class ProcessOutcome(Generic[T]):
    """The end of a child. reason is "" if and only if the function returned; only then value counts, else cause."""

    value: T | None
    reason: str
    seconds: float
    cause: Cause = Cause.GAVE_UP

    @property
    def ok(self) -> bool:
        return not self.reason


class Failure(Exception):
    """Ends a child's function with this reason."""

    def __init__(self, reason: str, cause: Cause = Cause.GAVE_UP) -> None:
        super().__init__(reason)
        self.cause = cause


@dataclass(frozen=True)
class Message:
    """From a child while it runs."""

    content: Any


@dataclass(frozen=True)
class _Returned:
    """The last message of a child whose function returned."""

    value: Any


@dataclass(frozen=True)
class _Failed:
    """The last message of a child whose function did not return; None in its stead: it could not send any."""

    reason: str
    cause: Cause


class Channel:
    """One end of a socket that carries pickled messages. Reading never blocks; writing waits at most `patience` s."""

    def __init__(self, end: socket.socket, patience: float) -> None:
        end.setblocking(False)
        self._socket = end
        self._received = bytearray()
        self._pending = bytearray()
        self._patience = patience
        self.closed = False

    def fileno(self) -> int:
        return self._socket.fileno()

    def send(self, message: Any) -> None:
        """Queues the message and writes what the other end takes within `patience` seconds; the rest goes later."""
        payload = pickle.dumps(message)
        self._pending += _HEADER.pack(len(payload)) + payload
        self.flush(self._patience)

    def flush(self, seconds: float) -> bool:
        """Writes what is pending; True when nothing is left."""
        end = time.monotonic() + seconds
        while self._pending and not self.closed:
            try:
                del self._pending[: self._socket.send(self._pending)]
            except BlockingIOError:
                left = end - time.monotonic()
                if left <= 0:
                    return False
                select.select([], [self], [], left)
            except OSError:  # the other end has ended; what it sent before is still to be read
                self._pending.clear()
        return not self._pending

    @property
    def backlog(self) -> int:
        """Bytes that the other end has not taken yet."""
        return len(self._pending)

    def receive(self) -> list[Any]:
        """All complete messages that have arrived; sets `closed` at the end of the stream."""
        while not self.closed:
            try:
                chunk = self._socket.recv(1 << 16)
            except BlockingIOError:
                break
            except OSError:
                chunk = b""
            if not chunk:
                self.closed = True
            self._received += chunk
        messages, start = [], 0
        while len(self._received) >= start + _HEADER.size:
            (length,) = _HEADER.unpack_from(self._received, start)
            end = start + _HEADER.size + length
            if len(self._received) < end:
                break
            messages.append(pickle.loads(bytes(self._received[start + _HEADER.size : end])))
            start = end
        del self._received[:start]
        return messages

    def close(self) -> None:
        self.closed = True
        self._socket.close()


class Worker(Generic[T]):
    """A function that runs in a forked child: `function(channel)`, where the channel speaks to `messages` here.

    seconds: wall-clock time after which `poll` kills it. memory_mb: limit of the address space beyond what is mapped
    at the start, in megabytes, None for no limit. name: for messages about it.
    """

    def __init__(
        self,
        function: Callable[[Channel], T],
        seconds: float,
        memory_mb: int | None = None,
        name: str = "worker",
    ) -> None:
        self.name = name
        self.started = time.monotonic()
        self.deadline = self.started + seconds
        self.messages: list[Any] = []
        self.outcome: ProcessOutcome[T] | None = None
        self._memory_mb = memory_mb
        sys.stdout.flush()
        sys.stderr.flush()
        with _forking:
            ours, theirs = socket.socketpair()
            parent = os.getpid()
            self.pid = os.fork()
            if self.pid == 0:
                _forking.release()
                ours.close()
                _child(function, Channel(theirs, patience=3600.0), parent, memory_mb)
            theirs.close()
        self.channel = Channel(ours, patience=0.0)

    def limit(self, seconds: float, memory_mb: int | None) -> None:
        """New limits, from now; the one of memory is for the child to keep (`limit_memory`)."""
        self.deadline = time.monotonic() + seconds
        self._memory_mb = memory_mb

    def fileno(self) -> int:
        return self.channel.fileno()

    def send(self, message: Any) -> None:
        """To the child, without waiting for it."""
        self.channel.send(message)

    def poll(self) -> ProcessOutcome[T] | None:
        """Takes in what the child sent; its outcome once it has ended or its time is over, None while it runs."""
        if self.outcome is not None:
            return self.outcome
        self.channel.flush(0.0)
        final = None
        for message in self.channel.receive():
            if isinstance(message, Message):
                self.messages.append(message.content)
            else:
                final = message
        if final is not None or self.channel.closed:
            self._finish(final)
        elif time.monotonic() >= self.deadline:
            self._finish(_Failed("time limit", Cause.TIME))
        return self.outcome

    def suspend(self) -> None:
        """Lets the child and everything below it wait until `resume`. Its deadlines pass all the same."""
        self._signal_all(signal.SIGSTOP)

    def resume(self) -> None:
        """Lets it go on."""
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, number: int) -> None:
        if self.outcome is None:
            for process in (self.pid, *_descendants(self.pid)):
                _signal(process, number)

    def kill(self, reason: str = "stopped") -> ProcessOutcome[T]:
        """Ends the child and everything below it now."""
        if self.outcome is None:
            self._finish(_Failed(reason, Cause.GAVE_UP))
        assert self.outcome is not None
        return self.outcome

    def _finish(self, final: _Returned | _Failed | None) -> None:
        status = _end(self.pid, wait=final is None)
        self.channel.close()
        seconds = time.monotonic() - self.started
        if isinstance(final, _Returned):
            self.outcome = ProcessOutcome(final.value, "", seconds)
        else:
            ended = final or _death(status, self._memory_mb)
            self.outcome = ProcessOutcome(None, ended.reason, seconds, ended.cause)


def wait(workers: Iterable[Worker[Any]], seconds: float) -> list[Worker[Any]]:
    """Returns the workers that have ended, after a message, an end, a deadline, or at most `seconds`."""
    running = list(workers)
    now = time.monotonic()
    limit = min([now + seconds, *(worker.deadline for worker in running)])
    if all(worker.outcome is None for worker in running):
        poller = select.poll()
        for worker in running:
            poller.register(worker, select.POLLIN)
        poller.poll(max(0, int((limit - now) * 1000) + 1))
    return [worker for worker in running if worker.poll() is not None]


def run_limited(function: Callable[[], T], seconds: float, memory_mb: int | None = None) -> ProcessOutcome[T]:
    """function() in a child. Its result must be picklable; whatever happens to it, the parent gets an Outcome.

    An interrupt (Ctrl-C) of the parent kills the child and is raised again.
    """
    worker = Worker(lambda channel: function(), seconds, memory_mb)
    try:
        while worker.outcome is None:
            wait([worker], 60.0)
    finally:
        outcome = worker.kill()
    return outcome


def items_limited(function: Callable[[], Iterable[T]], seconds: float, memory_mb: int | None = None) -> Iterator[T]:
    """The items of function(), iterated in a child, as they come: as many as it makes before it ends, fails or is
    killed, which it is when the iteration here ends.

    They must be picklable. Interrupts as of `run_limited`.
    """

    def send_all(channel: Channel) -> None:
        for item in function():
            channel.send(Message(item))

    worker = Worker(send_all, seconds, memory_mb)
    delivered = 0
    try:
        while worker.outcome is None:
            wait([worker], 60.0)
            while delivered < len(worker.messages):
                yield worker.messages[delivered]
                delivered += 1
    finally:
        worker.kill()


def _child(function: Callable[[Channel], T], channel: Channel, parent: int, memory_mb: int | None) -> None:
    """The child's whole life; never returns."""
    status = 1
    try:
        _set_up(parent, memory_mb)
        try:
            channel.send(_Returned(function(channel)))
        except Failure as failure:
            channel.send(_Failed(str(failure), failure.cause))
        except BaseException as error:
            channel.send(_Failed(describe(error, memory_mb), cause_of(error, memory_mb)))
        status = 0
    finally:
        os._exit(status)


def _set_up(parent: int, memory_mb: int | None) -> None:
    faulthandler.disable()
    gc.freeze()  # looking for cycles would write to every object that the parent made, and so copy its page
    os.setpgid(0, 0)
    end_with_parent()
    adopt_orphans()
    if os.getppid() != parent:
        os._exit(1)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)
    limit_memory(memory_mb, mapped())


def limit_memory(memory_mb: int | None, base: int) -> None:
    """Limits this process's address space to so many megabytes beyond `base` bytes; None: not."""
    if memory_mb is not None:
        limit = base + memory_mb * MEGABYTE
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        if hard != resource.RLIM_INFINITY:
            limit = min(limit, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def mapped() -> int:
    """The size of this process's address space in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def _memory_reason(memory_mb: int | None) -> str:
    return "out of memory" if memory_mb is None else f"memory limit of {memory_mb} MB"


def cause_of(error: BaseException, memory_mb: int | None) -> Cause:
    """The kind of a child's reason. memory_mb: the limit that it ran under.

    Solvers report that there is no memory left by the words of their exceptions only.
    """
    if isinstance(error, MemoryError):
        return Cause.MEMORY
    if isinstance(error, KeyboardInterrupt):
        return Cause.INTERRUPTED
    message = _first_line(error)
    no_stack = memory_mb is not None and "can't start new thread" in message  # it has no address space
    return Cause.MEMORY if "out of memory" in message or "bad_alloc" in message or no_stack else Cause.CRASH


def _first_line(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return text[0] if text else ""


def describe(error: BaseException, memory_mb: int | None) -> str:
    """The error as a child's reason. memory_mb: the limit that it ran under."""
    cause = cause_of(error, memory_mb)
    if cause is Cause.MEMORY:
        return _memory_reason(memory_mb)
    if cause is Cause.INTERRUPTED:
        return "interrupted"
    message = _first_line(error)
    kind = type(error).__name__
    if isinstance(error, ArithmeticError | AssertionError | AttributeError | LookupError | NameError | TypeError):
        kind = f"internal error: {kind}"
    return f"{kind}: {message}" if message else kind


def _death(status: int, memory_mb: int | None) -> _Failed:
    """The reason why a child ended without a message; C++ code without memory aborts or hits an unmapped page."""
    if not os.WIFSIGNALED(status):
        return _Failed(f"ended with status {os.waitstatus_to_exitcode(status)}", Cause.CRASH)
    number = os.WTERMSIG(status)
    memory = memory_mb is not None and number in (signal.SIGABRT, signal.SIGSEGV)
    hint = " (perhaps the memory limit)" if memory else ""
    return _Failed(f"killed by {signal.Signals(number).name}{hint}", Cause.MEMORY if memory else Cause.CRASH)


def _end(pid: int, wait: bool) -> int:
    """Kills the child and all its descendants and reaps the child; its wait status.

    wait: the child has closed its socket, so it is about to end by itself: let it, within a second, for its status.
    """
    status = _reap(pid, 1.0) if wait else None
    if status is None:
        _signal(pid, signal.SIGSTOP)  # no new descendants from here on
    for descendant in reversed(_descendants(pid)):
        _signal(descendant, signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
    if status is None:
        _signal(pid, signal.SIGKILL)
        status = os.waitpid(pid, 0)[1]
    return status


def _reap(pid: int, seconds: float) -> int | None:
    end = time.monotonic() + seconds
    while True:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return status
        if time.monotonic() > end:
            return None
        time.sleep(0.002)


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, number)


def _descendants(pid: int) -> list[int]:
    """All processes below pid, parents before children."""
    found, frontier = [], [pid]
    while frontier:
        current = frontier.pop()
        try:
            threads = os.listdir(f"/proc/{current}/task")
        except OSError:
            continue
        for thread in threads:
            try:
                with open(f"/proc/{current}/task/{thread}/children") as file:
                    children = [int(word) for word in file.read().split()]
            except OSError:
                continue
            found += children
            frontier += children
    return found
