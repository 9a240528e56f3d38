"""Regions of memory: nodes of a field-sensitive unification of everything that may alias (Steensgaard 1996).

A node stands for cells of one type that is not an array: arrays are flattened, and a pointer into a node is an index
in units of the node's type. The fields of a record node are nodes of their own, one cell (or a flattened array of
cells) per record; a variable to which a pointer to a field may also point lives among the field's cells. Where that
does not fit (memory that is read under types of different shape, a pointer that may point to things that are laid out
differently), the objects become bytes: a node whose cells are single bytes, without fields, in which a pointer is a
byte offset.
"""

import enum
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field

from chcverify.horn.system import Origin
from chcverify.quick_dataclass import dataclass
from encoders.c.cfa.inlining import Slot
from encoders.c.cfa.ir import TEMPORARY
from encoders.c.cfa.type_sizes import Sizes
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import UCHAR, CArray, CField, CFloat, CFunction, CInteger, CPointer, CRecord, CType, CVoid

# A cell of bytes in memory that holds pointers: a byte, or a part of a pointer (see byte_memory.py).
BYTE_CELL = CInteger("byte or part of a pointer", 128, True, 6)


def flattened(kind: CType) -> tuple[CType, int | None]:
    """The type below all array layers, and the number of elements; None for a length that is not constant."""
    count: int | None = 1
    while isinstance(kind, CArray):
        count = None if count is None or kind.length is None else count * kind.length
        kind = kind.element
    return kind, count


def same_cells(one: CType, two: CType) -> bool:
    """True if cells of one type may be read as the other, up to a conversion between signednesses."""
    if isinstance(one, CInteger) and isinstance(two, CInteger):
        return one.width == two.width and one.is_bool == two.is_bool
    if isinstance(one, CPointer) and isinstance(two, CPointer):
        return isinstance(one.target, CFunction) == isinstance(two.target, CFunction)
    if isinstance(one, CFloat) and isinstance(two, CFloat):
        return one.width == two.width
    return one == two


class RegionFlag(enum.Flag):
    """Properties of the objects in a region and of the pointers into it, as the points-to analysis infers them."""

    NONE = 0
    ALLOCATED = enum.auto()  # allocations may live here
    UNSPECIFIED = enum.auto()  # allocations with unspecified contents may live here
    GROWN = enum.auto()  # realloc may copy blocks that live here: their contents end where they end
    INDEXED = enum.auto()  # some access does not name its cell by a constant
    POINTER_ARITHMETIC = enum.auto()  # a number is added to some pointer into it
    REPEATED = enum.auto()  # some pointer into it leads to an array
    COMPARED = enum.auto()  # pointers into it are compared with each other
    ADDRESS_TAKEN = enum.auto()  # pointers may point into it
    BYTES = enum.auto()  # its cells are bytes, whatever they belong to
    HOLDS_POINTERS = enum.auto()  # its cells are bytes, and some of them may be parts of pointers
    CONTAINED = enum.auto()  # pointers into it lead to the records around (see member_moves.py)
    HELD_INSIDE = enum.auto()  # pointers into this array, a member, are moved and must not leave it (member_arrays.py)
    CONVERTED = enum.auto()  # numbers that are converted may lead here, which is not modelled
    FROM_BYTES = enum.auto()  # some pointers into it are read from bytes, where numbers may be, which is not modelled
    UNKNOWN = enum.auto()  # functions without a body may have made pointers into it (see unknown_pointers.py)


@dataclass(eq=False)
class Region:
    """A node."""

    type: CType | None = None
    parent: "Region | None" = None
    key: str = ""
    factor: int | None = 1
    """The cells of the child per record of its parent."""
    label: str = ""
    fields: dict[str, "Region"] = field(default_factory=dict)
    """The children by name, each by its key; the name is "" for all members of a union."""
    pointee: "Region | None" = None
    objects: list[tuple[Slot, int | None]] = field(default_factory=list)
    """The variables that live here, with their numbers of cells."""
    flags: RegionFlag = RegionFlag.NONE
    """What the analysis has found out about it."""
    extent: int = 0
    """In a field, the size in bytes of the objects that became bytes."""
    block_bytes: int | None = 0
    """The size of the largest block that is allocated here, 0 without any; None if that of some is no constant."""
    merged: "Region | None" = None
    """The node that stands for this one, if another does."""

    @property
    def bytes(self) -> bool:
        """True if the cells are bytes."""
        return RegionFlag.BYTES in self.flags

    @property
    def pointers(self) -> bool:
        """True if the cells are bytes, and some may be parts of pointers."""
        return RegionFlag.HOLDS_POINTERS in self.flags

    @property
    def has_own_objects(self) -> bool:
        """True if variables or blocks live here that are no parts of the records around."""
        return bool(self.objects) or RegionFlag.ALLOCATED in self.flags

    def note_block(self, size: int | None) -> None:
        """Blocks of a size in bytes are allocated here; None: of sizes that are no constants."""
        known = self.block_bytes
        self.block_bytes = None if known is None or size is None else max(known, size)


