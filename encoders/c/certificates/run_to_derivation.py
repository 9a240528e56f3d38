"""From a concrete run to a derivation: each executed edge is one clause with the values of its head."""

from collections.abc import Callable, Mapping
from fractions import Fraction

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.effort import MAX_ALTERNATIVES
from chcverify.horn.system import Application, Clause
from chcverify.results.violation import Violation
from chcverify.terms.core.traversal import free_variables
from encoders.c.analysis.storage import NULL, UNKNOWN, ScalarStorage, StateVariable
from encoders.c.certificates.chosen_objects import chosen_by_clause
from encoders.c.certificates.clause_plans import Assignment, ClausePlan, ClausePlans
from encoders.c.certificates.derivation_to_inputs import float_of
from encoders.c.certificates.long_arrays import LongArrays
from encoders.c.certificates.object_choices import ObjectChoices, invalid_address
from encoders.c.certificates.region_cells import Part, parts
from encoders.c.certificates.run_progress import RunProgress
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import Leave, is_synthetic
from encoders.c.cfa.type_sizes import sizes_of
from encoders.c.encoding import floats
from encoders.c.encoding.clause_origins import ClauseInfo, ClauseKind
from encoders.c.encoding.edge_values import UndeterminedValue
from encoders.c.encoding.encoder import Encoding
from encoders.c.encoding.initial_values import constant_of
from encoders.c.encoding.memory.byte_memory import FloatBits
from encoders.c.execution.inputs import Inputs, InputStep, ObjectValue, Scalar, choice_in
from encoders.c.execution.objects import encode_bits
from encoders.c.types.c_types import DOUBLE, FLOAT, UCHAR, CFloat, CInteger, CPointer, CType


def derivation_of_run(
    encoding: Encoding,
    path: list[ir.Edge],
    inputs: Inputs,
    going_on: Callable[[], bool] = lambda: True,
    violation: Violation | None = None,
    plans: ClausePlans | None = None,
) -> Derivation | None:
    """The derivation of false that follows the run, or None where no instance of the clauses does.

    path, inputs: the executed edges of the run and its choices, in order. going_on: asked before each step. violation:
    that the run ends with; None: any. plans: of other runs with the same clauses. Calls that repeat another one share
    its steps. Raises TimeoutError when `going_on` returns False.
    """
    return _RunFollower(encoding, path, inputs, going_on, violation, plans or ClausePlans()).derivation()


def steps_of_run(
    encoding: Encoding, path: list[ir.Edge], inputs: Inputs, going_on: Callable[[], bool]
) -> tuple[list[Step], list[int]]:
    """The steps that follow a run without a violation as far as instances of the clauses do, and for each step the
    number of edges of the path up to it. Arguments and TimeoutError as of `derivation_of_run`."""
    follower = _RunFollower(encoding, path, inputs, going_on, None, ClausePlans())
    follower.derivation()
    return follower.steps, follower.positions


