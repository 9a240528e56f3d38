"""The problem of a C program: its Horn system, and the meaning of certificates for the program."""

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, replace
from typing import TYPE_CHECKING

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.effort import LONG_STEP_S, MAX_TRIED, PROLONGED_FACTOR, WAIT_S
from chcverify.errors import InputError, NoSuchCheck
from chcverify.horn.system import HornSystem
from chcverify.options import SourceFile
from chcverify.problems.horn_problem import HORN_WORDS, HornProblem
from chcverify.problems.protocol import Problem, PutOff, Refused
from chcverify.processor_time import ProcessorLimit
from chcverify.properties.registry import ends_of, kinds_of, parts
from chcverify.quick_dataclass import dataclass
from chcverify.results.assumption import Assumption
from chcverify.results.checks import Check, CheckKind, selected
from chcverify.results.outcome import FailingTest, Status
from chcverify.results.source_facts import SourceInvariant, TraceStep
from chcverify.task import Task

if TYPE_CHECKING:
    from chcverify.horn.origin import Origin
    from chcverify.results.report_data import Graph
    from encoders.c.certificates.clause_plans import ClausePlans
    from encoders.c.cfa.ir import Program
    from encoders.c.encoding.encoder import EncodeOptions, Encoding
    from encoders.c.execution.interpreter import Execution
    from encoders.c.execution.testing.coverage_guided_runs import GuidedSearch
    from encoders.c.execution.testing.random_runs import KnownRuns
    from encoders.c.lowering.environment import Surroundings
    from encoders.c.parsed_sources import ParsedSources
    from encoders.c.types.c_types import DataModel


LONG_CALLS = 1000
"""Steps of the longest random run, as a multiple of those of a short one, where calls that repeat others share their
derivations. Chosen by hand."""
SUPPORTED_CHECKS = frozenset(CheckKind)


