"""Addresses of the encoding as the C expressions that people write for them: `&x`, `a[3]`, `s.next`, a function."""

from encoders.c.analysis.regions import Region, find, top_of
from encoders.c.analysis.storage import NULL, OBJECT_STRIDE, Memory
from encoders.c.cfa.inlining import Slot
from encoders.c.cfa.ir import Variable
from encoders.c.types.c_types import CArray


class ObjectNames:
    """Names of the cells in a program's memory. What the source has no name for (heap, string literals) gets none."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._functions = {number: name for name, number in memory.function_numbers().items()}

    def function(self, address: int) -> str | None:
        """The function that the address stands for, `0` for the null pointer; None if it is neither."""
        return "0" if address == NULL else self._functions.get(address)

    def cell(self, region: Region, address: int) -> str | None:
        """The cell at an address of a region as an lvalue, or None.

        region: whose units the address counts. Cells of memory that is bytes have no lvalue of their own.
        """
        region = find(region)
        if region.bytes:
            return None
        for slot, _ in region.objects:
            count = self._memory.points_to.regions.cells(region, slot.variable.type)
            start = self._memory.base(slot)
            if start <= address < start + (OBJECT_STRIDE if count is None else count) and is_plain(slot.variable):
                return element(slot.variable, address - start)
        if region.parent is None or not region.factor or not region.key or region.key.startswith("<"):
            return None
        record = self.cell(region.parent, address // region.factor)
        if record is None:
            return None
        return f"{record}.{region.key}" + (f"[{address % region.factor}]" if region.factor > 1 else "")

    def pointer(self, region: Region, address: int) -> str | None:
        """A pointer into the region with this address as an expression, or None; also one past the end of an array."""
        region = find(region)
        if address == NULL:
            return "0"
        if region.bytes:
            slots = [slot for slot in self._memory.living(region) if self._memory.base(slot) == address]
            return pointer_to(whole(slots[0].variable)) if len(slots) == 1 and is_plain(slots[0].variable) else None
        cell = self.cell(region, address)
        if cell is not None:
            return pointer_to(cell)
        last = self.cell(region, address - 1)
        if last is None or not last.endswith("]"):
            return None
        front, _, index = last[:-1].rpartition("[")
        return f"&{front}[{int(index) + 1}]"

    def array(self, region: Region, address: int) -> tuple[str, int] | None:
        """The one-dimensional array that an address near its cells belongs to, and the index there; None for others."""
        region = find(region)
        if region.bytes:
            return None
        for slot, _ in region.objects:
            kind = slot.variable.type
            index = address - self._memory.base(slot)
            if is_plain(slot.variable) and isinstance(kind, CArray) and not isinstance(kind.element, CArray):
                count = self._memory.points_to.regions.cells(region, kind)
                if -1 <= index <= (OBJECT_STRIDE // 2 if count is None else count):
                    return slot.variable.name, index
        return None

    def is_alone(self, region: Region) -> bool:
        """True if pointers into the region point into one object only, a variable of the source."""
        return self.only(region) is not None

    def region_of(self, slot: Slot) -> Region:
        """The region that a variable's cells live in."""
        return self._memory.points_to.regions.of_slot(slot)

    def only(self, region: Region) -> Slot | None:
        """The only object that pointers into the region point into, a variable of the source.

        None if there are others.
        """
        top = top_of(region)
        slots = self._memory.living(top)
        if self._memory.has_allocations(top) or top.bytes or len(slots) != 1 or not is_plain(slots[0].variable):
            return None
        here: Region | None = find(region)
        while here is not None and here is not self.region_of(slots[0]):
            here = None if here.parent is None else find(here.parent)
        return None if here is None else slots[0]


def is_plain(variable: Variable) -> bool:
    """True if the variable is one of the source that has a name there."""
    return variable.name.isidentifier() and not variable.temporary


def whole(variable: Variable) -> str:
    """The variable's first cell."""
    return element(variable, 0)


def element(variable: Variable, index: int) -> str:
    """The cell at an index of a variable whose arrays are flattened."""
    lengths, kind = list[int](), variable.type
    while isinstance(kind, CArray):
        lengths.append(kind.length or 0)
        kind = kind.element
    indices: list[int] = []
    for length in reversed(lengths[1:]):
        indices.append(index % length if length else 0)
        index = index // length if length else index
    indices += [index] if lengths else []
    return variable.name + "".join(f"[{i}]" for i in reversed(indices))


def pointer_to(cell: str) -> str:
    """The address of a cell; of an array's first cell as the array."""
    return cell.removesuffix("[0]") if cell.endswith("[0]") else f"&{cell}"
