"""A host: the process that holds one form of the system and forks the engine workers that run on it.

Reducing a system may take long or crash; it is done once, here, while the portfolio's own process stays responsive. The
engines of a host share its system, hence also its lemma bus. The portfolio asks ("start", number, run, deadline),
("extend", number, deadline) and ("kill", number); the host answers ("ready", statistics), ("lemmas", messages),
("progress", number, phase, figures) and ("ended", number, Report).
"""

import select
import time
from collections.abc import Callable
from typing import Any

from chcverify.horn.system import HornSystem
from chcverify.portfolio.bus import Exchange
from chcverify.portfolio.engine_worker import Problem, Report, run_engine
from chcverify.portfolio.plan import EngineRun, Reduce
from chcverify.portfolio.process import Channel, Worker

_LATE = 0.3  # seconds after its deadline in which an engine may still end by itself


class Host:
    """The loop of a host process."""

    def __init__(self, problem: Problem, memory_mb: int | None, seed: int, channel: Channel) -> None:
        self._problem = problem
        self._memory_mb = memory_mb
        self._seed = seed
        self._channel = channel
        self._exchange = Exchange()
        self._workers: dict[int, Worker[Report]] = {}

    def serve(self) -> None:
        """Until the portfolio goes away or kills it."""
        while not self._channel.closed:
            self._wait()
            for request in self._channel.receive():
                self._obey(*request)
            for number, worker in list(self._workers.items()):
                worker.poll()
                self._forward(number, worker)
                if worker.outcome is not None:
                    del self._workers[number]
                    value = worker.outcome.value
                    self._say("ended", number, Report("unknown", worker.outcome.reason) if value is None else value)

    def _wait(self) -> None:
        poller = select.poll()
        poller.register(self._channel, select.POLLIN)
        for worker in self._workers.values():
            poller.register(worker, select.POLLIN)
        ends = [worker.deadline - time.monotonic() for worker in self._workers.values()]
        poller.poll(max(0, int(1000 * min([60.0, *ends])) + 1))

    def _obey(self, order: str, number: int, *details: Any) -> None:
        if order == "start":
            self._start(number, *details)
        elif number in self._workers and order == "extend":
            self._workers[number].deadline = details[0] + _LATE
        elif number in self._workers:
            self._workers.pop(number).kill()

    def _start(self, number: int, run: EngineRun, deadline: float) -> None:
        def engine(channel: Channel) -> Report:
            return run_engine(self._problem, run, deadline, self._seed, channel)

        seconds = max(0.0, deadline + _LATE - time.monotonic())
        worker = Worker(engine, seconds, self._memory_mb, name=run.label)
        Exchange.deliver(self._exchange.lemmas, worker.channel)
        self._workers[number] = worker

    def _forward(self, number: int, worker: Worker[Report]) -> None:
        for message in worker.messages:
            if message[0] == "lemmas":
                new = self._exchange.publish(message[1])
                self._say("lemmas", new)
                for other in self._workers.values():
                    if other is not worker:
                        Exchange.deliver(new, other.channel)
            else:
                self._say(message[0], number, *message[1:])
        worker.messages.clear()

    def _say(self, *message: Any) -> None:
        self._channel.send(("message", message))


def host(system: HornSystem, reduce: Reduce, memory_mb: int | None, seed: int) -> Callable[[Channel], None]:
    """The life of a host process: reduce, say so, serve. It ends at once where the form has nothing to offer."""

    def life(channel: Channel) -> None:
        start = time.monotonic()
        form = reduce(system)
        if form is None:
            return
        reduced, back, figures = form
        channel.send(("message", ("ready", {"seconds": round(time.monotonic() - start, 3), **figures})))
        Host(Problem(system, reduced, back), memory_mb, seed, channel).serve()

    return life
