"""Checks that are proved at once under a precondition: the models that ask no solver, checked by the kernel."""

import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from chcverify.certificate.kernel.checkers.cvc5_process import WarmCvc5
from chcverify.options import Options
from chcverify.problems.c_problem import load_c_program
from chcverify.problems.check_problems import CheckProblems
from chcverify.results.checks import Check
from chcverify.run.groups.easy_checks import CELL_SOURCE, QUICK_SOURCES, EasyChecks
from chcverify.task import Task

if TYPE_CHECKING:
    from encoders.c.parsed_sources import ParsedSources


def quick_proofs(task: Task, parsed: "ParsedSources | None", options: Options, until: float) -> frozenset[Check]:
    """Those of the selected checks that are proved by time.monotonic() = until. Raises InputError and Refused.

    task: with what is required of the calls, in which executed calls violate none of the checks. parsed: its files,
    used up.
    """
    return frozenset(_proved(task, parsed, options, until))


def _proved(task: Task, parsed: "ParsedSources | None", options: Options, until: float) -> Iterator[Check]:
    from encoders.c.cfa.program_checks import checks_of

    program = load_c_program(task, parsed)
    checks = checks_of(program)
    problems = CheckProblems.of(program, task.property) if checks else None
    if problems is None or problems.encoding is None:
        return
    spare: WarmCvc5 | None = None
    if options.check.second != "off":
        with suppress(OSError):  # it is only a convenience
            spare = WarmCvc5()
    try:
        sources = (*QUICK_SOURCES, CELL_SOURCE)
        search = EasyChecks(task, options, problems, checks, checks, sources, spare, is_tested=True)
        for found in search.proved(until - time.monotonic()):
            yield from found.checks
    finally:
        if spare is not None:
            spare.stop()
