"""Points-to analysis of a flat program: one pass over its edges builds the regions (field-sensitive, unifying)."""

from chcverify.results.checks import DEREFERENCES
from encoders.c.analysis.carried_addresses import CarriedAddresses
from encoders.c.analysis.member_moves import MemberMove, MemberMoves
from encoders.c.analysis.number_regions import regions_of_numbers
from encoders.c.analysis.regions import Region, RegionFlag, Regions, find, flattened, is_part_of, top_of
from encoders.c.cfa import ir
from encoders.c.cfa.expression_tests import is_null_pointer
from encoders.c.cfa.expression_walk import Node, base_of, postorder
from encoders.c.cfa.inlining import Enter, FlatEdge, FlatProgram, InlineFrame, Leave, Slot
from encoders.c.cfa.type_sizes import sizes_of
from encoders.c.library.table_reader import is_reallocation
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import CFunction, CInteger, CPointer, CRecord, CType, CVoid

_COMPARES = {"<", "<=", ">", ">=", "==", "!="} | ir.OBJECT_COMPARISONS


def slot_of(variable: ir.Variable, frame: InlineFrame) -> Slot:
    """The slot that a variable means in a frame."""
    return Slot(0 if variable.function is None else frame.number, variable)


class PointsTo:
    """Computes the regions of lvalues and pointers of a flat program.

    shared: the regions that functions without a body are given pointers to. havocs: the program calls such functions.
    carried: the addresses in numbers, asked for in such programs.
    renewed: as for `Memory`.
    """

    def __init__(self, flat: FlatProgram, renewed: frozenset[Slot] = frozenset()) -> None:
        self.flat = flat
        self.regions = Regions(sizes_of(flat.program))
        self.moves = MemberMoves(self.regions.sizes)
        self.shared: list[Region] = []  # what functions without a body are given
        self.havocs = False
        self.carried = CarriedAddresses(self.region_of, self.target, _calls_elsewhere(flat))
        self._elsewhere: list[Region] | None = None  # once the analysis is final
        self._numbers: dict[int, tuple[ir.Expression, Region]] = {}  # by the identity of conversions of numbers
        for variable in flat.program.globals:
            self.regions.of_slot(Slot(0, variable))
        for edge in flat.edges():
            self._edge(edge)
        main = flat.functions.get(flat.program.initialise)
        once = {0, *(frame.number for frame in (main.frames if main is not None else ()))}
        self.regions.leave_members(
            bool(flat.program.checks & DEREFERENCES), lambda slot: slot.frame in once and slot not in renewed
        )
        holders = [node for node in self.regions.reachable() if node.bytes and node.pointers]
        for node in holders:
            self.carried.copy(self.regions.pointee(node), node)
        self._find_unknown()
        for node in holders:
            self._add(self.regions.pointee(node), RegionFlag.FROM_BYTES)
        self.regions.is_final = True
        self.number_regions = self._regions_of_numbers()
        """The regions whose pointers are nothing but numbers that the program converts, and null."""

    def _regions_of_numbers(self) -> frozenset[Region]:
        if not self._numbers or self.flat.program.harness is not None:
            return frozenset()
        converted = [region for _, region in self._numbers.values()]
        return regions_of_numbers(
            converted,
            self.flat.edges(),
            self.target,
            lambda lvalue, frame: self.regions.pointee(self.region_of(lvalue, frame)),
        )

    def holds_number(self, pointer: ir.Expression, frame: InlineFrame) -> bool:
        """Is a pointer nothing but a number that the program converts, or null?"""
        return bool(self.number_regions) and find(self.target(pointer, frame)) in self.number_regions

    def _find_unknown(self) -> None:
        """Flags the regions into which functions without a body may make pointers, and those into which numbers that a
        harness has chosen may be read as pointers."""
        holders = [node for node in self.known_elsewhere() if node.pointers or isinstance(node.type, CPointer)]
        if self.flat.program.harness is not None:
            holders += [node for node in self.regions.reachable() if node.pointers]
        for node in holders:
            self._add(self.regions.pointee(node), RegionFlag.UNKNOWN)
        if self.are_numbers_pointers() and any(map(self._writes_unknown, self.flat.edges())):
            for node in list(self.regions.reachable()):  # such a write may store any pointer
                if (node.pointers or isinstance(node.type, CPointer)) and _is_in_memory(node):
                    self._add(self.regions.pointee(node), RegionFlag.UNKNOWN)

    def _writes_unknown(self, edge: FlatEdge) -> bool:
        """Does an edge write through a pointer whose target may not be known?"""
        lvalue = edge.written
        base = None if lvalue is None else base_of(lvalue)
        if not isinstance(base, ir.Dereference):
            return False
        return is_part_of(self.target(base.pointer, edge.frame), RegionFlag.UNKNOWN)

    def are_numbers_pointers(self) -> bool:
        """True if some unknown pointers are numbers that are converted to pointers, or read as such."""
        if self._numbers and self.flat.program.harness is not None:
            return True
        pointees = (node.pointee for node in self.regions.reachable() if node.pointers)
        return any(node is not None and RegionFlag.UNKNOWN in find(node).flags for node in pointees)

    def known_elsewhere(self) -> list[Region]:
        """The regions that functions without a body may change: all that they are ever given, and what these and the
        variables with external linkage lead to, also by the addresses in numbers; to the latter other numbers may lead,
        too."""
        if self._elsewhere is not None:
            return self._elsewhere
        found = list(self._known_elsewhere()) if self.havocs or self.are_numbers_pointers() else []
        self._elsewhere = found if self.regions.is_final else None
        return found

    def _known_elsewhere(self) -> dict[Region, None]:
        held, seen = self.carried.held(), set[Region]()
        work = [self.regions.of_slot(Slot(0, variable)) for variable in self.flat.program.external_globals()]
        work += self.shared
        work += held.of(self.carried.given, seen)
        found: dict[Region, None] = {}
        while work:
            node = find(work.pop())
            if node not in found:
                found[node] = None
                work += node.fields.values()
                work += [node.pointee] if node.pointee is not None else []
                work += [node.parent] if node.parent is not None else []
                work += held.of(node, seen)
        return found

    def region_of(self, lvalue: ir.LValue, frame: InlineFrame) -> Region:
        """The region that holds the lvalue's cells."""
        path: list[ir.FieldLValue | ir.ElementLValue] = []
        while isinstance(lvalue, ir.FieldLValue | ir.ElementLValue):
            path.append(lvalue)
            lvalue = lvalue.base
        if isinstance(lvalue, ir.VariableLValue):
            node = self.regions.of_slot(slot_of(lvalue.variable, frame))
        else:
            node = self.regions.constrain(self.target(lvalue.pointer, frame), flattened(lvalue.type)[0])
            self._add(node, RegionFlag.INDEXED)
            if path and isinstance(path[-1], ir.ElementLValue):
                self._add(node, RegionFlag.REPEATED)
        for part in reversed(path):
            if isinstance(part, ir.FieldLValue):
                base = part.base.type
                node = self.regions.of_field(node, part.field, isinstance(base, CRecord) and base.is_union)
            elif not isinstance(_plain(part.index), ir.Constant):
                self._add(node, RegionFlag.INDEXED)
        return find(node)

    def target(self, pointer: ir.Expression, frame: InlineFrame) -> Region:
        """The region that a pointer's value points into; a fresh one for null."""
        return self._target(pointer, frame) or Region()

    def _target(self, pointer: ir.Expression, frame: InlineFrame) -> Region | None:
        """The region that a pointer's value points into; None for null."""
        while True:
            match pointer:
                case ir.Cast() if (move := self.moves.of(pointer)) is not None:
                    return self._moved(move, frame)
                case ir.Cast(operand=operand) if isinstance(operand.type, CPointer):
                    pointer = operand
                case ir.PointerAdd(pointer=inner):
                    pointer = inner
                case ir.Load(lvalue=lvalue):
                    return self.regions.pointee(self.region_of(lvalue, frame))
                case ir.AddressOf(lvalue=lvalue):
                    node = self.region_of(lvalue, frame)
                    self._add(node, RegionFlag.ADDRESS_TAKEN)
                    return node
                case ir.Conditional(then=then, otherwise=otherwise):
                    one, two = self._target(then, frame), self._target(otherwise, frame)
                    if one is None or two is None:
                        return one or two
                    self.regions.unify(one, two)
                    return find(one)
                case ir.Cast(operand=operand) if not isinstance(operand, ir.Constant) or operand.value != 0:
                    return self._of_number(pointer)
                case _:
                    return None

    def member_move(self, cast: Node, frame: InlineFrame) -> MemberMove | None:
        """The move between a record and its member that a cast is in typed memory; None for other casts."""
        move = self.moves.of(cast)
        if move is None or (region := self._target(move.pointer, frame)) is None or region.bytes:
            return None
        return move

    def _moved(self, move: MemberMove, frame: InlineFrame) -> Region | None:
        """The region into which a pointer leads that is moved to the record around a member, or to the member."""
        node = self._target(move.pointer, frame)
        if node is None:
            return None
        if node.bytes and node.parent is not None:
            node = self.regions.to_bytes(node)
        if not move.is_outward:
            node = self.regions.constrain(node, move.record)
            for member in move.path:
                node = self.regions.of_field(node, member, False)
            return node
        record = self._around(node, move)
        if record is None and not node.bytes:
            child = Region(move.record, label=move.record.tag)
            for member in move.path:
                child = self.regions.of_field(child, member, False)
            self.regions.unify(child, node)
            record = self._around(find(node), move)
        return find(node) if record is None else record

    def _around(self, node: Region, move: MemberMove) -> Region | None:
        """The region of the records around a member; None if it is none that lies there."""
        for member in reversed(move.path):
            if node.bytes or node.parent is None or node.key != member.name:
                return None
            self._add(node, RegionFlag.CONTAINED)
            node = find(node.parent)
        return node if node.type == move.record else None

    def is_converted(self, pointer: Node) -> bool:
        """Is a pointer a converted number whose object is not known? Only in programs
        with a harness; in others that is not modelled."""
        while isinstance(pointer, ir.Cast) and isinstance(pointer.operand.type, CPointer):
            pointer = pointer.operand
        if self.flat.program.harness is None or not isinstance(pointer, ir.Cast):
            return False
        is_null = isinstance(pointer.operand, ir.Constant) and pointer.operand.value == 0
        return isinstance(pointer.operand.type, CInteger) and not is_null

    def _of_number(self, conversion: ir.Expression) -> Region:
        """The region into which a number leads that is converted to a pointer."""
        found = self._numbers.get(id(conversion))
        if found is None:
            flag = RegionFlag.UNKNOWN if self.is_converted(conversion) else RegionFlag.CONVERTED
            if isinstance(conversion, ir.Cast) and isinstance(conversion.operand, ir.Constant):
                flag &= ~RegionFlag.CONVERTED  # no object lies there
            self._numbers[id(conversion)] = found = conversion, Region(flags=flag)
        return find(found[1])

    def _add(self, node: Region, flag: RegionFlag) -> None:
        """Adds a flag to a region while the analysis runs."""
        if not self.regions.is_final:
            node.flags |= flag

    def _grow(self, callee: InlineFrame) -> None:
        """The blocks that a call of realloc copies: what it reads behind their ends is unspecified (C11 7.22.3.5)."""
        if is_reallocation(callee.function.name):
            old = self.regions.of_slot(slot_of(callee.function.parameters[0], callee))
            self._add(self.regions.pointee(old), RegionFlag.GROWN)

    def _edge(self, edge: FlatEdge) -> None:
        self.regions.origin = edge.edge.origin
        operation, frame = edge.operation, edge.frame
        for root in edge.roots:
            self._expression(root, frame)
            self.carried.read(root, frame)
        match operation:
            case ir.Assign(lvalue=lvalue, value=value):
                self._flow(lvalue.type, self.region_of(lvalue, frame), value, frame)
            case ir.Allocate(lvalue=lvalue, size=size, cleared=cleared):
                node = self.regions.pointee(self.region_of(lvalue, frame))
                node.note_block(int(size.value) if isinstance(size, ir.Constant) else None)
                self._add(node, RegionFlag.ALLOCATED | RegionFlag.INDEXED)
                if not cleared:
                    self._add(node, RegionFlag.UNSPECIFIED)
            case ir.Nondet(lvalue=lvalue) | ir.Clear(lvalue=lvalue):
                self._choose(self.region_of(lvalue, frame), operation)  # it may never be read
            case ir.Declare(variable=variable):
                self.regions.of_slot(slot_of(variable, frame))
            case Enter(callee=callee, arguments=arguments):
                for parameter, argument in zip(callee.function.parameters, arguments, strict=True):
                    self._flow(parameter.type, self.regions.of_slot(slot_of(parameter, callee)), argument, frame)
                self._grow(callee)
            case ir.Call(function=name, arguments=arguments, lvalue=target):
                called = self.flat.functions[name].root
                for parameter, argument in zip(called.function.parameters, arguments, strict=True):
                    self._flow(parameter.type, self.regions.of_slot(slot_of(parameter, called)), argument, frame)
                self._grow(called)
                self._result(called, target, frame)
            case Leave(callee=callee, lvalue=target):
                self._result(callee, target, frame)
            case ir.Havoc(arguments=arguments, numbers=numbers):
                self.shared += [self.target(argument, frame) for argument in arguments]
                self.havocs = True
                self.carried.give(numbers, frame)
            case (
                ir.Skip()
                | ir.Assume()
                | ir.Forget()
                | ir.EndStream()
                | ir.ReachError()
                | ir.Trap()
                | ir.OpenCheck()
                | ir.LoopInvariant()
            ):
                pass
            case ir.CheckAccess() | ir.CheckWritten() | ir.Release() | ir.EndLifetimes() | ir.CheckBlocks():
                self._check(operation, frame)
            case _:
                _refuse_threads(operation)

    def _choose(self, node: Region, operation: ir.Nondet | ir.Clear) -> None:
        """Where a function without a body has made the pointer in a region, it leads to what that knows."""
        if not isinstance(operation, ir.Nondet) or not operation.is_unknown:
            return
        target = self.regions.pointee(node)
        self._add(target, RegionFlag.UNKNOWN)
        self.shared.append(target)
        self.havocs = True

    def _check(self, operation: ir.MemoryCheck, frame: InlineFrame) -> None:
        if isinstance(operation, ir.CheckAccess):
            self.region_of(operation.lvalue, frame)
        elif isinstance(operation, ir.Release):
            self.target(operation.pointer, frame)

    def _result(self, callee: InlineFrame, target: ir.LValue | None, frame: InlineFrame) -> None:
        if target is not None and callee.function.result is not None:
            result = callee.function.result
            self._copy(result.type, self.region_of(target, frame), self.regions.of_slot(slot_of(result, callee)))

    def _flow(self, kind: CType, node: Region, value: ir.Expression, frame: InlineFrame) -> None:
        if isinstance(kind, CPointer) and isinstance(value.type, CPointer):
            self.regions.unify(self.regions.pointee(node), self.target(value, frame))
        elif isinstance(kind, CRecord):
            if not isinstance(value, ir.Load):
                raise Unsupported(self.regions.origin, "record value that is not an lvalue")
            self._copy(kind, node, self.region_of(value.lvalue, frame))
        else:
            self.carried.store(node, value, frame)

    def _copy(self, kind: CType, into: Region, source: Region) -> None:
        """Pointers in the one may now point to what pointers in the other point to."""
        work = [(kind, into, source)]
        while work:
            kind, into, source = work.pop()
            if isinstance(kind, CPointer):
                self.regions.unify(self.regions.pointee(into), self.regions.pointee(source))
            elif isinstance(kind, CRecord):
                for member in self.regions.records.get(kind.tag, ()):
                    children = [self.regions.of_field(node, member, kind.is_union) for node in (into, source)]
                    work.append((flattened(member.type)[0], children[0], children[1]))
            else:
                self.carried.copy(into, source)

    def _expression(self, root: ir.Expression | ir.LValue, frame: InlineFrame) -> None:
        """Shapes and pointers below the root: strides must fit, comparisons relate pointers of one region."""
        steps = self.moves.steps_of(root)
        for node in postorder(root):
            match node:
                case ir.PointerAdd(pointer=pointer, index=index, type=CPointer(target=target)):
                    if id(node) in steps:
                        continue
                    region, plain = self._stride(self.target(pointer, frame), target), _plain(index)
                    if not isinstance(plain, ir.Constant) or plain.value != 0:
                        self._add(region, RegionFlag.POINTER_ARITHMETIC)
                case ir.PointerDifference(left=left, right=right, type=_):
                    self.regions.unify(self.target(left, frame), self.target(right, frame))
                    if isinstance(left.type, CPointer):
                        self._stride(self.target(left, frame), left.type.target)
                case ir.Binary(operator=operator, left=left, right=right) if operator in _COMPARES and _is_pointer(
                    left
                ):
                    # Equality, too: a pointer without a value may be equal to any other.
                    if operator in ("==", "!=") and (self.is_converted(left) or self.is_converted(right)):
                        continue
                    self.regions.unify(self.target(left, frame), self.target(right, frame))
                    if not is_null_pointer(left) and not is_null_pointer(right):
                        self._add(find(self.target(left, frame)), RegionFlag.COMPARED)
                case ir.Load(lvalue=lvalue) | ir.AddressOf(lvalue=lvalue):
                    self.region_of(lvalue, frame)
                case ir.Conditional(then=then) if _is_pointer(then):
                    self.target(node, frame)
                case ir.Cast() if self.moves.of(node) is not None:
                    self._target(node, frame)
                case _:
                    pass

    def _stride(self, node: Region, target: CType) -> Region:
        if isinstance(target, CVoid):  # in units of bytes
            self.regions.to_bytes(node)
        self.regions.constrain(node, flattened(target)[0])
        node = find(node)
        self._add(node, RegionFlag.INDEXED)
        return node


