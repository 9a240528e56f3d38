"""The driver: from input to verdict. Nothing else composes the phases.

input -> HornSystem -> transforms -> engines -> back-translation -> check on the original system -> replay -> verdict

Transforms, engines, back-translation and the check run in the portfolio's processes, which get functions that make
variants and check certificates, and return only accepted answers.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.files.certificate_text import derivation_to_text, model_to_text
from chcverify.certificate.kernel.checkers.cvc5_process import WarmCvc5
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.display_limits import IN_A_PAGE
from chcverify.effort import BRIEF_SHARE, EARLY_SHARE, EQUAL_SHARE, IMPROVEMENT_S, LONG_STEP_S, MAIN_SHARE, MOMENT_S
from chcverify.errors import InputError
from chcverify.explain.obstacle import obstacle
from chcverify.horn.system import HornSystem
from chcverify.options import Options
from chcverify.portfolio.processes import run_limited
from chcverify.portfolio.run_plan import CertificationResult, Certify, EngineRun, PortfolioResult, Reduce
from chcverify.portfolio.schedule import choose, features, named, with_settings
from chcverify.portfolio.scheduler import as_given, solve
from chcverify.portfolio.smaller_clauses import of_pruned, solve_with_invariants
from chcverify.portfolio.tuned import read_tuned
from chcverify.portfolio.variants import SystemVariants
from chcverify.problems.c_problem import load
from chcverify.problems.explanation_parts import failing_test_of, report_of
from chcverify.problems.horn_problem import HORN_WORDS, HornProblem
from chcverify.problems.protocol import Problem, Refused
from chcverify.processor_time import SpeedMeasurement
from chcverify.properties.registry import kinds_of, require_decider
from chcverify.results.assumption import Assumption
from chcverify.results.checks import violation_word
from chcverify.results.events import Decided, EngineEvent, Event, Listener, ignore
from chcverify.results.outcome import FailingTest, Obstacle, Outcome, Status
from chcverify.results.reasons import REPEATABLE, Cause, main_cause
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from chcverify.results.source_facts import SourceInvariant, TraceStep
from chcverify.run.claimed_invariants import claim_lines, with_claims
from chcverify.run.not_modelled import solve_beyond_traps
from chcverify.run.partial_invariants import inductive_core
from chcverify.run.phases import Phases, size_of
from chcverify.task import Task
from chcverify.transforms.base import TranslationError
from chcverify.transforms.known_invariants import KnownInvariants

if TYPE_CHECKING:
    from chcverify.results.report_data import ReportData
    from chcverify.run.cached_answers import CachedAnswers

TESTING_S = 0.5
"""Seconds of the clock for random runs, at most. Of 69 C tasks with a violation they find 24, the last one after 0.4 s;
engines, which wait for them, decide the others."""
T = TypeVar("T")
NOT_CACHED = "the cache has no certificate of these clauses that is accepted, and --cache-only starts no engine"


def run(
    task: Task,
    options: Options,
    started: float,
    listener: Listener = ignore,
    load: Callable[[Task], Problem] = load,
    spare: WarmCvc5 | None = None,
) -> Outcome:
    """The outcome of the task within options.limits, counted from `started` (time.monotonic()). Raises InputError.

    spare: a process of cvc5, to be used up.
    """
    return VerificationRun(task, options, started, listener, load, spare).outcome()


def decide(system: HornSystem, options: Options, started: float, listener: Listener = ignore) -> PortfolioResult:
    """The result for a system of this process, with its z3 terms; InputError for unknown engines."""
    run = VerificationRun(Task("", "horn", "check-sat"), options, started, listener)
    return run.solve(HornProblem(system, HORN_WORDS), run.plan(system))


class VerificationRun:
    """One run: its deadlines, phases, events and statistics."""

    engines: ClassVar[Sequence[str]] = ()  # where none are asked for; () for those that fit the system
    testing_check_fraction = EQUAL_SHARE
    known_share = EARLY_SHARE
    """Of the time, for engines with known invariants: with 40 %, a task of benchmarks/known_bugs took 17 s, not 7."""
    decider = __name__  # of the properties that a run of this class decides
    extension_s = 0.0
    """Seconds beyond the limit, for the check and the explanation of an answer that was found before."""

    def __init__(
        self,
        task: Task,
        options: Options,
        started: float,
        listener: Listener,
        load: Callable[[Task], Problem] = load,
        spare: WarmCvc5 | None = None,
    ) -> None:
        self.task = task
        require_decider(task.property, self.decider)
        self.load = load
        self.options = options
        self.started = started
        self.deadline = started + options.limits.timeout
        self.certified_by = self.deadline - options.limits.reserve - self.partial_seconds
        self.listener = listener
        self.phases = Phases(self.on_event)
        self.events: list[dict[str, Any]] = []
        self.latest: dict[str, str] = {}  # the phase of each engine's last event
        self.statistics: dict[str, Any] = {"phases": self.phases.seconds, "events": self.events}
        self.spare = spare
        self.cache: CachedAnswers | None = None
        if options.cache.directory:  # most runs do without its modules
            from chcverify.run import cached_answers

            self.cache = cached_answers.CachedAnswers.of(options.cache)
        self.known: KnownInvariants | None = None
        self.violated = ""  # what is known of a violation before any engine has run: a model would then be wrong
        self.unconfirmed = ""  # why a random run that reaches the error was not accepted as a violation

    @property
    def partial_seconds(self) -> float:
        """The seconds kept for invariants without a verdict, if they are asked for."""
        seconds = min(LONG_STEP_S, BRIEF_SHARE * self.options.limits.timeout)
        return seconds if self.options.output.show_invariants else 0.0

    def until(self, share: float, extension_s: float = 0.0) -> float:
        """The time.monotonic() when this share of the time that is left now, with an extension, is over."""
        now = time.monotonic()
        return now + share * (self.deadline + extension_s - now)

    def outcome(self) -> Outcome:
        """Decides the task, beside a process of cvc5 for the check."""
        if self.options.check.second != "off" and self.spare is None:
            with suppress(OSError):  # it is only a convenience
                self.spare = WarmCvc5()  # cvc5 is loaded while the input is read
        try:
            return self.decided()
        finally:
            if self.spare is not None:
                self.spare.stop()

    def decided(self) -> Outcome:
        """Goes through the phases; the outcome."""
        try:
            with self.phases("encode"):
                problem = self.load(self.task)
            self.statistics["system"] = size_of(problem.system)
            plan = self.plan(problem.system)
            found = self.cached(problem)
            if found is None and (reason := self.not_to_be_tried(problem)):
                cause = Cause.NOT_CACHED if self.options.cache.only else Cause.GAVE_UP
                return self.outcome_with("unknown", "unknown", reason=reason, cause=cause)
            if found is None:
                with self.phases("random runs"):
                    found = self.find_violation_by_testing(problem)
            if found is None:
                with self.phases("solve"):
                    found = self.solve(problem, plan)
            if isinstance(found.result, Unknown):
                return self.keep_undecided(problem, self.undecided(problem, found))
            self.keep_answer(problem, found)
            with self.phases("explain"):
                return self.explain(problem, found.result, found)
        except Refused as refusal:
            return self.outcome_with("unknown", "unknown", reason=str(refusal), cause=Cause.UNSUPPORTED)

    def cached(self, problem: Problem) -> PortfolioResult | None:
        """The certified result of the cache; None without a cache, or without a certificate there that is accepted."""
        if self.cache is None:
            return None
        self.statistics["cache"] = self.cache.report
        with self.phases("cache"):
            share = 1.0 if self.options.cache.only else EQUAL_SHARE
            seconds = share * (self.certified_by - time.monotonic())
            found = self.cache.answer(
                problem.system,
                lambda answer: self.certify_answer(problem, answer),
                seconds,
                self.options.limits.memory,
            )
        if found is not None and found.certification is not None:
            self.statistics["certificate"] = dict(found.certification.details)
        return found

    def not_to_be_tried(self, problem: Problem) -> str:
        """The reason, by the options of the cache, not to start an engine; "" if there is none."""
        if self.options.cache.only:
            return NOT_CACHED
        return self.cache.undecided(problem.system, self.options) if self.cache is not None else ""

    def keep_answer(self, problem: Problem, found: PortfolioResult) -> None:
        """Stores a certified answer in the cache, if there is one."""
        if self.cache is not None:
            self.cache.keep(self.task, problem.system, found)

    def keep_undecided(self, problem: Problem, outcome: Outcome) -> Outcome:
        """The outcome; notes in the cache, if there is one, that these clauses are undecided."""
        if self.cache is not None and outcome.cause not in REPEATABLE:
            self.cache.keep_undecided(problem.system, self.options, outcome.reason)
        return outcome

    def undecided(self, problem: Problem, found: PortfolioResult) -> Outcome:
        """The outcome `unknown`: its reason, the obstacle, and invariants that hold nevertheless."""
        reasons = set(found.reasons.values())
        reason = reasons.pop() if len(reasons) == 1 else "no engine decided it"
        if self.options.check.replay == "native" and self.unconfirmed:
            reason = self.unconfirmed
        cause = main_cause(found.causes.values())
        if found.causes and set(found.causes.values()) == {Cause.NO_FORM}:
            reason = cause.value
        if cause in (Cause.NOT_CONFIRMED, Cause.DEPENDS):  # the first names what is not modelled, or where the run ends
            reason = next(found.reasons[run] for run, why in found.causes.items() if why is cause)
        why = {"reason": reason, "reasons": found.reasons, "cause": cause, "depends_on": found.depends_on}
        lines = claim_lines(problem, None, self.until(EQUAL_SHARE), self.options.limits.memory)
        more = {"report_data": self.report_data(problem, None), "invariants": self.partial(problem, found)}
        return self.outcome_with("unknown", "unknown", **why, claims=lines, obstacle=self.obstacle(problem), **more)

    def obstacle(self, problem: Problem) -> Obstacle | None:
        """The obstacle, in terms of the input's own lines."""
        return obstacle(problem.system, problem.assertions(), self.task.language == "c")

    def on_event(self, event: Event) -> None:
        """Passes an event on, and records the time at which an engine began a phase."""
        engine = event.engine if isinstance(event, EngineEvent) else ""
        phase = str(event.phase)
        if len(self.events) < IN_A_PAGE and self.latest.get(engine) != phase:
            self.latest[engine] = phase
            seconds = round(time.monotonic() - self.started, 3)
            self.events.append({"seconds": seconds, "engine": engine, "phase": phase})
        self.listener(event)

    def plan(self, system: HornSystem) -> Sequence[EngineRun]:
        """The engine runs: those of the options, or the schedule's for this system."""
        names = self.options.engines.names or self.engines
        if not names:
            return [run for run in self.scheduled(system) if run.engine not in self.options.engines.without]
        try:
            runs = named(names)
        except KeyError as error:
            raise InputError("--engine", 0, 0, str(error.args[0])) from error
        return with_settings(runs, self.options.engines.settings)

    def scheduled(self, system: HornSystem) -> Sequence[EngineRun]:
        """The runs of the tuned schedule that was given, or of the hand-made one."""
        file = self.options.engines.schedule
        return choose(system) if file is None else read_tuned(file).runs(features(system), self.options.limits.timeout)

    def find_violation_by_testing(self, problem: Problem) -> PortfolioResult | None:
        """The certified result of short random runs of a program; None if they reach no error."""
        now, measured = time.monotonic(), SpeedMeasurement.begin()
        try:
            derivation = problem.find_violation_by_testing(
                self.options.limits.seed,
                now + min(TESTING_S, BRIEF_SHARE * (self.deadline - now)),
            )
        except Refused as refusal:
            self.violated = str(refusal)
            self.keep_unconfirmed(str(refusal))
            return None
        if derivation is None:
            return None
        self.violated = "a run of the program reaches the error"
        if self.options.engines.names or self.options.check.cross_check:
            return None  # the engines that were asked for are to find it themselves
        answer = Unsafe(derivation)
        seconds = min(1.0, self.testing_check_fraction / measured.speed()) * (self.certified_by - time.monotonic())
        certified = run_limited(lambda: self.certify_answer(problem, answer), seconds, self.options.limits.memory)
        if certified.value is None or not certified.value.accepted:
            self.keep_unconfirmed(certified.value.reason if certified.value else certified.reason)
            return None
        self.statistics["certificate"] = dict(certified.value.details)
        return PortfolioResult(answer, "random runs", certified.value)

    def keep_unconfirmed(self, reason: str) -> None:
        """Remembers why a random run that reaches the error was not accepted as a violation."""
        self.unconfirmed = self.statistics["random runs"] = reason

    def solve(self, problem: Problem, plan: Sequence[EngineRun]) -> PortfolioResult:
        """The first answer whose certificate is accepted on the problem's own system."""
        plan = with_claims(problem, plan, bool(self.options.engines.names))
        if self.cache is not None and not self.options.engines.names:
            plan = self.cache.with_old_models(self.task, plan)
        found = solve_beyond_traps(problem, plan, self)
        self.statistics["engines"] = {label: dict(figures) for label, figures in found.statistics.items()}
        if found.certification is not None:
            self.statistics["certificate"] = dict(found.certification.details)
        return found

    def proved_at_once(self, problem: Problem, model: Model, source: str, share: float) -> PortfolioResult | None:
        """The result of a model that was found without an engine, if it is accepted in this part of the time left.
        source: of the model, by name."""
        answer, seconds = Safe(model), share * (self.certified_by - time.monotonic())
        certified = run_limited(lambda: self.certify_answer(problem, answer), seconds, self.options.limits.memory).value
        if certified is None or not certified.accepted:
            return None
        self.statistics["certificate"] = dict(certified.details)
        return PortfolioResult(answer, source, certified)

    def portfolio(
        self, system: HornSystem, plan: Sequence[EngineRun], deadline: float, certify: Certify
    ) -> PortfolioResult:
        """The result of the portfolio with the options of this run; where invariants are known, on smaller clauses:
        for a share of the time with these invariants, then without. deadline: time.monotonic()."""

        def solve_system(system: HornSystem, deadline: float, certify: Certify) -> PortfolioResult:
            return self._portfolio(system, plan, deadline, certify)

        if self.known is None or not self.known.fit(system):
            return solve_system(system, deadline, certify)
        return solve_with_invariants(system, self.known, self.known_share, deadline, certify, solve_system)

    def _portfolio(
        self, system: HornSystem, plan: Sequence[EngineRun], deadline: float, certify: Certify
    ) -> PortfolioResult:
        limits = self.options.limits
        return solve(
            system,
            plan,
            deadline=deadline,
            extension_s=self.extension_s if deadline >= self.certified_by else 0.0,  # another part may follow
            certify=certify,
            variants=SystemVariants(
                self.certified_by, self.audit if self.options.check.debug_transforms else None
            ).table(),
            memory_mb=limits.memory,
            jobs=limits.jobs,
            seed=limits.seed,
            progress=lambda label, phase, figures: self.on_event(EngineEvent(label, phase, dict(figures))),
        )

    def audit(self, name: str, system: HornSystem, certificate: Model | Derivation) -> None:
        """Checks the law of transforms: a back-translated certificate must be one of the system before the pass."""
        found = certify(system, certificate, self.certified_by, "off")
        if not found.accepted:
            raise TranslationError(f"the transform {name} breaks its law: {found.reason}")

    def certify_answer(self, problem: Problem, answer: Safe | Unsafe, is_replaced: bool = False) -> CertificationResult:
        """Accepted if the certificate holds on the original system and, for a program, its run ends at the violation
        that it derives; if it ends at another one, the derivation of that is checked in its turn. is_replaced: the
        answer is that derivation."""
        if isinstance(answer, Safe) and self.violated:
            return CertificationResult(False, self.violated)
        certificate = answer.model if isinstance(answer, Safe) else answer.derivation
        begin = time.monotonic()
        second, processes = self.options.check.second, self.options.limits.check_processes
        until = self.certified_by + self.extension_s
        found = certify(problem.system, certificate, until, second, self.spare, processes)
        seconds = round(time.monotonic() - begin, 3)
        verdicts = {"verdicts": [asdict(verdict) for verdict in found.verdicts]}
        if not found.accepted:
            return CertificationResult(False, found.reason, verdicts)
        details = {"checkers": list(found.checkers), **verdicts, "seconds": seconds}
        accepted = CertificationResult(True, details=details, checkers=tuple(found.checkers))
        if isinstance(certificate, Model):
            return accepted
        try:
            confirm = problem.confirm if self.options.check.replay == "native" else problem.replay
            ended = confirm(certificate, until)
        except Refused as refusal:
            return CertificationResult(False, str(refusal), verdicts, Cause.NOT_CONFIRMED)
        if ended is certificate:
            return replace(accepted, trace=self.explained(lambda: problem.recorded_trace(certificate), ()))
        if is_replaced:
            return CertificationResult(False, "the run ends at another violation", verdicts, Cause.NOT_CONFIRMED)
        other = self.certify_answer(problem, Unsafe(ended), is_replaced=True)
        return replace(other, derivation=derivation_to_text(problem.system, ended))

    def is_one_of_several(self, problem: Problem, answer: Result) -> bool:
        """As in `solve_beyond_traps`."""
        return False

    def certify_model(self, system: HornSystem, answer: Safe) -> CertificationResult:
        """Accepted if the model is one of a system."""
        until = self.certified_by + self.extension_s
        found = certify(system, answer.model, until, self.options.check.second, self.spare)
        return CertificationResult(found.accepted, found.reason)

    def explain(self, problem: Problem, answer: Safe | Unsafe, found: PortfolioResult) -> Outcome:
        """The outcome of a certified answer, with its explanation, which cannot change the verdict."""
        checkers = found.certification.checkers if found.certification else ()
        answer = found.accepted(problem.system, answer)
        who: dict[str, Any] = {"engine": found.engine, "checkers": checkers}
        who["assumptions"] = self.assumptions(problem, answer)
        claims_until = self.until(EQUAL_SHARE, self.extension_s)
        system, words, brief = problem.system, problem.words, self.options.output.brief
        is_written = self.options.output.certificate_texts and not brief
        if isinstance(answer, Unsafe):
            who["certificate"] = derivation_to_text(system, answer.derivation) if is_written else ""
            who["violated"] = violated = problem.violated(answer.derivation)
            kind = violated.kind if violated is not None and kinds_of(self.task.property) else None
            word = words["unsafe"] if kind is None else violation_word(kind)
            self.announce(self.outcome_with("unsafe", word, **who))
            who["claims"] = claim_lines(problem, answer, claims_until, self.options.limits.memory)
            who["report_data"] = self.report_data(problem, answer.derivation)
            who["trace"] = self.trace(problem, answer, found)
            who["warnings"] = self.warnings(problem, answer)
            who["test"] = self.failing_test(problem, answer)
            return self.outcome_with("unsafe", word, **who)
        is_read_again = self.task.all_checks and not brief  # by the run of all checks, for the groups that are left
        if is_written or is_read_again:
            who["certificate"] = model_to_text(system, answer.model, for_people=is_written)
        self.announce(self.outcome_with("safe", words["safe"], **who))
        who["claims"] = claim_lines(problem, answer, claims_until, self.options.limits.memory)
        shown = self.shown(system, answer.model.without_definitions())
        who["report_data"] = self.report_data(problem, shown)
        who["is_vacuous"] = self.is_vacuous(problem, answer)
        if self.options.output.verbose and shown is not answer.model:
            who["shown"] = model_to_text(system, shown)
        who["invariants"] = () if brief else self.invariants(problem, answer)
        return self.outcome_with("safe", words["safe"], **who)

    def announce(self, outcome: Outcome) -> None:
        """Lets a certified verdict stand if its explanation is stopped; that of one group of checks says too little."""
        if not self.task.all_checks:
            self.listener(Decided("explain", outcome))

    def explained(self, part: Callable[[], T], otherwise: T) -> T:
        """A part of the explanation, or `otherwise` if there is an error: the verdict is certified, and stands whatever
        can be said about it."""
        try:
            return part()
        except Exception as error:
            self.statistics["explanation"] = f"{type(error).__name__}: {error}"
            return otherwise

    def shown(self, system: HornSystem, model: Model) -> Model:
        """The model, simplified if an output shows it."""
        if not (self.options.output.verbose or self.options.output.report):
            return model
        from chcverify.explain.models import simplified

        return self.explained(lambda: simplified(system, model), model)

    def trace(self, problem: Problem, answer: Unsafe, found: PortfolioResult) -> tuple[TraceStep, ...]:
        if found.certification is not None and found.certification.trace:
            return found.certification.trace
        return self.explained(lambda: problem.trace(answer.derivation, self.until(EQUAL_SHARE, self.extension_s)), ())

    def warnings(self, problem: Problem, answer: Unsafe) -> tuple[str, ...]:
        try:
            until = self.until(EQUAL_SHARE, self.extension_s)
            if not self.options.output.warn_ub:
                until = min(until, time.monotonic() + MOMENT_S)
            return problem.warnings(answer.derivation, until, brief=not self.options.output.warn_ub)
        except Exception as error:  # the verdict stands without this part
            return (f"undefined behaviour is not known: {type(error).__name__}: {error}",)

    def failing_test(self, problem: Problem, answer: Unsafe) -> FailingTest | None:
        """The program for --test; None without that option."""
        if not self.options.output.test:
            return None
        return failing_test_of(problem, answer.derivation, self.until(MAIN_SHARE, self.extension_s))

    def report_data(self, problem: Problem, certificate: Model | Derivation | None) -> "ReportData | None":
        """The data for --report; None without that option."""
        return report_of(problem, certificate) if self.options.output.report else None

    def invariants(self, problem: Problem, answer: Safe) -> tuple[SourceInvariant, ...]:
        only_loop_heads = self.options.output.only_loop_heads
        return self.explained(lambda: problem.invariants(answer.model.without_definitions(), only_loop_heads), ())

    def assumptions(self, problem: Problem, answer: Safe | Unsafe) -> tuple[Assumption, ...]:
        derivation = answer.derivation if isinstance(answer, Unsafe) else None
        return problem.assumptions(derivation, self.until(EQUAL_SHARE, self.extension_s))

    def is_vacuous(self, problem: Problem, answer: Safe) -> bool:
        until = min(time.monotonic() + IMPROVEMENT_S, self.until(EARLY_SHARE, self.extension_s))
        return self.explained(lambda: problem.is_vacuous(answer.model, until), False)

    def partial(self, problem: Problem, found: PortfolioResult) -> tuple[SourceInvariant, ...]:
        """The invariants without a verdict, if they are asked for."""
        if not self.options.output.show_invariants:
            return ()
        lemmas: dict[str, list[str]] = {place: list(texts) for place, texts in found.lemmas.items()}
        until = self.until(MAIN_SHARE)

        def known() -> tuple[SourceInvariant, ...]:
            variants: dict[str, Reduce] = {"reduced": SystemVariants(until).reduced, "original": as_given}
            if self.known is not None and self.known.fit(problem.system):  # known invariants are candidates, too
                lemmas.setdefault("original", [])
                variants = {name: of_pruned(reduce, self.known) for name, reduce in variants.items()}
            return problem.invariants(inductive_core(problem.system, lemmas, variants, until))

        limited = run_limited(known, self.deadline - time.monotonic() - 0.1, self.options.limits.memory)
        if limited.value is None:
            self.statistics["explanation"] = limited.reason
        return limited.value or ()

    def outcome_with(self, status: Status, word: str, **more: Any) -> Outcome:
        seconds = time.monotonic() - self.started
        return Outcome(status, word, seconds=seconds, expected=self.task.expected, statistics=self.statistics, **more)
