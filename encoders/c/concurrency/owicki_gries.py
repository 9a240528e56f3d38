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

from dataclasses import replace

import z3

from chcverify.horn.system import Application, Predicate
from chcverify.terms.core.traversal import free_variables, name_of
from encoders.c.analysis.regions import Region, top_of
from encoders.c.analysis.storage import StateVariable
from encoders.c.cfa import ir
from encoders.c.concurrency.flat_threads import FlatThread, flatten_threads
from encoders.c.concurrency.known_values import KnownValues
from encoders.c.concurrency.last_writers import own_number, with_last_writers
from encoders.c.concurrency.races import may_conflict
from encoders.c.concurrency.shared_state import SharedState, shared_state
from encoders.c.concurrency.step_paths import StepAccess, StepsOfThread, ThreadStep
from encoders.c.concurrency.thread_clauses import ThreadClauses, ThreadEncoding
from encoders.c.encoding.bitvector_integers import BitVectors
from encoders.c.encoding.integer_theory import IntegerEncoding, NotLinear
from encoders.c.encoding.linear_integers import LinearIntegers
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import INT


def encode_threads(program: ir.Program, races: bool) -> ThreadEncoding:
    """The thread-modular clauses. races: are data races violations, too? Raises Unsupported."""
    state = shared_state(flatten_threads(program), races)
    try:
        return _ThreadEncoder(state, LinearIntegers(), races).encoding(program)
    except NotLinear:
        return _ThreadEncoder(state, BitVectors(), races).encoding(program)


class _ThreadEncoder:
    def __init__(self, state: SharedState, theory: IntegerEncoding, races: bool) -> None:
        self.state, self.races = state, races
        self.memory, self.live = state.memory, state.liveness.live
        self.clauses = ThreadClauses(state, theory)
        self.constant = self.clauses.constant
        self.others: dict[StateVariable, z3.ExprRef] = {}  # the locals of a second instance of a template
        self.predicates: dict[int, Predicate] = {}

    def encoding(self, program: ir.Program) -> ThreadEncoding:
        self._require_own_locals()
        initial = self.clauses.initial_run()
        program_steps = self.clauses.all_steps(initial)
        writers = with_last_writers(self.memory, self.clauses.theory, self.constant, program_steps)
        found, self.clauses.ghosts = writers.steps, writers.ghosts
        self.clauses.first_clause(self._predicate(initial.location), initial)
        for steps in found:
            for step in steps.steps:
                self._step(step)
            for location, failure in steps.failures:
                self.clauses.failing((self._apply(location),), failure.guard, failure)
        for acting in found:
            for other in found:
                if acting is not other or acting.thread.is_template:
                    self._interference(acting, other)
        if self.races:
            self._races(found)
        known = KnownValues(self.clauses, found, self._own_number, self.state.contention.alone)
        known.find(initial)
        return replace(self.clauses.encoding(program), known=known.formulas(self.predicates))

    def _own_number(self, thread: FlatThread) -> StateVariable | None:
        return own_number(self.memory, thread)

    def _require_own_locals(self) -> None:
        """Raises Unsupported if a local variable of a template, which each instance has, is shared in the clauses."""
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
            place = flat.locations[location].location
            made = self.clauses.predicate(f"{flat.name}:{place}", self.live[location], place.origin)
            self.predicates[location] = made
        return self.predicates[location]

    def _apply(self, location: int, values: dict[StateVariable, z3.ExprRef] | None = None) -> Application:
        return self.clauses.applied(self._predicate(location), values)

    # --- clauses ----------------------------------------------------------------------------------------------------

    def _step(self, step: ThreadStep) -> None:
        body = (self._apply(step.source),)
        # R_i^l(g, t) & step -> R_i^m(g', t')
        self.clauses.add(self._apply(step.target, step.values), body, step.guard, step.origin, step.text)
        for created in step.created:
            head = self._apply(created.function.entry, step.values)
            # R_i^l(g, t) & step -> R_j^0(g', arguments)
            self.clauses.add(head, body, step.guard, step.origin, f"start of {created.function.name}")

    def _interference(self, acting: StepsOfThread, other: StepsOfThread) -> None:
        """The steps of one thread as seen by another one, or by another instance of the same template."""
        own = self._renaming(other) if acting is other else {}
        alone = self.state.contention.alone  # there is no other thread then
        for step in acting.steps:
            if step.source in alone:
                continue
            changed = {v: term for v, term in step.values.items() if v.owner is None and not self._is_same(v, term)}
            for location in sorted(other.visible - alone):
                variables = self.clauses.variables[self._predicate(location)]
                if not any(variable in changed for variable in variables):
                    continue
                seen = self._apply(location, own)
                after = self._apply(location, {**own, **changed})
                body = (seen, self._apply(step.source))
                differ = self._differ(acting.thread, other.thread, (body[1], body[0]))
                # R_j^p(g, u) & R_i^l(g, t) & step -> R_j^p(g', u)
                name = f"{step.text}, seen by {other.thread.function.name}"
                self.clauses.add(after, body, (*step.guard, *differ), step.origin, name)

    def _is_same(self, variable: StateVariable, term: z3.ExprRef) -> bool:
        return bool(term.eq(self.constant(variable)))

    def _renaming(self, steps: StepsOfThread) -> dict[StateVariable, z3.ExprRef]:
        """The locals of another instance of the same template."""
        found = {}
        for location in steps.visible:
            for variable in self.clauses.variables[self._predicate(location)]:
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
        numbers = [self._number(thread, body) for thread, body in zip((one, two), bodies, strict=True)]
        if numbers[0] is not None and numbers[1] is not None and (one.own_number or two.own_number):
            found.append(numbers[0] != numbers[1])
        return found

    def _number(self, thread: FlatThread, body: Application) -> z3.ExprRef | None:
        """The number of a thread, a constant or an argument of its predicate; None where it is no argument."""
        own = own_number(self.memory, thread)
        if own is None:
            return self.clauses.theory.literal(thread.number, INT).term
        given = dict(zip(self.clauses.variables[body.predicate], body.arguments, strict=True))
        return given.get(own)

    def _own_addresses(self, thread: FlatThread, body: Application) -> list[tuple[Region | None, z3.ExprRef]]:
        """The terms of addresses of the thread's locals that it has been given, with the regions they are in; of its
        own number, none."""
        regions = self.memory.points_to.regions
        given = dict(zip(self.clauses.variables[body.predicate], body.arguments, strict=True))
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
            inputs = {
                name_of(name): name for term in terms for name in free_variables(term) if name_of(name).startswith("?")
            }
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
                        self.clauses.query(body, (*guard, *differ), access.origin, name, None)


def _terms(access: StepAccess) -> tuple[z3.ExprRef, ...]:
    """The terms of an access over the state before its step."""
    return (*access.guard, access.located.address.term)
