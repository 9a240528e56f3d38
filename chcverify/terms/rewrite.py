"""Fast paths for substitution: z3py's wrapper type-checks each pair, which costs more than the substitution itself."""

from collections.abc import Sequence

import z3
from z3 import z3core

from chcverify.terms.native import capi
from chcverify.terms.values import CONSTRUCTORS, NUMERALS


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


def operator(term: z3.ExprRef) -> int:
    """The kind (Z3_OP_...) of the term's function; -1 for quantifiers and bound variables."""
    context, node = term.ctx.ref().value, term.ast.value
    if capi.get_ast_kind(context, node) not in (z3.Z3_APP_AST, z3.Z3_NUMERAL_AST):
        return -1
    return int(capi.get_decl_kind(context, capi.get_app_decl(context, node)))


def is_plain(term: z3.ExprRef) -> bool:
    """Is the term an uninterpreted constant? As walk.is_variable, in fewer calls."""
    return operator(term) == z3.Z3_OP_UNINTERPRETED and not capi.get_app_num_args(term.ctx.ref().value, term.ast.value)


def is_value(term: z3.ExprRef) -> bool:
    """Is the term a value: a numeral, a Boolean constant, or constructors, constant arrays and stores over values?"""
    stack = [term]
    while stack:
        part = stack.pop()
        kind = operator(part)
        if kind in NUMERALS:
            continue
        if kind not in CONSTRUCTORS:
            return False
        stack.extend(part.children())
    return True
