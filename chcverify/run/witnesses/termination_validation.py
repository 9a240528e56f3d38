"""Validation of witnesses of termination and of runs that do not end.

A correctness witness claims invariants, of pairs of visits of a loop, too. The program with these claims as assertions
is decided together with its termination: it is confirmed where no claim is violated and every run ends. A violation
witness names a run to a cycle, and around it: a run on its values must follow it and come to a state again, or stay in
a closed recurrence set. Podelski and Rybalchenko: Transition invariants (LICS 2004). Either way nothing counts without
a checked certificate.
"""

import time
from collections.abc import Iterator
from dataclasses import replace

from chcverify.effort import MAX_BUILT, MAX_FORMULAS, MAX_TRIED, REPETITIONS
from chcverify.options import Options
from chcverify.problems.c_problem import CProblem, problem_of, with_ends
from chcverify.problems.protocol import Problem
from chcverify.results.checks import CheckKind
from chcverify.results.events import Listener
from chcverify.results.outcome import Outcome
from chcverify.run.termination.termination_run import TerminationRun
from chcverify.run.witnesses.witness_marks import unrolled, values_of
from chcverify.run.witnesses.witness_program import ProgramWithWitness
from chcverify.task import Task
from encoders.c.cfa import ir
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import Inputs, Oracle, Random, Recorded
from encoders.c.execution.interpreter import Execution, ExecutionLimits, Machine
from encoders.c.execution.oracles import WitnessOracle
from encoders.c.termination.endless_runs import EndlessRun, LongRun, long_run_of, reason_against, recurrence
from encoders.c.witnesses.instrumentation import SEGMENT
from encoders.c.witnesses.witness_reader import Witness


def validated(task: Task, witness: Witness, options: Options, started: float, listener: Listener) -> Outcome:
    """The outcome of a witness of `termination`, with `word` confirmed, rejected or unknown; arguments as of `run`."""
    if not witness.is_violation:
        outcome = _ClaimsRun(task, options, started, listener, witness).outcome()
        word = {"safe": "confirmed", "unsafe": "rejected", "unknown": "unknown"}[outcome.status]
        reason = outcome.reason or ("" if outcome.status == "safe" else _violated(outcome))
    else:
        outcome = _CycleRun(task, options, started, listener, witness).outcome()
        word = {"safe": "rejected", "unsafe": "confirmed", "unknown": "unknown"}[outcome.status]
        reason = outcome.reason or ("every run of the program ends" if outcome.status == "safe" else "")
    return replace(outcome, word=word, reason=reason, expected=None)


def _violated(outcome: Outcome) -> str:
    violation = next((step for step in reversed(outcome.trace) if step.kind == "violation"), None)
    if violation is None:
        return "the program has a run that does not end"
    return f"a run of the program violates the {violation.text}"


class _ClaimsRun(TerminationRun):
    """Decides whether all claims of a witness hold, and all runs end."""

    def __init__(self, task: Task, options: Options, started: float, listener: Listener, witness: Witness) -> None:
        super().__init__(task, options, started, listener, self._problem)
        self.validator = ProgramWithWitness(witness, options.limits.seed, self.deadline)

    @property
    def wanted(self) -> frozenset[CheckKind]:
        """The claims; the program's own assertions end its runs."""
        return frozenset({CheckKind.ASSERTION})

    def _problem(self, task: Task) -> Problem:
        return problem_of(with_ends(self.validator.instrumented(task), task.property), task.property)


class _CycleRun(TerminationRun):
    """Decides whether a run on the values of a witness follows it and does not end; else whether all runs end."""

    def __init__(self, task: Task, options: Options, started: float, listener: Listener, witness: Witness) -> None:
        super().__init__(task, options, started, listener)
        self.witness = witness

    def find(self, problem: CProblem, until: float, *, long: bool) -> EndlessRun | None:
        for execution in () if long else self._following(problem, until):
            try:
                found = recurrence(problem.encoding, execution, until)
            except TimeoutError:
                return None
            if found is not None and not reason_against(problem.encoding, found, until):
                return found
        return None

    def long_runs(self, problem: CProblem, until: float) -> Iterator[LongRun]:
        for execution in self._following(problem, until):
            try:
                run = long_run_of(problem.encoding, execution, until)
            except TimeoutError:
                return
            if run is not None:
                yield run

    def _following(self, problem: CProblem, until: float) -> Iterator[Execution]:
        """Runs on the values of the witness that pass its waypoints and are still going on."""
        followed = unrolled(self.witness, REPETITIONS)
        program = ProgramWithWitness(followed, self.options.limits.seed, self.deadline).instrumented(self.task)
        for number in range(MAX_TRIED + 1):
            if time.monotonic() >= until:
                return
            limits = ExecutionLimits(steps=MAX_BUILT, until=until)
            execution = Machine(Automata(problem.encoding.program), self._values(number), limits).run()
            if execution.outcome == "limit" and self._follows(program, followed.segments, number, until):
                yield execution

    def _values(self, number: int) -> Oracle:
        """The choices of a run: the values of the witness, others by its number."""
        calls, variables, rest = values_of(unrolled(self.witness, MAX_FORMULAS))
        other: Oracle = Recorded(Inputs())
        if number > 0:
            other = Random(self.options.limits.seed * 1_000_003 + number, list(rest.values()), 1 << number % 8)
        return WitnessOracle(calls, variables, other, rest)

    def _follows(self, program: ir.Program, segments: int, number: int, until: float) -> bool:
        """True if the run passes all segments. program: with the waypoints; it makes the same choices."""
        limits = ExecutionLimits(trace=0, until=until)
        machine = Machine(Automata(program), self._values(number), limits)
        machine.run()
        return machine.global_value(SEGMENT) == segments