class _RunFollower:
    """Builds the derivation of one run step by step. initial: contents of shared arrays, by address, learnt so far."""

    def __init__(
        self,
        encoding: Encoding,
        path: list[ir.Edge],
        inputs: Inputs,
        going_on: Callable[[], bool],
        violation: Violation | None,
        plans: ClausePlans,
    ) -> None:
        self.encoding, self.path, self.inputs, self.going_on = encoding, path, inputs, going_on
        self.violation = violation
        self.sizes = sizes_of(encoding.program)
        self.steps: list[Step] = []
        self.positions: list[int] = []  # in the path, behind the edge of each step
        self.progress = RunProgress((), Inputs())
        self.plans = plans
        self.initial: dict[StateVariable, dict[int, z3.ExprRef]] = {}
        self.choices = ObjectChoices(encoding)
        self.arrays = LongArrays()
        self.by_body: dict[str, list[int]] = {}
        for index, clause in enumerate(encoding.system.clauses):
            if clause.body:
                self.by_body.setdefault(clause.body[0].predicate.name, []).append(index)

    def derivation(self) -> Derivation | None:
        """Follows the run. Objects in shared arrays keep what these held from the start, so each attempt learns
        initial contents for the next one."""
        for _ in range(MAX_ALTERNATIVES):
            before = {array: dict(entries) for array, entries in self.initial.items()}, dict(self.choices.points)
            self.steps, self.positions = [], []
            self.choices.begin()
            found = self._follow()
            if found is not None or before == (self.initial, self.choices.points):
                return found
            if before[0] != self.initial and before[1]:
                self.choices.keep(before[1])  # the next attempt may succeed with the same objects
        return None

    def _follow(self) -> Derivation | None:
        """The derivation that one pass over the run gives, None where no clause fits the run."""
        self.progress = progress = RunProgress(self.path, self.inputs)
        now = self._use(0, (), None) if self._passes_initial_edges(progress) else None
        while now is not None:
            if not self.going_on():
                raise TimeoutError
            name = self._head(now).predicate.name
            silent = next((i for i in self.by_body.get(name, []) if self._is_silent(i)), None)
            if silent is not None:
                if progress.position == len(progress.path) and self._ends_silently(now, name):
                    return Derivation(tuple(self.steps))
                now = self._use(silent, (now,), None)
            elif progress.calls and self._is_exit(name):
                call = progress.end_call(now, self._fact)
                now = self._return(call.caller, now, call.edge)
            else:
                now, is_violation = self._execute(now, name, progress)
                if is_violation:
                    return Derivation(tuple(self.steps)) if now is not None else None
        return None

    def _passes_initial_edges(self, progress: RunProgress) -> bool:
        """Moves behind the edges that the first clause encodes; False if the run does not begin with them."""
        expected = [flat.edge for flat in self.encoding.initial_edges() if not is_synthetic(flat.edge)]
        taken = [progress.next_edge() for _ in expected]
        return [edge for edge, _ in filter(None, taken)] == expected

    def _execute(self, now: int, name: str, progress: RunProgress) -> tuple[int | None, bool]:
        """Follows the next edge of the path from a step whose fact is of the predicate `name`.

        Returns the step after it, None if no clause fits, and whether the edge is the violation.
        """
        taken = progress.next_edge()
        if taken is None:
            return None, False
        edge, choice = taken
        after: int | None = None
        kind: ClauseKind | None = None
        is_last = progress.position == len(progress.path)
        matching = [index for index in self.by_body.get(name, []) if self._matches(index, edge, is_last)]
        for index in matching:
            after, kind = self._use(index, (now,), choice), self.encoding.infos[index].kind
            if after is not None:
                break
        if is_last and kind is not ClauseKind.VIOLATION:
            self._learn_object(matching, now, choice)
        if kind is ClauseKind.CALL and after is not None:
            leaving = progress.repeat_call(self._fact(after))
            if leaving is not None:
                return self._return(now, leaving, edge), False
            progress.begin_call(now, after, edge)
        return after, kind is ClauseKind.VIOLATION

    def _head(self, step: int) -> Application:
        """The head of the step's clause, which is no query."""
        head = self.encoding.system.clauses[self.steps[step].clause].head
        assert head is not None
        return head

    def _fact(self, step: int) -> tuple[object, ...]:
        """The fact that the step derives, as a key."""
        return self._head(step).predicate.name, *(argument.get_id() for argument in self.steps[step].arguments)

    def _is_silent(self, index: int) -> bool:
        """True for clauses without an edge of the path: entries of summaries, and returns of inlined calls."""
        info = self.encoding.infos[index]
        if info.kind is not ClauseKind.STEP or info.edge is None:
            return info.kind is ClauseKind.ENTRY
        return isinstance(info.edge.operation, Leave) or is_synthetic(info.edge.edge)

    def _matches(self, index: int, edge: ir.Edge, is_last: bool) -> bool:
        """True if the clause encodes the edge. is_last: the run ends with it, at the violation."""
        info = self.encoding.infos[index]
        if info.edge is None or info.edge.edge is not edge:
            return False
        return info.kind in (ClauseKind.STEP, ClauseKind.CALL) or (is_last and self._is_violated(index))

    def _is_violated(self, index: int) -> bool:
        """True if the clause derives the violation that the run ends with."""
        info = self.encoding.infos[index]
        if info.kind is not ClauseKind.VIOLATION or self.violation is None:
            return info.kind is ClauseKind.VIOLATION
        return info.check is None or info.check.kind is self.violation.check.kind

    def _ends_silently(self, now: int, name: str) -> bool:
        """Adds the violation of a run that ends when an inlined call returns; False if there is none."""
        matching = [i for i in self.by_body.get(name, []) if self._is_return(i) and self._is_violated(i)]
        if any(self._use(index, (now,), None) is not None for index in matching):
            return True
        self._learn_object(matching, now, None)
        return False

    def _is_return(self, index: int) -> bool:
        """True if the clause is of the return of an inlined call."""
        edge = self.encoding.infos[index].edge
        return edge is not None and isinstance(edge.operation, Leave)

    def _learn_object(self, matching: list[int], now: int, choice: InputStep | None) -> None:
        """Chooses the tracked object that the failing check at the end of the run is about."""
        for index in matching:
            info = self.encoding.infos[index]
            if info.failure is None or info.failure.tracked is None:
                continue
            values = self._values(self._plan(index), info, (now,), choice)
            if values is None:
                continue
            address = info.failure.address
            point = None if address is None else self.plans.open_term(address).at(values, self.arrays)
            if self.choices.learn(info.failure.tracked, point, self._number()):
                return

    def _number(self) -> int | None:
        """The number of the allocation that made the object of the violation, from 1; None if it is not known."""
        about = None if self.violation is None else self.violation.object
        return None if about is None else about.number

    def _is_exit(self, name: str) -> bool:
        """True if the predicate is that of a summarised function's exit."""
        flat = self.encoding.locations.get(self.encoding.system.by_name[name])
        return flat is not None and flat.frame.parent is None and flat.location.number == flat.frame.function.exit

    def _return(self, caller: int, leaving: int, edge: ir.Edge) -> int | None:
        """Adds the step that returns from a summarised function.

        caller, leaving: the steps of the facts before the call and at the callee's exit. edge: of the call.
        """
        for index in self.by_body.get(self._head(caller).predicate.name, []):
            info = self.encoding.infos[index]
            if info.kind is ClauseKind.RETURN and info.edge is not None and info.edge.edge is edge:
                return self._use(index, (caller, leaving), None)
        return None

    # --- one clause ---------------------------------------------------------------------------------------------------

    def _use(self, index: int, premises: tuple[int, ...], choice: InputStep | None) -> int | None:
        """Adds the step of clause `index` with these premises and this choice of the run.

        Returns its number, None if the clause has no such instance.
        """
        plan, info = self._plan(index), self.encoding.infos[index]
        values = self._values(plan, info, premises, choice)
        if values is None:
            return None
        for premise, position, open_term in plan.equated:
            if not _equal(open_term.at(values, self.arrays), self.steps[premises[premise]].arguments[position]):
                return None
        if not z3.is_true(plan.constraint.at(values, self.arrays)):
            return None
        ground = tuple(argument.at(values, self.arrays) for argument in plan.head)
        self.steps.append(Step(index, ground, premises))
        self.positions.append(self.progress.position)
        if info.edge is not None and isinstance(info.edge.operation, ir.Allocate):
            self.choices.note(info, dict(values.values()))
        if choice is not None and isinstance(choice.value, ObjectValue):
            self._learn(info, choice.value, dict(values.values()))
        return len(self.steps) - 1

    def _values(
        self, plan: ClausePlan, info: ClauseInfo, premises: tuple[int, ...], choice: InputStep | None
    ) -> Assignment | None:
        """The values of the clause's variables, None if premises and choice allow none."""
        values: Assignment = {}
        for premise, position, argument in plan.bound:
            value = self.steps[premises[premise]].arguments[position]
            if not _equal(values.setdefault(argument.get_id(), (argument, value))[1], value):
                return None
        for item in info.inputs:
            if isinstance(item.key, FloatBits):
                continue
            chosen = self._chosen(info, item, choice, values)
            if chosen is None:
                return None
            values[item.term.get_id()] = item.term, chosen
        for term, value in self._free(plan.clause):
            values[term.get_id()] = term, value
        for term, value in plan.idle:
            values.setdefault(term.get_id(), (term, value))
        for item in info.inputs:
            if isinstance(item.key, FloatBits):
                bits = self._representation(item, values)
                if bits is None:
                    return None
                values[item.term.get_id()] = item.term, bits
        return values

    def _representation(self, item: UndeterminedValue, values: Assignment) -> z3.ExprRef | None:
        """The bits of a floating-point number, None for NaN or what is no number."""
        assert isinstance(item.key, FloatBits)
        value = self.plans.open_term(item.key.term).at(values, self.arrays)
        if not isinstance(value, z3.FPNumRef) or value.isNaN():
            return None
        kind = next(kind for kind in (FLOAT, DOUBLE) if floats.sort(kind) == value.sort())
        return z3.BitVecVal(encode_bits(kind, float_of(value)), kind.width)

    def _plan(self, index: int) -> ClausePlan:
        return self.plans.of(self.encoding.system.clauses[index])

    def _free(self, clause: Clause) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
        """Zeros for variables that nothing determines: state before anything is executed."""
        if clause.body or clause.head is None:
            return []
        out: list[tuple[z3.ExprRef, z3.ExprRef]] = []
        free = {variable.get_id() for variable in free_variables(*clause.head.arguments)}
        for argument in self.encoding.arguments[clause.head.predicate]:
            term = constant_of(self.encoding.theory, argument.variable)
            if term.get_id() in free:
                kind, first = argument.variable.type, self.choices.initial(argument.variable)
                if first is not None:
                    out.append((term, self.encoding.theory.address(first).term))
                    continue
                zero = self._term(0, kind)
                assert zero is not None
                if argument.variable.is_array:
                    zero = z3.K(term.sort().domain(), zero)
                    for address, value in self.initial.get(argument.variable, {}).items():
                        zero = z3.Store(zero, self.encoding.theory.address(address).term, value)
                out.append((term, zero))
        return out

    def _learn(self, info: ClauseInfo, value: ObjectValue, known: dict[z3.ExprRef, z3.ExprRef]) -> None:
        """Stores the contents of an object that the clause does not write into its shared array, in `initial`.

        value: the contents that the run chose. known: the values of the clause's variables.
        """
        found = chosen_by_clause(self.encoding, info, known)
        if found is None or (info.edge is not None and isinstance(info.edge.operation, ir.Forget)):
            return
        region, kind, start = found
        for part in parts(self.encoding.memory, self.sizes, region, kind):
            for offset, entry in self._entries(part, value).items():
                number, term = part.cells.number(offset), self._term(entry, part.leaf.type)
                if part.leaf.array is not None and number is not None and term is not None:
                    self.initial.setdefault(part.leaf.array, {}).setdefault(start * part.factor + number, term)

    def _chosen(
        self, info: ClauseInfo, item: UndeterminedValue, choice: InputStep | None, values: Assignment
    ) -> z3.ExprRef | None:
        """The value that the run chose for an undetermined value of the clause. values: of its variables so far."""
        if item.key == "value":
            if info.edge is not None and _makes_unknown_pointer(info.edge.operation):  # which no run follows
                return self.encoding.theory.address(2 * UNKNOWN).term
            value = None if choice is None else choice.value
            return self._term(0 if value is None or isinstance(value, ObjectValue) else value, item.type)
        if isinstance(item.key, ScalarStorage) and not (
            info.edge and isinstance(info.edge.operation, ir.Declare | ir.Forget)
        ):
            zero = self._term(0, item.type)  # no run writes through an unknown pointer: any contents do
            return zero if zero is None or not z3.is_array(item.term) else z3.K(item.term.sort().domain(), zero)
        if isinstance(item.key, ScalarStorage | list):
            return self._contents(info, item, choice, dict(values.values()))
        return self._term(choice_in(choice, item.key), item.type)

    def _contents(
        self,
        info: ClauseInfo,
        item: UndeterminedValue,
        choice: InputStep | None,
        known: Mapping[z3.ExprRef, z3.ExprRef],
    ) -> z3.ExprRef | None:
        """The contents of an object: of one cell (key [leaf, number]), or of a whole array (key leaf)."""
        leaf: ScalarStorage = item.key[0] if isinstance(item.key, list) else item.key  # type: ignore[assignment]
        value = ObjectValue() if choice is None else choice.value
        if not isinstance(value, ObjectValue):
            value = ObjectValue(default=value or 0)
        found = chosen_by_clause(self.encoding, info, known)
        if found is None:
            return None
        region, kind, start = found
        part = next(p for p in parts(self.encoding.memory, self.sizes, region, kind) if p.leaf is leaf)
        default = self._term(value.default, leaf.type)
        if isinstance(item.key, list):
            entry = self._entries(part, value).get(part.cells.offset(item.key[1]))
            return default if entry is None else self._term(entry, leaf.type)
        if default is None:
            return None
        array: z3.ExprRef = z3.K(self.encoding.theory.address_sort(), default)
        if info.edge is not None and isinstance(info.edge.operation, ir.Forget) and leaf.array is not None:
            array = known.get(constant_of(self.encoding.theory, leaf.array), array)  # other objects keep what they hold
        return self._array(part, value, array, start * part.factor)

    def _array(self, part: Part, value: ObjectValue, array: z3.ExprRef, start: int) -> z3.ExprRef:
        """The array with an object's contents from address `start` on."""
        for offset, entry in self._entries(part, value).items():
            number = part.cells.number(offset)
            term = self._term(entry, part.leaf.type)
            if number is not None and term is not None:
                array = z3.Store(array, self.encoding.theory.address(start + number).term, term)
        return array

    def _entries(self, part: Part, value: ObjectValue) -> Mapping[int, Scalar]:
        """The entries of an object, as bytes where it is bytes; without addresses other than null."""
        if not part.leaf.region.bytes:
            return value.entries
        out: dict[int, Scalar] = {}
        for offset, entry in value.entries.items():
            kind = value.kinds.get(offset, UCHAR)
            if isinstance(kind, CPointer) and entry != 0:
                continue
            bits = 0 if isinstance(kind, CPointer) else encode_bits(kind, entry)
            for i in range(0, self.sizes.of(kind), 8):
                out[offset + i] = bits >> i & 255
        return out

    def _term(self, value: Scalar, kind: CType) -> z3.ExprRef | None:
        """The term of a C value; None for values of other types than scalars."""
        if isinstance(kind, CInteger):
            return self.encoding.theory.literal(kind.wrap(int(value)), kind).term
        if isinstance(kind, CFloat):
            return floats.literal(value if isinstance(value, Fraction) else float(value), kind)
        if isinstance(kind, CPointer) or value == 0:
            return self.encoding.theory.address(NULL if value == 0 else invalid_address(int(value))).term
        return None


def _makes_unknown_pointer(operation: object) -> bool:
    return isinstance(operation, ir.Nondet) and operation.is_unknown


def _equal(one: z3.ExprRef, two: z3.ExprRef) -> bool:
    """True if two ground terms have the same value. (Not ==, which for floats is C's comparison.)"""
    return bool(one.eq(two)) or z3.is_false(z3.simplify(z3.Distinct(one, two)))
