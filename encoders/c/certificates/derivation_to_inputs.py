"""From derivations to the inputs of a run."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import z3

from chcverify.certificate.derivation import Cycle, Derivation, Step, derived
from chcverify.effort import MAX_BUILT
from chcverify.horn.ground_instance import ground_instance
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import free_variables
from chcverify.terms.evaluation.python_code import NotComputable, compile_term
from encoders.c.analysis.regions import BYTE_CELL, Region, top_of
from encoders.c.analysis.storage import NULL, ScalarStorage, StateVariable
from encoders.c.certificates.chosen_objects import chosen_object
from encoders.c.certificates.region_cells import Contents, Part, array_entries, elements, parts
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import FlatEdge, is_synthetic
from encoders.c.cfa.type_sizes import sizes_of
from encoders.c.encoding.clause_origins import ClauseKind
from encoders.c.encoding.encoder import Encoding
from encoders.c.encoding.integer_theory import IntegerEncoding
from encoders.c.encoding.memory.byte_memory import FloatBits, bytes_of
from encoders.c.execution.inputs import Family, Inputs, InputStep, ObjectValue, Repeated, Scalar
from encoders.c.types.c_types import UCHAR, CFloat, CInteger, CType

MAX_STEPWISE_STEPS = 5_000_000
"""Steps of a run that is followed step by step; repetitions in longer ones are skipped. Chosen by hand."""
Facts = Sequence[Sequence[z3.ExprRef]]


@dataclass(frozen=True, eq=False)
class LoopIterations:
    """A cycle in the order of execution: before each link, the way through the function that it returns from."""

    cycle: Cycle
    before: "tuple[tuple[Step | LoopIterations, ...], ...]"

    @property
    def length(self) -> int:
        """Steps of all iterations."""
        return self.cycle.count * (len(self.cycle.links) + sum(run_length(way) for way in self.before))


def run_length(order: "Sequence[Step | LoopIterations]") -> int:
    """Steps of the run."""
    return sum(1 if isinstance(item, Step) else item.length for item in order)


def inputs_of(
    encoding: Encoding, derivation: Derivation, order: "Sequence[Step | LoopIterations] | None" = None
) -> Inputs:
    """The choices of the run that a derivation describes.

    order: its steps in the order of execution, if that was computed before. Raises ValueError for a derivation that
    describes no run.
    """
    if order is None:
        order = execution_order(encoding, derivation)
    return Inputs(tuple(_ValueReader(encoding, derivation).choices(order)))


def execution_order(encoding: Encoding, derivation: Derivation) -> "list[Step | LoopIterations]":
    """The steps as a run passes them: calls of summarised functions are followed through their exits."""
    return _path_to(encoding, derivation, len(derivation.steps) - 1, enters=True)


def _path_to(
    encoding: Encoding, derivation: Derivation, now: int, enters: bool = False
) -> "list[Step | LoopIterations]":
    """The steps from the entry of the function that it is in to a step; enters: from the beginning, through the calls
    that have not returned."""
    order: list[Step | LoopIterations] = []
    pending: list[int] = []  # facts of callers whose callees are being walked backwards
    steps, infos = derivation.steps, encoding.infos
    while len(order) < MAX_STEPWISE_STEPS:
        step = steps[now]
        if isinstance(step, Cycle):
            order.append(_turns(encoding, derivation, step))
            now = step.start
            continue
        kind = infos[step.clause].kind
        order.append(step)
        if kind is ClauseKind.INIT:
            return order[::-1]
        if len(step.premises) == 2:
            pending.append(step.premises[0])
            now = step.premises[1]
        elif kind is not ClauseKind.ENTRY:
            now = step.premises[0]
        elif pending:
            now = pending.pop()
        elif enters and step.premises:
            now = step.premises[0]
        else:
            return order[::-1]
    raise ValueError("the run is too long")


def _turns(encoding: Encoding, derivation: Derivation, cycle: Cycle) -> LoopIterations:
    before: list[tuple[Step | LoopIterations, ...]] = []
    for link in cycle.links:
        callee = link.premises[1] if len(link.premises) == 2 else None
        if encoding.infos[link.clause].kind is not ClauseKind.STEP and callee is None:
            raise ValueError("the derivation repeats calls without their returns")
        before.append(() if callee is None else tuple(_path_to(encoding, derivation, callee)))
    return LoopIterations(cycle, tuple(before))


class _ValueReader:
    """Reads choices off the facts of a derivation."""

    def __init__(self, encoding: Encoding, derivation: Derivation) -> None:
        self.encoding, self.derivation = encoding, derivation
        self._facts: dict[int, tuple[z3.ExprRef, ...]] = {}
        self._edges: dict[int, FlatEdge | None] = {}

    def fact(self, index: int) -> tuple[z3.ExprRef, ...]:
        step = self.derivation.steps[index]
        if isinstance(step, Step):
            return step.arguments
        if index not in self._facts:
            self._facts[index] = derived(self.encoding.system, step)[1]
        return self._facts[index]

    def choices(self, order: Sequence[Step | LoopIterations]) -> list[InputStep | Repeated]:
        """The choices of the steps in the order of execution: those of a call precede the function that it calls,
        though the clause that has them is that of its return."""
        backwards: list[InputStep | Repeated] = []
        calls: list[InputStep | None] = []  # of the functions whose steps are being passed
        for item in reversed(order):
            if isinstance(item, LoopIterations):
                repeated = self._repeated(item)
                backwards += [repeated] if repeated.steps else []
                continue
            step = self._choice(item)
            if len(item.premises) == 2:
                calls.append(step)
            elif step is not None:
                backwards.append(step)
            elif (
                calls
                and self.encoding.infos[item.clause].kind is ClauseKind.ENTRY
                and (call := calls.pop()) is not None
            ):
                backwards.append(call)
        return backwards[::-1]

    def _choice(self, item: Step) -> InputStep | None:
        """What the step chooses, if that matters."""
        edge = self._chooses(item.clause)
        if edge is None:
            return None
        premises = [self.fact(premise) for premise in item.premises]
        step = _ChosenValues(self.encoding, item.clause, edge, item.arguments, premises).input_step()
        return step if step.matters else None

    def _chooses(self, clause: int) -> FlatEdge | None:
        """The clause's edge, if it chooses something."""
        if clause not in self._edges:
            self._edges[clause] = self._choosing(clause)
        return self._edges[clause]

    def _choosing(self, clause: int) -> FlatEdge | None:
        info = self.encoding.infos[clause]
        if info.edge is None or info.kind in (ClauseKind.VIOLATION, ClauseKind.TRAP) or is_synthetic(info.edge.edge):
            return None
        chooses = info.inputs or isinstance(
            info.edge.operation, ir.Nondet | ir.Declare | ir.Allocate | ir.Forget | ir.Havoc
        )
        return info.edge if chooses else None

    def _repeated(self, turns: LoopIterations) -> Repeated:
        steps: list[InputStep | Family | Repeated] = []
        for number, (link, way) in enumerate(zip(turns.cycle.links, turns.before, strict=True)):
            if (edge := self._chooses(link.clause)) is not None:
                step = self._of_link(turns.cycle, number, edge)
                if isinstance(step, Family) or step.matters:
                    steps.append(step)
            steps += self.choices(way)
        return Repeated(turns.cycle.count, tuple(steps))

    def _of_link(self, cycle: Cycle, number: int, edge: FlatEdge) -> InputStep | Family:
        """The same in all iterations, a closed form, or worked out for each."""
        link, variable = cycle.links[number], cycle.variable
        values = {term.get_id(): value for term, value in link.values}
        symbolic = _ChosenValues(self.encoding, link.clause, edge, link.arguments, None, values)
        try:
            return symbolic.input_step()
        except ValueError:  # it depends on the iteration, or on what was before
            found = symbolic.closed_form(variable)
        if found is not None:
            return found
        if cycle.count > MAX_BUILT:
            raise ValueError(f"what {edge.edge.origin} chooses in {cycle.count:,} iterations has no closed form")

        def at(n: int) -> InputStep:
            here = self._at(cycle, n)
            ground = {key: here(term) for key, term in values.items()}
            before = cycle.links[number - 1].arguments
            if number == 0 and n == 0:
                previous = self.fact(cycle.start)
            else:
                previous = tuple(map(here if number else self._at(cycle, n - 1), before))
            premises = [previous if premise is None else self.fact(premise) for premise in link.premises]
            arguments = tuple(map(here, link.arguments))
            return _ChosenValues(self.encoding, link.clause, edge, arguments, premises, ground).input_step()

        return Family(edge.edge, at)

    def _at(self, cycle: Cycle, n: int) -> Callable[[z3.ExprRef], z3.ExprRef]:
        pair = [(cycle.variable, z3.IntVal(n))]
        return lambda term: z3.simplify(z3.substitute(term, pair))


