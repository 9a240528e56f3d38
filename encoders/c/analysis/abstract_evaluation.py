"""Abstract evaluation of expressions over intervals, and refinement of variables by conditions."""

from collections.abc import Mapping

from encoders.c.analysis import machine_intervals
from encoders.c.analysis.machine_intervals import UNBOUNDED, Interval
from encoders.c.analysis.points_to import slot_of
from encoders.c.analysis.regions import Region, find
from encoders.c.analysis.storage import NULL, Memory, StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Node, postorder
from encoders.c.cfa.inlining import InlineFrame
from encoders.c.types.c_types import UCHAR, CInteger, CRecord, CType

Environment = dict[StateVariable, Interval]
"""Missing variables may have any value of their type."""

Address = tuple[Region, Interval]
_NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_SWAPPED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def any_value(kind: CType) -> Interval:
    return machine_intervals.of_type(kind) if isinstance(kind, CInteger) else UNBOUNDED


class AbstractEvaluator:
    """Intervals of expressions in one frame and environment. Each expression object is evaluated once."""

    def __init__(self, memory: Memory, frame: InlineFrame, environment: Mapping[StateVariable, Interval]) -> None:
        self.memory = memory
        self.frame = frame
        self.environment = environment
        self._memo: dict[int, Interval | Address] = {}
        self._roots: list[Node] = []  # kept alive: the memo's keys are identities

    def value(self, expression: ir.Expression) -> Interval:
        return self._visit(expression)  # type: ignore[return-value]

    def address(self, lvalue: ir.LValue) -> Address:
        return self._visit(lvalue)  # type: ignore[return-value]

    def cell(self, lvalue: ir.LValue) -> StateVariable | None:
        """The single state variable that the place certainly names, and that holds values of its type."""
        found = self.cells(lvalue)
        if found is None or len(found) != 1 or (self.address(lvalue)[0].bytes and not _is_byte(lvalue, found[0])):
            return None
        return found[0]

    def cells(self, lvalue: ir.LValue) -> list[StateVariable] | None:
        """The state variables that hold a scalar place, where they are known."""
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
        match node:
            case ir.Constant(value=value, type=kind):
                if isinstance(kind, CInteger):
                    return int(value), int(value)
                return (NULL, NULL) if value == 0 else UNBOUNDED
            case ir.VariableLValue(variable=variable):
                slot = slot_of(variable, self.frame)
                base = self.memory.base(slot)
                fixed = self.memory.activation(slot) is None
                return self.memory.points_to.regions.of_slot(slot), (base, base) if fixed else UNBOUNDED
            case ir.Dereference(pointer=pointer):
                return self.memory.points_to.region_of(node, self.frame), self.value(pointer)
            case ir.FieldLValue(base=base_lvalue, field=member):
                region, bounds = self.address(base_lvalue)
                is_union = isinstance(base_lvalue.type, CRecord) and base_lvalue.type.is_union
                child = self.memory.points_to.regions.of_field(region, member, is_union)
                if find(region) is child:  # bytes
                    first = member.offset + (member.bit_offset or 0) // 8
                    return child, machine_intervals.add(bounds, (first, first))
                factor = child.factor or 0
                return child, machine_intervals.multiply(bounds, (factor, factor))
            case ir.ElementLValue(base=base_lvalue, index=index, type=kind):
                region, bounds = self.address(base_lvalue)
                count = self.memory.points_to.regions.cells(region, kind) or 1
                return region, machine_intervals.add(
                    bounds, machine_intervals.multiply(self.value(index), (count, count))
                )
            case ir.AddressOf(lvalue=lvalue):
                return self.address(lvalue)[1]
            case ir.PointerAdd(pointer=pointer, index=index):
                region = self.memory.points_to.target(pointer, self.frame)
                count = self.memory.points_to.regions.cells(region, getattr(pointer.type, "target", pointer.type)) or 1
                step = machine_intervals.multiply(self.value(index), (count, count))
                return machine_intervals.meet(machine_intervals.add(self.value(pointer), step), UNBOUNDED) or UNBOUNDED
            case ir.Load(lvalue=lvalue, type=kind):
                return self._load(lvalue, kind)
            case ir.Unary() | ir.Binary() | ir.Cast() | ir.Conditional() if isinstance(node.type, CInteger):
                return self._integer(node, node.type)
            case ir.Cast(operand=operand) if not isinstance(operand.type, CInteger):
                return self.value(operand)
            case ir.Cast(operand=operand):
                return (NULL, NULL) if self.value(operand) == (0, 0) else UNBOUNDED
            case ir.Conditional(then=then, otherwise=otherwise):
                return machine_intervals.join(self.value(then), self.value(otherwise))
            case _:
                return any_value(node.type)

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
                    return (0, 1) if operator in _NEGATED or operator in ("&&", "||") else whole
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
    """Where in its first byte a place begins, if it is a bit-field."""
    return (lvalue.field.bit_offset or 0) % 8 if isinstance(lvalue, ir.FieldLValue) else 0


