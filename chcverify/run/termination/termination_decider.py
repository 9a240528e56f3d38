"""Who decides whether all runs end: of a program, or of clauses."""

from chcverify.options import Options
from chcverify.results.events import Listener, ignore
from chcverify.results.outcome import Outcome
from chcverify.run.termination.horn_termination_run import HornTerminationRun
from chcverify.run.termination.termination_run import TerminationRun
from chcverify.task import Task


def run(task: Task, options: Options, started: float, listener: Listener = ignore) -> Outcome:
    """As driver.run."""
    decider = HornTerminationRun if task.language == "horn" else TerminationRun
    return decider(task, options, started, listener).outcome()
