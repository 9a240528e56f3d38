"""Several entries: one run for each function where verification begins, and the verdict of all together."""

import gc
import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import field, replace
from importlib import import_module
from typing import TYPE_CHECKING

from chcverify.cache.undecided_functions import UndecidedFunctions
from chcverify.effort import WAIT_S
from chcverify.errors import InputError, NoSuchCheck
from chcverify.garbage import without_collections
from chcverify.options import Limits, Options
from chcverify.properties.property import CHECKS_DECIDER
from chcverify.properties.registry import decider_of
from chcverify.quick_dataclass import dataclass
from chcverify.results.events import Listener, PhaseStarted, ignore
from chcverify.results.outcome import Outcome
from chcverify.run.preloaded import ENGINES, PRELOADED
from chcverify.run.supervisor import in_child, interrupts, supervise
from chcverify.task import Task

if TYPE_CHECKING:
    from chcverify.results.entry_function import EntryFunction
    from encoders.c.parsed_sources import ParsedSources


@dataclass(frozen=True)
class EntryOutcome:
    """The outcome of the run that begins with one function."""

    entry: "EntryFunction"
    outcome: Outcome


@dataclass(frozen=True)
class FoundEntries:
    """The functions where runs are to begin."""

    functions: "tuple[EntryFunction, ...]"
    packed: bytes = field(default=b"", repr=False)
    """The parsed files of the task, for the process that starts the runs (ParsedSources.packed); empty: not kept."""


def entry_functions(task: Task, patterns: Sequence[str], limits: Limits, started: float) -> FoundEntries:
    """The functions of the task's program that fit the patterns, in the order of the patterns.

    Raises InputError for a pattern that fits none, and for what is no program; Stopped at the limits, which count from
    `started` (time.monotonic()). Where several functions may fit, each of which has the time limit for itself, there is
    enough time to read the files, whatever the limit.
    """
    if are_many(patterns):
        limits = replace(limits, timeout=max(limits.timeout, WAIT_S))
    return in_child(lambda listener: _entry_functions(task, tuple(patterns), listener), limits, started)


def are_many(patterns: Sequence[str]) -> bool:
    """True if these may be patterns of several functions."""
    return len(patterns) > 1 or any(character in pattern for pattern in patterns for character in "*?[")


def _entry_functions(task: Task, patterns: tuple[str, ...], listener: Listener) -> FoundEntries:
    from chcverify.problems.c_problem import parsed_sources
    from chcverify.problems.task_functions import entry_functions_of

    listener(PhaseStarted("encode"))
    if task.language != "c" or task.stubs is not None or task.harness.contracts:  # the program has other texts
        return FoundEntries(entry_functions_of(task, patterns))
    is_alone = not are_many(patterns) and not task.harness.requires and not task.interrupts
    parsed = parsed_sources(task, patterns[0] if is_alone else "")
    packed = parsed.packed()
    return FoundEntries(entry_functions_of(task, patterns, parsed), packed)


def modular_entries(task: Task, limits: Limits, started: float) -> FoundEntries:
    """The functions with contracts to prove, and main if there is one. Errors as of `entry_functions`."""
    return in_child(lambda listener: _modular_entries(task, listener), limits, started)


def _modular_entries(task: Task, listener: Listener) -> FoundEntries:
    from chcverify.problems.task_functions import contracts_of, entry_functions_of

    listener(PhaseStarted("encode"))
    mains = tuple(entry for entry in entry_functions_of(task, ("*",)) if entry.name == "main")
    return FoundEntries((*contracts_of(task), *mains))


