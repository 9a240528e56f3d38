"""Runs what needs a solver in one limited child process, so that the answer comes in time whatever the solver does.

This side imports no solver. A crash, the memory limit and the time limit all end as `unknown` with their reason.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import TypeVar

from chcverify.errors import InputError
from chcverify.explain import live
from chcverify.options import Limits, Options
from chcverify.outcome import Outcome
from chcverify.phases import Listener
from chcverify.portfolio.process import Channel, Worker, wait
from chcverify.task import Task

T = TypeVar("T")
PATIENCE = 1.0  # seconds before the live view appears
GRACE = 0.7  # seconds after the limit in which the child may still say why it stopped


class Stopped(Exception):
    """The child gave no answer: why, and the phase that it was in. interrupted: by Ctrl-C."""

    def __init__(self, reason: str, phase: str, interrupted: bool = False) -> None:
        super().__init__(f"{reason} during {phase}" if phase else reason)
        self.phase = phase
        self.interrupted = interrupted


def in_child(function: Callable[[Listener], T], limits: Limits, started: float) -> T:
    """function(listener) in a child within the limits, which count from `started` (time.monotonic()).

    What the child tells the listener is shown on terminals. Raises the child's InputError, or Stopped. No process is
    left behind.
    """

    def child(channel: Channel) -> T | InputError:
        try:
            return function(lambda message: channel.send(("message", message)))
        except InputError as error:
            return error

    seconds = max(0.0, started + limits.timeout + GRACE - time.monotonic())
    worker = Worker(child, seconds, limits.memory, name="driver")
    try:
        _watch(worker, started)
    except KeyboardInterrupt:
        worker.poll()  # for its last message
        worker.kill("interrupted")
        raise Stopped("interrupted", _phase(worker), interrupted=True) from None
    finally:
        ended = worker.kill()
    if not ended.ok:
        raise Stopped(ended.reason, _phase(worker))
    if isinstance(ended.value, InputError):
        raise ended.value
    return ended.value  # type: ignore[return-value]  # None is a value of T, too


def supervise(task: Task, options: Options, started: float) -> Outcome:
    """The outcome of the run, `unknown` where it was stopped, by limits, crashes or Ctrl-C; InputError as above."""

    def decide(listener: Listener) -> Outcome:
        from chcverify.driver import run

        return run(task, options, started, listener)

    try:
        return in_child(decide, options.limits, started)
    except Stopped as stop:
        statistics = {"phase": stop.phase, "interrupted": stop.interrupted}
        seconds = time.monotonic() - started
        return Outcome("unknown", "unknown", str(stop), seconds=seconds, expected=task.expected, statistics=statistics)


def _watch(worker: Worker[T], started: float) -> None:
    """Until the worker has ended. The view starts after the fork, and only for runs that take a while."""
    shown = 0
    with ExitStack() as stack:
        view = None
        while worker.outcome is None:
            wait([worker], live.REFRESH if live.wanted() else 60.0)
            if view is None and live.wanted() and time.monotonic() - started > PATIENCE:
                view = stack.enter_context(live.LiveView(started))
            if view is not None:
                for message in worker.messages[shown:]:
                    view.hear(message)
                shown = len(worker.messages)
                view.refresh()


def _phase(worker: Worker[T]) -> str:
    phases = [message for message in worker.messages if isinstance(message, str)]
    return phases[-1] if phases else ""