@dataclass(frozen=True, eq=False)
class CProblem:
    """A C program: models are invariants of its lines, derivations are runs."""

    system: HornSystem
    words: Mapping[Status, str]
    encoding: "Encoding"
    runs: "list[tuple[Derivation, Execution]]" = field(default_factory=list, init=False)
    """The last derivation that was made of a run or executed to its end, with this run."""
    known: "KnownRuns | None" = None
    """From runs with other checks that are assumed."""
    guided: "GuidedSearch | None" = None
    """Follows where random runs find no violation."""
    plans: "ClausePlans | None" = None
    """For derivations of runs, from those with other checks that are assumed."""

    def invariants(self, model: Model, only_loop_heads: bool = False) -> tuple[SourceInvariant, ...]:
        from encoders.c.certificates.invariants.source_invariants import source_invariants

        return tuple(source_invariants(self.encoding, model, only_loop_heads))

    def find_violation_by_testing(self, seed: int, until: float) -> Derivation | None:
        seconds = until - time.monotonic()  # the imports below take long, too, where they are the first
        from encoders.c.execution.testing.random_runs import LONGER_RUN_FACTOR, KnownRuns, random_runs

        longer = LONGER_RUN_FACTOR if self.system.is_linear else LONG_CALLS
        program, known = self.encoding.program, self.known
        limit = ProcessorLimit.of(seconds if known is None else min(seconds, known.most_seconds))
        found = random_runs(program, seed, MAX_TRIED, limit=limit, longer=longer, known=known)
        if found is None and self.guided is not None:
            found = self.guided.violating(program, known or KnownRuns())
        if found is None:
            return None
        if known is not None and known.puts_off(found):
            raise PutOff(found.violation.check if found.violation is not None else None)
        return self._derivation_of(found, ProcessorLimit.of(PROLONGED_FACTOR * seconds))

    def _derivation_of(self, found: "Execution", going_on: ProcessorLimit) -> Derivation:
        """The derivation of a run that violates a check, which may go on before. Raises Refused."""
        from encoders.c.certificates.run_to_derivation import derivation_of_run
        from encoders.c.execution.beyond_loss import beyond_loss

        found = beyond_loss(self.encoding.program, found, going_on.clock_end)
        try:
            derivation = derivation_of_run(
                self.encoding, found.path, found.inputs, going_on.is_left, found.violation, self.plans
            )
        except TimeoutError:
            raise Refused("a run of the program reaches the error, but takes too long to be derived") from None
        if derivation is None:
            raise Refused("a run of the program reaches the error, but could not be derived from the clauses")
        self.runs[:] = [(derivation, found)]
        return derivation

    def replay(self, derivation: Derivation, until: float) -> Derivation:
        execution = self._execute(derivation, until)
        if execution.is_unfinished:
            raise Refused(f"the violation is not confirmed: {execution.reason}; --replay native may decide it")
        return self._of_violation(derivation, execution, until)

    def _of_violation(self, derivation: Derivation, execution: "Execution", until: float) -> Derivation:
        """The derivation, if it derives the violation that its run ends at; else one that does. Raises Refused."""
        from encoders.c.certificates.run_to_derivation import derivation_of_run
        from encoders.c.execution.beyond_loss import beyond_loss

        execution = beyond_loss(self.encoding.program, execution, until)
        assert execution.violation is not None
        found = execution.violation.check
        if _is_same(self._derived(derivation), found):
            return derivation
        try:
            other = derivation_of_run(
                self.encoding, execution.path, execution.inputs, lambda: time.monotonic() < until,
                execution.violation, self.plans,
            )  # fmt: skip
        except TimeoutError:
            other = None
        if other is None and self._derived(derivation) is None:
            return derivation  # to what is not modelled in clauses, but in runs: this one goes on to its violation
        if other is None or not _is_same(self._derived(other), found):
            raise Refused(f"the run violates another check, {found.id}, which could not be derived from the clauses")
        return other

    def _derived(self, derivation: Derivation) -> Check | None:
        """The check whose violation is derived; None at what is not modelled."""
        last = derivation.steps[-1]
        return self.encoding.infos[last.clause].check if isinstance(last, Step) else None

    def confirm(self, derivation: Derivation, until: float) -> Derivation:
        from encoders.c.execution.native.native_replay import NativeLimits, replay_native
        from encoders.c.execution.native.program_texts import program_texts
        from encoders.c.source.source_errors import SourceError

        if self.encoding.property != "unreach-call":
            raise Refused(f"a native run does not show a violation of {self.encoding.property}")
        left = until - time.monotonic()
        execution = self._execute(derivation, until - max(0.5 * left, left - WAIT_S))
        try:
            texts = program_texts(self.encoding.program)
        except SourceError as error:
            raise Refused(str(error)) from error
        most = WAIT_S if execution.is_unfinished else LONG_STEP_S
        seconds = max(0.1, min(most, until - time.monotonic()))
        found = replay_native(texts, self.encoding.program, execution, NativeLimits(seconds))
        if not found.confirmed:
            raise Refused(f"not confirmed natively: {found.reason}")
        return derivation if execution.violation is None else self._of_violation(derivation, execution, until)

    def failing_test(self, derivation: Derivation, until: float) -> FailingTest:
        from encoders.c.execution.native.confirmation import confirm
        from encoders.c.execution.native.native_harness import NotReplayable
        from encoders.c.execution.native.program_texts import program_texts
        from encoders.c.execution.native.violation_test import violation_test
        from encoders.c.source.source_errors import SourceError

        execution = self._executed(derivation, until)
        program, violated = self.encoding.program, self.violated(derivation)
        kind = CheckKind.ASSERTION if violated is None else violated.kind
        seconds = max(0.1, min(LONG_STEP_S, until - time.monotonic()))
        try:
            test = violation_test(program_texts(program), program, execution.inputs, kind)
            found = confirm(test, kind, seconds)
        except (NotReplayable, SourceError) as failure:
            raise Refused(str(failure)) from failure
        return FailingTest(found.code, found.line)

    def recorded_trace(self, derivation: Derivation) -> tuple[TraceStep, ...]:
        from encoders.c.execution.chosen_contents import with_contents

        found = next((execution for known, execution in self.runs if known is derivation), None)
        if found is None or not found.trace:
            return ()
        return with_contents(self.encoding.program, found.trace, found.inputs)

    def trace(self, derivation: Derivation, until: float) -> tuple[TraceStep, ...]:
        from encoders.c.certificates.derivation_replay import replay, rest_of
        from encoders.c.execution.chosen_contents import with_contents
        from encoders.c.execution.interpreter import ExecutionLimits

        execution = replay(self.encoding, derivation, ExecutionLimits(until=until), traced=True, known=self.known)
        trace = with_contents(self.encoding.program, execution.trace, execution.inputs)
        if execution.outcome == "error" or self.encoding.property != "unreach-call":
            return trace
        return (*trace, *rest_of(self.encoding, derivation, execution))

    def claims(self) -> Model | None:
        if not self._has_claims:
            return None
        from encoders.c.certificates.invariants.claim_failures import claims_model
        from encoders.c.certificates.invariants.claimed_invariants import claimed_invariants

        return claims_model(claimed_invariants(self.encoding))

    def claim_warnings(self, model: Model | None, blocks: HornSystem | None, until: float) -> tuple[str, ...]:
        from encoders.c.certificates.invariants.claim_failures import claim_warnings
        from encoders.c.certificates.invariants.claimed_invariants import claimed_invariants

        return claim_warnings(claimed_invariants(self.encoding), model, blocks, until)

    @property
    def _has_claims(self) -> bool:
        return any(function.claims for function in self.encoding.program.functions.values())

    def assertions(self) -> "tuple[Origin, ...]":
        from encoders.c.certificates.assertions import assertions

        return assertions(self.encoding)

    def warnings(self, derivation: Derivation, until: float, brief: bool = False) -> tuple[str, ...]:
        from encoders.c.certificates.derivation_to_inputs import inputs_of
        from encoders.c.execution.interpreter import ExecutionLimits
        from encoders.c.execution.undefined_behaviour import detect_undefined_behaviour

        limits = ExecutionLimits(steps=sys.maxsize, until=min(until, time.monotonic() + LONG_STEP_S))
        execution, found = detect_undefined_behaviour(
            self.encoding.program, inputs_of(self.encoding, derivation), limits
        )
        texts = tuple(dict.fromkeys(map(str, found)))
        if execution.outcome == "limit" and not brief:
            return (*texts, f"undefined behaviour after the first {execution.steps:,} steps is not known")
        return texts

    def graphs(self) -> "tuple[Graph, ...]":
        from encoders.c.cfa.graph import control_flow

        return control_flow(self.encoding.program)

    def assumptions(self, derivation: Derivation | None, until: float) -> tuple[Assumption, ...]:
        assumed = self.encoding.program.assumptions
        if derivation is None or not self.encoding.orders_addresses():
            return assumed  # proofs hold for all orders
        from encoders.c.execution.interpreter import orders

        return (*assumed, *orders(self._executed(derivation, until)))

    def violated(self, derivation: Derivation) -> Check | None:
        derived = self._derived(derivation)
        if derived is not None and derived.kind is not CheckKind.LEAK:
            return derived
        try:  # the clauses look for lost blocks later than the run loses one, and a run may go on where they end
            violation = self._executed(derivation, time.monotonic() + WAIT_S).violation
        except Refused:
            return derived
        return derived if violation is None else violation.check

    def unreached(self, model: Model, until: float) -> frozenset[Check]:
        from encoders.c.certificates.vacuity import unreached_checks

        return unreached_checks(self.encoding, model, until)

    def is_vacuous(self, model: Model, until: float) -> bool:
        from encoders.c.certificates.vacuity import is_vacuous

        return is_vacuous(self.encoding, model, until)

    def variables(self) -> Mapping[str, frozenset[str]]:
        program = self.encoding.program
        own = {name: (*body.parameters, *body.locals) for name, body in program.functions.items()}
        groups = {**own, "": program.globals}
        return {name: frozenset(variable.name for variable in group) for name, group in groups.items()}

    def without_traps(self) -> HornSystem | None:
        from encoders.c.certificates.traps import without_traps

        return without_traps(self.encoding)

    def dependence(self, derivation: Derivation) -> str:
        from encoders.c.certificates.traps import dependence

        return dependence(self.encoding, derivation)

    def open_checks(self, derivation: Derivation) -> tuple[Check, ...]:
        from encoders.c.certificates.traps import open_checks

        return open_checks(self.encoding, derivation)

    def _executed(self, derivation: Derivation, until: float) -> "Execution":
        """The run, to the error or until there is no more time."""
        known = next((execution for made, execution in self.runs if made is derivation), None)
        return self._execute(derivation, until) if known is None else known

    def _execute(self, derivation: Derivation, until: float) -> "Execution":
        """As `_executed`, but executed anew in any case: what confirms a violation relies on no earlier run."""
        from encoders.c.certificates.derivation_replay import replay
        from encoders.c.execution.interpreter import ExecutionLimits

        execution = replay(self.encoding, derivation, ExecutionLimits(until=until), traced=False, known=self.known)
        if execution.outcome != "error" and not execution.is_unfinished:
            why = execution.reason or f"it comes to an {execution.outcome}"
            raise Refused(f"the replay does not reach the error: {why}")
        self.runs[:] = [] if execution.is_unfinished else [(derivation, execution)]
        return execution


