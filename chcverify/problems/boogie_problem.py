"""The problems of Boogie programs: an implementation of a procedure, with the checks that are to be decided."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.origin import Origin
from chcverify.horn.system import HornSystem
from chcverify.options import BoogieOptions
from chcverify.problems.horn_problem import HornProblem
from chcverify.problems.protocol import Refused
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check
from chcverify.results.entry_function import EntryFunction
from chcverify.results.outcome import Status
from chcverify.results.result import Safe, Unsafe
from chcverify.results.source_facts import SourceInvariant, TraceStep
from chcverify.task import Task, read_text

if TYPE_CHECKING:
    from encoders.boogie.encoded_bodies import EncodedImplementation
    from encoders.boogie.resolved_declarations import Declarations, Implementation

BOOGIE_WORDS: Mapping[Status, str] = {"safe": "true", "unsafe": "false(assertion)", "unknown": "unknown"}


@dataclass(frozen=True, eq=False)
class BoogieProgram:
    """A program whose names are resolved, and the lines of its text."""

    declarations: "Declarations"
    lines: Sequence[str]

    @property
    def implementations(self) -> "Sequence[Implementation]":
        """The bodies of procedures, in the order of the file."""
        return self.declarations.implementations

    @property
    def decided_by_themselves(self) -> frozenset[str]:
        """The procedures from which all others are called, where calls are summaries."""
        from encoders.boogie.calls.summarised_calls import decided_by_themselves

        return decided_by_themselves(self.declarations)

    def encoded(
        self, implementation: "Implementation", switched_on: frozenset[str] = frozenset()
    ) -> "EncodedImplementation":
        """The clauses of an implementation; InputError where it is not well typed, Refused where it has no clauses."""
        from encoders.boogie.implementation_encoder import encode

        with _refusals():
            return encode(self.declarations, implementation, switched_on)

    def axioms_contradict(self, limit_s: float) -> bool:
        """True if a solver shows within this time that no values satisfy all axioms of the program."""
        from encoders.boogie.implementation_encoder import axioms_contradict

        return axioms_contradict(self.declarations, limit_s)

    def described(self, check: Check) -> Check:
        """The check with its line of the source as text, behind the name of its procedure."""
        number = check.origin.line
        source = self.lines[number - 1].strip() if number <= len(self.lines) else ""
        return replace(check, text=f"{check.text}: {source}")


def load_boogie_program(task: Task) -> BoogieProgram:
    """The program of a task; InputError for what is no Boogie."""
    from encoders.boogie.boogie_parser import parse
    from encoders.boogie.changed_declarations import with_inferred_modifies
    from encoders.boogie.checking.program_rules import require_well_formed
    from encoders.boogie.resolved_declarations import declarations_of

    text = read_text(task.input_file)
    parsed = parse(text, task.input_file)
    declarations = declarations_of(parsed)
    if task.boogie.infer_modifies:
        declarations = with_inferred_modifies(declarations)
    require_well_formed(parsed, declarations)
    return BoogieProgram(_changed(declarations, task.boogie), text.splitlines())


def _changed(declarations: "Declarations", options: BoogieOptions) -> "Declarations":
    """The declarations as the options change them."""
    from encoders.boogie.changed_declarations import without_invariants

    if options.inline_depth:
        declarations = replace(declarations, inline_depth=options.inline_depth)
    if options.summaries:
        declarations = replace(declarations, summaries=True)
    return without_invariants(declarations) if options.ignore_invariants else declarations


def stated_model(encoded: "EncodedImplementation", until: float, with_elsewhere: bool = False) -> Model:
    """The inductive part of what the program itself states of its loop heads.

    until: time.monotonic() to stop at. with_elsewhere: also of what it states at other places.
    """
    from chcverify.certificate.search.houdini import inductive_subset
    from chcverify.terms.core.traversal import conjunction
    from encoders.boogie.stated_invariants import stated_invariants

    kept = inductive_subset(encoded.system, stated_invariants(encoded, with_elsewhere), until)
    return Model({predicate: conjunction(formulas) for predicate, formulas in kept.items()})


def ensured_candidates_of(task: Task) -> Mapping[Origin, tuple[str, ...]]:
    """For the procedures with one body, by their positions: candidates for what they ensure, of which nothing is
    proved."""
    from encoders.boogie.contract_candidates import ensured_candidates

    program = load_boogie_program(task)
    names = [item.procedure.signature.name for item in program.implementations]
    found: dict[Origin, tuple[str, ...]] = {}
    for item in program.implementations:
        if names.count(item.procedure.signature.name) > 1:
            continue
        try:
            found[item.procedure.origin] = ensured_candidates(program.encoded(item))
        except Refused:
            continue
    return found


def procedures_of(task: Task) -> tuple[EntryFunction, ...]:
    """The procedures with a body, each once."""
    origins = {
        item.procedure.signature.name: item.procedure.origin for item in load_boogie_program(task).implementations
    }
    return tuple(EntryFunction(name, origin.file, origin.line) for name, origin in origins.items())


@contextmanager
def _refusals() -> Iterator[None]:
    """Turns the encoder's refusals, and expressions that are nested too deeply for it, into Refused."""
    from encoders.boogie.resolved_declarations import NotModelled

    try:
        yield
    except NotModelled as error:
        raise Refused(str(error)) from error
    except RecursionError as error:
        raise Refused("an expression is nested too deeply") from error