class _ChosenValues:
    """The choices of one use of a clause. premises: None if they are not given. values: of variables, by identity."""

    def __init__(
        self,
        encoding: Encoding,
        clause: int,
        edge: FlatEdge,
        arguments: Sequence[z3.ExprRef],
        premises: Facts | None,
        values: Mapping[int, z3.ExprRef] | None = None,
    ) -> None:
        self.encoding, self.edge, self.arguments, self.premises = encoding, edge, arguments, premises
        self.info, self.clause = encoding.infos[clause], encoding.system.clauses[clause]
        self._values = self._input_values(values or {})

    def _input_values(self, known: Mapping[int, z3.ExprRef]) -> dict[int, z3.ExprRef]:
        """The values of the clause's undetermined variables, by identity: read off the head where they stand there."""
        assert self.clause.head is not None
        values = dict(known)
        for term, value in zip(self.clause.head.arguments, self.arguments, strict=True):
            if z3.is_const(term):
                values[term.get_id()] = value
        wanted = {choice.term.get_id() for choice in self.info.inputs} - values.keys()
        if self.premises is not None and wanted & {variable.get_id() for variable in self.clause.variables}:
            found = ground_instance(self.clause, self.arguments, self.premises)
            if found is None:
                raise ValueError("a step of the derivation is no instance of its clause")
            values.update(found)
        return values

    def closed_form(self, n: z3.ArithRef) -> Family | None:
        """The choices by the number of the iteration, where they are numbers with such a form."""
        if not isinstance(self.edge.operation, ir.Nondet) or len(self.info.inputs) != 1:
            return None
        choice = self.info.inputs[0]
        term, kind = self._values.get(choice.term.get_id()), choice.type
        if choice.key != "value" or term is None or not isinstance(kind, CInteger):
            return None
        try:
            value = compile_term(z3.simplify(term), (n,))
        except NotComputable:
            return None
        edge = self.edge.edge
        return Family(edge, lambda number: InputStep(edge, kind.wrap(value(number))), _affine(term, n))

    def input_step(self) -> InputStep:
        others: list[tuple[object, Scalar]] = []
        value: Scalar | ObjectValue | None = None
        for choice in self.info.inputs:
            if isinstance(choice.key, ScalarStorage | list | FloatBits):
                continue  # it is read off the state afterwards, or no run depends on it
            term = self._values.get(choice.term.get_id())
            if term is None and self.premises is None and self._matters(choice.term):
                raise ValueError("its value is not known")
            if term is None:
                continue
            if choice.key == "value":
                value = self._scalar(term, choice.type)
            else:
                others.append((choice.key, self._scalar(term, choice.type)))
        operation = self.edge.operation
        is_allocated = isinstance(operation, ir.Allocate) and not operation.cleared
        if is_allocated or isinstance(operation, ir.Declare | ir.Forget):
            value = self._chosen()
        elif isinstance(operation, ir.Havoc):
            return InputStep(self.edge.edge, None, tuple(others), tuple(self._changed()))
        return InputStep(self.edge.edge, value, tuple(others))

    def _matters(self, term: z3.ExprRef) -> bool:
        return any(variable.get_id() == term.get_id() for variable in self.clause.variables)

    def _changed(self) -> Iterator[tuple[ir.Variable, ObjectValue]]:
        """The contents of variables after a function without a body has changed them."""
        memory = self.encoding.memory
        tops = {top_of(node) for node in memory.points_to.known_elsewhere()}
        for slot, region in memory.points_to.regions.slots():
            if top_of(region) in tops and memory.activation(slot) is None:
                yield slot.variable, self._object(region, slot.variable.type, memory.base(slot))

    def _chosen(self) -> ObjectValue:
        """The contents of the object that the step declares, allocates or forgets."""

        def before(variable: StateVariable) -> z3.ExprRef | None:
            term = self._before().get(variable)
            return None if term is None else _ground(term)

        found = chosen_object(self.encoding, self.edge, before)
        return ObjectValue() if found is None else self._object(*found)

    def _object(self, region: Region, kind: CType, start: int) -> ObjectValue:
        """The contents of an object after the step."""
        entries: dict[int, Scalar] = {}
        arrays: list[tuple[Part, int, Callable[[int], Scalar]]] = []
        default: Scalar | None = None
        byte_offsets: set[int] = set()
        after = self._after()
        for part in parts(self.encoding.memory, sizes_of(self.encoding.program), region, kind):
            found, first = dict[int, Scalar](), start * part.factor
            if part.leaf.array is None:
                found = dict(self._cells(part, after, first))
            elif part.leaf.array in after:
                stored, below = array_entries(z3.simplify(after[part.leaf.array]))
                found = {
                    part.cells.offset(address - first): self._scalar(value, part.leaf.type)
                    for address, value in stored.items()
                    if abs(address - first) < 1 << 40
                }
                rest = self._scalar(below.arg(0), part.leaf.type) if z3.is_K(below) else None
                if rest is not None and default in (None, rest):
                    default = rest
                elif rest is not None:  # cells of this part have another value than those of an earlier one
                    arrays.append((part, first, partial(_constantly, rest)))
                else:
                    arrays.append((part, first, self._elements(below, part.leaf.type)))
                    if part.leaf.region.bytes:
                        found = dict(Contents(found, (arrays.pop(),)))
            if part.leaf.region.bytes:
                found = dict(bytes_of(found, partial(self._pointer_byte, part.leaf)))
                byte_offsets.update(found)
            entries.update(found)
        contents: Mapping[int, Scalar] = Contents(entries, tuple(arrays)) if arrays else entries
        return ObjectValue(contents, 0 if default is None else default, frozenset(byte_offsets))

    def _pointer_byte(self, leaf: ScalarStorage, part: int) -> int | None:
        """The byte of a part of a pointer in memory of bytes, None where no step reads such bytes from here on."""
        array = self._after().get(self.encoding.memory.pointer_bytes(leaf.region)) if leaf.region.pointers else None
        if array is None:
            return None
        found = z3.simplify(z3.Select(array, self.encoding.theory.literal(part, BYTE_CELL).term))
        return int(self._scalar(found, UCHAR))

    def _cells(self, part: Part, after: dict[StateVariable, z3.ExprRef], start: int) -> Iterator[tuple[int, Scalar]]:
        """(bit offset, value) of what the object holds after the step, where that matters."""
        for address, variable in part.leaf.cells.items():
            term = after.get(variable)
            if term is not None and 0 <= address - start < (part.count or 0):
                yield part.cells.offset(address - start), self._scalar(term, variable.type)

    def _elements(self, array: z3.ExprRef, kind: CType) -> Callable[[int], Scalar]:
        """The elements of an array that is more than stores into a constant one."""
        if free_variables(array):
            raise ValueError("it depends on the iteration")
        null = self.encoding.theory.address(NULL).term.as_long()

        def raw(value: int) -> Scalar:
            if isinstance(kind, CInteger):
                return kind.wrap(value)
            return 0 if value == null else value or 1

        return elements(array, lambda term: self._scalar(term, kind), raw)

    def _scalar(self, term: z3.ExprRef, kind: CType) -> Scalar:
        return scalar(self.encoding.theory, term, kind)

    def _before(self) -> dict[StateVariable, z3.ExprRef]:
        if self.premises is None:
            raise ValueError("it depends on what was before")
        arguments = self.encoding.arguments[self.clause.body[0].predicate]
        return {a.variable: v for a, v in zip(arguments, self.premises[0], strict=True) if not a.at_entry}

    def _after(self) -> dict[StateVariable, z3.ExprRef]:
        assert self.clause.head is not None
        arguments = self.encoding.arguments[self.clause.head.predicate]
        return {a.variable: v for a, v in zip(arguments, self.arguments, strict=True) if not a.at_entry}


