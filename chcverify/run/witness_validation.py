"""Validation of witnesses: the program and the witness's statements about it, decided as one program.

A correctness witness claims invariants: where one stands, the program gets an assertion of it, behind which it is
known. If that program has no violation, all invariants hold and the program is correct. A violation witness describes
runs: the program is cut down to these. Either way the driver decides: nothing without a checked certificate.
"""

import re
import time
from collections.abc import Sequence
from dataclasses import replace

from chcverify.certificate.derivation import Derivation
from chcverify.errors import InputError
from chcverify.lazy_dataclass import dataclass
from chcverify.options import Options, SourceFile
from chcverify.portfolio.run_plan import EngineRun, PortfolioResult
from chcverify.portfolio.schedule import named
from chcverify.problems.c_problem import TUNING as PROBLEM_TUNING
from chcverify.problems.c_problem import CProblem, c_words, surroundings_of
from chcverify.problems.protocol import Problem, Refused
from chcverify.properties.registry import kinds_of
from chcverify.results.checks import CheckKind
from chcverify.results.events import Listener
from chcverify.results.outcome import Outcome
from chcverify.run import driver
from chcverify.task import Task
from encoders.c.certificates.run_to_derivation import derivation_of_run
from encoders.c.cfa import ir
from encoders.c.encoding.encoder import Encoding, encode
from encoders.c.execution.beyond_loss import beyond_loss
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import Inputs, Oracle, Random, Recorded
from encoders.c.execution.interpreter import Execution, ExecutionLimits, Machine, execute
from encoders.c.execution.memory.memory_checks import CHECKED
from encoders.c.execution.oracles import Call, RecordingOracle, WitnessOracle
from encoders.c.frontend import load_files
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.types.c_types import DATA_MODELS, DataModel
from encoders.c.witnesses.instrumentation import (
    SEGMENT,
    CallPoint,
    Passing,
    Target,
    WitnessPath,
    with_invariants,
    with_path,
)
from encoders.c.witnesses.source_marks import GHOST_FILE, InvalidMark, Mark, instrument
from encoders.c.witnesses.witness_reader import NotSupported, Waypoint, Witness, read_witness

_EQUALITY = re.compile(r"\(?\s*([A-Za-z_]\w*)\s*==\s*(-?\d+)\s*\)?")
_RESULT = re.compile(r"\\result\s*(==|!=|<=|>=|<|>)\s*\(?\s*(-?)\s*(\d+)[uUlL]*\s*\)?")
_FOR_LONG_RUNS = ("acceleration", "explicit", "spacer-global@blocks", "pdr@blocks", "bmc")
_WORDS = {"safe": ("confirmed", "rejected"), "unsafe": ("rejected", "confirmed"), "unknown": ("unknown", "unknown")}


@dataclass(frozen=True)
class ValidationTuning:
    """Limits of the validation of witnesses. Chosen by hand; none of them is measured.

    runs_fraction: of the time left, for runs on the witness's values. max_steps: of such a run, whose path and choices
    are kept. derivation_fraction: of the time left, for the derivation of such a run step by step.
    testing_check_fraction: of the time left, for the check of that derivation; the engines get the rest.
    """

    runs_fraction: float = 0.2
    max_steps: int = 5_000_000
    derivation_fraction: float = 0.15
    testing_check_fraction: float = 0.9


TUNING = ValidationTuning()


def run(task: Task, path: str, options: Options, started: float, listener: Listener) -> Outcome:
    """The outcome for the witness in the file `path`: `word` is confirmed, rejected or unknown. Raises InputError."""
    try:
        witness = read_witness(path, task.input_file)
    except NotSupported as error:
        return Outcome("unknown", "unknown", f"not supported: {error}", seconds=time.monotonic() - started)
    task = _fitting(task, witness, path)
    validator = Validator(witness, options.limits.seed, started + options.limits.timeout)
    outcome = _ValidationRun(task, options, started, listener, validator.problem).outcome()
    word = _WORDS[outcome.status][witness.is_violation]
    reason = outcome.reason or _reason(outcome, witness)
    if word == "rejected" and any(point.action == "avoid" for point in witness.waypoints):
        word, reason = "unknown", "no run was found; where waypoints are to be avoided, not all divisions are tried"
    return replace(outcome, word=word, reason=reason, expected=None)


