"""Runs what needs a solver in one limited child process, so that the answer comes in time whatever the solver does.

This side imports no solver. A crash, the memory limit and the time limit all end as `unknown` with their reason.
"""

import gc
import math
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from chcverify.effort import GRACE_S, MAX_VISITED
from chcverify.errors import InputError
from chcverify.explain import live_view
from chcverify.options import Limits, Options
from chcverify.portfolio.processes import (
    Channel,
    Failure,
    Message,
    Worker,
    cause_of,
    describe,
    limit_memory,
    mapped,
    wait,
)
from chcverify.properties.property import CHECKS_DECIDER
from chcverify.properties.registry import decider_of, is_about_values
from chcverify.results.events import Decided, EngineEvent, Listener, PhaseStarted, Stage
from chcverify.results.outcome import Outcome
from chcverify.results.reasons import Cause
from chcverify.task import Task

if TYPE_CHECKING:
    from chcverify.certificate.kernel.checkers.cvc5_fork import ForkedCvc5
    from chcverify.certificate.kernel.checkers.cvc5_process import WarmCvc5
    from encoders.c.parsed_sources import ParsedSources

T = TypeVar("T")
LIVE_VIEW_DELAY_S = 1.0
"""Seconds before the live view appears. Chosen by hand."""
_PHASE_TEXTS: Mapping[str, str] = {
    Stage.START: "had started",
    Stage.CERTIFY: "its certificate was being checked",
    Stage.UNKNOWN: "",
    Stage.REFUSED: "refused: ",
}


class Stopped(Exception):
    """The child gave no answer: why, the phase that it was in, what each engine was at, and what it had decided."""

    def __init__(
        self, reason: str, cause: Cause, phase: str, engines: Mapping[str, str], decided: Outcome | None = None
    ) -> None:
        super().__init__(f"{reason} during {phase}" if phase else reason)
        self.cause = cause
        self.phase = phase
        self.engines = engines
        self.decided = decided

    @property
    def interrupted(self) -> bool:
        """True if it was stopped by Ctrl-C."""
        return self.cause is Cause.INTERRUPTED


def in_child(
    function: Callable[[Listener], T],
    limits: Limits,
    started: float,
    listener: Listener | None = None,
    pressed: list[int] | None = None,
) -> T:
    """function(listener) in a child within the limits, which count from `started` (time.monotonic()).

    The child's events reach the listener given here; without one it is shown on terminals. pressed: as in `supervise`.
    Raises the child's InputError, or Stopped. No process is left behind.
    """
    with interrupts() as signals:
        worker = Worker(
            lambda channel: _work(function, channel), _seconds(limits, started), limits.memory, name="driver"
        )
        return _attend(worker, started, listener, signals if pressed is None else pressed)


def _work(function: Callable[[Listener], T], channel: Channel) -> T | InputError:
    """In the child."""
    try:
        return function(lambda event: channel.send(Message(event)))
    except InputError as error:
        return error


def _seconds(limits: Limits, started: float) -> float:
    return max(0.0, started + limits.timeout + 3 * GRACE_S - time.monotonic())


def _attend(worker: Worker[T | InputError], started: float, listener: Listener | None, pressed: list[int]) -> T:
    """The result of the child; raises as in_child."""
    try:
        _watch(worker, started, listener, pressed)
    except KeyboardInterrupt:
        worker.poll()  # for its last message
        worker.kill("interrupted")
        raise Stopped("interrupted", Cause.INTERRUPTED, _phase(worker), _engines(worker), _decided(worker)) from None
    finally:
        ended = worker.kill()
    if not ended.ok:
        raise Stopped(ended.reason, ended.cause, _phase(worker), _engines(worker), _decided(worker))
    if isinstance(ended.value, InputError):
        raise ended.value
    return ended.value  # type: ignore[return-value]  # None is a value of T, too


Early = Worker[Outcome | InputError]


def early() -> Early:
    """A child for one run that still gets its task: it loads modules while its parent reads arguments."""

    def child(channel: Channel) -> Outcome | InputError:
        base = mapped()
        fork = _fork()
        gc.disable()  # nothing of what is loaded is garbage: looking for it takes a tenth of the time
        with suppress(ImportError):  # the run says so in a better place
            import_module("chcverify.run.driver")
        gc.freeze()
        # With Python's own 700 objects, looking for cycles took 4 % of the time of programs with one loop.
        gc.set_threshold(MAX_VISITED, *gc.get_threshold()[1:])
        gc.enable()
        while not (jobs := channel.receive()):
            if channel.closed:
                raise Failure("stopped")
            select.select([channel], [], [])
        task, options, started = jobs[0]
        limit_memory(options.limits.memory, base)
        spare = None if fork is None else _wanted(fork, task, options)
        try:
            return _work(lambda outcome_with: _decide(task, options, started, outcome_with, spare), channel)
        except BaseException as error:
            raise Failure(describe(error, options.limits.memory), cause_of(error, options.limits.memory)) from error

    return Worker(child, math.inf, name="driver")


def _fork() -> "ForkedCvc5 | None":
    """A process that can load cvc5 later; None where a solver is loaded already."""
    from chcverify.certificate.kernel.checkers.cvc5_fork import ForkedCvc5

    with suppress(OSError, RuntimeError):  # it is only a convenience
        return ForkedCvc5()
    return None


