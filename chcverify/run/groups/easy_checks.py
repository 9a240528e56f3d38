"""The checks of a program that models of its clauses prove at once, whatever the other checks are.

Inductive models of the clauses of all checks are looked for, the cheapest first. One proves each check whose queries it
refutes: for these alone it is a model of the group's clauses, and the kernel checks it there as any other certificate.
A check that is hard or violated costs the others nothing. Behind a check its condition holds, since a run that violates
it ends there: so a verdict is about runs without an earlier violation, as everywhere.
"""

import gc
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from chcverify.cache.store import CacheEntry
from chcverify.certificate.files.certificate_text import model_to_text
from chcverify.certificate.kernel.checkers.cvc5_process import WarmCvc5
from chcverify.effort import EQUAL_SHARE, LAST_SHARE, LEAST_S, MAIN_SHARE, MAX_BUILT
from chcverify.horn.system import HornSystem, Predicate
from chcverify.options import Options
from chcverify.portfolio.processes import items_limited
from chcverify.portfolio.run_plan import PortfolioResult
from chcverify.problems.c_problem import CProblem
from chcverify.problems.check_problems import CheckProblems
from chcverify.problems.protocol import Problem
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check
from chcverify.results.events import ignore
from chcverify.results.result import Safe
from chcverify.run.check_groups import GroupRun, Recalled
from chcverify.run.groups.partial_models import NO_CLAUSE, ModelSource, PartialModel, model_of_reachability
from chcverify.run.groups.value_models import cell_models, parted_models, value_models
from chcverify.task import Task
from chcverify.transforms.base import BackTranslator, Chain, Transform
from chcverify.transforms.pipeline import Pipeline, default_pipeline
from chcverify.transforms.separate_queries import SeparateQueries, separate_queries


def _reachability(whole: CProblem, until: float) -> Iterator[PartialModel]:
    yield model_of_reachability(whole.system)


@dataclass(frozen=True)
class ProvedChecks:
    """Checks with one accepted certificate."""

    checks: tuple[Check, ...]
    leaves_traps: bool
    """Traps behind which no run comes to a check are left out, although these are all checks."""
    left_out: str
    """The first trap that the proof leaves out."""
    recalled: Recalled
    entry: CacheEntry | None
    """The certificate for the cache."""
    model: str = ""
    """The model that is accepted, as text, for what is decided later; "" where nothing is, or where the model says only
    which predicates nothing derives."""


