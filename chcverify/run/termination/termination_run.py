"""Termination of C programs: a run that does not end, found by execution, or ranks relative to invariants.

Both answers are certificates, which the kernel checks on the original clauses.
"""

import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

import z3

from chcverify.certificate.files.certificate_text import model_from_text, model_to_text
from chcverify.certificate.files.termination_json import non_termination_to_text, ranking_from_text, ranking_to_text
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.certificate.termination import Lasso, NonTermination, RankingProof
from chcverify.effort import BRIEF_SHARE, EARLY_SHARE, EQUAL_SHARE, LONG_STEP_S, MAIN_SHARE, MAX_COMBINED, WAIT_S
from chcverify.errors import InputError
from chcverify.horn.system import HornSystem
from chcverify.portfolio.processes import run_limited
from chcverify.portfolio.run_plan import CertificationResult, Certify, EngineRun, PortfolioResult
from chcverify.portfolio.schedule import choose
from chcverify.problems.c_problem import CProblem, with_estimates
from chcverify.problems.protocol import Problem, Refused
from chcverify.properties.registry import parts
from chcverify.properties.termination import TERMINATION
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from chcverify.results.outcome import Outcome
from chcverify.results.reasons import Cause
from chcverify.results.result import Safe, Unsafe
from chcverify.results.source_facts import LoopVariant, TraceStep
from chcverify.run import driver
from chcverify.run.groups.value_models import value_facts, value_models
from chcverify.run.phases import size_of
from chcverify.run.termination.loop_notes import non_termination_notes, ranking_notes
from chcverify.terms.core.traversal import conjunction
from encoders.c.certificates.invariants.source_invariants import source_ranks, source_variants
from encoders.c.termination.endless_runs import (
    EndlessRun,
    LongRun,
    are_inputs,
    find_endless_run,
    long_runs,
    reason_against_long_run,
    trace_of,
    trace_of_long_run,
)
from solvers.engine import Context
from solvers.termination.loop_variants import loop_variants, ranks_of_heads
from solvers.termination.proofs import PRESETS, prove_with_invariants
from solvers.termination.ranking_search import NotFound, RanksOutOfTime
from solvers.termination.recurrence_search import open_variables, restriction
from solvers.termination.searched_paths import cut_points_of
from solvers.value_analysis.partitions.zero_partition import Facts


@dataclass(frozen=True)
class FoundRanks:
    """The end of a search for ranks."""

    text: str = ""
    """The text of a proof; "" if there is none."""
    reason: str = ""
    """Why there is none."""
    cause: Cause = Cause.GAVE_UP
    """The kind of that reason."""


