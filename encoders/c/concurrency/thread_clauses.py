"""What all systems of clauses of a program with threads share: its steps, its start, clauses over its state."""

from collections.abc import Iterable
from dataclasses import field
from pathlib import Path

import z3

from chcverify.effort import MAX_VISITED
from chcverify.horn.system import Application, Clause, HornSystem, Origin, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check
from chcverify.terms.core.traversal import conjunction
from encoders.c.analysis.storage import StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import FlatEdge
from encoders.c.concurrency.shared_state import SharedState
from encoders.c.concurrency.step_paths import StepFailure, StepFinder, StepsOfThread
from encoders.c.encoding.edge_semantics import EdgeTranslator
from encoders.c.encoding.edge_transition import EdgeTransition
from encoders.c.encoding.expression_terms import State
from encoders.c.encoding.initial_values import constant_of, initial_value
from encoders.c.encoding.integer_theory import IntegerEncoding
from encoders.c.encoding.memory.object_changes import initial_states
from encoders.c.encoding.predicate_names import PredicateNames
from encoders.c.encoding.program_start import InitialRun, initial_run
from encoders.c.execution.threads.guided_turns import GuidedStep
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import CInteger


@dataclass(frozen=True, eq=False)
class ThreadEncoding:
    """Clauses of a program with threads."""

    program: ir.Program
    system: HornSystem
    checks: dict[int, Check | None]
    """What each query is about, by the index of its clause; None for what is not modelled and for races."""
    unmodelled: dict[int, str] = field(default_factory=dict)
    """What is not modelled, with its position, by the index of the query for it."""
    turns: dict[int, tuple[GuidedStep, ...]] = field(default_factory=dict)
    """Of the product: the steps of threads that each clause is about."""
    known: dict[Predicate, z3.BoolRef] = field(default_factory=dict)
    """Of thread-modular clauses: formulas that are expected to be inductive together."""


