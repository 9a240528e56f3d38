"""Thread-modular clauses of a program with threads: a model is an Owicki-Gries proof.

A predicate R_i^l for each thread i and visible location l over the shared state g and the locals t of the thread
(Gupta, Popeea, Rybalchenko, POPL 2011; Grebenshchikov et al., PLDI 2012). A thread i is another one than j, or another
instance of the same template:

    initial state                                            -> R_main^0(g, t)
    R_i^l(g, t) and step(g, t, g', t')                       -> R_i^m(g', t')
    R_i^l(g, t) and step that creates j with arguments u'    -> R_j^0(g', u')
    R_j^p(g, u) and R_i^l(g, t) and step(g, t, g', t')       -> R_j^p(g', u)      if the step changes shared state, and
                                                                                  main, if it is one of them, not alone
    R_i^l(g, t) and a check of the next step fails           -> false
    R_i^l(g, t) and R_j^p(g, u) and both access one place next, one writes, not both atomic -> false
"""

from collections.abc import Iterable

import z3

from chcverify.horn.system import Application, Clause, HornSystem, Origin, Predicate
from chcverify.lazy_dataclass import dataclass
from chcverify.results.checks import Check
from chcverify.terms.core.traversal import conjunction, free_variables
from encoders.c.analysis.regions import Region, top_of
from encoders.c.analysis.storage import StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import FlatEdge
from encoders.c.concurrency.flat_threads import FlatThread, flatten_threads
from encoders.c.concurrency.races import may_conflict
from encoders.c.concurrency.shared_state import SharedState, shared_state
from encoders.c.concurrency.step_paths import StepAccess, StepFinder, StepsOfThread, ThreadStep
from encoders.c.encoding.bitvector_integers import BitVectors
from encoders.c.encoding.edge_semantics import EdgeTranslator
from encoders.c.encoding.edge_transition import EdgeTransition
from encoders.c.encoding.expression_terms import State
from encoders.c.encoding.initial_values import constant_of, initial_value
from encoders.c.encoding.integer_theory import IntegerEncoding, NotLinear
from encoders.c.encoding.linear_integers import LinearIntegers
from encoders.c.encoding.memory.object_changes import initial_states
from encoders.c.encoding.predicate_names import PredicateNames
from encoders.c.encoding.program_start import InitialRun, initial_run
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import CInteger

MAX_CLAUSES = 20_000  # of a program; chosen by hand


@dataclass(frozen=True, eq=False)
class ThreadEncoding:
    """The thread-modular clauses of a program. A derivation need not be a run: they may say too much.

    checks: what each query is about, by the index of its clause; None for what is not modelled and for races.
    """

    program: ir.Program
    system: HornSystem
    checks: dict[int, Check | None]


def encode_threads(program: ir.Program, races: bool) -> ThreadEncoding:
    """The thread-modular clauses. races: are data races violations, too? Raises Unsupported."""
    state = shared_state(flatten_threads(program), races)
    try:
        return _ThreadEncoder(state, LinearIntegers(), races).encoding(program)
    except NotLinear:
        return _ThreadEncoder(state, BitVectors(), races).encoding(program)


