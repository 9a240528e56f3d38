"""Assignments, increments and initialisers."""

from collections import deque
from dataclasses import field

from pycparser import c_ast

from chcverify.effort import MAX_VISITED
from chcverify.quick_dataclass import dataclass
from encoders.c.cfa.expression_tests import is_atomic, is_volatile, without_casts
from encoders.c.cfa.ir import (
    Assign,
    AtomicBegin,
    AtomicEnd,
    Clear,
    Constant,
    ElementLValue,
    Expression,
    FieldLValue,
    Load,
    LValue,
    Skip,
)
from encoders.c.lowering.collaborators import HasCalls
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.declarations import TypeLowering
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.file_scope.static_objects import StaticObjects, is_thread_local
from encoders.c.lowering.lvalues import LValueLowering
from encoders.c.lowering.operators.complex_numbers import is_arithmetic_or_pointer
from encoders.c.lowering.operators.conversions import pointer_integer
from encoders.c.lowering.operators.side_effects import SideEffects
from encoders.c.source.literals import string_literal
from encoders.c.types.c_types import INT, CArray, CField, CInteger, CPointer, CRecord, CType, is_scalar
from encoders.c.types.record_layout import is_unnamed


@dataclass(frozen=True, slots=True)
class _GivenItem:
    """An initialiser's expression that gave an object its value. has_effects: does its evaluation have side effects?"""

    item: c_ast.Node
    has_effects: bool


