"""Fast paths for substitution: z3py's wrapper type-checks each pair, which costs more than the substitution itself."""

from collections.abc import Sequence

import z3
from z3 import z3core

from chcverify.terms.occurrence import is_plain, operator


def replace(term: z3.ExprRef, old: Sequence[z3.ExprRef], new: Sequence[z3.ExprRef]) -> z3.ExprRef:
    """Simultaneous substitution of new[i] for old[i], of equal sorts; sound below binders, as z3 shifts indices."""
    count = len(old)
    if not count:
        return term
    if is_plain(term):
        key = term.get_id()
        return next((after for before, after in zip(old, new, strict=True) if before.get_id() == key), term)
    sources, targets = (z3.Ast * count)(), (z3.Ast * count)()
    for i in range(count):
        sources[i], targets[i] = old[i].as_ast(), new[i].as_ast()
    result = z3core.Z3_substitute(term.ctx.ref(), term.as_ast(), count, sources, targets)
    return z3.z3._to_expr_ref(result, term.ctx)


def is_value(term: z3.ExprRef) -> bool:
    """Is the term a value: a numeral, a Boolean constant, or constructors, constant arrays and stores over values?"""
    stack = [term]
    while stack:
        part = stack.pop()
        kind = operator(part)
        if kind in _NUMERALS:
            continue
        if kind not in _CONSTRUCTORS:
            return False
        stack.extend(part.children())
    return True


_NUMERALS = {
    z3.Z3_OP_TRUE,
    z3.Z3_OP_FALSE,
    z3.Z3_OP_ANUM,
    z3.Z3_OP_AGNUM,
    z3.Z3_OP_BNUM,
    z3.Z3_OP_FPA_NUM,
}
_CONSTRUCTORS = {z3.Z3_OP_STORE, z3.Z3_OP_CONST_ARRAY, z3.Z3_OP_DT_CONSTRUCTOR}
