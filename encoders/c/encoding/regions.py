"""Regions of memory: nodes of a field-sensitive unification of everything that may alias (Steensgaard 1996).

A node stands for cells of one type that is not an array: arrays are flattened, and a pointer into a node is an index
in units of the node's type. The fields of a record node are nodes of their own, one cell (or a flattened array of
cells) per record. So a program that reads memory under two types of different shape is refused, never misread.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from chcverify.horn.system import Origin
from encoders.c.errors import Unsupported
from encoders.c.inline import Slot
from encoders.c.types import CArray, CField, CFloat, CFunction, CInteger, CPointer, CRecord, CType, CVoid


def flattened(kind: CType) -> tuple[CType, int | None]:
    """The type below all array layers, and the number of elements (None where a length is not known)."""
    count: int | None = 1
    while isinstance(kind, CArray):
        count = None if count is None or kind.length is None else count * kind.length
        kind = kind.element
    return kind, count


def same_cells(one: CType, two: CType) -> bool:
    """May cells of one type be read as the other, up to a conversion between signednesses?"""
    if isinstance(one, CInteger) and isinstance(two, CInteger):
        return one.width == two.width and one.is_bool == two.is_bool
    if isinstance(one, CPointer) and isinstance(two, CPointer):
        return isinstance(one.target, CFunction) == isinstance(two.target, CFunction)
    if isinstance(one, CFloat) and isinstance(two, CFloat):
        return one.width == two.width
    return one == two


@dataclass(eq=False)
class Region:
    """A node. objects: the variables that live here, with their cell counts; dynamic: allocations may live here;
    unclear: some of them with unspecified contents.

    indexed: some access does not name its cell by a constant. fields: children by name (the child's key; "" for all
    members of a union); factor: its cells per record.
    """

    type: CType | None = None
    parent: "Region | None" = None
    key: str = ""
    factor: int | None = 1
    label: str = ""
    fields: dict[str, "Region"] = field(default_factory=dict)
    pointee: "Region | None" = None
    objects: list[tuple[Slot, int | None]] = field(default_factory=list)
    dynamic: bool = False
    unclear: bool = False
    indexed: bool = False
    exposed: bool = False
    merged: "Region | None" = None


def find(node: Region) -> Region:
    """The representative of the node's class, with path compression."""
    root = node
    while root.merged is not None:
        root = root.merged
    while node is not root:
        node.merged, node = root, node.merged if node.merged is not None else root
    return root


class Regions:
    """The node of each slot, and unification. Errors carry the origin that the caller sets before."""

    def __init__(self, records: Mapping[str, tuple[CField, ...]]) -> None:
        self.records = records
        self.origin = Origin("", 0)
        self._slots: dict[Slot, Region] = {}

    def slots(self) -> list[tuple[Slot, Region]]:
        return [(slot, find(node)) for slot, node in self._slots.items()]

    def of_slot(self, slot: Slot) -> Region:
        node = self._slots.get(slot)
        if node is None:
            unit, count = flattened(slot.variable.type)
            node = self._slots[slot] = Region(unit, label=slot.variable.name)
            node.objects.append((slot, count))
            node.exposed = slot.variable.address_taken
        return find(node)

    def of_field(self, node: Region, member: CField, is_union: bool) -> Region:
        """The child for a field. The fields of a union share one child, which must have one shape."""
        node = find(node)
        key = "" if is_union else member.name
        unit, count = flattened(member.type)
        child = node.fields.get(key)
        if child is None:
            label = f"{node.label}.{member.name}"
            child = node.fields[key] = Region(unit, parent=node, key=key, factor=count, label=label)
        child = find(child)
        self.constrain(child, unit)
        if is_union:
            widest = [flattened(other.type) for other in self._members(node)]
            if any(not same_cells(unit, other) or other_count != count for other, other_count in widest):
                raise Unsupported(self.origin, f"union with members of different shapes ({node.type})")
        return child

    def _members(self, node: Region) -> tuple[CField, ...]:
        return self.records.get(node.type.tag, ()) if isinstance(node.type, CRecord) else ()

    def pointee(self, node: Region) -> Region:
        node = find(node)
        if node.pointee is None:
            node.pointee = Region(label=f"*{node.label}")
        return find(node.pointee)

    def constrain(self, node: Region, unit: CType) -> Region:
        """The node's cells are accessed as `unit`."""
        node = find(node)
        if isinstance(unit, CVoid | CFunction):
            return node
        if node.type is None:
            node.type = unit
        elif not same_cells(node.type, unit):
            raise Unsupported(self.origin, f"memory of type {node.type} accessed as {unit}")
        return node

    def unify(self, one: Region, two: Region) -> None:
        """From now on pointers to one and to two may be equal."""
        work = [(one, two)]
        while work:
            first, second = map(find, work.pop())
            if first is second:
                continue
            if first.parent is not None and second.parent is None:
                first, second = second, first
            self._absorb(first, second, work)

    def _absorb(self, gone: Region, kept: Region, work: list[tuple[Region, Region]]) -> None:
        """Merges `gone`, which is no field unless `kept` is one too, into `kept`."""
        if gone.type is not None:
            self.constrain(kept, gone.type)
        if kept.parent is not None:
            same_place = gone.parent is not None and find(gone.parent) is find(kept.parent) and gone.key == kept.key
            if gone.objects or gone.dynamic or (gone.parent is not None and not same_place):
                raise Unsupported(self.origin, f"pointer to both {gone.label or gone.type} and field {kept.label}")
        gone.merged = kept
        kept.objects.extend(gone.objects)
        kept.dynamic |= gone.dynamic
        kept.unclear |= gone.unclear
        kept.indexed |= gone.indexed
        kept.exposed |= gone.exposed
        for name, child in gone.fields.items():
            if name in kept.fields:
                work.append((child, kept.fields[name]))
            else:
                child.parent = kept
                kept.fields[name] = child
        if gone.pointee is not None:
            if kept.pointee is None:
                kept.pointee = gone.pointee
            else:
                work.append((gone.pointee, kept.pointee))
