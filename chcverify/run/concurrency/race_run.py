"""Data races of C programs, with threads or without: a program without has none."""

from typing import TYPE_CHECKING

from chcverify.options import Options
from chcverify.problems.protocol import Refused
from chcverify.problems.thread_problem import ThreadProblem
from chcverify.properties.data_races import NO_DATA_RACE
from chcverify.results.events import Listener, ignore
from chcverify.results.outcome import Outcome
from chcverify.run.concurrency.threaded_run import ThreadedRun
from chcverify.task import Task

if TYPE_CHECKING:
    from encoders.c.cfa.ir import Program


def run(task: Task, options: Options, started: float, listener: Listener = ignore) -> Outcome:
    """As driver.run."""
    return RaceRun(task, options, started, listener).outcome()


class RaceRun(ThreadedRun):
    """A run that decides whether a program has a data race."""

    decider = NO_DATA_RACE.decider
    races = True

    def first_problem(self, program: "Program") -> ThreadProblem:
        """As in the base class. Raises Refused if functions without a body are given pointers: the clauses have their
        effects, but not their accesses."""
        from encoders.c.cfa.ir import Havoc

        edges = [edge for function in program.functions.values() for edge in function.edges]
        if (found := next((edge for edge in edges if isinstance(edge.operation, Havoc)), None)) is not None:
            raise Refused(f"data races with {found.text} at {found.origin}, of a function without a body")
        return super().first_problem(program)