class _ValidationRun(driver.VerificationRun):
    """A run that validates a witness; most of its time may go to the check of a run that follows the witness."""

    testing_check_fraction = TUNING.testing_check_fraction

    def find_violation_by_testing(self, problem: Problem) -> PortfolioResult | None:
        found = super().find_violation_by_testing(problem)
        if found is None and isinstance(problem, _ProgramWithRun):  # engines would know nothing of the witness
            why = self.unconfirmed or "it does not reach the error"
            raise Refused(f"the run that follows the witness is not confirmed: {why}")
        return found

    def solve(self, problem: Problem, plan: Sequence[EngineRun]) -> PortfolioResult:
        """The result of the engines; after a run that is too long to be derived, of those in _FOR_LONG_RUNS."""
        return super().solve(problem, named(_FOR_LONG_RUNS) if isinstance(problem, _ProgramWithLongRun) else plan)


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


@dataclass(frozen=True)
class Validator:
    """deadline: time.monotonic()."""

    witness: Witness
    seed: int
    deadline: float

    def problem(self, task: Task) -> Problem:
        """The problem of the program with its witness. Refused for witnesses that cannot be expressed.

        If a run of a violation witness is found by its values, what is left to show is that the program as it is has
        this run; or, if that takes too long, that it has any: that the witness leads to a violation was executed.
        """
        instrumented = self.instrumented(task)
        words = c_words(task.property)
        found = self.choices(instrumented) if self.witness.is_violation else None
        if found is not None:
            encoding = _encoding(task, load_files(*_arguments(task), surroundings=surroundings_of(task)))
            try:
                return _ProgramWithRun(encoding.system, words, encoding, derivation=self.derivation(encoding, found))
            except TimeoutError:
                return _ProgramWithLongRun(encoding.system, words, encoding)
        if self.witness.is_violation and kinds_of(task.property) & CHECKED:
            raise Refused("no run on the witness's values violates the property in its target")
        encoding = _encoding(task, instrumented)
        return CProblem(encoding.system, words, encoding)

    def derivation(self, encoding: Encoding, choices: Sequence[object]) -> Derivation | None:
        """The derivation of the run with these choices; None if it does not reach the error. Raises TimeoutError."""
        until = time.monotonic() + TUNING.derivation_fraction * (self.deadline - time.monotonic())
        found = execute(
            encoding.program, RecordingOracle(choices), ExecutionLimits(steps=TUNING.max_steps, trace=0, until=until)
        )
        if found.outcome == "limit":
            raise TimeoutError
        if found.outcome != "error":
            return None
        found = beyond_loss(encoding.program, found, until)
        derivation = derivation_of_run(
            encoding, found.path, found.inputs, lambda: time.monotonic() < until, found.violation
        )
        if derivation is None:
            raise Refused("a run follows the witness, but could not be derived from the clauses")
        return derivation

    def instrumented(self, task: Task) -> ir.Program:
        """The program together with the witness."""
        witness = self.witness
        marks = _path_marks(witness) if witness.is_violation else _invariant_marks(witness)
        try:
            marked = [mark for mark, _ in marks]
            surroundings = surroundings_of(task)
            program = load_files(*_arguments(task), lambda tree: instrument(tree, marked), surroundings)
        except InvalidMark as error:
            raise Refused(f"the witness cannot be followed: {error}") from error
        except (SourceError, Unsupported) as error:
            if error.origin.file == GHOST_FILE:
                raise Refused(f"{marks[error.origin.line][0].expression}: {error}") from error
            raise _as_refusal(error) from error
        if witness.is_violation:
            return with_path(program, _path(witness, marks))
        return with_invariants(program, [f"{mark.expression} at line {mark.line}" for mark, _ in marks])

    def ends_as_described(self, found: Execution, machine: Machine) -> bool:
        """True if the violation of a run of the instrumented program is that of the witness.

        Those of memory are no edges of the program that could count in the target only: all segments before it must
        have been passed. A block may be lost, or left at the end, behind the target.
        """
        assert found.violation is not None
        check, target = found.violation.check, target_of(self.witness)
        if check.kind not in CHECKED:
            return True
        passed = machine.global_value(SEGMENT) == self.witness.segments - 1
        return passed and (check.kind in (CheckKind.LEAK, CheckKind.CLEANUP) or target.contains(check.origin))

    def choices(self, instrumented: ir.Program) -> Sequence[object] | None:
        """The choices of a run that follows the witness to its target, if its values lead to one."""
        calls, variables, rest = _values(self.witness)
        numbers = [number for values in (*calls.values(), *variables.values()) for number in values]
        numbers += rest.values()
        now = time.monotonic()
        until = now + TUNING.runs_fraction * (self.deadline - now)
        limits = ExecutionLimits(steps=TUNING.max_steps, trace=0, until=until)
        for number in range(PROBLEM_TUNING.random_runs + 1):
            other: Oracle = Recorded(Inputs())
            if number > 0:
                other = Random(self.seed * 1_000_003 + number, numbers, 1 << number % 8)
            tape = RecordingOracle(other=WitnessOracle(calls, variables, other, rest))
            machine = Machine(Automata(instrumented), tape, limits)
            found = machine.run()
            if found.outcome == "error" and self.ends_as_described(found, machine):
                return tape.choices
            steps = max(2_000, 2 * len(found.path)) if found.outcome == "end" else 10_000
            limits = ExecutionLimits(steps=steps, trace=0)
            if time.monotonic() > until:
                break
        return None


