"""Found invariants, and what procedures ensure, written into a Boogie program: each is proved as it is written."""

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from chcverify.horn.origin import Origin
from chcverify.options import InputOptions, Options
from chcverify.problems.boogie_problem import ensured_candidates_of
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckStatus
from chcverify.results.outcome import Outcome
from chcverify.run.procedures.annotated_boogie import AnnotatedBoogie, annotated_boogie
from chcverify.task import Task, read_text, resolve

Verify = Callable[[Task, Options, float], Outcome]
"""The outcome of a task, by options and the time.monotonic() at which it began."""


@dataclass(frozen=True)
class AnnotatedProgram:
    """A program with invariants, all of which are proved where they stand."""

    text: str
    written: int
    """The number of loop heads that have one."""
    notes: tuple[str, ...]
    """For each invariant that is not written, where and why."""
    ensured: int = 0
    """The number of procedures with something that they ensure."""


def annotated_program(
    task: Task, options: Options, outcome: Outcome, deadline: float, verify: Verify
) -> AnnotatedProgram:
    """The program of a task with the invariants of an outcome.

    A condition that is not proved as an invariant of the new program is left out, and the rest is tried again.
    deadline: time.monotonic() to end at; what is not proved until then is left out. verify: decides the new program.
    """
    text = read_text(task.input_file)
    conditions: dict[Origin, list[str]] = {}
    for invariant in dict.fromkeys(outcome.invariants):
        conditions.setdefault(invariant.origin, []).append(invariant.text)
    program = _with_proved(text, conditions, task, options, deadline, verify)
    if outcome.status != "safe":
        return program
    with tempfile.TemporaryDirectory() as directory:
        given = _written_to(directory, program.text, task, options)
        candidates = {origin: list(texts) for origin, texts in ensured_candidates_of(resolve(given)).items() if texts}
    only_stated = replace(options, input=replace(options.input, boogie=replace(options.input.boogie, only_stated=True)))
    ensured = _with_proved(program.text, candidates, task, only_stated, deadline, verify)
    return AnnotatedProgram(ensured.text, program.written, program.notes, ensured.written)


def _with_proved(
    text: str, conditions: dict[Origin, list[str]], task: Task, options: Options, deadline: float, verify: Verify
) -> AnnotatedProgram:
    """The program with those of the conditions that are all proved where they stand."""
    notes: list[str] = []
    while conditions:
        new = annotated_boogie(text, conditions)
        refused = [(origin, condition) for origin in new.without_position for condition in conditions[origin]]
        reason = "no annotation can stand there"
        if not refused:
            refused, reason = _not_proved(new, task, options, deadline, verify), "it is not proved again in time"
        if not refused:
            return AnnotatedProgram(new.text, len(conditions), tuple(notes))
        notes += [f"{origin}: not written: {condition}: {reason}" for origin, condition in refused]
        conditions = _without(conditions, refused)
    return AnnotatedProgram(text, 0, tuple(notes))


def _without(conditions: dict[Origin, list[str]], refused: Sequence[tuple[Origin, str]]) -> dict[Origin, list[str]]:
    kept = {origin: [text for text in texts if (origin, text) not in refused] for origin, texts in conditions.items()}
    return {origin: texts for origin, texts in kept.items() if texts}


def _written_to(directory: str, text: str, task: Task, options: Options) -> InputOptions:
    """The input for a file of this text in a directory, with the invariants of its loops."""
    path = Path(directory, Path(task.input_file).name)
    path.write_text(text, encoding="utf-8")
    return replace(options.input, path=str(path), boogie=replace(options.input.boogie, ignore_invariants=False))


def _not_proved(
    new: AnnotatedBoogie, task: Task, options: Options, deadline: float, verify: Verify
) -> list[tuple[Origin, str]]:
    """The conditions whose checks are not proved in the new program; all where there is no time left for it."""
    begin = time.monotonic()
    if begin >= deadline:
        return list(new.lines.values())
    with tempfile.TemporaryDirectory() as directory:
        given = _written_to(directory, new.text, task, options)
        limits = replace(options.limits, timeout=deadline - begin)
        found = verify(resolve(given), replace(options, input=given, limits=limits), begin)
    proved = {check.check.origin.line for check in found.checks if check.status is CheckStatus.PROVED}
    others = {check.check.origin.line for check in found.checks if check.status is not CheckStatus.PROVED}
    return [written for line, written in new.lines.items() if line in others or line not in proved]
