"""The portfolio: engines in parallel or one after another, until the certificate of one is accepted.

This process only schedules: it never calls a solver. Its child processes are the hosts, one for each variant of the
system, which make it and fork an engine worker for each run, and the certification workers, one for each certificate.
"""

import itertools
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from chcverify.effort import EQUAL_SHARE, GLANCE_S, GRACE_S, MOMENT_S
from chcverify.horn.system import HornSystem
from chcverify.portfolio.engine_worker import certificate
from chcverify.portfolio.messages import Answer, Ended, Extend, Kill, Lemmas, Ready, Report, StartRun
from chcverify.portfolio.processes import Worker, wait
from chcverify.portfolio.run_plan import (
    CertificationResult,
    Certify,
    EngineRun,
    PortfolioResult,
    Progress,
    Reduce,
    Variant,
)
from chcverify.portfolio.timetable import granted
from chcverify.portfolio.variant_process import serve_variant
from chcverify.quick_dataclass import dataclass
from chcverify.results.events import Stage
from chcverify.results.reasons import Cause
from chcverify.results.result import Unknown
from chcverify.transforms.base import Identity


def as_given(system: HornSystem) -> tuple[HornSystem, Identity, Mapping[str, Any]]:
    """The reduction that leaves the system as it is."""
    return system, Identity(), {}


def solve(
    system: HornSystem,
    plan: Sequence[EngineRun],
    *,
    deadline: float,
    extension_s: float = 0.0,
    certify: Certify,
    variants: Mapping[Variant, Reduce] | None = None,
    memory_mb: int | None = None,
    jobs: int = 1,
    seed: int = 0,
    progress: Progress = lambda label, phase, figures: None,
) -> PortfolioResult:
    """The first certified answer of the plan's runs, which start in order, at most `jobs` at once.

    deadline: time.monotonic() at which this has returned. extension_s: seconds by which it may return later, where an
    answer that was found before is carried back, or its certificate is checked. variants: the functions that make the
    variants of the system; a variant without one is the system as given. memory_mb: limit of each process. No process
    is left behind.
    """
    options = _Options(deadline, extension_s, certify, variants or {}, memory_mb, max(1, jobs), seed, progress)
    portfolio = _Portfolio(system, plan, options)
    try:
        return portfolio.result()
    finally:
        portfolio.stop()


@dataclass(frozen=True)
class _Options:
    """The arguments of `solve`."""

    deadline: float
    extension_s: float
    certify: Certify
    variants: Mapping[Variant, Reduce]
    memory_mb: int | None
    jobs: int
    seed: int
    progress: Progress