def _is_same(derived: Check | None, found: Check) -> bool:
    """True if a derivation derives the violation of a run: of lost blocks, which the clauses look for later, any."""
    return derived == found or (derived is not None and derived.kind is found.kind is CheckKind.LEAK)


def load(task: Task, parsed: "ParsedSources | None" = None) -> Problem:
    """The problem of the task. Raises InputError for what is no input, Refused for what is not modelled.

    parsed: as in `load_c_program`.
    """
    if task.language == "boogie":
        raise InputError(
            task.input_file, 0, 0, "a Boogie program has no system of clauses of its own: each body has one"
        )
    if task.language == "c":
        from encoders.c.encoding.encoder import EncodeOptions

        options = EncodeOptions(theory="estimates") if task.estimates else None
        return problem_of(load_c_program(task, parsed), task.property, options)
    from chcverify.horn.io.reader import read_horn

    return HornProblem(read_horn(task.input_file), HORN_WORDS)


def parsed_sources(task: Task, entry: str = "") -> "ParsedSources":
    """The files of a C program, read and parsed. entry: as of `ParsedSources.of`. Errors as of `load`."""
    from encoders.c.parsed_sources import ParsedSources

    with translated_errors():
        return ParsedSources.of(_sources(task), data_model_of(task), task.harness.contracts, entry)


