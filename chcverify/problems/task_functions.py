"""The functions, contracts and harnesses of a task's files, found without encoding a program."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chcverify.errors import InputError
from chcverify.problems.c_problem import data_model_of, translated_errors
from chcverify.results.checks import Check
from chcverify.results.entry_function import EntryFunction
from chcverify.task import Task

if TYPE_CHECKING:
    from chcverify.results.precondition import PreconditionCandidate
    from encoders.c.parsed_sources import ParsedSources


def entry_functions_of(
    task: Task, patterns: Sequence[str], parsed: "ParsedSources | None" = None
) -> tuple[EntryFunction, ...]:
    """The functions of the task's program that fit the patterns. Raises InputError for a pattern that fits none.

    parsed: the files of the task, if they were read before; they are of no use for a program then.
    """
    from encoders.c.harness.entry_functions import matching

    if parsed is not None and parsed.entry and (only := _only_function_of(parsed)) is not None:
        return (only,)
    known = {entry.name: entry for entry in _functions_of(task, parsed)}
    for pattern in patterns:
        if not matching(known, [pattern]):
            raise InputError(task.input_file, 0, 0, f"no function '{pattern}' is defined")
    return tuple(known[name] for name in matching(known, patterns))


def _only_function_of(parsed: "ParsedSources") -> EntryFunction | None:
    """The function where all programs of the files begin; None where that is not known without their declarations."""
    from encoders.c.source_queries import only_function_of

    return only_function_of(parsed, parsed.entry)


def _functions_of(task: Task, parsed: "ParsedSources | None") -> Sequence[EntryFunction]:
    """The functions, or procedures with a body, of the task's program."""
    if task.language == "boogie":
        from chcverify.problems.boogie_problem import procedures_of

        return procedures_of(task)
    from encoders.c.parsed_sources import ParsedSources
    from encoders.c.source_queries import functions_of

    with translated_errors():
        return tuple(functions_of(parsed or ParsedSources.of(task.files, data_model_of(task))))


def contracts_of(task: Task) -> tuple[EntryFunction, ...]:
    """The functions of the task's program whose contracts can stand for their bodies."""
    from encoders.c import source_queries

    with translated_errors():
        return tuple(source_queries.contracts_of(task.files, data_model_of(task)))


def harness_text_of(task: Task) -> str:
    """The harness of the task's entry, as a file that includes the file of the function."""
    from encoders.c.source_queries import harness_file

    with translated_errors():
        return harness_file(task.files, data_model_of(task), task.entry or "main", task.harness)


def prototypes_of(task: Task) -> dict[str, str]:
    """The declarations of the public functions that the task's files define, by their names."""
    from encoders.c import source_queries

    with translated_errors():
        return source_queries.prototypes_of(task.files, data_model_of(task))


def precondition_candidates_of(task: Task, violated: Sequence[Check]) -> "list[PreconditionCandidate]":
    """The predicates that callers of the task's entry may have to guarantee, the cheapest first."""
    from encoders.c import source_queries

    with translated_errors():
        return source_queries.precondition_candidates_of(
            task.files, data_model_of(task), task.entry or "main", task.harness, violated
        )
