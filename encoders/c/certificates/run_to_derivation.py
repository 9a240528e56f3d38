"""From a concrete run to a derivation: each executed edge is one clause with the values of its head."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.horn.system import Clause
from chcverify.terms.core.traversal import free_variables, is_variable
from encoders.c.analysis.points_to import slot_of
from encoders.c.analysis.storage import NULL, ScalarStorage, StateVariable
from encoders.c.certificates.derivation_to_inputs import float_of
from encoders.c.certificates.region_cells import Part, parts
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import Leave, is_synthetic
from encoders.c.cfa.type_sizes import sizes_of
from encoders.c.encoding import floats
from encoders.c.encoding.byte_memory import FloatBits
from encoders.c.encoding.edge_semantics import constant_of
from encoders.c.encoding.edge_values import UndeterminedValue
from encoders.c.encoding.encoder import ClauseInfo, Encoding
from encoders.c.execution.inputs import Inputs, InputStep, ObjectValue, Scalar, choice_in
from encoders.c.execution.objects import encode_bits
from encoders.c.types.c_types import DOUBLE, FLOAT, UCHAR, CFloat, CInteger, CPointer, CType

MAX_ATTEMPTS = 10


def derivation_of_run(
    encoding: Encoding, path: list[ir.Edge], inputs: Inputs, going_on: Callable[[], bool] = lambda: True
) -> Derivation | None:
    """The derivation of false that follows the run, or None where the encoded system does not follow it.

    Raises TimeoutError when `going_on` says so. Calls that do again what another one did share its steps.
    """
    return _RunFollower(encoding, path, inputs, going_on).derivation()


@dataclass(frozen=True)
class _Call:
    """A call on the way. caller, entry: the facts before it and at the callee's entry; begin: the position in the path
    behind its edge; choices: those made before it."""

    caller: int
    entry: int
    edge: ir.Edge
    begin: int
    choices: int


class _RunFollower:
    def __init__(self, encoding: Encoding, path: list[ir.Edge], inputs: Inputs, going_on: Callable[[], bool]) -> None:
        self.encoding, self.path, self.inputs, self.going_on = encoding, path, inputs, going_on
        self.sizes = sizes_of(encoding.program)
        self.steps: list[Step] = []
        self.plans: dict[int, _Plan] = {}
        self.open_terms: dict[int, _Open] = {}
        self.initial: dict[StateVariable, dict[int, z3.ExprRef]] = {}
        self.by_body: dict[str, list[int]] = {}
        for index, clause in enumerate(encoding.system.clauses):
            if clause.body:
                self.by_body.setdefault(clause.body[0].predicate.name, []).append(index)

    def derivation(self) -> Derivation | None:
        """Follows the run. Objects in shared arrays keep what these held from the start, so each attempt learns
        initial contents for the next one."""
        for _ in range(MAX_ATTEMPTS):
            before = {array: dict(entries) for array, entries in self.initial.items()}
            self.steps = []
            found = self._follow()
            if found is not None or before == self.initial:
                return found
        return None

    def _follow(self) -> Derivation | None:
        recorded = iter(self.inputs)
        choice = next(recorded, None)
        calls: list[_Call] = []  # of summarised functions
        done: dict[tuple[object, ...], tuple[int, int, int]] = {}  # entry -> exit, and where the path shows this
        now = self._use(0, (), None)
        position = choices = 0
        while now is not None:
            if not self.going_on():
                raise TimeoutError
            predicate = self.encoding.system.clauses[self.steps[now].clause].head
            assert predicate is not None
            options = self.by_body.get(predicate.predicate.name, [])
            passing = next((i for i in options if self._is_silent(i)), None)
            if passing is not None:
                now = self._use(passing, (now,), None)
                continue
            if calls and self._is_exit(predicate.predicate.name):
                call = calls.pop()
                if choices == call.choices:  # what follows is determined by the entry
                    done.setdefault(self._fact(call.entry), (now, call.begin, position))
                now = self._return(call.caller, now, call.edge)
                continue
            if position == len(self.path):
                return None
            edge = self.path[position]
            position += 1
            taken = None
            if choice is not None and choice.edge is edge:
                taken, choice, choices = choice, next(recorded, None), choices + 1
            found = next((i for i in options if self._matches(i, edge)), None)
            if found is None:
                return None
            info = self.encoding.infos[found]
            caller = now
            now = self._use(found, (now,), taken)
            if info.kind == "violation":
                return Derivation(tuple(self.steps)) if now is not None else None
            if info.kind == "call" and now is not None:
                end, *shown = done.get(self._fact(now), (None, 0, 0))
                chooses = None if choice is None else choice.edge
                if end is not None and (after := self._past(chooses, position, *shown)) is not None:
                    now, position = self._return(caller, end, edge), after
                else:
                    calls.append(_Call(caller, now, edge, position, choices))
        return None

    def _fact(self, step: int) -> tuple[object, ...]:
        """What the step derives, as a key."""
        head = self.encoding.system.clauses[self.steps[step].clause].head
        assert head is not None
        return head.predicate.name, *(argument.get_id() for argument in self.steps[step].arguments)

    def _past(self, chooses: ir.Edge | None, position: int, begin: int, end: int) -> int | None:
        """The position behind what the path shows from begin to end, if it shows the same from `position` on, and the
        edge that makes the next choice is none of it."""
        after = position + end - begin
        stretch = self.path[position:after]
        if stretch != self.path[begin:end] or any(edge is chooses for edge in stretch):
            return None
        return after

    def _is_silent(self, index: int) -> bool:
        """Steps that the interpreter's path does not show: entries of summaries, and returns of inlined calls."""
        info = self.encoding.infos[index]
        if info.kind != "step" or info.edge is None:
            return info.kind == "entry"
        return isinstance(info.edge.operation, Leave) or is_synthetic(info.edge.edge)

    def _matches(self, index: int, edge: ir.Edge) -> bool:
        info = self.encoding.infos[index]
        return info.edge is not None and info.edge.edge is edge and info.kind in ("step", "call", "violation")

    def _is_exit(self, name: str) -> bool:
        flat = self.encoding.locations.get(self.encoding.system.by_name[name])
        return flat is not None and flat.frame.parent is None and flat.location.number == flat.frame.function.exit

    def _return(self, caller: int, leaving: int, edge: ir.Edge) -> int | None:
        head = self.encoding.system.clauses[self.steps[caller].clause].head
        assert head is not None
        for index in self.by_body.get(head.predicate.name, []):
            info = self.encoding.infos[index]
            if info.kind == "return" and info.edge is not None and info.edge.edge is edge:
                return self._use(index, (caller, leaving), None)
        return None

    # --- one clause ---------------------------------------------------------------------------------------------------

    def _use(self, index: int, premises: tuple[int, ...], choice: InputStep | None) -> int | None:
        """Adds the step, if the clause has an instance with these premises and choices."""
        plan, info = self._plan(index), self.encoding.infos[index]
        known: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = {}
        for premise, position, argument in plan.bound:
            value = self.steps[premises[premise]].arguments[position]
            if not _equal(known.setdefault(argument.get_id(), (argument, value))[1], value):
                return None
        for item in info.inputs:
            if isinstance(item.key, FloatBits):
                continue
            chosen = self._chosen(info, item, choice)
            if chosen is None:
                return None
            known[item.term.get_id()] = item.term, chosen
        for term, value in self._free(plan.clause):
            known[term.get_id()] = term, value
        for term, value in plan.idle:
            known.setdefault(term.get_id(), (term, value))
        for item in info.inputs:
            if isinstance(item.key, FloatBits):
                bits = self._representation(item, known)
                if bits is None:
                    return None
                known[item.term.get_id()] = item.term, bits
        for premise, position, open_term in plan.equated:
            if not _equal(open_term.at(known), self.steps[premises[premise]].arguments[position]):
                return None
        if not z3.is_true(plan.constraint.at(known)):
            return None
        ground = tuple(argument.at(known) for argument in plan.head)
        self.steps.append(Step(index, ground, premises))
        if choice is not None and isinstance(choice.value, ObjectValue):
            self._learn(info, choice.value, dict(known.values()))
        return len(self.steps) - 1

    def _representation(
        self, item: UndeterminedValue, known: dict[int, tuple[z3.ExprRef, z3.ExprRef]]
    ) -> z3.ExprRef | None:
        assert isinstance(item.key, FloatBits)
        value = self._open(item.key.term).at(known)
        if not isinstance(value, z3.FPNumRef) or value.isNaN():
            return None
        kind = next(kind for kind in (FLOAT, DOUBLE) if floats.sort(kind) == value.sort())
        return z3.BitVecVal(encode_bits(kind, float_of(value)), kind.width)

    def _plan(self, index: int) -> "_Plan":
        if index not in self.plans:
            self.plans[index] = self._plan_of(self.encoding.system.clauses[index])
        return self.plans[index]

    def _plan_of(self, clause: Clause) -> "_Plan":
        bound, equated = [], []
        for premise, application in enumerate(clause.body):
            for position, argument in enumerate(application.arguments):
                open_term = self._open(argument)
                if open_term.is_variable:
                    bound.append((premise, position, argument))
                else:
                    equated.append((premise, position, open_term))
        head = () if clause.head is None else clause.head.arguments
        body = free_variables(*(argument for application in clause.body for argument in application.arguments))
        given = {variable.get_id() for variable in (*body, *free_variables(*head))}
        idle = [(v, _zero(v.sort())) for v in free_variables(clause.constraint) if v.get_id() not in given]
        constraint, ground = self._open(clause.constraint), tuple(map(self._open, head))
        return _Plan(clause, tuple(bound), tuple(equated), constraint, ground, tuple(idle))

    def _open(self, term: z3.ExprRef) -> "_Open":
        """Clauses share most of their terms, which the encoding keeps alive."""
        key = term.get_id()
        if key not in self.open_terms:
            self.open_terms[key] = _Open.of(term)
        return self.open_terms[key]

    def _free(self, clause: Clause) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
        """Zeros for variables that nothing determines: state before anything is executed."""
        if clause.body or clause.head is None:
            return []
        out: list[tuple[z3.ExprRef, Any]] = []
        for argument, term in zip(self.encoding.arguments[clause.head.predicate], clause.head.arguments, strict=True):
            if z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                kind = argument.variable.type
                zero = self._term(0, kind)
                if argument.variable.is_array:
                    zero = z3.K(term.sort().domain(), zero)
                    for address, value in self.initial.get(argument.variable, {}).items():
                        zero = z3.Store(zero, self.encoding.theory.address(address).term, value)
                out.append((term, zero))
        return out

    def _learn(self, info: ClauseInfo, value: ObjectValue, known: dict[z3.ExprRef, z3.ExprRef]) -> None:
        """Remembers the contents of an object that an operation leaves in a shared array as they were."""
        assert info.edge is not None
        memory, operation, frame = self.encoding.memory, info.edge.operation, info.edge.frame
        regions = memory.points_to.regions
        if isinstance(operation, ir.Declare):
            slot = slot_of(operation.variable, frame)
            region, kind, start = regions.of_slot(slot), operation.variable.type, memory.base(slot)
            if memory.activation(slot) is not None:
                fresh = known.get(constant_of(self.encoding.theory, memory.next_address(region)))
                if fresh is None:
                    return
                start = self.encoding.theory.address_number(fresh) * memory.scale(region)
        elif isinstance(operation, ir.Allocate):
            region = regions.pointee(memory.points_to.region_of(operation.lvalue, frame))
            fresh = known.get(constant_of(self.encoding.theory, memory.next_address(region)))
            if fresh is None or region.type is None:
                return
            kind, start = region.type, self.encoding.theory.address_number(fresh) * memory.scale(region)
        else:
            return
        for part in parts(memory, self.sizes, region, kind):
            for offset, entry in self._entries(part, value).items():
                number, term = part.cells.number(offset), self._term(entry, part.leaf.type)
                if part.leaf.array is not None and number is not None and term is not None:
                    self.initial.setdefault(part.leaf.array, {}).setdefault(start * part.factor + number, term)

    def _chosen(self, info: ClauseInfo, item: UndeterminedValue, choice: InputStep | None) -> z3.ExprRef | None:
        if item.key == "value":
            value = None if choice is None else choice.value
            return self._term(0 if value is None or isinstance(value, ObjectValue) else value, item.type)
        if isinstance(item.key, ScalarStorage | list):
            return self._contents(info, item, choice)
        return self._term(choice_in(choice, item.key), item.type)

    def _contents(self, info: ClauseInfo, item: UndeterminedValue, choice: InputStep | None) -> z3.ExprRef | None:
        """The contents of a declared object: of one cell (key [leaf, number]), or of a whole array (key leaf)."""
        assert info.edge is not None and isinstance(info.edge.operation, ir.Declare)
        variable = info.edge.operation.variable
        leaf: ScalarStorage = item.key[0] if isinstance(item.key, list) else item.key  # type: ignore[assignment]
        value = ObjectValue() if choice is None else choice.value
        if not isinstance(value, ObjectValue):
            value = ObjectValue(default=value or 0)
        memory = self.encoding.memory
        slot = slot_of(variable, info.edge.frame)
        region, base = memory.points_to.regions.of_slot(slot), memory.base(slot)
        part = next(p for p in parts(memory, self.sizes, region, variable.type) if p.leaf is leaf)
        default = self._term(value.default, leaf.type)
        if isinstance(item.key, list):
            entry = self._entries(part, value).get(part.cells.offset(item.key[1]))
            return default if entry is None else self._term(entry, leaf.type)
        return self._array(part, value, default, base * part.factor)

    def _array(self, part: Part, value: ObjectValue, default: z3.ExprRef | None, start: int) -> z3.ExprRef | None:
        if default is None:
            return None
        array = z3.K(self.encoding.theory.address_sort(), default)
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
        """The term of a C value; None for addresses other than null."""
        if isinstance(kind, CInteger):
            return self.encoding.theory.literal(kind.wrap(int(value)), kind).term
        if isinstance(kind, CFloat):
            return floats.literal(float(value), kind)
        if value == 0:
            return self.encoding.theory.address(NULL).term
        return None


