"""Storage: which state variables hold a program's objects.

Each scalar region is either a few cells, one state variable for each address, or an SMT array over addresses.
Addresses are element indices in the region's top node: the k-th object of a region starts at k * OBJECT_STRIDE, fresh
objects follow behind, null is -OBJECT_STRIDE. No object is larger than OBJECT_STRIDE, so distinct objects never share a
cell.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from chcverify.quick_dataclass import dataclass
from encoders.c.analysis.points_to import PointsTo
from encoders.c.analysis.regions import BYTE_CELL, Region, RegionFlag, find, flattened, is_part_of, top_of
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import base_of
from encoders.c.cfa.inlining import FlatEdge, FlatProgram, InlineFrame, Slot
from encoders.c.types.c_types import UCHAR, CArray, CFunction, CPointer, CRecord, CType, CVoid
from encoders.c.types.record_layout import SEPARATE_CELLS

OBJECT_STRIDE = 1 << 48
NULL = -OBJECT_STRIDE
MAX_CASE_CELLS = 8
"""Cells of an object that becomes one case per cell where the address is not constant. Chosen by hand."""
UNKNOWN = 2 * NULL  # below this are pointers that functions without a body have made


@dataclass(frozen=True, eq=False)
class StateVariable:
    """A component of the state."""

    index: int
    """Its bit in sets of variables."""
    name: str
    label: str
    """Its name for people, in C syntax."""
    type: CType
    """The type of the scalar, or of an array's elements."""
    is_array: bool
    owner: str | None
    """The flat function that it is local to; None if it is global."""
    is_element: bool = False
    """It is one of several cells of an object."""
    has_cells_as_indices: bool = False
    """The array has an element for all that a cell of bytes and parts of pointers may hold."""


@dataclass(frozen=True, eq=False)
class ScalarStorage:
    """The storage of a scalar region: cells by address, or an array."""

    region: Region
    type: CType
    cells: dict[int, StateVariable]
    array: StateVariable | None

    @property
    def variables(self) -> tuple[StateVariable, ...]:
        return tuple(self.cells.values()) if self.array is None else (self.array,)


class _Cell(NamedTuple):
    """A cell of a leaf. label: in C syntax. is_element: it is one of several of an object, selected by an index."""

    label: str
    is_element: bool


def _member_label(record: str, field: str, index: int, in_bytes: bool, factor: int) -> str:
    """A cell of a record's field. factor: the cells of the field. in_bytes: the index is of the record's bytes."""
    if in_bytes:
        return f"((unsigned char *)&{record})[{index}]"
    return f"{record}.{field}" + ("" if factor == 1 else f"[{index}]")