def _sources(task: Task) -> tuple[SourceFile, ...]:
    if task.stubs is None:
        return task.files
    from encoders.c.source_queries import with_stubs

    return with_stubs(task.files, task.stubs, data_model_of(task))


def load_c_program(task: Task, parsed: "ParsedSources | None" = None, *, threads: bool = False) -> "Program":
    """The automata of a C program, with the checks that were not selected assumed. Errors as of `load`.

    parsed: the files, if they were read before; used up. threads: as in `Begin`.
    """
    from encoders.c.cfa.program_checks import assuming, checks_of, selectable
    from encoders.c.frontend import Begin, load_files

    if not threads and not all(item.kinds and item.decider for item in parts(task.property)):
        raise Refused(f"unsupported property: {task.property}")
    if task.interrupts and (not threads or task.entry not in (None, "main")):
        raise Refused("interrupts (--interrupt): of main alone, with --one-verdict, without --cross-check")
    unsupported = kinds_of(task.property) - SUPPORTED_CHECKS
    if unsupported:
        raise Refused(f"unsupported checks: {', '.join(sorted(unsupported))}")
    with translated_errors():
        harness = task.harness
        begin = Begin(contracts=harness.contracts, uses=harness.uses, modular=harness.modular, threads=threads)
        begin = replace(begin, interrupts=task.interrupts)
        if task.entry not in (None, "main"):
            begin = replace(begin, function=task.entry or "", harness=harness)
        sources = _sources(task) if parsed is None else parsed.sources
        program = load_files(
            sources, data_model_of(task), task.property, surroundings=surroundings_of(task), begin=begin, parsed=parsed
        )
    _require_meaning(task, program)
    program = with_ends(program, task.property)
    if not task.selected_checks:
        return program
    checks = checks_of(program)
    chosen = selected(checks, task.selected_checks)
    if not chosen:
        raise NoSuchCheck("--check", 0, 0, f"no check is called {' or '.join(task.selected_checks)}; see --list-checks")
    return assuming(selectable(program), frozenset(checks) - chosen)


def with_ends(program: "Program", property: str) -> "Program":
    """The program in which the violations end a run about which the property says nothing."""
    from encoders.c.cfa.program_checks import assuming, checks_of

    ends = ends_of(property, is_function=program.harness is not None)
    if not ends:
        return program
    return assuming(program, frozenset(check for check in checks_of(program) if check.kind in ends))


