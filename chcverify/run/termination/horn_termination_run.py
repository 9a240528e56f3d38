"""Termination of the runs of Horn clauses, as of an integer transition system.

A run begins with a fact of a clause without body atoms, the entry, and a clause leads from the fact of its first body
atom to the fact of its head; docs/formats.md has the convention.
"""

import time
from dataclasses import replace

from chcverify.certificate.files.termination_json import non_termination_to_text, ranking_to_text
from chcverify.certificate.termination import Lasso, NonTermination, RankingProof
from chcverify.effort import EARLY_SHARE
from chcverify.horn.system import HornSystem
from chcverify.portfolio.run_plan import CertificationResult
from chcverify.problems.protocol import Problem, Refused
from chcverify.results.outcome import Outcome
from chcverify.results.reasons import Cause
from chcverify.results.result import Safe, Unsafe
from chcverify.run.phases import size_of
from chcverify.run.termination.loop_notes import non_termination_notes, ranking_notes
from chcverify.run.termination.termination_run import TerminationRun, anything, without_cycles
from solvers.termination.clause_runs import clause_runs, lasso_of
from solvers.termination.recurrence_search import restriction


class HornTerminationRun(TerminationRun):
    """A run that decides whether all runs of clauses end, and no query can be derived."""

    def decided(self) -> Outcome:
        try:
            with self.phases("encode"):
                problem = self.load(self.task)
            system = problem.system
            self.statistics["system"] = size_of(system)
            with self.phases("rank"):
                first = self.ranks(problem, anything(system), (), self.until(EARLY_SHARE))
            if not first.text:
                with self.phases("random runs"):
                    found = self.run_of_clauses(system, self.until(EARLY_SHARE))
                if found is not None:
                    return found
            model = anything(system)
            if system.queries:
                with self.phases("safety"):
                    answer = self.solve(problem, self.plan(system))
                if isinstance(answer.result, Unsafe):
                    return self.unknown("a query can be derived: the clauses have no model", Cause.GAVE_UP)
                if not isinstance(answer.result, Safe):
                    outcome = self.undecided(problem, answer)
                    return replace(outcome, reason=f"it is not known whether a query can be derived: {outcome.reason}")
                model = answer.result.model
            return self.ranked(problem, model, first, is_new=bool(system.queries))
        except Refused as refusal:
            return self.unknown(str(refusal), Cause.UNSUPPORTED)

    def run_of_clauses(self, system: HornSystem, until: float) -> Outcome | None:
        """The certified outcome of a run that does not end; None if none is found. until: time.monotonic()."""
        for steps in clause_runs(system, self.options.limits.seed, until):
            lasso = lasso_of(system, steps)
            if lasso is not None and (found := self.certified(system, lasso)).accepted:
                return self.endless(system, lasso, found)
            restricted = None if lasso is not None else restriction(system, steps)
            model = None if restricted is None else self.model_of(restricted.system, self.until(0.2))
            if restricted is not None and model is not None:
                recurrence = restricted.recurrence(model)
                if (found := self.certified(system, recurrence)).accepted:
                    return self.endless(system, recurrence, found)
            if time.monotonic() >= until:
                return None
        return None

    def endless(self, system: HornSystem, certificate: NonTermination, certification: CertificationResult) -> Outcome:
        """The outcome of a run whose certificate was accepted."""
        return self.outcome_with(
            "unsafe",
            "false(termination)",
            engine="random runs" if isinstance(certificate, Lasso) else "recurrence sets",
            checkers=certification.checkers,
            certificate=non_termination_to_text(system, certificate),
            loops=non_termination_notes(system, certificate),
        )

    def proved_by(self, problem: Problem, proof: RankingProof, certification: CertificationResult) -> Outcome:
        return self.outcome_with(
            "safe",
            "true",
            engine="ranks",
            checkers=certification.checkers,
            certificate=ranking_to_text(problem.system, proof),
            loops=ranking_notes(proof),
            explanation=without_cycles(proof),
        )
