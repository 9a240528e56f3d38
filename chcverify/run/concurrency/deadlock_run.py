"""Deadlocks of C programs with threads, or with one that waits for itself."""

from typing import TYPE_CHECKING

from chcverify.options import Options
from chcverify.problems.protocol import Refused
from chcverify.problems.thread_problem import ThreadProblem
from chcverify.properties.deadlocks import NO_DEADLOCK
from chcverify.results.events import Listener, ignore
from chcverify.results.outcome import Outcome
from chcverify.results.reasons import Cause
from chcverify.run.concurrency.threaded_run import ThreadedRun
from chcverify.task import Task

if TYPE_CHECKING:
    from encoders.c.cfa.ir import Program


def run(task: Task, options: Options, started: float, listener: Listener = ignore) -> Outcome:
    """As driver.run."""
    return DeadlockRun(task, options, started, listener).outcome()


class DeadlockRun(ThreadedRun):
    """A run that decides whether a program has a deadlock.

    That all threads wait is a property of their product: one by one they may wait in runs without a deadlock.
    """

    decider = NO_DEADLOCK.decider
    deadlocks = True

    def decided(self) -> Outcome:
        """As in the base class. With interrupts, which are always possible, there is no state in which all wait."""
        if self.task.interrupts:
            reason = "no-deadlock of a program that is interrupted (--interrupt)"
            return self.outcome_with("unknown", "unknown", reason=reason, cause=Cause.UNSUPPORTED)
        return super().decided()

    def first_problem(self, program: "Program") -> ThreadProblem:
        """The clauses of the product. Raises Refused if there are none, or if they leave out ways to wait for ever."""
        if (construct := _without_proofs(program)) is not None:
            raise Refused(f"proofs that there is no deadlock in a program with {construct}")
        problem = self.product(program)
        if problem is None:
            raise Refused(f"deadlocks of {self.statistics['product']}")
        return problem


def _without_proofs(program: "Program") -> str | None:
    """What keeps the product from showing each deadlock: a wait for a condition may end at any time in its model, which
    no implementation promises; behind the end of main by pthread_exit, threads may wait for ever."""
    from encoders.c.cfa.ir import ExitThread

    for name, function in program.functions.items():
        if name.startswith(("pthread_cond_", "cnd_")) and name.endswith("wait"):
            return name
        if any(isinstance(edge.operation, ExitThread) for edge in function.edges):
            return "pthread_exit"
    return None
