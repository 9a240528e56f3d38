"""Expressions and lvalues as z3 terms, in one frame and one state."""

from collections.abc import Callable
from fractions import Fraction

import z3

from chcverify.horn.system import Origin
from chcverify.terms.core.traversal import conjunction, disjunction
from encoders.c.analysis import machine_intervals
from encoders.c.analysis.abstract_evaluation import Environment, any_value
from encoders.c.analysis.machine_intervals import UNBOUNDED
from encoders.c.analysis.member_moves import MemberMove
from encoders.c.analysis.points_to import slot_of
from encoders.c.analysis.regions import BYTE_CELL, Region, find
from encoders.c.analysis.storage import NULL, OBJECT_STRIDE, Memory, ScalarStorage, StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Node, children, postorder
from encoders.c.cfa.inlining import InlineFrame
from encoders.c.encoding import floats
from encoders.c.encoding.edge_values import LocatedCell, UndeterminedValues
from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding
from encoders.c.encoding.memory import byte_memory
from encoders.c.encoding.memory.converted_numbers import ConvertedNumbers
from encoders.c.encoding.memory.pointer_comparisons import is_one_object, is_uncertain
from encoders.c.encoding.memory.unknown_pointers import is_unknown, made_elsewhere
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import BOOL, CField, CFloat, CFunction, CInteger, CPointer, CRecord, CType

COMPARISONS = ir.ORDERS | {"==", "!="} | ir.OBJECT_COMPARISONS
State = Callable[[StateVariable], z3.ExprRef]