_SEVERAL = RegionFlag.POINTER_ARITHMETIC | RegionFlag.REPEATED
"""Of regions with pointers that may lead to other objects than the first of each block or variable."""


def find(node: Region) -> Region:
    """The representative of the node's class, with path compression."""
    root = node
    while root.merged is not None:
        root = root.merged
    while node is not root:
        node.merged, node = root, node.merged if node.merged is not None else root
    return root


def top_of(node: Region) -> Region:
    """The node of the whole objects that a node is a part of."""
    node = find(node)
    while node.parent is not None:
        node = find(node.parent)
    return node


def is_part_of(node: Region, flags: RegionFlag) -> bool:
    """True if the node, or one that it is a part of, has one of the flags."""
    here: Region | None = find(node)
    while here is not None:
        if flags & here.flags:
            return True
        here = None if here.parent is None else find(here.parent)
    return False


def _is_of_temporary(label: str) -> bool:
    """True if a label is made from the name of a temporary, which is the same for all of them."""
    return label.strip("*") == TEMPORARY


class Regions:
    """The node of each slot, and unification. Errors carry the origin that the caller sets before."""

    def __init__(self, sizes: Sizes) -> None:
        self.sizes = sizes
        self.records = sizes.records
        self.origin = Origin("", 0)
        self.is_final = False  # the analysis is over: nodes are neither merged nor turned into bytes any more
        self.are_held_inside = False  # some nodes are HELD_INSIDE
        self.has_ambiguous_ends = False  # of some nodes
        self._slots: dict[Slot, Region] = {}
        self._with_pointers: dict[str, bool] = {}

    def slots(self) -> list[tuple[Slot, Region]]:
        return [(slot, find(node)) for slot, node in self._slots.items()]

    def of_slot(self, slot: Slot) -> Region:
        node = self._slots.get(slot)
        if node is None:
            unit, count = flattened(slot.variable.type)
            node = self._slots[slot] = Region(unit, label=slot.variable.name)
            node.objects.append((slot, count))
            if slot.variable.address_taken:
                node.flags |= RegionFlag.ADDRESS_TAKEN
            if self._is_open(unit):
                self.to_bytes(node)
        return find(node)

    def of_field(self, node: Region, member: CField, is_union: bool) -> Region:
        """The child for a field. The fields of a union share one child: bytes, unless they all have one shape."""
        node = find(node)
        unit, count = flattened(member.type)
        if node.bytes:
            return self.constrain(node, unit, inside=True)
        key = "" if is_union else member.name
        child = node.fields.get(key)
        if child is None:
            label = f"{node.label}.{member.name}"
            child = Region(unit, parent=node, key=key, factor=count, label=label)
            if is_union and isinstance(node.type, CRecord) and not self.is_uniform(node.type):
                child = Region(node.type, parent=node, label=node.label)
                self._flatten(child, [])
            node.fields[key] = child
        return self.constrain(child, unit, inside=True)

    def is_uniform(self, kind: CRecord) -> bool:
        """True if all members of a union have cells of one kind."""
        members = [flattened(member.type) for member in self.records.get(kind.tag, ())]
        return all(same_cells(members[0][0], unit) and members[0][1] == count for unit, count in members)

    def pointee(self, node: Region) -> Region:
        node = find(node)
        if node.pointee is None:
            node.pointee = Region(label=f"*{node.label}")
        return find(node.pointee)

    def cells(self, node: Region, kind: CType) -> int | None:
        """The number of cells that an object of a type covers in a node; None for a length that is not constant."""
        unit, count = flattened(kind)
        if not find(node).bytes:
            return count
        size = max(1, -(-self.sizes.of(unit) // 8))
        return None if count is None else count * size

    # --- shapes -----------------------------------------------------------------------------------------------------

    def constrain(self, node: Region, unit: CType, inside: bool = False) -> Region:
        """The node's cells are accessed as `unit`; inside: as a part of what is there, not through a pointer."""
        node = find(node)
        if isinstance(unit, CVoid | CFunction):
            return node
        if node.type is None:
            node.type = unit
            if self._is_open(unit):
                node = self.to_bytes(node)
        elif not node.bytes and not same_cells(node.type, unit):
            self._require_unfinished()
            node = self.to_bytes(node)
        if node.bytes:
            self._note_pointers(node, unit)
            if node.parent is not None and not inside and self.sizes.of(unit) > 8 * node.extent:
                self._require_unfinished()
                node = self.to_bytes(node)  # it reaches over the field
        return node

    def _require_unfinished(self) -> None:
        """Raises Unsupported once the analysis is final: later phases rely on the identity and shape of nodes."""
        if self.is_final:
            raise Unsupported(self.origin, "an access that the points-to analysis does not include")

    def to_bytes(self, node: Region) -> Region:
        """All that the node is a part of becomes bytes."""
        work: list[tuple[Region, Region]] = []
        self._to_bytes(node, work)
        self._unify(work)
        return find(node)

    def _to_bytes(self, node: Region, work: list[tuple[Region, Region]]) -> None:
        chain = [find(node)]
        while chain[-1].parent is not None:
            chain.append(find(chain[-1].parent))
        top = chain.pop()
        self._flatten(top, work, chain)  # the chain, since what is about to be unified is in no record's fields

    def _flatten(self, node: Region, work: list[tuple[Region, Region]], more: Iterable[Region] = ()) -> None:
        """The node and its fields become bytes, in one node; the unifications that follow are left to the caller."""
        if not node.bytes:
            size = -(-self.sizes.of(node.type) // 8) if node.type is not None else 1
            self._note_pointers(node, node.type)
            node.flags |= RegionFlag.BYTES
            node.type, node.extent = UCHAR, size
            node.factor = None if node.factor is None else node.factor * size
        below = [*node.fields.values(), *more]
        node.fields = {}
        while below:
            child = find(below.pop())
            if child is not node:
                below.extend(child.fields.values())
                self._note_pointers(node, child.type)
                child.fields = {}
                self._merge(child, node, work)

    def _note_pointers(self, node: Region, kind: CType | None) -> None:
        """Records that objects of a type become bytes of a node."""
        if self._has_pointers(kind):
            node.flags |= RegionFlag.HOLDS_POINTERS

    def _has_pointers(self, kind: CType | None) -> bool:
        """True if an object of the type contains a pointer."""
        if isinstance(kind, CArray):
            kind = flattened(kind)[0]
        if not isinstance(kind, CRecord):
            return isinstance(kind, CPointer)
        if kind.tag not in self._with_pointers:
            members = self.records.get(kind.tag, ())
            self._with_pointers[kind.tag] = any(self._has_pointers(member.type) for member in members)
        return self._with_pointers[kind.tag]

    def _is_open(self, kind: CType) -> bool:
        """True if the type ends in a flexible array member: its records have no fixed number of cells there."""
        while isinstance(kind, CRecord) and (members := self.records.get(kind.tag, ())):
            kind = members[-1].type
        return flattened(kind)[1] is None

    # --- unification ------------------------------------------------------------------------------------------------

    def unify(self, one: Region, two: Region) -> None:
        """Merges the regions of one and two: pointers to them may be equal."""
        self._unify([(one, two)])

    def _unify(self, work: list[tuple[Region, Region]]) -> None:
        while work:
            first, second = map(find, work.pop())
            if first is second:
                continue
            if first.parent is not None and second.parent is None:
                first, second = second, first
            if self._fit(first, second):
                self._absorb(first, second, work)
            elif (records := self._records(first, second)) is not None:
                work += [(first, second), records]
            else:
                self._to_bytes(first, work)
                self._to_bytes(second, work)
                work.append((first, second))

    def _records(self, one: Region, two: Region) -> tuple[Region, Region] | None:
        """The records of two nodes, if they are one member of different records of one type; else None."""
        if one.parent is None or two.parent is None or one.key != two.key or one.bytes or two.bytes:
            return None
        first, second = find(one.parent), find(two.parent)
        return None if first is second or first.type != second.type else (first, second)

    def reachable(self) -> Iterator[Region]:
        """All nodes that a variable is in, or that pointers in these lead to, with the records around."""
        seen: set[Region] = set()
        work = [find(node) for node in self._slots.values()]
        while work:
            node = find(work.pop())
            if node not in seen:
                seen.add(node)
                yield node
                work += node.fields.values()
                work += [other for other in (node.pointee, node.parent) if other is not None]

    def leave_members(self, strictly: bool, is_fixed: Callable[[Slot], bool]) -> None:
        """Turns members of records into bytes where pointers go beyond them.

        Behind a member lies the next member, not the same member of the next record. A pointer to the end of an array
        may be compared, and nothing else. strictly: accesses are checked, so that offsets in objects must be exact:
        members with pointer arithmetic, and those among which whole variables live, become bytes as well. But where
        pointers to members lead to the records around them, variables stay if they have one element and a fixed
        address: of those it is known where in such a record they would begin. And where objects are single records
        with pointers, their arrays stay, and pointers are held inside of them.
        """
        while left := [node for node in self.reachable() if self._goes_beyond(node, strictly, is_fixed)]:
            for node in left:
                self.to_bytes(node)
        self.has_ambiguous_ends = any(map(self.are_ends_ambiguous, self.reachable()))
        for node in self.reachable() if strictly else ():
            if RegionFlag.POINTER_ARITHMETIC in node.flags and self._is_array_of_single_record(node):
                node.flags |= RegionFlag.HELD_INSIDE
                self.are_held_inside = True

    def _goes_beyond(self, node: Region, strictly: bool, is_fixed: Callable[[Slot], bool]) -> bool:
        if node.parent is None:
            return False
        if node.bytes:  # a union; behind it lies the next member, too
            return strictly and RegionFlag.POINTER_ARITHMETIC in node.flags
        is_contained, moves = RegionFlag.CONTAINED in node.flags, RegionFlag.POINTER_ARITHMETIC in node.flags
        if is_contained and (RegionFlag.REPEATED in node.flags or any(count != 1 for _, count in node.objects)):
            return True
        if not strictly:
            return moves and self._is_left(node)
        if moves and self._is_array_of_single_record(node):
            return False
        if not is_contained:
            return moves or bool(node.objects)
        return moves or RegionFlag.ALLOCATED in node.flags or not all(is_fixed(slot) for slot, _ in node.objects)

    def _is_left(self, node: Region) -> bool:
        """Do pointers leave a member of a record, if some of them are moved?"""
        if node.factor == 1 or node.parent is None:
            return True
        return RegionFlag.COMPARED in node.flags and self._is_repeated(find(node.parent))

    def _is_array_of_single_record(self, node: Region) -> bool:
        """May pointers into an array keep counting its elements where they are moved?

        That is so if the array is a member, directly or by records in records, of a record which
        - is a whole object: a variable that is no array, or a block of constant size that holds no more than one;
        - has pointers in it: else it may as well become bytes;
        and if its elements are scalars: pointers to members of elements would be in regions below this one, where
        nothing says that they stay in the array.
        """
        if node.bytes or node.parent is None or node.factor in (None, 1) or node.has_own_objects:
            return False
        if isinstance(node.type, CRecord):
            return False
        record = find(node.parent)
        while record.parent is not None and record.factor == 1 and not record.has_own_objects:
            if record.flags & _SEVERAL:
                return False
            record = find(record.parent)
        if record.parent is not None or record.type is None or record.flags & (_SEVERAL | RegionFlag.GROWN):
            return False
        fits = record.block_bytes is not None and 8 * record.block_bytes <= self.sizes.of(record.type)
        return fits and all(count == 1 for _, count in record.objects) and self._has_pointers(record.type)

    def are_ends_ambiguous(self, node: Region) -> bool:
        """Is the end of a member's array compared with pointers, which may lead to the next record's array: in typed
        regions that is the same address?"""
        node = find(node)
        if node.bytes or node.parent is None or node.factor == 1 or RegionFlag.COMPARED not in node.flags:
            return False
        return self._is_repeated(find(node.parent))

    def _is_repeated(self, record: Region) -> bool:
        """True if another record may lie behind one."""
        while record.parent is not None and record.factor == 1:
            record = find(record.parent)
        if record.parent is not None or RegionFlag.ALLOCATED in record.flags:
            return True
        return any(count != 1 for _, count in record.objects)

    def _fit(self, gone: Region, kept: Region) -> bool:
        """True if one node can stand for both. `gone` is no field unless `kept` is one too."""
        alike = gone.type is None or kept.type is None or gone.bytes == kept.bytes
        if not alike or (gone.type and kept.type and not gone.bytes and not same_cells(gone.type, kept.type)):
            return False
        if kept.parent is None:
            return True
        if gone.parent is not None:
            return find(gone.parent) is find(kept.parent) and gone.key == kept.key
        return not gone.bytes  # its objects become fields of records without any other field

    def _absorb(self, gone: Region, kept: Region, work: list[tuple[Region, Region]]) -> None:
        if kept.type is None:
            kept.type = gone.type
        for name, child in gone.fields.items():
            if name in kept.fields:
                work.append((child, kept.fields[name]))
            else:
                child.parent = kept
                kept.fields[name] = child
        gone.fields = {}
        self._merge(gone, kept, work)

    def _merge(self, gone: Region, kept: Region, work: list[tuple[Region, Region]]) -> None:
        self._require_unfinished()
        gone.merged = kept
        if _is_of_temporary(kept.label):
            kept.label = gone.label or kept.label
        kept.objects.extend(gone.objects)
        kept.flags |= gone.flags
        kept.note_block(gone.block_bytes)
        if gone.pointee is not None:
            if kept.pointee is None:
                kept.pointee = gone.pointee
            else:
                work.append((gone.pointee, kept.pointee))