def problem_of(program: "Program", property: str, options: "EncodeOptions | None" = None) -> "CProblem":
    """The problem of automata that were made for a property. Errors as of `load`."""
    from encoders.c.certificates.traps import of_checks
    from encoders.c.cfa.trap_continuations import Positions
    from encoders.c.encoding.encoder import encode

    with translated_errors():
        encoding = encode(program, property, options)
    if program.ends_at_violations and program.assumed:
        encoding = of_checks(encoding, encoding.program, Positions(encoding.flat.program))
    return CProblem(encoding.system, c_words(property), encoding)


def with_estimates(problem: CProblem) -> CProblem | None:
    """The problem whose clauses have integers, no bit-vectors, and more runs than the program: operations on bits that
    are not linear have any result within bounds. None where the clauses are no others, or some cannot be estimated."""
    from encoders.c.encoding.encoder import EncodeOptions
    from encoders.c.encoding.integer_theory import NotLinear

    if problem.encoding.theory.name != "bv":
        return None
    try:
        return problem_of(problem.encoding.program, problem.encoding.property, EncodeOptions(theory="estimates"))
    except NotLinear:
        return None


def _require_meaning(task: Task, program: "Program") -> None:
    """Refused for checks of one function by itself that say nothing: the objects of its caller are never freed, their
    contents were written by nobody, and functions outside the program may hold pointers to blocks."""
    from encoders.c.cfa.ir import Havoc

    if task.harness.uses or task.harness.modular:  # a body that the contract stands for may allocate, or write nothing
        found = kinds_of(task.property) & {CheckKind.CLEANUP, CheckKind.LEAK, CheckKind.UNINITIALISED}
        if found:
            raise Refused(f"the checks {', '.join(sorted(found))}, with contracts in place of bodies")
    kinds = kinds_of(task.property) if program.harness is not None else frozenset()
    if found := kinds & {CheckKind.CLEANUP, CheckKind.UNINITIALISED}:
        raise Refused(f"the checks {', '.join(sorted(found))} are about whole programs, not about --entry")
    edges = (edge for function in program.functions.values() for edge in function.edges)
    if CheckKind.LEAK in kinds and any(isinstance(edge.operation, Havoc) for edge in edges):
        raise Refused("the check leak, with --entry and functions outside the program, which may hold pointers")


def data_model_of(task: Task) -> "DataModel":
    """The sizes of the task's basic types."""
    from encoders.c.types.c_types import DATA_MODELS

    return DATA_MODELS[task.data_model or "LP64"]


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turns the errors of the encoder into InputError and Refused."""
    from encoders.c.source.source_errors import SourceError, Unsupported

    try:
        yield
    except SourceError as error:
        where = error.origin
        raise InputError(where.file, where.line, where.column, error.message) from error
    except Unsupported as error:
        raise Refused(str(error)) from error


def surroundings_of(task: Task) -> "Surroundings":
    """The assumptions about functions and objects that the program shares with others."""
    from encoders.c.lowering.environment import (
        Allocations,
        ArrayBounds,
        Assembler,
        Surroundings,
        UndefinedFunctions,
        VolatileReads,
    )
    from encoders.c.types.record_layout import LARGEST_OBJECT

    largest: int | None = None
    functions = UndefinedFunctions(task.undefined_functions) if task.undefined_functions else None
    volatile = VolatileReads(task.volatile) if task.volatile else None
    if task.entry is not None and not task.is_competition:  # one function is no program of a competition's format
        functions, volatile = functions or UndefinedFunctions.HAVOC, volatile or VolatileReads.FRESH
        largest = LARGEST_OBJECT
    bounds = ArrayBounds(task.array_bounds) if task.array_bounds else None
    allocations = Allocations(task.malloc) if task.malloc else None
    assembler = Assembler(task.assembler)
    return Surroundings(functions, volatile, task.is_competition, largest, assembler, bounds, allocations)


def c_words(property: str) -> Mapping[Status, str]:
    """The verdicts about a program as printed; where a violated check is known, `violation_word` is more precise."""
    return {"safe": "true", "unsafe": f"false({property})", "unknown": "unknown"}
