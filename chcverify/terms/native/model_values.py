"""Reads the values of terms in a model: Booleans, rational numbers, integers and bit-vectors, as Python's numbers."""

import ctypes
from collections.abc import Iterable
from fractions import Fraction

import z3

from chcverify.terms.native import capi
from chcverify.terms.native.capi import Handle
from chcverify.terms.native.handles import handle


def values_in(model: z3.ModelRef, terms: Iterable[z3.ExprRef]) -> list[bool | Fraction | None]:
    """The value of each term in the model, which is completed; None where it is none of those above.

    Bit-vectors are read as unsigned numbers.
    """
    context, cell = int(model.ctx.ref().value), ctypes.c_void_p()
    where, found = ctypes.addressof(cell), []
    for term in terms:
        is_known = capi.model_eval(context, model.model.value, handle(term), True, where)
        # z3 keeps its last result until the next one is made
        found.append(_number(context, Handle(cell.value)) if is_known and cell.value is not None else None)
    return found


def _number(context: int, value: Handle) -> bool | Fraction | None:
    if capi.get_ast_kind(context, value) == z3.Z3_NUMERAL_AST:
        text = capi.get_numeral_string(context, value)
        if b"/" not in text:
            return Fraction(int(text))
        top, _, bottom = text.partition(b"/")
        return Fraction(int(top), int(bottom))
    if capi.get_ast_kind(context, value) != z3.Z3_APP_AST:
        return None
    kind = capi.get_decl_kind(context, capi.get_app_decl(context, value))
    return bool(kind == z3.Z3_OP_TRUE) if kind in (z3.Z3_OP_TRUE, z3.Z3_OP_FALSE) else None