def _calls_elsewhere(flat: FlatProgram) -> bool:
    """Does the program call functions without a body that change objects, or make pointers?"""
    for edge in flat.edges():
        if isinstance(edge.operation, ir.Havoc) or (
            isinstance(edge.operation, ir.Nondet) and edge.operation.is_unknown
        ):
            return True
    return False


def _refuse_threads(operation: ir.ThreadOperation) -> None:
    """AssertionError: the flattening of a program with threads replaces each of their operations by other edges."""
    raise AssertionError(f"{type(operation).__name__} in a flat program")


def _is_pointer(expression: ir.Expression) -> bool:
    return isinstance(expression.type, CPointer) and not isinstance(expression.type.target, CFunction)


def _plain(index: ir.Expression) -> ir.Expression:
    """The index without conversions that cannot change a small constant."""
    while isinstance(index, ir.Cast) and isinstance(index.type, CInteger):
        index = index.operand
    return index


def _is_in_memory(node: Region) -> bool:
    """May pointers lead to the region, as far as its flags and variables show?"""
    if is_part_of(node, RegionFlag.ALLOCATED | RegionFlag.ADDRESS_TAKEN | RegionFlag.INDEXED):
        return True
    return any(slot.variable.address_taken or slot.frame == 0 for slot, _ in top_of(node).objects)