def _wanted(fork: "ForkedCvc5", task: Task, options: Options) -> "WarmCvc5 | None":
    """The fork as the process of cvc5 for a run with one verdict; other runs start theirs, if any, themselves."""
    from chcverify.certificate.kernel.checkers.cvc5_process import WarmCvc5

    with suppress(OSError):
        if options.check.second != "off" and not options.check.cross_check and not task.all_checks:
            return WarmCvc5(fork)
    fork.stop()
    return None


def supervise(
    task: Task,
    options: Options,
    started: float,
    listener: Listener | None = None,
    child: Early | None = None,
    parsed: "ParsedSources | None" = None,
    pressed: list[int] | None = None,
) -> Outcome:
    """The outcome of the run, `unknown` where it was stopped, by limits, crashes or Ctrl-C; InputError as above.

    child: one that was started early, if there is one. parsed: the files of the task, if they were read before; for
    runs without such a child. pressed: gets a number when the run is to stop; for runs in other threads than the main
    one, to which no signals come.
    """
    try:
        if child is None:
            return in_child(
                lambda outcome_with: _decide(task, options, started, outcome_with, parsed=parsed),
                options.limits,
                started,
                listener,
                pressed,
            )
        with interrupts() as signals:
            child.limit(_seconds(options.limits, started), options.limits.memory)
            child.send((task, options, started))
            return _attend(child, started, listener, signals)
    except Stopped as stop:
        statistics = {"phase": stop.phase, "interrupted": stop.interrupted}
        if stop.decided is not None:
            seconds = time.monotonic() - started
            statistics = {**stop.decided.statistics, **statistics}
            return replace(stop.decided, statistics=statistics, seconds=seconds, cause=stop.cause)
        known: dict[str, Any] = {
            "cause": stop.cause,
            "is_read": stop.phase != "encode",
            "reasons": stop.engines,
            "seconds": time.monotonic() - started,
            "expected": task.expected,
        }
        return Outcome("unknown", "unknown", str(stop), statistics=statistics, **known)


def _decide(
    task: Task,
    options: Options,
    started: float,
    outcome_with: Listener,
    spare: "WarmCvc5 | None" = None,
    parsed: "ParsedSources | None" = None,
) -> Outcome:
    decider = decider_of(task.property)
    if decider != CHECKS_DECIDER:
        decided: Outcome = import_module(decider).run(task, options, started, outcome_with)
        return decided
    if options.check.cross_check and task.language != "boogie":
        from chcverify.run import cross_check as crosscheck

        return crosscheck.run(task, options, started, outcome_with)
    if task.language == "boogie":
        from chcverify.run.procedures import procedures_run

        return procedures_run.run(task, options, started, outcome_with)
    from chcverify.run.concurrency import threaded_run

    if not task.all_checks and threaded_run.may_create_threads(task):
        return threaded_run.run(task, options, started, outcome_with)
    if task.all_checks:
        from chcverify.run import all_checks

        return all_checks.run(task, options, started, outcome_with, parsed)
    if is_about_values(task.property):
        from chcverify.run import value_run

        return value_run.run(task, options, started, outcome_with, parsed, spare)
    from chcverify.problems.c_problem import load
    from chcverify.run.driver import run

    return run(task, options, started, outcome_with, load=lambda task: load(task, parsed), spare=spare)


@contextmanager
def interrupts() -> Iterator[list[int]]:
    """The signals of Ctrl-C so far; an exception instead could get lost, in a destructor for example.

    Other threads than the main one get none.
    """
    pressed: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield pressed
        return
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)


def _watch(worker: Worker[T], started: float, listener: Listener | None, pressed: list[int]) -> None:
    """Until the worker has ended. The view starts after the fork, and only for runs that take a while.

    KeyboardInterrupt once an interrupt was `pressed`.
    """
    delivered = 0
    view = None
    viewed = listener is None and live_view.wanted()
    with ExitStack() as stack:
        while worker.outcome is None:
            wait([worker], live_view.REFRESH_SECONDS)
            if pressed:
                raise KeyboardInterrupt
            if viewed and view is None and time.monotonic() - started > LIVE_VIEW_DELAY_S:
                view = stack.enter_context(live_view.LiveView(started))
            on_event = listener or (view.on_event if view else None)
            if on_event is not None:
                for event in worker.messages[delivered:]:
                    if not isinstance(event, Decided):  # no new phase: it is kept for a run that is stopped
                        on_event(event)
                delivered = len(worker.messages)
            if view is not None:
                view.refresh()


def _phase(worker: Worker[T]) -> str:
    phases = [event.phase for event in worker.messages if isinstance(event, PhaseStarted)]
    return phases[-1] if phases else ""


def _decided(worker: Worker[T]) -> Outcome | None:
    """What had been decided when the child was stopped: the verdict, or that of some checks."""
    decided = [event.outcome for event in worker.messages if isinstance(event, Decided)]
    return decided[-1] if decided else None


def _engines(worker: Worker[T]) -> dict[str, str]:
    """The last event of each engine, for people."""
    last = {event.engine: event for event in worker.messages if isinstance(event, EngineEvent)}
    found = {}
    for engine, event in last.items():
        shown = ", ".join(f"{name} {value}" for name, value in event.figures.items() if name != "reason")
        known = _PHASE_TEXTS.get(event.phase, event.phase) + str(event.figures.get("reason", ""))
        found[engine] = f"{known} ({shown})" if shown else known
    return found
