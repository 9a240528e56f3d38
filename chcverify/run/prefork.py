"""Processes that wait for requests on a local socket, with everything loaded; each answers one request.

A request is one line of JSON, {"arguments": [...], "directory": "..."}: those of the command, and where to run it. The
reply is one line, too: {"status": exit status, "output": standard output, "errors": standard error}. Who closes the
connection before the reply ends the run.
"""

import fcntl
import json
import math
import os
import signal
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from chcverify.errors import InputError
from chcverify.lazy_dataclass import complete_all, dataclass
from chcverify.portfolio.processes import Channel, Message, Worker, wait
from chcverify.run.preloaded import ENGINES, PRELOADED
from chcverify.run.supervisor import Early, early

_LONGEST_REQUEST = 1 << 20  # bytes
_IDLE_S = 60.0  # between looks at processes of which nothing comes
Reply = dict[str, Any]
Answer = Callable[[Sequence[str], Early], Reply]
"""The reply to arguments of the command, with the child that is to decide."""


@dataclass(frozen=True)
class Pool:
    """idle: processes that wait for a request. most: that answer at once, beyond which requests wait."""

    idle: int = 2
    most: int = 8


def listen(path: str) -> socket.socket:
    """A socket at the path that only its owner can use; InputError where there is a file or another server."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if Path(path).is_socket() and not _is_served(path):
            os.unlink(path)
        before = os.umask(0o177)
        try:
            listener.bind(path)
        finally:
            os.umask(before)
    except OSError as error:
        listener.close()
        raise InputError(path, 0, 0, f"cannot be used as a socket: {error.strerror or error}") from error
    listener.listen(64)
    return listener


def _is_served(path: str) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        return probe.connect_ex(path) == 0


def preload() -> None:
    """Loads what most runs need. No solver is used in this process, so that forking stays safe."""
    for module in (*PRELOADED, *ENGINES):
        with suppress(ImportError):
            import_module(module)
    complete_all()


def serve(listener: socket.socket, answer: Answer, pool: Pool) -> None:
    """Answers requests until it is interrupted."""
    workers: dict[Worker[None], bool] = {}  # whether it has its request
    try:
        while True:
            idle = sum(not busy for busy in workers.values())
            while idle < pool.idle and len(workers) < pool.most + pool.idle:
                workers[Worker(lambda channel: _handle(listener, answer, channel), math.inf, name="request")] = False
                idle += 1
            wait(workers, _IDLE_S)
            workers = {w: busy or bool(w.messages) for w, busy in workers.items() if w.outcome is None}
    finally:
        for worker in workers:
            worker.kill()


def _handle(listener: socket.socket, answer: Answer, channel: Channel) -> None:
    """In a process of its own: one request."""
    child = early(warm=True)
    connection, _ = listener.accept()
    channel.send(Message("busy"))
    with connection:
        reply = _reply(connection, answer, child)
        with suppress(OSError):
            connection.sendall(json.dumps(reply).encode() + b"\n")
    child.kill()


def _reply(connection: socket.socket, answer: Answer, child: Early) -> Reply:
    try:
        request = json.loads(_line(connection))
        arguments, directory = request["arguments"], request["directory"]
        if not all(isinstance(word, str) for word in (*arguments, directory)):
            raise TypeError("arguments and directory are texts")
        os.chdir(directory)
    except (ValueError, KeyError, TypeError, OSError) as error:
        return {"status": 2, "output": "", "errors": f"chcverify: no request: {error}\n"}
    _end_when_closed(connection)
    return answer(arguments, child)


def _line(connection: socket.socket) -> bytes:
    """The request; ValueError if it is too long or does not end."""
    received = b""
    while not received.endswith(b"\n"):
        data = connection.recv(1 << 16)
        received += data
        if not data or len(received) > _LONGEST_REQUEST:
            raise ValueError("it does not end with a line")
    return received


def _end_when_closed(connection: socket.socket) -> None:
    """Ends this process, and so its children, when the other end of the connection is closed."""

    def closed(number: int, frame: object) -> None:
        with suppress(BlockingIOError):
            if not connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT):
                os._exit(0)

    signal.signal(signal.SIGIO, closed)
    fcntl.fcntl(connection, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(connection, fcntl.F_GETFL)
    fcntl.fcntl(connection, fcntl.F_SETFL, flags | os.O_ASYNC)
    closed(signal.SIGIO, None)  # it may be already
