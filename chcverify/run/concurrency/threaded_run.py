"""Programs with threads: schedules that violate the property are executed, thread-modular models prove it."""

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from chcverify.certificate.derivation import Derivation
from chcverify.effort import EARLY_SHARE, EQUAL_SHARE, MAIN_SHARE, MAX_TRIED, STEP_S
from chcverify.horn.system import HornSystem
from chcverify.options import Options
from chcverify.portfolio.processes import run_limited
from chcverify.portfolio.run_plan import Certify, EngineRun, PortfolioResult
from chcverify.problems.c_problem import c_words, load_c_program, translated_errors
from chcverify.problems.protocol import Refused
from chcverify.problems.thread_problem import NOT_A_RUN, ThreadProblem, Turns
from chcverify.properties.registry import kinds_of
from chcverify.quick_dataclass import dataclass
from chcverify.results.assumption import UNFOLLOWED_ACCESSES
from chcverify.results.checks import CheckKind, violation_word
from chcverify.results.events import Listener, ignore
from chcverify.results.outcome import Outcome
from chcverify.results.reasons import Cause
from chcverify.results.result import Safe, Unsafe
from chcverify.results.source_facts import TraceStep
from chcverify.run import driver
from chcverify.run.phases import size_of
from chcverify.task import Task
from chcverify.transforms.known_invariants import KnownInvariants

if TYPE_CHECKING:
    from encoders.c.cfa.ir import Program
    from encoders.c.concurrency.reduced_product import SwitchOrder
    from encoders.c.concurrency.thread_clauses import ThreadEncoding
    from encoders.c.execution.threads.search import ThreadViolation


@dataclass(frozen=True)
class ScheduledViolation:
    """A run that violates the property."""

    kind: CheckKind | None
    """Of the violated check; None for a data race or a deadlock."""
    trace: tuple[TraceStep, ...]
    lines: tuple[str, ...]
    """The explanation of the violation, in lines: the race, the waiting threads, undefined behaviour before it."""


# The orders of threads that reduced products are tried with, by name, each with its share of the time left then. Of ten
# weaver tasks, threads one after another decide six in 1 to 5 s of the processor; the others, unrolled or doubled
# loops, are decided in 1 to 8 s by threads that change with each write, most by Spacer on single steps.
REDUCED_FIRST = (("thread by thread", 0.35), ("each write", 0.5))
REDUCED_LATER = (("each round", 0.3),)
# Equalities between the state's parts prove most programs whose locks protect all that is shared; they were chosen by
# hand after trials with about five such programs, in which pdr and Spacer proved fewer.
QUICK_PLAN = (EngineRun("df", "reduced"),)
RACES_PLAN = (
    EngineRun("df", "reduced", fraction_of_remaining=0.6),
    EngineRun("spacer-global", "blocks", fraction_of_remaining=0.4),
    EngineRun("df-boxes-eq", "cases", fraction_of_remaining=0.5),
    EngineRun("df", "cases", fraction_of_remaining=0.5),
)
# On a task with two locks and two templates, of which known values leave a third of the clauses, Spacer took 1 s on
# whole blocks and 10 s on single steps, equalities 10 s with cases of flags and 20 s without.
MODULAR_PLAN = (
    EngineRun("spacer-global", "blocks", fraction_of_remaining=0.4),
    EngineRun("df-boxes-eq", "cases", fraction_of_remaining=0.5),
    EngineRun("df", "reduced", fraction_of_remaining=0.5),
    EngineRun("spacer-global", "reduced", fraction_of_remaining=0.5),
    EngineRun("df", "cases", fraction_of_remaining=0.5),
    EngineRun("df-poly", "reduced", fraction_of_remaining=0.5),
)
# Of 12 products of tasks, Spacer proved 8 within 3 s, df 4 within 8 s, and no product that Spacer did not prove.
# Explicit states, which end within 3 s, decide a ring buffer and critical sections that took Spacer 15 s and more.
FIRST_ON_PRODUCTS = (
    EngineRun("spacer-global", "reduced", fraction_of_remaining=0.4),
    EngineRun("explicit-large", "reduced", fraction_of_remaining=0.3),
)
# Explicit states end within 3 s, whether they decide or not; unrolling mostly does: of the programs with arrays of a
# constant size (queue_ok, stack) it decides two in 3 and 10 s, which no other engine does.
REDUCED_PLAN = (
    EngineRun("explicit-large", "reduced", fraction_of_remaining=0.3),
    EngineRun("spacer-global", "reduced", fraction_of_remaining=0.5),
    EngineRun("bounded", "original", fraction_of_remaining=0.8),
    EngineRun("df", "reduced", fraction_of_remaining=0.3),
    EngineRun("bmc", "reduced", fraction_of_remaining=0.5),
    EngineRun("df-poly", "reduced", fraction_of_remaining=0.4),
    EngineRun("spacer-global", "blocks", fraction_of_remaining=0.5),
    EngineRun("pdr", "reduced"),
)
_CREATION = re.compile(r"(?<!int )(?<!int\n)\b(?:pthread|thrd)_create\s*\(")
_BLOCKS = frozenset({CheckKind.LEAK, CheckKind.CLEANUP, CheckKind.FREE, CheckKind.LIFETIME})