@dataclass(eq=False)
class AssignmentLowering:
    """Expressions that change objects, and the initialisers of declarations (C11 6.5.16, 6.7.9)."""

    context: LoweringContext
    side_effects: SideEffects
    types: TypeLowering
    static_objects: StaticObjects
    lvalues: LValueLowering
    expressions: ExpressionLowering
    lowering: HasCalls
    _given: dict[LValue, _GivenItem] = field(default_factory=dict, init=False)
    """What expressions gave in the initialiser at hand, as far as later items may override it."""
    _overridden: list[c_ast.Node] = field(default_factory=list, init=False)
    """The expressions of that initialiser that later items override: they are not evaluated."""

    def assignment(self, node: c_ast.Assignment, wanted: bool) -> Expression:
        """Lowers an assignment; the left side's value afterwards. wanted: is that value used?"""
        if node.op != "=":
            return self._compound_assignment(node, wanted)
        lvalue = self._modifiable(node.lvalue, node)
        if wanted or self.side_effects.has_side_effects(node.rvalue):  # checks change nothing that it is computed from
            lvalue = self.context.held_lvalue(lvalue, node.lvalue)
        value = self.assign_from(lvalue, node.rvalue, node)
        if _is_null(value) and not is_volatile(lvalue):
            return value  # nobody needs to find out that what is read is null
        return Load(lvalue, lvalue.type)

    def _modifiable(self, node: c_ast.Node, whole: c_ast.Node) -> LValue:
        lvalue = self.lvalues.lvalue(node, "lvalue required as left operand of assignment")
        if isinstance(lvalue.type, CArray) or not self.context.unit.layout.is_complete(lvalue.type):
            raise self.context.error(whole, f"assignment to expression of type '{lvalue.type}'")
        return lvalue

    def assign_from(self, lvalue: LValue, source: c_ast.Node, whole: c_ast.Node, text: str | None = None) -> Expression:
        """Assigns the source's value to the lvalue and returns it; a call stores its result there where types agree."""
        value = (
            self.lowering.calls.call_into(source, lvalue)
            if isinstance(source, c_ast.FuncCall)
            else self.expressions.value(source)
        )
        if value == Load(lvalue, lvalue.type) and isinstance(source, c_ast.FuncCall):
            return value
        value = self.expressions.converted(value, lvalue.type, whole)
        self._store(lvalue, value, whole, self.context.text(whole) if text is None else text)
        return value

    def _store(self, lvalue: LValue, value: Expression, node: c_ast.Node, text: str) -> None:
        """Stores a value; what a device does with one is no part of the program."""
        operation = Skip() if self.lvalues.is_register(lvalue) else Assign(lvalue, value)
        self.context.cfa.emit(operation, self.context.origin(node), text)

    def _compound_assignment(self, node: c_ast.Assignment, wanted: bool) -> Expression:
        """As in gcc, the right side comes first."""
        right = self.expressions.value(node.rvalue)
        if self.side_effects.has_effects(node.lvalue):
            right = self.context.held(right, node.rvalue)
        lvalue = self._modifiable(node.lvalue, node)
        is_section = self._is_section(lvalue)
        if is_section:
            right = self.context.held(right, node.rvalue)
        if wanted or is_section:
            lvalue = self.context.held_lvalue(lvalue, node.lvalue)
        self._bound(AtomicBegin(), is_section, node)
        result = self.expressions.operation(node.op[:-1], self.lvalues.read(lvalue), right, node, assigns=True)
        new = self._changed(lvalue, self.expressions.converted(result, lvalue.type, node), is_section, node)
        self._bound(AtomicEnd(), is_section, node)
        return new

    def _is_section(self, lvalue: LValue) -> bool:
        """Is the change of an atomic object one step for all other threads?"""
        return self.context.unit.has_threads and is_atomic(lvalue)

    def _bound(self, bound: AtomicBegin | AtomicEnd, is_section: bool, node: c_ast.Node) -> None:
        """The begin or the end of a section, if there is one."""
        if is_section:
            self.context.emit(bound, node)

    def _changed(self, lvalue: LValue, new: Expression, is_section: bool, node: c_ast.Node) -> Expression:
        """Stores a value that was computed from the old one. Returns it; in a section, without another read."""
        new = self.context.held(new, node) if is_section else new
        self._store(lvalue, new, node, self.context.text(node))
        return new if is_section else Load(lvalue, lvalue.type)

    def step(self, node: c_ast.UnaryOp, wanted: bool) -> Expression:
        """Lowers an increment or decrement; the value before or afterwards. wanted: is that value used?"""
        lvalue = self._modifiable(node.expr, node)
        is_section = self._is_section(lvalue)
        if wanted or is_section:
            lvalue = self.context.held_lvalue(lvalue, node.expr)
        self._bound(AtomicBegin(), is_section, node)
        old: Expression = self.lvalues.read(lvalue)
        if not is_scalar(lvalue.type):
            raise self.context.error(node, f"wrong type argument to {node.op[-2:]}: '{lvalue.type}'")
        if wanted and node.op.startswith("p"):
            old = self.context.held(old, node.expr)
        new = self.expressions.converted(
            self.expressions.operation(node.op[-1], old, Constant(1, INT), node), lvalue.type, node
        )
        new = self._changed(lvalue, new, is_section, node)
        self._bound(AtomicEnd(), is_section, node)
        return old if node.op.startswith("p") else new

    # --- initialisers

    def initialise(self, lvalue: LValue, init: c_ast.Node, name: str, whole: c_ast.Node) -> None:
        """An object of complete type gets its initialiser's value; what is not mentioned is zero."""
        kind = lvalue.type
        if is_arithmetic_or_pointer(kind):
            while isinstance(init, c_ast.InitList):
                if not init.exprs:
                    zero = Assign(lvalue, zero_of(kind)) if is_scalar(kind) else Clear(lvalue)
                    self.context.cfa.emit(zero, self.context.origin(whole), f"{name} = 0")
                    return
                init = init.exprs[0]
            text = f"{name} = {self.context.text(init)}"
            self.assign_from(lvalue, init, init, text)
        elif isinstance(kind, CRecord) and not isinstance(init, c_ast.InitList):
            self.assign_from(lvalue, init, whole, f"{name} = {self.context.text(init)}")
        else:
            self.context.emit(Clear(lvalue), whole)
            if isinstance(init, c_ast.InitList):
                self._initialise_parts(lvalue, init, name)
            elif not self.initialise_string(lvalue, init, name):
                raise self.context.error(whole, f"invalid initializer for '{kind}'")

    def _initialise_parts(self, lvalue: LValue, init: c_ast.InitList, name: str) -> None:
        """Initialises an aggregate's parts; again from the start when an item proves to override one with side effects.

        As in gcc, the overridden item is not evaluated then (C11 6.7.9p19 and its footnote allow it).
        """
        outer = self._given, self._overridden
        mark, indirect = self.context.cfa.mark(), len(self.context.indirect)
        self._overridden = []
        try:
            while True:
                self._given = {}
                try:
                    self._fill(lvalue, deque(init.exprs), name, braced=True)
                    return
                except _EffectsOverridden as error:
                    self._overridden.append(error.item)
                    self.context.cfa.rollback(mark)
                    del self.context.indirect[indirect:]
        finally:
            self._given, self._overridden = outer

    def array_length(self, kind: CArray, init: c_ast.Node) -> int:
        """The length that an initialiser gives to an array declared without one."""
        with self.context.unevaluated():
            lvalue = self.context.temporary(kind)
            if isinstance(init, c_ast.InitList):
                if len(init.exprs) == 1 and self.initialise_string(lvalue, init.exprs[0], ""):
                    init = init.exprs[0]
                else:
                    return self._fill(lvalue, deque(init.exprs), "", braced=True)
            if isinstance(init, c_ast.Constant) and init.type == "string":
                return len(string_literal(init.value, self.context.unit.model)[0])
        raise self.context.error(init, "invalid initializer for an array")

    def _fill(self, lvalue: LValue, items: deque[c_ast.Node], name: str, braced: bool, entered: bool = False) -> int:
        """Initialise an aggregate from the items' front; gives the number of elements reached.

        entered: the first item's designator belongs to this aggregate although it has no braces of its own.
        """
        if braced and len(items) == 1 and self.initialise_string(lvalue, items[0], name):
            items.clear()
            return 0
        parts = self._parts(lvalue, name, items)
        if braced:
            items = self._in_order(lvalue, items)
        position = reached = 0
        touched: set[int] = set()
        while items:
            designated = isinstance(items[0], c_ast.NamedInitializer) and bool(items[0].name)
            if designated and not (braced or entered):
                break
            rest = False
            if designated:
                self._expand_range(items)
                position, rest = self._designated(lvalue, items)
            entered = False
            if position >= parts.count:
                if braced and not designated:
                    items.clear()  # excess elements: ignored, as in gcc
                elif designated:
                    raise self.context.error(items[0], "designator outside of the initialised object")
                break
            part, part_name = parts.at(position)
            if isinstance(part, FieldLValue) and isinstance(part.type, CArray) and part.type.length is None:
                what = "initialiser of a flexible array member; give the member a length, or fill it at the start"
                raise self.context.refuse(items[0], what)
            if position in touched and not rest:
                self._override(part)
            if position in touched and not rest and not is_scalar(part.type) and _is_whole(items[0]):
                self.context.cfa.emit(
                    Clear(part), self.context.origin(items[0]), part_name
                )  # it overrides all that was there
            touched.add(position)
            self._element(part, items, part_name, rest)
            position += 1
            reached = max(reached, position)
            if isinstance(lvalue.type, CRecord) and lvalue.type.is_union and not braced:
                break
            if isinstance(lvalue.type, CRecord) and lvalue.type.is_union:
                position = parts.count
        return reached

    def _parts(self, lvalue: LValue, name: str, items: deque[c_ast.Node]) -> "_Parts":
        kind = lvalue.type
        if isinstance(kind, CArray):
            count = (1 << 40) if kind.length is None else kind.length
            return _Parts(lvalue, name, count, None, pointer_integer(self.context.unit.model))
        if isinstance(kind, CRecord):
            self.context.size_of(kind, items[0] if items else c_ast.InitList([]))
            fields = self.context.unit.layout.record(kind).fields
            return _Parts(lvalue, name, len(fields), fields, pointer_integer(self.context.unit.model))
        raise self.context.error(items[0], f"braces around an initializer for '{kind}'")

    def _in_order(self, lvalue: LValue, items: deque[c_ast.Node]) -> deque[c_ast.Node]:
        """Designated items in the order of the members or elements: so gcc evaluates them, if that can be seen."""
        union = isinstance(lvalue.type, CRecord) and lvalue.type.is_union
        plain = all(isinstance(item, c_ast.NamedInitializer) and _range_of(item) is None for item in items)
        if union or not plain or sum(map(self.side_effects.has_side_effects, items)) < 2:
            return items
        return deque(sorted(items, key=lambda item: self._designated(lvalue, deque([item]))[0]))

    def _designated(self, lvalue: LValue, items: deque[c_ast.Node]) -> tuple[int, bool]:
        """Take the front item's first designator: the position that it names; do more designators follow?"""
        item = items[0]
        assert isinstance(item, c_ast.NamedInitializer)
        first, rest = item.name[0], item.name[1:]
        kind = lvalue.type
        if isinstance(kind, CArray) and isinstance(first, c_ast.ArrayDesignator):
            position = self.types.constant(first.expr, "array designator")
            if position < 0:
                raise self.context.error(first, "negative array designator")
        elif isinstance(kind, CRecord) and isinstance(first, c_ast.ID):
            path = self.lvalues.member_path(kind, first.name, first)
            if not path:
                raise self.context.error(first, f"'{kind}' has no member named '{first.name}'")
            position = self.context.unit.layout.record(kind).fields.index(path[0])
            if len(path) > 1:  # a member of an anonymous member: the designator also names that
                rest = item.name
        else:
            raise self.context.error(first, f"designator does not fit '{kind}'")
        items[0] = c_ast.NamedInitializer(rest, item.expr, first.coord) if rest else item.expr
        return position, bool(rest)

    def _expand_range(self, items: deque[c_ast.Node]) -> None:
        """GNU's `[low ... high] = value` in front becomes one item for each position."""
        item = items[0]
        assert isinstance(item, c_ast.NamedInitializer)
        first, indices = item.name[0], _range_of(item)
        if indices is None:
            return
        low = self.types.constant(indices.left, "array designator")
        high = self.types.constant(indices.right, "array designator")
        if high < low:
            raise self.context.error(first, "empty index range in initializer")
        if high - low >= MAX_VISITED or (high > low and self.side_effects.has_effects(item.expr)):
            raise self.context.refuse(first, "range of array indices")
        items.popleft()
        for position in range(high, low - 1, -1):
            index = c_ast.ArrayDesignator(c_ast.Constant("int", str(position), first.coord), first.coord)
            items.appendleft(c_ast.NamedInitializer([index, *item.name[1:]], item.expr, item.coord))

    def _element(self, lvalue: LValue, items: deque[c_ast.Node], name: str, designated: bool) -> None:
        """Initialise one element or member from the items' front, with or without braces of its own."""
        item, kind = items[0], lvalue.type
        if designated:
            if lvalue in self._given:
                self._enter_given(lvalue, item)
            self._fill(lvalue, items, name, braced=False, entered=True)
        elif any(item is overridden for overridden in self._overridden):
            items.popleft()
        elif isinstance(item, c_ast.InitList) and not is_arithmetic_or_pointer(kind):
            items.popleft()
            self._fill(lvalue, deque(item.exprs), name, braced=True)
        elif is_arithmetic_or_pointer(kind):
            items.popleft()
            self._give(lvalue, item)
            self.initialise(lvalue, item, name, item)
        elif self.initialise_string(lvalue, item, name):
            items.popleft()
        elif isinstance(kind, CRecord) and self._has_type(item, kind):
            items.popleft()
            self._give(lvalue, item)
            self.assign_from(lvalue, item, item, f"{name} = {self.context.text(item)}")
        else:
            if lvalue in self._given:
                self._enter_given(lvalue, item)
            before = len(items)
            self._fill(lvalue, items, name, braced=False)
            if len(items) == before and items[0] is item:  # nothing to initialise: gcc drops the item
                items.popleft()

    def _give(self, lvalue: LValue, item: c_ast.Node) -> None:
        """Notes what a later designator may override: records that are given as a whole, and values with effects."""
        evaluated = item.init if isinstance(item, c_ast.CompoundLiteral) else item
        has_effects = self.context.evaluated and self.side_effects.has_side_effects(evaluated)
        if has_effects or isinstance(lvalue.type, CRecord):
            self._given[lvalue] = _GivenItem(item, has_effects)

    def _override(self, lvalue: LValue) -> None:
        """What was given to the object or to parts of it is given again: gcc does not evaluate the former."""
        for part in [part for part in self._given if is_within(part, lvalue)]:
            given = self._given.pop(part)
            if given.has_effects:
                raise _EffectsOverridden(given.item)

    def _enter_given(self, lvalue: LValue, item: c_ast.Node) -> None:
        """A part of what an expression gave is given again: with gcc, nothing of the expression's value is left.

        Except in static objects, where the expression is a compound literal, which counts as its initialiser.
        """
        self._override(lvalue)
        if not self.context.is_file_scope:
            self.context.emit(Clear(lvalue), item)

    def _has_type(self, node: c_ast.Node, kind: CType) -> bool:
        if isinstance(node, c_ast.Constant):
            return False
        with self.context.unevaluated():
            return self.expressions.operand(node).type == kind

    def initialise_string(self, lvalue: LValue, node: c_ast.Node, name: str) -> bool:
        """A character array's initialiser: the literal's characters, with the zero where it fits."""
        kind = lvalue.type
        if not (isinstance(kind, CArray) and isinstance(kind.element, CInteger)):
            return False
        if not (isinstance(node, c_ast.Constant) and node.type == "string"):
            return False
        units, element = string_literal(node.value, self.context.unit.model)
        if element.width != kind.element.width:
            return False
        index_type = pointer_integer(self.context.unit.model)
        for index, unit in enumerate(units[: kind.length]):
            if unit:
                part = ElementLValue(lvalue, Constant(index, index_type), kind.element)
                value = Constant(kind.element.wrap(unit), kind.element)
                self.context.cfa.emit(
                    Assign(part, value), self.context.origin(node), f"{name}[{index}] = {value.value}"
                )
        return True

    def compound_literal(self, node: c_ast.CompoundLiteral) -> LValue:
        """The new object that a compound literal makes, initialised."""
        if ("static" in (node.storage or ()) or is_thread_local(node)) and not self.context.is_file_scope:
            raise self.context.refuse(node, "static compound literal in a function")
        kind = self.types.plain_type(node.type)
        if isinstance(kind, CArray) and kind.length is None:
            kind = CArray(kind.element, self.array_length(kind, node.init))
        self.context.size_of(kind, node)
        lvalue = self.static_objects.unnamed_object(kind, node, self.types.is_constant_type(node.type))
        init = node.init
        self.initialise(lvalue, init, "(compound literal)", node)
        return lvalue