@dataclass(frozen=True, eq=False)
class _Open:
    """A term with the identities of its free variables."""

    term: z3.ExprRef
    variables: tuple[int, ...]
    is_variable: bool

    @staticmethod
    def of(term: z3.ExprRef) -> "_Open":
        return _Open(term, tuple(variable.get_id() for variable in free_variables(term)), is_variable(term))

    def at(self, known: dict[int, tuple[z3.ExprRef, z3.ExprRef]]) -> z3.ExprRef:
        """Its value, where the variables' values are known by the variables' identities."""
        pairs = [known[number] for number in self.variables if number in known]
        if self.is_variable and pairs:
            return pairs[0][1]
        return z3.simplify(z3.substitute(self.term, pairs) if pairs else self.term)


@dataclass(frozen=True, eq=False)
class _Plan:
    """How a clause is used: bound and equated say what premise and argument gives a variable or equals a term."""

    clause: Clause
    bound: tuple[tuple[int, int, z3.ExprRef], ...]
    equated: tuple[tuple[int, int, _Open], ...]
    constraint: _Open
    head: tuple[_Open, ...]
    idle: tuple[tuple[z3.ExprRef, z3.ExprRef], ...]  # what only the constraint mentions: state that is dead, at zero


def _zero(sort: z3.SortRef) -> z3.ExprRef:
    if isinstance(sort, z3.ArraySortRef):
        return z3.K(sort.domain(), _zero(sort.range()))
    if isinstance(sort, z3.FPSortRef):
        return z3.fpPlusZero(sort)
    if isinstance(sort, z3.BitVecSortRef):
        return z3.BitVecVal(0, sort.size())
    return z3.BoolVal(False) if sort == z3.BoolSort() else z3.IntVal(0)


def _equal(one: z3.ExprRef, two: z3.ExprRef) -> bool:
    """Are two ground terms the same value? (Not ==, which for floats is C's comparison.)"""
    return bool(one.eq(two)) or z3.is_false(z3.simplify(z3.Distinct(one, two)))