class Memory:
    """Leaves, addresses and state variables of a flat program.

    renewed: locals of the initial function that get a new address each time that they are declared.
    """

    def __init__(self, flat: FlatProgram, points_to: PointsTo, renewed: frozenset[Slot] = frozenset()) -> None:
        self.flat = flat
        self.points_to = points_to
        self.variables: list[StateVariable] = []
        self._renewed = renewed
        self._leaves: dict[Region, ScalarStorage] = {}
        self._elsewhere: list[ScalarStorage] | None = None
        self._by_unknown: list[ScalarStorage] | None = None
        self._base: dict[Slot, int] = {}
        self._activations: dict[Slot, StateVariable] = {}
        self._next: dict[Region, StateVariable] = {}
        self._pointer_bytes: dict[Region, StateVariable] = {}  # by what the pointers lead to
        self._null: set[StateVariable] = set()
        self._names: dict[str, int] = {}
        self._functions = {name: number for number, name in enumerate(flat.program.functions, 1)}
        self._owner: dict[int, str] = {frame.number: f.name for f in flat.functions.values() for frame in f.frames}
        self._frames: dict[int, InlineFrame] = {
            frame.number: frame for f in flat.functions.values() for frame in f.frames
        }
        self._living: dict[Region, list[Slot]] = {}  # by the top region
        self._flags: dict[Region, RegionFlag] = {}  # of whole objects, by the top region
        for node in points_to.regions.reachable():
            self._add(top_of(node), node.flags & (RegionFlag.ALLOCATED | RegionFlag.UNSPECIFIED | RegionFlag.GROWN))
        for slot, node in points_to.regions.slots():
            self._living.setdefault(top_of(node), []).append(slot)
        for top, slots in self._living.items():
            self._allocate_objects(top, slots)

    # --- addresses ------------------------------------------------------------------------------------------------

    def base(self, slot: Slot) -> int:
        """The address of the slot's first cell in its region."""
        return self._base[slot]

    def activation(self, slot: Slot) -> StateVariable | None:
        """The address of a local that lives in memory once per call of a summarised function."""
        return self._activations.get(slot)

    def next_address(self, node: Region) -> StateVariable:
        """The state variable that holds the next fresh address of a top region."""
        top = top_of(node)
        if top not in self._next:
            name = f"fresh {top.label or len(self._next)}"
            self._next[top] = self._variable(name, name, CPointer(CVoid()), False, None)
        return self._next[top]

    def known_next_address(self, node: Region) -> StateVariable | None:
        """The same, if it was asked for before; None otherwise."""
        return self._next.get(top_of(node))

    def fresh_of(self, variable: StateVariable) -> Region | None:
        """The top region whose next fresh address the variable is, if it is one."""
        return next((region for region, fresh in self._next.items() if fresh is variable), None)

    def pointer_bytes(self, node: Region) -> StateVariable:
        """The array, which never changes, of the bytes of pointers that a node of bytes holds (see byte_memory.py).

        Pointers that lead to one region have one array, and equal ones the same bytes, wherever they are stored.
        """
        target = self.points_to.regions.pointee(node)
        if target not in self._pointer_bytes:
            name = f"bytes of pointers to {target.label or 'memory'}"
            array = self._variable(name, name, UCHAR, True, None)
            self._pointer_bytes[target] = self.variables[-1] = replace(array, has_cells_as_indices=True)
        return self._pointer_bytes[target]

    def is_zero_initially(self, array: StateVariable) -> bool:
        """All that lives in the array is allocated as zero, so it may be zero from the start."""
        if (leaf := self.leaf_of(array)) is None:
            return False
        top = top_of(leaf.region)
        return self.has_allocations(top) and not self.has_unclear(top)

    def has_allocations(self, node: Region) -> bool:
        """True if allocations, or locals with one object per call, may share addresses with a node's."""
        return RegionFlag.ALLOCATED in self._flags_of(node)

    def _flags_of(self, node: Region) -> RegionFlag:
        """The flags of the whole objects that a node is a part of."""
        top = top_of(node)
        return top.flags | self._flags.get(top, RegionFlag.NONE)

    def _add(self, top: Region, flags: RegionFlag) -> None:
        """Adds flags to the whole objects of a top region."""
        self._flags[top] = self._flags.get(top, RegionFlag.NONE) | flags

    def has_unclear(self, node: Region) -> bool:
        """True if objects that are not zero from the start, or behind their ends, share addresses with a node's."""
        unclear = RegionFlag.UNSPECIFIED | RegionFlag.GROWN
        return bool(self._flags_of(node) & unclear) or bool(self.living(node))

    def may_grow(self, node: Region) -> bool:
        """True if what is behind the end of a block in the region may be copied."""
        return RegionFlag.GROWN in self._flags_of(node)

    def living(self, node: Region) -> list[Slot]:
        """The variables that share addresses with a node's."""
        return self._living.get(top_of(node), [])

    def has_one_object(self, node: Region) -> bool:
        """True if all pointers into a node point into one object, or to none."""
        top = top_of(node)
        return not self.has_allocations(top) and len(self.living(top)) <= 1

    def may_be_unknown(self, node: Region) -> bool:
        """True if functions without a body may have made some pointers into a node."""
        return is_part_of(node, RegionFlag.UNKNOWN)

    def unknown_target(self, edge: FlatEdge, flag: RegionFlag = RegionFlag.UNKNOWN) -> ir.Expression | None:
        """The pointer through which an edge writes, if functions without a body may have made it; else None.

        flag: of the regions into which it may lead, if another one is asked for.
        """
        lvalue = edge.written
        base = None if lvalue is None else base_of(lvalue)
        if not isinstance(base, ir.Dereference):
            return None
        region = self.points_to.target(base.pointer, edge.frame)
        return base.pointer if is_part_of(region, flag) else None

    def scale(self, node: Region) -> int:
        """The address of a new object in a node is a fresh address of its top region times this."""
        scale, node = 1, find(node)
        while node.parent is not None:
            scale, node = scale * (node.factor or 0), find(node.parent)
        return scale

    def first_fresh(self, node: Region) -> int:
        return max(1, len(self.living(node))) * OBJECT_STRIDE

    def _allocate_objects(self, node: Region, slots: list[Slot]) -> None:
        for number, member in enumerate(slots):
            self._base[member] = number * OBJECT_STRIDE * self.scale(self.points_to.regions.of_slot(member))
            owner = self._owner.get(member.frame)
            lives_often = owner not in (None, self.flat.program.initialise) or member in self._renewed
            if member.variable.address_taken and lives_often:
                self._add(node, RegionFlag.ALLOCATED | RegionFlag.UNSPECIFIED | RegionFlag.INDEXED)
                name = f"&{member.variable.name}"
                kind = CPointer(member.variable.type)
                self._activations[member] = self._variable(name, name, kind, False, owner)

    def function_number(self, name: str) -> int:
        """The number that stands for the address of a function: positive, different for different functions."""
        return self._functions.setdefault(name, len(self._functions) + 1)

    def function_numbers(self) -> dict[str, int]:
        """The numbers that stand for the addresses of functions, by name."""
        return dict(self._functions)

    def leaf_of(self, variable: StateVariable) -> ScalarStorage | None:
        """The storage that the state variable is a part of; None for fresh addresses and activations."""
        return next((leaf for leaf in self._leaves.values() if variable in leaf.variables), None)

    def is_about_addresses(self, variable: StateVariable) -> bool:
        """True if the variable is of no object: a fresh address, that of a local in one call of a summarised function,
        or the bytes of pointers."""
        known = (*self._activations.values(), *self._next.values(), *self._pointer_bytes.values())
        return variable in known

    # --- leaves ---------------------------------------------------------------------------------------------------

    def leaf(self, node: Region) -> ScalarStorage:
        """The storage of a scalar region."""
        node = find(node)
        leaf = self._leaves.get(node)
        if leaf is None:
            if node.type is None:  # never accessed: the only thing that is added to the analysis afterwards
                node.type = CPointer(CVoid())
            leaf = self._leaves[node] = self._make_leaf(node, BYTE_CELL if node.bytes and node.pointers else node.type)
        return leaf

    def leaves(self) -> list[tuple[Region, ScalarStorage]]:
        """The scalar regions that have been asked for, with their storage."""
        return [(find(region), leaf) for region, leaf in self._leaves.items()]

    def add_null(self, name: str, is_array: bool = False) -> StateVariable:
        """A new pointer, or array of these, that belongs to no object and is null when the program starts."""
        variable = self._variable(name, name, CPointer(CVoid()), is_array, None)
        self.set_null(variable)
        return variable

    def set_null(self, variable: StateVariable) -> None:
        """A pointer that nothing reads before it is written is null when the program starts."""
        self._null.add(variable)

    def is_null_initially(self, variable: StateVariable) -> bool:
        """True for pointers that are null when the program starts."""
        return variable in self._null

    def add_scalar(self, name: str, kind: CType) -> StateVariable:
        """A new state variable that belongs to no object."""
        return self._variable(name, name, kind, False, None)

    def add_beside(self, variable: StateVariable, name: str, kind: CType) -> StateVariable:
        """A new state variable for what is known of another one's contents."""
        return self._variable(name, name, kind, variable.is_array, variable.owner, variable.is_element)

    def variables_of(self, mask: int) -> list[StateVariable]:
        """The state variables of a bit set."""
        out = []
        while mask:
            low = mask & -mask
            out.append(self.variables[low.bit_length() - 1])
            mask ^= low
        return out

    def known_elsewhere(self) -> list[ScalarStorage]:
        """The storage that functions without a body may change."""
        if self._elsewhere is None:
            self._elsewhere = [
                self.leaf(node)
                for node in self.points_to.known_elsewhere()
                if node.type is not None and (node.bytes or not isinstance(node.type, CRecord | CVoid | CFunction))
            ]
        return self._elsewhere

    def changed_by_unknown(self) -> list[ScalarStorage]:
        """The storage that a write through an unknown pointer may change: what functions without a body may change,
        and where numbers may be read as pointers, all that pointers may lead to."""
        if self._by_unknown is None:
            self._by_unknown = list(self.known_elsewhere())
            if self.points_to.are_numbers_pointers():
                nodes = [node for node in self.points_to.regions.reachable() if self._is_in_memory(node)]
                self._by_unknown += [leaf for leaf in map(self.leaf, nodes) if leaf not in self._by_unknown]
        return self._by_unknown

    def _is_in_memory(self, node: Region) -> bool:
        """Is it a scalar region to which pointers may lead?"""
        if node.type is None or (not node.bytes and isinstance(node.type, CRecord | CVoid | CFunction)):
            return False
        top = top_of(node)
        is_taken = any(slot.variable.address_taken for slot in self.living(top))
        return is_taken or self.has_allocations(top) or RegionFlag.ADDRESS_TAKEN in node.flags | top.flags

    def parts(self, node: Region, kind: CType) -> Iterator[tuple[ScalarStorage, int, int | None]]:
        """The scalar regions of an object of type `kind` in a region: (leaf, f, n) if the object at address a has its
        cells at a * f, a * f + 1, ..., n of them (None: unknown)."""
        regions = self.points_to.regions
        work: list[tuple[Region, CType, int, int | None]] = [
            (find(node), flattened(kind)[0], 1, regions.cells(node, kind))
        ]
        while work:
            region, unit, factor, count = work.pop()
            if region.bytes or not isinstance(unit, CRecord):
                yield self.leaf(region), factor, count
                continue
            members = self.flat.program.records.get(unit.tag, ())
            for member in reversed(members[:1] if unit.is_union else members):
                child = regions.of_field(region, member, unit.is_union)
                cells = child.factor
                total = None if count is None or not cells else count * cells
                work.append((child, flattened(member.type)[0], factor * (cells or 0), total))

    def _make_leaf(self, node: Region, kind: CType) -> ScalarStorage:
        chain = [node]
        while chain[-1].parent is not None:
            chain.append(find(chain[-1].parent))
        top = chain[-1]
        owner, suffix = self._owner_of(top)
        addresses = self._addresses(chain)
        if addresses is None:
            return ScalarStorage(node, kind, {}, self._variable(node.label + suffix, node.label, kind, True, owner))
        cells = {}
        for address, cell in addresses:
            cells[address] = self._variable(cell.label + suffix, cell.label, kind, False, owner, cell.is_element)
        return ScalarStorage(node, kind, cells, None)

    def _addresses(self, chain: list[Region]) -> list[tuple[int, _Cell]] | None:
        """All addresses of a leaf (chain: from it up to its top) with their cells, or None if they are too many."""
        top = chain[-1]
        by_address = RegionFlag.INDEXED | RegionFlag.ADDRESS_TAKEN
        indexed = bool(self._flags_of(top) & by_address) or any(node.flags & by_address for node in chain)
        limit = MAX_CASE_CELLS if indexed else SEPARATE_CELLS
        if self.has_allocations(top):
            return None
        out: list[tuple[int, _Cell]] = []
        if not self._append_objects(out, top, limit):
            return None
        for node in reversed(chain[:-1]):
            if node.factor is None or node.factor * len(out) > limit:
                return None
            name, factor = node.label.rpartition(".")[2], node.factor
            is_element = node.bytes or factor != 1
            out = [
                (address * factor + i, _Cell(_member_label(cell.label, name, i, node.bytes, factor), is_element))
                for address, cell in out
                for i in range(factor)
            ]
            if not self._append_objects(out, node, limit):
                return None
        return out if len(out) <= limit else None

    def _append_objects(self, out: list[tuple[int, _Cell]], node: Region, limit: int) -> bool:
        """Appends the cells of the variables that live in a node itself; False if they are too many."""
        for slot, _ in node.objects:
            count = self.points_to.regions.cells(node, slot.variable.type)
            if count is None or count > limit:
                return False
            base, name = self._base[slot], slot.variable.name
            if node.bytes:
                name = f"((unsigned char *)&{name})"
            plain = not (node.bytes or isinstance(slot.variable.type, CArray))
            out.extend(
                (base + i, _Cell(name if plain else f"{name}[{i}]", not plain and count > 1)) for i in range(count)
            )
        return True

    def _owner_of(self, top: Region) -> tuple[str | None, str]:
        """The flat function that owns a region, and a suffix that distinguishes instances of one variable in names."""
        slots = self.living(top)
        if len(slots) != 1 or self.has_allocations(top):
            return None, ""
        slot = slots[0]
        if slot.frame == 0:
            return None, ""
        frame = self._frames[slot.frame]
        suffix = "" if frame.parent is None else f"@{frame.function.name}"
        # through pointers, from any function
        reachable = slot.variable.address_taken or RegionFlag.ADDRESS_TAKEN in top.flags
        return None if reachable else self._owner[slot.frame], suffix

    def _variable(
        self, name: str, label: str, kind: CType, is_array: bool, owner: str | None, is_element: bool = False
    ) -> StateVariable:
        number = self._names.get(name, 0)
        self._names[name] = number + 1
        unique = name if number == 0 else f"{name}!{number}"
        variable = StateVariable(len(self.variables), unique, label, kind, is_array, owner, is_element)
        self.variables.append(variable)
        return variable
