"""Places and values as people write them in C."""

from collections.abc import Callable

from encoders.c import ir
from encoders.c.encoding.objects import NULL_POINTER, CValue, FunctionPointer, Pointer


def value_text(value: CValue) -> str:
    if isinstance(value, Pointer):
        if value == NULL_POINTER:
            return "0"
        return "invalid pointer" if value.target is None else f"&{value.target.name}" + _offset(value)
    return value.function if isinstance(value, FunctionPointer) else str(value)


def _offset(value: Pointer) -> str:
    return f" + {value.offset // 8} bytes" if value.offset else ""


def place_text(place: ir.Place, index_value: Callable[[ir.Expression], CValue]) -> str:
    """The place in C, with the present values of indices: a[3], p->next, s.x."""
    suffix: list[str] = []
    while True:
        match place:
            case ir.VariablePlace(variable=variable):
                return variable.name + "".join(reversed(suffix))
            case ir.FieldPlace(base=ir.Dereference(pointer=pointer), field=member):
                suffix.append(f"->{member.name}")
                return _pointer_text(pointer) + "".join(reversed(suffix))
            case ir.FieldPlace(base=base, field=member):
                suffix.append(f".{member.name}")
                place = base
            case ir.ElementPlace(base=base, index=index):
                suffix.append(f"[{value_text(index_value(index))}]")
                place = base
            case ir.Dereference(pointer=pointer):
                text = f"*{_pointer_text(pointer)}"
                return (f"({text})" if suffix else text) + "".join(reversed(suffix))


def _pointer_text(pointer: ir.Expression) -> str:
    while isinstance(pointer, ir.Cast):
        pointer = pointer.operand
    if isinstance(pointer, ir.Load) and isinstance(pointer.place, ir.VariablePlace):
        return pointer.place.variable.name
    return "(...)"
