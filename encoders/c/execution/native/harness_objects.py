"""The contents of the objects that a harness allocates, as C code that allocates them with these contents."""

from collections.abc import Iterable, Sequence

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.execution.inputs import Inputs, InputStep, ObjectValue, Repeated
from encoders.c.execution.native.native_harness import NotReplayable, RecordedValue
from encoders.c.library.model_files import HARNESS
from encoders.c.types.c_types import CPointer

ALLOCATION = "__builtin_malloc("  # as harnesses write it
OBJECT = "__chcverify_object("
_CODE = """\
static const struct { unsigned object; __SIZE_TYPE__ offset; unsigned size; unsigned char bytes[16]; }
  __chcverify_contents[] = { CONTENTS };
static unsigned __chcverify_objects;
__attribute__((unused)) static void *__chcverify_object(__SIZE_TYPE__ size) {
  unsigned char *object = __chcverify_malloc(size);
  for (unsigned i = 0; i < COUNT; i++)
    if (object && __chcverify_contents[i].object == __chcverify_objects
        && __chcverify_contents[i].offset + __chcverify_contents[i].size <= size)
      for (unsigned b = 0; b < __chcverify_contents[i].size; b++)
        object[__chcverify_contents[i].offset + b] = __chcverify_contents[i].bytes[b];
  __chcverify_objects++;
  return object;
}
"""


@dataclass(frozen=True)
class CellValue:
    """The bytes of a cell of the n-th object, n from 0, at an offset in bytes."""

    object: int
    offset: int
    size: int
    bytes: bytes


def harness_objects(steps: Iterable[InputStep | Repeated]) -> tuple[CellValue, ...]:
    """What a run reads of the initial contents of the objects that its harness allocates. Raises NotReplayable."""
    found: list[CellValue] = []
    number = 0
    for step in Inputs(tuple(steps)):
        if isinstance(step.edge.operation, ir.Allocate) and step.edge.origin.file.startswith(HARNESS):
            if isinstance(step.value, ObjectValue):
                found += _cells(number, step.value)
            number += 1
    return tuple(found)


def _cells(number: int, value: ObjectValue) -> list[CellValue]:
    found = []
    for bits, entry in value.entries.items():
        kind = value.kinds.get(bits)
        if bits in value.byte_offsets or kind is None:
            found.append(CellValue(number, bits // 8, 1, bytes([int(entry) & 255])))
            continue
        if isinstance(kind, CPointer) and entry:
            raise NotReplayable("the run depends on a pointer in an object from outside")
        recorded = RecordedValue("", kind, entry)
        _ = recorded.c_type  # raises for what cannot be given
        size = getattr(kind, "width", 64) // 8 or 1
        if bits % 8:
            raise NotReplayable("the run depends on a bit-field of an object from outside")
        found.append(CellValue(number, bits // 8, size, recorded.bytes))
    return found


def contents_code(cells: Sequence[CellValue]) -> str:
    """The function that takes the part of ALLOCATION in the harness."""
    rows = [f"{{ {c.object}, {c.offset}, {c.size}, {{ {', '.join(map(str, c.bytes))} }} }}" for c in cells]
    return _CODE.replace("CONTENTS", ", ".join(rows) or "{ 0 }").replace("COUNT", str(len(rows)))