class ExpressionTranslator:
    """Terms of expressions. Each expression object is translated once; `choices` collects what is undetermined."""

    def __init__(
        self,
        memory: Memory,
        theory: IntegerEncoding,
        frame: InlineFrame,
        state: State,
        ranges: Environment,
        choices: UndeterminedValues,
        origin: Origin,
    ) -> None:
        self.memory = memory
        self.theory = theory
        self.frame = frame
        self.state = state
        self.ranges = ranges
        self.choices = choices
        self.origin = origin
        self._numbers = ConvertedNumbers(memory.points_to, theory, choices.constraints)
        self._memo: dict[int, BoundedTerm | LocatedCell] = {}
        self._undetermined: dict[int, BoundedTerm] = {}
        self._traps: dict[int, z3.BoolRef] = {}
        self.roots: list[Node] = []  # kept alive, like the keys: the memo's keys are identities
        self._keys: list[object] = []

    def value(self, expression: ir.Expression) -> BoundedTerm:
        return self._visit(expression)  # type: ignore[return-value]

    def located(self, lvalue: ir.LValue) -> LocatedCell:
        return self._visit(lvalue)  # type: ignore[return-value]

    def truth(self, expression: ir.Expression) -> z3.BoolRef:
        """The formula expression != 0."""
        return self._truth_of(self.value(expression), expression.type)

    def _visit(self, root: Node) -> BoundedTerm | LocatedCell:
        if id(root) not in self._memo:
            self.roots.append(root)
            for node in postorder(root):
                if id(node) not in self._memo:
                    self._memo[id(node)] = self._node(node)
        return self._memo[id(root)]

    # --- sorts and undetermined values ------------------------------------------------------------------------------

    def sort(self, kind: CType) -> z3.SortRef:
        return sort_of(self.theory, kind)

    def undetermined(self, kind: CType, key: object) -> BoundedTerm:
        """Any value of the type; the same for the same key object."""
        if id(key) not in self._undetermined:
            term = self.choices.add(self.sort(kind), kind, key)
            self._keys.append(key)
            if isinstance(kind, CInteger):
                constraint = self.theory.in_range(term, kind)
                if kind == BYTE_CELL:  # what nobody wrote is bytes
                    constraint = z3.And(term >= 0, term < 256)
                if not z3.is_true(constraint):
                    self.choices.constraints.append(constraint)
            bounds = None if isinstance(kind, CFloat) else any_value(kind)
            self._undetermined[id(key)] = BoundedTerm(term, bounds)
        return self._undetermined[id(key)]

    # --- places -----------------------------------------------------------------------------------------------------

    def _node(self, node: Node) -> BoundedTerm | LocatedCell:
        regions = self.memory.points_to.regions
        match node:
            case ir.VariableLValue(variable=variable):
                slot = slot_of(variable, self.frame)
                own, start = self.memory.activation(slot), self.theory.address(self.memory.base(slot))
                start = start if own is None else BoundedTerm(self.state(own), UNBOUNDED)
                return LocatedCell(regions.of_slot(slot), start)
            case ir.Dereference(pointer=pointer):
                return LocatedCell(self.memory.points_to.region_of(node, self.frame), self.value(pointer))
            case ir.FieldLValue(base=base, field=member):
                return self.field(self.located(base), base.type, member)
            case ir.ElementLValue(base=base, index=index, type=kind):
                outer = self.located(base)
                return LocatedCell(outer.region, self._advance(outer.region, outer.address, index, kind))
            case _:
                return self._expression(node)

    def field(self, outer: LocatedCell, kind: CType, member: CField) -> LocatedCell:
        """The member of a record of a type."""
        is_union = isinstance(kind, CRecord) and kind.is_union
        child = self.memory.points_to.regions.of_field(outer.region, member, is_union)
        if find(outer.region) is child:  # bytes
            bits = 8 * member.offset + (member.bit_offset or 0)
            return LocatedCell(child, self.moved(outer, bits // 8).address, bits % 8)
        address = self.theory.scaled(outer.address, child.factor or 0)
        if child.bytes and member.bit_offset:
            return LocatedCell(child, address, member.bit_offset)
        return LocatedCell(child, address)

    def moved(self, located: LocatedCell, cells: int) -> LocatedCell:
        if not cells:
            return located
        return LocatedCell(located.region, self.theory.advance(located.address, self.theory.address(cells), None, 1))

    def _advance(self, region: Region, address: BoundedTerm, index: ir.Expression, element: CType) -> BoundedTerm:
        count = self.memory.points_to.regions.cells(region, element)
        if count is None:
            raise Unsupported(self.origin, "array whose element size is not constant")
        assert isinstance(index.type, CInteger)
        return self.theory.advance(address, self.value(index), index.type, count)

    def load(self, located: LocatedCell, kind: CType, key: object) -> BoundedTerm:
        """The scalar in a cell; an undetermined value if there is no cell."""
        if located.region.bytes:
            value, trap = byte_memory.load(self, located, kind, key)
            if trap is not None:
                self._traps[id(key)] = trap
                self._keys.append(key)
            return value
        leaf = self.memory.leaf(located.region)
        return self._reinterpreted(self.cell(located, key), leaf.type, kind)

    def cell(self, located: LocatedCell, key: object) -> BoundedTerm:
        """The contents of a cell, of the leaf's type."""
        leaf = self.memory.leaf(located.region)
        if leaf.array is not None:
            term = z3.Select(self.state(leaf.array), located.address.term)
            unknown = is_unknown(self.memory, self.theory, located.region, located.address)
            if unknown is not None:
                term = z3.If(unknown, self.choices.add(term.sort(), leaf.type, key), term)
            if leaf.type == BYTE_CELL:
                return BoundedTerm(term, UNBOUNDED)
            if isinstance(leaf.type, CInteger):
                constraint = self.theory.in_range(term, leaf.type)
                if not z3.is_true(constraint):
                    self.choices.constraints.append(constraint)
            return BoundedTerm(term, None if isinstance(leaf.type, CFloat) else any_value(leaf.type))
        constant = located.address.constant
        if constant is not None and constant in leaf.cells:
            return self._cell(leaf.cells[constant])
        value = self.undetermined(leaf.type, key)
        for address, variable in reversed(leaf.cells.items()):
            if located.address.may_be(address):
                condition = located.address.term == self.theory.address(address).term
                value = self._choose(condition, self._cell(variable), value)
        return value

    def _cell(self, variable: StateVariable) -> BoundedTerm:
        bounds = None if isinstance(variable.type, CFloat) else self.ranges.get(variable, any_value(variable.type))
        if bounds is not None and bounds[0] == bounds[1]:
            return self._literal(bounds[0], variable.type)
        return BoundedTerm(self.state(variable), bounds)

    def _literal(self, value: int, kind: CType) -> BoundedTerm:
        return self.theory.literal(value, kind) if isinstance(kind, CInteger) else self.theory.address(value)

    def _reinterpreted(self, value: BoundedTerm, source: CType, target: CType) -> BoundedTerm:
        if isinstance(source, CInteger) and isinstance(target, CInteger) and source != target:
            return self.theory.cast(value, source, target)
        return value

    def store(self, located: LocatedCell, kind: CType, value: BoundedTerm) -> list[tuple[StateVariable, z3.ExprRef]]:
        """The state variables that change, with their new terms."""
        if located.region.bytes:
            return byte_memory.store(self, located, kind, value)
        return self.put_cells([located], [self._reinterpreted(value, kind, self.memory.leaf(located.region).type).term])

    def put_cells(self, cells: list[LocatedCell], terms: list[z3.ExprRef]) -> list[tuple[StateVariable, z3.ExprRef]]:
        """The state variables that change, with their new terms, where cells of one region get new contents."""
        leaf: ScalarStorage = self.memory.leaf(cells[0].region)
        if leaf.array is not None:
            array = self.state(leaf.array)
            for cell, term in zip(cells, terms, strict=True):
                array = z3.Store(array, cell.address.term, term)
            return [(leaf.array, array)]
        changed: dict[StateVariable, z3.ExprRef] = {}
        for cell, term in zip(cells, terms, strict=True):
            constant = cell.address.constant
            if constant is not None:
                if constant in leaf.cells:
                    changed[leaf.cells[constant]] = term
                continue
            for address, variable in leaf.cells.items():
                if cell.address.may_be(address):
                    condition = cell.address.term == self.theory.address(address).term
                    old = changed.get(variable)
                    changed[variable] = z3.If(condition, term, self.state(variable) if old is None else old)
        return list(changed.items())

    # --- reads that are beyond the model ----------------------------------------------------------------------------

    def traps(self) -> list[z3.BoolRef]:
        """The conditions under which the translated expressions read memory that is not modelled (byte_memory.py)."""
        if not self._traps:
            return []
        inside: set[int] = set()
        out = []
        for root in self.roots:
            found: dict[int, z3.BoolRef | None] = {}
            for node in postorder(root):
                inside.add(id(node))
                found[id(node)] = self._trap_of(node, [found[id(child)] for child in children(node)])
            trap = found[id(root)]
            out += [] if trap is None else [trap]
        return out + [trap for key, trap in self._traps.items() if key not in inside]

    def trap(self, node: Node, condition: z3.BoolRef) -> None:
        """The value of a translated node is not modelled under a condition."""
        known = self._traps.get(id(node))
        self._traps[id(node)] = condition if known is None else z3.Or(known, condition)

    def _trap_of(self, node: Node, parts: list[z3.BoolRef | None]) -> z3.BoolRef | None:
        """The condition of a trap below a node, without the parts that C does not evaluate."""
        guards: list[z3.BoolRef] = []
        match node:
            case ir.Binary(operator="&&", left=left):
                guards = [z3.BoolVal(True), self.truth(left)]
            case ir.Binary(operator="||", left=left):
                guards = [z3.BoolVal(True), z3.Not(self.truth(left))]
            case ir.Conditional(condition=condition):
                truth = self.truth(condition)
                guards = [z3.BoolVal(True), truth, z3.Not(truth)]
        if guards:
            parts = [None if part is None else z3.And(guard, part) for part, guard in zip(parts, guards, strict=True)]
        some = [part for part in (*parts, self._traps.get(id(node))) if part is not None]
        return z3.Or(some) if some else None

    # --- expressions ------------------------------------------------------------------------------------------------

    def _expression(self, node: Node) -> BoundedTerm:
        """The term of an expression whose parts are translated."""
        match node:
            case ir.Constant(value=value, type=kind):
                return self._constant(value, kind)
            case ir.Load(lvalue=lvalue, type=kind):
                if isinstance(kind, CRecord):
                    return BoundedTerm(z3.BoolVal(True), None)
                return self.load(self.located(lvalue), kind, node)
            case ir.AddressOf(lvalue=lvalue):
                return self.located(lvalue).address
            case ir.FunctionAddress(function=name):
                return self.theory.address(self.memory.function_number(name))
            case ir.PointerAdd(pointer=pointer, index=index):
                element = pointer.type.target if isinstance(pointer.type, CPointer) else pointer.type
                region, base = self._target(pointer), self.value(pointer)
                if region in self.memory.points_to.number_regions:
                    return self._numbers.moved(base, self.value(index), index.type, element)
                return self._advance(region, base, index, element)
            case ir.PointerDifference(left=left, right=right, type=kind):
                return self._difference(node, left, right, kind)
            case ir.Cast() if (move := self.memory.points_to.member_move(node, self.frame)) is not None:
                return self._moved_to_member(node, move)
            case ir.Cast(operand=operand, type=kind):
                return self._cast(node, self.value(operand), operand.type, kind)
            case ir.Conditional(condition=condition, then=then, otherwise=otherwise):
                return self._choose(self.truth(condition), self.value(then), self.value(otherwise))
            case ir.Unary(operator=operator, operand=operand, type=kind):
                return self._unary(operator, operand, kind)
            case ir.Binary():
                return self._binary(node)
            case _:
                raise Unsupported(self.origin, type(node).__name__)

    def _moved_to_member(self, node: Node, move: MemberMove) -> BoundedTerm:
        """A pointer that is moved between a record and its member keeps its address; null would not stay null."""
        value = self.value(move.pointer)
        if move.distance and (value.constant is None or value.constant == NULL):
            self._traps[id(node)] = value.term == self.theory.address(NULL).term
        return value

    def _difference(self, node: Node, left: ir.Expression, right: ir.Expression, kind: CType) -> BoundedTerm:
        """The difference of two pointers in elements; undetermined if they point into different objects."""
        assert isinstance(left.type, CPointer) and isinstance(kind, CInteger)
        region = self._target(left)
        scale = self.memory.points_to.regions.cells(region, left.type.target) or 1
        first, second = self.value(left), self.value(right)
        distance = self.theory.distance(first, second, scale, kind)
        apart = self._apart(first, second, region)
        return distance if apart is None else self._choose(apart, self.undetermined(kind, node), distance)

    def _constant(self, value: int | float | Fraction, kind: CType) -> BoundedTerm:
        if isinstance(kind, CInteger):
            return self.theory.literal(int(value), kind)
        if isinstance(kind, CFloat):
            return BoundedTerm(floats.literal(value, kind), None)
        if value != 0:
            raise Unsupported(self.origin, f"integer {value} as a pointer")
        return self.theory.address(NULL)

    def _truth_of(self, value: BoundedTerm, kind: CType) -> z3.BoolRef:
        if value.truth is not None:
            return value.truth
        if isinstance(kind, CFloat):
            return z3.Not(z3.fpIsZero(value.term))
        if value.constant is not None:
            return z3.BoolVal(value.constant != (0 if isinstance(kind, CInteger) else NULL))
        zero = self.theory.literal(0, kind) if isinstance(kind, CInteger) else self.theory.address(NULL)
        return value.term != zero.term

    def _from_truth(self, truth: z3.BoolRef, kind: CType) -> BoundedTerm:
        assert isinstance(kind, CInteger)
        if z3.is_true(truth) or z3.is_false(truth):
            return self.theory.literal(int(z3.is_true(truth)), kind)
        one, zero = self.theory.literal(1, kind), self.theory.literal(0, kind)
        return BoundedTerm(z3.If(truth, one.term, zero.term), (0, 1), truth)

    def _choose(self, condition: z3.BoolRef, then: BoundedTerm, otherwise: BoundedTerm) -> BoundedTerm:
        if z3.is_true(condition):
            return then
        if z3.is_false(condition):
            return otherwise
        bounds = None
        if then.range is not None and otherwise.range is not None:
            bounds = machine_intervals.join(then.range, otherwise.range)
        return BoundedTerm(z3.If(condition, then.term, otherwise.term), bounds)

    def _unary(self, operator: str, operand: ir.Expression, kind: CType) -> BoundedTerm:
        if operator == "!":
            return self._from_truth(z3.simplify(z3.Not(self.truth(operand))), kind)
        value = self.value(operand)
        if isinstance(kind, CFloat):
            return BoundedTerm(floats.unary(operator, value.term), None)
        assert isinstance(kind, CInteger)
        return self.theory.unary(operator, value, kind)

    def _binary(self, node: ir.Binary) -> BoundedTerm:
        left, right, operator, kind = node.left, node.right, node.operator, node.type
        if operator in ("&&", "||"):
            parts = [self.truth(left), self.truth(right)]
            return self._from_truth(conjunction(parts) if operator == "&&" else disjunction(parts), kind)
        a, b, operands = self.value(left), self.value(right), left.type
        if operator in COMPARISONS:
            return self._from_truth(self._compare(node, a, b), kind)
        if isinstance(kind, CFloat):
            return BoundedTerm(floats.binary(operator, a.term, b.term), None)
        if not isinstance(kind, CInteger) or not isinstance(operands, CInteger):
            raise Unsupported(self.origin, f"{operator} of {operands}")
        if operator in ("<<", ">>"):
            assert isinstance(right.type, CInteger)
            return self.theory.shift(operator, a, b, kind, right.type, lambda t: self.undetermined(t, node))
        return self.theory.binary(operator, a, b, kind, lambda t: self.undetermined(t, node))

    def _compare(self, node: ir.Binary, a: BoundedTerm, b: BoundedTerm) -> z3.BoolRef:
        operator, left = node.operator, node.left
        if isinstance(left.type, CFloat):
            return floats.compare(operator, a.term, b.term)
        if isinstance(left.type, CInteger):
            if a.range is not None and b.range is not None:
                known = machine_intervals.decided(operator, a.range, b.range)
                if known is not None:
                    return z3.BoolVal(known)
            if operator in ("==", "!=") and b.constant in (0, 1) and a.truth is not None:
                return a.truth if (operator == "==") == (b.constant == 1) else z3.simplify(z3.Not(a.truth))
            return self.theory.compare(operator, a, b, left.type)
        return self._compare_pointers(node, a, b)

    def _apart(self, a: BoundedTerm, b: BoundedTerm, region: Region) -> z3.BoolRef | None:
        """The condition that two pointers point into different objects; None if they never do.

        No object is larger than half of the distance between the addresses of objects.
        """
        if self.memory.has_one_object(region) and not self.memory.may_be_unknown(region):
            return None
        limit = OBJECT_STRIDE // 2 * self.memory.scale(region)
        assert a.range is not None and b.range is not None
        low, high = machine_intervals.subtract(a.range, b.range)
        if -limit < low and high < limit:
            return None
        beyond = [self.theory.advance(value, self.theory.address(limit), None, 1) for value in (a, b)]
        # a + limit <= b | b + limit <= a
        parts = [self.theory.address_less(x, y, strict=False) for x, y in zip(beyond, (b, a), strict=True)]
        apart = z3.simplify(z3.Or(parts))
        return None if z3.is_false(apart) else apart

    def _compare_pointers(self, node: ir.Binary, a: BoundedTerm, b: BoundedTerm) -> z3.BoolRef:
        operator, left, right = node.operator, node.left, node.right
        if operator in ir.ORDERS:
            first, second = (a, b) if operator[0] == "<" else (b, a)
            less = self.theory.address_less(first, second, strict="=" not in operator)
            apart = self._apart(a, b, self._target(left))
            if apart is None:
                return less
            order = self._truth_of(self.undetermined(BOOL, node), BOOL)
            return z3.If(apart, order, less)
        if operator in ir.OBJECT_COMPARISONS:
            region = self._target(left)
            apart = self._apart(a, b, region)
            return self._unless_unknown(
                node, a, b, is_one_object(self.memory, self.theory, node, region, (a, b), apart)
            )
        is_function = isinstance(left.type, CPointer) and isinstance(left.type.target, CFunction)
        equal = a.term == b.term
        null = self.theory.address(NULL).term
        if not is_function and a.constant != NULL and b.constant != NULL:
            one, two = (find(self._target(side)) for side in (left, right))
            if one is not two:
                numbers = any(map(self.memory.points_to.is_converted, (left, right)))
                if not numbers and (one.parent is not None or two.parent is not None):
                    raise Unsupported(self.origin, "comparison of a pointer to a field with another pointer")
                equal = z3.And(a.term == null, b.term == null)
            equal = self._unless_unknown(node, a, b, equal)
        return equal if operator == "==" else z3.Not(equal)

    def _unless_unknown(self, node: ir.Binary, a: BoundedTerm, b: BoundedTerm, truth: z3.BoolRef) -> z3.BoolRef:
        """The result of a comparison: any, where the pointers leave it open."""
        regions, pointers = (self._target(node.left), self._target(node.right)), (a, b)
        some = is_uncertain(self.memory, self.theory, node, regions, pointers, truth)
        return truth if z3.is_false(some) else z3.If(some, self._truth_of(self.undetermined(BOOL, node), BOOL), truth)

    def _cast(self, node: Node, value: BoundedTerm, source: CType, target: CType) -> BoundedTerm:
        if (number := self._numbers.cast(node, self.frame, value)) is not None:
            return number
        match source, target:
            case CInteger(), CInteger():
                return self.theory.cast(value, source, target)
            case CPointer(), CInteger(is_bool=True):
                return self._from_truth(self._truth_of(value, source), target)
            case CPointer(), CPointer():
                return self._pointer_cast(node, value, source, target)
            case CPointer(), CInteger():  # where it lies is not modelled; runs in which that matters are not followed
                other = self.undetermined(target, node)
                return self._choose(self._truth_of(value, source), other, self.theory.literal(0, target))
            case CInteger(), CPointer() if value.constant == 0:
                return self.theory.address(NULL)
            case CInteger(), CPointer() if self.memory.points_to.is_converted(node):
                return self._of_number(node, value, source, target)
            case CFloat(), CFloat():
                return BoundedTerm(floats.convert(value.term, target), None)
            case CInteger(), CFloat():
                if value.constant is not None and abs(value.constant) < 1 << 53:
                    return BoundedTerm(floats.literal(float(value.constant), target), None)
                if self.theory.has_estimates:
                    return self.undetermined(target, node)
                return BoundedTerm(floats.from_integer(value, source, target, self.theory), None)
            case CFloat(), CInteger(is_bool=True):
                return self._from_truth(self._truth_of(value, source), target)
            case CFloat(), CInteger():
                other = self.undetermined(target, node)
                if self.theory.has_estimates:
                    return other
                return BoundedTerm(floats.to_integer(value.term, target, self.theory, other.term), any_value(target))
            case _:
                raise Unsupported(self.origin, f"conversion of {source} to {target}")

    def _target(self, pointer: ir.Expression) -> Region:
        return self.memory.points_to.target(pointer, self.frame)

    def _pointer_cast(self, node: Node, value: BoundedTerm, source: CPointer, target: CPointer) -> BoundedTerm:
        """The same address; an unknown pointer may be that of any function."""
        if isinstance(source.target, CFunction) or not isinstance(target.target, CFunction):
            return value
        assert isinstance(node, ir.Cast)
        unknown = is_unknown(self.memory, self.theory, self._target(node.operand), value)
        return value if unknown is None else self._choose(unknown, self.undetermined(target, node), value)

    def _of_number(self, node: Node, value: BoundedTerm, source: CType, target: CType) -> BoundedTerm:
        """A number as a pointer: null, or an unknown one (unknown_pointers.py); to a function, any."""
        other = self.undetermined(target, node)
        if not isinstance(target, CPointer) or not isinstance(target.target, CFunction):
            self.choices.constraints.append(made_elsewhere(self.theory, other))
        return self._choose(self._truth_of(value, source), other, self.theory.address(NULL))


def sort_of(theory: IntegerEncoding, kind: CType) -> z3.SortRef:
    """The sort of a scalar type."""
    if isinstance(kind, CInteger):
        return theory.sort(kind)
    return floats.sort(kind) if isinstance(kind, CFloat) else theory.address_sort()