def runs(
    task: Task, entries: "Sequence[EntryFunction]", options: Options, packed: bytes = b""
) -> Iterator[EntryOutcome]:
    """The outcome of each entry, in their order; each has the whole time limit, and as many of them as there are jobs
    are decided side by side. Ends with one that was interrupted. Entries without the checks that were chosen are left
    out; NoSuchCheck if that leaves none. packed: as of FoundEntries."""
    preload(*(ENGINES if len(entries) > 1 else ()))
    parsed = parsed_files_of(task, packed)
    undecided: UndecidedFunctions | None = None
    if len(entries) > 1 and task.all_checks and parsed is not None:
        undecided = UndecidedFunctions.of(options, parsed.texts)
    if len(entries) > 1:  # for one child it takes longer than it saves
        gc.collect()
    gc.freeze()  # the children need not look at what is loaded
    tasks = [_task_of(task, entry) for entry in entries]
    known = [None if undecided is None else undecided.outcome(str(own)) for own in tasks]
    without_checks: NoSuchCheck | None = None
    count = 0
    with closing(_outcomes(tasks, known, options, parsed)) as outcomes:
        for entry, own, before, outcome in zip(entries, tasks, known, outcomes, strict=True):
            if isinstance(outcome, NoSuchCheck):
                without_checks = outcome
                continue
            if undecided is not None and before is None:
                undecided.keep(str(own), outcome)
            count += 1
            yield EntryOutcome(entry, outcome)
            if outcome.is_interrupted:
                return
    if without_checks is not None and not count:
        raise without_checks


def _task_of(task: Task, entry: "EntryFunction") -> Task:
    """The task of one entry."""
    is_main = task.harness.modular and entry.name == "main"
    return replace(task, entry=None if is_main else entry.name)


def _outcomes(
    tasks: Sequence[Task], known: Sequence[Outcome | None], options: Options, parsed: "ParsedSources | None"
) -> Generator[Outcome | NoSuchCheck]:
    """Yields the outcome of each task, in their order. known: those that need no run. parsed: the files of all.

    Threads wait for the runs, which are processes. When the iteration ends, so do they.
    """
    most = min(options.limits.jobs, known.count(None))
    count = len(tasks) if any(task.all_checks for task in tasks) else 1
    limits = replace(options.limits.of_each(count), jobs=options.limits.jobs // max(1, most))
    own = replace(options, limits=limits)
    if most <= 1:
        for task, found in zip(tasks, known, strict=True):
            yield _outcome(task, own, parsed) if found is None else found
        return
    with interrupts() as pressed, ThreadPoolExecutor(most) as pool:
        try:
            waiting = [
                pool.submit(_outcome, task, own, parsed, ignore, pressed) if found is None else found
                for task, found in zip(tasks, known, strict=True)
            ]
            for item in waiting:
                yield item.result() if isinstance(item, Future) else item
        finally:
            pressed.append(0)
            pool.shutdown(cancel_futures=True)


def _outcome(
    task: Task,
    options: Options,
    parsed: "ParsedSources | None",
    listener: Listener | None = None,
    pressed: list[int] | None = None,
) -> Outcome | NoSuchCheck:
    """The outcome of one task. Arguments as of `supervise`."""
    try:
        return supervise(task, options, time.monotonic(), listener, parsed=parsed, pressed=pressed)
    except NoSuchCheck as error:
        return error


def preload(*engines: str) -> None:
    """Imports what each child needs, so that it need not itself: loading takes longer than many verdicts. engines: the
    modules of those that some children will need; for one child it would be in vain where it needs none.

    No solver is called here, so the processes can be forked as from a command that has imported none.
    """
    with without_collections():
        for module in (*PRELOADED, "chcverify.run.all_checks", *engines):
            import_module(module)


def parsed_files_of(task: Task, packed: bytes = b"") -> "ParsedSources | None":
    """The files of the task, parsed and their declarations entered here once for all processes; None where that fails,
    as it will in each of them, and where the property is decided in another way, which reads the files itself.

    A child has parsed them before, within the limits. packed: as of FoundEntries.
    """
    if decider_of(task.property) != CHECKS_DECIDER:
        return None
    from chcverify.problems.c_problem import parsed_sources
    from chcverify.problems.protocol import Refused
    from encoders.c.parsed_sources import ParsedSources

    try:
        parsed = ParsedSources.unpacked(packed) if packed else parsed_sources(task)
        return parsed.declared(task.property)
    except (InputError, Refused):
        return None


def combined(outcomes: Sequence[EntryOutcome]) -> tuple[str, int]:
    """The verdict of all entries together, as printed, and the exit status: false before unknown before true."""
    if not outcomes:
        raise InputError("--entry", 0, 0, "no function")
    statuses = {"unsafe": 2, "unknown": 1, "safe": 0}
    worst = max((found.outcome for found in outcomes), key=lambda outcome: statuses[outcome.status])
    ends = {found.outcome.exit_status for found in outcomes}
    return worst.word, next(status for status in (1, 3, 0) if status in ends)
