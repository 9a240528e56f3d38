"""Abstract evaluation of expressions over intervals, and refinement of variables by conditions."""

from collections.abc import Mapping

from encoders.c.analysis import machine_intervals
from encoders.c.analysis.machine_intervals import UNBOUNDED, Interval
from encoders.c.analysis.points_to import slot_of
from encoders.c.analysis.regions import Region, find
from encoders.c.analysis.storage import NULL, Memory, StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.expression_tests import is_zero
from encoders.c.cfa.expression_walk import Node, postorder
from encoders.c.cfa.inlining import InlineFrame
from encoders.c.types.c_types import UCHAR, CInteger, CRecord, CType
from encoders.c.types.comparison_operators import MIRRORED, NEGATED

Environment = dict[StateVariable, Interval]
"""Missing variables may have any value of their type."""

Address = tuple[Region, Interval]


def any_value(kind: CType) -> Interval:
    """The interval of all values of a type; UNBOUNDED for types other than integers."""
    return machine_intervals.of_type(kind) if isinstance(kind, CInteger) else UNBOUNDED


class AbstractEvaluator:
    """Evaluates expressions of one frame over intervals, each expression object once.

    environment: the intervals of state variables; those that are missing may have any value of their type.
    """

    def __init__(self, memory: Memory, frame: InlineFrame, environment: Mapping[StateVariable, Interval]) -> None:
        self.memory = memory
        self.frame = frame
        self.environment = environment
        self._memo: dict[int, Interval | Address] = {}
        self._roots: list[Node] = []  # kept alive: the memo's keys are identities

    def value(self, expression: ir.Expression) -> Interval:
        """An interval that contains all values of the expression."""
        return self._visit(expression)  # type: ignore[return-value]

    def address(self, lvalue: ir.LValue) -> Address:
        """The region that an lvalue is in, and an interval that contains all its addresses there."""
        return self._visit(lvalue)  # type: ignore[return-value]

    def cell(self, lvalue: ir.LValue) -> StateVariable | None:
        """The state variable that alone holds a scalar lvalue, with values of its type; None if there is none."""
        cells = self.cells(lvalue)
        if cells is None or len(cells) != 1 or (self.address(lvalue)[0].bytes and not _is_byte(lvalue, cells[0])):
            return None
        return cells[0]

    def cells(self, lvalue: ir.LValue) -> list[StateVariable] | None:
        """The state variables that hold a scalar lvalue; None if its address or storage is not that precise."""
        region, (low, high) = self.address(lvalue)
        leaf = self.memory.leaf(region)
        if low != high or leaf.array is not None:
            return None
        count = 1
        if region.bytes:
            bits = bit_offset(lvalue) + self.memory.points_to.regions.sizes.of(lvalue.type)
            count = -(-bits // 8)
        return [leaf.cells[low + i] for i in range(count) if low + i in leaf.cells]

    def _visit(self, root: Node) -> Interval | Address:
        if id(root) not in self._memo:
            self._roots.append(root)
            for node in postorder(root):
                if id(node) not in self._memo:
                    self._memo[id(node)] = self._node(node)
        return self._memo[id(root)]

    def _node(self, node: Node) -> Interval | Address:
        """The value of an expression or the address of an lvalue whose parts are evaluated."""
        if isinstance(node, ir.VariableLValue | ir.Dereference | ir.FieldLValue | ir.ElementLValue):
            return self._address(node)
        match node:
            case ir.Constant(value=value, type=kind):
                if isinstance(kind, CInteger):
                    return int(value), int(value)
                return (NULL, NULL) if value == 0 else UNBOUNDED
            case ir.AddressOf(lvalue=lvalue):
                return self.address(lvalue)[1]
            case ir.PointerAdd(pointer=pointer, index=index):
                region = self.memory.points_to.target(pointer, self.frame)
                if region in self.memory.points_to.number_regions:  # sums of numbers wrap
                    return UNBOUNDED
                unit = getattr(pointer.type, "target", pointer.type)
                moved = machine_intervals.add(self.value(pointer), self._scaled(index, region, unit))
                return machine_intervals.meet(moved, UNBOUNDED) or UNBOUNDED
            case ir.Load(lvalue=lvalue, type=kind):
                return self._load(lvalue, kind)
            case ir.Unary() | ir.Binary() | ir.Cast() | ir.Conditional() if isinstance(node.type, CInteger):
                return self._integer(node, node.type)
            case ir.Cast() if (move := self.memory.points_to.member_move(node, self.frame)) is not None:
                return self.value(move.pointer)
            case ir.Cast(operand=operand) if not isinstance(operand.type, CInteger):
                return self.value(operand)
            case ir.Cast(operand=operand):
                return (NULL, NULL) if self.value(operand) == (0, 0) else UNBOUNDED
            case ir.Conditional(then=then, otherwise=otherwise):
                return machine_intervals.join(self.value(then), self.value(otherwise))
            case _:
                return any_value(node.type)

    def _address(self, lvalue: ir.LValue) -> Address:
        """The region of an lvalue and the interval of its addresses there."""
        points_to = self.memory.points_to
        match lvalue:
            case ir.VariableLValue(variable=variable):
                slot = slot_of(variable, self.frame)
                base = self.memory.base(slot)
                fixed = self.memory.activation(slot) is None
                return points_to.regions.of_slot(slot), (base, base) if fixed else UNBOUNDED
            case ir.Dereference(pointer=pointer):
                return points_to.region_of(lvalue, self.frame), self.value(pointer)
            case ir.FieldLValue(base=base_lvalue, field=member):
                region, bounds = self.address(base_lvalue)
                is_union = isinstance(base_lvalue.type, CRecord) and base_lvalue.type.is_union
                child = points_to.regions.of_field(region, member, is_union)
                if find(region) is child:  # bytes
                    first = member.offset + (member.bit_offset or 0) // 8
                    return child, machine_intervals.add(bounds, (first, first))
                factor = child.factor or 0
                return child, machine_intervals.multiply(bounds, (factor, factor))
            case ir.ElementLValue(base=base_lvalue, index=index, type=kind):
                region, bounds = self.address(base_lvalue)
                return region, machine_intervals.add(bounds, self._scaled(index, region, kind))

    def _scaled(self, index: ir.Expression, region: Region, unit: CType) -> Interval:
        """The cells of a region that so many objects of type `unit` cover."""
        count = self.memory.points_to.regions.cells(region, unit) or 1
        return machine_intervals.multiply(self.value(index), (count, count))

    def _load(self, lvalue: ir.LValue, kind: CType) -> Interval:
        if not isinstance(kind, CInteger) and not hasattr(kind, "target"):
            return UNBOUNDED
        variable = self.cell(lvalue)
        if variable is None:
            return any_value(kind)
        bounds = self.environment.get(variable, any_value(variable.type))
        return machine_intervals.wrap(bounds, kind) if isinstance(kind, CInteger) else bounds

    def _integer(self, node: ir.Expression, kind: CInteger) -> Interval:
        whole = machine_intervals.of_type(kind)
        match node:
            case ir.Cast(operand=operand):
                return (
                    machine_intervals.wrap(self.value(operand), kind) if isinstance(operand.type, CInteger) else whole
                )
            case ir.Conditional(then=then, otherwise=otherwise):
                return machine_intervals.join(self.value(then), self.value(otherwise))
            case ir.Unary(operator="!"):
                return 0, 1
            case ir.Unary(operator=operator, operand=operand):
                base = (0, 0) if operator == "-" else (-1, -1)
                return machine_intervals.wrap(machine_intervals.subtract(base, self.value(operand)), kind)
            case ir.Binary(operator=operator, left=left, right=right):
                if not isinstance(left.type, CInteger) or not isinstance(right.type, CInteger):
                    return (0, 1) if operator in NEGATED or operator in ("&&", "||") else whole
                return self._binary(operator, self.value(left), self.value(right), kind)
            case _:
                return whole

    def _binary(self, operator: str, a: Interval, b: Interval, kind: CInteger) -> Interval:
        whole = machine_intervals.of_type(kind)
        match operator:
            case "+" | "-" | "*":
                function = {
                    "+": machine_intervals.add,
                    "-": machine_intervals.subtract,
                    "*": machine_intervals.multiply,
                }[operator]
                return machine_intervals.wrap(function(a, b), kind)
            case "/" | "%":
                if b[0] <= 0 <= b[1]:
                    return whole
                function = machine_intervals.divide if operator == "/" else machine_intervals.remainder
                return machine_intervals.wrap(function(a, b), kind)
            case "&" | "|" | "^":
                return machine_intervals.meet(machine_intervals.bits(operator, a, b), whole) or whole
            case "<<" | ">>":
                if not machine_intervals.inside(b, (0, kind.width - 1)):
                    return whole
                if operator == ">>":
                    return machine_intervals.shift_right(a, b)
                return machine_intervals.wrap(machine_intervals.multiply(a, (1 << b[0], 1 << b[1])), kind)
            case _:
                return 0, 1


def bit_offset(lvalue: ir.LValue) -> int:
    """The bit of its first byte at which an lvalue begins; 0 unless it is a bit-field."""
    return (lvalue.field.bit_offset or 0) % 8 if isinstance(lvalue, ir.FieldLValue) else 0


def _is_byte(lvalue: ir.LValue, variable: StateVariable) -> bool:
    is_field = isinstance(lvalue, ir.FieldLValue) and lvalue.field.bit_offset is not None
    kind = lvalue.type
    return variable.type == UCHAR and isinstance(kind, CInteger) and kind.width == 8 and not (is_field or kind.is_bool)


def refine(memory: Memory, frame: InlineFrame, before: Environment, condition: ir.Expression, holds: bool) -> bool:
    """Narrows the environment, in place, to the states in which the condition is true (false if not `holds`).

    Returns False if there is no such state.
    """
    work = [(condition, holds)]
    while work:
        condition, holds = work.pop()
        simpler = _equivalent(condition, holds)
        if simpler is not None:
            work += simpler
        elif not _refine_atom(AbstractEvaluator(memory, frame, before), before, condition, holds):
            return False
    return True


def _equivalent(condition: ir.Expression, holds: bool) -> list[tuple[ir.Expression, bool]] | None:
    """Smaller conditions, the last of them first, that together mean the same; None if there are none."""
    match condition:
        case ir.Unary(operator="!", operand=operand):
            return [(operand, not holds)]
        case ir.Binary(operator="&&", left=left, right=right) if holds:
            return [(right, True), (left, True)]
        case ir.Binary(operator="||", left=left, right=right) if not holds:
            return [(right, False), (left, False)]
        case ir.Binary(operator="==" | "!=" as operator, left=left, right=right) if is_zero(right) and _is_truth(left):
            return [(left, holds == (operator == "!="))]
        case ir.Cast(operand=operand) if isinstance(operand.type, CInteger) and _keeps_zero(operand, condition):
            return [(operand, holds)]
        case _:
            return None


def _refine_atom(evaluator: AbstractEvaluator, environment: Environment, condition: ir.Expression, holds: bool) -> bool:
    """Narrows the environment by a condition that is not split further; False if no state satisfies it."""
    match condition:
        case ir.Binary(operator=operator, left=left, right=right) if operator in NEGATED:
            actual = operator if holds else NEGATED[operator]
            if not (isinstance(left.type, CInteger) and isinstance(right.type, CInteger)):
                return True
            a, b = evaluator.value(left), evaluator.value(right)
            return _narrow(evaluator, environment, left, actual, b) and _narrow(
                evaluator, environment, right, MIRRORED[actual], a
            )
        case _ if isinstance(condition.type, CInteger):
            return _narrow(evaluator, environment, condition, "!=" if holds else "==", (0, 0))
        case _:
            return True


def _is_truth(node: ir.Expression) -> bool:
    """True if the expression is a comparison or a logical operation, with the values 0 and 1."""
    return (isinstance(node, ir.Binary) and (node.operator in NEGATED or node.operator in ("&&", "||"))) or (
        isinstance(node, ir.Unary) and node.operator == "!"
    )


def _keeps_zero(operand: ir.Expression, cast: ir.Expression) -> bool:
    """True if the conversion gives zero for zero only."""
    assert isinstance(operand.type, CInteger) and isinstance(cast.type, CInteger)
    return cast.type.is_bool or cast.type.width >= operand.type.width


def _narrow(
    evaluator: AbstractEvaluator, environment: Environment, node: ir.Expression, operator: str, bound: Interval
) -> bool:
    """Narrows the variable below value-preserving conversions so that `node operator (some value of bound)`.

    Returns False if there is no such value.
    """
    bounds = evaluator.value(node)
    narrowed = _restricted(bounds, operator, bound)
    if narrowed is None:
        return False
    while isinstance(node, ir.Cast) and isinstance(node.operand.type, CInteger):
        inner = evaluator.value(node.operand)
        if inner != bounds:
            return True
        node = node.operand
    if isinstance(node, ir.Load) and isinstance(node.type, CInteger):
        variable = evaluator.cell(node.lvalue)
        if variable is not None and isinstance(variable.type, CInteger) and variable.type == node.type:
            old = environment.get(variable, any_value(variable.type))
            new = machine_intervals.meet(old, narrowed)
            if new is None:
                return False
            environment[variable] = new
    return True


def _restricted(bounds: Interval, operator: str, other: Interval) -> Interval | None:
    """The smallest interval with all x of `bounds` for which `x operator y` holds for some y of `other`; None if empty.

    For "!=" only an end of `bounds` is removed.
    """
    low, high = bounds
    match operator:
        case "<":
            high = min(high, other[1] - 1)
        case "<=":
            high = min(high, other[1])
        case ">":
            low = max(low, other[0] + 1)
        case ">=":
            low = max(low, other[0])
        case "==":
            low, high = max(low, other[0]), min(high, other[1])
        case _ if other[0] == other[1]:
            low += int(low == other[0])
            high -= int(high == other[0])
        case _:
            pass
    return (low, high) if low <= high else None