def may_create_threads(task: Task) -> bool:
    """Is a C program interrupted, or does its text, as it is written, call pthread_create or thrd_create? Their
    declarations do not count."""
    if task.interrupts:
        return True
    if task.language != "c" or task.entry not in (None, "main"):
        return False
    texts = (Path(source.path) for source in task.files)
    return any(_CREATION.search(path.read_text(encoding="utf-8", errors="replace")) for path in texts if path.is_file())


def run(task: Task, options: Options, started: float, listener: Listener = ignore) -> Outcome:
    """As driver.run, for a program that may create threads."""
    return ThreadedRun(task, options, started, listener).outcome()


class ThreadedRun(driver.VerificationRun):
    """A run for a program with threads, and a set of checks."""

    races = False
    deadlocks = False
    share = 1.0  # of the time left, for the proof that is tried
    known_share = 1.0

    def decided(self) -> Outcome:
        """Looks for a schedule that violates the property, then for a model of the thread-modular clauses."""
        try:
            if self.task.entry not in (None, "main"):
                raise Refused("threads of one function by itself (--entry): they are followed from main")
            with self.phases("encode"):
                program = load_c_program(self.task, threads=True)
                self._require_modelled(program)
            now = time.monotonic()
            seconds = min(STEP_S, EARLY_SHARE * (self.deadline - now))
            with self.phases("scheduled runs"):
                long_until = now + EARLY_SHARE * (self.deadline - now)
                violated = self._violation(program, self.options.limits.seed, now + seconds, long_until)
            if violated is not None:
                return violated
            self._require_followed_accesses(program)
            with self.phases("clauses"):
                first = self.first_problem(program)
            self.statistics["system"] = size_of(first.system)
            with self.phases("solve"):
                problem, found = self._proved(program, first)
            if isinstance(found.result, Unsafe):
                with self.phases("schedule of the derivation"):
                    return self._followed(program, problem, found.result.derivation)
            if not isinstance(found.result, Safe):
                with self.phases("more scheduled runs"):
                    violated = self._violation(program, self.options.limits.seed + 1, self.certified_by)
                return violated or self.undecided(problem, found)
            with self.phases("explain"):
                return self.explain(problem, found.result, found)
        except Refused as refusal:
            return self.outcome_with("unknown", "unknown", reason=str(refusal), cause=Cause.UNSUPPORTED)

    def _proved(self, program: "Program", first: ThreadProblem) -> tuple[ThreadProblem, PortfolioResult]:
        """The first clauses with what decides them fast if they are thread-modular, then the product of the threads,
        or else the same clauses with all engines."""
        from encoders.c.concurrency.reduced_product import SwitchOrder

        if self.options.engines.names or self.deadlocks:
            return first, self.solve(first, self.plan(first.system))
        is_quick = not self.races and not _may_repeat_threads(program)
        for order, share in REDUCED_FIRST if is_quick else ():
            decided = self._reduced(program, SwitchOrder(order), share)
            if decided is not None:
                return decided
        self.share = EARLY_SHARE if is_quick else EQUAL_SHARE
        found = self.solve(first, QUICK_PLAN if is_quick else RACES_PLAN if self.races else MODULAR_PLAN)
        if isinstance(found.result, Safe):
            return first, found
        for order, share in REDUCED_LATER if is_quick else ():
            decided = self._reduced(program, SwitchOrder(order), share)
            if decided is not None:
                return decided
        self.share = MAIN_SHARE
        product = self.product(program)
        problem = product or first
        plan = self.plan(problem.system)
        if product is not None:
            plan = [*FIRST_ON_PRODUCTS, *(run for run in plan if not any(map(run.same, FIRST_ON_PRODUCTS)))]
        return problem, self.solve(problem, plan)

    def _reduced(
        self, program: "Program", order: "SwitchOrder", share: float
    ) -> tuple[ThreadProblem, PortfolioResult] | None:
        """What decides a reduced product of the threads, in a share of the time left; None if nothing does."""
        from encoders.c.concurrency.reduced_product import encode_reduced

        problem = self._product_problem(program, f"product, {order.value}", lambda: encode_reduced(program, order))
        if problem is None:
            return None
        self.share = share
        found = self.solve(problem, REDUCED_PLAN)
        return (problem, found) if isinstance(found.result, Safe | Unsafe) else None

    def _violation(self, program: "Program", seed: int, until: float, long_until: float = 0.0) -> Outcome | None:
        """The outcome of a schedule that violates the property and has been executed again; None if none is found.

        until, long_until: as in ThreadSearch.find.
        """
        from encoders.c.execution.threads.search import Wanted, find_violation

        wanted = Wanted(self.races, self.deadlocks)

        def search() -> ScheduledViolation | None:
            found = find_violation(program, seed, until, wanted, long_until)
            return None if found is None else _shown(found)

        limited = run_limited(search, max(until, long_until) - time.monotonic() + 1.0, self.options.limits.memory)
        if limited.value is None:
            self.statistics["scheduled runs"] = limited.reason
            return None
        return self._violated(program, limited.value, "scheduled runs")

    def _violated(self, program: "Program", shown: ScheduledViolation, engine: str) -> Outcome:
        word = c_words(self.task.property)["unsafe"] if shown.kind is None else violation_word(shown.kind)
        known = {"engine": engine, "trace": shown.trace, "explanation": shown.lines, "assumptions": program.assumptions}
        return self.outcome_with("unsafe", word, **known)

    def _followed(self, program: "Program", problem: ThreadProblem, derivation: Derivation) -> Outcome:
        """The outcome of a derivation that a run has followed, by that run again."""
        found = None if problem.turns is None else self._follow(program, problem.turns, derivation, self.deadline)
        if found is None:
            return self.outcome_with("unknown", "unknown", reason=NOT_A_RUN, cause=Cause.NOT_CONFIRMED)
        return self._violated(program, _shown(found), "a derivation from the product of the threads")

    def _follow(
        self, program: "Program", turns: Turns, derivation: Derivation, until: float
    ) -> "ThreadViolation | None":
        """A run that follows the steps of a derivation and violates the property."""
        from encoders.c.execution.threads.search import ThreadSearch, Wanted

        search = ThreadSearch(program, Wanted(self.races, self.deadlocks), self.options.limits.seed)
        steps = [each for step in derivation.ground_steps for each in turns.get(step.clause, ())]
        return search.follow(steps, until, MAX_TRIED)

    def portfolio(
        self, system: HornSystem, plan: Sequence[EngineRun], deadline: float, certify: Certify
    ) -> PortfolioResult:
        """As in the base class, with time left for more runs."""
        until = min(deadline, self.until(self.share))
        return super().portfolio(system, plan, until, certify)

    def product(self, program: "Program") -> ThreadProblem | None:
        """The clauses of the product; None if a thread may be created repeatedly, or if they are too many."""
        from encoders.c.concurrency.thread_product import encode_product

        return self._product_problem(program, "product", lambda: encode_product(program, self.races, self.deadlocks))

    def _product_problem(
        self, program: "Program", name: str, encode: "Callable[[], ThreadEncoding]"
    ) -> ThreadProblem | None:
        """The problem of clauses over the states of all threads; None if there are too many. name: in statistics."""
        from encoders.c.source.source_errors import Unsupported

        try:
            encoding = encode()
        except Unsupported as error:
            self.statistics[name] = error.construct
            return None
        turns = encoding.turns

        def follow(derivation: Derivation, until: float) -> bool:
            return self._follow(program, turns, derivation, until) is not None

        words, unmodelled = c_words(self.task.property), encoding.unmodelled
        return ThreadProblem(encoding.system, words, follow, turns, unmodelled, program.assumptions)

    def first_problem(self, program: "Program") -> ThreadProblem:
        """The thread-modular clauses."""
        from encoders.c.concurrency.owicki_gries import encode_threads

        with translated_errors():
            encoding = encode_threads(program, self.races)
        words, unmodelled = c_words(self.task.property), encoding.unmodelled
        self.known = KnownInvariants(encoding.known, only=encoding.system)
        return ThreadProblem(encoding.system, words, unmodelled=unmodelled, assumed=program.assumptions)

    def _require_followed_accesses(self, program: "Program") -> None:
        """Refused for proofs about races where a library function gets pointers: what it accesses is not followed."""
        call = next((item for item in program.assumptions if item.kind == UNFOLLOWED_ACCESSES), None)
        if self.races and call is not None:
            where = f"{call.file}:{call.line}:{call.column}"
            raise Refused(f"{where}: data races on what '{call.subject}' accesses through its arguments")

    def _require_modelled(self, program: "Program") -> None:
        """Refused for checks of blocks that threads share, which the clauses do not follow from thread to thread."""
        from encoders.c.cfa.ir import Allocate

        edges = [edge for function in program.functions.values() for edge in function.edges]
        if kinds_of(self.task.property) & _BLOCKS and any(isinstance(edge.operation, Allocate) for edge in edges):
            raise Refused("checks of allocated blocks in a program with threads")


def _may_repeat_threads(program: "Program") -> bool:
    """May a call that creates a thread be executed repeatedly?"""
    from encoders.c.concurrency.flat_threads import flatten_threads

    return any(thread.is_template for thread in flatten_threads(program).threads)


def _shown(found: "ThreadViolation") -> ScheduledViolation:
    """A violation as plain values, with its explanation."""
    kind = None if found.violation is None else found.violation.check.kind
    lines: tuple[str, ...] = (str(found.race),) if found.race is not None else ()
    lines += tuple(f"deadlock: thread {thread} waits at {where}" for thread, where in found.waiting)
    return ScheduledViolation(kind, found.trace, (*lines, *(str(event) for event in found.undefined)))