def _constantly(value: Scalar, index: int) -> Scalar:
    return value


def scalar(theory: IntegerEncoding, term: z3.ExprRef, kind: CType) -> Scalar:
    """The C value of a ground term; ValueError for others. Addresses: 0 for null, else a number that no object has."""
    term = _ground(term)
    if isinstance(kind, CInteger):
        return theory.number(term, kind)
    if isinstance(kind, CFloat):
        return float_of(term)
    number = theory.address_number(term)
    return 0 if number == NULL else number or 1


def _ground(term: z3.ExprRef) -> z3.ExprRef:
    term = z3.simplify(term)
    if not (z3.is_int_value(term) or z3.is_bv_value(term) or isinstance(term, z3.FPNumRef)):
        raise ValueError(f"{term.sort()} without a value")
    return term


def _affine(term: z3.ExprRef, n: z3.ArithRef) -> tuple[int, int] | None:
    """The numbers a, b if the term is a + b * n; None for others."""
    step = z3.simplify(z3.substitute(term, (n, n + 1)) - term, som=True) if z3.is_int(term) else term
    first = z3.simplify(z3.substitute(term, (n, z3.IntVal(0))))
    return (first.as_long(), step.as_long()) if z3.is_int_value(step) and z3.is_int_value(first) else None


def float_of(term: z3.ExprRef) -> float:
    """The number that an FP numeral stands for."""
    if not isinstance(term, z3.FPNumRef):
        raise ValueError(f"{term} is no number")
    if term.isNaN():
        return float("nan")
    if term.isInf():
        return float("-inf") if term.isNegative() else float("inf")
    real = z3.simplify(z3.fpToReal(term))
    value = float(real.as_fraction())
    return -value if term.isNegative() and value == 0 else value
