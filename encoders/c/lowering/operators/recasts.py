"""Functions that may be called through pointers to functions of another type."""

from chcverify.effort import MAX_FORMULAS
from encoders.c.cfa.ir import Constant, Expression, FunctionAddress
from encoders.c.lowering.calls.signatures import fits
from encoders.c.lowering.context import Unit
from encoders.c.types.c_types import BOOL, VOID, CArray, CFunction, CInteger, CPointer, CRecord, CType
from encoders.c.types.record_layout import RecordLayouts

Scalars = dict[int, list[CType]]


def punned(layout: RecordLayouts, source: CType, target: CType) -> set[CFunction]:
    """The types of functions whose pointers are one thing in an object of type `source` and another in a `target`.

    The object is accessed through pointers to both. Bytes and `void` say nothing: copies of whole objects keep types.
    """
    if source == target or target == VOID or (isinstance(target, CInteger) and target.width == 8):
        return set()
    if not layout.is_complete(source) or not layout.is_complete(target):
        return set()
    one, other = _scalars(layout, source), _scalars(layout, target)
    return _mixed([[*one[offset], *other[offset]] for offset in one.keys() & other.keys()])


def note_recast(unit: Unit, value: Expression, kind: CType) -> None:
    """Notes in the unit which functions may be called through a pointer to a function of another type, when a value is
    converted to a type."""
    source = value.type.target if isinstance(value.type, CPointer) else None
    target = kind.target if isinstance(kind, CPointer) else None
    if source is None or kind == BOOL or isinstance(value, Constant):
        return
    if not isinstance(source, CFunction):
        unit.recast_types |= punned(unit.layout, source, target) if target else set()
    elif not isinstance(target, CFunction) or not fits(source, target):
        if isinstance(value, FunctionAddress):
            unit.recast.add(value.function)
        else:
            unit.recast_types.add(source)


def overlapping(layout: RecordLayouts, kind: CRecord) -> set[CFunction]:
    """The types of functions whose pointers share their place in a union with something else."""
    return _mixed(list(_scalars(layout, kind).values()))


def _mixed(lvalues: list[list[CType]]) -> set[CFunction]:
    found: set[CFunction] = set()
    for kinds in lvalues:
        functions = [kind.target for kind in kinds if isinstance(kind, CPointer) and isinstance(kind.target, CFunction)]
        if len(functions) < len(kinds) or not all(fits(function, functions[0]) for function in functions):
            found.update(functions)
    return found


def _scalars(layout: RecordLayouts, kind: CType) -> Scalars:
    """The types of the scalars in an object, by their offsets in bytes; of a union several at one offset."""
    found: Scalars = {}
    stack, count = [(0, kind)], 0
    while stack and count < MAX_FORMULAS:
        offset, part = stack.pop()
        count += 1
        if isinstance(part, CArray):
            size = layout.size(part.element) if layout.is_complete(part.element) else 0
            stack += [(offset + i * size, part.element) for i in range(min(part.length or 0, MAX_FORMULAS))]
        elif isinstance(part, CRecord):
            stack += [(offset + member.offset, member.type) for member in layout.record(part).fields]
        else:
            found.setdefault(offset, []).append(part)
    return found