def _arguments(task: Task) -> tuple[tuple[SourceFile, ...], DataModel, str]:
    return task.files, DATA_MODELS[task.data_model or "LP64"], task.property


def _encoding(task: Task, program: ir.Program) -> Encoding:
    try:
        return encode(program, task.property)
    except (SourceError, Unsupported) as error:
        raise _as_refusal(error) from error


def _as_refusal(error: SourceError | Unsupported) -> Exception:
    if isinstance(error, Unsupported):
        return Refused(str(error))
    return InputError(error.origin.file, error.origin.line, error.origin.column, error.message)


@dataclass(frozen=True, eq=False)
class _ProgramWithRun(CProblem):
    """A program with a run to the violation, if the witness's choices lead there without the witness as well."""

    derivation: Derivation | None = None

    def find_violation_by_testing(self, seed: int, until: float) -> Derivation | None:
        return self.derivation


class _ProgramWithLongRun(CProblem):
    """A program with a run that follows the witness and is too long to be derived step by step."""

    def find_violation_by_testing(self, seed: int, until: float) -> Derivation | None:
        raise Refused("a run follows the witness, but it is too long to be derived step by step")


# --- from the witness to marks ----------------------------------------------------------------------------------------

Marks = list[tuple[Mark, list[Passing]]]


def _invariant_marks(witness: Witness) -> Marks:
    kinds = {"loop_invariant": "loop", "location_invariant": "statement"}
    return [
        (Mark(kinds[i.kind], i.position.file, i.position.line, i.position.column, i.value), [])  # type: ignore[arg-type]
        for i in witness.invariants
    ]


def _path_marks(witness: Witness) -> Marks:
    """One mark for each position and expression, with the waypoints that are passed there."""
    found: dict[Mark, list[Passing]] = {}
    for point in witness.waypoints:
        position = point.position
        if point.kind == "assumption":
            mark = Mark("statement", position.file, position.line, position.column, point.value)
        elif point.kind == "branching":
            mark = Mark("branch", position.file, position.line, position.column)
        else:
            continue
        holds = point.kind != "branching" or point.value == "true"
        found.setdefault(mark, []).append(Passing(point.segment, point.action, holds))
    return list(found.items())


def _path(witness: Witness, marks: Marks) -> WitnessPath:
    calls = tuple(
        CallPoint(p.position.file, p.position.line, p.position.column, p.segment, p.action, result_of(p))
        for p in witness.waypoints
        if p.kind in ("function_enter", "function_return")
    )
    branches = frozenset(number for number, (mark, _) in enumerate(marks) if mark.kind == "branch")
    return WitnessPath(
        witness.segments, target_of(witness), {n: passing for n, (_, passing) in enumerate(marks)}, branches, calls
    )


def target_of(witness: Witness) -> Target:
    """The statement in which the violation is."""
    final = witness.waypoints[-1]
    assert final.kind == "target" and final.end is not None
    first, last = final.position, final.end
    return Target(first.file, (first.line, first.column or 1), (last.line, last.column or 1))


def result_of(point: Waypoint) -> tuple[str, int] | None:
    """The operator and the number of a function_return; None for a function_enter."""
    if point.kind == "function_enter":
        return None
    match = _RESULT.fullmatch(point.value)
    if match is None:
        raise Refused(f"unsupported constraint of a function_return: {point.value}")
    return match[1], int(match[2] + match[3])


def _values(witness: Witness) -> tuple[dict[Call, list[int]], dict[str, list[int]], dict[Call, int]]:
    """The values of calls and variables in the order of the run, and those of calls in the rest of it.

    A call that is to avoid != 3 gives 3."""
    calls: dict[Call, list[int]] = {}
    variables: dict[str, list[int]] = {}
    rest: dict[Call, int] = {}
    for point in witness.waypoints:
        position = point.position
        if point.kind == "function_return" and (result := result_of(point)) is not None:
            if (result[0], point.action) == ("==", "follow"):
                calls.setdefault((position.file, position.line, position.column), []).append(result[1])
            elif (result[0], point.action) == ("!=", "avoid"):
                rest.setdefault((position.file, position.line, position.column), result[1])
        elif point.kind == "assumption":
            for part in point.value.split("&&"):
                if match := _EQUALITY.fullmatch(part.strip()):
                    variables.setdefault(match[1], []).append(int(match[2]))
    return calls, variables, rest