def _is_byte(lvalue: ir.LValue, variable: StateVariable) -> bool:
    is_field = isinstance(lvalue, ir.FieldLValue) and lvalue.field.bit_offset is not None
    kind = lvalue.type
    return variable.type == UCHAR and isinstance(kind, CInteger) and kind.width == 8 and not (is_field or kind.is_bool)


def refine(memory: Memory, frame: InlineFrame, before: Environment, condition: ir.Expression, holds: bool) -> bool:
    """Narrows the environment by a condition, in place; False if the condition cannot be so."""
    work = [(condition, holds)]
    while work:
        condition, holds = work.pop()
        evaluator = AbstractEvaluator(memory, frame, before)
        match condition:
            case ir.Unary(operator="!", operand=operand):
                work.append((operand, not holds))
            case ir.Binary(operator="&&", left=left, right=right) if holds:
                work += [(right, True), (left, True)]
            case ir.Binary(operator="||", left=left, right=right) if not holds:
                work += [(right, False), (left, False)]
            case ir.Binary(operator=operator, left=left, right=right) if operator in _NEGATED:
                if operator in ("==", "!=") and _is_zero(right) and _is_truth(left):
                    work.append((left, holds == (operator == "!=")))
                    continue
                actual = operator if holds else _NEGATED[operator]
                if not (isinstance(left.type, CInteger) and isinstance(right.type, CInteger)):
                    continue
                a, b = evaluator.value(left), evaluator.value(right)
                feasible = _narrow(evaluator, before, left, actual, b) and _narrow(
                    evaluator, before, right, _SWAPPED[actual], a
                )
                if not feasible:
                    return False
            case ir.Cast(operand=operand) if isinstance(operand.type, CInteger) and _keeps_zero(operand, condition):
                work.append((operand, holds))
            case _ if isinstance(condition.type, CInteger):
                if not _narrow(evaluator, before, condition, "!=" if holds else "==", (0, 0)):
                    return False
            case _:
                pass
    return True


def _is_zero(node: ir.Expression) -> bool:
    while isinstance(node, ir.Cast):
        node = node.operand
    return isinstance(node, ir.Constant) and node.value == 0


def _is_truth(node: ir.Expression) -> bool:
    return (isinstance(node, ir.Binary) and (node.operator in _NEGATED or node.operator in ("&&", "||"))) or (
        isinstance(node, ir.Unary) and node.operator == "!"
    )


def _keeps_zero(operand: ir.Expression, cast: ir.Expression) -> bool:
    """Is the conversion zero only for zero?"""
    assert isinstance(operand.type, CInteger) and isinstance(cast.type, CInteger)
    return cast.type.is_bool or cast.type.width >= operand.type.width


def _narrow(
    evaluator: AbstractEvaluator, environment: Environment, node: ir.Expression, operator: str, bound: Interval
) -> bool:
    """Narrows the variable below value-preserving conversions so that `node operator (some value of bound)`."""
    bounds = evaluator.value(node)
    low, high = bounds
    match operator:
        case "<":
            high = min(high, bound[1] - 1)
        case "<=":
            high = min(high, bound[1])
        case ">":
            low = max(low, bound[0] + 1)
        case ">=":
            low = max(low, bound[0])
        case "==":
            low, high = max(low, bound[0]), min(high, bound[1])
        case _ if bound[0] == bound[1]:
            low += int(low == bound[0])
            high -= int(high == bound[0])
        case _:
            pass
    if low > high:
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
            new = machine_intervals.meet(old, (low, high))
            if new is None:
                return False
            environment[variable] = new
    return True