class ThreadClauses:
    """Collects the clauses of a program with threads over predicates whose arguments are state variables."""

    def __init__(self, state: SharedState, theory: IntegerEncoding) -> None:
        self.state, self.theory = state, theory
        self.memory, self.live = state.memory, state.liveness.live
        self.fixed: dict[StateVariable, z3.ExprRef] = {}  # shared variables that are constants in all runs
        self.ghosts: dict[StateVariable, z3.ExprRef] = {}  # of all predicates, with their values at first
        self.constants: dict[StateVariable, z3.ExprRef] = {}
        self._ranges: dict[tuple[StateVariable, int], tuple[z3.ExprRef, z3.BoolRef | None]] = {}  # terms stay alive
        self.variables: dict[Predicate, list[StateVariable]] = {}
        self.names = PredicateNames()
        self.clauses: list[Clause] = []
        self.checks: dict[int, Check | None] = {}
        self.unmodelled: dict[int, str] = {}
        self.turns: dict[int, tuple[GuidedStep, ...]] = {}

    def encoding(self, program: ir.Program) -> ThreadEncoding:
        """The system of the clauses so far."""
        system = HornSystem.of(self.clauses, tuple(self.variables))
        return ThreadEncoding(program, system, self.checks, self.unmodelled, self.turns)

    def constant(self, variable: StateVariable) -> z3.ExprRef:
        """The constant that stands for a variable before a step."""
        if variable not in self.constants:
            self.constants[variable] = constant_of(self.theory, variable)
        return self.constants[variable]

    def predicate(self, name: str, live: int, origin: Origin) -> Predicate:
        """A new predicate over the live variables that are not fixed, and the ghosts."""
        variables = [variable for variable in self.memory.variables_of(live) if variable not in self.fixed]
        variables += self.ghosts
        sorts = tuple(self.constant(variable).sort() for variable in variables)
        labels = tuple(variable.label for variable in variables)
        made = Predicate(self.names.unique(name), sorts, origin, labels)
        self.variables[made] = variables
        return made

    def applied(self, predicate: Predicate, values: dict[StateVariable, z3.ExprRef] | None = None) -> Application:
        """The predicate of the state before a step, with other values for some variables."""
        given = values or {}
        terms = (given.get(variable) for variable in self.variables[predicate])
        pairs = zip(self.variables[predicate], terms, strict=True)
        return predicate(*(self.constant(variable) if term is None else term for variable, term in pairs))

    def _bounds(self, application: Application) -> list[z3.BoolRef]:
        """The arguments are values of their types, as all values in runs."""
        pairs = zip(self.variables[application.predicate], application.arguments, strict=True)
        found = (self.range(variable, term) for variable, term in pairs)
        return [constraint for constraint in found if constraint is not None]

    def range(self, variable: StateVariable, term: z3.ExprRef) -> z3.BoolRef | None:
        """That a term is a value of a variable's type; None if nothing is to be said."""
        if variable.is_array or not isinstance(variable.type, CInteger):
            return None
        key = variable, term.get_id()
        if key not in self._ranges:
            constraint = z3.BoolVal(True) if z3.is_int_value(term) else self.theory.in_range(term, variable.type)
            self._ranges[key] = term, None if z3.is_true(constraint) else constraint
        return self._ranges[key][1]

    def add(
        self,
        head: Application | None,
        body: tuple[Application, ...],
        parts: Iterable[z3.BoolRef],
        origin: Origin,
        name: str,
    ) -> bool:
        bounds = {part.get_id(): part for application in body for part in self._bounds(application)}.values()
        constraint = conjunction([*bounds, *parts])
        if z3.is_false(constraint):
            return False
        if len(self.clauses) >= MAX_VISITED:
            raise Unsupported(origin, f"threads whose steps need more than {MAX_VISITED} clauses")
        self.clauses.append(Clause(head, body, constraint, origin, name))
        return True

    def query(
        self, body: tuple[Application, ...], parts: Iterable[z3.BoolRef], origin: Origin, name: str, check: Check | None
    ) -> bool:
        """Adds a query, unless its constraint does not hold; if it was added."""
        # body & failure -> false
        is_added = self.add(None, body, parts, origin, name)
        if is_added:
            self.checks[len(self.clauses) - 1] = check
        return is_added

    def failing(self, body: tuple[Application, ...], guard: Iterable[z3.BoolRef], failure: StepFailure) -> bool:
        """As `query`, for a failure whose guard is given in the predicates' terms."""
        is_added = self.query(body, guard, failure.origin, failure.text, failure.check)
        if is_added and failure.check is None:
            origin = failure.origin
            self.unmodelled[len(self.clauses) - 1] = f"{failure.what} at {Path(origin.file).name}:{origin.line}"
        return is_added

    def initial_run(self) -> InitialRun:
        """What every run does first, up to the first choice, check or thread."""
        main = self.state.threads.threads[0]
        known: dict[StateVariable, z3.ExprRef] = {}
        for variable in self.memory.variables_of(self.live[main.function.entry]):
            behind = self.state.objects.written.behind(variable)
            value = initial_value(self.memory, self.theory, variable, behind)
            if value is not None:
                known[variable] = value

        def translate(edge: FlatEdge, state: State) -> EdgeTransition:
            live = self.live[edge.target]
            return EdgeTranslator(self.memory, self.state.objects, self.theory, state, edge, {}, live).transition(
                lambda: False
            )

        return initial_run(main.function, known, self.constant, translate, self.state.threads.inside)

    def all_steps(self, initial: InitialRun) -> list[StepsOfThread]:
        """The steps of all threads, where shared variables that no step changes are the constants that they are at
        first. (That no step changes them holds where they are these constants, so it holds by induction.)"""
        literals: dict[StateVariable, z3.ExprRef] = {
            variable: value
            for variable, term in initial.values.items()
            if variable.owner is None and not variable.is_array and z3.is_int_value(value := z3.simplify(term))
        }
        while True:
            self.fixed = literals
            self.constants.update(literals)
            found = []
            for thread in self.state.threads.threads:
                finder = StepFinder(self.state, self.theory, thread, self.constant)
                found.append(finder.found(initial.location if thread.number == 1 else None))
            changed = {
                variable
                for steps in found
                for step in steps.steps
                for variable, term in step.values.items()
                if variable in literals and not term.eq(literals[variable])
            }
            if not changed:
                return found
            for variable in changed:
                del self.constants[variable]
            literals = {variable: value for variable, value in literals.items() if variable not in changed}

    def first_clause(self, first: Predicate, initial: InitialRun) -> None:
        function = self.state.threads.threads[0].function
        terms = {variable: self.constant(variable) for variable in self.memory.variables_of(self.live[function.entry])}
        parts = list(initial_states(self.memory, self.state.objects, self.theory, terms))
        for variable, term in terms.items():
            if variable not in initial.known and not variable.is_array and isinstance(variable.type, CInteger):
                parts.append(self.theory.in_range(term, variable.type))
        head = self.applied(first, {**initial.values, **self.ghosts})
        # initial state -> R_main(state behind the static initialisers)
        self.add(head, (), parts, function.locations[function.entry].location.origin, "program start")