@dataclass(frozen=True, eq=False)
class BoogieProblem(HornProblem):
    """Some checks of an implementation: other queries are left out, since a run that fails a check goes no further.

    encoded: the clauses of all checks. kept: for each clause of this system its index among those.
    """

    encoded: "EncodedImplementation"
    kept: tuple[int, ...]

    @classmethod
    def of(cls, encoded: "EncodedImplementation", checks: frozenset[Check]) -> "BoogieProblem":
        """The problem of these checks."""
        kept = tuple(i for i, part in enumerate(encoded.segments) if part.check is None or part.check in checks)
        system = HornSystem(encoded.system.predicates, tuple(encoded.system.clauses[i] for i in kept))
        return cls(system, BOOGIE_WORDS, encoded, kept)

    def with_unfolded_definitions(self) -> "BoogieProblem | None":
        """The problem of clauses whose derivations are violations, and whose models prove nothing; None without
        functions that are defined by themselves."""
        from encoders.boogie.definitions.unfolded_definitions import with_unfolded_definitions

        unfolded = with_unfolded_definitions(self.encoded)
        return None if unfolded is None else BoogieProblem.of(unfolded, frozenset(self.encoded.checks))

    def replay(self, derivation: Derivation, until: float) -> Derivation:
        from encoders.boogie.execution import NotConfirmed, executed

        try:
            check, _ = executed(self.encoded, self._of_all(derivation), until)
        except NotConfirmed as error:
            raise Refused(f"the violation is not confirmed: {error}") from error
        if check != self.violated(derivation):
            raise Refused(f"the run violates another check, {check.id}")
        return derivation

    def confirm(self, derivation: Derivation, until: float) -> Derivation:
        raise Refused("--replay native is for C programs")

    def _of_all(self, derivation: Derivation) -> Derivation:
        """The derivation with clauses of all checks."""
        steps = [Step(self.kept[step.clause], step.arguments, step.premises) for step in derivation.ground_steps]
        return Derivation(tuple(steps))

    def violated(self, derivation: Derivation) -> Check | None:
        return self.encoded.segments[self._of_all(derivation).ground_steps[-1].clause].check

    def trace(self, derivation: Derivation, until: float) -> tuple[TraceStep, ...]:
        from encoders.boogie.execution import executed

        check, blocks = executed(self.encoded, self._of_all(derivation), until)
        steps = [
            TraceStep(block.origin, block.procedure, "statement", block.name, tuple(block.changed.items()))
            for block in blocks
        ]
        return (*steps, TraceStep(check.origin, check.text, "violation", check.kind.value))

    def invariants(self, model: Model, only_loop_heads: bool = False) -> tuple[SourceInvariant, ...]:
        from encoders.boogie.printing import printed_invariants

        return printed_invariants(self.encoded, model)


def solved_query(problem: BoogieProblem, until: float) -> Safe | Unsafe | None:
    """The answer of a system that is one query without body; None if there is none by time.monotonic() `until`."""
    import z3

    solver = z3.Solver()
    solver.set("timeout", max(1, int(1000 * (until - time.monotonic()))))
    (query,) = problem.system.clauses
    # the constraint of the query
    solver.add(query.constraint)
    found = solver.check()
    if found == z3.unsat:
        return Safe(Model({}))
    return Unsafe(Derivation((Step(0, (), ()),))) if found == z3.sat else None