class _EffectsOverridden(Exception):
    """A later item overrides the item, whose evaluation has side effects and was emitted already."""

    def __init__(self, item: c_ast.Node) -> None:
        super().__init__("an overridden initialiser has side effects")
        self.item = item


class _Parts:
    """The elements or members of an aggregate by position, with their spelling."""

    def __init__(
        self, lvalue: LValue, name: str, count: int, fields: tuple[CField, ...] | None, index_type: CInteger
    ) -> None:
        self.lvalue, self.name, self.count, self.fields, self.index_type = lvalue, name, count, fields, index_type

    def at(self, position: int) -> tuple[LValue, str]:
        """The part at a position, and how the source would spell it."""
        if self.fields is not None:
            member = self.fields[position]
            text = f"{self.name}.{member.name}" if not is_unnamed(member.name) else self.name
            return FieldLValue(self.lvalue, member, member.type), text
        kind = self.lvalue.type
        assert isinstance(kind, CArray)
        return ElementLValue(self.lvalue, Constant(position, self.index_type), kind.element), f"{self.name}[{position}]"


def is_within(part: LValue, whole: LValue) -> bool:
    """Is the part the whole, or a member or an element of it, of any depth?"""
    while part != whole and isinstance(part, FieldLValue | ElementLValue):
        part = part.base
    return part == whole


def _range_of(item: c_ast.NamedInitializer) -> c_ast.BinaryOp | None:
    """The range of indices that it begins with, if it begins with one."""
    first = item.name[0] if item.name else None
    if not isinstance(first, c_ast.ArrayDesignator):
        return None
    return first.expr if isinstance(first.expr, c_ast.BinaryOp) and first.expr.op == "..." else None


def _is_whole(item: c_ast.Node) -> bool:
    """Does the initialiser give a value to all of an aggregate? (Without braces, it begins with its first part.)"""
    return isinstance(item, c_ast.InitList) or (isinstance(item, c_ast.Constant) and item.type == "string")


def zero_of(kind: CType) -> Constant:
    """The constant zero of a scalar type."""
    return Constant(0 if not hasattr(kind, "width") or isinstance(kind, CInteger) else 0.0, kind)


def _is_null(value: Expression) -> bool:
    """A constant pointer."""
    is_pointer = isinstance(value.type, CPointer)
    value = without_casts(value)
    return is_pointer and isinstance(value, Constant)
