"""From derivations to the inputs of a run."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.horn.instance import ground_instance
from encoders.c import ir
from encoders.c.encoding.cells import Part, array_entries, parts
from encoders.c.encoding.inputs import Inputs, InputStep, ObjectValue, Scalar
from encoders.c.encoding.objects import sizes_of
from encoders.c.encoding.octets import FloatBits
from encoders.c.encoding.points_to import slot_of
from encoders.c.encoding.regions import Region
from encoders.c.encoding.theory import IntegerTheory
from encoders.c.inline import FlatEdge, is_synthetic
from encoders.c.memory import NULL, Leaf, StateVariable
from encoders.c.types import CFloat, CInteger, CType

if TYPE_CHECKING:
    from encoders.c.encode import Encoding

LONGEST_RUN = 5_000_000


def inputs_of(encoding: "Encoding", derivation: Derivation) -> Inputs:
    """What the run that a derivation describes chooses. Raises ValueError for a derivation of something else."""
    found: list[InputStep] = []
    for step in execution_order(encoding, derivation):
        info = encoding.infos[step.clause]
        if info.edge is None or info.kind in ("violation", "trap") or is_synthetic(info.edge.edge):
            continue
        if info.inputs or _chooses(info.edge):
            found.append(_Chosen(encoding, derivation, step, info.edge).input_step())
    return Inputs(tuple(found))


def _chooses(edge: FlatEdge) -> bool:
    return isinstance(edge.operation, ir.Nondet | ir.Declare | ir.Allocate)


def execution_order(encoding: "Encoding", derivation: Derivation) -> list[Step]:
    """The steps as a run passes them: calls of summarised functions are followed through their exits."""
    order: list[Step] = []
    pending: list[int] = []  # facts of callers whose callees are being walked backwards
    now = len(derivation.ground_steps) - 1
    while len(order) < LONGEST_RUN:
        step = derivation.ground_steps[now]
        kind = encoding.infos[step.clause].kind
        order.append(step)
        if kind == "init":
            return order[::-1]
        if len(step.premises) == 2:
            pending.append(step.premises[0])
            now = step.premises[1]
        elif kind == "entry" and pending:
            now = pending.pop()
        else:
            now = step.premises[0]
    raise ValueError("the run is too long")


class _Chosen:
    """The choices of one step."""

    def __init__(self, encoding: "Encoding", derivation: Derivation, step: Step, edge: FlatEdge) -> None:
        self.encoding, self.step, self.edge = encoding, step, edge
        self.info = encoding.infos[step.clause]
        self.clause = encoding.system.clauses[step.clause]
        self.premises = [derivation.ground_steps[premise].arguments for premise in step.premises]
        self._values = self._input_values()

    def _input_values(self) -> dict[int, z3.ExprRef]:
        """The values of the clause's undetermined variables, by identity: read off the head where they stand there."""
        assert self.clause.head is not None
        values: dict[int, z3.ExprRef] = {}
        for term, value in zip(self.clause.head.arguments, self.step.arguments, strict=True):
            if z3.is_const(term):
                values[term.get_id()] = value
        wanted = {choice.term.get_id() for choice in self.info.inputs} - values.keys()
        if wanted and wanted & {variable.get_id() for variable in self.clause.variables}:
            found = ground_instance(self.clause, self.step.arguments, self.premises)
            if found is None:
                raise ValueError("a step of the derivation is no instance of its clause")
            values.update(found)
        return values

    def input_step(self) -> InputStep:
        others: list[tuple[object, Scalar]] = []
        value: Scalar | ObjectValue | None = None
        for choice in self.info.inputs:
            term = self._values.get(choice.term.get_id())
            if term is None or isinstance(choice.key, Leaf | list | FloatBits):
                continue  # it does not matter, or is read off the state afterwards
            if choice.key == "value":
                value = scalar(self.encoding.theory, term, choice.type)
            else:
                others.append((choice.key, scalar(self.encoding.theory, term, choice.type)))
        operation = self.edge.operation
        if isinstance(operation, ir.Declare):
            value = self._declared(operation.variable)
        elif isinstance(operation, ir.Allocate) and not operation.cleared:
            value = self._allocated(operation)
        return InputStep(self.edge.edge, value, tuple(others))

    def _declared(self, variable: ir.Variable) -> ObjectValue:
        memory = self.encoding.memory
        slot = slot_of(variable, self.edge.frame)
        region, base = memory.points_to.regions.of_slot(slot), memory.base(slot)
        if memory.activation(slot) is not None:
            term = self._before().get(memory.next_address(region))
            if term is None:
                return ObjectValue()
            base = self.encoding.theory.address_number(term) * memory.scale(region)
        return self._object(region, variable.type, base)

    def _object(self, region: Region, kind: CType, start: int) -> ObjectValue:
        """What an object holds after the step."""
        entries: dict[int, Scalar] = {}
        default: Scalar = 0
        octets: set[int] = set()
        for part in parts(self.encoding.memory, sizes_of(self.encoding.program), region, kind):
            for offset, value in self._contents(part, start * part.factor):
                if part.leaf.region.bytes and not (isinstance(value, int) and 0 <= value <= 255):
                    continue  # a part of a pointer
                if offset is None:
                    default = value
                else:
                    entries[offset] = value
                    if part.leaf.region.bytes:
                        octets.add(offset)
        return ObjectValue(entries, default, frozenset(octets))

    def _contents(self, part: Part, start: int) -> Iterator[tuple[int | None, Scalar]]:
        """(bit offset or None for all others, value) of what the object holds after the step, where that matters."""
        after = self._after()
        if part.leaf.array is not None:
            array = after.get(part.leaf.array)
            if array is not None:
                yield from self._array(part, array, start)
            return
        for address, variable in part.leaf.cells.items():
            term = after.get(variable)
            if term is not None and 0 <= address - start < (part.count or 0):
                yield part.cells.offset(address - start), scalar(self.encoding.theory, term, variable.type)

    def _array(self, part: Part, array: z3.ExprRef, start: int) -> Iterator[tuple[int | None, Scalar]]:
        entries, default = array_entries(array)
        for address, value in entries.items():
            if abs(address - start) < 1 << 40:
                yield part.cells.offset(address - start), scalar(self.encoding.theory, value, part.leaf.type)
        if default is not None:
            yield None, scalar(self.encoding.theory, default, part.leaf.type)

    def _allocated(self, operation: ir.Allocate) -> ObjectValue:
        memory, before = self.encoding.memory, self._before()
        regions = memory.points_to.regions
        region = regions.pointee(memory.points_to.place(operation.place, self.edge.frame))
        term = before.get(memory.next_address(region))
        if term is None or region.type is None:
            return ObjectValue()
        return self._object(region, region.type, self.encoding.theory.address_number(term) * memory.scale(region))

    def _before(self) -> dict[StateVariable, z3.ExprRef]:
        arguments = self.encoding.arguments[self.clause.body[0].predicate]
        return {a.variable: v for a, v in zip(arguments, self.premises[0], strict=True) if not a.at_entry}

    def _after(self) -> dict[StateVariable, z3.ExprRef]:
        assert self.clause.head is not None
        arguments = self.encoding.arguments[self.clause.head.predicate]
        return {a.variable: v for a, v in zip(arguments, self.step.arguments, strict=True) if not a.at_entry}


def scalar(theory: IntegerTheory, term: z3.ExprRef, kind: CType) -> Scalar:
    """The C value of a ground term. Addresses: 0 for null, else some number that no object has."""
    term = z3.simplify(term)
    if isinstance(kind, CInteger):
        return theory.number(term, kind)
    if isinstance(kind, CFloat):
        return float_of(term)
    number = theory.address_number(term)
    return 0 if number == NULL else number or 1


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