class _Portfolio:
    def __init__(self, system: HornSystem, plan: Sequence[EngineRun], options: _Options) -> None:
        self.system = system
        self.options = options
        self.deadline = options.deadline
        self.waiting: list[EngineRun] = []
        self.enqueued: list[EngineRun] = []  # all runs that are waiting or were started
        self.running: dict[int, tuple[EngineRun, float]] = {}  # number of a run -> the run and its deadline
        self.answered: set[int] = set()  # numbers of runs with an answer, which they carry back
        self.certification_workers: dict[Worker[CertificationResult], tuple[EngineRun, Report]] = {}
        self.uncertified: list[tuple[EngineRun, Report]] = []  # answers whose certificates wait for others
        self.begin = time.monotonic()
        self.last_start = -math.inf  # time.monotonic()
        self.suspended_until = -math.inf  # time.monotonic(); the hosts wait until then; -inf: they do not
        self.hosts: dict[Variant, Worker[None]] = {}
        self.reduction_deadlines: dict[
            Variant, float
        ] = {}  # host that still reduces -> time.monotonic() until which it may
        self.reasons: dict[str, str] = {}
        self.statistics: dict[str, Mapping[str, Any]] = {}
        self.causes: dict[str, Cause] = {}
        self.lemmas: dict[Variant, list[str]] = {}
        self.accepted: PortfolioResult | None = None
        self.numbers = itertools.count()
        self.enqueue(plan)

    def enqueue(self, runs: Iterable[EngineRun]) -> None:
        """Adds the runs that were not added before to the end of the queue."""
        for run in runs:
            if not any(run.same(other) for other in self.enqueued):
                self.enqueued.append(run)
                self.waiting.append(run)

    def result(self) -> PortfolioResult:
        """Runs the plan; the first certified answer, or Unknown."""
        while self.accepted is None and time.monotonic() < self.end:
            self.start_runs()
            if not (self.running or self.certification_workers or self.uncertified):
                break
            self.wait()
            for variant in list(self.hosts):
                self.read_messages(variant)
            self.take_certifications()
            self.start_certifications()
            self.resume_runs()
        if self.accepted is not None:
            return self.accepted
        for run, _ in (*self.running.values(), *self.certification_workers.values(), *self.uncertified):
            self.reasons.setdefault(run.label, "time limit")
            self.causes.setdefault(run.label, Cause.TIME)
        for run in self.waiting:
            self.reasons.setdefault(run.label, "no time left to start")
            self.causes.setdefault(run.label, Cause.NOT_STARTED)
        summary = "; ".join(f"{label}: {reason}" for label, reason in self.reasons.items())
        known: dict[str, Any] = {"reasons": self.reasons, "causes": self.causes, "lemmas": self.lemmas}
        return PortfolioResult(Unknown(summary or "no engine to run"), statistics=self.statistics, **known)

    @property
    def end(self) -> float:
        """The time.monotonic() until which the portfolio goes on, as things are."""
        has_answer = bool(self.certification_workers or self.uncertified or self.answered & self.running.keys())
        return self.last_end if has_answer else self.deadline

    @property
    def last_end(self) -> float:
        """The latest `end`."""
        return self.deadline + self.options.extension_s

    def stop(self) -> None:
        """Ends all processes."""
        workers: list[Worker[Any]] = [*self.certification_workers, *self.hosts.values()]
        for worker in workers:
            worker.kill()

    def start_runs(self) -> None:
        """Starts runs while jobs are free; the last one gets all of the time left, others their fraction of it."""
        jobs = self.options.jobs
        while self.waiting and self.busy < jobs:
            now = time.monotonic()
            if not self.next_start <= now < self.deadline:
                break
            self.last_start = now
            number, run = next(self.numbers), self.waiting.pop(0)
            left = self.deadline - now
            end = now + granted(run, left, jobs, is_last=not self.waiting)
            self.host(run.variant).send(StartRun(number, run, end))
            self.running[number] = (run, end)
            self.options.progress(run.label, Stage.START, {})

    @property
    def next_start(self) -> float:
        """The time.monotonic() when the next run may start: not while runs wait for the check of a certificate, nor
        beside an exclusive run."""
        # With more jobs an exclusive run has a processor for itself anyway.
        if self.options.jobs <= 2 and any(run.exclusive for run, _ in self.running.values()):
            return math.inf
        if not self.busy:
            return -math.inf
        # Apart, so that an easy task ends before further runs start: this, and that certificates are checked alone at
        # first, save a quarter of the processor time of programs of a few clauses.
        return max(self.last_start + GLANCE_S, self.next_certification, self.suspended_until)

    @property
    def busy(self) -> int:
        """The number of jobs in use."""
        return len(self.running) + len(self.certification_workers) + len(self.uncertified)

    def host(self, variant: Variant) -> Worker[None]:
        """The host of the variant, which is started if there is none."""
        if variant not in self.hosts:
            now = time.monotonic()
            memory_mb = self.options.memory_mb
            life = serve_variant(
                self.system, self.options.variants.get(variant, as_given), memory_mb, self.options.seed
            )
            self.hosts[variant] = Worker(life, self.last_end - now, memory_mb, name=variant)
            self.reduction_deadlines[variant] = now + EQUAL_SHARE * (self.deadline - now)
        return self.hosts[variant]

    def wait(self) -> None:
        """Waits for a message, the end of a process, or the next deadline."""
        ends = [end + 2 * GRACE_S for _, end in self.running.values()]
        limit = min([self.end, *ends, *self.reduction_deadlines.values()])
        if self.waiting and self.busy < self.options.jobs and time.monotonic() < self.deadline:
            limit = min(limit, self.next_start)
        if self.uncertified:
            limit = min(limit, self.next_certification)
        if self.suspended_until > -math.inf:
            limit = min(limit, self.suspended_until)
        wait([*self.hosts.values(), *self.certification_workers], max(0.0, limit - time.monotonic()))

    def read_messages(self, variant: Variant) -> None:
        """Handles the messages of a host; gives up a host that has ended or is late, and ends runs that are late."""
        worker = self.hosts[variant]
        messages, worker.messages = worker.messages, []
        for message in messages:
            self.take(variant, message)
        now = time.monotonic()
        if worker.outcome is not None:
            ended = worker.outcome
            self.give_up(variant, ended.reason or "nothing to change", ended.cause if ended.reason else Cause.NO_FORM)
        elif self.reduction_deadlines.get(variant, math.inf) <= now:
            self.give_up(variant, "took too long", Cause.TIME)
        for number, (run, end) in list(self.running.items()):
            if run.variant == variant and end + 2 * GRACE_S <= now and variant not in self.reduction_deadlines:
                del self.running[number]
                worker.send(Kill(number))
                self.ended(run, Report("unknown", "time limit", cause=Cause.TIME))

    def take(self, variant: Variant, message: Answer) -> None:
        """Handles one message of a host."""
        if isinstance(message, Ready):
            del self.reduction_deadlines[variant]
            self.statistics[f"system {variant}"] = message.statistics
        elif isinstance(message, Lemmas):
            self.lemmas.setdefault(variant, []).extend(lemma.text for lemma in message.lemmas)
        elif message.number in self.running:
            run, _ = self.running[message.number]
            if isinstance(message, Ended):
                del self.running[message.number]
                self.ended(run, message.report)
            else:
                if message.progress.phase == Stage.BACK_TRANSLATION:
                    self.extend(message.number)
                self.options.progress(run.label, message.progress.phase, message.progress.figures)

    def without_answer(self, run: EngineRun, reason: str, cause: Cause) -> None:
        """The run gave no certified answer."""
        self.reasons[run.label] = reason
        self.causes[run.label] = cause

    def extend(self, number: int) -> None:
        """The run has its answer: it would be a waste to end it before it has carried the certificate back."""
        run, end = self.running[number]
        now = time.monotonic()
        later = max(end, now + EQUAL_SHARE * (self.last_end - now))
        self.running[number] = (run, later)
        self.answered.add(number)
        self.hosts[run.variant].send(Extend(number, later))

    def give_up(self, variant: Variant, reason: str, cause: Cause) -> None:
        """Ends the host of the variant and its runs.

        If the host could not make the variant, the runs that wait for it end, too; those on the reduced system move to
        the original one, and those on `blocks` to the reduced one: mostly there is nothing to merge.
        """
        self.hosts.pop(variant).kill()
        reducing = self.reduction_deadlines.pop(variant, None) is not None
        lost = self.remove_running(variant)
        if not reducing:
            self.end_without_answer(lost, reason, cause)
        elif variant == "reduced":
            self.end_without_answer(lost, f"reduction: {reason}", cause)
            self.move_to_original(variant, lost)
        elif variant == "blocks":
            self.end_without_answer(lost, f"reduction: {reason}", cause)
            self.move_to_reduced(variant, lost)
        else:
            hopeless = [*lost, *(run for run in self.waiting if run.variant == variant)]
            self.waiting = [run for run in self.waiting if run.variant != variant]
            self.end_without_answer(hopeless, f"reduction: {reason}", cause)

    def remove_running(self, variant: Variant) -> list[EngineRun]:
        """Takes the runs on the variant off the list of running ones, and returns them."""
        numbers = [number for number, (run, _) in self.running.items() if run.variant == variant]
        return [self.running.pop(number)[0] for number in numbers]

    def move_to_original(self, variant: Variant, lost: Sequence[EngineRun]) -> None:
        """Lets the lost runs, and those that wait for the variant, run on the original system, before all others."""
        moved = [*lost, *(run for run in self.waiting if run.variant == variant)]
        rest = [run for run in self.waiting if run.variant != variant]
        self.requeue([*(replace(run, variant="original") for run in moved), *rest])

    def move_to_reduced(self, variant: Variant, lost: Sequence[EngineRun]) -> None:
        """Lets the lost runs run on the reduced system, before all others, and those that wait for the variant in their
        turn."""
        runs = (*lost, *self.waiting)
        self.requeue([replace(run, variant="reduced") if run.variant == variant else run for run in runs])

    def requeue(self, runs: Iterable[EngineRun]) -> None:
        """Lets these runs wait in the place of those that do."""
        self.enqueued = [run for run in self.enqueued if run not in self.waiting]
        self.waiting = []
        self.enqueue(runs)

    def end_without_answer(self, runs: Iterable[EngineRun], reason: str, cause: Cause) -> None:
        """Records why the runs gave no certified answer."""
        for run in runs:
            self.without_answer(run, reason, cause)

    def ended(self, run: EngineRun, report: Report) -> None:
        """Handles the end of a run: its answer gets a certification worker."""
        self.statistics[run.label] = report.statistics
        if report.kind == "unknown":
            reason = report.text.removeprefix(f"{run.engine}: ")
            self.without_answer(run, reason, report.cause)
            self.options.progress(run.label, Stage.UNKNOWN, {"reason": reason})
            return
        self.uncertified.append((run, report))
        self.start_certifications()

    @property
    def next_certification(self) -> float:
        """The time.monotonic() when the next certificate may be checked, whatever becomes of those that are."""
        return max((worker.started + MOMENT_S for worker in self.certification_workers), default=-math.inf)

    def start_certifications(self) -> None:
        """Starts the check of the certificate that waits longest, unless another check has just begun."""
        while self.uncertified and self.next_certification <= time.monotonic():
            run, report = self.uncertified.pop(0)
            self.options.progress(run.label, Stage.CERTIFY, {})
            self.suspend_runs()
            self.certification_workers[self.certification_worker(report)] = (run, report)

    def suspend_runs(self) -> None:
        """Lets the runs wait for a check that begins, unless there is another one; their deadlines move."""
        if self.certification_workers:
            return
        now = time.monotonic()
        seconds = max(0.0, min(now - self.begin, EQUAL_SHARE * (self.deadline - now)))
        self.suspended_until = now + seconds
        self.running = {number: (run, end + seconds) for number, (run, end) in self.running.items()}
        self.reduction_deadlines = {variant: end + seconds for variant, end in self.reduction_deadlines.items()}
        for host in self.hosts.values():
            host.suspend()

    def resume_runs(self) -> None:
        """Lets the runs go on once nothing is checked any more, or the check takes too long."""
        if self.suspended_until > -math.inf and (
            not self.certification_workers or time.monotonic() >= self.suspended_until
        ):
            self.suspended_until = -math.inf
            for host in self.hosts.values():
                host.resume()

    def certification_worker(self, report: Report) -> Worker[CertificationResult]:
        """A process that checks the certificate of an answer."""
        system, certify = self.system, self.options.certify

        def certify_answer(channel: object) -> CertificationResult:
            return CertificationResult.of(certify(certificate(system, report)))

        seconds = self.last_end - time.monotonic()
        return Worker(certify_answer, seconds, self.options.memory_mb, name="judge")

    def take_certifications(self) -> None:
        """The first accepted certificate, in the order in which they came, is the result."""
        for worker in [worker for worker in self.certification_workers if worker.outcome is not None]:
            run, report = self.certification_workers.pop(worker)
            assert worker.outcome is not None
            certification = worker.outcome.value or CertificationResult(
                False, f"check of the certificate: {worker.outcome.reason}"
            )
            if certification.accepted and self.accepted is None:
                answer = certificate(self.system, report)
                self.accepted = PortfolioResult(answer, run.label, certification, self.reasons, self.statistics)
            elif not certification.accepted:
                refused = "certificate refused: " if certification.cause is Cause.REFUSED else ""
                self.without_answer(run, f"{refused}{certification.reason}", certification.cause)
                self.options.progress(run.label, Stage.REFUSED, {"reason": certification.reason})
