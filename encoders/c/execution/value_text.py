"""Lvalues and values as people write them in C."""

import re
import sys
from collections.abc import Callable
from fractions import Fraction

from encoders.c.cfa import ir
from encoders.c.cfa.expression_tests import without_casts
from encoders.c.execution.objects import BLOCK, NULL_POINTER, CValue, FunctionPointer, Object, Pointer

_ANONYMOUS = re.compile(r"<\d+>\.")  # members without a name are named so within


def without_anonymous(name: str) -> str:
    """`v.<1>.number` as `v.number`: what people write for a member of an anonymous member."""
    return _ANONYMOUS.sub("", name)


def value_text(value: CValue) -> str:
    if isinstance(value, Pointer):
        if value == NULL_POINTER:
            return "0"
        return "invalid pointer" if value.target is None else f"&{_object_name(value.target)}" + _offset(value)
    if isinstance(value, Fraction):
        return str(float(value)) if abs(value) < sys.float_info.max else "a long double beyond every double"
    return value.function if isinstance(value, FunctionPointer) else str(value)


def _object_name(target: Object) -> str:
    """The variable, or of an allocated block the line that allocated it: `heap@12`, if that is recorded."""
    began = target.lifetime.began if target.lifetime is not None else target.allocated
    return f"{BLOCK}@{began.line}" if target.name == BLOCK and began is not None else target.name


def _offset(value: Pointer) -> str:
    return f" + {value.offset // 8} bytes" if value.offset else ""


def lvalue_text(lvalue: ir.LValue, index_value: Callable[[ir.Expression], CValue]) -> str:
    """The lvalue in C, with the present values of indices: a[3], p->next, s.x."""
    suffix: list[str] = []
    while True:
        match lvalue:
            case ir.VariableLValue(variable=variable):
                return _complete(variable.name, suffix)
            case ir.FieldLValue(base=ir.Dereference(pointer=pointer), field=member) if not _is_moved(pointer):
                suffix.append(f"->{member.name}")
                return _complete(_pointer_text(pointer, index_value), suffix)
            case ir.FieldLValue(base=base, field=member):
                suffix.append(f".{member.name}")
                lvalue = base
            case ir.ElementLValue(base=base, index=index):
                suffix.append(f"[{value_text(index_value(index))}]")
                lvalue = base
            case ir.Dereference(pointer=pointer) if isinstance(moved := without_casts(pointer), ir.PointerAdd):
                suffix.append(f"[{value_text(index_value(moved.index))}]")
                return _complete(_pointer_text(moved.pointer, index_value), suffix)
            case ir.Dereference(pointer=pointer):
                text = f"*{_pointer_text(pointer, index_value)}"
                return _complete(f"({text})" if suffix else text, suffix)


def _complete(base: str, suffix: list[str]) -> str:
    """The text of an lvalue. suffix: the parts behind the base, the last one first."""
    return without_anonymous(base + "".join(reversed(suffix)))


def _pointer_text(pointer: ir.Expression, index_value: Callable[[ir.Expression], CValue]) -> str:
    pointer = without_casts(pointer)
    if isinstance(pointer, ir.Load) and isinstance(pointer.lvalue, ir.VariableLValue):
        return pointer.lvalue.variable.name
    if isinstance(pointer, ir.Load) and isinstance(pointer.lvalue, ir.FieldLValue):
        base = pointer.lvalue.base
        inner = without_casts(base.pointer) if isinstance(base, ir.Dereference) else None
        through = isinstance(inner, ir.Load) and isinstance(inner.lvalue, ir.VariableLValue)
        if through or isinstance(base, ir.VariableLValue):
            return lvalue_text(pointer.lvalue, index_value)
    return "(...)"


def _is_moved(pointer: ir.Expression) -> bool:
    """True if the pointer is another one plus a number."""
    return isinstance(without_casts(pointer), ir.PointerAdd)