class TerminationRun(driver.VerificationRun):
    """A run that decides whether all runs of a program end."""

    decider = TERMINATION.decider

    def decided(self) -> Outcome:
        try:
            if self.options.cache.only:
                return self.unknown("the cache has no proofs of termination", Cause.NOT_CACHED)
            with self.phases("encode"):
                problem = self.load(self.task)
            if not isinstance(problem, CProblem):
                raise InputError(self.task.input_file, 0, 0, "termination is a property of C programs and clauses")
            self.statistics["system"] = size_of(problem.system)
            if self.wanted:
                with self.phases("random runs"):
                    tested = self.find_violation_by_testing(problem)
                if tested is not None and isinstance(tested.result, Unsafe):
                    with self.phases("explain"):
                        return self.explain(problem, tested.result, tested)
            with self.phases("rank"):
                # Ranks are of integers: where a program with bit-vectors has loops, estimates are taken.
                ranked = (with_estimates(problem) if cut_points_of(problem.system) else None) or problem
                is_function = problem.encoding.program.harness is not None
                share = MAIN_SHARE if is_function else EARLY_SHARE
                first = self.ranks(ranked, anything(ranked.system), (), self.until(share))
            if not first.text:
                with self.phases("random runs"):
                    found = self.endless_run(problem, self.at_most(EARLY_SHARE, WAIT_S), long=False)
                if found is None:
                    with self.phases("recurrence sets"):
                        until = self.at_most(BRIEF_SHARE, LONG_STEP_S)
                        found = self.recurrent_run(problem, until)
                if found is not None:
                    return found
            return self.ended(problem, ranked, first)
        except Refused as refusal:
            return self.unknown(str(refusal), Cause.UNSUPPORTED)

    @property
    def wanted(self) -> frozenset[CheckKind]:
        """The kinds of checks whose violations are looked for, too."""
        return frozenset(kind for item in parts(self.task.property) if item.is_set_of_checks for kind in item.kinds)

    def unknown(self, reason: str, cause: Cause) -> Outcome:
        return self.outcome_with("unknown", "unknown", reason=reason, cause=cause)

    # --- runs that do not end ---------------------------------------------------------------------------------------

    def at_most(self, share: float, seconds: float) -> float:
        """When, as time.monotonic(), a share of the time left is over, or so many seconds are."""
        return min(self.until(share), time.monotonic() + seconds)

    def endless_run(self, problem: CProblem, until: float, *, long: bool) -> Outcome | None:
        """The certified outcome of a run that does not end; None if none is found. until: time.monotonic()."""
        found = self.find(problem, until, long=long)
        if found is None:
            return None
        certification = self.certified(problem.system, found.lasso)
        if not certification.accepted:
            self.statistics["random runs"] = certification.reason
            return None
        trace = trace_of(problem.encoding, found)
        return self.violated_by(problem, found.lasso, trace, certification)

    def find(self, problem: CProblem, until: float, *, long: bool) -> EndlessRun | None:
        """A run that does not end, by execution; until, long: as of find_endless_run."""
        return find_endless_run(problem.encoding, self.options.limits.seed, until, long=long)

    def recurrent_run(self, problem: CProblem, until: float) -> Outcome | None:
        """The certified outcome of a run that stays in a closed recurrence set; None if none is found.

        until: time.monotonic() to stop at.
        """
        system, encoding = problem.system, problem.encoding
        for run in itertools.islice(self.long_runs(problem, until), MAX_COMBINED):
            restricted = restriction(system, run.steps)
            if restricted is None or reason_against_long_run(encoding, run, until):
                continue
            if not all(are_inputs(encoding, i, open_variables(system.clauses[i])) for i in restricted.clauses):
                continue
            model = self.model_of(restricted.system, until)
            if model is None:
                continue
            recurrence = restricted.recurrence(model)
            certification = self.certified(system, recurrence)
            if certification.accepted:
                trace = trace_of_long_run(encoding, run, len(recurrence.steps) - 1)
                return self.violated_by(problem, recurrence, trace, certification)
            self.statistics["recurrence sets"] = certification.reason
        return None

    def long_runs(self, problem: CProblem, until: float) -> Iterator[LongRun]:
        """Runs around which closed recurrence sets are looked for. until: time.monotonic() to stop at."""
        return long_runs(problem.encoding, self.options.limits.seed, until)

    def model_of(self, system: HornSystem, until: float) -> Model | None:
        """A model without definitions; None if engines find none. until: time.monotonic() to stop at."""

        def accepts(answer: Safe | Unsafe) -> CertificationResult | bool:
            if isinstance(answer, Unsafe):
                return True  # nothing is concluded from it
            return not (answer.model.definitions or answer.model.folds) and self.certify_model(system, answer)

        found = super().portfolio(system, choose(system), until, accepts)
        return found.result.model if isinstance(found.result, Safe) else None

    def violated_by(
        self,
        problem: CProblem,
        certificate: NonTermination,
        trace: tuple[TraceStep, ...],
        certification: CertificationResult,
    ) -> Outcome:
        """The outcome of a run whose certificate was accepted."""
        system, is_lasso = problem.system, isinstance(certificate, Lasso)
        return self.outcome_with(
            "unsafe",
            f"false({TERMINATION.name})",
            engine="random runs" if is_lasso else "recurrence sets",
            checkers=certification.checkers,
            certificate=non_termination_to_text(system, certificate),
            trace=trace,
            loops=non_termination_notes(system, certificate),
            assumptions=problem.assumptions(None, self.deadline),
        )

    # --- proofs that all runs end -----------------------------------------------------------------------------------

    def ended(self, program: CProblem, problem: CProblem, first: FoundRanks) -> Outcome:
        """The outcome by a proof, or why there is none.

        problem: whose clauses have ranks. first: the end of the search for ranks that need no invariants.
        """
        model: Model | Outcome = anything(problem.system)
        is_new = False
        if problem.system.queries:
            with self.phases("safety"):
                values = self.model_of_values(problem)
                model = values or self.safe_model(problem)
                is_new = values is None
        if isinstance(model, Outcome):
            return model
        found = self.ranked(problem, model, first, is_new=is_new)
        if found.status == "unknown" and found.cause is not Cause.REFUSED:
            with self.phases("random runs"):
                return self.endless_run(program, self.until(EQUAL_SHARE), long=True) or found
        return found

    def safe_model(self, problem: CProblem) -> Model | Outcome:
        """A model of the clauses, by which no run has an access outside its object; the outcome if there is none."""
        found = self.solve(problem, self.plan(problem.system))
        if isinstance(found.result, Safe):
            return found.result.model
        if isinstance(found.result, Unsafe):
            check = problem.violated(found.result.derivation)
            if check is not None and check.kind in self.wanted:
                with self.phases("explain"):
                    return self.explain(problem, found.result, found)
            what = f"{check.kind} at {check.origin}" if check else "a violation"
            return self.unknown(f"a run has undefined behaviour before it ends: {what}", Cause.GAVE_UP)
        outcome = self.undecided(problem, found)
        reason = f"it is not known whether each access is within its object: {outcome.reason}"
        return self.outcome_with("unknown", "unknown", reason=reason, reasons=found.reasons, cause=outcome.cause)

    def model_of_values(self, problem: CProblem) -> Model | None:
        """The model of what the value analysis knows, if that excludes all violations; None if it does not."""
        system, until = problem.system, self.until(EQUAL_SHARE)

        def search() -> str:
            wanted = frozenset(system.queries)
            models = (found.whole() for found in value_models(problem, until) if found.refuted == wanted)
            return next((model_to_text(system, model, for_people=False) for model in models), "")

        limited = run_limited(search, until - time.monotonic() + 1.0, self.options.limits.memory)
        return model_from_text(system, limited.value) if limited.value else None

    def certify_answer(self, problem: Problem, answer: Safe | Unsafe, is_replaced: bool = False) -> CertificationResult:
        if isinstance(answer, Safe) and (answer.model.definitions or answer.model.folds):
            return CertificationResult(False, "a proof of termination needs a model without definitions of its own")
        return super().certify_answer(problem, answer, is_replaced)

    def portfolio(
        self, system: HornSystem, plan: Sequence[EngineRun], deadline: float, certify: Certify
    ) -> PortfolioResult:
        return super().portfolio(system, plan, min(deadline, self.until(EQUAL_SHARE)), certify)

    def ranked(self, problem: Problem, model: Model, first: FoundRanks, *, is_new: bool) -> Outcome:
        """The outcome by ranks that are certified, or why there are none.

        model: of all clauses. first: the end of the search for ranks that need no invariants. is_new: the model says
        what that search did not know.
        """
        system, text = problem.system, first.text
        if not text:
            is_later = not is_new and first.cause is Cause.GAVE_UP
            with self.phases("rank"):
                ranks = self.ranks(problem, model, PRESETS, self.until(MAIN_SHARE), is_later=is_later)
            text = ranks.text
            if not text:
                return self.unknown(ranks.reason, ranks.cause)
        proof = ranking_from_text(system, text)
        stronger = {p: conjunction([proof.model[p], model[p]]) for p in system.predicates}
        proof = replace(proof, model=Model(stronger))
        certification = self.certified(system, proof)
        if not certification.accepted:
            return self.unknown(f"certificate refused: {certification.reason}", Cause.REFUSED)
        return self.proved_by(problem, proof, certification)

    def ranks(
        self, problem: Problem, model: Model, presets: Sequence[str], until: float, *, is_later: bool = False
    ) -> FoundRanks:
        """A proof relative to a model, to what the value analysis of a C program finds, and to the invariants of
        presets.

        until: time.monotonic() to stop at. is_later: as of `prove_with_invariants`.
        """
        system = problem.system
        known = model_to_text(system, model, for_people=False)

        def facts() -> Facts | None:
            found = value_facts(problem, until) if isinstance(problem, CProblem) else None
            return found[0] if found is not None else None

        def search() -> FoundRanks:
            try:
                context = Context(until, self.options.limits.seed)
                known_model = model_from_text(system, known)
                proof = prove_with_invariants(system, known_model, presets, context, facts, is_later=is_later)
            except NotFound as failure:
                cause = Cause.TIME if isinstance(failure, RanksOutOfTime) else Cause.GAVE_UP
                return FoundRanks(reason=str(failure), cause=cause)
            return FoundRanks(ranking_to_text(system, proof))

        limited = run_limited(search, until - time.monotonic() + 1.0, self.options.limits.memory)
        return limited.value or FoundRanks(reason=f"the search for ranks: {limited.reason}", cause=limited.cause)

    def proved_by(self, problem: Problem, proof: RankingProof, certification: CertificationResult) -> Outcome:
        """The outcome of a proof that was accepted."""
        assert isinstance(problem, CProblem)
        shows = self.options.output.show_invariants or self.options.output.witness is not None
        return self.outcome_with(
            "safe",
            problem.words["safe"],
            engine="ranks",
            invariants=self.invariants(problem, Safe(proof.model)) if shows else (),
            variants=self.variants(problem, proof) if shows else (),
            ranks=tuple(source_ranks(problem.encoding, ranks_of_heads(proof))) if self.options.output.witness else (),
            checkers=certification.checkers,
            certificate=ranking_to_text(problem.system, proof, problem.encoding.theory.has_estimates),
            loops=ranking_notes(proof),
            explanation=(*without_cycles(proof), *left_out(problem)),
            assumptions=problem.assumptions(None, self.deadline),
        )

    def variants(self, problem: CProblem, proof: RankingProof) -> tuple[LoopVariant, ...]:
        """The variants of loops that one rank ends."""
        return tuple(source_variants(problem.encoding, loop_variants(problem.system, proof)))

    def certified(self, system: HornSystem, certificate: RankingProof | NonTermination) -> CertificationResult:
        """The kernel's answer, in a child within the time that is left."""
        second, processes = self.options.check.second, self.options.limits.check_processes

        def check() -> CertificationResult:
            begin = time.monotonic()
            found = certify(system, certificate, self.certified_by, second, None, processes)
            details: dict[str, Any] = {
                "checkers": list(found.checkers),
                "verdicts": [asdict(verdict) for verdict in found.verdicts],
                "seconds": round(time.monotonic() - begin, 3),
            }
            return CertificationResult(found.accepted, found.reason, details, checkers=tuple(found.checkers))

        limited = run_limited(check, self.deadline - time.monotonic(), self.options.limits.memory)
        if limited.value is None:
            return CertificationResult(False, limited.reason)
        self.statistics["certificate"] = dict(limited.value.details)
        return limited.value


def anything(system: HornSystem) -> Model:
    """The model of all facts."""
    return Model({predicate: z3.BoolVal(True) for predicate in system.predicates})


def without_cycles(proof: RankingProof) -> tuple[str, ...]:
    """A line that says so where there is no cycle in the clauses."""
    return () if proof.nodes else ("no loop and no recursion: every run ends",)


def left_out(problem: CProblem) -> tuple[str, ...]:
    """A line about the runs that the verdict is not about, if there may be any."""
    kinds = sorted({check.kind.value for check in problem.encoding.program.assumed})
    return (f"not about runs with undefined behaviour: {', '.join(kinds)}",) if kinds else ()
