"""Abstract evaluation of expressions over intervals, and refinement of variables by conditions."""

from collections.abc import Mapping

from encoders.c import ir
from encoders.c.encoding import interval
from encoders.c.encoding.interval import UNBOUNDED, Interval
from encoders.c.encoding.points_to import slot_of
from encoders.c.encoding.regions import Region, find
from encoders.c.encoding.walk import Node, postorder
from encoders.c.inline import Frame
from encoders.c.memory import NULL, Memory, StateVariable
from encoders.c.types import UCHAR, CInteger, CRecord, CType

Environment = dict[StateVariable, Interval]
"""Missing variables may have any value of their type."""

Address = tuple[Region, Interval]
_NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_SWAPPED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def any_value(kind: CType) -> Interval:
    return interval.of_type(kind) if isinstance(kind, CInteger) else UNBOUNDED


class AbstractEvaluator:
    """Intervals of expressions in one frame and environment. Each expression object is evaluated once."""

    def __init__(self, memory: Memory, frame: Frame, environment: Mapping[StateVariable, Interval]) -> None:
        self.memory = memory
        self.frame = frame
        self.environment = environment
        self._memo: dict[int, Interval | Address] = {}
        self._roots: list[Node] = []  # kept alive: the memo's keys are identities

    def value(self, expression: ir.Expression) -> Interval:
        return self._visit(expression)  # type: ignore[return-value]

    def address(self, place: ir.Place) -> Address:
        return self._visit(place)  # type: ignore[return-value]

    def cell(self, place: ir.Place) -> StateVariable | None:
        """The single state variable that the place certainly names, and that holds values of its type."""
        found = self.cells(place)
        if found is None or len(found) != 1 or (self.address(place)[0].bytes and not _is_byte(place, found[0])):
            return None
        return found[0]

    def cells(self, place: ir.Place) -> list[StateVariable] | None:
        """The state variables that hold a scalar place, where they are known."""
        region, (low, high) = self.address(place)
        leaf = self.memory.leaf(region)
        if low != high or leaf.array is not None:
            return None
        count = 1
        if region.bytes:
            bits = bit_offset(place) + self.memory.points_to.regions.sizes.of(place.type)
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
            case ir.VariablePlace(variable=variable):
                slot = slot_of(variable, self.frame)
                base = self.memory.base(slot)
                fixed = self.memory.activation(slot) is None
                return self.memory.points_to.regions.of_slot(slot), (base, base) if fixed else UNBOUNDED
            case ir.Dereference(pointer=pointer):
                return self.memory.points_to.place(node, self.frame), self.value(pointer)
            case ir.FieldPlace(base=base_place, field=member):
                region, bounds = self.address(base_place)
                is_union = isinstance(base_place.type, CRecord) and base_place.type.is_union
                child = self.memory.points_to.regions.of_field(region, member, is_union)
                if find(region) is child:  # bytes
                    first = member.offset + (member.bit_offset or 0) // 8
                    return child, interval.add(bounds, (first, first))
                factor = child.factor or 0
                return child, interval.multiply(bounds, (factor, factor))
            case ir.ElementPlace(base=base_place, index=index, type=kind):
                region, bounds = self.address(base_place)
                count = self.memory.points_to.regions.cells(region, kind) or 1
                return region, interval.add(bounds, interval.multiply(self.value(index), (count, count)))
            case ir.AddressOf(place=place):
                return self.address(place)[1]
            case ir.PointerAdd(pointer=pointer, index=index):
                region = self.memory.points_to.target(pointer, self.frame)
                count = self.memory.points_to.regions.cells(region, getattr(pointer.type, "target", pointer.type)) or 1
                step = interval.multiply(self.value(index), (count, count))
                return interval.meet(interval.add(self.value(pointer), step), UNBOUNDED) or UNBOUNDED
            case ir.Load(place=place, type=kind):
                return self._load(place, kind)
            case ir.Unary() | ir.Binary() | ir.Cast() | ir.Conditional() if isinstance(node.type, CInteger):
                return self._integer(node, node.type)
            case ir.Cast(operand=operand) if not isinstance(operand.type, CInteger):
                return self.value(operand)
            case ir.Cast(operand=operand):
                return (NULL, NULL) if self.value(operand) == (0, 0) else UNBOUNDED
            case ir.Conditional(then=then, otherwise=otherwise):
                return interval.join(self.value(then), self.value(otherwise))
            case _:
                return any_value(node.type)

    def _load(self, place: ir.Place, kind: CType) -> Interval:
        if not isinstance(kind, CInteger) and not hasattr(kind, "target"):
            return UNBOUNDED
        variable = self.cell(place)
        if variable is None:
            return any_value(kind)
        bounds = self.environment.get(variable, any_value(variable.type))
        return interval.wrap(bounds, kind) if isinstance(kind, CInteger) else bounds

    def _integer(self, node: ir.Expression, kind: CInteger) -> Interval:
        whole = interval.of_type(kind)
        match node:
            case ir.Cast(operand=operand):
                return interval.wrap(self.value(operand), kind) if isinstance(operand.type, CInteger) else whole
            case ir.Conditional(then=then, otherwise=otherwise):
                return interval.join(self.value(then), self.value(otherwise))
            case ir.Unary(operator="!"):
                return 0, 1
            case ir.Unary(operator=operator, operand=operand):
                base = (0, 0) if operator == "-" else (-1, -1)
                return interval.wrap(interval.subtract(base, self.value(operand)), kind)
            case ir.Binary(operator=operator, left=left, right=right):
                if not isinstance(left.type, CInteger) or not isinstance(right.type, CInteger):
                    return (0, 1) if operator in _NEGATED or operator in ("&&", "||") else whole
                return self._binary(operator, self.value(left), self.value(right), kind)
            case _:
                return whole

    def _binary(self, operator: str, a: Interval, b: Interval, kind: CInteger) -> Interval:
        whole = interval.of_type(kind)
        match operator:
            case "+" | "-" | "*":
                function = {"+": interval.add, "-": interval.subtract, "*": interval.multiply}[operator]
                return interval.wrap(function(a, b), kind)
            case "/" | "%":
                if b[0] <= 0 <= b[1]:
                    return whole
                function = interval.divide if operator == "/" else interval.remainder
                return interval.wrap(function(a, b), kind)
            case "&" | "|" | "^":
                return interval.meet(interval.bits(operator, a, b), whole) or whole
            case "<<" | ">>":
                if not interval.inside(b, (0, kind.width - 1)):
                    return whole
                if operator == ">>":
                    return interval.shift_right(a, b)
                return interval.wrap(interval.multiply(a, (1 << b[0], 1 << b[1])), kind)
            case _:
                return 0, 1


def bit_offset(place: ir.Place) -> int:
    """Where in its first byte a place begins, if it is a bit-field."""
    return (place.field.bit_offset or 0) % 8 if isinstance(place, ir.FieldPlace) else 0


def _is_byte(place: ir.Place, variable: StateVariable) -> bool:
    is_field = isinstance(place, ir.FieldPlace) and place.field.bit_offset is not None
    kind = place.type
    return variable.type == UCHAR and isinstance(kind, CInteger) and kind.width == 8 and not (is_field or kind.is_bool)


def refine(memory: Memory, frame: Frame, before: Environment, condition: ir.Expression, holds: bool) -> bool:
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
        variable = evaluator.cell(node.place)
        if variable is not None and isinstance(variable.type, CInteger) and variable.type == node.type:
            old = environment.get(variable, any_value(variable.type))
            new = interval.meet(old, (low, high))
            if new is None:
                return False
            environment[variable] = new
    return True
