"""Walks over borrowed handles of z3 terms, which something else keeps alive (README.md says when to use them).

A handle is the address of a z3 node. Subterms live as long as a term above them does, so walks need no reference
counts; whatever a function here *builds* is returned as a z3py object, which holds its own reference. Handles identify
nodes (z3 shares equal terms) while a reference keeps them alive, and may be reused after that.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import z3

from chcverify.terms.native import capi
from chcverify.terms.native.capi import Handle, array

APP, VAR, QUANTIFIER = z3.Z3_APP_AST, z3.Z3_VAR_AST, z3.Z3_QUANTIFIER_AST
UNINTERPRETED = z3.Z3_OP_UNINTERPRETED

_CLASSES: dict[int, Any] = {
    z3.Z3_BOOL_SORT: z3.BoolRef,
    z3.Z3_INT_SORT: z3.ArithRef,
    z3.Z3_BV_SORT: z3.BitVecRef,
    z3.Z3_ARRAY_SORT: z3.ArrayRef,
    z3.Z3_DATATYPE_SORT: z3.DatatypeRef,
}  # of applications that are no numerals


def _typed(kind: Any, address: int) -> Any:
    """z3py's ctypes object of an address: its own constructors leave the value empty."""
    out = kind(address)
    out.value = address
    return out


def context_of(term: z3.AstRef) -> int:
    """The handle of the term's context: the first argument of every raw function."""
    return int(term.ctx.ref().value)


def handle(term: z3.AstRef) -> Handle:
    """The handle of a z3py object, valid while the object lives."""
    return Handle(term.as_ast().value)


def wrap(term: Handle, context: z3.Context) -> Any:
    """The z3py object of a term's handle. The common classes are chosen here: z3py asks z3 again for each answer."""
    ctx, node = context.ref().value, _typed(z3.Ast, term)
    if capi.get_ast_kind(ctx, term) == APP:
        made = _CLASSES.get(capi.get_sort_kind(ctx, capi.get_sort(ctx, term)))
        if made is not None:
            return made(node, context)
    return z3.z3._to_expr_ref(node, context)


def declaration(term: Handle, context: z3.Context) -> z3.FuncDeclRef:
    """The z3py declaration of the function of an application."""
    return z3.FuncDeclRef(_typed(z3.FuncDecl, capi.get_app_decl(context.ref().value, term)), context)


def bound(context: int, quantifier: Handle) -> list[tuple[int, int]]:
    """The bound variables of a quantifier, in the order of their declaration, as handles of symbol and sort."""
    return [
        (capi.get_quantifier_bound_name(context, quantifier, i), capi.get_quantifier_bound_sort(context, quantifier, i))
        for i in range(capi.get_quantifier_num_bound(context, quantifier))
    ]


def symbol_text(symbol: int, context: z3.Context) -> str:
    """The text of a symbol's handle (numeric symbols as z3 prints them)."""
    return str(z3.z3._symbol2py(context, _typed(z3.Symbol, symbol)))


def sort(sort_handle: int, context: z3.Context) -> z3.SortRef:
    """The z3py sort of a sort's handle."""
    made: z3.SortRef = z3.z3._to_sort_ref(_typed(z3.Sort, sort_handle), context)
    return made


def instance(parts: Sequence[tuple[Handle, bool]], values: Any, context: z3.Context) -> Any:
    """The conjunction of the parts (term, whether it is negated) with `values[i]` for the free de Bruijn variable i.

    `values` is an `array` of closed terms. A single part that is not negated may have any sort.
    """
    ctx = context.ref().value
    owned: list[Handle] = []

    def own(term: Handle) -> Handle:
        capi.inc_ref(ctx, term)
        owned.append(term)
        return term

    items = [own(capi.mk_not(ctx, term)) if negated else term for term, negated in parts]
    whole = items[0] if len(items) == 1 else own(capi.mk_and(ctx, len(items), array(items)))
    result = wrap(capi.substitute_vars(ctx, whole, len(values), values) if len(values) else whole, context)
    for term in owned:
        capi.dec_ref(ctx, term)
    return result


def postorder(context: int, roots: Iterable[Handle], seen: set[Handle]) -> Iterator[tuple[Handle, Sequence[Handle]]]:
    """Every distinct node below the roots once with its children, children first; goes below quantifiers.

    Nodes in `seen` are skipped with all below them, and what is visited is added to it: walks can share it.
    """
    stack = list(roots)
    stack.reverse()
    pending: dict[Handle, Sequence[Handle]] = {}
    while stack:
        term = stack[-1]
        if term in seen:
            stack.pop()
            continue
        below = pending.pop(term, None)
        if below is None:
            below = children(context, term)
            if below:
                pending[term] = below
                stack.extend(reversed(below))
                continue
        stack.pop()
        seen.add(term)
        yield term, below


def preorder(context: int, roots: Iterable[Handle]) -> Iterator[tuple[Handle, int, int]]:
    """Every distinct node below the roots once with its kind (Z3_..._AST) and the number of its arguments, parents
    first, left to right; goes below quantifiers.

    For what needs no children: it takes half the time of `postorder`.
    """
    kind_of, count_of, argument = capi.get_ast_kind, capi.get_app_num_args, capi.get_app_arg
    seen: set[Handle] = set()
    stack = list(roots)
    stack.reverse()
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        kind = kind_of(context, term)
        count = count_of(context, term) if kind == APP else 0
        yield term, kind, count
        if kind == QUANTIFIER:
            stack.append(capi.get_quantifier_body(context, term))
        for position in range(count - 1, -1, -1):
            child = argument(context, term, position)
            if child not in seen:
                stack.append(child)


def children(context: int, term: Handle) -> Sequence[Handle]:
    """The arguments of an application, the body of a quantifier, nothing below anything else."""
    kind = capi.get_ast_kind(context, term)
    if kind == APP:
        return [capi.get_app_arg(context, term, i) for i in range(capi.get_app_num_args(context, term))]
    return (capi.get_quantifier_body(context, term),) if kind == QUANTIFIER else ()
