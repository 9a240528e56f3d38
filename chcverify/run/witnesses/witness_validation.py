"""Validation of witnesses: the program and the witness's statements about it, decided as one program.

A correctness witness claims invariants: where one stands, the program gets an assertion of it, behind which it is
known. If that program has no violation, all invariants hold and the program is correct. A violation witness describes
runs: the program is cut down to these. Either way the driver decides: nothing without a checked certificate.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

from chcverify.effort import LAST_SHARE
from chcverify.errors import InputError
from chcverify.options import Options
from chcverify.portfolio.run_plan import EngineRun, PortfolioResult
from chcverify.portfolio.schedule import named
from chcverify.problems.protocol import Problem, Refused
from chcverify.properties.termination import TERMINATION
from chcverify.results.events import Listener
from chcverify.results.outcome import Outcome
from chcverify.run import driver
from chcverify.run.witnesses.witness_program import ProgramWithLongRun, ProgramWithRun, ProgramWithWitness
from chcverify.task import Task
from encoders.c.witnesses.witness_reader import NotSupported, Witness, read_witness

_FOR_LONG_RUNS = ("acceleration", "explicit", "spacer-global@blocks", "pdr@blocks", "bmc")
_WORDS = {"safe": ("confirmed", "rejected"), "unsafe": ("rejected", "confirmed"), "unknown": ("unknown", "unknown")}


def run(task: Task, path: str, options: Options, started: float, listener: Listener) -> Outcome:
    """The outcome for the witness in the file `path`: `word` is confirmed, rejected or unknown. Raises InputError."""
    try:
        witness = read_witness(path, task.input_file)
    except NotSupported as error:
        return Outcome("unknown", "unknown", f"not supported: {error}", seconds=time.monotonic() - started)
    task = _fitting(task, witness, path)
    if witness.specification == TERMINATION.name:
        from chcverify.run.witnesses import termination_validation

        return termination_validation.validated(task, witness, options, started, listener)
    validator = ProgramWithWitness(witness, options.limits.seed, started + options.limits.timeout)
    outcome = _ValidationRun(task, options, started, listener, validator.problem).outcome()
    word = _WORDS[outcome.status][witness.is_violation]
    reason = outcome.reason or _reason(outcome, witness)
    if word == "rejected" and any(point.action == "avoid" for point in witness.waypoints):
        word, reason = "unknown", "no run was found; where waypoints are to be avoided, not all divisions are tried"
    return replace(outcome, word=word, reason=reason, expected=None)


class _ValidationRun(driver.VerificationRun):
    """A run that validates a witness; most of its time may go to the check of a run that follows the witness."""

    testing_check_fraction = LAST_SHARE

    def find_violation_by_testing(self, problem: Problem) -> PortfolioResult | None:
        found = super().find_violation_by_testing(problem)
        if found is None and isinstance(problem, ProgramWithRun):  # engines would know nothing of the witness
            why = self.unconfirmed or "it does not reach the error"
            raise Refused(f"the run that follows the witness is not confirmed: {why}")
        return found

    def solve(self, problem: Problem, plan: Sequence[EngineRun]) -> PortfolioResult:
        """The result of the engines; after a run that is too long to be derived, of those in _FOR_LONG_RUNS."""
        return super().solve(problem, named(_FOR_LONG_RUNS) if isinstance(problem, ProgramWithLongRun) else plan)


def _fitting(task: Task, witness: Witness, path: str) -> Task:
    """The task as the witness knows it; InputError if it is about another one."""
    if task.property != witness.specification:
        raise InputError(path, 0, 0, f"the witness is about {witness.specification}, not {task.property}")
    if task.data_model not in (None, witness.data_model):
        raise InputError(path, 0, 0, f"the witness is about {witness.data_model}, not {task.data_model}")
    return replace(task, data_model=witness.data_model)


def _reason(outcome: Outcome, witness: Witness) -> str:
    if outcome.status == "safe":
        return "no run of the program follows it to a violation" if witness.is_violation else ""
    if witness.is_violation:
        return ""
    violation = next((step for step in reversed(outcome.trace) if step.kind == "violation"), None)
    if violation is not None and violation.text.startswith("invariant "):
        return f"a run of the program violates the {violation.text}"
    return "the program is not correct"