@dataclass(frozen=True, eq=False)
class EasyChecks:
    """The search for the easy ones among the checks of a program."""

    task: Task
    options: Options
    problems: CheckProblems
    checks: tuple[Check, ...]
    wanted: tuple[Check, ...]
    """Those of them that have no verdict."""
    sources: Sequence[ModelSource]
    """Of the models, in the order in which they are asked."""
    spare: WarmCvc5 | None = None
    """A process of cvc5."""
    is_tested: bool = False
    """Random runs violate none of these."""

    def proved(self, seconds: float, longest: float = 0.0) -> Iterator[ProvedChecks]:
        """Yields the checks that are proved within this time as they are known, in groups; each check once.

        longest: seconds for both searches: those that are left are looked at again by cases, if the sources have a
        value analysis and took only a part of their time.
        """
        begin, done = time.monotonic(), set[Check]()
        for found in items_limited(lambda: self._proved(begin + seconds), seconds, self.options.limits.memory):
            done.update(found.checks)
            yield found
        passed, left = time.monotonic() - begin, tuple(check for check in self.wanted if check not in done)
        again = min(seconds, longest - passed)
        if left and again >= LEAST_S and passed <= MAIN_SHARE * seconds and _VALUE_SOURCE in self.sources:
            source = ModelSource("value analysis by cases", MAIN_SHARE, partial(parted_models, frozenset(left)))
            yield from replace(self, wanted=left, sources=(source,)).proved(again)

    def _proved(self, end: float) -> Iterator[ProvedChecks]:
        """For a limited process, in which next to nothing of what is made is garbage."""
        gc.disable()
        whole = self.problems.of_checks(frozenset())
        if not isinstance(whole, CProblem):
            return
        done = frozenset(self.checks) - frozenset(self.wanted)
        for source in self.sources:
            now = time.monotonic()
            for partial_model in source.find(whole, now + source.share * (end - now)):
                for found in self._shown(whole, partial_model, done, end, source.name):
                    done |= frozenset(found.checks)
                    yield found
                if done.issuperset(self.checks):
                    return

    def _shown(
        self, whole: CProblem, found: PartialModel, done: frozenset[Check], end: float, source: str
    ) -> Iterator[ProvedChecks]:
        """The checks that a model proves, but those that are done. Where it is refused, its parts for half of them are
        checked in its place: one obligation that a solver does not decide takes away what depends on it alone."""
        fresh = tuple(check for check in self._group(whole, found.refuted) if check not in done)
        work = _parts(fresh, found, end - time.monotonic())[::-1]
        while work and (left := end - time.monotonic()) > 0:
            checks = work.pop()
            is_last = found.model_of_part is None or len(checks) == 1
            until = end if is_last else end - (1 - LAST_SHARE) * left
            is_rest = done.union(checks).issuperset(self.checks)
            proved = self._certified(whole, found, checks, until, source, is_rest)
            if proved is not None:
                yield proved
            elif not is_last:
                middle = len(checks) // 2
                work += [checks[middle:], checks[:middle]]

    def _group(self, whole: CProblem, refuted: frozenset[int]) -> tuple[Check, ...]:
        """The checks whose queries are refuted, and so are the traps before them."""
        infos = whole.encoding.infos
        open_ = {infos[index].check for index in whole.system.queries if index not in refuted}
        found = tuple(check for check in self.checks if check not in open_)
        return self.problems.without_trap_before(found, refuted) if None in open_ else found

    def _certified(
        self, whole: CProblem, found: PartialModel, checks: tuple[Check, ...], end: float, source: str, is_rest: bool
    ) -> ProvedChecks | None:
        """The checks, if the model is accepted for the clauses of their group. source: of the model, by name. is_rest:
        no other check is open."""
        leaves_traps = len(checks) == len(self.checks) and _has_open_trap(whole, found.refuted)
        problem = self.problems.of_group(frozenset(self.checks) - frozenset(checks), leaves_traps)
        queries = _queries(whole, problem)
        if not found.refuted.issuperset(queries):
            return None
        run = GroupRun(self.task, self.options, time.monotonic(), ignore, lambda task: problem, self.spare)
        run.is_tested = self.is_tested
        if source == NO_CLAUSE:
            run.unreached_share = 0.0  # the model is true or false everywhere, and says all that it knows
        run.certified_by = run.deadline = end
        answer = Safe(found.of(queries))
        certified = run.certify_answer(problem, answer)
        if not certified.accepted or run.find_violation_by_testing(problem) is not None or run.violated:
            return None  # a run violates one of these checks: a model of an engine would be refused, too
        result = PortfolioResult(answer, source, certified)
        run.keep_answer(problem, result)
        outcome = run.explain(problem, answer, result)
        left_out = self.problems.left_out(problem)
        is_of_use = source != NO_CLAUSE and not is_rest
        text = outcome.certificate or model_to_text(problem.system, answer.model, for_people=False) if is_of_use else ""
        return ProvedChecks(checks, leaves_traps, left_out, Recalled(outcome, run.unreached), run.entry, text)


