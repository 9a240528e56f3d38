"""A host: the process that holds one variant of the system and forks the engine workers that run on it.

Reducing a system may take long or crash; it is done once, here, while the portfolio's own process stays responsive. The
engines of a host share its system, hence also its lemma bus. What it is asked and answers: `messages.py`.
"""

import select
import time
from collections.abc import Callable

from chcverify.effort import GRACE_S
from chcverify.horn.system import HornSystem
from chcverify.portfolio.engine_worker import VariantSystem, run_engine
from chcverify.portfolio.lemma_bus import LemmaBroker
from chcverify.portfolio.messages import Answer, Ended, Extend, Lemmas, Order, Ready, Report, RunProgress, StartRun
from chcverify.portfolio.processes import Channel, Message, Worker
from chcverify.portfolio.run_plan import EngineRun, Reduce


class VariantServer:
    """The loop of a host process."""

    def __init__(self, problem: VariantSystem, memory_mb: int | None, seed: int, channel: Channel) -> None:
        self._problem = problem
        self._memory_mb = memory_mb
        self._seed = seed
        self._channel = channel
        self._exchange = LemmaBroker()
        self._workers: dict[int, Worker[Report]] = {}

    def serve(self) -> None:
        """Until the portfolio goes away or kills it."""
        while not self._channel.closed:
            self._wait()
            for order in self._channel.receive():
                self._obey(order)
            for number, worker in list(self._workers.items()):
                worker.poll()
                self._forward(number, worker)
                if worker.outcome is not None:
                    del self._workers[number]
                    value = worker.outcome.value
                    ended = Report("unknown", worker.outcome.reason, cause=worker.outcome.cause)
                    self._send(Ended(number, ended if value is None else value))

    def _wait(self) -> None:
        poller = select.poll()
        poller.register(self._channel, select.POLLIN)
        for worker in self._workers.values():
            poller.register(worker, select.POLLIN)
        ends = [worker.deadline - time.monotonic() for worker in self._workers.values()]
        poller.poll(max(0, int(1000 * min([60.0, *ends])) + 1))

    def _obey(self, order: Order) -> None:
        if isinstance(order, StartRun):
            self._start(order.number, order.run, order.deadline)
        elif order.number in self._workers and isinstance(order, Extend):
            self._workers[order.number].deadline = order.deadline + GRACE_S
        elif order.number in self._workers:
            self._workers.pop(order.number).kill()

    def _start(self, number: int, run: EngineRun, deadline: float) -> None:
        def engine(channel: Channel) -> Report:
            return run_engine(self._problem, run, deadline, self._seed, channel)

        seconds = max(0.0, deadline + GRACE_S - time.monotonic())
        worker = Worker(engine, seconds, self._memory_mb, name=run.label)
        LemmaBroker.deliver(self._exchange.lemmas, worker.channel)
        self._workers[number] = worker

    def _forward(self, number: int, worker: Worker[Report]) -> None:
        for message in worker.messages:
            if isinstance(message, Lemmas):
                new = self._exchange.publish(message.lemmas)
                self._send(Lemmas(new))
                for other in self._workers.values():
                    if other is not worker:
                        LemmaBroker.deliver(new, other.channel)
            else:
                self._send(RunProgress(number, message))
        worker.messages.clear()

    def _send(self, answer: Answer) -> None:
        self._channel.send(Message(answer))


def serve_variant(system: HornSystem, reduce: Reduce, memory_mb: int | None, seed: int) -> Callable[[Channel], None]:
    """The function of a host process: makes the variant, reports it, serves orders; ends if there is no variant."""

    def life(channel: Channel) -> None:
        start = time.monotonic()
        form = reduce(system)
        if form is None:
            return
        reduced, back, figures = form
        channel.send(Message(Ready({"seconds": round(time.monotonic() - start, 3), **figures})))
        VariantServer(VariantSystem(system, reduced, back), memory_mb, seed, channel).serve()

    return life
