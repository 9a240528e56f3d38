"""From a program to Horn clauses: one predicate per control-flow location over the live state, one clause per edge."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import field, replace

import z3

from chcverify.garbage import without_collections
from chcverify.horn.origin import LOOP_HEAD
from chcverify.horn.system import Application, Clause, HornSystem, Origin, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import Check
from chcverify.terms.core.traversal import conjunction
from encoders.c.analysis.interval_analysis import IntervalAnalysis
from encoders.c.analysis.liveness import Interface, Liveness, analyse
from encoders.c.analysis.memory.linked_blocks import ends_of_blocks, follow_links, united
from encoders.c.analysis.memory.lost_blocks import LostBlocks, lost_blocks
from encoders.c.analysis.memory.tracked_objects import TrackedObjects, dangling
from encoders.c.analysis.points_to import PointsTo
from encoders.c.analysis.storage import Memory, StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.clearing_loops import UnboundedBlocks, with_clearing_loops
from encoders.c.cfa.cycles import Cycles
from encoders.c.cfa.expression_tests import is_about_words
from encoders.c.cfa.inlining import FlatEdge, FlatFunction, FlatLocation, FlatProgram, flatten
from encoders.c.cfa.program_checks import error_check, user_position
from encoders.c.encoding.bitvector_integers import BitVectors
from encoders.c.encoding.clause_origins import Argument, ClauseInfo, ClauseKind
from encoders.c.encoding.edge_semantics import EdgeTranslator
from encoders.c.encoding.edge_transition import EdgeTransition
from encoders.c.encoding.estimated_integers import EstimatedIntegers
from encoders.c.encoding.expression_terms import State
from encoders.c.encoding.initial_values import initial_value
from encoders.c.encoding.integer_theory import IntegerEncoding, NotLinear
from encoders.c.encoding.linear_integers import LinearIntegers
from encoders.c.encoding.memory.object_changes import initial_states
from encoders.c.encoding.memory.object_limits import are_objects_limited
from encoders.c.encoding.memory.record_copies import UnboundedClear
from encoders.c.encoding.predicate_arguments import PredicateArguments
from encoders.c.encoding.program_start import InitialRun, initial_run
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import CInteger


@dataclass(frozen=True)
class EncodeOptions:
    """Options of the encoding."""

    inline_limit: int = 5_000
    """Edges after inlining."""
    theory: str = "auto"
    """One of "auto", "lia", "bv", or "estimates": as lia, and operations on bits that are not linear have any result
    within bounds, for proofs only."""
    bounds: bool = True
    """Adds to the state at loop heads that variables are within their types; true anyway, but hard to infer."""
    summaries: frozenset[str] = frozenset()
    """Functions that are not inlined."""


@dataclass(frozen=True, eq=False)
class Encoding:
    """A Horn system that derives false exactly if the program reaches an error, and the back-translation."""

    program: ir.Program
    property: str
    system: HornSystem
    infos: tuple[ClauseInfo, ...]
    flat: FlatProgram
    memory: Memory
    objects: TrackedObjects
    theory: IntegerEncoding
    locations: dict[Predicate, FlatLocation]
    arguments: dict[Predicate, tuple[Argument, ...]]

    def initial_edges(self) -> tuple[FlatEdge, ...]:
        """The edges that every run passes first: one clause encodes them, and their sources have no predicates."""
        return self.infos[0].passed

    def orders_addresses(self) -> bool:
        """True if the program compares addresses of different objects by order."""
        keys = (choice.key for info in self.infos for choice in info.inputs)
        return any(isinstance(key, ir.Binary) and key.operator in ir.ORDERS for key in keys)


def encode(program: ir.Program, property: str = "unreach-call", options: EncodeOptions | None = None) -> Encoding:
    """The Horn system of a program. Raises Unsupported for what is not modelled exactly.

    The program's ReachError edges are the violations, whatever the property is called. The program of the result has
    loops that clear blocks of unbounded size, where the given one has such.
    """
    options = options or EncodeOptions()
    with without_collections():
        try:
            return _encoded(program, property, options)
        except UnboundedBlocks as found:
            return _encoded(with_clearing_loops(program, found), property, options)


def _encoded(program: ir.Program, property: str, options: EncodeOptions) -> Encoding:
    """The Horn system of a program. Raises Unsupported as `encode`, and UnboundedBlocks."""
    flat = flatten(program, options.inline_limit, summaries=options.summaries)
    memory = Memory(flat, PointsTo(flat))
    objects = TrackedObjects(memory, flat)
    liveness = analyse(flat, memory, objects)
    if renewed := dangling(memory, flat, liveness.live):
        memory = Memory(flat, PointsTo(flat, renewed), renewed)
        objects = TrackedObjects(memory, flat)
        liveness = analyse(flat, memory, objects)
    follow_links(flat, memory, objects, liveness.live)
    lost = lost_blocks(flat, memory, objects)
    ends = ends_of_blocks(memory, objects)
    if kept := united(lost.kept(), dict.fromkeys(liveness.live, ends) if ends else {}):
        liveness = analyse(flat, memory, objects, kept)
    ranges = IntervalAnalysis(memory, liveness, flat.functions.values())
    objects.are_limited = are_objects_limited(memory, objects, ranges)
    state = flat, memory, objects, lost, liveness, ends, ranges
    if options.theory != "bv":
        linear = EstimatedIntegers() if options.theory == "estimates" else LinearIntegers()
        try:
            return _Encoder(*state, linear, options).encoding(program, property)
        except NotLinear:
            if options.theory != "auto":
                raise
    return _Encoder(*state, BitVectors(), options).encoding(program, property)


@dataclass(eq=False)
class _Encoder:
    flat: FlatProgram
    memory: Memory
    objects: TrackedObjects
    lost: LostBlocks
    liveness: Liveness
    ends: int  # the bit set of fresh addresses of linked blocks
    ranges: IntervalAnalysis
    theory: IntegerEncoding
    options: EncodeOptions
    clauses: list[Clause] = field(default_factory=list)
    infos: list[ClauseInfo] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.declared = PredicateArguments(self.memory, self.objects, self.theory, self.ends)
        self.constant, self.arguments = self.declared.constant, self.declared.arguments
        self.predicates: dict[int, Predicate] = {}
        self.locations: dict[Predicate, FlatLocation] = {}
        self.entries: dict[str, Predicate] = {}
        self.unbounded = UnboundedBlocks()

    def encoding(self, program: ir.Program, property: str) -> Encoding:
        self.initial = self._initial_run(self.flat.functions[program.initialise])
        self._try_words()
        for function in self.flat.functions.values():
            self._declare_predicates(function, function.locations)
        for function in self.flat.functions.values():
            self._entry(function)
            cyclic = Cycles(function)
            self._lost_blocks(function)
            for edge in self._encoded_edges(function):
                self._edge_or_trap(function, edge, cyclic)
        if self.unbounded.units:
            raise self.unbounded
        system = HornSystem.of(self.clauses, tuple(self.arguments))
        state = tuple(self.infos), self.flat, self.memory, self.objects
        return Encoding(program, property, system, *state, self.theory, self.locations, self.arguments)

    def _encoded_edges(self, function: FlatFunction) -> Iterator[FlatEdge]:
        """The edges that runs may pass, apart from those that every run passes first."""
        for edge in function.edges:
            if edge.source in self.ranges.at and edge.source not in self.initial.passed:
                yield edge

    def _try_words(self) -> None:
        """Raises NotLinear, if the clauses of an edge would, before the time for the clauses of all others is spent."""
        if self.options.theory != "auto" or isinstance(self.theory, BitVectors):
            return
        tried: dict[str, list[FlatEdge]] = {}
        wanted: dict[str, set[int]] = {}  # numbers of locations
        for function in self.flat.functions.values():
            edges = {edge.edge: edge for edge in self._encoded_edges(function) if is_about_words(edge.operation)}
            tried[function.name] = list(edges.values())
            for edge in edges.values():
                wanted.setdefault(function.name, set()).update((edge.source, edge.target))
                if isinstance(edge.operation, ir.Call):
                    called = edge.operation.function
                    wanted.setdefault(called, set()).add(self.flat.functions[called].exit)
        for name, numbers in wanted.items():
            self._declare_predicates(self.flat.functions[name], numbers)
        for name in wanted:
            function = self.flat.functions[name]
            cyclic = Cycles(function)
            for edge in tried[name]:
                self._edge_or_trap(function, edge, cyclic)
        for found in (self.clauses, self.infos, self.predicates, self.locations, self.entries):
            found.clear()
        self.declared.forget_predicates()

    # --- predicates -----------------------------------------------------------------------------------------------

    def _declare_predicates(self, function: FlatFunction, wanted: Collection[int]) -> None:
        """Declares the predicates of a function's entry and of its locations with these numbers."""
        entry_mask, copied = self._entry_state(function)
        if function.name != self.flat.program.initialise:
            origin = replace(function.locations[function.entry].location.origin, note="entry")
            self.entries[function.name] = self.declared.predicate(
                function.name, origin, self.declared.described(entry_mask, True)
            )
        for number, flat in function.locations.items():
            if number in self.initial.passed or number not in wanted:
                continue
            live = self.liveness.live[number] | (entry_mask & ~copied)
            arguments = [*self.declared.described(copied, True), *self.declared.described(live, False)]
            origin = flat.location.origin
            if flat.location.is_loop_head:
                origin = replace(origin, note=LOOP_HEAD)
            self.predicates[number] = predicate = self.declared.predicate(str(flat.location), origin, arguments)
            self.locations[predicate] = flat

    def _entry_state(self, function: FlatFunction) -> tuple[int, int]:
        """State that a summary relates to its result, and the part of it that the function changes."""
        if function.name == self.flat.program.initialise:
            return 0, 0
        interface = self.liveness.interfaces[function.name]
        entry = interface.parameters | interface.used
        changed = interface.written
        for edge in function.edges:
            changed |= self.liveness.effects[edge].targets
        return entry, entry & changed

    # --- clauses ----------------------------------------------------------------------------------------------------

    def _add(
        self,
        info: ClauseInfo,
        head: Application | None,
        body: tuple[Application, ...],
        parts: Iterable[z3.BoolRef],
        origin: Origin | None,
        name: str,
    ) -> None:
        constraint = conjunction(parts)
        if not z3.is_false(constraint):
            self.clauses.append(Clause(head, body, constraint, origin, name))
            self.infos.append(info)

    def _initial_run(self, function: FlatFunction) -> InitialRun:
        live = self.liveness.live
        known = {}
        for variable in self.memory.variables_of(live[function.entry]):
            behind = self.objects.written.behind(variable)
            value = initial_value(self.memory, self.theory, variable, behind)
            if value is not None:
                known[variable] = value

        def translate(edge: FlatEdge, state: State) -> EdgeTransition:
            ranges = self.ranges.at[edge.source]
            translator = EdgeTranslator(self.memory, self.objects, self.theory, state, edge, ranges, live[edge.target])
            return translator.transition(lambda: False)

        kept = {*self.lost.loops, *(edge.source for edge in self.lost.ends)}
        return initial_run(function, known, self.constant, translate, kept)

    def _start(self, function: FlatFunction) -> None:
        terms = {v: self.constant(v) for v in self.memory.variables_of(self.liveness.live[function.entry])}
        parts = [part for v in terms if v not in self.initial.known for part in self._bounds(v)]
        parts.extend(initial_states(self.memory, self.objects, self.theory, terms))
        head = self.declared.applied(self.predicates[self.initial.location], dict(self.initial.values))
        info = ClauseInfo(ClauseKind.INIT, None, passed=self.initial.edges)
        origin = function.locations[function.entry].location.origin
        # state unknown but within its types -> location behind the static initialisers(state after them)
        self._add(info, head, (), parts, origin, "program start")

    def _entry(self, function: FlatFunction) -> None:
        """The program's start, or the clause from a summarised function's entry to its first location."""
        if function.name == self.flat.program.initialise:
            self._start(function)
            return
        first = self.predicates[function.entry]
        origin = function.locations[function.entry].location.origin
        entry = self.entries[function.name]
        copied = {argument.variable for argument in self.arguments[first] if argument.at_entry}
        variables = [argument.variable for argument in self.arguments[entry]]
        body = entry(*(self.declared.at_entry(v) if v in copied else self.constant(v) for v in variables))
        head = self.declared.applied(first, {variable: self.declared.at_entry(variable) for variable in copied})
        # entry(values) -> first location(values at entry, current values)
        self._add(ClauseInfo(ClauseKind.ENTRY, None), head, (body,), (), origin, f"enter {function.name}")

    def _bounds(self, variable: StateVariable) -> list[z3.BoolRef]:
        if variable.is_array or not isinstance(variable.type, CInteger):
            return []
        constraint = self.theory.in_range(self.constant(variable), variable.type)
        return [] if z3.is_true(constraint) else [constraint]

    def _edge_or_trap(self, function: FlatFunction, edge: FlatEdge, cyclic: Cycles) -> None:
        """The clauses of an edge; where these would need what is not modelled, no run goes beyond it."""
        count = len(self.clauses)
        try:
            self._edge(function, edge, cyclic)
        except UnboundedClear as error:
            self.unbounded.add(edge, error.unit, self.memory.points_to.regions.sizes)
        except Unsupported as error:
            del self.clauses[count:], self.infos[count:]
            source = self.declared.applied(self.predicates[edge.source], {})
            # source -> false
            self._add(
                ClauseInfo(ClauseKind.TRAP, edge), None, (source,), (), error.origin, f"not modelled: {error.construct}"
            )

    def _edge(self, function: FlatFunction, edge: FlatEdge, cyclic: Cycles) -> None:
        source = self.declared.applied(self.predicates[edge.source], {})
        parts: list[z3.BoolRef] = []
        if self.options.bounds and function.locations[edge.source].location.is_loop_head:
            for argument in self.arguments[source.predicate]:
                parts += [] if argument.at_entry else self._bounds(argument.variable)
        origin, text = edge.edge.origin, edge.edge.text
        if isinstance(edge.operation, ir.ReachError):
            check = error_check(edge.edge)
            if check in self.flat.program.assumed:
                return
            # source -> false
            self._add(ClauseInfo(ClauseKind.VIOLATION, edge, check=check), None, (source,), parts, origin, check.text)
            return
        if isinstance(edge.operation, ir.Trap):
            # source -> false
            self._add(
                ClauseInfo(ClauseKind.TRAP, edge),
                None,
                (source,),
                parts,
                origin,
                f"not modelled: {edge.operation.what}",
            )
            return
        if isinstance(edge.operation, ir.Call):
            self._call(edge, source, parts)
            return
        target = self.predicates[edge.target]
        live = self._current_mask(target)
        ranges = self.ranges.at[edge.source]
        translator = EdgeTranslator(self.memory, self.objects, self.theory, self.constant, edge, ranges, live)
        for holders in self.lost.ends.get(edge, ()):
            translator.look_for_lost(holders)
        translator.may_live_again = lambda: cyclic.lives_again(edge)
        is_summary = function.name != self.flat.program.initialise
        transition = translator.transition(lambda: is_summary or cyclic.contains(edge))
        self._trap(edge, source, parts, transition)
        self._fail(edge, source, parts, transition)
        parts = [*parts, *self._assumed(edge, transition)]
        # source(state) & guard -> target(state after the operation)
        info = ClauseInfo(ClauseKind.STEP, edge, transition.inputs, open_failures=transition.open_failures)
        self._add(
            info,
            self.declared.applied(target, transition.updates),
            (source,),
            (*parts, *transition.guard),
            origin,
            text,
        )

    def _trap(
        self, edge: FlatEdge, body: Application | tuple[Application, ...], parts: list[z3.BoolRef], does: EdgeTransition
    ) -> None:
        """Runs that go beyond the model end as errors: no proof covers them, and no replay confirms them."""
        bodies = body if isinstance(body, tuple) else (body,)
        for trap in does.traps:
            # source & guard & trap -> false; a condition is no guard of the reads that decide it
            info = ClauseInfo(ClauseKind.TRAP, edge, does.inputs)
            guard = does.constraints if isinstance(edge.operation, ir.Assume) else does.guard
            what = edge.edge.text
            if isinstance(edge.operation, ir.Havoc):
                what = f"what {edge.operation.function}, which has no body, does to pointers"
            self._add(info, None, bodies, (*parts, *guard, trap), edge.edge.origin, f"not modelled: {what}")

    def _fail(self, edge: FlatEdge, source: Application, parts: list[z3.BoolRef], does: EdgeTransition) -> None:
        """The failures of the checks of memory, each one a violation, or not modelled."""
        origin, text = user_position(edge)
        held = edge.operation.held if isinstance(edge.operation, ir.CheckAccess) else frozenset()
        for failure in does.failures:
            if failure.is_implied or (failure.kind in held and not failure.ends):  # another one fails before
                continue  # else: source & failure -> false
            constraint = (*parts, *does.constraints, failure.condition)
            if failure.kind is None:
                info = ClauseInfo(ClauseKind.TRAP, edge, does.inputs)
                self._add(info, None, (source,), constraint, origin, f"not modelled: {text}")
            else:
                check = Check(origin, failure.kind, text)
                if check in self.flat.program.assumed:
                    continue
                info = ClauseInfo(ClauseKind.VIOLATION, edge, does.inputs, check, failure)
                self._add(info, None, (source,), constraint, origin, text)

    def _assumed(self, edge: FlatEdge, does: EdgeTransition) -> list[z3.BoolRef]:
        """The checks of an edge that are assumed to hold behind it."""
        is_claim = isinstance(edge.operation, ir.CheckAccess) and edge.operation.is_claim
        if is_claim or self.flat.program.ends_at_violations:
            return [z3.Not(failure.condition) for failure in does.failures if failure.is_excluded]
        if not self.flat.program.assumed:
            return []
        origin, _ = user_position(edge)
        kinds = {check.kind for check in self.flat.program.assumed if check.origin == origin}
        return [z3.Not(failure.condition) for failure in does.failures if failure.kind in kinds and failure.is_excluded]

    def _lost_blocks(self, function: FlatFunction) -> None:
        """Blocks that are lost in a loop that may go on for ever."""
        first = {edge.source: edge for edge in reversed(function.edges) if edge.source in self.ranges.at}
        for edge in first.values():
            for holders in self.lost.loops.get(edge.source, ()):
                translator = EdgeTranslator(
                    self.memory, self.objects, self.theory, self.constant, edge, self.ranges.at[edge.source], 0
                )
                translator.look_for_lost(holders)
                source = self.declared.applied(self.predicates[edge.source], {})
                self._fail(edge, source, [], translator.finished())

    def _current_mask(self, predicate: Predicate) -> int:
        mask = 0
        for argument in self.arguments[predicate]:
            if not argument.at_entry:
                mask |= 1 << argument.variable.index
        return mask

    def _call(self, edge: FlatEdge, source: Application, parts: list[z3.BoolRef]) -> None:
        """A call of a summarised function: one clause into it, and one over it to the location behind the call."""
        call = edge.operation
        assert isinstance(call, ir.Call)
        callee = self.flat.functions[call.function]
        interface: Interface = self.liveness.interfaces[call.function]
        ranges, origin, text = self.ranges.at[edge.source], edge.edge.origin, edge.edge.text
        entry = self.entries[call.function]
        given = EdgeTranslator(
            self.memory, self.objects, self.theory, self.constant, edge, ranges, interface.parameters
        )
        given.enter(callee.root, call.arguments)
        passed = given.finished()
        values = {a.variable: passed.updates.get(a.variable, self.constant(a.variable)) for a in self.arguments[entry]}
        head = entry(*(values[a.variable] for a in self.arguments[entry]))
        self._trap(edge, source, parts, passed)
        # source & arguments -> entry of the callee
        info = ClauseInfo(ClauseKind.CALL, edge, passed.inputs)
        self._add(info, head, (source,), (*parts, *passed.guard), origin, text)

        after: dict[StateVariable, z3.ExprRef] = {}
        leaving = self.predicates[callee.exit]
        returned = []
        for argument in self.arguments[leaving]:
            variable = argument.variable
            changes = not argument.at_entry and (interface.written | interface.result) >> variable.index & 1
            if changes:
                after[variable] = z3.Const(f"{variable.name}^out", self.declared.sort(variable))
            returned.append(after[variable] if changes else values.get(variable, self.constant(variable)))
        target = self.predicates[edge.target]

        def state(variable: StateVariable) -> z3.ExprRef:
            is_result = interface.result >> variable.index & 1 and variable in after
            return after[variable] if is_result else self.constant(variable)

        back = EdgeTranslator(self.memory, self.objects, self.theory, state, edge, ranges, self._current_mask(target))
        back.updates.update({v: term for v, term in after.items() if interface.written >> v.index & 1})
        self._store_result(back, callee, call, edge)
        done = back.finished()
        bodies = (source, leaving(*returned))
        self._trap(edge, bodies, parts, done)
        # source & arguments & exit of the callee -> target
        info = ClauseInfo(ClauseKind.RETURN, edge, (*passed.inputs, *done.inputs))
        guard = (*parts, *passed.guard, *done.guard)
        self._add(info, self.declared.applied(target, done.updates), bodies, guard, origin, text)

    def _store_result(
        self,
        back: EdgeTranslator,
        callee: FlatFunction,
        call: ir.Call,
        edge: FlatEdge,
    ) -> None:
        """Assigns the result, a variable of the callee that holds its value after the call, to the call's lvalue."""
        result = callee.root.function.result
        if call.lvalue is None or result is None:
            return
        load = ir.Load(ir.VariableLValue.of(result), result.type)
        back.assign(edge.frame, call.lvalue, callee.root, load, copies=True)