def _parts(checks: tuple[Check, ...], found: PartialModel, left_s: float) -> list[tuple[Check, ...]]:
    """The checks, all of them in one part if their model can be checked in a quarter of the time left, by the time that
    the search for it took; else in as many parts as that needs.

    A check that is not over in time proves nothing: 204 checks of blowfish_key_setup were lost in this way.
    """
    number = 1
    while found.model_of_part is not None and found.search_s / number > (1 - MAIN_SHARE) * left_s > 0:
        number *= 2
    size = -(-len(checks) // number)
    return [checks[first : first + size] for first in range(0, len(checks), size)] if checks else []


def _queries(whole: CProblem, part: Problem) -> list[int]:
    """The queries of a problem that has some of the clauses of another one, by their indices there."""
    assert isinstance(part, CProblem)
    kept = {id(info) for info in part.encoding.infos}
    return [index for index in whole.system.queries if id(whole.encoding.infos[index]) in kept]


def _has_open_trap(whole: CProblem, refuted: frozenset[int]) -> bool:
    """True if a trap is not refuted."""
    return any(whole.encoding.infos[index].check is None for index in whole.system.queries if index not in refuted)


@dataclass(frozen=True, eq=False)
class _Goals:
    """The reduced clauses of a system with a predicate for each query."""

    separate: SeparateQueries
    failures: frozenset[Predicate]
    reduced: HornSystem
    back: BackTranslator

    @classmethod
    def of(cls, system: HornSystem, until: float) -> "_Goals":
        """until: time.monotonic() at which the reduction ends with what it has."""
        separate = separate_queries(system)
        failures = frozenset(separate.failures.values())
        reduced, back, _ = default_pipeline(not_unfolded=failures).run(separate.system, until)
        return cls(separate, failures, reduced, back)

    def refuted(self, until: float, passes: Sequence[Transform] = ()) -> Iterator[PartialModel]:
        """What invariants of the reduced clauses refute; passes: after these are applied to them."""
        from solvers.engine import Context  # most runs end before they are needed
        from solvers.invariants.refuted_goals import refuted_goals

        changed, last, _ = Pipeline(passes, rounds=1).run(self.reduced, until)
        back = Chain((self.back, last))
        goals: list[Predicate] = [p for p in changed.predicates if p in self.failures]
        for found in refuted_goals(changed, goals, Context(until)):
            open_ = frozenset(goals) - found.refuted
            refuted = frozenset(index for index, failure in self.separate.failures.items() if failure not in open_)
            yield PartialModel(refuted, partial(back.model, found.model))

    def refuted_by_positions(self, until: float) -> Iterator[PartialModel]:
        """The same for the positions of sentinels, such as ends of strings; nothing where no loop reads up to one."""
        from chcverify.portfolio.variants import before_cells
        from chcverify.transforms.abstractions.sentinel_positions import SentinelPositions, has_sentinels

        if has_sentinels(self.reduced):
            positions = Pipeline((*before_cells(), SentinelPositions()))
            yield from self.refuted(until, (positions, default_pipeline(not_unfolded=self.failures)))


def _common_invariants(whole: CProblem, until: float, *, are_positions_known: bool) -> Iterator[PartialModel]:
    """Invariants that engines compute for the reduced clauses; more queries are refuted each time.

    are_positions_known: `_sentinel_positions` was asked before.
    """
    goals = _Goals.of(whole.system, until)
    yield from goals.refuted(until)
    if not (are_positions_known and _is_small(whole.system)):
        yield from goals.refuted_by_positions(until)


def _sentinel_positions(whole: CProblem, until: float) -> Iterator[PartialModel]:
    """Invariants for the positions of sentinels of small systems: the reduction of cJSON_Parse (some 5,000 clauses)
    takes 15 s of the processor."""
    if _is_small(whole.system):
        yield from _Goals.of(whole.system, until).refuted_by_positions(until)


def _is_small(system: HornSystem) -> bool:
    return len(system.clauses) <= MAX_BUILT


_VALUE_SOURCE = ModelSource("value analysis", MAIN_SHARE, value_models)
QUICK_SOURCES = (ModelSource(NO_CLAUSE, 1.0, _reachability), _VALUE_SOURCE)
"""In the order in which they are asked: the cheapest first. They ask no solver."""
CELL_SOURCE = ModelSource("value analysis of cells", EQUAL_SHARE, cell_models)
SENTINEL_SOURCE = ModelSource("positions of sentinels", EQUAL_SHARE, _sentinel_positions)


def quick_sources(task: Task) -> tuple[ModelSource, ...]:
    """Those that are asked first. In calls of a function with any arguments, nothing relates members to sizes, and
    strings need have no end."""
    return QUICK_SOURCES if _is_any_call(task) else (*QUICK_SOURCES, CELL_SOURCE, SENTINEL_SOURCE)


def thorough_sources(task: Task) -> tuple[ModelSource, ...]:
    """Those that take seconds: of 53 functions of public projects they proved the checks of three places that the
    others had left, in 1 to 10 s of the processor for each function."""
    find = partial(_common_invariants, are_positions_known=not _is_any_call(task))
    return (ModelSource("common invariants", MAIN_SHARE, find),)


def _is_any_call(task: Task) -> bool:
    """Is the task about calls of a function with any arguments?"""
    harness = task.harness
    is_restricted = harness.requires or harness.contracts or harness.sizes or harness.asserts
    return task.entry not in (None, "main") and not is_restricted
