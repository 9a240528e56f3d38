"""Data races of C programs, with threads or without: a program without has none."""

from chcverify.options import Options
from chcverify.properties.data_races import NO_DATA_RACE
from chcverify.results.events import Listener, ignore
from chcverify.results.outcome import Outcome
from chcverify.run.concurrency.threaded_run import ThreadedRun
from chcverify.task import Task


def run(task: Task, options: Options, started: float, listener: Listener = ignore) -> Outcome:
    """As driver.run."""
    return RaceRun(task, options, started, listener).outcome()


class RaceRun(ThreadedRun):
    """A run that decides whether a program has a data race."""

    decider = NO_DATA_RACE.decider
    races = True