class _ThreadEncoder:
    def __init__(self, state: SharedState, theory: IntegerEncoding, races: bool) -> None:
        self.state, self.theory, self.races = state, theory, races
        self.memory, self.live = state.memory, state.liveness.live
        self.fixed: dict[StateVariable, z3.ExprRef] = {}  # shared variables that are constants in all runs
        self.constants: dict[StateVariable, z3.ExprRef] = {}
        self.others: dict[StateVariable, z3.ExprRef] = {}  # the locals of a second instance of a template
        self.predicates: dict[int, Predicate] = {}
        self.variables: dict[Predicate, list[StateVariable]] = {}
        self.names = PredicateNames()
        self.clauses: list[Clause] = []
        self.checks: dict[int, Check | None] = {}

    def encoding(self, program: ir.Program) -> ThreadEncoding:
        self._require_own_locals()
        initial = self._initial_run()
        found = self._all_steps(initial)
        self._first_clause(initial)
        for steps in found:
            for step in steps.steps:
                self._step(steps, step)
            for location, failure in steps.failures:
                what = failure.what if failure.check else f"not modelled: {failure.what}"
                self._query((self._apply(location),), failure.guard, failure.origin, what, failure.check)
        for acting in found:
            for other in found:
                if acting is not other or acting.thread.is_template:
                    self._interference(acting, other)
        if self.races:
            self._races(found)
        return ThreadEncoding(program, HornSystem.of(self.clauses, tuple(self.variables)), self.checks)

    def _require_own_locals(self) -> None:
        """Raises Unsupported if a local of a template, of which each instance has one, is not local in the clauses."""
        frames = {
            frame.number: thread.function
            for thread in self.state.threads.threads
            if thread.is_template
            for frame in thread.function.frames
        }
        for slot, region in self.memory.points_to.regions.slots():
            function = frames.get(slot.frame)
            if function is None or self.memory.activation(slot) is not None:
                continue
            leaves = [leaf for leaf, _, _ in self.memory.parts(region, slot.variable.type)]
            owners = {variable.owner for leaf in leaves for variable in leaf.variables}
            if owners - {function.name}:
                origin = function.root.function.locations[0].origin
                raise Unsupported(origin, f"the local '{slot.variable.name}' of several threads")

    # --- terms ------------------------------------------------------------------------------------------------------

    def constant(self, variable: StateVariable) -> z3.ExprRef:
        """The constant that stands for a variable before a step."""
        if variable not in self.constants:
            self.constants[variable] = constant_of(self.theory, variable)
        return self.constants[variable]

    def _other(self, variable: StateVariable) -> z3.ExprRef:
        """The constant for another instance: shared variables are the same."""
        if variable.owner is None:
            return self.constant(variable)
        if variable not in self.others:
            self.others[variable] = z3.Const(f"{variable.name}^other", self.constant(variable).sort())
        return self.others[variable]

    def _predicate(self, location: int) -> Predicate:
        if location not in self.predicates:
            flat = next(f for f in self.state.threads.flat.functions.values() if location in f.locations)
            live = self.memory.variables_of(self.live[location])
            variables = [variable for variable in live if variable not in self.fixed]
            sorts = tuple(self.constant(variable).sort() for variable in variables)
            labels = tuple(variable.label for variable in variables)
            place = flat.locations[location].location
            name = self.names.unique(f"{flat.name}:{place}")
            self.predicates[location] = predicate = Predicate(name, sorts, place.origin, labels)
            self.variables[predicate] = variables
        return self.predicates[location]

    def _apply(self, location: int, values: dict[StateVariable, z3.ExprRef] | None = None) -> Application:
        predicate = self._predicate(location)
        given = values or {}
        terms = (given.get(variable) for variable in self.variables[predicate])
        pairs = zip(self.variables[predicate], terms, strict=True)
        return predicate(*(self.constant(variable) if term is None else term for variable, term in pairs))

    def _bounds(self, application: Application) -> list[z3.BoolRef]:
        """The arguments are values of their types, as all values in runs."""
        found = []
        for variable, term in zip(self.variables[application.predicate], application.arguments, strict=True):
            if not variable.is_array and isinstance(variable.type, CInteger) and not z3.is_int_value(term):
                constraint = self.theory.in_range(term, variable.type)
                found += [] if z3.is_true(constraint) else [constraint]
        return found

    # --- clauses ----------------------------------------------------------------------------------------------------

    def _add(
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
        if len(self.clauses) >= MAX_CLAUSES:
            raise Unsupported(origin, f"threads whose steps need more than {MAX_CLAUSES} clauses")
        self.clauses.append(Clause(head, body, constraint, origin, name))
        return True

    def _query(
        self, body: tuple[Application, ...], parts: Iterable[z3.BoolRef], origin: Origin, name: str, check: Check | None
    ) -> None:
        # body & failure -> false
        if self._add(None, body, parts, origin, name):
            self.checks[len(self.clauses) - 1] = check

    def _initial_run(self) -> InitialRun:
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

    def _all_steps(self, initial: InitialRun) -> list[StepsOfThread]:
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

    def _first_clause(self, initial: InitialRun) -> None:
        function = self.state.threads.threads[0].function
        terms = {variable: self.constant(variable) for variable in self.memory.variables_of(self.live[function.entry])}
        parts = list(initial_states(self.memory, self.state.objects, self.theory, terms))
        for variable, term in terms.items():
            if variable not in initial.known and not variable.is_array and isinstance(variable.type, CInteger):
                parts.append(self.theory.in_range(term, variable.type))
        head = self._apply(initial.location, dict(initial.values))
        # initial state -> R_main(state behind the static initialisers)
        self._add(head, (), parts, function.locations[function.entry].location.origin, "program start")

    def _step(self, steps: StepsOfThread, step: ThreadStep) -> None:
        body = (self._apply(step.source),)
        # R_i^l(g, t) & step -> R_i^m(g', t')
        self._add(self._apply(step.target, step.values), body, step.guard, step.origin, step.text)
        for created in step.created:
            head = self._apply(created.function.entry, step.values)
            # R_i^l(g, t) & step -> R_j^0(g', arguments)
            self._add(head, body, step.guard, step.origin, f"start of {created.function.name}")

    def _interference(self, acting: StepsOfThread, other: StepsOfThread) -> None:
        """The steps of one thread as seen by another one, or by another instance of the same template."""
        own = self._renaming(other) if acting is other else {}
        alone = self.state.contention.alone  # there is no other thread then
        for step in acting.steps:
            if step.source in alone:
                continue
            changed = {v: term for v, term in step.values.items() if v.owner is None and not self._is_same(v, term)}
            for location in sorted(other.visible - alone):
                variables = self.variables[self._predicate(location)]
                if not any(variable in changed for variable in variables):
                    continue
                seen = self._apply(location, own)
                after = self._apply(location, {**own, **changed})
                body = (seen, self._apply(step.source))
                differ = self._differ(acting.thread, other.thread, (body[1], body[0]))
                # R_j^p(g, u) & R_i^l(g, t) & step -> R_j^p(g', u)
                name = f"{step.text}, seen by {other.thread.function.name}"
                self._add(after, body, (*step.guard, *differ), step.origin, name)

    def _is_same(self, variable: StateVariable, term: z3.ExprRef) -> bool:
        return bool(term.eq(self.constant(variable)))

    def _renaming(self, steps: StepsOfThread) -> dict[StateVariable, z3.ExprRef]:
        """The locals of another instance of the same template."""
        found = {}
        for location in steps.visible:
            for variable in self.variables[self._predicate(location)]:
                if variable.owner is not None:
                    found[variable] = self._other(variable)
        return found

    def _differ(self, one: FlatThread, two: FlatThread, bodies: tuple[Application, Application]) -> list[z3.BoolRef]:
        """What differs between two threads in all runs: the numbers of instances of a template, and the addresses of
        locals, which come from one counter.

        bodies: the first one's predicate and the second one's, over the terms that stand for their locals.
        """
        first, second = (self._own_addresses(thread, body) for thread, body in zip((one, two), bodies, strict=True))
        found = [
            term != other
            for region, term in first
            for another, other in second
            if region is another and not term.eq(other)
        ]
        if one is two and one.own_number is not None:
            found += [
                term != self._other(variable)
                for variable, term in zip(self.variables[bodies[0].predicate], bodies[0].arguments, strict=True)
                if variable.owner == one.function.name and variable.label == one.own_number.name
            ]
        return found

    def _own_addresses(self, thread: FlatThread, body: Application) -> list[tuple[Region | None, z3.ExprRef]]:
        """The terms of addresses of the thread's locals that it has been given, with the regions they are in; of its
        own number, none."""
        regions = self.memory.points_to.regions
        given = dict(zip(self.variables[body.predicate], body.arguments, strict=True))
        first = self.live[thread.function.entry]
        found: list[tuple[Region | None, z3.ExprRef]] = []
        for slot, region in regions.slots():
            own = self.memory.activation(slot)
            if own is not None and own in given and not first >> own.index & 1:
                found.append((top_of(region), given[own]))
        return found

    def _races(self, found: list[StepsOfThread]) -> None:
        for number, one in enumerate(found):
            for two in found[number:]:
                if one is not two or one.thread.is_template:
                    self._races_between(one, two)

    def _races_between(self, one: StepsOfThread, two: StepsOfThread) -> None:
        renamed = self._renaming(two) if one is two else {}
        pairs = [(self.constant(variable), term) for variable, term in renamed.items()]
        if one is two:  # what is undetermined in the one instance is not in the other
            terms = [term for found in two.accesses.values() for access in found for term in _terms(access)]
            inputs = {str(name): name for term in terms for name in free_variables(term) if str(name).startswith("?")}
            pairs += [(name, z3.Const(f"{text}^other", name.sort())) for text, name in inputs.items()]
        for first, accesses in one.accesses.items():
            for second, others in two.accesses.items():
                for access in accesses:
                    for other in others:
                        conflict = may_conflict(self.memory, access, other, pairs)
                        if conflict is None:
                            continue
                        body = (self._apply(first), self._apply(second, renamed))
                        guard = (*access.guard, *(z3.substitute(part, *pairs) for part in other.guard), conflict)
                        differ = self._differ(one.thread, two.thread, body)
                        name = f"data race: {access.text} and {other.text}"
                        # R_i^l(g, t) & R_j^p(g, u) & both access one place -> false
                        self._query(body, (*guard, *differ), access.origin, name, None)


def _terms(access: StepAccess) -> tuple[z3.ExprRef, ...]:
    """The terms of an access over the state before its step."""
    return (*access.guard, access.located.address.term)
