"""A program together with a witness, as one problem: what the witness claims, or the runs that it describes."""

import time
from collections.abc import Sequence

from chcverify.certificate.derivation import Derivation
from chcverify.effort import BRIEF_SHARE, EARLY_SHARE, MAX_TRIED
from chcverify.options import SourceFile
from chcverify.problems.c_problem import CProblem, c_words, surroundings_of, translated_errors
from chcverify.problems.protocol import Problem, Refused
from chcverify.properties.registry import kinds_of
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from chcverify.run.witnesses.witness_marks import Marks, invariant_marks, path_marks, path_of, target_of, values_of
from chcverify.task import Task
from encoders.c.certificates.derivation_to_inputs import MAX_STEPWISE_STEPS
from encoders.c.certificates.run_to_derivation import derivation_of_run
from encoders.c.cfa import ir
from encoders.c.encoding.encoder import Encoding, encode
from encoders.c.execution.beyond_loss import beyond_loss
from encoders.c.execution.compiled_automata import Automata
from encoders.c.execution.inputs import Inputs, Oracle, Random, Recorded
from encoders.c.execution.interpreter import Execution, ExecutionLimits, Machine, execute
from encoders.c.execution.memory.memory_checks import CHECKED
from encoders.c.execution.oracles import RecordingOracle, WitnessOracle
from encoders.c.frontend import load_files
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.types.c_types import DATA_MODELS, DataModel
from encoders.c.witnesses.instrumentation import SEGMENT, with_invariants, with_path
from encoders.c.witnesses.source_marks import GHOST_FILE, InvalidMark, instrument
from encoders.c.witnesses.witness_reader import Witness


@dataclass(frozen=True)
class ProgramWithWitness:
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
            encoding = _encoding(task, load_files(*arguments_of(task), surroundings=surroundings_of(task)))
            try:
                return ProgramWithRun(encoding.system, words, encoding, derivation=self.derivation(encoding, found))
            except TimeoutError:
                return ProgramWithLongRun(encoding.system, words, encoding)
        if self.witness.is_violation and kinds_of(task.property) & CHECKED:
            raise Refused("no run on the witness's values violates the property in its target")
        encoding = _encoding(task, instrumented)
        return CProblem(encoding.system, words, encoding)

    def derivation(self, encoding: Encoding, choices: Sequence[object]) -> Derivation | None:
        """The derivation of the run with these choices; None if it does not reach the error. Raises TimeoutError."""
        until = time.monotonic() + BRIEF_SHARE * (self.deadline - time.monotonic())
        found = execute(
            encoding.program, RecordingOracle(choices), ExecutionLimits(steps=MAX_STEPWISE_STEPS, trace=0, until=until)
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
        marks = path_marks(witness) if witness.is_violation else invariant_marks(witness)
        try:
            with translated_errors():
                program = self._loaded(task, marks)
        except InvalidMark as error:
            raise Refused(f"the witness cannot be followed: {error}") from error
        if witness.is_violation:
            return with_path(program, path_of(witness, marks))
        return with_invariants(
            program, [f"{claim.value} at line {claim.position.line}" for claim in witness.invariants]
        )

    @staticmethod
    def _loaded(task: Task, marks: Marks) -> ir.Program:
        """The program with its marks. Refused for a mark that the program cannot express."""
        marked = [mark for mark, _ in marks]
        try:
            return load_files(*arguments_of(task), lambda tree: instrument(tree, marked), surroundings_of(task))
        except (SourceError, Unsupported) as error:
            if error.origin.file == GHOST_FILE:
                raise Refused(f"{marks[error.origin.line][0].expression}: {error}") from error
            raise

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
        is_inside = target is not None and target.contains(check.origin)
        return passed and (check.kind in (CheckKind.LEAK, CheckKind.CLEANUP) or is_inside)

    def choices(self, instrumented: ir.Program) -> Sequence[object] | None:
        """The choices of a run that follows the witness to its target, if its values lead to one."""
        calls, variables, rest = values_of(self.witness)
        numbers = [number for values in (*calls.values(), *variables.values()) for number in values]
        numbers += rest.values()
        now = time.monotonic()
        until = now + EARLY_SHARE * (self.deadline - now)
        limits = ExecutionLimits(steps=MAX_STEPWISE_STEPS, trace=0, until=until)
        for number in range(MAX_TRIED + 1):
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


def arguments_of(task: Task) -> tuple[tuple[SourceFile, ...], DataModel, str]:
    return task.files, DATA_MODELS[task.data_model or "LP64"], task.property


def _encoding(task: Task, program: ir.Program) -> Encoding:
    with translated_errors():
        return encode(program, task.property)


@dataclass(frozen=True, eq=False)
class ProgramWithRun(CProblem):
    """A program with a run to the violation, if the witness's choices lead there without the witness as well."""

    derivation: Derivation | None = None

    def find_violation_by_testing(self, seed: int, until: float) -> Derivation | None:
        return self.derivation


class ProgramWithLongRun(CProblem):
    """A program with a run that follows the witness and is too long to be derived step by step."""

    def find_violation_by_testing(self, seed: int, until: float) -> Derivation | None:
        raise Refused("a run follows the witness, but it is too long to be derived step by step")
